/* SPDX-License-Identifier: MIT */
/* tb/invalidate/state.cpp - what is asked of a state of the machine. */
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

void put(std::string &to, const stage &t)
{
    for (const unsigned v : {unsigned{t.entry}, unsigned{t.miss}, unsigned{t.waiting[0]},
                             unsigned{t.waiting[1]}, unsigned{t.inval.open}, unsigned{t.inval.away}})
        to.push_back(static_cast<char>(v));
}

} // namespace

state begin(const setting &s)
{
    state first;
    first.used = s.chains;
    ww_inval_init(&first.unit, 1);
    ww_inval_init(&first.store.inval, s.chains);
    for (chain &c : first.chains) {
        c.left = s.requests;
        ww_inval_init(&c.first.inval, 1);
        ww_turn_init(&c.turn);
    }
    return first;
}

std::string stale(const state &s)
{
    if (s.phase != 3)
        return "";
    if (s.store.entry == a_old)
        return "the victim store holds it";
    if (s.line == a_old || s.up.has(a_old))
        return "the walk unit answers with it";
    for (uint8_t c = 0; c < s.used; ++c) {
        const chain &n = s.chains[c];
        if (n.first.entry == a_old)
            return "a first stage holds it";
        if (n.up.has(a_old) || n.up_below.has(a_old))
            return "an answer brings it";
        if (n.down.has(a_old))
            return "a fill brings it";
        if (n.inside[0][a_old] + n.inside[1][a_old] != 0)
            return "an access uses it";
    }
    return "";
}

std::string stuck(const setting &, const state &at)
{
    if (at.phase != 3)
        return "the invalidate is not acknowledged";
    for (uint8_t c = 0; c < at.used; ++c)
        if (at.chains[c].left != 0 || at.chains[c].asked != no_page || at.chains[c].first.miss != no_page)
            return "a request is not answered";
    if (at.memory != a_new || at.store.miss != no_page || at.walk != no_page || at.parked != no_page)
        return "something below is not done";
    return "";
}

std::string broken(const state &s)
{
    const auto say = [](const char *what) { return std::string(what == nullptr ? "" : what); };
    std::string all = say(ww_inval_check(&s.unit)) + say(ww_inval_check(&s.store.inval));
    for (uint8_t c = 0; c < s.used; ++c)
        all += say(ww_inval_check(&s.chains[c].first.inval)) + say(ww_turn_check(&s.chains[c].turn));
    return all;
}

std::string key(const state &s)
{
    std::string k;
    for (const unsigned v :
         {unsigned{s.memory}, unsigned{s.phase}, unsigned{s.asked}, unsigned{s.back}, unsigned{s.walk},
          unsigned{s.line}, unsigned{s.parked}, unsigned{s.unit.open}, unsigned{s.unit.away}})
        k.push_back(static_cast<char>(v));
    put(k, s.up);
    put(k, s.store);
    for (uint8_t c = 0; c < s.used; ++c) {
        const chain &n = s.chains[c];
        for (const unsigned v : {unsigned{n.left}, unsigned{n.asked}, unsigned{n.asked_below},
                                 unsigned{n.back}, unsigned{n.turn.open}, unsigned{n.turn.generation}})
            k.push_back(static_cast<char>(v));
        for (const auto &g : n.inside)
            for (uint8_t i = a_old; i <= b; ++i)
                k.push_back(static_cast<char>(g.at(i)));
        put(k, n.up);
        put(k, n.up_below);
        put(k, n.down);
        put(k, n.first);
    }
    return k;
}

std::string text(const char *what, uint8_t about, uint8_t chain)
{
    static const char *const names[] = {
        "", "A's old translation", "A's new translation", "B's", "the invalidate", "A is not mapped", "", "A",
        "B"};
    const std::string item = names[about];
    return std::string(what) + (item.empty() ? "" : ": " + item) + (chain != 0 ? " (second requester)" : "");
}

} // namespace invalidate
