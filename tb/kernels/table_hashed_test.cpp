/* SPDX-License-Identifier: MIT */
/* Walks of the hashed page table, both kinds, read by read, and against a naive map. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tb/kernels/hashed_fixture.hpp"

#include <vector>

namespace bdata = boost::unit_test::data;

namespace
{
constexpr uint64_t region = UINT64_C(1) << 21, group = UINT64_C(1) << 25;

/* The first region from `va` on that has the home slot of `like`. */
uint64_t collides_with(const hashed_memory &m, uint64_t like, uint64_t va)
{
    while (ww_hashed_home(va, m.cfg.slots) != ww_hashed_home(like, m.cfg.slots))
        va += region;
    return va;
}
} // namespace

BOOST_AUTO_TEST_CASE(a_walk_reads_the_step_table_and_the_slot_and_with_the_steps_the_slot_only)
{
    hashed_memory m({false, 64, 3, 4, 8, 0x100000});
    const uint64_t va = 5 * region + 0x123456;
    m.map(va & ~UINT64_C(4095), 0xabc000, 12);
    const hashed_memory::walked cold = m.walk(va);
    const uint64_t steps_pa = 0x100000 + 64 * 4096 + ww_hstep_line(va, 4) * 64;
    BOOST_TEST((cold.reads == std::vector<uint64_t>{steps_pa, m.slot_pa(va, 0) + 0x123 * 8}));
    BOOST_TEST(cold.pa == 0xabc456u);
    const uint64_t known = m.step(ww_table_start(&m.kind, va), va);
    BOOST_TEST(ww_walk_step(known) == WW_HASHED_AT_SLOT);
    BOOST_TEST(ww_walk_from(known) == WW_HASHED_AT_STEPS);
    BOOST_TEST(m.walk(va, known).reads.size() == 1u);
    BOOST_TEST(m.walk(UINT64_C(1) << 48).why == WW_WHY_ADDRESS);
}

/* The steps read for one address of a group serve all its others. */
BOOST_AUTO_TEST_CASE(a_region_that_collides_lies_a_stride_farther_and_its_group_knows)
{
    hashed_memory m({false, 16, 5, 4, 8, 0x100000});
    const uint64_t first = 40 * group, second = collides_with(m, first, 41 * group);
    m.map(first, 0x1000, 12);
    m.map(second, 0x2000, 12);
    BOOST_TEST(m.table.regions[0] == 1u);
    BOOST_TEST(m.table.regions[1] == 1u);
    BOOST_TEST(m.walk(second).reads.back() == m.slot_pa(second, 1));
    BOOST_TEST(m.walk(second).pa == 0x2000u);
    BOOST_TEST(m.walk(first).pa == 0x1000u);
    const uint64_t neighbour = second ^ region; /* in the same group, but absent */
    const uint64_t known = m.step(ww_table_start(&m.kind, second), second);
    BOOST_TEST(m.walk(second, m.step(ww_table_start(&m.kind, neighbour), neighbour)).pa == 0x2000u);
    BOOST_TEST(m.walk(neighbour, known).why == WW_WHY_ABSENT);
}

/* The paper's base entry has no tag: this walk would end at another region's page. */
BOOST_AUTO_TEST_CASE(an_absent_region_whose_home_is_anothers_is_absent)
{
    hashed_memory m({false, 16, 1, 4, 8, 0x100000});
    const uint64_t there = 64 * group;
    m.map(there, 0x7000, 12);
    uint64_t absent = collides_with(m, there, 65 * group);
    m.map((absent & ~(group - 1)) + (absent % group == 0 ? region : 0), 0x9000, 12); /* its group has steps */
    const hashed_memory::walked w = m.walk(absent);
    BOOST_TEST(w.why == WW_WHY_ABSENT);
    BOOST_TEST(w.reads.size() == 3u); /* step table, slot, root of the victim buffer */
    BOOST_TEST(w.reads.back() == ww_radix_root_pa(&m.table.victims) + ww_index(absent, 4) * 8);
    BOOST_TEST(m.walk(500 * group).reads.size() == 2u); /* no group: no slot is read */
}

