/* SPDX-License-Identifier: MIT */
/* A walker that reads ahead: the small table of an NVIDIA directory entry together with the big one, and what
 * follows a hashed table's slot; lines that are used, lines that are not, and lines that memory refuses. */
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

address_space_params tables(const char *format, uint8_t page = 0)
{
    address_space_params a = numbers_of<address_space_params>();
    a.table.choose(format);
    a.table.set("page_tables", 1);
    a.page = page;
    return a;
}

iommu_params ahead(bool on = true, uint8_t page_shift = WW_PAGE_4K)
{
    iommu_params p = quick();
    p.tlb.page_sizes = 1u << page_shift;
    p.walk.read_ahead = on;
    return p;
}

constexpr uint64_t start = 10 + miss_time, end = way_up;

} // namespace

/* Six reads of v2, including the big and the small one: all in turn, or these two at once. */
BOOST_DATA_TEST_CASE(both_tables_are_read_at_once, data::xrange(2), on)
{
    iommu_rig r(ahead(on != 0), tables("nvidia_v2"));
    const auto q = r.rows({{10, base_va, start + (on != 0 ? 5 : 6) * read_time + end}});
    BOOST_TEST(spent(*q[0], "walk_big") == cycle(read_time));
    BOOST_TEST(spent(*q[0], "walk_l1") == cycle(on != 0 ? 0 : read_time));
    BOOST_TEST(r.memory.taken.size() == 6u);
    BOOST_TEST(r.dut.stats().steps[1] == 1u);
    BOOST_TEST(r.dut.stats().steps[2] == 1u);
}

/* A page of 64 KiB ends the walk at the big entry: the line read ahead is not used, but counted. (The second
 * walk begins at PDE0, by the walk caches.) */
BOOST_AUTO_TEST_CASE(a_line_that_nobody_wants_costs_a_read_and_no_time)
{
    for (const bool on : {false, true}) {
        iommu_rig r(ahead(on, WW_PAGE_64K), tables("nvidia_v2", 1));
        r.rows({{10, base_va, start + 5 * read_time + end},
                {1000, base_va + (1 << 21), 1000 + miss_time + 2 * read_time + end}});
        BOOST_TEST(r.memory.taken.size() == (on ? 9u : 7u));
        BOOST_TEST(r.dut.stats().steps[1] == (on ? 2u : 0u));
        BOOST_TEST(r.dut.stats().walks_finished == 2u);
    }
}

/* A walk uses nothing that the previous walk read ahead, even where it could. */
BOOST_AUTO_TEST_CASE(a_walk_takes_nothing_from_the_one_before)
{
    iommu_params p = ahead();
    p.walk.pwc_l2 = 4;
    iommu_rig r(p, tables("nvidia_v2"));
    const uint64_t reads = 2; /* big and small, although the lines are the same */
    r.rows({{10, base_va, start + 5 * read_time + end},
            {1000, base_va + 4096, 1000 + miss_time + read_time + end}});
    BOOST_TEST(r.memory.taken.size() == 6 + reads);
}

/* Reads of one line take turns: the second walk has its big line after the first one's, its small line
 * before. */
BOOST_AUTO_TEST_CASE(a_line_that_comes_first_waits_for_the_other)
{
    iommu_params p = ahead();
    p.walk.walkers = 2;
    p.walk.line_reads = 1;
    iommu_rig r(p, tables("nvidia_v2"));
    r.warm(base_va);                                                   /* fills the walk caches */
    const uint64_t at = 1000, back = at + miss_time + read_time + end; /* both tables */
    r.rows({{at, base_va + (20 << 12), back}, {at, base_va + (40 << 12), back + read_time}});
}

BOOST_AUTO_TEST_CASE(an_error_counts_where_the_line_is_wanted)
{
    {
        iommu_rig r(ahead(), tables("nvidia_v2"));
        r.refuse(6); /* the small entry */
        r.rows({{10, base_va, start + 5 * read_time + end, true}});
    }
    {
        iommu_rig r(ahead(true, WW_PAGE_64K), tables("nvidia_v2", 1));
        r.refuse(6);
        r.rows({{10, base_va, start + 5 * read_time + end, false}});
    }
    {
        iommu_rig r(ahead(), tables("nvidia_v2"));
        r.refuse(5); /* the big entry */
        r.rows({{10, base_va, start + 5 * read_time + end, true}});
    }
}

/* In other tables nothing follows an empty entry. */
BOOST_AUTO_TEST_CASE(a_radix_table_has_nothing_ahead)
{
    iommu_rig r(ahead(), numbers_of<address_space_params>());
    r.rows({{10, base_va, start + 4 * read_time + end}});
    BOOST_TEST(r.memory.taken.size() == 4u);
}

/* Walkers share lines, coalesce, and look lines up in a cache: every request has its own translation. */
BOOST_DATA_TEST_CASE(everybody_gets_his_own_translation,
                     data::make({"nvidia_v2", "nvidia_v3", "hashed", "hashed_stepless"}) * data::xrange(3) *
                         data::xrange(4),
                     format, coalesce, lines)
{
    iommu_params p = ahead();
    p.walk.walkers = 3;
    p.walk.coalesce = static_cast<uint8_t>(coalesce);
    p.walk.pwc_l2 = 2;
    p.walk.line_reads = lines == 1 ? 1 : 0;
    p.walk.pwc_merge = lines == 2;
    p.walk.pte_cache_bytes = lines == 3 ? 256 : 0;
    p.walk.pte_cache_merge = lines == 3;
    address_space_params a = tables(format);
    a.slots_percent = 100;
    iommu_rig r(p, a);
    r.ask_neighbours(80);
    r.check_neighbours();
    BOOST_TEST(r.dut.stats().pte_reads + r.dut.stats().pte_cache_hits + r.dut.stats().pte_reads_merged >
               100u);
}
