/* SPDX-License-Identifier: MIT */
/* platforms/mmu_shared_l2_platform.cpp - Shared L2 of [H14]: a TLB for all in place of the page-walk cache.
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
        {"l1_tlb.entries", "64", table},
        {"l1_tlb.ways", "64", assumed("[H14] section 6.5: highly associative")},
        {"l2_tlb.entries", "1024", table},
    };
    return rows;
}

std::unique_ptr<platform_config> make_mmu_shared_l2_config()
{
    return std::make_unique<gpu_config<mmu_design<numbers>, mmu_top>>();
}

} // namespace walkway
