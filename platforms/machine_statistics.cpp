/* SPDX-License-Identifier: MIT */
/* platforms/machine_statistics.cpp - statistics and laws of a machine, from its lists of blocks and links. */
#include "platforms/machine.hpp"

#include "model/common/lanes.hpp"
#include "model/common/stat_sum.hpp"
#include "platforms/array_energy.hpp"

#include <algorithm>

namespace walkway
{

void machine::visit_all(stat_visitor &v) const
{
    visit_groups(v);
    if (!top_->arrays().empty()) {
        stat_values counted;
        visit_groups(counted);
        show_arrays(v, top_->arrays(), counted);
    }
    v.begin("model", "what the run cost the simulator");
    visit_model(v);
    v.end();
}

void machine::visit_groups(stat_visitor &v, const std::vector<std::string> *only) const
{
    for (const wiring::group &g : top_->groups()) {
        if (only != nullptr && std::find(only->begin(), only->end(), g.name) == only->end())
            continue;
        stat_sum sum;
        for (const block *b : g.blocks)
            b->visit(sum, now_);
        for (const wiring::show_fn &show : g.others)
            show(sum, now_);
        v.begin(g.name, g.text.c_str());
        sum.show(v);
        v.end();
    }
}

void machine::visit_model(stat_visitor &v) const
{
    uint64_t all = 0, calls = 0;
    for (const block *b : blocks_)
        all += b->activations();
    for (const machine_link &l : top_->links())
        calls += l.from->calls();
    v.count("activations", all, "count", "block activations; = the sum of activations_*");
    for (const wiring::group &g : top_->groups()) {
        if (g.blocks.empty())
            continue;
        uint64_t woken = 0;
        for (const block *b : g.blocks)
            woken += b->activations();
        v.count(g.activations.c_str(), woken, "count", g.activations_text.c_str());
    }
    v.count("requests_sent", calls, "count", "BEGIN_REQ calls over all sockets");
    for (const wiring::fact &f : top_->facts())
        v.level(f.name, f.value, f.unit, f.text);
}

/* No request or fill may be lost on a link, and no request answered twice. */
void machine::link_laws(law_list &list) const
{
    for (const machine_link &l : top_->links()) {
        const std::string from = family_of(l.from->owner().name()) + "." + family_of(l.from->port());
        const std::string to =
            l.to == nullptr ? "outside" : family_of(l.to->owner().name()) + "." + family_of(l.to->port());
        list.of(from + " -> " + to, std::string(l.from->owner().name()) + "." + l.from->port());
        if (l.to != nullptr)
            list.add("requests sent = received", l.from->calls(), l.to->taken());
        list.add("requests sent = answered", l.from->calls(), l.from->answered());
        if (const post_lane *posts = l.to == nullptr ? nullptr : l.to->posts(); posts != nullptr)
            list.add("fills sent = received + dropped", posts->sent(), posts->taken() + posts->dropped());
    }
}

std::vector<law> machine::laws() const
{
    law_list list(now_, halted_);
    uint64_t live = 0;
    for (const wiring::group &g : top_->groups())
        for (const block *b : g.blocks) {
            list.of(g.name, b->name());
            b->laws(list);
            live += b->live();
        }
    link_laws(list);
    list.of("pools", "");
    list.add("nothing in flight at the end", live, 0);
    std::vector<law> laws = list.all();
    stat_values values;
    visit_all(values);
    for (const equality &e : top_->equalities())
        laws.push_back(values.judge(e));
    if (!top_->arrays().empty())
        laws.push_back(law_of_arrays(top_->arrays(), values));
    window_laws(laws);
    for (law &l : laws)
        l.applies = !cut_;
    return laws;
}

} // namespace walkway
