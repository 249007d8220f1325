/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.hpp - the parameters of the apu: those of every GPU, an L2 TLB and an IOMMU. */
#ifndef WALKWAY_PLATFORMS_APU_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU_PARAMS_HPP

#include "model/iommu.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct apu_params : gpu_machine_params {
    tlb_params l2_tlb;
    iommu_params iommu;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* Does the ideal ladder's rung leave this parameter without effect? */
    bool idealised(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<va_range> &ranges) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
