/* SPDX-License-Identifier: MIT */
/* platforms/mmu_design2_platform.cpp - Design 2 of [H14]: one walk unit for all, 32 walks at a time.
 * docs/mmu-hpca14.md. */
#include "platforms/mmu.hpp"

namespace walkway
{

static const machine_numbers &numbers()
{
    static const auto table = paper("[H14] Table 2");
    static const auto places = assumed("one for each lane of each resident warp of 16 units");
    static const machine_numbers rows = {
        {"walk_unit.shared_by", "16", table},
        {"walk_unit.walkers", "32", table},
        {"walk_unit.buffer_entries", "4096", places},
        {"walk_unit.backlog_entries", "20480", places},
        {"walk_unit.schedule", "fcfs", paper("[H14] section 4.3")},
    };
    return rows;
}

std::unique_ptr<platform_config> make_mmu_design2_config()
{
    return std::make_unique<gpu_config<mmu_design<numbers>, mmu_top>>();
}

} // namespace walkway
