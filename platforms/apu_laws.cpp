/* SPDX-License-Identifier: MIT */
/* platforms/apu_laws.cpp - laws that see time, and laws of reads. */
#include "platforms/apu_laws.hpp"

namespace walkway
{

std::vector<law> time_laws(const coalescer_stats &coalescers, const iommu_stats &iommu, tick period)
{
    const auto charged = [&coalescers](std::initializer_list<cause> causes) {
        tick sum = 0;
        for (const cause c : causes)
            sum += coalescers.account[static_cast<unsigned>(c)];
        return sum;
    };
    return {{"iommu: steps of walks = walkers' busy time (ps)",
             charged({cause::walk_cache, cause::walk_l5, cause::walk_l4, cause::walk_l3, cause::walk_l2,
                      cause::walk_l1}),
             iommu.walker_busy_ps, ""},
            {"iommu: buffer + held of the account = walk buffer's occupancy over time (ps)",
             charged({cause::buffer, cause::held}), iommu.buffer_occupancy.sum() * period, ""},
            {"iommu: backlog of the account = time outside the walk buffer (ps)", charged({cause::backlog}),
             iommu.backlog_latency.sum() * period, ""}};
}

std::vector<law> read_laws(const data_cache_stats &l1d, const data_cache_stats &l2d, const dram_stats &dram,
                           const iommu_stats &iommu, const iommu_params &p)
{
    const uint64_t walk_reads = p.zero_walk ? 0 : iommu.pte_reads;
    const bool through_l2d = p.walk_path != 0;
    return {{through_l2d ? "l2d: reads = L1D read misses + lines L1Ds fetch for writes + page-table reads"
                         : "l2d: reads = L1D read misses + lines L1Ds fetch for writes",
             l2d.reads, l1d.read_misses + l1d.write_fetches + (through_l2d ? walk_reads : 0), ""},
            {through_l2d
                 ? "dram: reads = L2D read misses + lines the L2D fetches for writes"
                 : "dram: reads = L2D read misses + lines the L2D fetches for writes + page-table reads",
             dram.reads, l2d.read_misses + l2d.write_fetches + (through_l2d ? 0 : walk_reads), ""}};
}

} // namespace walkway
