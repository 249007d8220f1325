/* SPDX-License-Identifier: MIT */
/* model/data_cache.hpp - a data cache level: L1D of a compute unit (write-through, no allocation) or the
 * shared L2D (write-back). Physically tagged, 64-byte lines, non-blocking: reads of a line in flight merge.
 * [M18 Table I]. Takes whole aligned lines on the TLM base protocol; answers anything else with
 * TLM_BURST_ERROR_RESPONSE. Tags only: values come from the memory store. Not modelled: coherence between
 * L1Ds (writes go through to the L2D). */
#ifndef WALKWAY_MODEL_DATA_CACHE_HPP
#define WALKWAY_MODEL_DATA_CACHE_HPP

#include "kernels/dcache.h"
#include "model/common/mem.hpp"
#include "model/common/miss_engine.hpp"
#include "model/common/stats.hpp"
#include "model/memory_store.hpp"
#include "model/page_plan.hpp"
#include "model/params/data_cache.hpp"

#include <functional>
#include <memory>
#include <unordered_map>

namespace walkway
{

struct data_cache_stats {
    uint64_t reads = 0, writes = 0, atomics = 0, read_hits = 0, read_misses = 0, read_merged = 0,
             write_fetches = 0, write_hits = 0, write_misses = 0, write_merged = 0, fills = 0,
             write_backs = 0, stall_cycles = 0, stall_merges_cycles = 0, stall_writes_cycles = 0,
             stall_below_cycles = 0, queue_cycles = 0, responses = 0, flushes = 0, flush_lookups = 0,
             flushed_lines = 0, flush_write_backs = 0, dirty_victims = 0;
    void visit(stat_visitor &v) const;
};

struct cache_events {
    static constexpr event_kind hit = {"cache_hit", "physical address; 1 for a write"},
                                miss = {"cache_miss", "physical address; 1 for a write"};
};

/* Holds the lines of a read-only cache in an array that also has other uses. */
class line_keeper
{
public:
    /* True if it holds the line of this address now. */
    virtual bool fetch(uint64_t pa) = 0;
    /* Enters the line of this address. */
    virtual void fill(uint64_t pa) = 0;

protected:
    ~line_keeper() = default;
};

class data_cache : public miss_engine<mem_protocol>
{
public:
    data_cache(const sc_core::sc_module_name &name, const clock_domain &clock, const data_cache_params &p,
               memory_store &store, unsigned requesters);
    data_cache_stats stats() const;
    void visit(stat_visitor &v, tick) const override { stats().visit(v); }
    void laws(law_list &list) const override;
    uint64_t live() const override { return lines_.live(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    /* Before time zero: announces a flush, so that the cache tracks its write-backs in flight. */
    void will_be_flushed() { remembers_ = true; }
    /* Evicts all lines of these ranges, dirty ones to the level below, and calls `done` when that level has
     * them all, including those already in flight. Looks up `ports` lines per cycle, or all of its own lines
     * if they are fewer; other accesses go on meanwhile. Required: called from within the simulation, no
     * other flush is in progress, and no access touches the ranges. */
    void flush(const std::vector<pa_range> &ranges, std::function<void(tick)> done);
    /* Before time zero: serves this access and fetches its line, without time and uncounted. Returns true if
     * it ends here, false if the level below gets it, too. */
    bool enter_now(uint64_t pa, bool write);
    /* If on, reads by debug transport enter their lines as enter_now() does. */
    void enters_debug_reads(bool on) { debug_enters_ = on; }
    /* Returns the lines that it holds of the range. Takes no time. */
    uint32_t lines_of(const pa_range &range) const;

protected:
    /* Uses the keeper instead of its own tags. */
    void keep_lines_in(line_keeper *keeper) { keeper_ = keeper; }
    bool serve(unsigned port, tick now) override;
    template <class V> void show_reads(V &v) const;
    void signals_of_reads(signal_visitor &v) const; /* for a read-only cache */

private:
    using payload_t = tlm::tlm_generic_payload;
    unsigned debug(payload_t &p) override;
    bool is_here(uint64_t pa);
    void arrived(payload_t &p, tick now) override;
    void written(payload_t &p, bool ours, tick now);
    void before_lookups(tick now) override;
    void send_back(uint64_t pa, tick at);
    void flush_line(uint64_t pa, tick now);
    bool is_on_its_way() const;
    bool serve_read(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool serve_through(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool serve_back(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool miss(payload_t &p, mem_ext &ext, unsigned port, bool fetch);
    mem_line &fetch_for(const mem_ext &write, uint64_t pa);
    void fill(uint64_t line_pa, bool dirty, tick now);
    [[gnu::cold]] void answer_at_once(unsigned port, tlm::tlm_response_status status, tick now);
    void answer(payload_t &p, tick at);
    [[gnu::cold]] void refused(payload_t &p, tick now);
    [[gnu::cold]] void answer_refused(payload_t &p, tlm::tlm_response_status status, tick now);

    data_cache_params params_;
    memory_store &store_;
    blob tags_;
    line_keeper *keeper_ = nullptr; /* null: tags_ */
    uint32_t writes_out_ = 0;       /* write-through: writes sent down and not answered */
    mem_pool lines_;                /* own transactions: fetches and write-backs */
    uint32_t write_backs_out_ = 0;  /* write-backs sent or to be sent down, not answered */
    tick queued_ps_ = 0;
    bool remembers_ = false, flushing_ = false, debug_enters_ = false;
    std::unordered_map<uint64_t, uint32_t> on_their_way_; /* unanswered write-backs, by line */
    std::vector<pa_range> to_flush_;
    size_t range_ = 0;          /* the range being looked up, */
    uint64_t offset_ = 0;       /* and the place in it */
    uint64_t lookups_left_ = 0; /* lookups until the flush is complete */
    tick next_lookups_ = 0;
    std::function<void(tick)> flushed_;
    data_cache_stats stats_;
};

} // namespace walkway

#endif
