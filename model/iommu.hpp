/* SPDX-License-Identifier: MIT */
/* model/iommu.hpp - the IOMMU of [M18 section II-B, Figure 7] as one section of parameters: its TLBs and the
 * walk unit below them, each a block. Without an entry in either TLB requests go to the walk unit at once. */
#ifndef WALKWAY_MODEL_IOMMU_HPP
#define WALKWAY_MODEL_IOMMU_HPP

#include "model/iommu_tlb.hpp"
#include "model/walk_unit.hpp"

namespace walkway
{

struct iommu_params {
    iommu_tlb_params tlb;
    walk_unit_params walk;
    uint8_t walk_path = 0; /* 0 dram, 1 l2d: the platform wires it */

    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* of the host, without queues */
    /* The way back up is counted once, where the TLBs pass an answer on: the walk unit answers them in the
     * cycle in which a walk ends. */
    iommu_params resolved() const;
};

} // namespace walkway

#endif
