/* SPDX-License-Identifier: MIT */
/* Tests the hashed page table: formats with their widths, and the builder. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/hashed_table.h"
#include "tb/kernels/hashed_fixture.hpp"

#include <cstring>
#include <string>

namespace bdata = boost::unit_test::data;

namespace
{
constexpr uint64_t region = UINT64_C(1) << 21, group = UINT64_C(1) << 25, mib = UINT64_C(1) << 20;
} // namespace

BOOST_AUTO_TEST_CASE(widths_are_those_of_the_paper)
{
    BOOST_TEST(ww_hashed_step_entry_bits() == 71u);
    BOOST_TEST(ww_hashed_steps_bits() == 48u);
    BOOST_TEST(ww_hashed_step_cache_tag_bits(32) == 18u);
    BOOST_TEST(ww_hashed_step_cache_tag_bits(1) == 23u);
    BOOST_TEST(ww_table_word_bits(&ww_hashed) == ww_hashed_steps_bits());
    BOOST_TEST(ww_table_walk_bits(&ww_hashed) == 51u);
    BOOST_TEST(__builtin_popcountll(WW_HSTEP_STEPS) + __builtin_popcountll(WW_HSTEP_TAG_LOW) +
                   __builtin_popcountll(WW_HSTEP_TAG_HIGH) ==
               71);
    BOOST_TEST(__builtin_popcountll(WW_HPT_TAG) == 27);
    BOOST_TEST(__builtin_popcountll(WW_HASHED_WALK_STEPS) == 48);
}

/* [P24 sections 2.4, 4.2] The table takes half a per cent of memory, as in the paper. The paper's 0.001 % for
 * the step table and 200 MB for the driver's map do not follow from its formats. */
