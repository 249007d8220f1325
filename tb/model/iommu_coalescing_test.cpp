/* SPDX-License-Identifier: MIT */
/* Neighbourhood-aware walking in time: which requests are held, for how long, and what that saves. */
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{
iommu_params with(uint8_t mode, uint32_t walkers = 1)
{
    iommu_params p = quick();
    p.walk.coalesce = mode;
    p.walk.walkers = walkers;
    return p;
}
constexpr uint64_t cold = 10 + miss_time + 4 * read_time;
} // namespace

BOOST_AUTO_TEST_SUITE(coalescing_in_time)

BOOST_AUTO_TEST_CASE(full_coalescing_serves_a_neighbour_by_the_same_reads)
{
    iommu_rig r(with(WW_COALESCE_FULL));
    const auto q = r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
    BOOST_TEST(r.dut.stats().walks_started == 1u);
    BOOST_TEST(r.dut.stats().walks_coalesced == 1u);
    BOOST_TEST(spent(*q[1], "held") == cycle(4 * read_time));
    BOOST_TEST(spent(*q[1], "buffer") == 0u);
}

BOOST_AUTO_TEST_CASE(without_coalescing_the_neighbour_waits_and_reads_its_own_leaf)
{
    iommu_rig r(with(WW_COALESCE_OFF));
    const auto q = r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + read_time + way_up}});
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
    BOOST_TEST(r.dut.stats().cam.reads == 0u);
    BOOST_TEST(r.dut.stats().leaf_neighbour_accesses == 1u); /* counted even so [M18 Figure 5] */
    BOOST_TEST(spent(*q[1], "held") == 0u);
}

BOOST_AUTO_TEST_CASE(leaf_coalescing_holds_the_neighbour_only_while_the_leaf_is_read)
{
    iommu_rig r(with(WW_COALESCE_LEAF));
    const auto q = r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
    BOOST_TEST(spent(*q[1], "buffer") == cycle(3 * read_time));
    BOOST_TEST(spent(*q[1], "held") == cycle(read_time));
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
}

BOOST_AUTO_TEST_CASE(with_a_second_walker_leaf_coalescing_does_not_hold_back_who_can_start)
{
    iommu_rig r(with(WW_COALESCE_LEAF, 2));
    r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
    BOOST_TEST(r.dut.stats().walks_started == 2u);
    BOOST_TEST(r.dut.stats().pte_reads == 8u);
}

