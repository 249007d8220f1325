/* SPDX-License-Identifier: MIT */
/* model/iommu.cpp - the parameters of an IOMMU's two blocks. */
#include "model/iommu.hpp"

namespace walkway
{

void iommu_params::visit(param_visitor &v)
{
    tlb.visit(v);
    walk.visit(v);
    v.choice("walk_path", walk_path, {"dram", "l2d"},
             {"", 0, 0, "what walkers read through: memory at once, or the L2 data cache",
              assumed("docs/timing-model.md")});
}

std::string iommu_params::validate() const
{
    const std::string wrong = tlb.validate();
    return wrong.empty() ? walk.validate() : wrong;
}

void iommu_params::structures(structure_list &list) const
{
    tlb.structures(list);
    walk.structures(list);
}

uint64_t iommu_params::state_bytes() const
{
    return tlb.state_bytes() + walk.state_bytes();
}

iommu_params iommu_params::resolved() const
{
    iommu_params p = *this;
    if (tlb.present()) {
        p.tlb.response_cycles = walk.response_cycles;
        p.walk.response_cycles = 0;
    }
    return p;
}

} // namespace walkway
