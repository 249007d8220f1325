/* SPDX-License-Identifier: MIT */
/* platforms/apu.hpp - a GPU that shares its page table with the CPU through an IOMMU: the machine of [M18
 * Figure 1]. */
#ifndef WALKWAY_PLATFORMS_APU_HPP
#define WALKWAY_PLATFORMS_APU_HPP

#include "model/iommu_tlb.hpp"
#include "model/memory_tlb.hpp"
#include "model/walk_unit.hpp"
#include "platforms/apu_params.hpp"
#include "platforms/gpu.hpp"

namespace walkway
{

class apu_top : public gpu_top
{
public:
    apu_top(const sc_core::sc_module_name &name, const apu_params &p, memory_world &world,
            const program_list &all);

    tlb &l2_tlb;
    std::vector<class memory_tlb *> memory_tlb; /* with memory_tlb.entries */
    std::vector<class iommu_tlb *> iommu_tlb;   /* none: its TLBs have no entries */
    class walk_unit &walk_unit;

private:
    static walk_ports memory_ports(const apu_params &p);
    void bind_walk_unit(const apu_params &p);
    void bind_memory_tlb(const apu_params &p);
};

using apu = gpu_machine<apu_params, apu_top>;

} // namespace walkway

#endif
