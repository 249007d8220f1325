/* SPDX-License-Identifier: MIT */
/* model/tlb.hpp - a TLB level: L1 of a compute unit, or the shared L2. [M18 section II-B, Table I]. A stage
 * of translation (model/xlat_stage.hpp) over a store of one of the kinds of translate/stores/.
 * docs/model/tlb.md. Not modelled: permission checks. */
#ifndef WALKWAY_MODEL_TLB_HPP
#define WALKWAY_MODEL_TLB_HPP

#include "model/params/tlb.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

class tlb final : public xlat_stage
{
public:
    tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
        const stage_name &stage, unsigned requesters);
    void visit(stat_visitor &v, tick now) const override;
    void laws(law_list &list) const override;
    void starts_filled() override;
    /* True if a miss on this page, of the smallest size, is pending: its request is sent down or waits to be.
     * Required: it has MSHRs. */
    bool waits_for(const now_request &r) const { return pending_.find(key(r)) != none; }

private:
    const tlb_store_kind &held_in_;
};

} // namespace walkway

#endif
