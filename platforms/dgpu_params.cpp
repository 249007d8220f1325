/* SPDX-License-Identifier: MIT */
/* platforms/dgpu_params.cpp - the numbers of [P24] Table 1. Every parameter that the mmu takes from [H14] has
 * a row here. docs/dgpu-pact24.md. */
#include "platforms/dgpu_params.hpp"

#include "platforms/numbers.hpp"

namespace walkway
{

static const machine_numbers &numbers()
{
    static const auto table = paper("[P24] Table 1");
    static const auto sm = assumed("an SM of GA104, which [P24] configures: 4 partitions of 12 warps");
    static const auto warp = assumed("warps of 32 threads in a cycle");
    static const auto hash = assumed("GPGPU-Sim hashes its caches' sets");
    static const auto part = assumed("GDDR6 of 14 Gb/s, 8 Gb: a public simulator's preset; docs/dram.md");
    static const auto rate = derived("448 GB/s over 16 channels of 16 bits, [P24] Table 1");
    static const auto size = derived("8 Gb parts with two channels each: 8 GB");
    static const auto most = derived("no more than the 128 MSHRs of the L2 TLB wait, [P24] Table 1");
    static const auto none = paper("[P24] has none");
    static const machine_numbers all = {
        {"gpu.cus", "46", table},
        {"gpu.clock_ps", "667", derived("1500 MHz of [P24] Table 1")},
        {"translation.ideal", "off", table},
        {"cu.wave_lanes", "32", warp},
        {"cu.simds", "4", sm},
        {"cu.waves_per_simd", "12", sm},
        {"cu.issue_cycles", "1", warp},
        {"cu.lds_bytes", "65536", assumed("the rest of an SM's memory beside most of a 128 KB L1D")},
        {"cu.lds_cycles", "40", assumed("as the L1D of the same memory")},
        {"coalescer.lanes_per_cycle", "32", warp},
        {"coalescer.pages_per_cycle", "1", assumed("a single-ported TLB")},
        {"coalescer.window", "0",
         paper("[P24] section 2.1: a coalescer merges the requests of an instruction")},
        {"l1_tlb.entries", "32", table},
        {"l1_tlb.ways", "32", table},
        {"l1_tlb.hit_cycles", "20", table},
        {"l1_tlb.ports", "1", assumed("a single-ported TLB")},
        {"l1_tlb.mshrs", "32", table},
        {"l2_tlb.entries", "1024", table},
        {"l2_tlb.ways", "16", table},
        {"l2_tlb.hit_cycles", "80", table},
        {"l2_tlb.mshrs", "128", table},
        {"l2_tlb.merges", "4096", assumed()},
        {"walk_unit.shared_by", "46", paper("[P24] section 2.1: the GMMU is shared by all SMs")},
        {"walk_unit.walk_queue_entries", "64", assumed()},
        {"walk_unit.backlog_entries", "0", most},
        {"walk_unit.buffer_entries", "128", most},
        {"walk_unit.fault_entries", "256", assumed()},
        {"walk_unit.walkers", "16", table},
        {"walk_unit.coalesce", "off", none},
        {"walk_unit.schedule", "fcfs", paper("[P24] section 2.1: a queue")},
        {"walk_unit.pwc_l5", "32", derived("per level, [P24] Table 1; for five levels")},
        {"walk_unit.pwc_l4", "32", table},
        {"walk_unit.pwc_l3", "32", table},
        {"walk_unit.pwc_l2", "32", table},
        {"walk_unit.step_cache", "32", table},
        {"walk_unit.pwc_cycles", "4", table},
        {"walk_unit.pte_cache_bytes", "0", none},
        {"walk_unit.read_cycles", "0", assumed("[P24] names none beside the caches'")},
        {"walk_unit.reply_cycles", "0", assumed("[P24] names none beside the caches'")},
        {"l1d.bytes", "131072", table},
        {"l1d.ways", "64", assumed("GPGPU-Sim has 64 and more")},
        {"l1d.index", "xor", hash},
        {"l1d.write", "through", assumed("as GPGPU-Sim has it")},
        {"l1d.hit_cycles", "40", table},
        {"l2d.bytes", "4194304", table},
        {"l2d.ways", "16", table},
        {"l2d.index", "xor", hash},
        {"l2d.write", "back", assumed("as GPGPU-Sim has it")},
        {"l2d.hit_cycles", "180", table},
        {"l2d.ports", "16", assumed("one slice for each memory channel")},
        {"l2d.mshrs", "4096", assumed("256 for each memory channel: enough to use its bandwidth")},
        {"dram.tck_ps", "570", rate},
        {"dram.channels", "16", table},
        {"dram.ranks", "1", size},
        {"dram.banks", "16", part},
        {"dram.groups", "4", part},
        {"dram.bursts", "2", derived("16 bits for 16 beats are 32 bytes")},
        {"dram.row_bytes", "2048", part},
        {"dram.row_bits", "14", part},
        {"dram.ports", "16", assumed("one for each channel")},
        {"dram.cl", "24", part},
        {"dram.cwl", "6", part},
        {"dram.burst", "2", rate},
        {"dram.rcd", "27", part},
        {"dram.rcd_write", "16", part},
        {"dram.rp", "27", part},
        {"dram.ras", "53", part},
        {"dram.rc", "79", part},
        {"dram.rrd", "8", part},
        {"dram.rrd_group", "8", part},
        {"dram.faw", "29", part},
        {"dram.ccd", "2", part},
        {"dram.ccd_group", "4", part},
        {"dram.rtp", "4", part},
        {"dram.wr", "27", part},
        {"dram.wtr", "9", part},
        {"dram.wtr_group", "11", part},
        {"dram.turn", "2", part},
        {"dram.rfc", "211", part},
        {"dram.refi", "3333", part},
        {"dram.currents", "gddr6_8gb", part},
        {"address_space.table", "radix", table},
        {"address_space.levels", "4", table},
        {"address_space.slots_percent", "250", paper("[P24] section 5.1: 2.5 times the footprint")},
        {"address_space.slot_moves", "true",
         chosen("[P24] does not say what becomes of a ninth region; docs/hashed-tables.md")},
        {"address_space.step_entries", "100", paper("[P24] section 3.5: load factor 0.01")},
        {"address_space.page", "4k", paper("[P24] section 5.2")},
        {"address_space.memory_bytes", "4294967296", assumed("below the 8 GB of the parts")},
        {"address_space.data_pa", "1073741824", assumed("below the 8 GB of the parts")},
        {"pager.mean_cycles", "0", paper("[P24] section 5.1: the cost of demand paging is left out")},
    };
    return all;
}

dgpu_params::dgpu_params()
{
    set_numbers(numbers(), [this](param_visitor &v) { visit_all(v); });
}

void dgpu_params::visit(param_visitor &v)
{
    visit_numbers(v, numbers(), [this](param_visitor &with) { visit_all(with); });
}

dgpu_params dgpu_params::resolved(uint64_t pages) const
{
    dgpu_params p = *this;
    static_cast<mmu_params &>(p) = mmu_params::resolved(pages);
    return p;
}

} // namespace walkway
