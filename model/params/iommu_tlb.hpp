/* SPDX-License-Identifier: MIT */
/* model/params/iommu_tlb.hpp - the parameters of the TLBs of an IOMMU. */
#ifndef WALKWAY_MODEL_PARAMS_IOMMU_TLB_HPP
#define WALKWAY_MODEL_PARAMS_IOMMU_TLB_HPP

#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "translate/array_pair_translator.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct iommu_tlb_params {
    uint32_t tlb1_entries = 0, tlb1_cycles = 0;
    uint32_t tlb2_entries = 0, tlb2_ways = 0, tlb2_cycles = 0;
    uint32_t ports = 0;
    uint32_t queue_entries = 0;
    uint32_t response_cycles = 1;
    uint32_t page_sizes = 1u << 12; /* set by the platform */

    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
    /* Return the two arrays with their times; an array without entries has no store. */
    tlb_array first(const clock_domain &clock) const;
    tlb_array second(const clock_domain &clock) const;
    bool present() const { return tlb1_entries + tlb2_entries != 0; }
    uint32_t miss_cycles() const { return tlb2_entries != 0 ? tlb2_cycles : tlb1_cycles; }
    /* Returns the requests in its pipeline at full pace, for one cycle more: a place freed in a cycle is
     * available in the next. */
    uint32_t holds() const { return ports * (miss_cycles() + 1); }
};

} // namespace walkway

#endif
