/* SPDX-License-Identifier: MIT */
/* The mmu: each compute unit has its own walker with one walk at a time, which no other unit waits for; every
 * parameter of its walk units has an effect; and its table of numbers names parameters and values. */
#include "model/params/tlb.hpp"
#include "platforms/gpu_params.hpp"
#include "tb/platform/machines.hpp"
#include "tb/platform/parameter_rows.hpp"
#include "translate/tlb_stores.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

struct walk_row {
    std::string name, value; /* with its section */
    enum stimulus stimulus;
    std::string base;
};
std::ostream &operator<<(std::ostream &out, const walk_row &row)
{
    return out << row.name << "=" << row.value;
}

std::vector<walk_row> walk_rows()
{
    using s = stimulus;
    const std::string one = "gpu.cus=1 ", merge = "walk_unit.pte_cache_bytes=1024 walk_unit.walkers=8 ";
    const std::string two = "gpu.cus=2 walk_unit.shared_by=2 l2_tlb.entries=64 l2_tlb.ways=4 ",
                      few = "l1_tlb.entries=4 l1_tlb.ways=4 ";
    std::vector<walk_row> rows = {
        {"walk_unit.shared_by", "2", s::rows, "gpu.cus=2"},
        {"walk_unit.order", "arrival", s::rows,
         "gpu.cus=4 walk_unit.shared_by=4 walk_unit.buffer_entries=1 walk_unit.backlog_entries=0"},
        {"walk_unit.walk_queue_entries", "1", s::rows, one + "walk_unit.buffer_entries=1 l1_tlb.ports=64 "},
        {"walk_unit.backlog_entries", "100", s::rows, one + "walk_unit.buffer_entries=1"},
        {"walk_unit.buffer_entries", "1", s::rows, one},
        {"walk_unit.fault_entries", "1", s::rows, one + "address_space.map=first_touch"},
        {"walk_unit.walkers", "2", s::rows, one},
        {"walk_unit.coalesce", "full", s::rows, one},
        {"walk_unit.schedule", "sjf", s::scatter,
         one + "walk_unit.pwc_l2=1"}, /* without a cache all walks have one length */
        {"walk_unit.pwc_l5", "1", s::wide5, one + "address_space.levels=5"},
        {"walk_unit.pwc_l4", "1", s::wide, one},
        {"walk_unit.pwc_l3", "8", s::wide, one},
        {"walk_unit.pwc_l2", "32", s::rows, one},
        {"walk_unit.pwc_ways", "1", s::rows, one + "walk_unit.pwc_l2=4"},
        {"walk_unit.pwc_index", "xor", s::wide, one + "walk_unit.pwc_l2=32 walk_unit.pwc_ways=1"},
        {"walk_unit.pwc_merge", "true", s::rows, one + "walk_unit.walkers=8"},
        {"walk_unit.pwc_ideal", "true", s::rows, one},
        {"walk_unit.pwc_cycles", "9", s::rows, one},
        {"walk_unit.step_cache", "0", s::wide, one + "address_space.table=hashed"},
        {"walk_unit.pte_cache_bytes", "1024", s::rows, one},
        {"walk_unit.pte_cache_ways", "1", s::rows, one + "walk_unit.pte_cache_bytes=1024"},
        {"walk_unit.pte_cache_cycles", "9", s::rows, one + "walk_unit.pte_cache_bytes=1024"},
        {"walk_unit.pte_cache_merge", "true", s::rows, one + merge},
        {"walk_unit.pte_cache_holds", "inner", s::rows, one + "walk_unit.pte_cache_bytes=1024"},
        {"walk_unit.read_cycles", "60", s::rows, one},
        {"walk_unit.reply_cycles", "9", s::rows, one},
        {"walk_unit.ideal_read_cycles", "5", s::rows, one + "translation.ideal=zero_walk"},
        {"walk_unit.line_reads", "in_turn", s::rows, one + "walk_unit.walkers=4"},
        {"walk_unit.match_cycles", "50", s::rows, one + "walk_unit.walkers=4"},
        {"walk_unit.response_cycles", "9", s::rows, one},
        {"walk_unit.walk_path", "dram", s::rows, one},
        {"l2_tlb.shared_by", "1", s::same, two},
        {"l2_tlb.order", "arrival", s::rows, two + "l2_tlb.mshrs=2"},
        {"l2_tlb.entries", "128", s::rows, two},
        {"l2_tlb.ways", "1", s::wide, two},
        {"l2_tlb.index", "xor", s::reuse, two + few},
        {"l2_tlb.replace", "random", s::wide, two + few},
        {"l2_tlb.hit_cycles", "9", s::rows, two},
        {"l2_tlb.ports", "1", s::same, two},
        {"l2_tlb.mshrs", "2", s::rows, two},
        {"l2_tlb.merges", "1", s::same, two + "l2_tlb.mshrs=4"},
        {"l2_tlb.queue_entries", "1", s::rows, two + "l2_tlb.mshrs=1"},
        {"l2_tlb.response_cycles", "9", s::rows, two},
        {"l2_tlb.link_cycles", "9", s::rows, two},
        {"l2_tlb.size_probe_cycles", "9", s::rows, two + "address_space.page=mixed"},
        {"l2_tlb.seed", "7", s::wide, two + few + "l2_tlb.replace=random"},
        {"l2_tlb.fills", "4", s::rows, two + few + "l1_tlb.victims=pass"},
    };
    for (const mechanism &m : mechanisms()) /* stores of an L2 TLB, and their keys */
        for (const parameter_row &row : m.rows)
            if (row.name == "l2_tlb.store" ||
                (row.name.compare(0, 7, "l2_tlb.") == 0 && is_store_key(row.name.substr(7))))
                rows.push_back({row.name, row.value, row.stimulus, two + few + row.base});
    return rows;
}

