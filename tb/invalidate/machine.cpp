/* SPDX-License-Identifier: MIT */
/* tb/invalidate/machine.cpp - the steps of the machine. */
#include "tb/invalidate/machine.hpp"

#include <utility>

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

bool keeps_answers(role kind)
{
    return kind == role::first || kind == role::tlb;
}

/* A request hits in a stage, misses and is sent down, or joins the pending miss. False: it stalls. */
bool request(stage &t, role kind, uint8_t port, uint8_t page, lane &up)
{
    if (page_of(t.entry) == page) {
        up.push(t.entry);
        if (kind == role::victim)
            t.entry = none;
        return true;
    }
    if (t.miss == page && t.waiting[0] + t.waiting[1] < 2) {
        ++t.waiting.at(port);
        return true;
    }
    if (t.miss != no_page || t.below.asked != no_page)
        return false;
    t.miss = t.below.asked = page;
    ++t.waiting.at(port);
    return true;
}

/* Enters a translation. The victim goes down as a fill, unless the stage is a store or the lane has a
 * fill. */
void enter(stage &t, role kind, uint8_t translation)
{
    const uint8_t victim = t.entry;
    lane &down = t.below.down;
    t.entry = translation;
    if (kind != role::store && victim != none && page_of(victim) != page_of(translation) &&
        !down.has(a_old) && !down.has(a_new) && !down.has(b))
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
        const auto count = static_cast<uint8_t>(setting_.of.stages.size());
        for (uint8_t r = 0; r < setting_.of.requesters.size(); ++r)
            requester_of(r);
        for (uint8_t i = 0; i < count; ++i) {
            from_below(i);
            uint8_t port = 0;
            for (const shape::child &c : setting_.of.above(i))
                from_above(i, port++, c);
        }
        return std::move(out_);
    }

