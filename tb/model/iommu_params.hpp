/* SPDX-License-Identifier: MIT */
/* The two blocks of an IOMMU as the machines of [M18] have them: only the TLBs count the way back up. */
#ifndef WW_TB_MODEL_IOMMU_PARAMS_HPP
#define WW_TB_MODEL_IOMMU_PARAMS_HPP

#include "model/iommu_tlb.hpp"
#include "model/walk_unit.hpp"
#include "tb/support/block_numbers.hpp"

namespace walkway::test
{

struct iommu_params {
    iommu_tlb_params tlb = numbers_of<iommu_tlb_params>();
    walk_unit_params walk = numbers_of<walk_unit_params>();

    iommu_params() { walk.response_cycles = 0; }
    void visit(param_visitor &v)
    {
        tlb.visit(v);
        walk.visit(v);
    }
    std::string validate() const
    {
        const std::string wrong = tlb.validate();
        return wrong.empty() ? walk.validate() : wrong;
    }
    void structures(structure_list &list) const
    {
        tlb.structures(list);
        walk.structures(list);
    }
};

} // namespace walkway::test

#endif
