/* SPDX-License-Identifier: MIT */
/* Tests the builder of NVIDIA page tables: what it refuses, which tables a region gets, how many frames they
 * need, and random pages against a map. */
#include "tb/kernels/nv_fixture.hpp"

#include "kernels/bits.h"
#include "tb/kernels/page_map.hpp"

#include <boost/test/data/test_case.hpp>

#include <iterator>

using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{
const auto versions = data::make({WW_NV_V2, WW_NV_V3});
constexpr uint64_t region = UINT64_C(1) << 21;
} // namespace

BOOST_AUTO_TEST_CASE(an_illegal_configuration_is_refused)
{
    std::vector<uint64_t> arena(1024);
    ww_nv t = {};
    const auto init = [&](uint8_t version, uint64_t pa, uint32_t nodes, size_t words = 1024) {
        const ww_nv_cfg cfg = {version, false, pa, nodes};
        return ww_nv_init(&t, &cfg, arena.data(), words);
    };
    for (const uint8_t version : {uint8_t{2}, uint8_t{3}})
        BOOST_TEST(init(version, 0x1000, 2) == WW_OK);
    BOOST_TEST(init(1, 0x1000, 2) == WW_E_ARG);
    BOOST_TEST(init(4, 0x1000, 2) == WW_E_ARG);
    BOOST_TEST(init(2, 0x1800, 2) == WW_E_ARG);
    BOOST_TEST(init(2, 0x1000, 0) == WW_E_ARG);
    BOOST_TEST(init(2, 0x1000, 3) == WW_E_SIZE);
    BOOST_TEST(init(2, 0x1000, 2, 1023) == WW_E_SIZE);
    BOOST_TEST(init(2, (UINT64_C(1) << 37) - 0x2000, 2) == WW_OK);
    BOOST_TEST(init(2, (UINT64_C(1) << 37) - 0x1000, 2) == WW_E_ARG);
    BOOST_TEST(init(3, (UINT64_C(1) << 37) - 0x1000, 2) == WW_OK);
    BOOST_TEST(init(3, (UINT64_C(1) << 40) - 0x1000, 2) == WW_E_ARG);
    BOOST_TEST(init(3, 0, (1u << 25) + 1) == WW_E_ARG); /* more than 128 GiB */
    BOOST_TEST(init(3, UINT64_MAX - 0xfff, 2) == WW_E_ARG);
}

BOOST_DATA_TEST_CASE(what_cannot_be_mapped_is_refused_and_changes_nothing, versions, v)
{
    nv m(v, false, 8);
    BOOST_REQUIRE_EQUAL(m.map(0x10000, 0x20000, 16), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(0x20000, 0x3000, 12), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(region, 2 * region, 21), WW_OK);
    const std::vector<uint64_t> before = m.arena;
    const uint64_t far_va = UINT64_C(1) << ww_nv_va_bits(v), far_pa = UINT64_C(1)
                                                                      << (v == WW_NV_V2 ? 37 : 40);
    for (const uint32_t shift : {11, 13, 20, 30})
        BOOST_TEST(m.map(0, 0, shift) == WW_E_ARG);
    BOOST_TEST(m.map(far_va, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, far_pa, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0x1000, 0, 16) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0x1000, 16) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 12, WW_PERM_W) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 12, 8 | WW_PERM_R) == WW_E_ARG);
    BOOST_TEST(m.map(0x10000, 0, 16) == WW_E_ARG); /* already mapped */
    BOOST_TEST(m.map(0x1f000, 0, 12) == WW_E_ARG); /* in a page of 64 KiB */
    BOOST_TEST(m.map(0x20000, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0x20000, 0, 16) == WW_E_ARG); /* contains a page of 4 KiB */
    BOOST_TEST(m.map(0, 0, 21) == WW_E_ARG);       /* contains tables */
    BOOST_TEST(m.map(region, 0, 21) == WW_E_ARG);
    BOOST_TEST(m.map(region, 0, 16) == WW_E_ARG); /* in a page of 2 MiB */
    BOOST_TEST(m.map(region, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 29) == WW_E_ARG);
    BOOST_TEST((m.arena == before));
    m.require_sound();
    BOOST_REQUIRE_EQUAL(m.map(UINT64_C(1) << 29, 0, 29), WW_OK);
    BOOST_TEST(m.map(UINT64_C(1) << 29, 0, 12) == WW_E_ARG); /* in a page of 512 MiB */
}

BOOST_DATA_TEST_CASE(a_full_arena_is_refused_before_anything_is_written, versions, v)
{
    const uint32_t directories = v == WW_NV_V2 ? 4 : 5;
    for (const bool both : {false, true})
        for (const uint32_t shift : {12, 16, 21}) {
            const uint32_t needed = directories + (shift == 21 ? 0 : both ? 2 : 1);
            for (uint32_t nodes = 1; nodes <= needed; ++nodes) {
                nv m(v, both, nodes);
                const std::vector<uint64_t> before = m.arena;
                BOOST_TEST(m.map(0, 0, shift) == (nodes == needed ? WW_OK : WW_E_SIZE));
                BOOST_TEST((m.arena == before) == (nodes != needed));
                m.require_sound();
            }
        }
}

