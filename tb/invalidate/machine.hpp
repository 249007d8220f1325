/* SPDX-License-Identifier: MIT */
/* tb/invalidate/machine.hpp - the invalidate protocol of docs/invalidate.md as a machine whose every step is
 * a choice: requesters, their first stages, a victim store that they share, a walk unit and a pager. Two
 * pages; A is moved, B is not. Every bound is one: request lanes, pending misses, requests that join one,
 * fills in a lane, walks. What a stage remembers of the invalidate is kernels/invalidate.h. */
#ifndef WW_TB_INVALIDATE_MACHINE_HPP
#define WW_TB_INVALIDATE_MACHINE_HPP

#include "kernels/invalidate.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace invalidate
{

/* Parts of the protocol; each is taken out in turn. */
struct parts {
    bool refusal = true;         /* the victim store refuses fills in scope between the passes */
    bool drop_first = true;      /* first stages drop what is in scope */
    bool drop_store = true;      /* the victim store does */
    bool drop_on_return = false; /* not a part: both drop once more on the way back */
    bool turn = true;            /* requesters wait for accesses that have their translation */
    bool behind_answers = true;  /* out, it stays behind the answers of its lane */
    bool behind_fills = true;    /* back, behind the fills */
    bool restart = true;         /* a walk discards the line it has and reads again */
    bool all_copies = true;      /* the shared store waits for the copies of all ports */
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

struct stage {
    uint8_t entry = none;
    uint8_t miss = no_page;           /* the pending miss */
    std::array<uint8_t, 2> waiting{}; /* requests that wait for it, by port */
    ww_inval inval{};
};

/* A requester and its first stage. */
struct chain {
    uint8_t left = 0;        /* requests that it may still send */
    uint8_t asked = no_page; /* the request lane down to the first stage, and the one below it */
    uint8_t asked_below = no_page;
    lane up, up_below; /* answers: first stage to requester, victim store to first stage */
    uint8_t back = 0;  /* posts down to the first stage: the invalidate on its way back */
    lane down;         /* posts from the first stage to the victim store: fills, invalidate */
    std::array<std::array<uint8_t, 4>, 2> inside{}; /* accesses, by generation and translation */
    ww_turn turn{};
    stage first;
};

struct state {
    uint8_t memory = a_old;  /* page A's entry in the page table: old, absent, new */
    uint8_t phase = 0;       /* nothing, written, on its way, acknowledged */
    uint8_t asked = no_page; /* victim store to walk unit: requests, answers, posts */
    lane up;
    uint8_t back = 0;
    uint8_t walk = no_page, line = none; /* the walk in flight and what it has read */
    uint8_t parked = no_page;            /* a faulted request at the pager */
    ww_inval unit{};
    stage store;
    std::array<chain, 2> chains{};
    uint8_t used = 1; /* chains */
};

struct step {
    const char
        *what; /* a message taken, sent or begun; `about` is its item, `chain` where there are several */
    uint8_t about, chain;
    state next;
};
std::string text(const char *what, uint8_t about, uint8_t chain);

struct setting {
    uint8_t chains = 1;
    uint8_t requests = 3; /* of each requester */
    bool unmapped =
        true; /* between invalidate and map page A has no entry: a request then faults and waits */
    parts with;
};

state begin(const setting &s);
/* Every step that can be taken in this state. */
std::vector<step> steps(const setting &s, const state &from);
/* "" or what of page A's old translation is left after the acknowledgement. */
std::string stale(const state &s);
/* "" or what waits for ever, in a state without steps. */
std::string stuck(const setting &s, const state &at);
/* "" or what the kernels' checkers say. */
std::string broken(const state &s);
/* All that tells two states apart. */
std::string key(const state &s);

} // namespace invalidate

#endif
