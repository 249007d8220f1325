/* SPDX-License-Identifier: MIT */
/* model/tlb.hpp - a TLB level: L1 of a compute unit, or the shared L2. [M18 section II-B, Table I].
 * A lookup takes a port for one cycle and answers after hit_cycles; a miss goes down after the same time.
 * Misses on a page in flight merge into its MSHR; without a free MSHR the ports stall. An answer from below
 * fills first and is passed up in the same cycle. A level may hand its victims on to one below that takes
 * fills (docs/tlb.md), and drops what an invalidate names (docs/invalidate.md). Not modelled: permission
 * checks. */
#ifndef WALKWAY_MODEL_TLB_HPP
#define WALKWAY_MODEL_TLB_HPP

#include "kernels/tlb.h"
#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/params.hpp"
#include "model/common/pending.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/common/structure.hpp"
#include "model/common/xlat.hpp"

#include <memory>

namespace walkway
{

struct tlb_params {
    uint32_t entries = 32;
    uint32_t ways = 32;
    uint8_t index = 0;   /* enum ww_index_kind */
    uint8_t replace = 0; /* enum ww_replace */
    uint32_t hit_cycles = 108;
    uint32_t ports = 2;
    uint32_t mshrs = 2560;
    uint32_t merges = 4096;
    uint32_t queue_entries = 64;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint32_t size_probe_cycles = 0;
    uint32_t page_sizes = 1u << 12; /* set by the platform from the address space, not a parameter */
    uint64_t seed = 1;
    uint8_t victims = 0; /* 0 drop, 1 pass */
    uint32_t fills = 0;  /* 0: takes none */
    /* Set by the platform: is there a level below that may take fills, one above that may pass victims? */
    bool may_pass = false, may_take = false;

    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* of the host, without queues */
};

struct tlb_stats {
    uint64_t lookups = 0, hits = 0, misses = 0, merged = 0;
    uint64_t fills = 0, evictions = 0, stall_mshr_cycles = 0, stall_merges_cycles = 0, stall_below_cycles = 0,
             responses = 0;
    uint64_t refreshed = 0, invalidated = 0, resident = 0, victims_passed = 0, fills_received = 0,
             fills_kept = 0, fills_refreshed = 0, fills_refused = 0, fills_dropped = 0;
    void visit(stat_visitor &v) const;
    void laws(law_list &list) const;
};

/* What a level is called in the account: levels of one name are added up. */
struct stage_name {
    std::string name;  /* "l1": of its causes l1_queue, l1_lookup, l1_merged */
    std::string title; /* "L1 TLB" */
};

/* The causes of a level. */
struct tlb_causes {
    tlb_causes(const block &owner, const stage_name &stage);
    cause queue, lookup, merged;
};

struct tlb_events {
    static constexpr event_kind hit = {"tlb_hit", "virtual address; page shift"},
                                miss = {"tlb_miss", "virtual address; MSHRs in use"},
                                merge = {"tlb_merge", "virtual address; MSHRs in use"},
                                fill = {"tlb_fill", "virtual address; page shift"};
};

class tlb final : public block, public target_of<xlat_protocol>, public initiator_of<xlat_protocol>
{
public:
    in_ports<xlat_protocol> up;
    out_port<xlat_protocol> down;

    tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
        const stage_name &stage, unsigned requesters);
    /* Of what is committed, as everything that reads a block. */
    tlb_stats stats() const;
    void visit(stat_visitor &v, tick) const override { stats().visit(v); }
    void laws(law_list &list) const override { stats().laws(list); }
    uint64_t live() const override { return mshrs_used() + misses_.size() + lanes_.live(); }
    uint32_t mshrs_used() const { return mshr_.count(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void commit(tick until) override;

private:
    void step(tick now) override;
    void on_response(xlat_request &r, tick at, unsigned port) override;
    unsigned debug(xlat_request &r) override;
    bool serve(unsigned port, tick now);
    void join(xlat_request &r, uint32_t entry);
    void answer(xlat_request &r, tick at);
    void send_misses(tick now);
    uint64_t key(const xlat_request &r) const;
    bool enter(const ww_mapping &page);
    void pass(const ww_mapping &victim);
    void serve_lanes(tick now);
    void drop(const ww_inval_scope &scope);
    void end_of_elaboration() override;

    static constexpr uint32_t unknown = UINT32_MAX;

    /* The answer to a page in flight is known before it is here: it is passed up at once, with its time, and
     * entered when the block commits. */
    struct known {
        tick at;
        ww_mapping page;
        uint32_t entry;
        bool fault;
    };

    tlb_params params_;
    tlb_causes causes_;
    tick hit_time_;
    blob tags_;
    pending_misses<xlat_request *> mshr_;
    slot_table<known> known_;
    std::vector<uint32_t> answer_of_; /* an MSHR's number there, or unknown */
    due_queue<uint32_t> fills_;       /* numbers of known answers */
    fifo<xlat_request *> misses_;     /* looked up, not sent yet */
    tick stalled_since_ = never;
    bool at_merges_ = false; /* what it stalls for: room to wait at an MSHR */
    stage_lanes lanes_;
    post_lane *passes_to_ = nullptr; /* null: victims are dropped */
    tlb_stats stats_;
};

} // namespace walkway

#endif
