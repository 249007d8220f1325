/* SPDX-License-Identifier: MIT */
/* tb/invalidate/machine.hpp - the invalidate protocol of docs/model/invalidate.md as a machine whose every
 * step is a choice: requesters, stages below each other, a walk unit and a pager. Two pages; A is moved, B is
 * not. Every bound is one: request lanes, pending misses, requests that join one, fills in a lane, walks.
 * What a stage remembers of the invalidate is kernels/invalidate.h. */
#ifndef WW_TB_INVALIDATE_MACHINE_HPP
#define WW_TB_INVALIDATE_MACHINE_HPP

#include "kernels/invalidate.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace invalidate
{

/* A stage, and what it does with translations. */
enum class role : uint8_t {
    first,  /* keeps answers, lets go */
    store,  /* has what is let go above, and drops what leaves it */
    victim, /* the same, a hit goes up and leaves it, and it lets go */
    tlb,    /* keeps answers, takes what is let go above, and lets go */
};
constexpr uint8_t walks = 0xff; /* below a stage: the walk unit */

/* Requester and target of each link. */
struct shape {
    struct place {
        role kind;
        uint8_t below;
        const char *name;
    };
    std::vector<place> stages;
    std::vector<uint8_t> requesters; /* the stage that each asks */

    struct child {
        bool requester;
        uint8_t index;
    };
    /* By port. */
    std::vector<child> above(uint8_t stage) const;
};
/* So many chains of a requester and its first stage over one store. */
shape over_one_store(uint8_t chains);
/* A first stage of one requester and one of two, over one store. */
shape of_unequal_groups();
/* A first stage over a victim store, a TLB that takes and passes fills, and another victim store. */
shape with_two_victim_stores();

/* Parts of the protocol; each is taken out in turn. */
struct parts {
    uint8_t refuse = 0xff;       /* a bit a stage: it refuses fills in scope between the passes */
    uint8_t drop = 0xff;         /* a bit a stage: it drops what is in scope */
    bool drop_on_return = false; /* not a part: stages drop once more on the way back */
    bool turn = true;            /* requesters wait for accesses that have their translation */
    bool behind_answers = true;  /* out, it stays behind the answers of its lane */
    bool behind_fills = true;    /* back, behind the fills */
    bool restart = true;         /* a walk discards the line it has and reads again */
    uint8_t all_copies = 0xff;   /* a bit a stage: it waits for the copies of all ports */
    bool lanes = true;           /* what goes down without an answer has a lane of its own */
};

/* What a message, an entry or an access holds: nothing, page A's old or new translation, page B's; and the
 * invalidate. A page that is not mapped is a line read by a walk, never a message. */
enum item : uint8_t { none, a_old, a_new, b, inval, absent, unread, asks_a, asks_b };
enum page : uint8_t { no_page, page_a, page_b };

inline page page_of(uint8_t translation)
{
    return translation == none ? no_page : translation == b ? page_b : page_a;
}

/* In order, as the lane carries it; short. */
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

/* To who is asked: requests down, answers up, and what goes down without an answer: fills, invalidate. */
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
    uint8_t phase = 0;                   /* nothing, written, on its way, acknowledged */
    uint8_t walk = no_page, line = none; /* the walk in flight and what it has read */
    uint8_t parked = no_page;            /* a faulted request at the pager */
    ww_inval unit{};
    std::array<stage, 4> stages{};
    std::array<requester, 3> requesters{};
    uint8_t last = 0; /* the stage above the walk unit */
};

struct step {
    const char *who;  /* "" or a stage's name, */
    const char *what; /* and a message taken, sent or begun; `about` is its item, of the nth requester */
    uint8_t about, nth;
    state next;
};
std::string text(const char *who, const char *what, uint8_t about, uint8_t nth);

struct setting {
    shape of = over_one_store(1);
    uint8_t requests = 3; /* of each requester */
    bool unmapped =
        true; /* between invalidate and map page A has no entry: a request then faults and waits */
    parts with;
};

state begin(const setting &s);
/* Every step that can be taken in this state. */
std::vector<step> steps(const setting &s, const state &from);
/* "" or what of page A's old translation is left after the acknowledgement. */
std::string stale(const setting &s, const state &at);
/* "" or what waits for ever, in a state without steps. */
std::string stuck(const setting &s, const state &at);
/* "" or what the kernels' checkers say. */
std::string broken(const setting &s, const state &at);
/* All that tells two states apart. */
std::string key(const setting &s, const state &at);

} // namespace invalidate

#endif