outcome run_mmu(const std::string &settings, stimulus s)
{
    return run_machine({"mmu-hpca14", settings}, stimulus_trace(s));
}

} // namespace

BOOST_AUTO_TEST_SUITE(machine_with_a_walker_in_each_unit)

BOOST_AUTO_TEST_CASE(every_parameter_of_its_walk_units_and_second_TLB_has_a_row)
{
    gpu_machine_params p = shipped<mmu_machine>();
    param_setter all;
    p.visit(all);
    std::set<std::string> declared, rows;
    for (const std::string &name : all.names)
        if (name.compare(0, 10, "walk_unit.") == 0 || name.compare(0, 7, "l2_tlb.") == 0)
            declared.insert(name);
    for (const walk_row &row : walk_rows())
        rows.insert(row.name);
    for (const mechanism &m : mechanisms()) /* whose rows are tested on the apu */
        for (const parameter_row &row : m.rows)
            if (declared.count(row.name) != 0)
                rows.insert(row.name);
    BOOST_TEST(declared == rows, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(another_value_of_such_a_parameter_changes_the_outcome, data::make(walk_rows()))
{
    const outcome before = run_mmu(sample.base, sample.stimulus);
    const outcome after = run_mmu(sample.base + " " + sample.name + "=" + sample.value, sample.stimulus);
    BOOST_TEST((before.end == run_end::complete), before.stuck);
    BOOST_TEST((after.end == run_end::complete), after.stuck);
    BOOST_TEST((before.stats != after.stats));
    for (const law &l : after.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
}

BOOST_AUTO_TEST_CASE(its_coalescers_take_the_time_of_32_lanes)
{
    const auto with = [](const char *lanes) {
        return run_mmu(std::string("gpu.cus=1 coalescer.lanes_per_cycle=") + lanes, stimulus::same).stats;
    };
    BOOST_TEST((with("32") == with("64")));
    BOOST_TEST((with("16") != with("32")));
}

/* A unit walks one page at a time, units walk in parallel, and no unit waits for another's walks. */
BOOST_AUTO_TEST_CASE(each_unit_has_a_walk_at_a_time_and_waits_for_its_own_only)
{
    const auto busy = [](const outcome &o) {
        return static_cast<double>(o.count("walk_unit.walker_busy_ps")) / 714.0 /
               static_cast<double>(o.cycles);
    };
    const outcome one = run_mmu("gpu.cus=1", stimulus::rows), eight = run_mmu("gpu.cus=8", stimulus::rows);
    BOOST_TEST(busy(one) > 0.9);
    BOOST_TEST(busy(one) <= 1.0);
    BOOST_TEST(busy(eight) > 4.0);
    BOOST_TEST(busy(eight) <= 8.0);
    BOOST_TEST(eight.cycles < one.cycles / 4);
}

/* Nothing is kept between a translation's TLB and its walk: each unit that needs a page walks it once, with
 * all four reads. */
BOOST_AUTO_TEST_CASE(units_share_no_translations_and_walks_no_reads)
{
    const outcome o = run_mmu("gpu.cus=2", stimulus::same), alone = run_mmu("gpu.cus=1", stimulus::same);
    BOOST_TEST(o.count("walk_unit.walks_started") == 2 * alone.count("walk_unit.walks_started"));
    BOOST_TEST(o.count("walk_unit.pte_reads") == 4 * o.count("walk_unit.walks_started"));
    BOOST_TEST(o.count("l2d.reads") == o.count("l1d.read_misses") + o.count("walk_unit.pte_reads"));
}

BOOST_AUTO_TEST_CASE(its_numbers_are_those_of_its_table_and_others_are_inherited)
{
    gpu_machine_params p = shipped<mmu_machine>();
    const auto origins = read_machine("mmu-hpca14", [&p](param_visitor &v) { p.visit(v); });
    for (const auto &[name, from] : origins)
        if (from.whose.empty())
            for (const char *other : {"[M18]", "[M21]", "[P20]", "[P24]"})
                BOOST_TEST(from.text.find(other) == std::string::npos, name << ": " << from.text);
    BOOST_TEST((origins.at("l1_tlb.entries").kind == origin_kind::paper));
    BOOST_TEST((origins.at("gpu.clock_ps").kind == origin_kind::derived));
    BOOST_TEST((origins.at("l1_tlb.merges").kind == origin_kind::chosen));
    BOOST_TEST(origins.at("l1_tlb.merges").whose == "apu-micro18");
    BOOST_TEST(p.path.params<tlb_params>("l1_tlb").entries == 128u);
    BOOST_TEST(p.cu.lanes() == 32u);
    BOOST_TEST(p.path.params<walk_unit_params>("walk_unit").walkers == 1u);
    BOOST_TEST(p.memory_end() == uint64_t{2} << 30);
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_SUITE_END()
