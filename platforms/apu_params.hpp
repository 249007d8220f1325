/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.hpp - the parameters of the apu: those of every GPU, an L2 TLB, a table of
 * translations in memory and an IOMMU. */
#ifndef WALKWAY_PLATFORMS_APU_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU_PARAMS_HPP

#include "model/params/iommu_tlb.hpp"
#include "model/params/memory_tlb.hpp"
#include "model/params/walk_unit.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct apu_walk_params : walk_unit_params {
    uint8_t walk_path = 0; /* 0 dram, 1 l2d */
    void visit(param_visitor &v);
};

struct apu_params : gpu_machine_params {
    tlb_params l2_tlb;
    memory_tlb_params memory_tlb;
    iommu_tlb_params iommu_tlb;
    apu_walk_params walk_unit;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* Where walks cost no time there is no table in memory. */
    bool has_memory_tlb() const { return memory_tlb.present() && rung() < ideal::zero_walk; }
    /* The last frames of memory, whole ones of the largest pages, are no page's: the table lies there. */
    uint64_t carved_bytes() const;
    address_space_params address_space_of_run() const;
    std::string validate_table() const;
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<space_ranges> &of_space) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
