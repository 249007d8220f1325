/* SPDX-License-Identifier: MIT */
/* tb/bench/machine.hpp - the kernels of apu-micro18 connected by function calls: each access looks up and
 * reads in functional order, and every answer is immediate. No SystemC, queues, MSHRs, walk buffer or
 * latencies; only main memory keeps its command clock, with queues that are always as full as possible. */
#ifndef WALKWAY_BENCH_MACHINE_HPP
#define WALKWAY_BENCH_MACHINE_HPP

#include "kernels/coalescer.h"
#include "kernels/dcache.h"
#include "kernels/dram/dram.h"
#include "kernels/store/tlb.h"
#include "kernels/table/frames.h"
#include "kernels/table/radix.h"
#include "kernels/table/table_radix.h"
#include "kernels/walk/pwc.h"
#include "tb/bench/storage.hpp"
#include "trace/wkt.h"

#include <vector>

namespace bench
{

/* X(section, key, value): values of platforms/apu-micro18.cfg; the smoke test compares them. */
#define WALKWAY_BENCH_SIZES(X)                                                                               \
    X(l1_tlb, entries, 32)                                                                                   \
    X(l1_tlb, ways, 32)                                                                                      \
    X(l2_tlb, entries, 512)                                                                                  \
    X(l2_tlb, ways, 16)                                                                                      \
    X(iommu_tlb, tlb1_entries, 32)                                                                           \
    X(iommu_tlb, tlb2_entries, 256)                                                                          \
    X(iommu_tlb, tlb2_ways, 16)                                                                              \
    X(walk_unit, pwc_l4, 4)                                                                                  \
    X(walk_unit, pwc_l3, 8)                                                                                  \
    X(walk_unit, pwc_l2, 32)                                                                                 \
    X(l1d, bytes, 32768)                                                                                     \
    X(l1d, ways, 16)                                                                                         \
    X(l2d, bytes, 4194304)                                                                                   \
    X(l2d, ways, 16)                                                                                         \
    X(dram, channels, 2)                                                                                     \
    X(dram, ranks, 2)                                                                                        \
    X(dram, banks, 8)                                                                                        \
    X(dram, read_entries, 32)                                                                                \
    X(dram, write_entries, 32)                                                                               \
    X(address_space, levels, 4)                                                                              \
    X(address_space, table_pa, 268435456)                                                                    \
    X(address_space, data_pa, 1073741824)                                                                    \
    X(address_space, memory_bytes, 8589934592)

/* Names are those of the model's statistics; pages: coalescer.translations + coalescer.window_merged. */
#define WALKWAY_BENCH_COUNTS(X)                                                                              \
    X(coalescer, instructions)                                                                               \
    X(coalescer, pages)                                                                                      \
    X(coalescer, lines)                                                                                      \
    X(l1_tlb, lookups)                                                                                       \
    X(l1_tlb, hits)                                                                                          \
    X(l2_tlb, lookups)                                                                                       \
    X(l2_tlb, hits)                                                                                          \
    X(iommu_tlb, requests)                                                                                   \
    X(iommu_tlb, tlb_misses)                                                                                 \
    X(walk_unit, pte_reads)                                                                                  \
    X(l1d, reads)                                                                                            \
    X(l1d, writes)                                                                                           \
    X(l2d, reads)                                                                                            \
    X(l2d, writes)                                                                                           \
    X(dram, reads)                                                                                           \
    X(dram, writes)

struct counts {
#define X(section, key) uint64_t section##_##key = 0;
    WALKWAY_BENCH_COUNTS(X)
#undef X
    uint64_t dram_cycles = 0;
};

class machine
{
public:
    machine(unsigned units, wkt_reader *trace);
    void access(unsigned unit, const wkt_record &r);
    void drain(); /* empties main memory's queues */
    const counts &count() const { return counts_; }

private:
    struct channel {
        kernel<ww_dram> dram;
        uint64_t cycle = 0;
    };

    void map(wkt_reader *trace);
    bool translate(unsigned unit, uint64_t va, ww_xlat *x);
    bool walk(uint64_t va, ww_xlat *x);
    void data(unsigned unit, uint64_t pa, uint8_t kind);
    void l2d(uint64_t pa, bool is_write, bool fetch);
    void memory(uint64_t pa, bool is_write);
    static void step(channel &c);

    counts counts_;
    ww_coal_in in_{};
    ww_coal_out out_{};
    std::vector<kernel<ww_tlb>> l1_tlb_;
    kernel<ww_tlb> l2_tlb_, tlb1_, tlb2_;
    kernel<ww_pwc> pwc_;
    std::vector<kernel<ww_dcache>> l1d_;
    kernel<ww_dcache> l2d_;
    std::vector<channel> channels_;
    ww_dram_map map_{};
    ww_radix radix_{};
    std::vector<uint64_t> table_;
};

} // namespace bench

#endif
