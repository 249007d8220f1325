/* SPDX-License-Identifier: MIT */
/* platforms/apu.hpp - a GPU that shares its page table with the CPU through an IOMMU: the machine of [M18
 * Figure 1]. */
#ifndef WALKWAY_PLATFORMS_APU_HPP
#define WALKWAY_PLATFORMS_APU_HPP

#include "platforms/apu_params.hpp"
#include "platforms/machine.hpp"
#include "platforms/world.hpp"

namespace walkway
{

class perfect_tlb;

class apu_top : public wiring
{
public:
    apu_top(const sc_core::sc_module_name &name, const apu_params &p, memory_world &world, wkt_reader *trace);

    class dispatcher &dispatcher;
    std::vector<compute_unit *> cu;
    std::vector<class coalescer *> coalescer;
    std::vector<tlb *> l1_tlb;
    std::vector<perfect_tlb *> perfect_l1; /* in their place on the ideal ladder's upper rungs */
    std::vector<data_cache *> l1d;
    tlb &l2_tlb;
    class iommu &iommu;
    data_cache &l2d;
    class dram &dram;

private:
    void bind_unit(unsigned i, const apu_params &p, memory_world &world);
    void lists(const address_space &space);
    void laws_between(const apu_params &p);
};

class apu final : public machine
{
public:
    apu(const apu_params &p, wkt_reader *trace);
    apu_top &top() { return static_cast<apu_top &>(machine::top()); }
};

} // namespace walkway

#endif
