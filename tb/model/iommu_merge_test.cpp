/* SPDX-License-Identifier: MIT */
/* The PTE-line cache with merging: a read of a line that another walker is reading joins that read. */
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t lookup = 3;

/* Two walkers, no page-walk caches: each walk reads a line at every level. */
iommu_params merging(bool merge = true, uint32_t walkers = 2)
{
    iommu_params p = quick();
    p.walk.walkers = walkers;
    p.walk.pwc_l4 = p.walk.pwc_l3 = p.walk.pwc_l2 = 0;
    p.walk.pte_cache_bytes = 1536;
    p.walk.pte_cache_cycles = lookup;
    p.walk.pte_cache_merge = merge;
    return p;
}

constexpr uint64_t cold = 10 + miss_time + 4 * (lookup + read_time);

} // namespace

BOOST_AUTO_TEST_SUITE(merged_reads)

BOOST_DATA_TEST_CASE(two_walkers_that_want_one_line_at_once_read_it_once_when_reads_merge,
                     data::make({false, true}), merge)
{
    iommu_rig r(merging(merge));
    r.rows({{10, base_va, cold + way_up}, {10, base_va + 4096, cold + way_up}});
    BOOST_TEST(r.dut.stats().walks_started == 2u);
    BOOST_TEST(r.dut.stats().pte_reads == (merge ? 4u : 8u));
    BOOST_TEST(r.dut.stats().pte_reads_merged == (merge ? 4u : 0u));
    BOOST_TEST(r.dut.stats().pte_cache_hits == 0u);
    BOOST_TEST(r.memory.taken.size() == (merge ? 4u : 8u));
}

BOOST_AUTO_TEST_CASE(who_joins_late_has_the_line_when_it_arrives)
{
    iommu_rig r(merging());
    const auto q = r.rows({{10, base_va, cold + way_up}, {15, base_va + 4096, cold + way_up}});
    BOOST_TEST(spent(*q[0], "walk_l4") == cycle(read_time));
    BOOST_TEST(spent(*q[1], "walk_l4") == cycle(read_time - 5)); /* then both proceed together */
    BOOST_TEST(spent(*q[1], "walk_l3") == cycle(read_time));
    BOOST_TEST(spent(*q[1], "walk_cache") == cycle(4 * lookup));
}

/* The lookup takes longer than the rest of the read: the joined line waits for it. */
BOOST_AUTO_TEST_CASE(who_joins_has_the_line_no_sooner_than_its_own_lookup_ends)
{
    iommu_params p = merging();
    p.walk.pte_cache_cycles = 30;
    iommu_rig r(p);
    const uint64_t level_4 = 10 + miss_time + 30 + read_time, late = level_4 - 10; /* its walk starts */
    const uint64_t end = 10 + miss_time + 4 * (30 + read_time);
    const auto q = r.rows({{10, base_va, end + way_up}, {late - miss_time, base_va + 4096, end + way_up}});
    BOOST_TEST(spent(*q[1], "walk_l4") == 0u);
    BOOST_TEST(spent(*q[1], "walk_l3") == cycle(read_time - 20)); /* from late + 60 to level_4 + 95 */
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
    BOOST_TEST(r.dut.stats().pte_reads_merged == 4u);
}

BOOST_AUTO_TEST_CASE(a_line_is_kept_for_those_who_come_after_it)
{
    iommu_rig r(merging());
    r.rows({{10, base_va, cold + way_up},
            {10, base_va + 4096, cold + way_up},
            {1000, base_va + 2 * 4096, 1000 + miss_time + 4 * lookup + way_up}});
    BOOST_TEST(r.dut.stats().pte_cache_hits == 4u);
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
}

BOOST_AUTO_TEST_CASE(each_of_three_that_share_a_read_takes_its_own_entry_or_its_own_fault)
{
    iommu_rig r(merging(true, 3));
    const uint64_t last = base_va + (63 << 12), hole = base_va + (64 << 12); /* lines 56..63 and 64..71 */
    const auto q =
        r.rows({{10, hole, cold + way_up}, {10, hole + 4096, cold + way_up}, {10, last, cold + way_up}});
    BOOST_TEST(q[0]->fault);
    BOOST_TEST(q[1]->fault);
    BOOST_TEST(!q[2]->fault);
    BOOST_TEST(r.dut.stats().pte_reads == 5u); /* one for each of the upper three lines, two at the leaf */
    BOOST_TEST(r.dut.stats().walks_faulted == 2u);
}

BOOST_AUTO_TEST_CASE(a_rung_without_walk_time_has_no_reads_in_flight_to_join)
{
    iommu_params p = merging();
    p.walk.zero_walk = true;
    iommu_rig r(p);
    const uint64_t end = 10 + miss_time + 4 * lookup + way_up;
    r.rows({{10, base_va, end}, {10, base_va + 4096, end}});
    BOOST_TEST(r.dut.stats().pte_reads_merged == 0u);
}

/* Random nearby pages, and a memory that takes one read at a time: sharing changes no answer. With full
 * coalescing no walker starts under another's read, so nothing can merge. */
BOOST_DATA_TEST_CASE(random_neighbours_all_get_their_own_translation_from_shared_reads,
                     data::xrange(3) * data::make({2u, 8u}) * data::make({64u, 1536u}), mode, walkers, bytes)
{
    iommu_params p = merging(true, walkers);
    p.walk.coalesce = static_cast<uint8_t>(mode);
    p.walk.pte_cache_bytes = bytes;
    p.walk.buffer_entries = 6;
    iommu_rig r(p, numbers_of<address_space_params>(), 1);
    r.memory.max_outstanding = 3;
    r.ask_neighbours(66);
    r.check_neighbours();
    const walk_unit_stats &s = r.dut.stats();
    BOOST_TEST(s.steps[1] + s.steps[2] + s.steps[3] + s.steps[4] ==
               s.pte_reads + s.pte_cache_hits + s.pte_reads_merged);
    BOOST_TEST((s.pte_reads_merged > 0u) == (mode != WW_COALESCE_FULL));
    BOOST_TEST(r.memory.taken.size() == s.pte_reads);
    BOOST_TEST(r.dut.live() == 0u);
    BOOST_TEST(r.dut.busy_walkers() == 0u);
}

BOOST_AUTO_TEST_CASE(merging_without_a_cache_is_refused)
{
    iommu_params p = merging();
    p.walk.pte_cache_bytes = 0;
    BOOST_TEST(p.validate() == "pte_cache_merge = true without a PTE-line cache (pte_cache_bytes = 0)");
}

/* Reads before a walk's last pass that cache, and join already. */
BOOST_AUTO_TEST_CASE(merging_of_directory_reads_is_refused_where_they_join_already)
{
    iommu_params p = merging();
    p.walk.pwc_merge = true;
    BOOST_TEST(
        p.validate() ==
        "pwc_merge has no effect with pte_cache_merge = true: reads before a walk's last join already");
    p.walk.pte_cache_merge = false;
    BOOST_TEST(p.validate() == "");
}

/* All reads join then, so none takes its turn; past the cache, those of the last level do. */
BOOST_AUTO_TEST_CASE(in_turn_is_refused_where_every_read_joins)
{
    iommu_params p = merging();
    p.walk.line_reads = 1;
    BOOST_TEST(p.validate() ==
               "line_reads = in_turn has no effect with pte_cache_merge = true and "
               "pte_cache_holds = all: every read of a line that is being read joins that read");
    p.walk.pte_cache_holds = 1;
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_SUITE_END()
