/* SPDX-License-Identifier: MIT */
/* model/iommu_tlb.hpp - the TLBs of an IOMMU, a stage between the L2 TLB and the walk unit [M18 section II-B,
 * Table I]: two arrays, probed together, that answer after their own latencies. A miss goes down when both
 * have been looked up; while the walk unit has no room for one, no lookup starts. An answer from below enters
 * both arrays and is passed up, before the lookups of the cycle. It does not merge misses: each request for a
 * page in flight misses by itself. One array may be absent (0 entries); without both the stage is not built.
 * Not modelled: permission checks. */
#ifndef WALKWAY_MODEL_IOMMU_TLB_HPP
#define WALKWAY_MODEL_IOMMU_TLB_HPP

#include "model/common/due_queue.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/lookups.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/common/xlat.hpp"
#include "model/dropped.hpp"
#include "model/params/iommu_tlb.hpp"
#include "model/port_translator.hpp"
#include "translate/array_pair_translator.hpp"

namespace walkway
{

struct iommu_tlb_stats {
    uint64_t requests = 0, tlb1_hits = 0, tlb2_hits = 0, tlb_misses = 0, stall_backlog_cycles = 0,
             responses = 0, invalidated = 0;
    void visit(stat_visitor &v) const;
};

class iommu_tlb final : public block,
                        public target_of<xlat_protocol>,
                        public initiator_of<xlat_protocol>,
                        public drop_counter
{
public:
    in_ports<xlat_protocol> up; /* one queue each, served in turn */
    out_port<xlat_protocol> down;

    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"iommu", "IOMMU"}; }
    iommu_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const iommu_tlb_params &p,
              unsigned requesters, const stage_name &stage = usual());
    iommu_tlb_stats stats() const;
    uint64_t live() const override { return lanes_.live(); }
    void visit(stat_visitor &v, tick) const override { stats().visit(v); }
    void laws(law_list &list) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void count_dropped(drop_counts &all) const override
    {
        all.tlb += stats_.invalidated;
        all.fills += lanes_.refused();
    }

private:
    struct causes {
        causes(const block &owner, const stage_name &stage);
        cause queue, lookup;
    };

    void end_of_elaboration() override;
    void step(tick now) override;
    void take_answers(tick now);
    void on_response(xlat_request &r, tick at, unsigned port) override;
    unsigned debug(xlat_request &r) override;
    bool look_up(unsigned port, tick now);
    void enter(const ww_mapping &page);
    size_t queued() const;

    iommu_tlb_params params_;
    causes causes_;
    port_translator below_;
    array_pair_translator held_;
    due_queue<xlat_request *> answers_;
    stage_lanes lanes_;
    iommu_tlb_stats stats_;
    cycle_lookups shown_;
    std::vector<ww_mapping> left_; /* victims of one fill, while it is sampled */
};

} // namespace walkway

#endif
