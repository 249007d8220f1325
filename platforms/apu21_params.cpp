/* SPDX-License-Identifier: MIT */
/* platforms/apu21_params.cpp - the numbers of [M21] Table 1. docs/apu-micro21.md. */
#include "platforms/apu21_params.hpp"

#include "platforms/numbers.hpp"

namespace walkway
{

static const machine_numbers &numbers()
{
    static const auto table = paper("[M21] Table 1");
    static const auto wave = derived("64 threads on SIMDs of 16 lanes, [M21] Table 1");
    static const auto mux = derived("[M21] Table 1, and its multiplexer");
    static const auto part = assumed("DDR3-1600 11-11-11, 4 Gb x8; [M21] names only DDR3-1600");
    static const auto ddr3 = derived("JESD79-3, for the DDR3-1600 of [M21] Table 1");
    static const machine_numbers all = {
        {"gpu.cus", "8", table},
        {"gpu.clock_ps", "500", derived("2 GHz of [M21] Table 1")},
        {"translation.ideal", "off", table},
        {"cu.wave_lanes", "64", table},
        {"cu.simds", "4", table},
        {"cu.waves_per_simd", "10", table},
        {"cu.issue_cycles", "4", wave},
        {"cu.lds_bytes", "16384", table},
        {"lds.banks", "32", assumed("[M21] section 2.2: 16 or 32")},
        {"lds.word_bytes", "4", paper("[M21] section 2.2")},
        {"lds.hit_cycles", "32", mux},
        {"lds.translations", "on", paper("[M21] section 4.2")},
        {"lds.tx_cycles", "36", mux},
        {"lds.segment_bytes", "32", table},
        {"lds.segment_index", "modulo", paper("[M21] Figure 6c")},
        {"lds.promotion", "copy", assumed("[M21] section 4.4: promoted")},
        {"lds.layout", "together", paper("[M21] section 4.2.3")},
        {"icache.entries", "256", derived("16 KiB of [M21] Table 1 in lines of 64 bytes")},
        {"icache.ways", "8", table},
        {"icache.hit_cycles", "17", mux},
        {"icache.shared_by", "4", table},
        {"icache.translations", "on", paper("[M21] section 4.3")},
        {"icache.tx_cycles", "21", mux},
        {"icache.design", "flush", paper("[M21] section 4.3.3")},
        {"icache.promotion", "copy", assumed("[M21] section 4.4: promoted")},
        {"l1_tlb.entries", "32", table},
        {"l1_tlb.ways", "32", table},
        {"l1_tlb.hit_cycles", "108", table},
        {"l2_tlb.entries", "512", table},
        {"l2_tlb.ways", "16", table},
        {"l2_tlb.hit_cycles", "188", table},
        {"l2_tlb.fills", "8", assumed("[M21] section 4.4: victims go on to it")},
        {"iommu_tlb.tlb1_entries", "32", table},
        {"iommu_tlb.tlb2_entries", "256", table},
        {"walk_unit.walkers", "32", table},
        {"walk_unit.fault_entries", "256", assumed()},
        {"walk_unit.pwc_l4", "4", table},
        {"walk_unit.pwc_l3", "8", table},
        {"walk_unit.pwc_l2", "32", table},
        {"l1d.bytes", "32768", table},
        {"l1d.ways", "8", table},
        {"l2d.bytes", "4194304", table},
        {"l2d.ways", "16", table},
        {"dram.tck_ps", "1250", derived("800 MHz of [M21] Table 1")},
        {"dram.channels", "2", table},
        {"dram.ranks", "2", table},
        {"dram.banks", "16", table},
        {"dram.row_bits", "15", derived("as much memory as with 8 banks and one bit more")},
        {"dram.row_bytes", "8192", part},
        {"dram.cl", "11", part},
        {"dram.cwl", "8", ddr3},
        {"dram.burst", "4", ddr3},
        {"dram.rcd", "11", part},
        {"dram.rp", "11", part},
        {"dram.ras", "28", ddr3},
        {"dram.rc", "39", part},
        {"dram.rrd", "5", part},
        {"dram.faw", "24", part},
        {"dram.ccd", "4", ddr3},
        {"dram.rtp", "6", ddr3},
        {"dram.wr", "12", ddr3},
        {"dram.wtr", "6", ddr3},
        {"dram.turn", "2", ddr3},
        {"dram.rfc", "208", part},
        {"dram.refi", "6240", ddr3},
        {"address_space.table", "radix", paper("[M21] section 5")},
        {"address_space.levels", "4", paper("[M21] section 5")},
        {"address_space.page", "4k", paper("[M21] section 3.1")},
    };
    return all;
}

apu21_params::apu21_params()
{
    set_numbers(numbers(), [this](param_visitor &v) { apu_params::visit(v); });
}

void apu21_params::visit(param_visitor &v)
{
    visit_numbers(v, numbers(), [this](param_visitor &with) { apu_params::visit(with); });
}

apu21_params apu21_params::resolved(uint64_t pages) const
{
    apu21_params p = *this;
    static_cast<apu_params &>(p) = apu_params::resolved(pages);
    return p;
}

} // namespace walkway
