/* SPDX-License-Identifier: MIT */
/* Tests the page table builder: cross product of page sizes and levels, refusals, reclaim, and random
 * operations against a map of pages. table_radix_test.cpp tests walks of the same words. */
#include <boost/test/data/test_case.hpp>

#include "kernels/bits.h"
#include "tb/kernels/page_map.hpp"
#include "tb/kernels/radix_fixture.hpp"

#include <iterator>
#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;

namespace
{
void require_xlat(const table &t, uint64_t va, uint64_t page_pa, int shift, uint8_t perm)
{
    struct ww_xlat x = {};
    BOOST_REQUIRE(t.lookup(va, x));
    BOOST_REQUIRE_EQUAL(x.page_pa, page_pa);
    BOOST_REQUIRE_EQUAL(x.page_shift, shift);
    BOOST_REQUIRE_EQUAL(x.perm, perm);
}
} // namespace

BOOST_DATA_TEST_CASE(map_lookup_unmap_remap, every_levels *every_shift, levels, shift)
{
    table t(u8(levels));
    const std::vector<uint64_t> empty(t.arena.begin(), t.arena.begin() + WW_NODE_ENTRIES);
    const uint64_t va = sample_va(levels, shift), bytes = UINT64_C(1) << shift, pa = UINT64_C(77) << shift;
    const uint32_t nodes = static_cast<uint32_t>(levels) - ww_page_level(u8(shift)) + 1;
    for (uint8_t perm : {uint8_t{WW_PERM_R}, WW_PERM_ALL}) { /* map, unmap, map again */
        BOOST_REQUIRE_EQUAL(t.map(va, pa, u8(shift), perm), WW_OK);
        t.require_sound();
        BOOST_TEST(t.r.nodes == nodes);
        BOOST_TEST(ww_radix_nodes_needed(u8(levels), va, bytes, u8(shift)) == nodes);
        require_xlat(t, va, pa, shift, perm);
        require_xlat(t, va + 42, pa, shift, perm);
        require_xlat(t, va + bytes - 1, pa, shift, perm);
        struct ww_xlat x = {1, 2, 3};
        BOOST_TEST(!t.lookup(va - 1, x));
        BOOST_TEST(!t.lookup(va + bytes, x));
        BOOST_TEST(x.page_pa == 1u); /* unchanged on a miss */
        BOOST_REQUIRE_EQUAL(t.unmap(va + bytes / 2), WW_OK);
        t.require_sound();
        BOOST_TEST(!t.lookup(va + 42, x));
        BOOST_TEST(t.r.nodes == 1u);
        BOOST_TEST(std::equal(empty.begin(), empty.end(), t.arena.begin()));
        BOOST_TEST(t.unmap(va) == WW_E_ARG);
    }
}

BOOST_DATA_TEST_CASE(overlap_is_refused_in_every_pair_of_sizes, every_levels *every_shift *every_shift,
                     levels, first, second)
{
    const int large = first > second ? first : second;
    const uint64_t base_va = sample_va(levels, large);
    /* The pages overlap at the start, in the middle and at the end of the larger one. */
    const uint64_t small_bytes = UINT64_C(1) << (first < second ? first : second);
    const uint64_t large_bytes = UINT64_C(1) << large;
    for (uint64_t offset : {UINT64_C(0), large_bytes / 2, large_bytes - small_bytes}) {
        table t(u8(levels));
        const uint64_t first_va = ww_page_base(base_va + offset, u8(first));
        const uint64_t second_va = ww_page_base(base_va + offset, u8(second));
        BOOST_REQUIRE_EQUAL(t.map(first_va, UINT64_C(3) << first, u8(first)), WW_OK);
        const std::vector<uint64_t> before = t.arena;
        BOOST_TEST(t.map(second_va, UINT64_C(5) << second, u8(second)) == WW_E_ARG);
        BOOST_TEST((before == t.arena));
        require_xlat(t, first_va + 42, UINT64_C(3) << first, first, WW_PERM_ALL);
        BOOST_REQUIRE_EQUAL(t.unmap(first_va), WW_OK);
        BOOST_TEST(t.map(second_va, UINT64_C(5) << second, u8(second)) == WW_OK);
        t.require_sound();
        require_xlat(t, second_va + 42, UINT64_C(5) << second, second, WW_PERM_ALL);
    }
}

BOOST_AUTO_TEST_CASE(a_64K_page_is_16_marked_contiguous_entries)
{
    table t(4);
    BOOST_REQUIRE_EQUAL(t.map(0x30000, 0x50000, WW_PAGE_64K, WW_PERM_R | WW_PERM_W), WW_OK);
    for (uint64_t i = 0; i < 16; i++) {
        const uint64_t expect = UINT64_C(0x8000000000050807) + (i << 12);
        BOOST_TEST(t.word(t.entry_pa(0x30000 + (i << 12), 1)) == expect);
    }
    BOOST_TEST(t.word(t.entry_pa(0x2f000, 1)) == 0u);
    BOOST_TEST(t.word(t.entry_pa(0x40000, 1)) == 0u);
}

