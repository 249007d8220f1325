/* SPDX-License-Identifier: MIT */
/* platforms/mmu_params.cpp - the numbers of [H14] design 1, and what follows from them. docs/mmu-hpca14.md.
 */
#include "platforms/mmu_params.hpp"

#include "platforms/numbers.hpp"

namespace walkway
{

const machine_numbers &mmu_numbers()
{
    static const auto gpu = paper("[H14] Table 1"), design = paper("[H14] Table 2");
    static const auto warp = paper("[H14] section 2.1: 32 threads, all lanes in a cycle");
    static const auto none = paper("[H14] Table 2: design 1 has none");
    static const auto fermi = assumed("48 warps as on Fermi, which its simulator models");
    static const auto places = assumed("one for each lane of each resident warp; Figure 7 has over 1,000");
    static const auto part = assumed("DDR3-1333 9-9-9, 512 Mb x8; [H14] names DDR3 and 667 MHz");
    static const auto ddr3 = derived("JESD79-3, for the 667 MHz of [H14] Table 1");
    static const auto memory = derived("2 GB over the 8 channels of [H14] Table 1");
    static const machine_numbers all = {
        {"gpu.cus", "16", gpu},
        {"gpu.clock_ps", "714", derived("1.4 GHz of [H14] Table 1")},
        {"cu.wave_lanes", "32", warp},
        {"cu.simds", "1", warp},
        {"cu.issue_cycles", "1", warp},
        {"cu.waves_per_simd", "48", fermi},
        {"cu.lds_bytes", "16384", gpu},
        {"cu.lds_cycles", "21", derived("15 ns of [H14] Table 1")},
        {"coalescer.lanes_per_cycle", "32", warp},
        {"coalescer.pages_per_cycle", "1", paper("[H14] section 7: a single-ported TLB")},
        {"coalescer.window", "0", assumed("[H14] coalesces within an instruction")},
        {"l1_tlb.entries", "128", design},
        {"l1_tlb.ways", "128", assumed("[H14] section 6.5: highly associative")},
        {"l1_tlb.hit_cycles", "1", design},
        {"l1_tlb.ports", "1", paper("[H14] section 7: a single-ported TLB")},
        {"l1_tlb.mshrs", "1536", places},
        {"l2_tlb.entries", "0", none},
        {"l2_tlb.ways", "16", assumed()},
        {"l2_tlb.hit_cycles", "20", paper("[H14] Table 2, of designs that have one")},
        {"l2_tlb.mshrs", "24576", assumed("one for each lane of each resident warp")},
        {"l2_tlb.merges", "24576", assumed("one for each lane of each resident warp")},
        {"walk_unit.shared_by", "1", paper("[H14] Table 2: per-CU walkers")},
        {"walk_unit.walk_queue_entries", "64", assumed()},
        {"walk_unit.backlog_entries", "0", assumed("all that wait are in the buffer")},
        {"walk_unit.buffer_entries", "1536", places},
        {"walk_unit.fault_entries", "256", assumed()},
        {"walk_unit.walkers", "1", paper("[H14] section 4.2: single-threaded")},
        {"walk_unit.coalesce", "off", none},
        {"walk_unit.schedule", "fcfs", assumed("[H14] section 4.3 says so of design 2")},
        {"walk_unit.pwc_l5", "0", none},
        {"walk_unit.pwc_l4", "0", none},
        {"walk_unit.pwc_l3", "0", none},
        {"walk_unit.pwc_l2", "0", none},
        {"walk_unit.pte_cache_bytes", "0", none},
        {"walk_unit.read_cycles", "20", paper("[H14] Table 2: latency of the walker; taken for each read")},
        {"walk_unit.reply_cycles", "98",
         derived("[H14] section 4.4: nearly 300 cycles to the L2D and back, less the 20 and the 182")},
        {"l1d.bytes", "65536", gpu},
        {"l1d.ways", "4", gpu},
        {"l1d.write", "through", paper("[H14] section 2.1")},
        {"l1d.hit_cycles", "21", derived("15 ns of [H14] Table 1")},
        {"l2d.bytes", "1048576", gpu},
        {"l2d.ways", "16", gpu},
        {"l2d.write", "back", paper("[H14] section 2.1")},
        {"l2d.hit_cycles", "182", derived("130 ns of [H14] Table 1")},
        {"dram.tck_ps", "1500", derived("667 MHz of [H14] Table 1")},
        {"dram.channels", "8", gpu},
        {"dram.ranks", "1", memory},
        {"dram.banks", "8", assumed("DDR3 parts have 8")},
        {"dram.row_bytes", "8192", part},
        {"dram.row_bits", "12", memory},
        {"dram.cl", "9", part},
        {"dram.cwl", "7", ddr3},
        {"dram.burst", "4", ddr3},
        {"dram.rcd", "9", part},
        {"dram.rp", "9", part},
        {"dram.ras", "24", ddr3},
        {"dram.rc", "33", part},
        {"dram.rrd", "4", part},
        {"dram.faw", "20", part},
        {"dram.ccd", "4", ddr3},
        {"dram.rtp", "5", ddr3},
        {"dram.wr", "10", ddr3},
        {"dram.wtr", "5", ddr3},
        {"dram.rfc", "60", part},
        {"dram.refi", "5200", ddr3},
        {"address_space.table", "radix", paper("[H14] section 2.4")},
        {"address_space.levels", "4", paper("[H14] section 2.4")},
        {"address_space.page", "4k", paper("[H14] section 3")},
        {"address_space.memory_bytes", "1073741824", assumed("below the 2 GB of [H14] Table 1")},
        {"address_space.data_pa", "536870912", assumed("below the 2 GB of [H14] Table 1")},
        {"pager.mean_cycles", "5000", paper("[H14] section 5.1: a minor fault, on average")},
        {"translation.ideal", "off", paper("[H14] Table 2: design 1")},
    };
    return all;
}

void mmu_walk_params::visit(param_visitor &v)
{
    v.number("shared_by", shared_by,
             {"compute units", 1, 250, "compute units that share a walk unit", assumed("one for each")});
    walk_unit_params::visit(v);
}

mmu_params::mmu_params()
{
    l2_tlb.may_be_absent = l2_tlb.may_take = l2_tlb.may_compress = true;
    l2_tlb.entries = 0;
    l2_tlb.ways = 16;
    set_numbers(mmu_numbers(), [this](param_visitor &v) { visit_all(v); });
}

void mmu_params::visit(param_visitor &v)
{
    visit_numbers(v, mmu_numbers(), [this](param_visitor &with) { visit_all(with); });
}

void mmu_params::visit_all(param_visitor &v)
{
    visit_units(v, false);
    v.section("l2_tlb", "the TLB in front of a walk unit that all compute units share", l2_tlb);
    v.section("walk_unit", "page-table walks, of one compute unit or of several", walk_unit);
    visit_memory(v);
}

std::string mmu_params::validate() const
{
    return first_fault({
        {nullptr, [this] { return validate_shared(); }},
        {"l2_tlb", [this] { return second_tlb(l2_tlb).validate(); }},
        {"walk_unit", [this] { return walk_unit.validate(); }},
        {nullptr, [this] { return validate_sharers(); }},
    });
}

std::string mmu_params::validate_sharers() const
{
    if (walk_units() == 1)
        return "";
    if (l2_tlb.present())
        return "l2_tlb.entries: a TLB for all compute units wants one walk unit for all (walk_unit.shared_by "
               "= " +
               std::to_string(gpu.cus) + ")";
    if (walk_unit.shared_by % last_sharers() != 0)
        return std::string("walk_unit.shared_by: has to be a multiple of ") +
               (victim.present() ? "victim.shared_by" : "icache.shared_by") +
               ", whose translations lie above";
    return "";
}

std::string mmu_params::overruled_by(const std::string &parameter) const
{
    static const std::pair<const char *, ideal> lost[] = {
        {"walk_unit.walkers", ideal::unlimited_walkers},
        {"walk_unit.buffer_entries", ideal::unlimited_walkers},
        {"walk_unit.read_cycles", ideal::zero_walk},
        {"walk_unit.reply_cycles", ideal::zero_walk},
        {"l1_tlb.entries", ideal::infinite_tlb},
        {"l1_tlb.ways", ideal::infinite_tlb},
        {"l1_tlb.index", ideal::infinite_tlb},
    };
    for (const auto &[name, from] : lost)
        if (parameter == name && rung() >= from)
            return "translation.ideal";
    const std::string section = parameter.substr(0, parameter.find('.'));
    const bool lost_here = perfect() && (section == "walk_unit" || section == "l2_tlb");
    if (lost_here || idealised_shared(parameter))
        return "translation.ideal";
    if (without_faults(parameter))
        return "address_space.map";
    if (without_prefetch(parameter))
        return "prefetch.entries";
    if (without_driver(parameter))
        return "driver.oversubscription";
    if (parameter == "l1_tlb.victims" && !passes_victims().empty())
        return passes_victims();
    return section == "l2_tlb" && parameter != "l2_tlb.entries" && !l2_tlb.present() ? "l2_tlb.entries" : "";
}

void mmu_params::structures(structure_list &list) const
{
    structures_of_units(list);
    add_structures(list, "l2_tlb", l2_tlb.present() ? 1 : 0, l2_tlb);
    add_structures(list, "walk_unit", walk_units(), walk_unit);
    add_structures(list, "l1d", gpu.cus, l1d);
    add_structures(list, "l2d", 1, l2d);
}

uint64_t mmu_params::memory_bytes(const std::vector<space_ranges> &of_space) const
{
    const mmu_params p = resolved(pages_of(of_space));
    const uint64_t each = p.walk_unit.state_bytes() + queue_bytes(1, l2d.queue_entries, wire_of(l1d));
    const uint64_t first = queue_bytes(last_stages(), p.walk_unit.queue_entries, p.wire_of_last());
    const uint64_t second =
        perfect() || !l2_tlb.present()
            ? 0
            : p.l2_tlb.state_bytes() + queue_bytes(last_stages(), p.l2_tlb.queue_entries, p.wire_of_last());
    return p.shared_bytes(of_space, walk_units()) + walk_units() * each + first + second +
           queue_bytes(faults() ? 1 : 0, l2d.queue_entries, wire_of(l1d));
}

mmu_params mmu_params::resolved(uint64_t pages) const
{
    mmu_params p = *this;
    p.resolve_shared();
    p.l2_tlb = second_tlb(l2_tlb);
    if (!faults())
        p.walk_unit.fault_entries = 0;
    if (rung() >= ideal::unlimited_walkers) {
        p.walk_unit.walkers = 4096;
        p.walk_unit.buffer_entries = 4096;
    }
    p.walk_unit.zero_walk = rung() >= ideal::zero_walk;
    if (rung() >= ideal::infinite_tlb)
        make_infinite(p.l1_tlb, pages);
    return p;
}

} // namespace walkway
