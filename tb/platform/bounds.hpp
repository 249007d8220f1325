/* SPDX-License-Identifier: MIT */
/* tb/platform/bounds.hpp - every bound of the apu: what may be in a place at once, or pass it per cycle. The
 * list is made from the parameters: each one that does not count time, bits or levels must be named below as
 * a bound, as a capacity, or as neither; otherwise bounds_test fails. */
#ifndef WW_TB_PLATFORM_BOUNDS_HPP
#define WW_TB_PLATFORM_BOUNDS_HPP

#include "mechanisms.inc"
#include "tb/platform/apu_rig.hpp"

#include <set>

namespace walkway::test
{

/* Nothing in this machine causes waits, as far as ranges allow. */
inline const std::string generous =
    "cu.simds=16 cu.waves_per_simd=64 cu.memory_issues=16 cu.outstanding=64 cu.lds_bytes=1048576 "
    "lds.banks=64 lds.ports=64 lds.queue_entries=1024 "
    "icache.entries=4096 icache.ports=64 icache.mshrs=4096 icache.merges=65536 icache.queue_entries=4096 "
    "coalescer.lanes_per_cycle=64 coalescer.pages_per_cycle=64 coalescer.lines_per_cycle=64 "
    "coalescer.instructions=1024 coalescer.window=4096 coalescer.queue_entries=1024 "
    "l1_tlb.ports=64 l1_tlb.queue_entries=4096 l2_tlb.ports=64 l2_tlb.queue_entries=4096 "
    "iommu_tlb.ports=64 iommu_tlb.queue_entries=4096 walk_unit.walk_queue_entries=4096 "
    "walk_unit.buffer_entries=4096 "
    "walk_unit.walkers=4096 walk_unit.fault_entries=4096 pager.entries=4096 pager.queue_entries=4096 "
    "l1d.ports=64 l1d.mshrs=4096 l1d.queue_entries=4096 l1d.write_entries=4096 "
    "l2d.ports=64 l2d.mshrs=4096 l2d.queue_entries=4096 l2d.write_entries=4096 "
    "dram.ports=64 dram.queue_entries=4096 dram.read_entries=1024 dram.write_entries=1024 "
    "dram.write_high=24 dram.write_low=8";

inline const std::vector<bound> &bounds()
{
    const std::string slow_l1 = "l1_tlb.queue_entries=1 l1_tlb.ports=1 ";
    /* a level's pipeline and wire have room after its queue: makes that small */
    const std::string to_l2 = "l1_tlb.hit_cycles=1 l1_tlb.link_cycles=0 l1_tlb.ports=1 l2_tlb.ports=1 ";
    const std::string to_iommu = "l2_tlb.hit_cycles=1 l2_tlb.link_cycles=0 l2_tlb.ports=2 iommu_tlb.ports=1 ";
    const std::string few_walks =
        "iommu_tlb.ports=1 iommu_tlb.tlb2_cycles=1 walk_unit.walkers=1 walk_unit.buffer_entries=1 ";
    const std::string to_l2d = "l1d.hit_cycles=1 l1d.ports=1 l2d.ports=1 icache.hit_cycles=1 icache.ports=1 ";
    const std::string to_dram = "l2d.hit_cycles=1 l2d.ports=1 dram.ports=1 ";
    const std::string small_l2d = "l2d.bytes=16384 l2d.ways=4 ";
    const std::string fetching = "cu.line_instructions=1 icache.shared_by=8 ";
    const std::string faulting = "address_space.map=first_touch ";
    static const std::vector<bound> all = [&] {
        std::vector<bound> list = {
            {"cu.simds", "", "", "", "gpu.wave_stall.wait_issue"},
            {"cu.waves_per_simd", "", "", "cu.simds=1 ", "gpu.dispatch_stall_cycles"},
            {"cu.memory_issues", "", "", "", "gpu.wave_stall.wait_issue"},
            {"cu.outstanding", "", "", "", "gpu.wave_stall.outstanding"},
            {"cu.lds_bytes", std::to_string(group_lds), "", "", "gpu.dispatch_stall_cycles"},
            {"lds.banks", "1", "", "lds.ports=1 ", "lds.bank_cycles"},
            {"lds.ports", "", "", "lds.banks=1 ", "lds.bank_cycles"},
            {"lds.queue_entries", "", "", "lds.banks=1 lds.ports=1 ", "gpu.wave_stall.port"},
            {"icache.ports", "", "", fetching, "icache.queue_cycles"},
            {"icache.mshrs", "", "", fetching, "icache.stall_cycles"},
            {"icache.merges", "", "", fetching, "icache.stall_merges_cycles"},
            {"icache.queue_entries", "", "", fetching + "icache.mshrs=1 ", "gpu.stall_fetch_cycles"},
            {"coalescer.lanes_per_cycle", "", "", "", "coalescer.wait_lanes_cycles"},
            {"coalescer.pages_per_cycle", "", "", "", "account.l1_queue"},
            {"coalescer.lines_per_cycle", "", "", "", "coalescer.wait_line_cycles"},
            {"coalescer.instructions", "", "", "", "coalescer.wait_slot_cycles"},
            {"coalescer.window", "", "", slow_l1, "coalescer.translations"},
            {"coalescer.queue_entries", "", "", "", "gpu.wave_stall.port"},
            {"l1_tlb.ports", "", "", "", "account.l1_queue"},
            {"l1_tlb.mshrs", "", "", "", "l1_tlb.stall_mshr_cycles"},
            {"l1_tlb.merges", "", "", "", "l1_tlb.stall_merges_cycles"},
            {"l1_tlb.queue_entries", "", "", "", "coalescer.stall_tlb_cycles"},
            {"l2_tlb.ports", "", "", "", "account.l2_queue"},
            {"l2_tlb.mshrs", "", "", "", "l2_tlb.stall_mshr_cycles"},
            {"l2_tlb.merges", "", "", "", "l2_tlb.stall_merges_cycles"},
            {"l2_tlb.queue_entries", "", "", to_l2, "l1_tlb.stall_below_cycles"},
            {"iommu_tlb.ports", "", "", "", "account.iommu_queue"},
            {"iommu_tlb.queue_entries", "", "", to_iommu, "l2_tlb.stall_below_cycles"},
            {"walk_unit.walk_queue_entries", "", "", few_walks + "walk_unit.backlog_entries=0",
             "iommu_tlb.stall_backlog_cycles"},
            {"walk_unit.backlog_entries", "", "", few_walks + "walk_unit.walk_queue_entries=1",
             "iommu_tlb.stall_backlog_cycles"},
            {"walk_unit.buffer_entries", "", "", "walk_unit.walkers=1", "account.backlog"},
            {"walk_unit.walkers", "", "", "", "account.buffer"},
            {"walk_unit.fault_entries", "", "", faulting, "walk_unit.fault_kept_ps"},
            {"pager.entries", "", "", faulting + "pager.queue_entries=1 ", "walk_unit.stall_faults_cycles"},
            {"pager.queue_entries", "", "", faulting + "pager.entries=1 ", "walk_unit.stall_faults_cycles"},
            {"l1d.ports", "", "", "", "l1d.queue_cycles"},
            {"l1d.mshrs", "", "", "", "l1d.stall_cycles"},
            {"l1d.merges", "", "", "", "l1d.stall_merges_cycles"},
            {"l1d.write_entries", "", "", "", "l1d.stall_writes_cycles"},
            {"l1d.queue_entries", "", "", "", "coalescer.stall_l1d_cycles"},
            {"l2d.ports", "", "", "", "l2d.queue_cycles"},
            {"l2d.mshrs", "", "", "", "l2d.stall_cycles"},
            {"l2d.merges", "", "", "", "l2d.stall_merges_cycles"},
            {"l2d.write_entries", "", "", small_l2d, "l2d.stall_writes_cycles"},
            {"l2d.queue_entries", "", "", to_l2d, "l1d.stall_below_cycles"},
            {"dram.read_entries", "", "", "", "dram.stall_cycles"},
            {"dram.write_entries", "", "dram.write_high=1 dram.write_low=0", small_l2d, "dram.stall_cycles"},
            {"dram.queue_entries", "", "", to_dram, "walk_unit.stall_memory_cycles"},
            {"dram.ports", "", "", "", "dram.queue_cycles"},
        };
        for (const mechanism &m : mechanisms())
            add_all(list, m.bounds);
        return list;
    }();
    return all;
}

/* Storage for later: with too little of it work is repeated, but nothing waits for room. */
inline const std::vector<bound> &capacities()
{
    static const std::vector<bound> all = [&] {
        std::vector<bound> list = {
            {"cu.buffer_lines", "", "", "", ""},
            {"icache.entries", "32", "icache.ways=1", "", ""},
            {"icache.ways", "", "", "", ""},
            {"l1_tlb.entries", "1", "l1_tlb.ways=1", "", ""},
            {"l1_tlb.ways", "", "", "", ""},
            {"l2_tlb.entries", "1", "l2_tlb.ways=1", "", ""},
            {"l2_tlb.ways", "", "", "", ""},
            {"l2_tlb.fills", "1", "l1_tlb.victims=pass", "", ""},
            {"iommu_tlb.tlb1_entries", "", "", "", ""},
            {"iommu_tlb.tlb2_entries", "", "iommu_tlb.tlb2_ways=1", "", ""},
            {"iommu_tlb.tlb2_ways", "", "", "", ""},
            {"walk_unit.pwc_l5", "", "", "", ""},
            {"walk_unit.pwc_l4", "", "", "", ""},
            {"walk_unit.pwc_l3", "", "", "", ""},
            {"walk_unit.pwc_l2", "", "", "", ""},
            {"walk_unit.pwc_ways", "1", "", "", ""},
            {"walk_unit.pte_cache_bytes", "64", "", "", ""},
            {"walk_unit.pte_cache_ways", "1", "walk_unit.pte_cache_bytes=64", "", ""},
            {"l1d.bytes", "", "l1d.ways=1", "", ""},
            {"l1d.ways", "", "", "", ""},
            {"l2d.bytes", "", "l2d.ways=1", "", ""},
            {"l2d.ways", "", "", "", ""},
        };
        for (const mechanism &m : mechanisms())
            add_all(list, m.capacities);
        return list;
    }();
    return all;
}

/* Neither, although they do not count time. */
inline const std::map<std::string, const char *> &no_bounds()
{
    static const std::map<std::string, const char *> all = [&] {
        std::map<std::string, const char *> list = {
            {"gpu.cus", "how many there are of the whole"},
            {"dispatcher.shares", "into how many the whole is split"},
            {"cu.unknown_use", "a distance in the program"},
            {"cu.line_instructions", "how much code there is"},
            {"icache.shared_by", "how many there are of the whole"},
            {"icache.code_pa", "where an address lies"},
            {"l1_tlb.shared_by", "how many there are of the whole"},
            {"l2_tlb.shared_by", "how many there are of the whole"},
            {"iommu_tlb.shared_by", "how many there are of the whole"},
            {"walk_unit.shared_by", "how many there are of the whole"},
            {"cu.lds_granule", "where an address lies"},
            {"lds.word_bytes", "where an address lies"},
            {"dram.channels", "where an address lies"},
            {"dram.ranks", "where an address lies"},
            {"dram.banks", "where an address lies"},
            {"dram.groups", "where an address lies"},
            {"dram.bursts", "how much of the bus a line takes"},
            {"dram.row_bytes", "where an address lies"},
            {"dram.write_high", "when to turn to writes; write_entries is the bound"},
            {"dram.write_low", "when to turn back"},
            {"dram.hit_cap", "who goes first"},
            {"address_space.memory_bytes", "where an address lies"},
            {"address_space.spaces", "one address space or several"},
            {"address_space.table_pa", "where an address lies"},
            {"address_space.data_pa", "where an address lies"},
        };
        for (const mechanism &m : mechanisms())
            list.insert(m.no_bounds.begin(), m.no_bounds.end());
        return list;
    }();
    return all;
}

/* Units of what neither waits nor passes. */
inline const std::set<std::string> &harmless_units()
{
    static const std::set<std::string> all = {"cycles", "memory cycles", "ps", "bits", "levels",
                                              "1",      "4 KiB frames"};
    return all;
}

struct declared_parameter {
    std::string name, unit;
    uint64_t least = 0, most = 0, value = 0;
    bool number = false; /* otherwise a choice or a flag */
};

class parameter_list final : public param_visitor
{
public:
    parameter_list() { visit_all(*this); }
    std::map<std::string, declared_parameter> all;

    void begin(const char *section, const char *) override { section_ = std::string(section) + "."; }
    void end() override { section_.clear(); }
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        all[section_ + key] = {section_ + key, info.unit, info.min, info.max, value, true};
    }
    using param_visitor::number;
    void groups(const char *key, unit_groups &value, const param_info &info) override
    {
        all[section_ + key] = {section_ + key, info.unit, info.min, info.max, value.number(), true};
    }
    void choice(const char *key, uint8_t &, const choice_names &, const param_info &) override
    {
        all[section_ + key].name = section_ + key;
    }
    void flag(const char *key, bool &, const param_info &) override
    {
        all[section_ + key].name = section_ + key;
    }

private:
    std::string section_;
};

inline std::string section_of(const std::string &name)
{
    return name.substr(0, name.find('.'));
}

/* Settings that put b at its tightest. */
inline std::string tight(const bound &b)
{
    static const parameter_list list;
    return " " + b.needs + " " + b.name + "=" +
           (b.tightest.empty() ? std::to_string(list.all.at(b.name).least) : b.tightest);
}

} // namespace walkway::test

#endif
