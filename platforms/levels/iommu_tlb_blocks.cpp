/* SPDX-License-Identifier: MIT */
/* platforms/levels/iommu_tlb_blocks.cpp - an instance of the kind iommu_tlb. */
#include "model/iommu_tlb.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_iommu_tlb_blocks(const level &l, const level_place &at)
{
    return instance_of(at.top.make<iommu_tlb>(at.name, at.top.clock(), params_of<iommu_tlb_params>(l),
                                              at.requesters, at.stage_or(iommu_tlb::usual())));
}

} // namespace walkway
