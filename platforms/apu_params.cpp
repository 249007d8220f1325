/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.cpp - the parameters of the apu wiring: every block's, under its section. */
#include "platforms/apu_params.hpp"

#include "kernels/bits.h"

namespace walkway
{

void gpu_params::visit(param_visitor &v)
{
    v.number("cus", cus, {"compute units", 1, 250, "compute units", paper("[M18] Table I")});
    v.number("clock_ps", clock_ps,
             {"ps", 100, 100000, "clock period of the GPU, the TLBs, the IOMMU and the caches",
              paper("[M18] Table I: 2 GHz")});
}

void translation_params::visit(param_visitor &v)
{
    v.choice("ideal", ideal, {"off", "unlimited_walkers", "zero_walk", "infinite_l2", "perfect_l1", "none"},
             {"", 0, 0,
              "the ideal ladder, each rung on top of those before it: 4096 walkers and buffer entries; "
              "page-table reads take "
              "no time; the L2 TLB holds everything; every translation takes one cycle; a translation is "
              "there with its "
              "request",
              paper("[M18] section V: the baseline translates")});
}

/* Defaults that differ from the blocks' own. */
apu_params::apu_params()
{
    l2_tlb.entries = 512;
    l2_tlb.ways = 16;
    l2_tlb.hit_cycles = 188;
    l2_tlb.mshrs = 20480;
    l2_tlb.merges = 20480;
    l2_tlb.link_cycles = 100;
    l2d.bytes = 4u << 20;
    l2d.write = WW_WRITE_BACK;
    l2d.hit_cycles = 100;
    l2d.ports = 4;
    l2d.mshrs = 1024;
}

void apu_params::visit(param_visitor &v)
{
    v.section("gpu", "the GPU as a whole", gpu);
    v.section("translation", "the ideal ladder", translation);
    v.section("dispatcher", "hands work-groups to compute units", dispatcher);
    v.section("cu", "each compute unit", cu);
    v.section("coalescer", "each compute unit's address coalescer", coalescer);
    v.section("l1_tlb", "each compute unit's TLB", l1_tlb);
    v.section("l2_tlb", "the TLB shared by the compute units", l2_tlb);
    v.section("iommu", "the IOMMU: its TLBs, walk buffer, walkers and walk caches", iommu);
    v.section("l1d", "each compute unit's data cache", l1d);
    v.section("l2d", "the data cache shared by the compute units", l2d);
    v.section("dram", "main memory", dram);
    v.section("address_space", "the program's virtual memory, laid out before time zero", address_space);
}

std::string apu_params::validate() const
{
    const std::pair<const char *, std::string> parts[] = {
        {"l1_tlb", l1_tlb.validate()},
        {"l2_tlb", l2_tlb.validate()},
        {"iommu", iommu.validate()},
        {"l1d", l1d.validate()},
        {"l2d", l2d.validate()},
        {"dram", dram.validate()},
        {"address_space", address_space.validate()},
    };
    for (const auto &part : parts)
        if (!part.second.empty())
            return std::string(part.first) + ": " + part.second;
    const uint64_t memory = memory_end();
    if (address_space.data_pa + address_space.memory_bytes > memory)
        return "address_space: data_pa + memory_bytes lies above the " + std::to_string(memory) +
               " bytes of dram";
    return "";
}

uint64_t apu_params::memory_end() const
{
    return (uint64_t{dram.row_bytes} << dram.row_bits) * dram.banks * dram.ranks * dram.channels;
}

/* What resolved() and the wiring put in its place. */
bool apu_params::idealised(const std::string &parameter) const
{
    static const std::pair<const char *, ideal> lost[] = {
        {"iommu.walkers", ideal::unlimited_walkers}, {"iommu.buffer_entries", ideal::unlimited_walkers},
        {"iommu.read_cycles", ideal::zero_walk},     {"iommu.reply_cycles", ideal::zero_walk},
        {"iommu.walk_path", ideal::zero_walk},       {"l2_tlb.entries", ideal::infinite_l2},
        {"l2_tlb.ways", ideal::infinite_l2},         {"l2_tlb.index", ideal::infinite_l2},
    };
    for (const auto &[name, from] : lost)
        if (parameter == name && rung() >= from)
            return true;
    const std::string section = parameter.substr(0, parameter.find('.'));
    return perfect() && parameter != "l1_tlb.queue_entries" &&
           (section == "l1_tlb" || section == "l2_tlb" || section == "iommu");
}

apu_params apu_params::resolved(uint64_t pages) const
{
    apu_params p = *this;
    const uint8_t shift = address_space.page_shift();
    p.coalescer.page_shift = shift;
    p.coalescer.va_bits = address_space.va_bits();
    p.coalescer.wave_lanes = cu.lanes();
    p.l1_tlb.page_sizes = p.l2_tlb.page_sizes = p.iommu.page_sizes =
        1u << shift | 1u << address_space.largest_shift();
    if (rung() >= ideal::unlimited_walkers) {
        p.iommu.walkers = 4096;
        p.iommu.buffer_entries = 4096;
    }
    p.iommu.zero_walk = rung() >= ideal::zero_walk;
    if (rung() >= ideal::infinite_l2) {
        uint64_t entries = 4096; /* nothing may ever leave: a law of the run */
        while (entries < pages * 8)
            entries *= 2;
        p.l2_tlb.entries = static_cast<uint32_t>(entries);
        p.l2_tlb.ways = entries == 4096 ? 4096 : 64;
        p.l2_tlb.index = WW_INDEX_XOR;
    }
    return p;
}

} // namespace walkway
