/* SPDX-License-Identifier: MIT */
/* platforms/apu_laws.cpp - what the apu's blocks say of each other: requests by their own counts, reads from
 * level to level, and times. */
#include "platforms/apu.hpp"

namespace walkway
{

void apu_top::laws_between(const apu_params &p)
{
    equal("cu: memory instructions = coalescer instructions", {"gpu.memory"}, {"coalescer.instructions"});
    equal("l1_tlb: lookups = translations", {"l1_tlb.lookups"}, {"coalescer.translations"});
    if (!p.perfect())
        equal("l1_tlb: misses = l2_tlb lookups", {"l1_tlb.misses"}, {"l2_tlb.lookups"});
    if (p.rung() == ideal::infinite_l2)
        equal("l2_tlb: nothing leaves an infinite TLB", {"l2_tlb.evictions"}, {});
    equal("l2_tlb: misses = iommu requests", {"l2_tlb.misses"}, {"iommu.requests"});
    equal("l1d: lines of the coalescers, less those of faulted pages", {"l1d.reads", "l1d.writes"},
          {"coalescer.lines"}, "coalescer.faults");

    /* What the translations were charged is what the IOMMU measured by itself: walkers at work, requests in
     * the buffer, requests outside it. */
    const tick period = clock().period();
    equal("iommu: steps of walks = walkers' busy time (ps)", {{"account.walk_*", period}},
          {"iommu.walker_busy_ps"});
    equal("iommu: buffer + held of the account = walk buffer's occupancy over time (ps)",
          {{"account.buffer", period}, {"account.held", period}}, {{"iommu.buffer_occupancy", period}});
    equal("iommu: backlog of the account = time outside the walk buffer (ps)", {{"account.backlog", period}},
          {{"iommu.backlog_latency", period}});

    /* What a level reads from below is what the level below was asked for; walkers read memory at once or
     * through the shared cache, or not at all. */
    std::vector<stat_term> into_l2d = {"l1d.read_misses", "l1d.write_fetches"};
    std::vector<stat_term> into_dram = {"l2d.read_misses", "l2d.write_fetches"};
    const bool through_l2d = p.iommu.walk_path != 0;
    if (!p.iommu.zero_walk)
        (through_l2d ? into_l2d : into_dram).emplace_back("iommu.pte_reads");
    equal(through_l2d ? "l2d: reads = L1D read misses + lines L1Ds fetch for writes + page-table reads"
                      : "l2d: reads = L1D read misses + lines L1Ds fetch for writes",
          {"l2d.reads"}, into_l2d);
    equal(through_l2d ? "dram: reads = L2D read misses + lines the L2D fetches for writes"
                      : "dram: reads = L2D read misses + lines the L2D fetches for writes + page-table reads",
          {"dram.reads"}, into_dram);
}

} // namespace walkway
