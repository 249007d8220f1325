/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.hpp - the parameters of the apu: those of every GPU, victim TLBs, an L2 TLB
 * and an IOMMU. */
#ifndef WALKWAY_PLATFORMS_APU_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU_PARAMS_HPP

#include "model/iommu.hpp"
#include "model/victim_tlb.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct apu_params : gpu_machine_params {
    victim_params victim;
    tlb_params l2_tlb;
    iommu_params iommu;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* The L2 TLB, told what it has to hold. */
    tlb_params second_tlb() const;
    /* TLBs that ask the L2 TLB. */
    uint32_t above_l2_tlb() const
    {
        return perfect() ? 0 : victim.present() ? victim.tlbs(gpu.cus) : gpu.cus;
    }
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<va_range> &ranges) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
