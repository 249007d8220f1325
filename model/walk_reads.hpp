/* SPDX-License-Identifier: MIT */
/* model/walk_reads.hpp - how the walkers of a walk unit get page-table lines: from the cache of such lines,
 * with another walker's read, from memory, or in no time. A walker has one read at a time, and optionally one
 * ahead of it, for a line that it needs if the first one does not decide; walks and the meaning of lines
 * belong to the walkers. */
#ifndef WALKWAY_MODEL_WALK_READS_HPP
#define WALKWAY_MODEL_WALK_READS_HPP

#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/pending.hpp"
#include "model/params/walk_unit.hpp"
#include "translate/walk_translator.hpp"

#include <algorithm>
#include <vector>

namespace walkway
{

struct walk_read_stats {
    uint64_t pte_reads = 0, pte_cache_hits = 0, pte_reads_merged = 0, pte_cache_dropped = 0,
             steps[WW_STEPS_MAX + 1] = {};
    uint64_t reads_ahead = 0, reads_ahead_used = 0;
};

class walk_reads final : public line_memory
{
public:
    struct arrival {
        uint32_t walker;
        bool discarded;       /* an invalidate covers it: the walk starts again */
        const uint64_t *line; /* valid until the walker asks again; null: memory answered with an error */
    };

    /* Sends reads through `mem` for `owner`; the cache of lines is that of `walks`. */
    walk_reads(const block &owner, out_port<mem_protocol> &mem, const walk_unit_params &p,
               walk_translator &walks, walk_read_stats &stats);

    /* Requests the line of this entry at time `at`. Returns the end of the lookup of the cache of lines. */
    tick ask(uint32_t w, uint64_t pte_pa, uint32_t step, tick at);
    /* Requests the line of an entry that the walker may ask for next. Does nothing while an earlier one is in
     * flight. The line does not arrive by itself. */
    void ask_ahead(uint32_t w, uint64_t pte_pa, uint32_t step, tick at);
    /* A walk begins: discards a line read ahead for another walk. */
    void forget_ahead(uint32_t w)
    {
        if (!ahead_.empty())
            drop_ahead(w);
    }
    /* The walker has nothing to read, but arrives at `at`. */
    void pass(uint32_t w, tick at) { here_.push(at, w); }
    /* Takes the next line that has arrived. With match_cycles: when the state machine is free, in the order
     * of arrival. Without: those from memory first, independent of when they became known. */
    bool take(tick now, arrival &a);
    /* Sends reads; call at the end of a step, after all arrivals are taken. */
    void send(tick now);
    /* Takes an answer of memory. This and next() return the time of the next action. */
    tick answered(mem_line &line, tick at)
    {
        return from_memory_.push(at + owner_.clock().cycles(params_.reply_cycles), &line);
    }
    tick next() const
    {
        return std::min({leaving_.next(), from_memory_.next(), std::max(matched_at_, here_.next())});
    }

    /* Marks the walker's read as covered by an invalidate. */
    void discard(uint32_t w);
    /* These entries have been written (empty: any may have been). Drops their lines from the cache and
     * returns how many. Discards lines of them that were read ahead and not yet requested. */
    uint64_t forget(const std::vector<uint64_t> &entries);
    /* Memory has this line from now on. Returns how many copies were dropped. */
    uint32_t written(uint64_t line_pa);
    /* Debug transport. */
    bool line_now(uint64_t pa, uint64_t *line, tick *at) override;

    uint64_t pte_pa(uint32_t w) const { return reads_[w].pa; } /* 0: the walker waits for no entry */
    /* Returns the walkers whose reads wait for the memory port. */
    const fifo<uint32_t> &at_port() const { return port_; }
    uint64_t live() const { return lines_.live(); }

private:
    struct pte_read {
        uint64_t pa = 0;
        bool cached = false;    /* a cache of lines may hold it */
        bool joins = false;     /* it may join another read, and be joined */
        bool not_kept = false;  /* written while in flight: it does not enter that cache */
        bool discarded = false; /* an invalidate covers it */
        bool refused = false;   /* memory answered with an error */
        bool away = false;      /* sent, and the line has not arrived */
        tick looked_up = 0;     /* end of the lookups before it */
        tick due = 0;           /* arrival at memory, unless the port is blocked */
        uint64_t line[WW_PTE_LINE_WORDS] = {};
    };
    /* State of the read ahead of a walker: in flight; arrived; requested by the walker, or no longer. */
    enum class ahead : uint8_t { none, away, here, wanted, dropped };
    tick begin(uint32_t reader, uint64_t pte_pa, uint32_t step, tick at);
    bool is_ahead(uint32_t w, uint64_t pte_pa, tick at);
    void drop_ahead(uint32_t w);
    void forget_ahead(const std::vector<uint64_t> &entries);
    bool arrived_ahead(uint32_t &reader);
    void leave(uint32_t w, tick at);
    bool wait_in_turn(uint32_t w);
    void next_of_line(uint64_t line_number, tick now);
    bool join(uint32_t w);
    uint32_t from_memory(const mem_line &line, tick now);

    const block &owner_;
    out_port<mem_protocol> &mem_;
    const walk_unit_params &params_;
    walk_translator &walks_;
    walk_read_stats &stats_;
    std::vector<pte_read> reads_;  /* by walker, then those ahead, by walker */
    std::vector<ahead> ahead_;     /* by walker; none if it reads nothing ahead */
    pending_misses<uint32_t> out_; /* lines of reads that may be joined, with the walker that reads each */
    due_queue<mem_line *> from_memory_;
    /* walkers that have their line: from the cache, a read they joined, or, with match_cycles, from memory */
    due_queue<uint32_t> here_;
    due_queue<uint32_t> leaving_; /* walkers in the lookup of their caches; the read leaves after that */
    fifo<uint32_t> port_;         /* reads that have left and wait for the blocked memory port */
    std::vector<uint32_t> turn_;  /* in_turn: walkers whose line another is reading, oldest first */
    tick matched_at_ = 0;         /* the state machine is busy until then */
    mem_pool lines_;
};

} // namespace walkway

#endif
