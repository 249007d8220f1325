/* SPDX-License-Identifier: MIT */
/* platforms/mmu.hpp - a GPU whose MMUs are its compute units' own or shared: the designs of [H14 Table 2].
 */
#ifndef WALKWAY_PLATFORMS_MMU_HPP
#define WALKWAY_PLATFORMS_MMU_HPP

#include "model/walk_unit.hpp"
#include "platforms/gpu.hpp"
#include "platforms/mmu_params.hpp"

namespace walkway
{

class mmu_top : public gpu_top
{
public:
    mmu_top(const sc_core::sc_module_name &name, const mmu_params &p, memory_world &world,
            const program_list &all);

    std::vector<tlb *> l2_tlb; /* with l2_tlb.entries: one */
    std::vector<class walk_unit *> walk_unit;

private:
    void bind_walk_units(const mmu_params &p);
    void laws_of_misses(const mmu_params &p);
};

} // namespace walkway

#endif
