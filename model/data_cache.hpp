/* SPDX-License-Identifier: MIT */
/* model/data_cache.hpp - a data cache level: L1D of a compute unit (write-through, no allocation) or the
 * shared L2D (write-back). Physically tagged, 64-byte lines, non-blocking: reads of a line in flight merge.
 * [M18 Table I]. Takes whole aligned lines on the TLM base protocol; anything else is answered with
 * TLM_BURST_ERROR_RESPONSE. Tags only: values come from the memory store. Not modelled: coherence between
 * L1Ds (writes go through to the L2D). */
#ifndef WALKWAY_MODEL_DATA_CACHE_HPP
#define WALKWAY_MODEL_DATA_CACHE_HPP

#include "kernels/dcache.h"
#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/params.hpp"
#include "model/common/pending.hpp"
#include "model/common/stats.hpp"
#include "model/common/structure.hpp"
#include "model/memory_store.hpp"

#include <memory>

namespace walkway
{

struct data_cache_params {
    uint64_t bytes = 32768;
    uint32_t ways = 16;
    uint8_t index = 0; /* enum ww_index_kind */
    uint8_t write = WW_WRITE_THROUGH;
    uint8_t write_miss = 0; /* write-back: 0 validate, 1 fetch */
    uint32_t hit_cycles = 60;
    uint32_t ports = 1;
    uint32_t mshrs = 512;
    uint32_t merges = 4096;
    uint32_t write_entries = 64;
    uint32_t queue_entries = 64;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;

    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* of the host, without queues */
};

struct data_cache_stats {
    uint64_t reads = 0, writes = 0, atomics = 0, read_hits = 0, read_misses = 0, read_merged = 0,
             write_fetches = 0, write_hits = 0, write_misses = 0, write_merged = 0, fills = 0,
             write_backs = 0, stall_cycles = 0, stall_merges_cycles = 0, stall_writes_cycles = 0,
             stall_below_cycles = 0, queue_cycles = 0, responses = 0;
    void visit(stat_visitor &v) const;
};

struct cache_events {
    static constexpr event_kind hit = {"cache_hit", "physical address; 1 for a write"},
                                miss = {"cache_miss", "physical address; 1 for a write"};
};

class data_cache : public block, public target_of<mem_protocol>, public initiator_of<mem_protocol>
{
public:
    in_ports<mem_protocol> up;
    out_port<mem_protocol> down;

    data_cache(const sc_core::sc_module_name &name, const clock_domain &clock, const data_cache_params &p,
               memory_store &store, unsigned requesters);
    data_cache_stats stats() const
    {
        data_cache_stats all = stats_;
        all.stall_below_cycles = down.blocked_ps() / clock().period();
        all.queue_cycles = queued_ps_ / clock().period();
        return all;
    }
    void visit(stat_visitor &v, tick) const override { stats().visit(v); }
    void laws(law_list &list) const override;
    uint64_t live() const override { return lines_.live(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void commit(tick until) override;

protected:
    template <class V> void show_reads(V &v) const;
    void signals_of_reads(signal_visitor &v) const; /* of one that is not written */

private:
    using payload_t = tlm::tlm_generic_payload;
    void step(tick now) override;
    void on_response(payload_t &p, tick at, unsigned port) override;
    unsigned debug(payload_t &p) override;
    void keep_order(tick now);
    bool serve(unsigned port, tick now);
    bool serve_read(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool serve_through(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool serve_back(payload_t &p, mem_ext &ext, unsigned port, tick now);
    bool join(payload_t &p, uint64_t pa, bool fetch);
    void take_arrivals(tick until);
    void enter(uint64_t line_pa, bool dirty, tick now);
    [[gnu::cold]] void answer_at_once(unsigned port, tlm::tlm_response_status status, tick now);
    void answer(payload_t &p, tick at);
    [[gnu::cold]] void refused(payload_t &p, tick at);
    [[gnu::cold]] void answer_refused(payload_t &p, uint32_t entry);
    void send(tick now);

    data_cache_params params_;
    memory_store &store_;
    tick hit_time_;
    blob tags_;
    pending_misses<payload_t *> mshr_;
    /* The answer to a line in flight is known before it is here: it is passed up at once, with its time, and
     * entered when the block commits. */
    enum class what : uint8_t { fill, refusal, written, written_back };
    struct arrival {
        uint64_t pa;
        uint32_t entry;
        what kind;
    };
    struct known {
        tick at; /* never: not known yet */
        bool dirty;
        tlm::tlm_response_status status;
    };
    std::vector<known> known_; /* of each MSHR */
    due_queue<arrival> arrivals_;
    tick last_due_ = 0;        /* the latest arrival that is known */
    uint32_t dirty_fills_ = 0; /* of those, lines that come in dirty */
    tick awake_until_ = 0;     /* arrivals up to here may write a dirty line back */
    struct outgoing {
        payload_t *p;
        tick at;
    };
    fifo<outgoing> out_;           /* misses, writes and write-backs, not sent yet */
    uint32_t writes_out_ = 0;      /* write-through: passed down, not answered */
    mem_pool lines_;               /* our own: fetches and write-backs */
    uint32_t write_backs_out_ = 0; /* sent or to be sent down, not answered */
    tick stalled_since_ = never;
    uint64_t data_cache_stats::*stalled_for_ = nullptr; /* null: an MSHR */
    tick queued_ps_ = 0;
    data_cache_stats stats_;
};

} // namespace walkway

#endif
