/* SPDX-License-Identifier: MIT */
/* model/victim_tlb.hpp - a victim TLB, shared by the L1 TLBs of some compute units: a stage of translation
 * (model/xlat_stage.hpp) over the store of kernels/tlb.h that holds what those TLBs had to let go, and that a
 * hit moves back up. After the victim cache of Jouppi, ISCA 1990. docs/victim-tlb.md. Not modelled: a swap
 * (the page that a hit displaces above comes down as every victim does), merging of misses, prefetch. */
#ifndef WALKWAY_MODEL_VICTIM_TLB_HPP
#define WALKWAY_MODEL_VICTIM_TLB_HPP

#include "kernels/tlb.h"
#include "model/common/structure.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

struct victim_params {
    uint32_t entries = 0; /* 0: no victim TLB */
    uint32_t ways = 0;    /* 0: as many as entries */
    uint32_t hit_cycles = 16;
    uint32_t ports = 2;
    uint32_t queue_entries = 64;
    uint32_t fills = 8;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint32_t shared_by = 4;
    uint8_t victims = 0;            /* drop, pass */
    uint32_t page_sizes = 1u << 12; /* set by the platform, no parameter */

    bool present() const { return entries != 0; }
    /* Of so many compute units, and how many of these the nth has. */
    uint32_t tlbs(uint32_t units) const { return present() ? (units + shared_by - 1) / shared_by : 0; }
    uint32_t requesters(uint32_t nth, uint32_t units) const
    {
        return units - nth * shared_by < shared_by ? units - nth * shared_by : shared_by;
    }
    ww_tlb_cfg store() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* of the host, without queues */
};

class victim_tlb final : public xlat_stage
{
public:
    victim_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const victim_params &p,
               unsigned requesters);
};

} // namespace walkway

#endif