private:
    state &take(const char *who, const char *what, uint8_t about = none, uint8_t nth = 0)
    {
        out_.push_back({who, what, about, nth, from_});
        return out_.back().next;
    }
    void send_up(lane &l) const { with_.behind_answers ? l.push(inval) : l.push_ahead(inval); }
    static bool has(uint8_t bits, uint8_t stage) { return (bits >> stage & 1) != 0; }
    static link &link_of(state &n, const shape::child &c)
    {
        return c.requester ? n.requesters.at(c.index).below : n.stages.at(c.index).below;
    }
    /* The first requester above. */
    uint8_t nth_of(const shape::child &c) const
    {
        if (c.requester)
            return c.index;
        const std::vector<shape::child> above = setting_.of.above(c.index);
        return nth_of(above.front());
    }
    const char *name(uint8_t i) const { return setting_.of.stages[i].name; }
    role kind(uint8_t i) const { return setting_.of.stages[i].kind; }

    void pager()
    {
        if (from_.phase == 0) {
            state &n = take("", "the pager writes the entry of A");
            n.memory = setting_.unmapped ? absent : a_new;
            n.phase = 1;
        }
        if (from_.phase == 1 && ww_inval_may_start(&from_.unit)) {
            state &n = take("", "the walk unit starts the invalidate");
            n.phase = 2;
            ww_inval_out(&n.unit, &page_a_moves());
            if (with_.restart && n.walk == page_a)
                n.line = unread;
            send_up(n.stages.at(n.last).below.up);
        }
        if (from_.phase == 3 && from_.memory == absent)
            take("", "the pager maps A anew").memory = a_new;
    }

    void walk_unit()
    {
        const link &above = from_.stages.at(from_.last).below;
        if (above.asked != no_page && from_.walk == no_page) {
            state &n = take("", "a walk begins", asks(above.asked));
            n.walk = above.asked;
            n.line = unread;
            n.stages.at(n.last).below.asked = no_page;
        }
        if (from_.walk != no_page && from_.line == unread) {
            state &n = take("", "a walk reads its line");
            n.line = n.walk == page_a ? n.memory : static_cast<uint8_t>(b);
        }
        if (from_.walk != no_page && from_.line != unread) {
            state &n = take("", from_.line == absent ? "a walk faults" : "the walk unit answers", from_.line);
            if (n.line == absent)
                n.parked = n.walk;
            else
                n.stages.at(n.last).below.up.push(n.line);
            n.walk = no_page;
            n.line = none;
        }
        if (from_.parked != no_page && from_.memory != absent && from_.walk == no_page) {
            state &n = take("", "a faulted walk is repeated");
            n.walk = n.parked;
            n.parked = no_page;
            n.line = unread;
        }
        if (above.down.size == 0)
            return;
        const uint8_t item = above.down.at[0];
        state &n =
            take("", item == inval ? "the walk unit acknowledges the invalidate" : "a fill has nowhere to go",
                 item == inval ? uint8_t{none} : item);
        n.stages.at(n.last).below.down.pop();
        if (item == inval && ww_inval_back(&n.unit))
            n.phase = 3;
    }

    void from_below(uint8_t i)
    {
        const lane &up = from_.stages.at(i).below.up;
        if (up.size == 0)
            return;
        const uint8_t item = up.at[0];
        state &n = take(name(i), " takes from below", item, nth_of({false, i}));
        stage &t = n.stages.at(i);
        t.below.up.pop();
        const std::vector<shape::child> above = setting_.of.above(i);
        if (item == inval) {
            ww_inval_out(&t.inval, &page_a_moves());
            if (has(with_.drop, i))
                drop(t);
            for (const shape::child &c : above)
                send_up(link_of(n, c).up);
            return;
        }
        if (keeps_answers(kind(i)))
            enter(t, kind(i), item);
        for (size_t port = 0; port < above.size(); ++port)
            for (; t.waiting.at(port) != 0; --t.waiting.at(port))
                link_of(n, above[port]).up.push(item);
        t.miss = no_page;
    }

    void from_above(uint8_t i, uint8_t port, const shape::child &c)
    {
        state hit = from_;
        link &of = link_of(hit, c);
        if (of.asked == wrong_lane) {
            of.asked = no_page;
            turn_down(hit, i);
            out_.push_back({name(i), " takes the invalidate back", inval, nth_of(c), hit});
        } else if (of.asked != no_page && request(hit.stages.at(i), kind(i), port, of.asked, of.up)) {
            const uint8_t page = std::exchange(of.asked, uint8_t{no_page});
            out_.push_back({name(i), " takes a request", asks(page), nth_of(c), hit});
        }
        state posted = from_;
        lane &down = link_of(posted, c).down;
        if (down.size == 0)
            return;
        const uint8_t item = down.pop();
        if (item == inval) {
            out_.push_back({name(i), " takes the invalidate back", inval, nth_of(c), posted});
            turn_down(out_.back().next, i);
        } else {
            fill(posted, i, nth_of(c), item);
        }
    }

    /* The invalidate goes on down when all copies have arrived. */
    void turn_down(state &n, uint8_t i) const
    {
        stage &t = n.stages.at(i);
        if (!t.inval.open)
            return; /* the first copy already went on */
        if (!has(with_.all_copies, i))
            t.inval.away = 1;
        const bool last = ww_inval_back(&t.inval);
        if (with_.drop_on_return && (last || kind(i) != role::first))
            drop(t);
        if (!last)
            return;
        with_.behind_fills ? t.below.down.push(inval) : t.below.down.push_ahead(inval);
    }

    void fill(state &n, uint8_t i, uint8_t nth, uint8_t item)
    {
        stage &t = n.stages.at(i);
        const bool refused = has(with_.refuse, i) && ww_inval_refuses(&t.inval, va_of[page_of(item)], 12, 0);
        const char *what = refused        ? " refuses a fill"
                           : t.inval.open ? " takes a fill between the passes"
                                          : " takes a fill";
        if (!refused)
            enter(t, kind(i), item);
        out_.push_back({name(i), what, item, nth, n});
    }

    void requester_of(uint8_t r)
    {
        const requester &was = from_.requesters.at(r);
        for (const uint8_t p : {page_a, page_b})
            if (was.left != 0 && was.below.asked == no_page) {
                requester &n = take("", "the requester asks", asks(p), r).requesters.at(r);
                --n.left;
                n.below.asked = p;
            }
        if (was.below.up.size != 0) {
            const uint8_t item = was.below.up.at[0];
            requester &n = take("", "the requester takes", item, r).requesters.at(r);
            n.below.up.pop();
            if (item == inval)
                ww_turn_out(&n.turn);
            else
                ++n.inside[ww_turn_begin(&n.turn)].at(item);
        }
        for (uint8_t g = 0; g < 2; ++g)
            for (uint8_t i = a_old; i <= b; ++i)
                if (was.inside[g].at(i) != 0) {
                    requester &n = take("", "an access ends", i, r).requesters.at(r);
                    --n.inside[g].at(i);
                    ww_turn_end(&n.turn, g);
                }
        if (!was.turn.open || (with_.turn && !ww_turn_ready(&was.turn)) ||
            (!with_.lanes && was.below.asked != no_page))
            return;
        requester &n = take("", "the requester turns the invalidate round", inval, r).requesters.at(r);
        n.turn.open = false;
        if (with_.lanes)
            n.below.down.push(inval);
        else
            n.below.asked = wrong_lane;
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
