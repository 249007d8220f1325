/* SPDX-License-Identifier: MIT */
/* Radix walks on tables of the builder: addresses they read, results, faults, inner starts. */
#include <boost/test/data/test_case.hpp>

#include "kernels/bits.h"
#include "kernels/table/table_radix.h"
#include "tb/kernels/radix_fixture.hpp"

#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;

namespace
{
/* The end of a walk, and its reads. */
struct end {
    uint64_t walk;
    uint32_t reads;
};

ww_table table_of(const table &t)
{
    return ww_radix_table(t.r.cfg.levels, ww_radix_root_pa(&t.r));
}

/* Walks to the end, in whole lines of memory as the model does. */
end walk_from(table &t, uint64_t va, uint64_t walk)
{
    const ww_table kind = table_of(t);
    const uint32_t first = ww_walk_step(walk);
    ww_walk_read read = {};
    uint32_t reads = 0;
    while (ww_table_next(&kind, walk, va, &read) == WW_WALK_READ) {
        const uint32_t level = ww_walk_step(walk);
        const char *broken = ww_table_walk_check(kind.kind, walk);
        BOOST_REQUIRE_MESSAGE(broken == nullptr, broken);
        BOOST_REQUIRE_EQUAL(level, first - reads);
        BOOST_REQUIRE_EQUAL(ww_table_reads_left(kind.kind, walk), level);
        BOOST_REQUIRE_EQUAL(read.pa, t.entry_pa(va, level));
        BOOST_REQUIRE_EQUAL(read.bytes, 8u);
        BOOST_REQUIRE_EQUAL(read.pa & ~UINT64_C(4095), ww_walk_pa(walk));
        BOOST_REQUIRE(reads == 0 || ww_walk_from(walk) == level + 1);
        walk = ww_table_feed(&kind, walk, va, &t.word(ww_line_base(read.pa)));
        reads++;
    }
    return {walk, reads};
}

end walk(table &t, uint64_t va)
{
    const ww_table kind = table_of(t);
    return walk_from(t, va, ww_table_start(&kind, va));
}
} // namespace

