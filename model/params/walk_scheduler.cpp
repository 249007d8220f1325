/* SPDX-License-Identifier: MIT */
/* model/params/walk_scheduler.cpp - the schedulers of page walks, by name, and their keys. */
#include "model/params/walk_scheduler.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

namespace
{

/* Calls f(scheduler, key, index in the list of all keys). */
template <class F> void each_key(F f)
{
    size_t place = 0;
    for (uint32_t k = 0; k < ww_sched_count; ++k)
        for (uint32_t i = 0; i < ww_scheds[k]->key_count; ++i)
            f(*ww_scheds[k], ww_scheds[k]->keys[i], place++);
}

/* "which buffered request an idle walker takes: fcfs, the oldest; ..." */
const std::string &text_of_choice()
{
    static const std::string text = [] {
        std::string all = "which buffered request an idle walker takes";
        for (uint32_t k = 0; k < ww_sched_count; ++k)
            all += std::string(k == 0 ? ": " : "; ") + ww_scheds[k]->name + ", " + ww_scheds[k]->text;
        return all;
    }();
    return text;
}

} // namespace

scheduler_choice::scheduler_choice()
{
    each_key([this](const ww_sched_kind &, const ww_sched_key &, size_t place) { keys_.resize(place + 1); });
}

void scheduler_choice::visit(param_visitor &v)
{
    choice_names names;
    for (uint32_t k = 0; k < ww_sched_count; ++k)
        names.push_back(ww_scheds[k]->name);
    v.choice("schedule", kind_, names, {"", 0, 0, text_of_choice().c_str(), neutral});
    each_key([this, &v](const ww_sched_kind &kind, const ww_sched_key &key, size_t place) {
        v.needs(key.needs != nullptr ? key.needs : (std::string("schedule=") + kind.name).c_str());
        if (key.choices == nullptr) {
            v.number(key.name, keys_[place], {key.unit, key.least, key.most, key.text});
            return;
        }
        choice_names values;
        for (const char *const *name = key.choices; *name != nullptr; ++name)
            values.push_back(*name);
        auto chosen = static_cast<uint8_t>(keys_[place]);
        v.choice(key.name, chosen, values, {"", 0, 0, key.text, neutral});
        keys_[place] = chosen;
    });
    v.needs("");
}

ww_sched_cfg scheduler_choice::cfg(uint32_t walkers, uint32_t entries) const
{
    ww_sched_cfg cfg = {};
    cfg.walkers = walkers;
    cfg.entries = entries;
    uint32_t own = 0;
    each_key([&](const ww_sched_kind &owner, const ww_sched_key &, size_t place) {
        if (&owner != &kind())
            return;
        WW_ASSERT(own < WW_SCHED_MOST_KEYS);
        cfg.keys[own++] = keys_[place];
    });
    return cfg;
}

std::string scheduler_choice::fault(uint32_t walkers, uint32_t entries) const
{
    const ww_sched_cfg wanted = cfg(walkers, entries);
    const char *wrong = kind().fault == nullptr ? nullptr : kind().fault(&wanted);
    return wrong == nullptr ? "" : wrong;
}

void scheduler_choice::choose(const std::string &name)
{
    const ww_sched_kind *const *const end = ww_scheds + ww_sched_count;
    const ww_sched_kind *const *const found =
        std::find_if(ww_scheds, end, [&name](const ww_sched_kind *kind) { return name == kind->name; });
    if (found == end)
        throw std::invalid_argument("there is no scheduler '" + name + "'");
    kind_ = static_cast<uint8_t>(found - ww_scheds);
}

void scheduler_choice::set(const std::string &key, uint32_t value)
{
    bool known = false;
    each_key([&](const ww_sched_kind &, const ww_sched_key &one, size_t place) {
        if (key != one.name)
            return;
        known = true;
        keys_[place] = value;
    });
    if (!known)
        throw std::invalid_argument("no scheduler has a key '" + key + "'");
}

} // namespace walkway