/* Sixteen tables of 64 KiB pages share a frame; a seventeenth needs another. */
BOOST_DATA_TEST_CASE(big_tables_share_frames, versions, v)
{
    nv m(v, false, 7 + (v == WW_NV_V3 ? 1 : 0));
    const uint32_t directories = v == WW_NV_V2 ? 4 : 5;
    for (uint64_t i = 0; i < 33; ++i) {
        BOOST_REQUIRE_EQUAL(m.map(i * region, i << 16, 16), WW_OK);
        BOOST_TEST(m.t.nodes == directories + i / 16 + 1);
    }
    m.require_sound();
    BOOST_TEST(m.map(48 * region, 0, 16) == WW_OK);
    BOOST_TEST(m.map(48 * region, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(48 * region + 0x10000, 0, 12) == WW_E_SIZE);
}

BOOST_DATA_TEST_CASE(with_both_each_region_has_both_tables, versions, v)
{
    nv m(v, true);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x3000, 12), WW_OK);
    BOOST_TEST(ww_walk_xlat(m.whole(0)).page_pa == 0x3000u);
    BOOST_TEST(m.steps.substr(m.steps.size() - 2) == "21");
    BOOST_REQUIRE_EQUAL(m.map(region, 0x30000, 16), WW_OK);
    BOOST_TEST(ww_walk_xlat(m.whole(region)).page_pa == 0x30000u);
    BOOST_TEST(m.steps.back() == '2');
    const uint32_t nodes = m.t.nodes;
    BOOST_REQUIRE_EQUAL(m.map(2 * region, 0, 21), WW_OK); /* its page is in PDE0 */
    BOOST_TEST(m.t.nodes == nodes);
    m.require_sound();
}

BOOST_AUTO_TEST_CASE(frames_needed_by_hand)
{
    const uint64_t gib = UINT64_C(1) << 30;
    BOOST_TEST(ww_nv_nodes_needed(2, 0, 1, false, false) == 4u);
    BOOST_TEST(ww_nv_nodes_needed(3, 0, 1, false, false) == 5u);
    BOOST_TEST(ww_nv_nodes_needed(2, 0, region, false, true) == 5u);
    BOOST_TEST(ww_nv_nodes_needed(2, 0, region + 1, false, true) == 6u);
    BOOST_TEST(ww_nv_nodes_needed(2, region - 1, 2, true, true) == 4u + 2 + 1);
    BOOST_TEST(ww_nv_nodes_needed(2, 0, 16 * region, true, false) == 5u);
    BOOST_TEST(ww_nv_nodes_needed(2, 0, 17 * region, true, false) == 6u);
    BOOST_TEST(ww_nv_nodes_needed(2, 0, gib, false, false) == 5u); /* two PDE0 tables */
    BOOST_TEST(ww_nv_nodes_needed(2, gib, 0, true, true) == 0u);
    BOOST_TEST(ww_nv_nodes_needed(2, (UINT64_C(1) << 49) - 1, 2, true, true) == 0u);
    BOOST_TEST(ww_nv_nodes_needed(3, (UINT64_C(1) << 49) - 1, 2, false, false) == 8u);
    BOOST_TEST(ww_nv_nodes_needed(3, UINT64_MAX, 2, true, true) == 0u);
    BOOST_TEST(ww_nv_nodes_needed(1, 0, 1, true, true) == 0u);
    BOOST_TEST(ww_nv_nodes_needed(4, 0, 1, true, true) == 0u);
}

