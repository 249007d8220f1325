/* SPDX-License-Identifier: MIT */
/* platforms/mmu.hpp - a GPU with an MMU in each compute unit: design 1 of [H14 section 4.1]. */
#ifndef WALKWAY_PLATFORMS_MMU_HPP
#define WALKWAY_PLATFORMS_MMU_HPP

#include "platforms/gpu.hpp"
#include "platforms/mmu_params.hpp"

namespace walkway
{

class mmu_top : public gpu_top
{
public:
    mmu_top(const sc_core::sc_module_name &name, const mmu_params &p, memory_world &world, wkt_reader *trace);

    std::vector<class walk_unit *> walk_unit;
};

} // namespace walkway

#endif
