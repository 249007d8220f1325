/* SPDX-License-Identifier: MIT */
/* tb/invalidate/machine.cpp - the steps. */
#include "tb/invalidate/machine.hpp"

namespace invalidate
{

namespace
{

constexpr uint64_t va_of[] = {0, 0x1000, 0x2000}; /* by page */
constexpr uint8_t wrong_lane = 3;                 /* an invalidate in the lane of requests */

const ww_inval_scope &page_a_moves()
{
    static const ww_inval_scope scope = ww_inval_range(va_of[page_a], 4096, 0);
    return scope;
}

bool in_scope(uint8_t translation)
{
    return translation != none && ww_inval_covers(&page_a_moves(), va_of[page_of(translation)], 12, 0);
}

uint8_t asks(uint8_t page)
{
    return page == page_a ? asks_a : asks_b;
}

void drop(stage &t)
{
    if (in_scope(t.entry))
        t.entry = none;
}

/* A request at a stage: a hit, a miss handed down, or one that joins the pending miss. False: it stalls. */
bool request(stage &t, uint8_t port, uint8_t page, lane &up, uint8_t &below)
{
    if (page_of(t.entry) == page) {
        up.push(t.entry);
        return true;
    }
    if (t.miss == page && t.waiting[0] + t.waiting[1] < 2) {
        ++t.waiting.at(port);
        return true;
    }
    if (t.miss != no_page || below != no_page)
        return false;
    t.miss = below = page;
    ++t.waiting.at(port);
    return true;
}

/* The answer enters the first stage; what has to leave goes down as a fill, if the lane has room for it. */
void enter(stage &first, uint8_t translation, lane &down)
{
    const uint8_t victim = first.entry;
    first.entry = translation;
    if (victim != none && page_of(victim) != page_of(translation) && !down.has(a_old) && !down.has(a_new) &&
        !down.has(b))
        down.push(victim);
}

class choices
{
public:
    choices(const setting &s, const state &from) : with_(s.with), setting_(s), from_(from) {}

    std::vector<step> all()
    {
        pager();
        walk_unit();
        store_answers();
        for (uint8_t c = 0; c < from_.used; ++c) {
            requester(c);
            first_stage(c);
            store_below(c);
        }
        return std::move(out_);
    }

private:
    state &take(const char *what, uint8_t about = none, uint8_t chain = 0)
    {
        out_.push_back({what, about, chain, from_});
        return out_.back().next;
    }
    void send_up(lane &l) const { with_.behind_answers ? l.push(inval) : l.push_ahead(inval); }

    void pager()
    {
        if (from_.phase == 0) {
            state &n = take("the pager writes the entry of A");
            n.memory = setting_.unmapped ? absent : a_new;
            n.phase = 1;
        }
        if (from_.phase == 1 && ww_inval_may_start(&from_.unit)) {
            state &n = take("the walk unit starts the invalidate");
            n.phase = 2;
            ww_inval_out(&n.unit, &page_a_moves());
            if (with_.restart && n.walk == page_a)
                n.line = unread;
            send_up(n.up);
        }
        if (from_.phase == 3 && from_.memory == absent)
            take("the pager maps A anew").memory = a_new;
    }

    void walk_unit()
    {
        if (from_.asked != no_page && from_.walk == no_page) {
            state &n = take("a walk begins", asks(from_.asked));
            n.walk = n.asked;
            n.line = unread;
            n.asked = no_page;
        }
        if (from_.walk != no_page && from_.line == unread) {
            state &n = take("a walk reads its line");
            n.line = n.walk == page_a ? n.memory : static_cast<uint8_t>(b);
        }
        if (from_.walk != no_page && from_.line != unread) {
            state &n = take(from_.line == absent ? "a walk faults" : "the walk unit answers", from_.line);
            if (n.line == absent)
                n.parked = n.walk;
            else
                n.up.push(n.line);
            n.walk = no_page;
            n.line = none;
        }
        if (from_.parked != no_page && from_.memory != absent && from_.walk == no_page) {
            state &n = take("a faulted walk is repeated");
            n.walk = n.parked;
            n.parked = no_page;
            n.line = unread;
        }
        if (from_.back != 0) {
            state &n = take("the walk unit acknowledges the invalidate");
            n.back = 0;
            if (ww_inval_back(&n.unit))
                n.phase = 3;
        }
    }

    void store_answers()
    {
        if (from_.up.size == 0)
            return;
        const uint8_t item = from_.up.at[0];
        state &n = take("the victim store takes from below", item);
        n.up.pop();
        if (item == inval) {
            ww_inval_out(&n.store.inval, &page_a_moves());
            if (with_.drop_store)
                drop(n.store);
            for (uint8_t c = 0; c < n.used; ++c)
                send_up(n.chains[c].up_below);
            return;
        }
        for (uint8_t c = 0; c < n.used; ++c) /* keeps no answers */
            for (; n.store.waiting[c] != 0; --n.store.waiting[c])
                n.chains[c].up_below.push(item);
        n.store.miss = no_page;
    }

