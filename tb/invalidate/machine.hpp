/* SPDX-License-Identifier: MIT */
/* tb/invalidate/machine.hpp - the invalidate protocol of docs/model/invalidate.md as a nondeterministic
 * machine: requesters, a tree of stages, a walk unit and a pager. The pager moves page A; page B stays. Every
 * bound is one: requests in a lane, pending misses, requests that join a miss, fills in a lane, walks. A
 * stage's state of the invalidate is that of kernels/invalidate.h. */
#ifndef WW_TB_INVALIDATE_MACHINE_HPP
#define WW_TB_INVALIDATE_MACHINE_HPP

#include "kernels/invalidate.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace invalidate
{

/* What a stage does with translations. */
enum class role : uint8_t {
    first,  /* keeps answers; its victims go down as fills */
    store,  /* takes fills from above; drops its victims */
    victim, /* takes fills; a hit moves its entry up; its victims go down */
    tlb,    /* keeps answers, takes fills; its victims go down */
};
constexpr uint8_t walks = 0xff; /* the target of the last stage: the walk unit */

/* The topology: the target of each stage and requester. */
struct shape {
    struct place {
        role kind;
        uint8_t below;
        const char *name;
    };
    std::vector<place> stages;
    std::vector<uint8_t> requesters; /* the target stage of each */

    struct child {
        bool requester;
        uint8_t index;
    };
    /* The initiators of a stage, by port. */
    std::vector<child> above(uint8_t stage) const;
};
/* `chains` pairs of a requester and its first stage, over one store. */
shape over_one_store(uint8_t chains);
/* A first stage with one requester and one with two, over one store. */
shape of_unequal_groups();
/* A first stage over a victim store, a TLB that takes and passes fills, and another victim store. */
shape with_two_victim_stores();

/* Parts of the protocol; the tests take out each in turn. */
struct parts {
    uint8_t refuse = 0xff;       /* a bit per stage: it refuses fills in scope between the passes */
    uint8_t drop = 0xff;         /* a bit per stage: it drops what is in scope */
    bool drop_on_return = false; /* not a part: stages drop again on the way back */
    bool turn = true;            /* a requester waits for its accesses that have a translation */
    bool behind_answers = true;  /* on the way out, the invalidate follows the answers in its lane */
    bool behind_fills = true;    /* on the way back, it follows the fills */
    bool restart = true;         /* a walk discards its line and reads again */
    uint8_t all_copies = 0xff;   /* a bit per stage: it waits for the copies of all ports */
    bool lanes = true;           /* fills and the invalidate go down in a lane of their own */
};

/* Content of a message, an entry or an access: nothing, page A's old or new translation, page B's, or the
 * invalidate. `absent` (not mapped) and `unread` are states of a walk's line, never messages. */
enum item : uint8_t { none, a_old, a_new, b, inval, absent, unread, asks_a, asks_b };
enum page : uint8_t { no_page, page_a, page_b };

inline page page_of(uint8_t translation)
{
    return translation == none ? no_page : translation == b ? page_b : page_a;
}

/* The messages in a lane, in order. */
struct lane {
    std::array<uint8_t, 6> at{};
    uint8_t size = 0;
    void push(uint8_t i) { at.at(size++) = i; }
    void push_ahead(uint8_t i)
    {
        for (uint8_t n = size++; n > 0; --n)
            at.at(n) = at.at(n - 1u);
        at[0] = i;
    }
    uint8_t pop()
    {
        const uint8_t first = at[0];
        for (uint8_t n = 1; n < size; ++n)
            at.at(n - 1u) = at.at(n);
        at.at(--size) = none;
        return first;
    }
    bool has(uint8_t i) const
    {
        for (uint8_t n = 0; n < size; ++n)
            if (at.at(n) == i)
                return true;
        return false;
    }
};

/* To the target: requests down, answers up, and fills and invalidates down, which have no answer. */
struct link {
    uint8_t asked = no_page;
    lane up, down;
};

struct stage {
    uint8_t entry = none;
    uint8_t miss = no_page;           /* the pending miss */
    std::array<uint8_t, 2> waiting{}; /* requests that wait for it, by port */
    ww_inval inval{};
    link below;
};

struct requester {
    uint8_t left = 0;                               /* requests that it may still send */
    std::array<std::array<uint8_t, 4>, 2> inside{}; /* accesses, by generation and translation */
    ww_turn turn{};
    link below;
};

struct state {
    uint8_t memory = a_old;              /* page A's entry in the page table: old, absent, new */
    uint8_t phase = 0;                   /* no invalidate, entry written, in flight, acknowledged */
    uint8_t walk = no_page, line = none; /* the walk in flight and the line that it has read */
    uint8_t parked = no_page;            /* a faulted request at the pager */
    ww_inval unit{};
    std::array<stage, 4> stages{};
    std::array<requester, 3> requesters{};
    uint8_t last = 0; /* the stage above the walk unit */
};

struct step {
    const char *who;  /* "" or a stage's name */
    const char *what; /* what it does; `about` is the item, `nth` the requester */
    uint8_t about, nth;
    state next;
};
std::string text(const char *who, const char *what, uint8_t about, uint8_t nth);

struct setting {
    shape of = over_one_store(1);
    uint8_t requests = 3; /* per requester */
    bool unmapped =
        true; /* from the write until the pager maps A anew, A has no entry: a request faults and waits */
    parts with;
};

state begin(const setting &s);
/* Every step that can be taken in this state. */
std::vector<step> steps(const setting &s, const state &from);
/* "" or where page A's old translation is left after the acknowledgement. */
std::string stale(const setting &s, const state &at);
/* "" or what waits for ever, in a state without steps. */
std::string stuck(const setting &s, const state &at);
/* "" or the faults that the kernels' checkers find. */
std::string broken(const setting &s, const state &at);
/* The state as bytes: two states differ if and only if their keys do. */
std::string key(const setting &s, const state &at);

} // namespace invalidate

#endif