BOOST_DATA_TEST_CASE(illegal_arguments_are_refused, every_levels *every_shift, levels, shift)
{
    table t(u8(levels));
    const uint64_t bytes = UINT64_C(1) << shift, va = bytes, end_va = UINT64_C(1) << (12 + 9 * levels);
    const std::vector<uint64_t> before = t.arena;
    BOOST_TEST(t.map(va + bytes / 2, 0, u8(shift)) == WW_E_ARG);
    BOOST_TEST(t.map(va, bytes / 2, u8(shift)) == WW_E_ARG);
    BOOST_TEST(t.map(va, 1, u8(shift)) == WW_E_ARG);
    BOOST_TEST(t.map(end_va, 0, u8(shift)) == WW_E_ARG);
    BOOST_TEST(t.map(va, UINT64_C(1) << 52, u8(shift)) == WW_E_ARG);
    BOOST_TEST(t.map(va, 0, u8(shift + 1)) == WW_E_ARG);
    BOOST_TEST(t.map(va, 0, u8(shift), WW_PERM_W) == WW_E_ARG);
    BOOST_TEST(t.map(va, 0, u8(shift), 9) == WW_E_ARG);
    BOOST_TEST(t.unmap(end_va) == WW_E_ARG);
    struct ww_xlat x = {};
    BOOST_TEST(!t.lookup(end_va, x));
    BOOST_TEST((before == t.arena));
    BOOST_TEST(t.map(end_va - bytes, (UINT64_C(1) << 52) - bytes, u8(shift)) == WW_OK);
    require_xlat(t, end_va - 1, (UINT64_C(1) << 52) - bytes, shift, WW_PERM_ALL);
}

BOOST_DATA_TEST_CASE(a_full_arena_refuses_and_changes_nothing, every_levels, levels)
{
    const uint32_t chain = static_cast<uint32_t>(levels);
    table t(u8(levels), chain + 1); /* one path and one more node */
    BOOST_REQUIRE_EQUAL(t.map(0, 0x1000, WW_PAGE_4K), WW_OK);
    const std::vector<uint64_t> before = t.arena;
    BOOST_TEST(t.map(UINT64_C(1) << 30, 0x2000, WW_PAGE_4K) == WW_E_SIZE); /* needs two */
    BOOST_TEST((before == t.arena));
    t.require_sound();
    BOOST_TEST(t.map(UINT64_C(1) << 30, UINT64_C(1) << 21, WW_PAGE_2M) == WW_OK); /* needs one */
    BOOST_TEST(t.map(UINT64_C(2) << 21, 0x2000, WW_PAGE_4K) == WW_E_SIZE);
    BOOST_TEST(t.unmap(UINT64_C(1) << 30) == WW_OK);
    BOOST_TEST(t.map(UINT64_C(2) << 21, 0x2000, WW_PAGE_4K) == WW_OK); /* in the node just freed */
    t.require_sound();
    BOOST_TEST(t.r.nodes == chain + 1);
}

BOOST_AUTO_TEST_CASE(an_emptied_node_reads_as_absent_entries)
{
    table t(4);
    for (uint64_t i = 0; i < 3; i++)
        BOOST_REQUIRE_EQUAL(t.map(i << 21, i << 12, WW_PAGE_4K), WW_OK);
    const uint64_t stale_pa[3] = {t.entry_pa(0, 1), t.entry_pa(1 << 21, 1), t.entry_pa(2 << 21, 1)};
    for (uint64_t i = 0; i < 3; i++)
        BOOST_REQUIRE_EQUAL(t.unmap(i << 21), WW_OK);
    t.require_sound();
    for (uint64_t pa : stale_pa)
        BOOST_TEST(!ww_pte_present(t.word(pa)));
}

