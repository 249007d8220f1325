/* SPDX-License-Identifier: MIT */
/* Tests the builder of AMD page tables against a map of pages and against walks: skipped and inserted levels,
 * refused calls, and the damage that its check reports. */
#include "tb/kernels/amd_fixture.hpp"

#include "kernels/bits.h"
#include "tb/kernels/page_map.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway::test;
namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(illegal_arguments_are_refused)
{
    amd m(4);
    const std::vector<uint64_t> before = m.arena;
    BOOST_TEST(m.map(0x800, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0x800, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, UINT64_C(1) << 52, 12) == WW_E_ARG);
    BOOST_TEST(m.map(UINT64_C(1) << 48, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 11) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 39) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 12, WW_PERM_R) == WW_E_ARG); /* a readable page must be executable */
    BOOST_TEST((before == m.arena));
    const auto init = [&](uint8_t mode, uint64_t pa, uint32_t nodes, size_t words) {
        const ww_amd_cfg cfg = {mode, false, pa, nodes};
        return ww_amd_init(&m.t, &cfg, m.arena.data(), words);
    };
    BOOST_TEST(init(0, 0, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(7, 0, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0, 0, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0x800, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, (UINT64_C(1) << 52) - 4096, 2, 1024) == WW_E_ARG);
    BOOST_TEST(init(4, 0, 2, 1023) == WW_E_SIZE);
    BOOST_TEST(ww_amd_nodes_needed(0, 0, 4096, 12) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(7, 0, 4096, 12) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(1, 0, 4096, 21) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(4, 0, 0, 12) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(4, 4096, UINT64_MAX, 12) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(4, UINT64_C(1) << 47, (UINT64_C(1) << 47) + 1, 12) == 0u);
    BOOST_TEST(ww_amd_nodes_needed(4, 0, UINT64_C(3) << 21, 12) == 3u + 3u);
}

BOOST_AUTO_TEST_CASE(a_full_arena_refuses_and_changes_nothing)
{
    amd m(4, true, 3);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK); /* makes levels 4 and 1 */
    const std::vector<uint64_t> before = m.arena;
    BOOST_TEST(m.map(0x200000, 0x2000, 12) == WW_E_SIZE); /* needs level 2 and another level 1 */
    BOOST_TEST((before == m.arena));
    m.require_sound();
    BOOST_TEST(m.map(0x200000, 0x200000, 21) == WW_OK); /* needs level 2 only */
    m.require_sound();
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const auto broken = [](auto change) {
        amd m(3);
        BOOST_REQUIRE_EQUAL(m.map(0x10000, 0x20000, 16), WW_OK);
        BOOST_REQUIRE_EQUAL(m.map(UINT64_C(1) << 30, 0, 30), WW_OK);
        m.require_sound();
        change(m);
        return m.check();
    };
    const auto e = [](amd &m, uint64_t va, uint32_t level) -> uint64_t & {
        return m.word(m.entry_pa(va, level));
    };
    BOOST_TEST(broken([&](amd &m) { e(m, 0x13000, 1) = 0; }) == "the entries of a large page differ");
    BOOST_TEST(broken([&](amd &m) { e(m, 0x13000, 1) |= WW_AMD_RSV; }) ==
               "the entries of a large page differ");
    BOOST_TEST(broken([&](amd &m) { e(m, 0x0, 1) = 2; }) == "an absent entry is not zero");
    BOOST_TEST(broken([&](amd &m) { e(m, 0x0, 1) = WW_AMD_PR | WW_AMD_RSV; }) == "an entry is malformed");
    BOOST_TEST(broken([&](amd &m) { e(m, 0x0, 3) += 0x100000; }) == "a table entry points outside the table");
    BOOST_TEST(broken([&](amd &m) { e(m, 0x0, 3) = 0; }) == "a node in use cannot be reached");
    BOOST_TEST(broken([&](amd &m) { m.arena[5] = e(m, 0x0, 3); }) ==
               "more nodes can be reached than are in use");
}

