/* SPDX-License-Identifier: MIT */
/* Victim TLBs in the apu: what they spare the L2 TLB, which units share one, and where their victims are
 * sent. */
#include "model/victim_tlb.hpp"
#include "tb/platform/apu_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Each wave walks its rows twice: more pages than an L1 TLB of 16 holds, fewer than that and a victim TLB. */
const trace &rows_twice()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 4, 4, 16384);
        for (group_spec &g : spec.launches[0].groups) {
            const auto once = g[0].records;
            g[0].records.insert(g[0].records.end(), once.begin(), once.end());
        }
        return spec;
    }());
    return t;
}

const std::string small = "l1_tlb.entries=16 l1_tlb.ways=16 ";

outcome of(const std::string &settings)
{
    const outcome o = run_apu(configured(small + settings), rows_twice());
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

unsigned groups_of(const std::string &settings)
{
    simulation sim;
    gpu_machine machine(configured(settings), rows_twice().reader());
    return static_cast<unsigned>(machine.top().level_blocks<victim_tlb>("victim").size());
}

} // namespace

BOOST_AUTO_TEST_SUITE(victim_tlbs)

BOOST_AUTO_TEST_CASE(what_hits_in_them_is_spared_the_l2_tlb)
{
    const outcome without = of(""), with = of("victim.entries=1024");
    BOOST_TEST(with.count("victim.hits") > 0u);
    BOOST_TEST(with.count("l2_tlb.lookups") == with.count("l1_tlb.misses") - with.count("victim.hits"));
    BOOST_TEST(with.count("l2_tlb.lookups") < without.count("l2_tlb.lookups"));
    BOOST_TEST(with.count("coalescer.lines") == without.count("coalescer.lines"));
    BOOST_TEST(with.cycles < without.cycles);
}

BOOST_AUTO_TEST_CASE(absent_they_leave_no_trace_in_the_statistics)
{
    for (const auto &stat : of("victim.entries=0 victim.hit_cycles=90").stats)
        BOOST_TEST(stat.first.find("victim_") == std::string::npos, stat.first);
    BOOST_TEST(of("").stats.count("victim.lookups") == 0u);
}

BOOST_AUTO_TEST_CASE(so_many_compute_units_share_one)
{
    BOOST_TEST(groups_of("") == 0u);
    BOOST_TEST(groups_of("victim.entries=8") == 2u);
    BOOST_TEST(groups_of("victim.entries=8 victim.shared_by=3") == 3u);
    BOOST_TEST(groups_of("victim.entries=8 victim.shared_by=250") == 1u);
    BOOST_TEST(groups_of("victim.entries=8 translation.ideal=perfect_l1") == 0u);
}

BOOST_AUTO_TEST_CASE(what_leaves_them_is_dropped_or_passed_to_the_l2_tlb)
{
    const std::string tiny = "victim.entries=8 l2_tlb.fills=4 victim.victims=";
    const outcome dropped = of(tiny + "drop"), passed = of(tiny + "pass");
    BOOST_TEST(dropped.count("victim.fills_received") > 0u);
    BOOST_TEST(dropped.count("victim.evictions") > 0u);
    BOOST_TEST(dropped.count("l2_tlb.fills_received") == 0u);
    BOOST_TEST(passed.count("l2_tlb.fills_received") > 0u);
}

BOOST_AUTO_TEST_CASE(a_wrong_shape_is_refused_under_the_name_of_the_section)
{
    BOOST_TEST(configured("victim.entries=12 victim.ways=8").validate() ==
               "victim: entries / ways is not a power of two: entries = 8 or 16 would be");
}

/* The estimate of host memory includes a victim TLB: tags, and queues on both sides. */
BOOST_AUTO_TEST_CASE(the_estimate_of_memory_counts_them)
{
    const auto bytes = [](const std::string &settings) { return configured(settings).memory_bytes({}); };
    const uint64_t narrow = bytes("victim.entries=65536 victim.ways=64 victim.queue_entries=1");
    const uint64_t wide = bytes("victim.entries=65536 victim.ways=64 victim.queue_entries=1001");
    BOOST_TEST(wide - narrow == 8u * 1000 * 16);
    BOOST_TEST(narrow > bytes("") + 2 * 65536 * 16);
}

BOOST_AUTO_TEST_SUITE_END()
