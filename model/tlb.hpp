/* SPDX-License-Identifier: MIT */
/* model/tlb.hpp - a TLB level: L1 of a compute unit, or the shared L2. [M18 section II-B, Table I]. A stage
 * of translation (model/xlat_stage.hpp) over the store of kernels/tlb.h, docs/tlb.md, or over that of
 * kernels/tlb_compressed.h [P20], docs/compressed-tlb.md. Not modelled: permission checks. */
#ifndef WALKWAY_MODEL_TLB_HPP
#define WALKWAY_MODEL_TLB_HPP

#include "kernels/tlb.h"
#include "kernels/tlb_compressed.h"
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

private:
    const ww_tlbc *compressed_; /* its store; null: a plain one */
};

} // namespace walkway

#endif