/* Maps pages of every size, some of which are refused, and compares with a map of the mapped 4 KiB pages. */
BOOST_DATA_TEST_CASE(random_pages_are_found_again, versions *data::xrange(6), v, seed)
{
    nv m(v, seed % 2 != 0, 120);
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed) + 1);
    page_map pages;
    const uint32_t shifts[] = {12, 12, 12, 16, 16, 21, 29};
    uint64_t refused = 0;
    for (int i = 0; i < 600; ++i) {
        const uint32_t shift = shifts[ww_rng_below(&rng, 7)];
        const uint64_t at =
            (uint64_t{ww_rng_below(&rng, 3)} << 45) + (uint64_t{ww_rng_below(&rng, 2)} << 29) +
            uint64_t{ww_rng_below(&rng, 6)} * region + (uint64_t{ww_rng_below(&rng, 64)} << 12);
        const uint64_t va = at >> shift << shift, pa = uint64_t{ww_rng_below(&rng, 1u << 7)} << shift;
        const bool write = ww_rng_below(&rng, 2) != 0;
        const auto perm = static_cast<uint8_t>(WW_PERM_R | (write ? WW_PERM_W : 0));
        const bool taken = pages.overlaps(va, shift);
        const int rc = m.map(va, pa, shift, perm);
        BOOST_REQUIRE(rc == (taken ? WW_E_ARG : WW_OK) || rc == WW_E_SIZE);
        refused += rc == WW_E_ARG;
        if (rc == WW_OK)
            pages[va] = {pa, static_cast<uint8_t>(shift), static_cast<uint8_t>(perm | WW_PERM_X)};
        m.require_sound();
        for (int probe = 0; probe < 8; ++probe) {
            const uint64_t any = (uint64_t{ww_rng_below(&rng, 3)} << 45) +
                                 (uint64_t{ww_rng_below(&rng, 2)} << 29) +
                                 uint64_t{ww_rng_below(&rng, 6)} * region + ww_rng_below(&rng, 64 << 12);
            const auto known = pages.holding(any);
            ww_xlat x = {};
            BOOST_REQUIRE_EQUAL(m.lookup(any, x), known != pages.end());
            const uint64_t end = m.whole(any);
            BOOST_REQUIRE_EQUAL(ww_walk_act(end) == WW_WALK_DONE, known != pages.end());
            if (known == pages.end())
                continue;
            const ww_xlat walked = ww_walk_xlat(end);
            BOOST_REQUIRE(ww_xlat_same(&x, &known->second) && ww_xlat_same(&walked, &known->second));
        }
    }
    BOOST_TEST(refused > 50u);
}

BOOST_DATA_TEST_CASE(a_lookup_sees_what_a_walk_sees, versions, v)
{
    nv m(v);
    ww_xlat x = {};
    BOOST_TEST(!m.lookup(UINT64_C(1) << ww_nv_va_bits(v), x));
    BOOST_TEST(!m.lookup(0, x));
    BOOST_REQUIRE_EQUAL(m.map(0x10000, 0x20000, 16), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(0x20000, 0x3000, 12), WW_OK);
    BOOST_TEST(m.lookup(0x20000, x));
    m.entry(0x20000, 2) = v == WW_NV_V2 ? 0x20 : 0x18; /* hidden */
    BOOST_TEST(!m.lookup(0x20000, x));
    BOOST_TEST(!m.lookup(0x30000, x));
}

BOOST_DATA_TEST_CASE(damage_is_found, versions, v)
{
    const auto damaged = [&](auto damage) {
        nv m(v);
        BOOST_REQUIRE_EQUAL(m.map(0x10000, 0x20000, 16), WW_OK);
        BOOST_REQUIRE_EQUAL(m.map(0x20000, 0x3000, 12), WW_OK);
        BOOST_REQUIRE_EQUAL(m.map(region, 2 * region, 21), WW_OK);
        damage(m);
        return m.check();
    };
    const std::string neither = "an entry is neither a page nor zero",
                      outside = "a directory leads outside the table",
                      unreached = "a frame in use cannot be reached",
                      directory = "a directory's entry is neither a page, a table nor zero";
    const uint64_t beyond = arena_pa + 60 * 4096;
    BOOST_TEST(damaged([](nv &) {}).empty());
    BOOST_TEST(damaged([](nv &m) { m.entry(0x20000, 1) = 0x08; }) == neither);
    BOOST_TEST(damaged([](nv &m) { m.entry(0x10000, 2) = 0x08; }) == neither);
    BOOST_TEST(damaged([](nv &m) { m.entry(0x20000, 2) = ww_nv_page_entry(m.v, 0x20000, true); }) ==
               "a page of 64 KiB hides one of 4 KiB");
    BOOST_TEST(damaged([=](nv &m) { m.entry(0, WW_NV_PDE0) = ww_nv_table_entry(m.v, beyond, true); }) ==
               outside);
    BOOST_TEST(damaged([=](nv &m) {
                   m.word(m.entry_pa(0, WW_NV_PDE0) + 8) = ww_nv_table_entry(m.v, beyond, false);
               }) == outside);
    BOOST_TEST(damaged([=](nv &m) { m.entry(0, WW_NV_PDE1) = ww_nv_table_entry(m.v, beyond, false); }) ==
               outside);
    BOOST_TEST(damaged([](nv &m) { m.entry(region, WW_NV_PDE0) = 0x08; }) == directory);
    BOOST_TEST(damaged([](nv &m) { m.word(m.entry_pa(2 * region, WW_NV_PDE0) + 8) = 0x08; }) == directory);
    BOOST_TEST(damaged([](nv &m) { m.entry(0, WW_NV_PDE0) = 0; }) == unreached);
    BOOST_TEST(damaged([](nv &m) { ++m.t.nodes; }) == unreached);
    BOOST_TEST(damaged([](nv &m) {
                   uint64_t &pde = m.entry(0, WW_NV_PDE1 + 1); /* the same table many times */
                   const uint64_t index = (m.entry_pa(0, WW_NV_PDE1 + 1) - arena_pa) / 8;
                   for (uint64_t i = 1; i < 20; ++i)
                       m.arena[index + i] = pde;
               }) == "more frames can be reached than are in use");
}
