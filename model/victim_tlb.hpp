/* SPDX-License-Identifier: MIT */
/* model/victim_tlb.hpp - a victim TLB, shared by the L1 TLBs of some compute units: a stage of translation
 * (model/xlat_stage.hpp) over the store of kernels/store/tlb.h that holds pages evicted from those TLBs; a
 * hit moves the page back up. After the victim cache of Jouppi, ISCA 1990. docs/model/victim-tlb.md. Not
 * modelled: a swap (the page that a hit displaces above comes down as every victim does), merging of misses,
 * prefetch. */
#ifndef WALKWAY_MODEL_VICTIM_TLB_HPP
#define WALKWAY_MODEL_VICTIM_TLB_HPP

#include "kernels/store/tlb.h"
#include "model/params/victim_tlb.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

class victim_tlb final : public xlat_stage
{
public:
    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"victim", "victim TLB"}; }
    /* requesters: the L1 TLBs above. Required: p.present(), all values are in range, and p.validate() is
     * empty. */
    victim_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const victim_params &p,
               unsigned requesters, const stage_name &stage = usual());
};

} // namespace walkway

#endif
