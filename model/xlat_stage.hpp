/* SPDX-License-Identifier: MIT */
/* model/xlat_stage.hpp - a stage of translation over a store (kernels/store/store.h): a TLB level, or any
 * other holder of translations. A lookup takes a port for one cycle and answers after hit_cycles; a miss goes
 * down after the same time, and merges with one in flight (model/common/miss_engine.hpp). An answer from
 * below is entered and passed up in the same cycle, before lookups. Its policy decides what it keeps, passes
 * on and takes (docs/model/tlb.md); it drops mappings in scope of an invalidate (docs/model/invalidate.md).
 * Not modelled: permission checks. */
#ifndef WALKWAY_MODEL_XLAT_STAGE_HPP
#define WALKWAY_MODEL_XLAT_STAGE_HPP

#include "model/common/lanes.hpp"
#include "model/common/lookups.hpp"
#include "model/common/miss_engine.hpp"
#include "model/common/params.hpp"
#include "model/common/sharers.hpp"
#include "model/common/stats.hpp"
#include "model/common/structure.hpp"
#include "model/common/xlat.hpp"
#include "model/dropped.hpp"
#include "model/port_translator.hpp"
#include "translate/store_translator.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct tlb_stats {
    uint64_t lookups = 0, hits = 0, misses = 0, merged = 0;
    uint64_t fills = 0, evictions = 0, retried = 0, stall_mshr_cycles = 0, stall_merges_cycles = 0,
             stall_below_cycles = 0, responses = 0;
    uint64_t refreshed = 0, invalidated = 0, resident = 0, victims_passed = 0, fills_received = 0,
             fills_kept = 0, fills_refreshed = 0, fills_passed = 0, fills_refused = 0, fills_dropped = 0;
    uint64_t moved = 0, claimed = 0, held_at_start = 0;
    bool may_pass = false, may_move = false, may_claim = false; /* else always 0, and not shown */
    void visit(stat_visitor &v) const;
    /* late: fills received for which the stage had no room. */
    void laws(law_list &list, uint64_t late = 0) const;
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

class xlat_stage : public miss_engine<xlat_protocol>, public drop_counter
{
public:
    /* page_shift: log2 of the smallest page's bytes; such a page identifies a miss. */
    xlat_stage(const sc_core::sc_module_name &name, const clock_domain &clock, stage_store store,
               const stage_name &stage, const miss_limits &limits, const stage_policy &policy,
               uint32_t page_shift, unsigned requesters);
    tlb_stats stats() const;
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    /* Counts misses by VM-ID from now on. Required: VM-IDs are below `spaces`. */
    void tell_spaces_apart(size_t spaces) { misses_of_.resize(spaces); }
    uint64_t live() const override { return mshrs_used() + unsent() + lanes_.live(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void count_dropped(drop_counts &all) const override;
    void starts_filled() override { stats_.held_at_start = kind_.count(store_); }
    /* True if it holds the page; only then sets *out. No side effect, and no port is taken. */
    bool holds(const now_request &r, ww_xlat *out) const { return kind_.probe(store_, r.va, r.vmid, out); }
    /* Claim and release the memory that its translations lie in: see store.h. */
    void claim(uint64_t first, uint64_t bytes);
    void release(uint64_t first, uint64_t bytes);

protected:
    /* Counts from now on how many compute units use each translation held. */
    void count_sharers() { sharers_ = std::make_unique<page_sharers>(); }
    /* Adds time for each probe beyond the first. */
    void probe_time(uint32_t cycles);
    bool serve(unsigned port, tick now) override;
    /* Takes a victim of a level above. */
    virtual void take_fill(const xlat_post &post);
    /* Takes an invalidate. */
    virtual void drop(const ww_inval_scope &scope);
    /* Returns the counter to which its dropped translations belong. */
    virtual uint64_t drop_counts::*held_as() const { return &drop_counts::tlb; }
    /* Counts a waiting fill that is in scope of an invalidate. */
    void refuse_fill()
    {
        ++stats_.fills_refused;
        ++overtaken_;
    }
    void lose(uint32_t translations) { stats_.claimed += translations; }
    uint64_t claimed() const { return stats_.claimed; }
    const ww_store_kind &store_kind() const { return kind_; }
    void *store() const { return store_; }
    uint32_t page_shift() const { return page_shift_; }
    uint64_t key(const now_request &r) const;
    /* For a stage that answers a request in its own way: start() gives the request a port from now on,
     * counted() returns the counters, answer() sends its answer, and enter() puts a page into the store. */
    void start(xlat_request &r, unsigned port, tick now);
    tlb_stats &counted() { return stats_; }
    void answer(xlat_request &r, tick at);
    void enter(const ww_mapping &page);
    /* True if an invalidate has passed here that levels above have not completed. */
    bool invalidating() const { return lanes_.open(); }
    /* True if the store keeps the answer of this MSHR (or of none). */
    virtual bool keeps(uint32_t, const ww_mapping &) { return policy_.keeps_answers; }
    /* A request of the stage's own is answered. */
    virtual void came_back(xlat_request &, tick) {}
    /* The prefetch of this MSHR found no page. */
    virtual void met_absent(uint32_t) {}
    void end_of_elaboration() override;

private:
    unsigned debug(xlat_request &r) override;
    void arrived(xlat_request &r, tick now) override;
    void before_lookups(tick now) override;
    void hit(xlat_request &r, unsigned port, tick now);
    void answer_waiter(xlat_request &r, const ww_xlat &page, bool fault, tick now);
    void used(const xlat_request &r);
    uint64_t key(const xlat_request &r) const { return key(now_request{r.va, r.vmid}); }
    void found_absent(xlat_request &prefetch, uint32_t entry, tick now);
    ww_store_result put(const ww_mapping &page);
    void pass(const ww_mapping &page);

    std::vector<uint64_t> misses_of_; /* by VM-ID; empty: not counted apart */
    stage_policy policy_;
    tlb_causes causes_;
    uint32_t page_shift_;
    port_translator below_;
    store_translator held_;
    const ww_store_kind &kind_; /* the kind of held_ */
    void *store_;
    stage_lanes lanes_;
    post_lane *passes_to_ = nullptr; /* null: victims are dropped */
    tlb_stats stats_;
    uint64_t overtaken_ = 0;                /* waiting fills in scope of an invalidate */
    std::unique_ptr<page_sharers> sharers_; /* present with count_sharers() */
    cycle_lookups shown_;
};

} // namespace walkway

#endif