BOOST_AUTO_TEST_CASE(with_a_second_walker_full_coalescing_holds_the_neighbour_from_the_start)
{
    iommu_rig r(with(WW_COALESCE_FULL, 2));
    r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
    BOOST_TEST(r.dut.stats().walks_started == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
}

/* The next 2 MiB region shares the lines of levels 4, 3 and 2, but not the leaf's. */
BOOST_AUTO_TEST_CASE(partial_coalescing_brings_a_cousin_to_its_leaf_without_a_walker)
{
    iommu_rig r(with(WW_COALESCE_FULL, 2));
    const uint64_t upper = 10 + miss_time + 3 * read_time;
    const auto q =
        r.rows({{10, base_va, cold + way_up}, {10, base_va + (1 << 21), upper + read_time + way_up}});
    BOOST_TEST(spent(*q[1], "held") == cycle(3 * read_time));
    BOOST_TEST(spent(*q[1], "walk_l1") == cycle(read_time));
    BOOST_TEST(r.dut.stats().partial_coalesced == 3u);
    BOOST_TEST(r.dut.stats().partial_starts == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
}

BOOST_AUTO_TEST_CASE(a_cousin_that_is_set_free_still_waits_for_the_only_walker)
{
    iommu_rig r(with(WW_COALESCE_FULL));
    const auto q =
        r.rows({{10, base_va, cold + way_up}, {10, base_va + (1 << 21), cold + read_time + way_up}});
    BOOST_TEST(spent(*q[1], "held") == cycle(3 * read_time));
    BOOST_TEST(spent(*q[1], "buffer") == cycle(read_time));
}

BOOST_AUTO_TEST_CASE(who_arrives_while_the_line_is_on_its_way_is_held_from_its_arrival)
{
    iommu_rig r(with(WW_COALESCE_FULL));
    const uint64_t late = cold - read_time + 5; /* in the buffer 25 cycles after the leaf read began */
    const auto q = r.rows({{10, base_va, cold + way_up}, {late, base_va + 4096, cold + way_up}});
    BOOST_TEST(spent(*q[1], "held") == cycle(cold - late - miss_time));
}

BOOST_AUTO_TEST_CASE(eight_neighbours_come_back_in_one_cycle_and_the_ninth_page_walks)
{
    iommu_params p = with(WW_COALESCE_FULL);
    p.tlb.ports = 16;
    iommu_rig r(p);
    std::vector<iommu_rig::want> list;
    for (uint64_t n = 0; n < 8; ++n)
        list.push_back({10, base_va + n * 4096, cold + way_up});
    list.push_back({10, base_va + 8 * 4096, cold + read_time + way_up});
    r.rows(list);
    BOOST_TEST(r.dut.stats().walks_per_read.max() == 8u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
}

BOOST_AUTO_TEST_CASE(a_missing_neighbour_gets_its_fault_from_the_same_line)
{
    iommu_params p = with(WW_COALESCE_FULL);
    iommu_rig r(p);
    const uint64_t last =
        base_va + (63 << 12); /* pages 64.. of the region are not mapped; 56..63 are one line */
    const uint64_t hole = base_va + (64 << 12);
    const auto q = r.rows(
        {{10, hole, cold + way_up}, {10, hole + 4096, cold + way_up}, {10, last, cold + read_time + way_up}});
    BOOST_TEST(q[0]->fault);
    BOOST_TEST(q[1]->fault);
    BOOST_TEST(!q[2]->fault);
    BOOST_TEST(r.dut.stats().coalesced_faults == 1u);
    BOOST_TEST(r.dut.stats().walks_faulted == 1u);
}

/* Entering the buffer is a search and a write; a walk's start, its steps and its end change the service
 * table; each line is a search of the buffer. docs/model/energy.md */
BOOST_AUTO_TEST_CASE(each_search_and_each_changed_entry_of_the_cam_is_counted)
{
    {
        iommu_rig r(with(WW_COALESCE_FULL));
        r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
        BOOST_TEST(r.dut.stats().cam.reads == 2u + 1 + 4 + 3); /* entered, taken, lines, levels */
        /* entered; the walk's start and the other's CL; three levels, the other's PL and PA at each; its end
         */
        BOOST_TEST(r.dut.stats().cam.writes == 2u + (1 + 1) + 3 * (1 + 1) + 1);
    }
    {
        iommu_rig r(with(WW_COALESCE_LEAF));
        r.rows({{10, base_va, cold + way_up}, {10, base_va + (8 << 12), cold + read_time + way_up}});
        /* leaf: nothing is shared, but the table is kept; the second walk has one read */
        BOOST_TEST(r.dut.stats().cam.writes == 2u + (1 + 3 + 1) + (1 + 1));
    }
    iommu_rig r(with(WW_COALESCE_FULL, 2));
    const uint64_t leaf = 10 + miss_time + 3 * read_time + read_time + way_up;
    r.rows({{10, base_va, cold + way_up}, {10, base_va + (1 << 21), leaf}});
    /* as the first, but the cousin loses its CL with the step to level 1, and walks */
    BOOST_TEST(r.dut.stats().cam.writes == 2u + (1 + 1) + 3 * (1 + 1) + 1 + 1 + (1 + 1));
}

/* One walker and a buffer of one entry: the second request waits in it, the others in the backlog. */
BOOST_AUTO_TEST_CASE(walk_latency_is_backlog_and_buffer_and_walker)
{
    iommu_params p = with(WW_COALESCE_FULL);
    p.walk.buffer_entries = 1;
    iommu_rig r(p);
    const uint64_t walk = 4 * read_time;
    r.rows({{10, base_va, 30 + walk + way_up},
            {10, base_va + 4096, 30 + walk + way_up}, /* enters the buffer as the first leaves: coalesced */
            {10, base_va + far_va, 30 + 2 * walk + way_up},
            {10, base_va + far_va + 4096, 30 + 2 * walk + way_up}});
    const walk_unit_stats &s = r.dut.stats();
    BOOST_TEST(s.walk_latency.sum() == walk + walk + 2 * walk + 2 * walk);
    BOOST_TEST(s.backlog_latency.sum() == 0u + 0 + walk + walk);
    BOOST_TEST(s.buffer_latency.sum() == 0u + walk + 0 + walk);
    BOOST_TEST(s.service_latency.sum() == 2 * walk);
    BOOST_TEST(s.backlog_latency.count() == 4u);
    BOOST_TEST(s.buffer_latency.count() == 4u);
    BOOST_TEST(s.service_latency.count() == 2u);
}

/* Random nearby pages: whatever is shared, each gets its own translation and each walk is counted. */
BOOST_DATA_TEST_CASE(random_neighbours_all_get_their_own_translation,
                     data::xrange(3) * data::xrange(ww_sched_count) * data::make({1u, 3u}), mode, schedule,
                     walkers)
{
    iommu_params p = with(static_cast<uint8_t>(mode), walkers);
    p.walk.schedule.choose(ww_scheds[schedule]->name);
    p.walk.buffer_entries = 6;
    if (walkers == 1 && p.walk.schedule.kind().name == std::string("dws")) /* it requires more walkers */
        return;
    BOOST_TEST_REQUIRE(p.walk.validate() == "");
    iommu_rig r(p);
    r.ask_neighbours(66, 9, 4);
    r.check_neighbours();
    const walk_unit_stats &s = r.dut.stats();
    BOOST_TEST(s.requests == s.walks_started + s.walks_coalesced + s.coalesced_faults);
    BOOST_TEST(s.walks_started == s.walks_finished + s.walks_faulted);
    BOOST_TEST((mode != 0) == (s.walks_coalesced != 0));
    BOOST_TEST(r.memory.taken.size() == s.pte_reads);
    BOOST_TEST(r.dut.held() == 0u);
    BOOST_TEST(r.dut.busy_walkers() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
