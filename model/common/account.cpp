/* SPDX-License-Identifier: MIT */
/* model/common/account.cpp - registration of causes, and their sums. */
#include "model/common/account.hpp"

#include "model/common/fail.hpp"
#include "model/common/per_context.hpp"

#include <algorithm>
#include <unordered_map>

namespace walkway
{

std::shared_ptr<account_names> account_names::here()
{
    return per_context<account_names>();
}

account_names::account_names()
{
    add(no_track, "response", "on the way back up");
}

uint32_t account_names::add_track(const account_track &track)
{
    tracks_.push_back(track);
    return static_cast<uint32_t>(tracks_.size() - 1);
}

cause account_names::add(uint32_t track, const std::string &name, const std::string &text, uint32_t level)
{
    if (!rows_.empty() && sc_core::sc_start_of_simulation_invoked())
        fail("/walkway/account", "the cause " + name + " is registered after the simulation has started");
    const auto known = std::find_if(rows_.begin(), rows_.end(), [&](const row &r) { return r.name == name; });
    const auto place = static_cast<size_t>(known - rows_.begin());
    if (known == rows_.end())
        rows_.push_back(row{name, text});
    else if (known->text != text)
        fail("/walkway/account", "two stages mean different things by the cause " + name + ": '" +
                                     known->text + "' and '" + text + "'");
    if (entries_.size() > UINT16_MAX)
        fail("/walkway/account",
             "the stages of a machine have more than " + std::to_string(UINT16_MAX) + " causes");
    entries_.push_back(entry{static_cast<uint16_t>(place), track, level});
    row_by_cause_.push_back(static_cast<uint16_t>(place));
    return static_cast<cause>(entries_.size() - 1);
}

std::vector<uint16_t> account_names::in_order_of(const std::vector<const block *> &blocks) const
{
    std::vector<uint16_t> order;
    std::vector<bool> there(rows_.size(), false);
    const auto add_row = [&](uint16_t r) {
        if (!there[r])
            order.push_back(r);
        there[r] = true;
    };
    const uint16_t way_back = of(cause::response).row;
    there[way_back] = true;
    std::unordered_map<const block *, size_t> places;
    for (const block *b : blocks)
        places.emplace(b, places.size());
    std::vector<std::pair<size_t, uint16_t>> placed; /* entries of one place keep their order */
    for (const entry &e : entries_) {
        const auto at = places.find(e.track == no_track ? nullptr : tracks_[e.track].owner);
        placed.emplace_back(at == places.end() ? places.size() : at->second, e.row);
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &of_entry : placed)
        add_row(of_entry.second);
    order.push_back(way_back);
    return order;
}

tick account_sums::total() const
{
    tick sum = 0;
    for (const tick t : by_row_)
        sum += t;
    return sum;
}

void account_sums::visit(stat_visitor &v, const std::vector<const block *> &order, tick latency,
                         tick period) const
{
    v.count("translation_cycles", latency / period, "cycles", "latencies of all translations added up");
    for (const uint16_t r : names_->in_order_of(order)) {
        const account_names::row &row = names_->rows()[r];
        v.count(row.name.c_str(), (r < by_row_.size() ? by_row_[r] : 0) / period, "cycles", row.text.c_str());
    }
}

} // namespace walkway