BOOST_AUTO_TEST_CASE(overheads_follow_from_the_formats)
{
    const double memory = 80.0 * 1024 * mib;
    const double regions = memory / region, groups = memory / group;
    BOOST_TEST(2.5 * regions * WW_HASHED_SLOT_BYTES / memory == 0.00488, boost::test_tools::tolerance(0.001));
    const auto lines = static_cast<double>(ww_hashed_step_lines(static_cast<uint64_t>(groups), 100));
    BOOST_TEST(lines * WW_LINE_BYTES / memory == 0.0000272, boost::test_tools::tolerance(0.01));
    BOOST_TEST(groups * 100 * ww_hashed_step_entry_bits() / 8 / memory == 0.0000264,
               boost::test_tools::tolerance(0.01));
    const double map_bits = 2.5 * regions * (WW_HASHED_TAG_BITS + 2);
    BOOST_TEST(map_bits / 8 / 1e6 == 0.371, boost::test_tools::tolerance(0.001));
    BOOST_TEST(4 * 2.5 * regions * WW_HASHED_PTES / mib == 200.0, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(a_line_carries_the_tag_beside_its_entries)
{
    const uint64_t tag = 0x5a5'a5a5u | WW_HPT_VALID;
    uint64_t line[8];
    for (uint32_t n = 0; n < 8; ++n)
        line[n] = ww_hpt_pte_tag(tag, n) | ww_pte_leaf(UINT64_C(0xfffffffff000), WW_PTE_NX | WW_PTE_RW);
    BOOST_TEST(ww_hpt_line_tag(line) == tag);
    BOOST_TEST(ww_hpt_pte_tag(tag, 0) == UINT64_C(5) << 52);
    BOOST_TEST(ww_hpt_pte_tag(tag, 1) == UINT64_C(10) << 52);
    BOOST_TEST(ww_hpt_pte_tag(WW_HPT_VALID, 6) == UINT64_C(8) << 52);
    BOOST_TEST(ww_hpt_pte_tag(tag, 7) == 0u);
    line[7] |= WW_HPT_PTE_TAG;
    BOOST_TEST(ww_hpt_line_tag(line) == tag);
    BOOST_TEST(ww_pte_frame_pa(line[0], 1) == UINT64_C(0xfffffffff000));
}

BOOST_AUTO_TEST_CASE(seven_groups_fit_a_line_of_the_step_table)
{
    uint64_t line[8] = {}, steps = 0;
    const auto va = [](uint64_t n) { return n << 25; };
    const uint64_t tags[] = {0, 1, 0x10000, 0x7fffff, 0x7f0000, 0xffff, 0x123456};
    for (uint64_t n = 0; n < 7; ++n) {
        BOOST_TEST(!ww_hstep_find(line, va(tags[n]), &steps));
        BOOST_TEST(ww_hstep_put(line, va(tags[n]), 0xffff'ffff'ff00 + n));
    }
    BOOST_TEST(!ww_hstep_put(line, va(0x222222), 5));
    BOOST_TEST(ww_hstep_put(line, va(1), 5));
    for (uint64_t n = 0; n < 7; ++n) {
        BOOST_REQUIRE(ww_hstep_find(line, va(tags[n]) + 0x1ffffff, &steps));
        BOOST_TEST(steps == (n == 1 ? 5 : 0xffff'ffff'ff00 + n));
    }
    BOOST_TEST(line[7] >> 56 == 0u);
    BOOST_TEST(ww_hstep_of(UINT64_C(7) << 45 | 3, 15 * region) == 7u);
    BOOST_TEST(ww_hstep_of(UINT64_C(7) << 45 | 3, 16 * region) == 3u);
}

BOOST_AUTO_TEST_CASE(illegal_tables_are_refused)
{
    const auto frames = [](auto change) {
        ww_hashed_cfg cfg = {false, 16, 1, 4, 8, 0x100000};
        change(cfg);
        return ww_hashed_frames(&cfg);
    };
    BOOST_TEST(frames([](auto &) {}) == 25u);
    BOOST_TEST(frames([](auto &c) { c.step_lines = 65; }) == 26u);
    BOOST_TEST(frames([](auto &c) { c.slots = 7; }) == 0u);
    BOOST_TEST(frames([](auto &c) { c.step_lines = 0; }) == 0u);
    BOOST_TEST(frames([](auto &c) { c.step_lines = (1 << 23) + 1; }) == 0u);
    BOOST_TEST(frames([](auto &c) { c.victim_nodes = 0; }) == 0u);
    BOOST_TEST(frames([](auto &c) { c.arena_pa = 0x800; }) == 0u);
    BOOST_TEST(frames([](auto &c) { c.arena_pa = (UINT64_C(1) << 52) - 25 * 4096; }) == 25u);
    BOOST_TEST(frames([](auto &c) { c.arena_pa = (UINT64_C(1) << 52) - 24 * 4096; }) == 0u);
    ww_hpt h;
    std::vector<uint64_t> words(25 * 512);
    ww_hashed_cfg cfg = {false, 16, 1, 4, 8, 0};
    BOOST_TEST(ww_hashed_init(&h, &cfg, words.data(), words.size() - 1) == WW_E_SIZE);
    BOOST_TEST(ww_hashed_init(&h, &cfg, words.data(), words.size()) == WW_OK);
    cfg.slots = 1;
    BOOST_TEST(ww_hashed_init(&h, &cfg, words.data(), words.size()) == WW_E_ARG);
    BOOST_TEST(ww_table_kind_check(&ww_hashed) == nullptr);
    BOOST_TEST(ww_table_kind_check(&ww_hashed_stepless) == nullptr);
}

BOOST_AUTO_TEST_CASE(pages_that_cannot_be_are_refused_and_change_nothing)
{
    hashed_memory m({false, 16, 1, 4, 8, 0x100000});
    const auto map = [&m](uint64_t va, uint64_t pa, unsigned shift, unsigned perm) {
        return ww_hashed_map(&m.table, m.words.data(), va, pa, static_cast<uint8_t>(shift),
                             static_cast<uint8_t>(perm));
    };
    const std::vector<uint64_t> before = m.words;
    BOOST_TEST(map(0, 0, 30, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0, 0, 13, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0x1000, 0, 16, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0, 0x1000, 21, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0, UINT64_C(1) << 52, 12, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(UINT64_C(1) << 48, 0, 12, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0, 0, 12, WW_PERM_W) == WW_E_ARG);
    BOOST_TEST(map(0, 0, 12, 8 | WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(ww_hashed_place(&m.table, m.words.data(), UINT64_C(1) << 48) == WW_E_ARG);
    BOOST_TEST(m.words == before);
    BOOST_TEST(map(0x10000, 0x20000, 16, WW_PERM_R) == WW_OK);
    const std::vector<uint64_t> mapped = m.words;
    BOOST_TEST(map(0x1f000, 0, 12, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(map(0, 0, 21, WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(m.words == mapped);
    ww_xlat x = {};
    BOOST_TEST(!ww_hashed_lookup(&m.table, m.words.data(), UINT64_C(1) << 48, &x));
}

/* Maps more groups than a line of the step table holds. */
BOOST_AUTO_TEST_CASE(a_group_without_a_step_entry_goes_to_the_victim_buffer)
{
    hashed_memory m({false, 1024, 1, 1, 64, 0x100000});
    for (uint64_t n = 0; n < 8; ++n)
        m.map(n * group, (n + 1) << 12, 12);
    BOOST_TEST(m.table.groups == 7u);
    BOOST_TEST(m.table.victim_pages == 1u);
    for (uint64_t n = 0; n < 8; ++n)
        BOOST_TEST(m.walk(n * group).pa == (n + 1) << 12);
    BOOST_TEST(m.broken() == "");
    for (uint64_t n = 0; n < 513; ++n) /* until the builder reports a full victim buffer */
        if (ww_hashed_map(&m.table, m.words.data(), (n + 100) * 1024 * group, 0, 12, WW_PERM_R) == WW_E_SIZE)
            return;
    BOOST_ERROR("room without end");
}

namespace
{
/* The pages that the region maps to; lookup and walk must agree. */
std::vector<uint64_t> pages_of(const hashed_memory &m, uint64_t va)
{
    std::vector<uint64_t> all;
    for (uint64_t at = va; at < va + region; at += 4096) {
        const hashed_memory::walked w = m.walk(at);
        ww_xlat x{};
        const bool there = ww_hashed_lookup(&m.table, m.words.data(), at, &x);
        BOOST_REQUIRE(there == (w.why < 0));
        if (there)
            BOOST_REQUIRE(ww_xlat_pa(&x, at) == w.pa);
        all.push_back(there ? w.pa | w.shift << 1 | w.perm : UINT64_MAX);
    }
    return all;
}
} // namespace

/* At the driver's threshold: a region moves to the victim buffer, another takes its slot, and the first
 * returns. */
BOOST_DATA_TEST_CASE(a_region_leaves_its_slot_and_comes_back, bdata::make({false, true}), stepless)
{
    hashed_memory m({stepless, 16, 1, 64, 64, 0x100000});
    const uint64_t va = 5 * group + 3 * region;
    m.map(va + 0x3000, 0x7000, 12, WW_PERM_R);
    m.map(va + 0x10000, 0x50000, 16);
    m.map(va + region - 4096, 0x9000, 12);
    const std::vector<uint64_t> before = pages_of(m, va);
    BOOST_TEST(ww_hashed_leave(&m.table, m.words.data(), va + 0x3000) == WW_OK);
    BOOST_TEST(m.table.victim_pages == 3u);
    BOOST_TEST(m.table.regions[0] == 0u);
    BOOST_TEST(pages_of(m, va) == before);
    BOOST_TEST(m.broken() == "");

    /* Gives the region a slot that is not its home; the step table must record that. */
    BOOST_TEST(ww_hashed_give(&m.table, m.words.data(), va, 5) == WW_OK);
    BOOST_TEST(m.table.regions[5] == 1u);
    BOOST_TEST(pages_of(m, va) == before);
    BOOST_TEST(m.walk(va + 0x3000).reads.size() == (stepless ? 3u : 2u));
    BOOST_TEST(m.table.victim_pages == 3u, "in both places until it is forgotten");
    ww_hashed_forget(&m.table, m.words.data(), va);
    BOOST_TEST(m.table.victim_pages == 0u);
    BOOST_TEST(m.table.victims.nodes == 1u);
    BOOST_TEST(pages_of(m, va) == before);
    BOOST_TEST(m.broken() == "");

    /* Gives it its home again; the earlier step is then wrong. */
    BOOST_TEST(ww_hashed_leave(&m.table, m.words.data(), va) == WW_OK);
    BOOST_TEST(ww_hashed_give(&m.table, m.words.data(), va, 0) == WW_OK);
    ww_hashed_forget(&m.table, m.words.data(), va);
    BOOST_TEST(pages_of(m, va) == before);
    BOOST_TEST(m.broken() == "");
}

/* A freed slot is not taken implicitly: half of the region's pages would remain in the victim buffer. */
BOOST_AUTO_TEST_CASE(a_region_of_the_victim_buffer_stays_there_until_it_is_given_a_slot)
{
    hashed_memory m({false, 8, 1, 4, 64, 0x100000});
    for (uint64_t n = 0; n < 9; ++n)
        m.map(n * region, (n + 1) << 12, 12);
    BOOST_TEST(m.table.victim_pages == 1u);
    BOOST_TEST(ww_hashed_leave(&m.table, m.words.data(), 0) == WW_OK);
    BOOST_TEST(ww_hashed_map(&m.table, m.words.data(), 8 * region, 0x77000, 12, WW_PERM_R) == WW_E_ARG);
    m.map(8 * region + 4096, 0x55000, 12);
    BOOST_TEST(m.table.victim_pages == 3u);
    BOOST_TEST(ww_hashed_place(&m.table, m.words.data(), 8 * region) == WW_E_SIZE);
    BOOST_TEST(m.walk(8 * region).pa == 9u << 12);
    BOOST_TEST(m.walk(8 * region + 4096).pa == 0x55000u);
    BOOST_TEST(ww_hashed_place(&m.table, m.words.data(), 20 * region) == WW_OK, "nobody else's pages count");
    BOOST_TEST(m.broken() == "");
}

BOOST_AUTO_TEST_CASE(where_there_is_no_room_nothing_has_changed)
{
    hashed_memory few({false, 16, 1, 4, 3, 0x100000}); /* nodes: a root and two below it, but no leaf */
    few.map(7 * region, 0x3000, 12);
    BOOST_TEST(ww_hashed_leave(&few.table, few.words.data(), 7 * region) == WW_E_SIZE);
    BOOST_TEST(few.walk(7 * region).pa == 0x3000u);
    BOOST_TEST(few.table.victim_pages == 0u);
    BOOST_TEST(few.broken() == "");

    hashed_memory m({false, 1024, 1, 1, 64, 0x100000});
    for (uint64_t n = 0; n < 8; ++n)
        m.map(n * group, (n + 1) << 12, 12);
    BOOST_TEST(ww_hashed_give(&m.table, m.words.data(), 7 * group, 3) == WW_E_SIZE);
    BOOST_TEST(m.walk(7 * group).pa == 8u << 12);
    BOOST_TEST(m.broken() == "");
}

namespace
{
/* Places consecutive regions from an address that the seed selects. The first page of each maps to its
 * number. */
struct placed {
    hashed_memory m;
    uint64_t base, without = 0; /* regions that found no slot */

    placed(const ww_hashed_cfg &cfg, uint64_t seed, uint64_t regions, bool moves)
        : m(cfg), base(ww_mix64(seed) >> 40 << 21)
    {
        for (uint64_t n = 0; n < regions; ++n) {
            int rc = ww_hashed_place(&m.table, m.words.data(), base + n * region);
            if (rc == WW_E_SIZE && moves &&
                ww_hashed_make_room(&m.table, m.words.data(), base + n * region) == WW_OK)
                rc = ww_hashed_place(&m.table, m.words.data(), base + n * region);
            without += rc != WW_OK;
            m.map(base + n * region, (n + 1) << 12, 12); /* gives each region a page to be kept by moves */
        }
    }
    bool pages_are_there(uint64_t regions) const
    {
        for (uint64_t n = 0; n < regions; ++n)
            if (m.walk(base + n * region).pa != (n + 1) << 12)
                return false;
        return true;
    }
};
} // namespace

/* If regions may move, each finds a slot at the paper's load of 0.4 and keeps its pages. */
BOOST_DATA_TEST_CASE(at_load_two_fifths_every_region_has_a_slot, bdata::make({1, 3, 101}), stride)
{
    uint64_t without = 0;
    for (uint64_t seed = 0; seed < 12; ++seed) {
        const ww_hashed_cfg cfg = {false, 880, static_cast<uint64_t>(stride), 400, 64, 0x100000};
        without += placed(cfg, seed, 352, false).without;
        const placed moving(cfg, seed, 352, true);
        BOOST_TEST(moving.without == 0u, "seed " << seed);
        BOOST_TEST(moving.m.table.victim_pages == 0u);
        BOOST_TEST(moving.pages_are_there(352));
        BOOST_TEST(moving.m.broken() == "");
    }
    BOOST_TEST(without > 0u, "some region needs that others move");
}

/* Fills the table; the next region is refused, and no region has moved. */
BOOST_DATA_TEST_CASE(room_ends_when_the_table_is_full, bdata::make({16, 400}) * bdata::make({false, true}),
                     slots, stepless)
{
    const ww_hashed_cfg cfg = {stepless, static_cast<uint64_t>(slots), 7, 400, 600, 0x100000};
    placed full(cfg, 3, slots, true);
    BOOST_TEST(full.pages_are_there(slots));
    BOOST_TEST(full.m.broken() == "");
    uint64_t n = slots, *words = full.m.words.data();
    for (uint64_t lacking = full.without; lacking != 0; ++n)
        lacking -= ww_hashed_place(&full.m.table, words, full.base + n * region) == WW_OK;
    const std::vector<uint64_t> before = full.m.words;
    BOOST_TEST(ww_hashed_make_room(&full.m.table, words, full.base + n * region) == WW_E_SIZE);
    BOOST_TEST(ww_hashed_make_room(&full.m.table, words, full.base) == WW_OK, "it has a slot");
    BOOST_TEST(full.m.words == before);

    /* No room is made for a region with a page in the victim buffer: that page would stay there. */
    full.m.map(full.base + n * region, 0x5000, 12);
    BOOST_TEST(ww_hashed_leave(&full.m.table, words, full.base) == WW_OK);
    const std::vector<uint64_t> with_victims = full.m.words;
    BOOST_TEST(ww_hashed_make_room(&full.m.table, words, full.base + n * region) == WW_E_SIZE);
    BOOST_TEST(full.m.words == with_victims);
}

/* A free slot out of the search's range does not count. */
BOOST_AUTO_TEST_CASE(the_search_for_room_has_an_end)
{
    hashed_memory full({false, 400, 7, 400, 600, 0x100000});
    uint64_t n = 0;
    std::vector<uint64_t> placed_va;
    for (; placed_va.size() < 400; ++n)
        if (ww_hashed_place(&full.table, full.words.data(), n * region) == WW_OK)
            placed_va.push_back(n * region);
    unsigned found = 0;
    for (size_t k = 0; k < 400; k += 10) {
        hashed_memory m = full;
        BOOST_TEST(ww_hashed_leave(&m.table, m.words.data(), placed_va[k]) == WW_OK);
        const std::vector<uint64_t> before = m.words;
        const bool room = ww_hashed_make_room(&m.table, m.words.data(), n * region) == WW_OK;
        found += room;
        BOOST_TEST(
            (room ? ww_hashed_place(&m.table, m.words.data(), n * region) == WW_OK : m.words == before));
        BOOST_TEST(m.broken() == "");
    }
    BOOST_TEST(found > 20u);
    BOOST_TEST(found < 35u, "256 of 400 are looked at");
}

/* Moves as few regions as possible: a free slot suffices, and so does one region that can move. */
BOOST_AUTO_TEST_CASE(no_more_regions_move_than_have_to)
{
    hashed_memory m({false, 64, 1, 64, 8, 0x100000});
    const auto home = [](uint64_t n) { return ww_hashed_home(n * region, 64); };
    std::vector<uint64_t> there; /* nine with one home slot; among them one with its home four slots on */
    uint64_t other = 0, n = 1;
    for (; there.size() < 9; ++n)
        if (home(n) == home(1))
            there.push_back(n);
    for (n = 1; other == 0; ++n)
        if (home(n) == home(1) + 4)
            other = n;
    m.map(other * region, 0x7000, 12);
    for (n = 0; n < 7; ++n)
        m.map(there[n] * region, (n + 1) << 12, 12);
    uint64_t *words = m.words.data();
    const std::vector<uint64_t> before = m.words;
    BOOST_TEST(ww_hashed_make_room(&m.table, words, other * region + 5 * region) == WW_OK);
    BOOST_TEST(m.words == before, "room was there");
    BOOST_TEST(ww_hashed_place(&m.table, words, there[7] * region) == WW_E_SIZE);
    BOOST_TEST(ww_hashed_make_room(&m.table, words, there[7] * region) == WW_OK);
    BOOST_TEST(m.table.regions[0] == 1u, "the other one has left its home");
    BOOST_TEST(m.table.regions[4] == 1u);
    BOOST_TEST(ww_hashed_place(&m.table, words, there[7] * region) == WW_OK);
    BOOST_TEST(m.walk(other * region).pa == 0x7000u);
    for (n = 0; n < 7; ++n)
        BOOST_TEST(m.walk(there[n] * region).pa == (n + 1) << 12);
    BOOST_TEST(m.broken() == "");
    BOOST_TEST(ww_hashed_make_room(&m.table, words, there[8] * region) == WW_E_SIZE, "nine in eight slots");
}

/* Without a step cache, a region in its home slot needs no step entry; one that leaves its home does. */
BOOST_DATA_TEST_CASE(a_region_whose_group_has_no_step_entry_stays, bdata::make({1, 64}), step_lines)
{
    hashed_memory m({true, 16, 1, static_cast<uint64_t>(step_lines), 64, 0x100000});
    uint64_t *words = m.words.data(), n = 0;
    const auto next_with_home = [&n](uint64_t slot) {
        while (ww_hashed_home(++n * group, 16) != slot) {
        }
        return n * group;
    };
    uint64_t beside = 0;
    for (unsigned k = 0; k < 8; ++k) { /* one at home and seven next to it; their groups fill a line */
        beside = next_with_home(0);
        BOOST_REQUIRE(ww_hashed_place(&m.table, words, beside) == WW_OK);
    }
    const uint64_t last = next_with_home(8);
    m.map(last, 0x7000, 12);
    BOOST_TEST(m.table.groups == 7u);
    const std::vector<uint64_t> before = m.words;
    /* A region whose group has an entry, and one whose group has none: both are refused, and no region has
     * moved. */
    uint64_t known = beside;
    while (ww_hashed_home(known, 16) != 1 && known < beside + group)
        known += region;
    BOOST_REQUIRE(known < beside + group);
    if (step_lines == 1)
        BOOST_TEST(ww_hashed_make_room(&m.table, words, known) == WW_E_SIZE);
    const uint64_t va = next_with_home(1);
    const int rc = ww_hashed_make_room(&m.table, words, va);
    BOOST_TEST(rc == (step_lines == 1 ? WW_E_SIZE : WW_OK));
    BOOST_TEST((m.words == before) == (step_lines == 1));
    BOOST_TEST(m.table.regions[0] == 2u - (rc == WW_OK));
    BOOST_TEST((ww_hashed_place(&m.table, words, va) == WW_OK) == (rc == WW_OK));
    BOOST_TEST(m.walk(last).pa == 0x7000u);
    BOOST_TEST(m.broken() == "");
}

/* No region moves for one that cannot use the slot because its group's line of the step table is full. */
BOOST_AUTO_TEST_CASE(no_room_is_made_for_a_group_without_a_step_entry)
{
    hashed_memory m({false, 16, 1, 1, 64, 0x100000});
    uint64_t *words = m.words.data();
    unsigned placed_regions = 0;
    for (uint64_t n = 0; placed_regions < 15; ++n) /* one of each of seven groups, then more of them */
        placed_regions +=
            ww_hashed_place(&m.table, words, n % 7 * group + n / 7 * region) == WW_OK && n / 7 < 16;
    BOOST_TEST(m.table.groups == 7u);
    const std::vector<uint64_t> before = m.words;
    unsigned with_entry = 0, without = 0;
    for (uint64_t n = 0; n < 20 * 16; ++n) {
        const uint64_t va = n * region;
        bool is_free = false;
        for (uint32_t step = 0; step < 8; ++step)
            is_free = is_free || ww_hpt_line_tag(m.line(m.slot_pa(va, step))) == 0;
        if (is_free)
            continue;
        if (n < 7 * 16) {
            hashed_memory copy = m;
            with_entry +=
                ww_hashed_make_room(&copy.table, copy.words.data(), va) == WW_OK && copy.words != before;
        } else {
            BOOST_TEST(ww_hashed_make_room(&m.table, words, va) == WW_E_SIZE);
            BOOST_TEST(m.words == before);
            ++without;
        }
    }
    BOOST_TEST(with_entry > 20u);
    BOOST_TEST(without > 20u);
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const auto broken = [](auto change) {
        hashed_memory m({false, 16, 1, 2, 8, 0x100000});
        m.map(3 * region, 0x1000, 12);
        change(m);
        return m.broken();
    };
    BOOST_TEST(broken([](auto &) {}) == "");
    const auto slot = [](hashed_memory &m) { return (m.slot_pa(3 * region, 0) - 0x100000) / 8; };
    BOOST_TEST(broken([&](auto &m) { m.words[slot(m) + 504] ^= UINT64_C(1) << 52; }) ==
               "two lines of a slot carry different tags");
    BOOST_TEST(broken([&](auto &m) {
                   for (size_t i = 0; i < 512; i += 8) /* another region's tag */
                       m.words[slot(m) + i + 1] ^= UINT64_C(15) << 52;
               }) == "a slot has a region whose it cannot be");
    BOOST_TEST(broken([&](auto &m) { /* duplicates the region */
                                     const size_t other = (m.slot_pa(3 * region, 2) - 0x100000) / 8;
                                     std::memcpy(&m.words[other], &m.words[slot(m)], 4096);
               }) == "a slot has a region whose it cannot be");
    const auto line = [](hashed_memory &) { return (16 * 512) + ww_hstep_line(3 * region, 2) * 8; };
    BOOST_TEST(broken([&](auto &m) { m.words[line(m)] |= 1 << 9; }) ==
               "the step table leads elsewhere than to a region's slot");
    BOOST_TEST(broken([&](auto &m) { m.words[line(m) + 7] = 0; }) ==
               "the step table leads elsewhere than to a region's slot");
    const char *twice = "a step entry is in another line than its group's, or is there twice";
    BOOST_TEST(broken([&](auto &m) {
                   m.words[line(m) + 1] = m.words[line(m)];
                   m.words[line(m) + 7] |= m.words[line(m) + 7] << 8;
               }) == twice);
    BOOST_TEST(broken([&](auto &m) {
                   const size_t other = (16 * 512) + (1 - ww_hstep_line(3 * region, 2)) * 8;
                   m.words[other] = m.words[line(m)];
                   m.words[other + 7] = m.words[line(m) + 7];
               }) == twice);
    const char *counts = "regions or groups are not as many as were counted";
    BOOST_TEST(broken([](auto &m) { ++m.table.regions[3]; }) == counts);
    BOOST_TEST(broken([](auto &m) { ++m.table.groups; }) == counts);
    BOOST_TEST(broken([](auto &m) { ++m.table.victims.nodes; }) != "");
}
