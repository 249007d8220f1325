/* SPDX-License-Identifier: MIT */
/* model/walk_reads.hpp - how the walkers of a walk unit get page-table lines: from the cache of such lines,
 * with another walker's read, from memory, or in no time. A walker has one read at a time, and maybe one
 * ahead of it, whose line it will want if the first one says nothing; whose walk it is and what the line says
 * is the walkers' business. */
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
        const uint64_t *line; /* until the walker asks again; null: memory answered with an error */
    };

    /* Of a block that sends them through `mem`; the cache of lines is that of `walks`. */
    walk_reads(const block &owner, out_port<mem_protocol> &mem, const walk_unit_params &p,
               walk_translator &walks, walk_read_stats &stats);

    /* The walker wants the line of this entry, `at` being when it asks: when its lookup of the cache of lines
     * has ended. */
    tick ask(uint32_t w, uint64_t pte_pa, uint32_t step, tick at);
    /* The line of this entry, too, which it may ask for next; one at a time: while an earlier one is on its
     * way nothing happens. It does not arrive by itself. */
    void ask_ahead(uint32_t w, uint64_t pte_pa, uint32_t step, tick at);
    /* A walk begins: what was read ahead for another one is of no use. */
    void forget_ahead(uint32_t w);
    /* It has nothing to read, and arrives all the same. */
    void pass(uint32_t w, tick at) { here_.push(at, w); }
    /* The next line that is here. With match_cycles, when the state machine is free, in the order of arrival;
     * without, those from memory first, whenever they became known. */
    bool take(tick now, arrival &a);
    /* At the end of a step, all that is here taken. */
    void send(tick now);
    /* Memory has answered. Both: when there is something to do. */
    tick answered(mem_line &line, tick at)
    {
        return from_memory_.push(at + owner_.clock().cycles(params_.reply_cycles), &line);
    }
    tick next() const
    {
        return std::min({leaving_.next(), from_memory_.next(), std::max(matched_at_, here_.next())});
    }

    /* An invalidate covers what the walker reads. */
    void discard(uint32_t w);
    /* These entries have been written (empty: any may have been). Returns how many lines leave the cache.
     * What was read ahead of them, and no walker has asked for yet, is of no use to any request. */
    uint64_t forget(const std::vector<uint64_t> &entries);
    /* Memory has this line since now. */
    uint32_t written(uint64_t line_pa);
    /* Debug transport. */
    bool line_now(uint64_t pa, uint64_t *line, tick *at) override;

    uint64_t pte_pa(uint32_t w) const { return reads_[w].pa; } /* 0: the walker waits for none */
    /* Walkers whose reads wait for the memory port. */
    const fifo<uint32_t> &at_port() const { return port_; }
    uint64_t live() const { return lines_.live(); }

private:
    struct pte_read {
        uint64_t pa = 0;
        bool cached = false;    /* a cache of lines may hold it */
        bool joins = false;     /* it may join another, and be joined */
        bool not_kept = false;  /* written on its way: it does not enter that cache */
        bool discarded = false; /* an invalidate covers it */
        bool refused = false;   /* memory answered with an error */
        bool away = false;      /* the read has left, and the line is not here yet */
        tick looked_up = 0;     /* the lookups before it have ended */
        tick due = 0;           /* at memory, unless the port is blocked */
        uint64_t line[WW_PTE_LINE_WORDS] = {};
    };
    /* What has become of the read ahead of a walker: it is on its way; its line is here; the walker asks for
     * it, or no longer does. */
    enum class ahead : uint8_t { none, away, here, wanted, dropped };
    tick begin(uint32_t reader, uint64_t pte_pa, uint32_t step, tick at);
    bool is_ahead(uint32_t w, uint64_t pte_pa, tick at);
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
    std::vector<pte_read> reads_;  /* by walker, then those ahead */
    std::vector<ahead> ahead_;     /* by walker; none where it reads nothing ahead */
    pending_misses<uint32_t> out_; /* of those that may be joined: lines, with the walker that reads each */
    due_queue<mem_line *> from_memory_;
    /* walkers that have their line: from the cache, a read they joined, or, with match_cycles, from memory */
    due_queue<uint32_t> here_;
    due_queue<uint32_t> leaving_; /* walkers that look their caches up: the read leaves after that */
    fifo<uint32_t> port_;         /* left, and not sent yet: the memory port is blocked */
    std::vector<uint32_t> turn_;  /* in turn: walkers whose line another is reading, in order of asking */
    tick matched_at_ = 0;         /* the state machine is busy until then */
    mem_pool lines_;
};

} // namespace walkway

#endif
