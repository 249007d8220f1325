/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.hpp - the parameters of the apu: those of every GPU, victim TLBs, an L2 TLB,
 * a table of translations in memory and an IOMMU. */
#ifndef WALKWAY_PLATFORMS_APU_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU_PARAMS_HPP

#include "model/iommu.hpp"
#include "model/memory_tlb.hpp"
#include "model/victim_tlb.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct apu_params : gpu_machine_params {
    victim_params victim;
    tlb_params l2_tlb;
    memory_tlb_params memory_tlb;
    iommu_params iommu;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* The L2 TLB, told what it has to hold. */
    tlb_params second_tlb() const;
    /* Where walks cost no time there is no table in memory. */
    bool has_memory_tlb() const { return memory_tlb.present() && rung() < ideal::zero_walk; }
    /* The last frames of memory, whole ones of the largest pages, are no page's: the table lies there. */
    uint64_t carved_bytes() const;
    address_space_params address_space_of_run() const;
    /* TLBs that ask the L2 TLB. */
    uint32_t above_l2_tlb() const
    {
        return perfect()          ? 0
               : victim.present() ? victim.tlbs(gpu.cus)
               : icache.lends()   ? icache.caches(gpu.cus)
                                  : gpu.cus;
    }
    /* Stages that share a victim TLB: L1 TLBs, or what stands between, some of which compute units share. */
    uint32_t stages_of_victim() const
    {
        return icache.lends() ? victim.sharers / icache.sharers : victim.sharers;
    }
    /* Of so many, those of the nth. */
    uint32_t victim_requesters(uint32_t nth, uint32_t stages) const
    {
        const uint32_t first = nth * stages_of_victim(), left = stages - first;
        return left < stages_of_victim() ? left : stages_of_victim();
    }
    std::string validate_table() const;
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<space_ranges> &of_space) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
