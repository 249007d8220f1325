/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.cpp - the parameters of the apu wiring: every block's, under its section. */
#include "platforms/apu_params.hpp"

#include "platforms/needs.hpp"

namespace walkway
{

void apu_walk_params::visit(param_visitor &v)
{
    walk_unit_params::visit(v);
    v.choice("walk_path", walk_path, {"dram", "l2d"},
             {"", 0, 0, "what walkers read through: memory at once, or the L2 data cache"});
}

/* Defaults that differ from the blocks' own: the way back up is counted once, where the TLBs of the IOMMU
 * pass an answer on, and the walk unit answers them in the cycle in which a walk ends. */
apu_params::apu_params()
{
    walk_unit.fault_entries = 256;
    walk_unit.response_cycles = 0;
    l2_tlb.may_take = l2_tlb.may_compress = true;
    l2_tlb.entries = 512;
    l2_tlb.ways = 16;
    l2_tlb.hit_cycles = 188;
    l2_tlb.mshrs = 20480;
    l2_tlb.merges = 20480;
    l2_tlb.link_cycles = 100;
}

void apu_params::visit(param_visitor &v)
{
    visit_units(v, true);
    v.section("l2_tlb", "the TLB shared by the compute units", l2_tlb);
    v.section("memory_tlb", "the table of translations in memory, before the IOMMU", memory_tlb);
    v.section("iommu_tlb", "the TLBs of the IOMMU, before its walks", iommu_tlb);
    v.section("walk_unit", "page-table walks of the IOMMU: walk buffer, walkers and walk caches", walk_unit);
    visit_memory(v);
}

std::string apu_params::validate() const
{
    return first_fault({
        {nullptr, [this] { return validate_shared(); }},
        {"l2_tlb", [this] { return second_tlb(l2_tlb).validate(); }},
        {"memory_tlb", [this] { return validate_table(); }},
        {"iommu_tlb", [this] { return iommu_tlb.validate(); }},
        {"walk_unit", [this] { return walk_unit.validate(); }},
    });
}

std::string apu_params::validate_table() const
{
    const std::string wrong = memory_tlb.validate();
    return wrong.empty() && carved_bytes() >= address_space.memory_bytes
               ? "entries take " + std::to_string(carved_bytes()) +
                     " bytes and leave none of address_space.memory_bytes to pages"
               : wrong;
}

uint64_t apu_params::carved_bytes() const
{
    const uint64_t unit = uint64_t{1} << address_space.largest_shift();
    return has_memory_tlb() ? (memory_tlb.table_bytes() + unit - 1) / unit * unit : 0;
}

address_space_params apu_params::address_space_of_run() const
{
    address_space_params p = gpu_machine_params::address_space_of_run();
    p.memory_bytes -= carved_bytes();
    return p;
}

/* What resolved() and the wiring put in its place. */
std::string apu_params::overruled_by(const std::string &parameter) const
{
    static const std::pair<const char *, ideal> lost[] = {
        {"walk_unit.walkers", ideal::unlimited_walkers},
        {"walk_unit.buffer_entries", ideal::unlimited_walkers},
        {"walk_unit.read_cycles", ideal::zero_walk},
        {"walk_unit.reply_cycles", ideal::zero_walk},
        {"walk_unit.walk_path", ideal::zero_walk},
        {"l2_tlb.entries", ideal::infinite_tlb},
        {"l2_tlb.ways", ideal::infinite_tlb},
        {"l2_tlb.index", ideal::infinite_tlb},
        {"l2_tlb.store", ideal::infinite_tlb},
        {"l2_tlb.compressed_ways", ideal::infinite_tlb},
        {"l2_tlb.rebase_after", ideal::infinite_tlb},
    };
    for (const auto &[name, from] : lost)
        if (parameter == name && rung() >= from)
            return "translation.ideal";
    const std::string section = parameter.substr(0, parameter.find('.'));
    if (idealised_shared(parameter) || (section == "memory_tlb" && rung() >= ideal::zero_walk) ||
        (perfect() && (section == "l2_tlb" || section == "iommu_tlb" || section == "walk_unit")))
        return "translation.ideal";
    if (parameter == "l1_tlb.victims" && !passes_victims().empty())
        return passes_victims();
    return unmet_need([p = *this](param_visitor &v) mutable { p.visit(v); }, parameter);
}

void apu_params::structures(structure_list &list) const
{
    structures_of_units(list);
    add_structures(list, "l2_tlb", 1, l2_tlb);
    add_structures(list, "memory_tlb", 1, memory_tlb);
    add_structures(list, "iommu_tlb", 1, iommu_tlb);
    add_structures(list, "walk_unit", 1, walk_unit);
    add_structures(list, "l1d", gpu.cus, l1d);
    add_structures(list, "l2d", 1, l2d);
}

apu_params apu_params::resolved(uint64_t pages) const
{
    apu_params p = *this;
    p.resolve_shared();
    p.l2_tlb = second_tlb(l2_tlb);
    p.iommu_tlb.page_sizes = p.memory_tlb.page_sizes = page_sizes();
    if (has_memory_tlb()) {
        p.memory_tlb.table_pa = address_space.data_pa + address_space_of_run().memory_bytes;
        p.memory_tlb.down_cycles = l2_tlb.link_cycles;
        p.l2_tlb.link_cycles = memory_tlb.link_cycles;
    }
    if (!faults())
        p.walk_unit.fault_entries = 0;
    if (rung() >= ideal::unlimited_walkers) {
        p.walk_unit.walkers = 4096;
        p.walk_unit.buffer_entries = 4096;
    }
    p.walk_unit.zero_walk = rung() >= ideal::zero_walk;
    if (rung() >= ideal::infinite_tlb)
        make_infinite(p.l2_tlb, pages);
    return p;
}

std::unique_ptr<machine_params> make_apu_params()
{
    return std::make_unique<params_of_wiring<apu_params>>();
}

} // namespace walkway