BOOST_AUTO_TEST_CASE(without_a_step_cache_the_home_slot_is_read_first)
{
    hashed_memory m({true, 16, 1, 4, 64, 0x100000});
    const uint64_t first = 40 * group, second = collides_with(m, first, 41 * group);
    m.map(first, 0x1000, 12);
    BOOST_TEST(m.table.groups == 0u); /* a home needs no step */
    m.map(second, 0x2000, 12);
    BOOST_TEST(m.table.groups == 1u);
    BOOST_TEST((m.walk(first).reads == std::vector<uint64_t>{m.slot_pa(first, 0)}));
    const uint64_t line = 0x100000 + 16 * 4096 + ww_hstep_line(second, 4) * 64;
    BOOST_TEST(
        (m.walk(second).reads == std::vector<uint64_t>{m.slot_pa(second, 0), line, m.slot_pa(second, 1)}));
    BOOST_TEST(m.walk(second).pa == 0x2000u);
    /* absent: in a region in its home slot; in one whose home another has, in a group with and without
     * steps */
    const uint64_t root = ww_radix_root_pa(&m.table.victims);
    BOOST_TEST((m.walk(first + 0x1000).reads ==
                std::vector<uint64_t>{m.slot_pa(first, 0) + 8, root + ww_index(first, 4) * 8}));
    const uint64_t third = collides_with(m, first, 90 * group);
    BOOST_TEST(m.walk(third).reads.size() == 3u);
    uint64_t fourth = second & ~(group - 1);
    while (ww_hpt_line_tag(m.line(m.slot_pa(fourth, 0))) == 0 || fourth == second)
        fourth += region;
    if (fourth < (second | (group - 1)))
        BOOST_TEST(m.walk(fourth).reads.size() == 3u);
    BOOST_TEST(m.walk(third).why == WW_WHY_ABSENT);
}

BOOST_AUTO_TEST_CASE(a_page_of_2_mib_is_512_equal_entries_and_one_read)
{
    hashed_memory m({false, 16, 1, 4, 8, 0x100000});
    m.map(3 * region, 10 * region, 21);
    for (const uint64_t at : {UINT64_C(0), UINT64_C(0x12345), region - 1}) {
        const hashed_memory::walked w = m.walk(3 * region + at);
        BOOST_TEST(w.pa == 10 * region + at);
        BOOST_TEST(w.shift == 21u);
        BOOST_TEST(w.reads.size() == 2u);
    }
    m.map(4 * region + 0x30000, 0x50000, 16);
    BOOST_TEST(m.walk(4 * region + 0x3ffff).pa == 0x5ffffu);
    BOOST_TEST(m.walk(4 * region + 0x3ffff).shift == 16u);
}

/* Nine regions compete for eight slots. */
BOOST_DATA_TEST_CASE(a_region_without_a_slot_goes_to_the_victim_buffer, bdata::make({false, true}), stepless)
{
    hashed_memory m({stepless, 8, 1, 64, 64, 0x100000});
    for (uint64_t n = 0; n < 9; ++n)
        m.map(n * 7 * group, n << 12, 12);
    uint32_t placed = 0;
    for (const uint32_t n : m.table.regions)
        placed += n;
    BOOST_TEST(placed == 8u);
    BOOST_TEST(m.table.victim_pages == 1u);
    const hashed_memory::walked w = m.walk(8 * 7 * group);
    BOOST_TEST(w.pa == 8u << 12);
    BOOST_TEST(w.reads.size() == (stepless ? 6u : 5u)); /* no step entry; another has the home */
    BOOST_TEST(m.broken() == "");
}

BOOST_DATA_TEST_CASE(random_pages_are_found_by_lookup_and_by_walk, bdata::xrange(24), seed)
{
    const bool stepless = seed % 2 == 1;
    hashed_memory m({stepless, 24, static_cast<uint64_t>(1 + seed / 2 % 3 * 2), 3, 400, 0x100000});
    compare_random(m, static_cast<uint64_t>(seed), 600);
}