BOOST_AUTO_TEST_CASE(an_illegal_configuration_is_refused)
{
    std::vector<uint64_t> arena(2 * WW_NODE_ENTRIES);
    struct ww_radix r;
    const auto init = [&](uint8_t levels, uint64_t arena_pa, uint32_t max_nodes, size_t words) {
        const struct ww_radix_cfg cfg = {levels, arena_pa, max_nodes};
        return ww_radix_init(&r, &cfg, arena.data(), words);
    };
    const uint64_t top_pa = UINT64_C(1) << 52;
    BOOST_TEST(init(3, 0, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(6, 0, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0, 0, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0x800, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, top_pa, 1, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, top_pa - 4096, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0, 2, 1023) == WW_E_SIZE);
    BOOST_TEST(init(4, top_pa - 8192, 2, 1024) == WW_OK);
    BOOST_TEST(ww_radix_root_pa(&r) == top_pa - 8192);
}

BOOST_AUTO_TEST_CASE(the_table_owns_its_arena_and_no_more)
{
    table t(4, 2);
    const uint64_t root_pa = ww_radix_root_pa(&t.r);
    BOOST_TEST(ww_radix_owns(&t.r, root_pa));
    BOOST_TEST(ww_radix_owns(&t.r, root_pa + 8191));
    BOOST_TEST(!ww_radix_owns(&t.r, root_pa + 8192));
    BOOST_TEST(!ww_radix_owns(&t.r, root_pa - 1));
    BOOST_TEST(ww_radix_word(&t.r, root_pa + 4096) == 512u);
    BOOST_CHECK_THROW(ww_radix_word(&t.r, root_pa + 8192), std::logic_error);
}

BOOST_DATA_TEST_CASE(nodes_needed_is_exact_for_one_range, every_levels *every_shift, levels, shift)
{
    const uint64_t bytes = UINT64_C(1) << shift;
    for (uint64_t pages : {1, 2, 16, 511, 512, 513, 1500}) {
        table t(u8(levels), 128);
        const uint64_t va = (UINT64_C(1) << 39) - 3 * bytes;
        for (uint64_t i = 0; i < pages; i++)
            BOOST_REQUIRE_EQUAL(t.map(va + i * bytes, i * bytes, u8(shift)), WW_OK);
        BOOST_TEST(ww_radix_nodes_needed(u8(levels), va, pages * bytes, u8(shift)) == t.r.nodes);
        t.require_sound();
    }
}

BOOST_AUTO_TEST_CASE(nodes_needed_refuses_what_cannot_be_mapped)
{
    BOOST_TEST(ww_radix_nodes_needed(3, 0, 4096, WW_PAGE_4K) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(6, 0, 4096, WW_PAGE_4K) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(4, 0, 4096, 13) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(4, 0, 0, WW_PAGE_4K) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(4, 4096, UINT64_MAX, WW_PAGE_4K) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(4, UINT64_C(1) << 47, (UINT64_C(1) << 47) + 1, WW_PAGE_4K) == 0u);
    BOOST_TEST(ww_radix_nodes_needed(4, 0, UINT64_C(1) << 48, WW_PAGE_1G) == 513u);
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const auto broken = [](auto change, const char *words) {
        table t(4);
        BOOST_REQUIRE_EQUAL(t.map(0x10000, 0x20000, WW_PAGE_64K), WW_OK);
        BOOST_REQUIRE_EQUAL(t.map(UINT64_C(1) << 21, UINT64_C(1) << 21, WW_PAGE_2M), WW_OK);
        BOOST_REQUIRE_EQUAL(t.map(UINT64_C(1) << 30, 0x1000, WW_PAGE_4K), WW_OK);
        BOOST_REQUIRE_EQUAL(t.map(UINT64_C(2) << 30, 0x1000, WW_PAGE_4K), WW_OK);
        BOOST_REQUIRE_EQUAL(t.unmap(UINT64_C(2) << 30), WW_OK);
        t.require_sound();
        change(t);
        const char *text = t.check();
        BOOST_REQUIRE(text != nullptr);
        BOOST_TEST(std::string(text).find(words) != std::string::npos, text);
    };
    const uint64_t one_2m = UINT64_C(1) << 21, one_1g = UINT64_C(1) << 30;
    broken([](table &t) { t.r.cfg.levels = 3; }, "levels is illegal");
    broken([](table &t) { t.r.cfg.levels = 6; }, "levels is illegal");
    broken([](table &t) { t.r.nodes = 0; }, "counts contradict");
    broken([](table &t) { t.r.nodes = t.r.high_nodes + 1; }, "counts contradict");
    broken([](table &t) { t.r.high_nodes = t.r.cfg.max_nodes + 1; }, "counts contradict");
    broken([](table &t) { t.r.free_head = t.r.high_nodes + 1; }, "leaves the arena");
    broken([](table &t) { t.r.free_head = 0; }, "not in the free list");
    broken([](table &t) { t.arena[512 * (t.r.free_head - 1)] = uint64_t{t.r.free_head} << 12; },
           "longer than the idle");
    broken(
        [](table &t) {
            t.r.nodes++;
            t.r.high_nodes++;
        },
        "cannot be reached");
    broken([](table &t) { t.arena[3] = 2; }, "absent entry is not zero");
    broken([](table &t) { t.arena[3] = 0x1000 | WW_PTE_P | WW_PTE_PS; }, "absent entry is not zero");
    broken([=](table &t) { t.word(t.entry_pa(one_2m, 2)) += 0x1000; }, "large page is misaligned");
    broken([](table &t) { t.word(t.entry_pa(0x13000, 1)) = 0; }, "16 aligned");
    broken([](table &t) { t.word(t.entry_pa(0x13000, 1)) += 0x1000; }, "16 aligned");
    broken([](table &t) { t.word(t.entry_pa(0x10000, 1)) = 0; }, "16 aligned");
    broken([](table &t) { t.word(t.entry_pa(0x10000, 1)) += 0x1000; }, "16 aligned");
    broken([=](table &t) { t.word(t.entry_pa(one_1g, 1)) = 0; }, "empty node");
    broken([](table &t) { t.arena[3] = ww_pte_table(0x1000); }, "outside the table");
    broken([](table &t) { t.arena[3] = ww_pte_table(ww_radix_root_pa(&t.r) + 4096 * t.r.high_nodes); },
           "outside the table");
    broken([](table &t) { t.arena[3] = t.arena[0]; }, "more nodes can be reached");
}

BOOST_AUTO_TEST_CASE(a_snapshot_is_a_copy_of_the_words)
{
    table t(5);
    BOOST_REQUIRE_EQUAL(t.map(0x5000, 0x6000, WW_PAGE_4K), WW_OK);
    const table copy = t;
    BOOST_REQUIRE_EQUAL(t.unmap(0x5000), WW_OK);
    require_xlat(copy, 0x5042, 0x6000, 12, WW_PERM_ALL);
    copy.require_sound();
}

BOOST_DATA_TEST_CASE(random_operations_agree_with_a_map_of_pages, every_levels *bdata::xrange(6), levels,
                     seed)
{
    table t(u8(levels), 24);
    walkway::test::page_map pages;
    struct ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    const int shifts[] = {12, 12, 12, 16, 16, 21, 30};
    /* Few addresses, so that operations collide: 3 of 512 GiB, 3 of 1 GiB, 3 of 2 MiB, 64 of 4 KiB. */
    const auto random_va = [&rng] {
        const uint64_t va = uint64_t{ww_rng_below(&rng, 3)} << 39 | uint64_t{ww_rng_below(&rng, 3)} << 30;
        return va | uint64_t{ww_rng_below(&rng, 3)} << 21 | uint64_t{ww_rng_below(&rng, 64)} << 12;
    };
    int mapped = 0, overlaps = 0, full = 0, unmapped = 0;
    for (int i = 0; i < 2000; i++) {
        const uint64_t any_va = random_va() + ww_rng_below(&rng, 4096);
        if (ww_rng_below(&rng, 3) != 0) {
            const int shift = shifts[ww_rng_below(&rng, 7)];
            const ww_xlat page = {uint64_t{ww_rng_below(&rng, 1 << 20)} << shift, u8(shift),
                                  u8(static_cast<int>(1 + 2 * ww_rng_below(&rng, 4)))};
            const uint64_t va = ww_page_base(any_va, u8(shift));
            const bool overlap = pages.overlaps(va, static_cast<uint32_t>(shift));
            const int status = t.map(va, page.page_pa, page.page_shift, page.perm);
            BOOST_REQUIRE_EQUAL(status == WW_E_ARG, overlap);
            mapped += status == WW_OK;
            overlaps += status == WW_E_ARG;
            full += status == WW_E_SIZE;
            if (status == WW_OK)
                pages[va] = page;
        } else {
            const auto at = pages.holding(any_va);
            BOOST_REQUIRE_EQUAL(t.unmap(any_va), at == pages.end() ? WW_E_ARG : WW_OK);
            if (at != pages.end()) {
                unmapped++;
                pages.erase(at);
            }
        }
        t.require_sound();
        for (int probe = 0; probe < 4; probe++) {
            const uint64_t va = random_va() + 42;
            const auto at = pages.holding(va);
            struct ww_xlat x = {};
            BOOST_REQUIRE_EQUAL(t.lookup(va, x), at != pages.end());
            if (at != pages.end())
                require_xlat(t, va, at->second.page_pa, at->second.page_shift, at->second.perm);
        }
    }
    BOOST_TEST_MESSAGE(mapped << " mapped, " << overlaps << " refused, " << full << " full, " << unmapped);
    BOOST_TEST((mapped > 100 && overlaps > 100 && unmapped > 100));
    while (!pages.empty()) {
        BOOST_REQUIRE_EQUAL(t.unmap(pages.begin()->first), WW_OK);
        pages.erase(pages.begin());
    }
    BOOST_TEST(t.r.nodes == 1u);
    t.require_sound();
}
