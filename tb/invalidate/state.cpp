/* SPDX-License-Identifier: MIT */
/* tb/invalidate/state.cpp - the topologies, and the checks and the key of a state. */
#include "tb/invalidate/machine.hpp"

namespace invalidate
{

namespace
{

void put(std::string &to, const lane &l)
{
    to.push_back(static_cast<char>(l.size));
    to.append(l.at.begin(), l.at.begin() + l.size);
}

void put(std::string &to, const link &l)
{
    to.push_back(static_cast<char>(l.asked));
    put(to, l.up);
    put(to, l.down);
}

void put(std::string &to, const stage &t)
{
    for (const unsigned v : {unsigned{t.entry}, unsigned{t.miss}, unsigned{t.waiting[0]},
                             unsigned{t.waiting[1]}, unsigned{t.inval.open}, unsigned{t.inval.away}})
        to.push_back(static_cast<char>(v));
    put(to, t.below);
}

void put(std::string &to, const requester &r)
{
    for (const unsigned v : {unsigned{r.left}, unsigned{r.turn.open}, unsigned{r.turn.generation}})
        to.push_back(static_cast<char>(v));
    for (const auto &g : r.inside)
        for (uint8_t i = a_old; i <= b; ++i)
            to.push_back(static_cast<char>(g.at(i)));
    put(to, r.below);
}

} // namespace

std::vector<shape::child> shape::above(uint8_t stage) const
{
    std::vector<child> all;
    for (uint8_t r = 0; r < requesters.size(); ++r)
        if (requesters[r] == stage)
            all.push_back({true, r});
    for (uint8_t i = 0; i < stages.size(); ++i)
        if (stages[i].below == stage)
            all.push_back({false, i});
    return all;
}

shape over_one_store(uint8_t chains)
{
    shape s;
    for (uint8_t c = 0; c < chains; ++c) {
        s.stages.push_back({role::first, chains, "the first stage"});
        s.requesters.push_back(c);
    }
    s.stages.push_back({role::store, walks, "the victim store"});
    return s;
}

shape of_unequal_groups()
{
    shape s = over_one_store(2);
    s.requesters.push_back(1);
    return s;
}

shape with_two_victim_stores()
{
    return {{{role::first, 1, "the first stage"},
             {role::victim, 2, "the victim store"},
             {role::tlb, 3, "the TLB"},
             {role::victim, walks, "the far victim store"}},
            {0}};
}

state begin(const setting &s)
{
    state first;
    ww_inval_init(&first.unit, 1);
    for (uint8_t i = 0; i < s.of.stages.size(); ++i) {
        ww_inval_init(&first.stages.at(i).inval, static_cast<uint32_t>(s.of.above(i).size()));
        if (s.of.stages[i].below == walks)
            first.last = i;
    }
    for (size_t r = 0; r < s.of.requesters.size(); ++r) {
        first.requesters.at(r).left = s.requests;
        ww_turn_init(&first.requesters.at(r).turn);
    }
    return first;
}

std::string stale(const setting &s, const state &at)
{
    if (at.phase != 3)
        return "";
    for (size_t i = 0; i < s.of.stages.size(); ++i)
        if (s.of.stages[i].kind != role::first && at.stages.at(i).entry == a_old)
            return std::string(s.of.stages[i].name) + " holds it";
    if (at.line == a_old || at.stages.at(at.last).below.up.has(a_old))
        return "the walk unit answers with it";
    for (size_t i = 0; i < s.of.stages.size(); ++i) {
        const stage &t = at.stages.at(i);
        if (t.entry == a_old)
            return "a first stage holds it";
        if (t.below.up.has(a_old))
            return "an answer brings it";
        if (t.below.down.has(a_old))
            return "a fill brings it";
    }
    for (size_t r = 0; r < s.of.requesters.size(); ++r) {
        const requester &n = at.requesters.at(r);
        if (n.below.up.has(a_old))
            return "an answer brings it";
        if (n.inside[0][a_old] + n.inside[1][a_old] != 0)
            return "an access uses it";
    }
    return "";
}

std::string stuck(const setting &s, const state &at)
{
    if (at.phase != 3)
        return "the invalidate is not acknowledged";
    for (size_t r = 0; r < s.of.requesters.size(); ++r)
        if (at.requesters.at(r).left != 0 || at.requesters.at(r).below.asked != no_page)
            return "a request is not answered";
    for (size_t i = 0; i < s.of.stages.size(); ++i)
        if (at.stages.at(i).miss != no_page)
            return s.of.stages[i].kind == role::first ? "a request is not answered"
                                                      : "something below is not done";
    if (at.memory != a_new || at.walk != no_page || at.parked != no_page)
        return "something below is not done";
    return "";
}

std::string broken(const setting &s, const state &at)
{
    const auto say = [](const char *what) { return std::string(what == nullptr ? "" : what); };
    std::string all = say(ww_inval_check(&at.unit));
    for (size_t i = 0; i < s.of.stages.size(); ++i)
        all += say(ww_inval_check(&at.stages.at(i).inval));
    for (size_t r = 0; r < s.of.requesters.size(); ++r)
        all += say(ww_turn_check(&at.requesters.at(r).turn));
    return all;
}

std::string key(const setting &s, const state &at)
{
    std::string k;
    for (const unsigned v : {unsigned{at.memory}, unsigned{at.phase}, unsigned{at.walk}, unsigned{at.line},
                             unsigned{at.parked}, unsigned{at.unit.open}, unsigned{at.unit.away}})
        k.push_back(static_cast<char>(v));
    for (size_t i = 0; i < s.of.stages.size(); ++i)
        put(k, at.stages.at(i));
    for (size_t r = 0; r < s.of.requesters.size(); ++r)
        put(k, at.requesters.at(r));
    return k;
}

std::string text(const char *who, const char *what, uint8_t about, uint8_t nth)
{
    static const char *const names[] = {
        "", "A's old translation", "A's new translation", "B's", "the invalidate", "A is not mapped", "", "A",
        "B"};
    const std::string item = names[about];
    return std::string(who) + what + (item.empty() ? "" : ": " + item) +
           (nth != 0 ? " (requester " + std::to_string(nth + 1) + ")" : "");
}

} // namespace invalidate