/* Few addresses, so that pages overlap and every kind of insertion occurs. */
BOOST_DATA_TEST_CASE(random_tables_agree_with_a_map_of_pages, bdata::xrange(8), seed)
{
    const uint32_t mode = 3 + static_cast<uint32_t>(seed) % 4;
    amd m(mode, seed >= 4, 40);
    page_map pages;
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    const uint32_t shifts[] = {12, 12, 12, 13, 16, 20, 21, 24, 30};
    const auto random_va = [&] {
        uint64_t va = uint64_t{ww_rng_below(&rng, 3)} << 30 | uint64_t{ww_rng_below(&rng, 4)} << 21;
        va |= uint64_t{ww_rng_below(&rng, 40)} << 12;
        if (mode >= 4)
            va |= uint64_t{ww_rng_below(&rng, 2)} << 39;
        return va | (mode >= 5 ? uint64_t{ww_rng_below(&rng, 2)} << 48 : 0);
    };
    int mapped = 0, refused = 0, faults = 0;
    for (int i = 0; i < 600; i++) {
        const uint32_t shift = shifts[ww_rng_below(&rng, 9)];
        const uint64_t va = ww_page_base(random_va(), shift);
        const uint64_t pa = uint64_t{ww_rng_below(&rng, 1 << 10)} << shift;
        const bool overlap = pages.overlaps(va, shift);
        const std::vector<uint64_t> before = m.arena;
        const int status = m.map(va, pa, shift);
        BOOST_REQUIRE_EQUAL(status == WW_E_ARG, overlap);
        BOOST_REQUIRE(status == WW_OK || before == m.arena);
        m.require_sound();
        mapped += status == WW_OK;
        refused += overlap;
        if (status == WW_OK)
            pages[va] = {pa, static_cast<uint8_t>(shift), WW_PERM_ALL};
        for (int probe = 0; probe < 8; probe++) {
            const uint64_t look = random_va() + 42;
            const auto at = pages.holding(look);
            ww_xlat x = {};
            BOOST_REQUIRE_EQUAL(m.lookup(look, x), at != pages.end());
            const uint64_t end = m.whole(look);
            BOOST_REQUIRE_EQUAL(ww_walk_act(end) == WW_WALK_DONE, at != pages.end());
            faults += at == pages.end();
            if (at == pages.end())
                continue;
            const ww_xlat walked = ww_walk_xlat(end);
            BOOST_REQUIRE(ww_xlat_same(&x, &walked));
            BOOST_REQUIRE_EQUAL(x.page_pa, at->second.page_pa);
            BOOST_REQUIRE_EQUAL(x.page_shift, at->second.page_shift);
        }
        /* Where a line serves two addresses, their walks must be equal, with or without skipped levels. */
        const uint64_t one = random_va(), other = random_va();
        m.require_neighbours(one, other);
    }
    BOOST_TEST_MESSAGE(mapped << " mapped, " << refused << " refused, " << faults << " faults");
    BOOST_TEST((mapped > 10 && refused > 40 && faults > 100));
}

BOOST_DATA_TEST_CASE(every_size_at_every_root_level_walks, bdata::xrange(1u, 7u) * bdata::xrange(12u, 39u),
                     mode, shift)
{
    const uint32_t level = (shift - 12) / 9 + 1;
    for (bool skip : {false, true}) {
        amd m(mode, skip);
        const uint64_t mask = (UINT64_C(1) << ww_amd_va_bits(mode)) - 1;
        const uint64_t va = UINT64_C(0x0123456789abcdef) & mask & ~ww_page_mask(shift);
        const uint64_t pa = UINT64_C(3) << shift;
        if (level > mode) {
            BOOST_TEST(m.map(va, pa, shift) == WW_E_ARG);
            continue;
        }
        BOOST_REQUIRE_EQUAL(m.map(va, pa, shift, WW_PERM_R | WW_PERM_X), WW_OK);
        m.require_sound();
        for (uint64_t offset : {UINT64_C(0), UINT64_C(42), ww_page_mask(shift)}) {
            const uint64_t end = m.whole(va + offset);
            BOOST_REQUIRE_EQUAL(ww_walk_act(end), WW_WALK_DONE);
            const ww_xlat x = ww_walk_xlat(end);
            BOOST_TEST(x.page_pa == pa);
            BOOST_TEST(x.page_shift == shift);
            BOOST_TEST(x.perm == (WW_PERM_R | WW_PERM_X));
            ww_xlat direct = {};
            BOOST_TEST(m.lookup(va + offset, direct));
            BOOST_TEST(ww_xlat_same(&x, &direct));
            BOOST_TEST(m.steps.size() == mode - level + 1); /* every level has an index, so none is skipped */
        }
        BOOST_TEST(m.t.nodes == m.steps.size());
        const uint64_t needed = ww_amd_nodes_needed(mode, va, UINT64_C(1) << shift, shift);
        BOOST_TEST(needed == mode - level + 1);
        ww_xlat x = {1, 2, 3};
        BOOST_TEST(!m.lookup((va + ww_page_bytes(shift)) & mask, x));
        BOOST_TEST(x.page_pa == 1u);
    }
}

BOOST_AUTO_TEST_CASE(levels_that_decide_nothing_are_skipped_until_a_page_needs_them)
{
    amd m(6, true);
    BOOST_REQUIRE_EQUAL(m.map(0x100000000, 0x1000, 12), WW_OK); /* indexes 0, 0, 0, 4, 0, 0 */
    m.whole(0x100000000);
    BOOST_TEST(m.steps == "631");
    BOOST_REQUIRE_EQUAL(m.map(0x100200000, 0x2000, 12), WW_OK); /* a different index at level 2 */
    m.whole(0x100200000);
    BOOST_TEST(m.steps == "6321");
    BOOST_TEST(ww_walk_pa(m.whole(0x100000000)) == 0x1000u);
    BOOST_TEST(m.steps == "6321");
    BOOST_REQUIRE_EQUAL(m.map(UINT64_C(1) << 50, 0x3000, 12), WW_OK); /* a different index at level 5 */
    m.whole(UINT64_C(1) << 50);
    BOOST_TEST(m.steps == "651");
    BOOST_TEST(ww_walk_pa(m.whole(0x100000000)) == 0x1000u);
    BOOST_TEST(m.steps == "65321");
    m.require_sound();
}
