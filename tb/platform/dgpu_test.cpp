/* SPDX-License-Identifier: MIT */
/* The dgpu of [P24]: its numbers are Table 1's and no other paper's; its channels have the table's bandwidth;
 * and the paper's comparison of radix and hashed tables holds on it: two reads per walk, and one. */
#include "kernels/dram/dram.h"
#include "platforms/gpu_params.hpp"
#include "tb/platform/machines.hpp"
#include "tb/platform/parameter_rows.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

outcome run_dgpu(const std::string &settings, stimulus s)
{
    outcome o = run_machine({"dgpu-pact24", settings}, stimulus_trace(s));
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

} // namespace

BOOST_AUTO_TEST_SUITE(machine_with_46_multiprocessors)

BOOST_AUTO_TEST_CASE(its_numbers_are_those_of_table_1_and_others_are_assumed)
{
    gpu_machine_params p = shipped<mmu_machine>();
    const visit_fn visit = [&p](param_visitor &v) { p.visit(v); };
    const auto origins = read_machine("dgpu-pact24", visit);
    std::map<std::string, std::string> is;
    for (const parameter &one : list_parameters(visit))
        is[one.name] = one.value;
    for (const auto &[name, from] : origins) {
        if (!from.whose.empty())
            continue;
        for (const char *other : {"[M18]", "[M21]", "[H14]", "[P20]"})
            BOOST_TEST(from.text.find(other) == std::string::npos, name << ": " << from.text);
        const bool chosen = name == "address_space.slot_moves" || name == "l2_tlb.order";
        BOOST_TEST((from.kind == origin_kind::chosen) == chosen, name);
    }
    const std::map<std::string, std::string> table_1 = {
        {"gpu.cus", "46"},
        {"l1_tlb.entries", "32"},
        {"l1_tlb.ways", "32"},
        {"l1_tlb.hit_cycles", "20"},
        {"l1_tlb.mshrs", "32"},
        {"l2_tlb.entries", "1024"},
        {"l2_tlb.ways", "16"},
        {"l2_tlb.hit_cycles", "80"},
        {"l2_tlb.mshrs", "128"},
        {"l1d.bytes", "131072"},
        {"l1d.hit_cycles", "40"},
        {"l2d.bytes", "4194304"},
        {"l2d.ways", "16"},
        {"l2d.hit_cycles", "180"},
        {"dram.channels", "16"},
        {"address_space.table", "radix"},
        {"address_space.levels", "4"},
        {"walk_unit.pwc_l4", "32"},
        {"walk_unit.pwc_l3", "32"},
        {"walk_unit.pwc_l2", "32"},
        {"walk_unit.pwc_cycles", "4"},
        {"walk_unit.step_cache", "32"},
        {"walk_unit.walkers", "16"},
    };
    for (const auto &[name, value] : table_1) {
        BOOST_TEST(is.at(name) == value, name << " is " << is.at(name));
        BOOST_TEST((origins.at(name).kind == origin_kind::paper), name);
    }
    BOOST_TEST(is.at("gpu.clock_ps") == "667"); /* 1500 MHz */
    BOOST_TEST((origins.at("dram.rcd").kind == origin_kind::assumed));
    BOOST_TEST(p.memory_end() == uint64_t{8} << 30);
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_CASE(its_memory_is_the_kernels_part_and_has_the_bandwidth_of_table_1)
{
    ww_dram_cfg part;
    ww_dram_cfg_gddr6(&part);
    const ww_dram_timing &t = part.timing;
    const dram_params p = machine_params_of("dgpu-pact24").dram;
    const std::pair<uint32_t, uint32_t> same[] = {
        {p.ranks, part.ranks},
        {p.banks, part.banks},
        {p.groups, part.groups},
        {p.bursts, part.bursts},
        {p.cl, t.cl_cycles},
        {p.cwl, t.cwl_cycles},
        {p.burst, t.burst_cycles},
        {p.rcd, t.rcd_cycles},
        {p.rcd_write, t.rcd_write_cycles},
        {p.rp, t.rp_cycles},
        {p.ras, t.ras_cycles},
        {p.rc, t.rc_cycles},
        {p.rrd, t.rrd_cycles},
        {p.rrd_group, t.rrd_group_cycles},
        {p.faw, t.faw_cycles},
        {p.ccd, t.ccd_cycles},
        {p.ccd_group, t.ccd_group_cycles},
        {p.rtp, t.rtp_cycles},
        {p.wr, t.wr_cycles},
        {p.wtr, t.wtr_cycles},
        {p.wtr_group, t.wtr_group_cycles},
        {p.rtrs, t.rtrs_cycles},
        {p.turn, t.turn_cycles},
        {p.rfc, t.rfc_cycles},
        {p.refi, t.refi_cycles},
    };
    for (const auto &[ours, kernels] : same)
        BOOST_TEST(ours == kernels);
    const double bytes_per_ps = p.channels * 64.0 / (p.bursts * p.burst * p.tck_ps);
    BOOST_TEST(bytes_per_ps * 1000 == 448.0, boost::test_tools::tolerance(0.01)); /* GB/s */
}

BOOST_AUTO_TEST_CASE(a_hashed_table_takes_one_read_where_a_radix_table_misses_its_walk_cache)
{
    /* one entry instead of 32, as so small a program needs few */
    const std::string small = "walk_unit.pwc_l2=1 walk_unit.step_cache=1 ";
    const outcome radix = run_dgpu(small, stimulus::scatter),
                  hashed = run_dgpu(small + "address_space.table=hashed", stimulus::scatter);
    const auto reads_of = [](const outcome &o) {
        return static_cast<double>(o.count("walk_unit.pte_reads")) /
               static_cast<double>(o.count("walk_unit.walks_finished"));
    };
    BOOST_TEST(reads_of(radix) > 1.3);
    BOOST_TEST(reads_of(hashed) < 1.1);
    BOOST_TEST(reads_of(hashed) >= 1.0);
    BOOST_TEST(hashed.cycles < radix.cycles);
}

BOOST_AUTO_TEST_SUITE_END()
