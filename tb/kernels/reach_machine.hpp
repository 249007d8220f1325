/* SPDX-License-Identifier: MIT */
/* tb/kernels/reach_machine.hpp - an L1 TLB of one entry above local memory and instruction cache with
 * translations, as a machine whose every step is a choice: lookups, fills, answers in flight, local accesses,
 * instruction fetches, a kernel's end and an invalidate (docs/model/invalidate.md). Local memory, instruction
 * cache, turn and refusal are the kernels. All pages share one segment and one line. The machine has no time:
 * tb/model/ tests that of the stages. */
#ifndef WW_TB_KERNELS_REACH_MACHINE_HPP
#define WW_TB_KERNELS_REACH_MACHINE_HPP

#include "kernels/store/icache_tx.h"
#include "kernels/store/lds_tx.h"
#include "tb/kernels/store_rig.hpp"

#include <array>
#include <string>
#include <vector>

namespace reach
{

using walkway_tb::blob;

/* A is moved: it has an old and a new translation. E has another base than the rest. F to L only fill a
 * line. */
enum page : uint8_t { page_a, page_b, page_c, page_d, page_e, page_f, page_l = page_f + 6, pages };
inline uint64_t va_of(page p)
{
    const uint64_t index = p == page_e ? uint64_t{1} << 14 : uint64_t{p};
    return index * 32 * 4096;
}

/* Contents of a message: a page and which of its translations, or the invalidate. */
struct item {
    uint8_t p = pages;
    bool fresh = false;
    bool inval = false;
    ww_mapping mapping() const
    {
        return {va_of(page(p)), {uint64_t{p + 1u} << 20 | uint64_t{fresh} << 12, 12, WW_PERM_R}, 0};
    }
    bool stale() const { return p == page_a && !fresh; }
};

struct lane {
    std::array<item, 16> at{}; /* a rebase of a full line passes nine on */
    uint8_t size = 0;
    void push(item i) { at.at(size++) = i; }
    void push_ahead(item i);
    item pop();
};

/* Parts of the protocol; each is disabled in turn. */
struct parts {
    bool lds_refuses = true, icache_refuses = true;
    bool lds_drops = true, icache_drops = true;
    bool turn = true;           /* the requester waits for accesses that already have a translation */
    bool behind_answers = true; /* the outgoing invalidate stays after answers */
    bool behind_fills = true;   /* the returning invalidate stays after fills */
};

struct plan {
    std::vector<page> asks;   /* by the requester, two at a time */
    std::vector<page> in_lds; /* held at the start */
    std::vector<page> in_icache;
    page in_l1 = pages;
    bool moves = false; /* a hit below removes the page from its store */
    uint8_t lds_mismatch = WW_LDS_TX_REBASE;
    uint8_t icache_mismatch = WW_ICACHE_TX_BYPASS;
    bool invalidates = true, local_accesses = true, fetches = true;
    parts with{};
};

/* Events on any path, from the kernels' counters. */
struct seen {
    ww_lds_tx_counts lds{};
    ww_icache_tx_counts icache{};
    uint64_t lds_hits = 0, icache_hits = 0, refused = 0;
};

enum step : uint8_t {
    ask,
    lds_request,
    icache_request,
    walk,
    icache_answer,
    lds_answer,
    requester_answer,
    end_first,
    end_second,
    turn_back,
    lds_fill,
    icache_fill,
    last_fill,
    local_access,
    fetch,
    invalidate,
    steps
};

class machine
{
public:
    explicit machine(const plan &p);
    bool can(step s) const;
    void take(step s, seen &into);
    /* Returns "" or what is wrong in this state. */
    std::string wrong() const;
    bool done() const;                   /* nothing is in flight; all is requested and answered */
    std::array<uint64_t, 2> key() const; /* covers all that decides what can happen next */

private:
    struct access {
        item of;
        uint8_t generation;
    };
    template <class KIND, class T>
    bool serve(const KIND &kind, blob<T> &store, lane &requests, lane &answers, lane &below);
    template <class KIND, class T>
    void sink(const KIND &kind, blob<T> &store, ww_inval &inval, bool refuses, lane &from, lane &to,
              seen &into);
    template <class KIND, class T>
    void pass_up(const KIND &kind, blob<T> &store, ww_inval &inval, bool drops, lane &from, lane &to);
    void begin(item i);
    void end(size_t which);
    void answered(item i);
    void local();
    void code();
    void collect(seen &into);
    bool holds_stale() const;

    const plan *plan_;
    blob<ww_lds_tx> lds_;
    blob<ww_icache_tx> icache_;
    item l1_{};
    lane requests_[3], answers_[3], fills_[3]; /* requester to LDS, LDS to I-cache, I-cache to walk unit */
    ww_inval at_lds_{}, at_icache_{}, at_walk_{};
    ww_turn turn_{};
    std::vector<access> inside_;
    uint8_t asked_ = 0, out_ = 0, local_ = 0, fetch_ = 0;
    bool moved_ = false, acknowledged_ = false;
    std::string wrong_;
};

} // namespace reach

#endif