BOOST_AUTO_TEST_CASE(the_kinds_hold_what_the_format_says)
{
    for (const ww_table_kind *kind : {&ww_radix4, &ww_radix5}) {
        BOOST_TEST(ww_table_kind_check(kind) == nullptr);
        for (uint32_t level = 1; level <= kind->steps; level++) {
            BOOST_TEST(kind->reach[level] == ww_level_shift(level));
            BOOST_TEST(kind->shift[level] == ww_level_shift(level) + WW_LINE_PTES_SHIFT);
            BOOST_TEST(kind->step_name[level] == "l" + std::to_string(level));
        }
    }
    BOOST_TEST(std::string(ww_radix4.name) == "radix4");
    BOOST_TEST(std::string(ww_radix5.name) == "radix5");
    BOOST_TEST(ww_table_vpn_bits(&ww_radix4) == 36u);
    BOOST_TEST(ww_table_vpn_bits(&ww_radix5) == 45u);
    BOOST_CHECK_THROW(ww_radix_table(3, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_radix_table(6, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_radix_table(4, 8), std::logic_error);
}

BOOST_DATA_TEST_CASE(a_walk_reads_one_entry_a_level_and_finds_the_page, every_levels *every_shift, levels,
                     shift)
{
    table t(u8(levels));
    const uint64_t va = sample_va(levels, shift), pa = UINT64_C(99) << shift;
    BOOST_REQUIRE_EQUAL(t.map(va, pa, u8(shift), WW_PERM_R | WW_PERM_X), WW_OK);
    const uint32_t leaf_level = ww_page_level(u8(shift));
    for (uint64_t offset : {UINT64_C(0), UINT64_C(42), (UINT64_C(1) << shift) - 1}) {
        const end w = walk(t, va + offset);
        BOOST_TEST(ww_walk_act(w.walk) == WW_WALK_DONE);
        BOOST_TEST(w.reads == static_cast<uint32_t>(levels) - leaf_level + 1);
        BOOST_TEST(ww_walk_step(w.walk) == leaf_level);
        const struct ww_xlat x = ww_walk_xlat(w.walk);
        BOOST_TEST(x.page_pa == pa);
        BOOST_TEST(x.page_shift == shift);
        BOOST_TEST(x.perm == (WW_PERM_R | WW_PERM_X));
        BOOST_TEST(ww_xlat_pa(&x, va + offset) == pa + offset);
    }
}

BOOST_DATA_TEST_CASE(a_walk_may_start_at_any_inner_node, every_levels *every_shift, levels, shift)
{
    table t(u8(levels));
    const uint64_t va = sample_va(levels, shift);
    BOOST_REQUIRE_EQUAL(t.map(va, UINT64_C(5) << shift, u8(shift)), WW_OK);
    const struct ww_xlat expect = ww_walk_xlat(walk(t, va + 42).walk);
    for (uint32_t level = ww_page_level(u8(shift)); level <= static_cast<uint32_t>(levels); level++) {
        const uint64_t node_pa = t.entry_pa(va, level) & ~UINT64_C(4095);
        const end w = walk_from(t, va + 42, ww_walk_reading(level, 0, node_pa));
        const struct ww_xlat x = ww_walk_xlat(w.walk);
        BOOST_TEST(ww_xlat_same(&x, &expect));
        BOOST_TEST(w.reads == level - ww_page_level(u8(shift)) + 1);
    }
}

BOOST_DATA_TEST_CASE(an_absent_entry_faults_at_its_level, every_levels *every_shift, levels, shift)
{
    const uint64_t va = sample_va(levels, shift);
    for (uint32_t level = ww_page_level(u8(shift)); level <= static_cast<uint32_t>(levels); level++) {
        table t(u8(levels));
        BOOST_REQUIRE_EQUAL(t.map(va, UINT64_C(5) << shift, u8(shift)), WW_OK);
        t.word(t.entry_pa(va, level)) &= ~WW_PTE_P;
        const end w = walk(t, va);
        BOOST_TEST(ww_walk_why(w.walk) == WW_WHY_ABSENT);
        BOOST_TEST(ww_walk_step(w.walk) == level);
        BOOST_TEST(w.reads == static_cast<uint32_t>(levels) - level + 1);
    }
}

BOOST_DATA_TEST_CASE(a_leaf_above_level_3_is_malformed, every_levels, levels)
{
    table t(u8(levels));
    BOOST_REQUIRE_EQUAL(t.map(0, 0, WW_PAGE_4K), WW_OK);
    t.word(t.entry_pa(0, 4)) |= WW_PTE_PS;
    const end w = walk(t, 0);
    BOOST_TEST(ww_walk_why(w.walk) == WW_WHY_MALFORMED);
    BOOST_TEST(ww_walk_step(w.walk) == 4u);
}

BOOST_DATA_TEST_CASE(an_address_beyond_the_table_faults_without_a_read, every_levels, levels)
{
    table t(u8(levels));
    const end w = walk(t, UINT64_C(1) << (12 + 9 * levels));
    BOOST_TEST(ww_walk_why(w.walk) == WW_WHY_ADDRESS);
    BOOST_TEST(w.reads == 0u);
}

BOOST_AUTO_TEST_CASE(neighbourhoods_are_32K_16M_8G_and_4T)
{
    const uint32_t shifts[] = {0, 15, 24, 33, 42, 51};
    const uint64_t va = UINT64_C(0x0123456789abcdef) & ((UINT64_C(1) << 57) - 1);
    for (uint32_t level = 1; level <= WW_LEVELS_MAX; level++) {
        const uint64_t bytes = UINT64_C(1) << shifts[level];
        const uint64_t base_va = va & ~(bytes - 1);
        BOOST_TEST(ww_radix5.shift[level] == shifts[level]);
        BOOST_TEST(ww_table_neighbours(&ww_radix5, base_va, base_va + bytes - 1, level));
        BOOST_TEST(!ww_table_neighbours(&ww_radix5, base_va, base_va + bytes, level));
        BOOST_TEST(!ww_table_neighbours(&ww_radix5, base_va, base_va - 1, level));
    }
}

BOOST_DATA_TEST_CASE(one_neighbourhood_is_one_line_of_one_node, bdata::xrange(1u, 6u), level)
{
    struct ww_rng rng;
    ww_rng_init(&rng, level);
    for (int i = 0; i < 20000; i++) {
        const uint64_t a_va = ww_rng_next(&rng) >> 7;
        const uint64_t b_va = a_va ^ (UINT64_C(1) << ww_rng_below(&rng, 57));
        const bool same_node = a_va >> ww_level_shift(level) >> 9 == b_va >> ww_level_shift(level) >> 9;
        const bool same_line = ww_index(a_va, level) / 8 == ww_index(b_va, level) / 8;
        BOOST_REQUIRE_EQUAL(ww_table_neighbours(&ww_radix5, a_va, b_va, level), same_node && same_line);
    }
}

BOOST_AUTO_TEST_CASE(a_line_takes_a_bystander_on_as_its_own_read_would)
{
    table t(4);
    for (uint64_t i = 0; i < 6; i++)
        BOOST_REQUIRE_EQUAL(t.map(i << 12, (i + 7) << 12, WW_PAGE_4K), WW_OK);
    const ww_table kind = table_of(t);
    uint64_t at = ww_table_start(&kind, 0);
    ww_walk_read read = {};
    while (ww_walk_step(at) != 1) {
        ww_table_next(&kind, at, 0, &read);
        at = ww_table_feed(&kind, at, 0, &t.word(ww_line_base(read.pa)));
    }
    ww_table_next(&kind, at, 0, &read);
    for (uint64_t i = 0; i < 8; i++) {
        BOOST_TEST(ww_table_neighbours(kind.kind, 0, i << 12, 1));
        BOOST_TEST(ww_table_feed(&kind, at, i << 12, &t.word(read.pa)) == walk(t, i << 12).walk);
    }
    BOOST_TEST(!ww_table_neighbours(kind.kind, 0, 8 << 12, 1));
}

BOOST_DATA_TEST_CASE(random_tables_walk_as_the_builder_looks_up, every_levels *bdata::xrange(4), levels, seed)
{
    table t(u8(levels), 96);
    struct ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    const uint8_t shifts[] = {WW_PAGE_4K, WW_PAGE_4K, WW_PAGE_64K, WW_PAGE_2M, WW_PAGE_1G};
    const auto random_va = [&rng] {
        const uint64_t va = uint64_t{ww_rng_below(&rng, 2)} << 39 | uint64_t{ww_rng_below(&rng, 5)} << 30;
        return va | uint64_t{ww_rng_below(&rng, 5)} << 21 | ww_rng_below(&rng, 1 << 18);
    };
    int hits = 0, misses = 0;
    for (int i = 0; i < 3000; i++) {
        const uint8_t shift = shifts[ww_rng_below(&rng, 5)];
        const uint64_t place_va = ww_page_base(random_va(), shift);
        if (ww_rng_below(&rng, 2) != 0)
            (void)t.map(place_va, uint64_t{ww_rng_below(&rng, 4096)} << shift, shift,
                        u8(static_cast<int>(1 + 2 * ww_rng_below(&rng, 4))));
        else
            (void)t.unmap(place_va);
        const uint64_t va = random_va();
        const end w = walk(t, va);
        struct ww_xlat expect = {};
        const bool mapped = t.lookup(va, expect);
        BOOST_REQUIRE_EQUAL(ww_walk_act(w.walk) == WW_WALK_DONE, mapped);
        hits += mapped;
        misses += !mapped;
        if (mapped) {
            const struct ww_xlat x = ww_walk_xlat(w.walk);
            BOOST_REQUIRE(ww_xlat_same(&x, &expect));
        }
    }
    BOOST_TEST((hits > 200 && misses > 200));
}
