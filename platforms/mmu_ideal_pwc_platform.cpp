/* SPDX-License-Identifier: MIT */
/* platforms/mmu_ideal_pwc_platform.cpp - Ideal PWC of [H14]: design 3 with a page-walk cache that holds
 * everything. docs/mmu-hpca14.md. */
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
        {"walk_unit.pte_cache_bytes", "4194304",
         derived("[H14] Table 2: infinite; room for the lines of 2 GB")},
        {"walk_unit.pte_cache_ways", "16", assumed()},
        {"walk_unit.pte_cache_cycles", "2",
         derived("four reads take the 8 cycles of one access, [H14] section 6.2")},
        {"walk_unit.pte_cache_holds", "all", paper("[H14] section 6.2: a single access")},
    };
    return rows;
}

std::unique_ptr<platform_config> make_mmu_ideal_pwc_config()
{
    return std::make_unique<gpu_config<mmu_design<numbers>, mmu_top>>();
}

} // namespace walkway
