/* SPDX-License-Identifier: MIT */
/* platforms/mmu_shared_l2_pwc_platform.cpp - Shared L2 & PWC of [H14]: smaller TLBs, a TLB for all and a
 * page-walk cache. docs/mmu-hpca14.md. */
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
        {"l1_tlb.entries", "32", table},
        {"l1_tlb.ways", "32", assumed("[H14] section 6.5: highly associative")},
        {"l2_tlb.entries", "512", table},
        {"walk_unit.pte_cache_bytes", "8192", table},
        {"walk_unit.pte_cache_ways", "8", assumed("[H14] section 6.5: of lower associativity than the TLBs")},
        {"walk_unit.pte_cache_cycles", "8", table},
        {"walk_unit.pte_cache_holds", "all",
         chosen("section 4.4 says non-leaf levels; its results want leaf lines too")},
    };
    return rows;
}

std::unique_ptr<platform_config> make_mmu_shared_l2_pwc_config()
{
    return std::make_unique<gpu_config<mmu_design<numbers>, mmu_top>>();
}

} // namespace walkway