    void store_below(uint8_t c)
    {
        const chain &was = from_.chains[c];
        state hit = from_;
        if (was.asked_below != no_page &&
            request(hit.store, c, was.asked_below, hit.chains[c].up_below, hit.asked)) {
            hit.chains[c].asked_below = no_page;
            out_.push_back({"the victim store takes a request", asks(was.asked_below), c, hit});
        }
        if (was.down.size == 0)
            return;
        const uint8_t item = was.down.at[0];
        if (item != inval) {
            fill(c, item);
            return;
        }
        state &n = take("the victim store takes the invalidate back", inval, c);
        n.chains[c].down.pop();
        if (!n.store.inval.open)
            return; /* went on with the first copy already */
        if (with_.drop_on_return)
            drop(n.store);
        if (!with_.all_copies)
            n.store.inval.away = 1;
        n.back = ww_inval_back(&n.store.inval);
    }

    void fill(uint8_t c, uint8_t item)
    {
        const bool refused =
            with_.refusal && ww_inval_refuses(&from_.store.inval, va_of[page_of(item)], 12, 0);
        state &n = take(refused                  ? "the victim store refuses a fill"
                        : from_.store.inval.open ? "the victim store takes a fill between the passes"
                                                 : "the victim store takes a fill",
                        item, c);
        n.chains[c].down.pop();
        if (!refused)
            n.store.entry = item;
    }

    void first_stage(uint8_t c)
    {
        const chain &was = from_.chains[c];
        state hit = from_;
        if (was.asked == wrong_lane) {
            hit.chains[c].asked = no_page;
            turn_down(take("the first stage takes the invalidate back", inval, c).chains[c]);
            out_.back().next.chains[c].asked = no_page;
        } else if (was.asked != no_page &&
                   request(hit.chains[c].first, 0, was.asked, hit.chains[c].up, hit.chains[c].asked_below)) {
            hit.chains[c].asked = no_page;
            out_.push_back({"the first stage takes a request", asks(was.asked), c, hit});
        }
        if (was.back != 0) {
            chain &n = take("the first stage takes the invalidate back", inval, c).chains[c];
            n.back = 0;
            turn_down(n);
        }
        if (was.up_below.size == 0)
            return;
        const uint8_t item = was.up_below.at[0];
        chain &n = take("the first stage takes from below", item, c).chains[c];
        n.up_below.pop();
        if (item == inval) {
            ww_inval_out(&n.first.inval, &page_a_moves());
            if (with_.drop_first)
                drop(n.first);
            send_up(n.up);
            return;
        }
        enter(n.first, item, n.down);
        for (; n.first.waiting[0] != 0; --n.first.waiting[0])
            n.up.push(item);
        n.first.miss = no_page;
    }

    void turn_down(chain &n) const
    {
        if (!ww_inval_back(&n.first.inval))
            return;
        if (with_.drop_on_return)
            drop(n.first);
        with_.behind_fills ? n.down.push(inval) : n.down.push_ahead(inval);
    }

    void requester(uint8_t c)
    {
        const chain &was = from_.chains[c];
        for (const uint8_t p : {page_a, page_b})
            if (was.left != 0 && was.asked == no_page) {
                chain &n = take("the requester asks", asks(p), c).chains[c];
                --n.left;
                n.asked = p;
            }
        if (was.up.size != 0) {
            const uint8_t item = was.up.at[0];
            chain &n = take("the requester takes", item, c).chains[c];
            n.up.pop();
            if (item == inval)
                ww_turn_out(&n.turn);
            else
                ++n.inside[ww_turn_begin(&n.turn)].at(item);
        }
        for (uint8_t g = 0; g < 2; ++g)
            for (uint8_t i = a_old; i <= b; ++i)
                if (was.inside[g].at(i) != 0) {
                    chain &n = take("an access ends", i, c).chains[c];
                    --n.inside[g].at(i);
                    ww_turn_end(&n.turn, g);
                }
        if (!was.turn.open || (with_.turn && !ww_turn_ready(&was.turn)) ||
            (!with_.lanes && was.asked != no_page))
            return;
        chain &n = take("the requester turns the invalidate round", inval, c).chains[c];
        n.turn.open = false;
        (with_.lanes ? n.back : n.asked) = with_.lanes ? uint8_t{1} : wrong_lane;
    }

    const parts &with_;
    const setting &setting_;
    const state &from_;
    std::vector<step> out_;
};

} // namespace

std::vector<step> steps(const setting &s, const state &from)
{
    return choices(s, from).all();
}

} // namespace invalidate
