/* SPDX-License-Identifier: MIT */
/* The walker on tables that the builder made: addresses it asks for, reads, results, faults, inner starts. */
#include <boost/test/data/test_case.hpp>

#include "kernels/bits.h"
#include "kernels/ptw.h"
#include "tb/kernels/radix_fixture.hpp"

#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;

namespace
{
void require_sound(const struct ww_ptw &w)
{
    const char *broken = ww_ptw_check(&w);
    BOOST_REQUIRE_MESSAGE(broken == nullptr, broken);
}

/* Walks to the end from a node, through whole lines of memory as the model does. */
struct ww_ptw walk(table &t, uint64_t va, uint32_t start_level, uint64_t node_pa)
{
    struct ww_ptw w;
    ww_ptw_start(&w, t.r.cfg.levels, va, start_level, node_pa);
    uint64_t pte_pa = 0;
    uint32_t reads = 0;
    while (ww_ptw_next(&w, &pte_pa) == WW_PTW_READ) {
        require_sound(w);
        BOOST_REQUIRE_EQUAL(ww_ptw_reads(&w), reads);
        BOOST_REQUIRE_EQUAL(ww_ptw_level(&w), start_level - reads);
        BOOST_REQUIRE_EQUAL(pte_pa, t.entry_pa(va, ww_ptw_level(&w)));
        BOOST_REQUIRE_EQUAL(pte_pa & ~UINT64_C(4095), ww_ptw_node_pa(&w));
        const uint64_t *line = &t.word(ww_line_base(pte_pa));
        ww_ptw_feed(&w, ww_line_pte(line, va, ww_ptw_level(&w)));
        reads++;
    }
    require_sound(w);
    BOOST_REQUIRE_EQUAL(ww_ptw_reads(&w), reads);
    return w;
}

struct ww_ptw walk(table &t, uint64_t va)
{
    return walk(t, va, t.r.cfg.levels, ww_radix_root_pa(&t.r));
}
} // namespace

BOOST_AUTO_TEST_CASE(steps_have_names)
{
    BOOST_TEST(std::string(ww_ptw_step_name(WW_PTW_READ)) == "READ");
    BOOST_TEST(std::string(ww_ptw_step_name(WW_PTW_DONE)) == "DONE");
    BOOST_TEST(std::string(ww_ptw_step_name(WW_PTW_FAULT)) == "FAULT");
    BOOST_TEST(std::string(ww_ptw_step_name(static_cast<enum ww_ptw_step>(3))) == "?");
}

BOOST_DATA_TEST_CASE(a_walk_reads_one_entry_a_level_and_finds_the_page, every_levels *every_shift, levels,
                     shift)
{
    table t(u8(levels));
    const uint64_t va = sample_va(levels, shift), pa = UINT64_C(99) << shift;
    BOOST_REQUIRE_EQUAL(t.map(va, pa, u8(shift), WW_PERM_R | WW_PERM_X), WW_OK);
    const uint32_t leaf_level = ww_page_level(u8(shift));
    for (uint64_t offset : {UINT64_C(0), UINT64_C(42), (UINT64_C(1) << shift) - 1}) {
        const struct ww_ptw w = walk(t, va + offset);
        uint64_t pte_pa = 17;
        BOOST_TEST(ww_ptw_next(&w, &pte_pa) == WW_PTW_DONE);
        BOOST_TEST(pte_pa == 17u); /* untouched */
        BOOST_TEST(ww_ptw_reads(&w) == static_cast<uint32_t>(levels) - leaf_level + 1);
        BOOST_TEST(ww_ptw_level(&w) == leaf_level);
        const struct ww_xlat x = ww_ptw_result(&w);
        BOOST_TEST(x.page_pa == pa);
        BOOST_TEST(x.page_shift == shift);
        BOOST_TEST(x.perm == (WW_PERM_R | WW_PERM_X));
        BOOST_TEST(ww_xlat_pa(&x, va + offset) == pa + offset);
        BOOST_CHECK_THROW(ww_ptw_node_pa(&w), std::logic_error);
    }
}

BOOST_DATA_TEST_CASE(a_walk_may_start_at_any_inner_node, every_levels *every_shift, levels, shift)
{
    table t(u8(levels));
    const uint64_t va = sample_va(levels, shift);
    BOOST_REQUIRE_EQUAL(t.map(va, UINT64_C(5) << shift, u8(shift)), WW_OK);
    const struct ww_ptw whole = walk(t, va + 42);
    const struct ww_xlat expect = ww_ptw_result(&whole);
    for (uint32_t level = ww_page_level(u8(shift)); level <= static_cast<uint32_t>(levels); level++) {
        const uint64_t node_pa = t.entry_pa(va, level) & ~UINT64_C(4095);
        const struct ww_ptw w = walk(t, va + 42, level, node_pa);
        const struct ww_xlat x = ww_ptw_result(&w);
        BOOST_TEST(ww_xlat_same(&x, &expect));
        BOOST_TEST(ww_ptw_reads(&w) == level - ww_page_level(u8(shift)) + 1);
    }
}

BOOST_DATA_TEST_CASE(an_absent_entry_faults_at_its_level, every_levels *every_shift, levels, shift)
{
    const uint64_t va = sample_va(levels, shift);
    for (uint32_t level = ww_page_level(u8(shift)); level <= static_cast<uint32_t>(levels); level++) {
        table t(u8(levels));
        BOOST_REQUIRE_EQUAL(t.map(va, UINT64_C(5) << shift, u8(shift)), WW_OK);
        t.word(t.entry_pa(va, level)) &= ~WW_PTE_P;
        const struct ww_ptw w = walk(t, va);
        uint64_t pte_pa = 17;
        BOOST_TEST(ww_ptw_next(&w, &pte_pa) == WW_PTW_FAULT);
        BOOST_TEST(pte_pa == 17u);
        BOOST_TEST(ww_ptw_level(&w) == level);
        BOOST_TEST(ww_ptw_reads(&w) == static_cast<uint32_t>(levels) - level + 1);
        BOOST_CHECK_THROW(ww_ptw_result(&w), std::logic_error);
    }
}

BOOST_DATA_TEST_CASE(a_leaf_above_level_3_faults, every_levels, levels)
{
    table t(u8(levels));
    BOOST_REQUIRE_EQUAL(t.map(0, 0, WW_PAGE_4K), WW_OK);
    t.word(t.entry_pa(0, 4)) |= WW_PTE_PS;
    const struct ww_ptw w = walk(t, 0);
    BOOST_TEST(w.step == WW_PTW_FAULT);
    BOOST_TEST(ww_ptw_level(&w) == 4u);
}

BOOST_AUTO_TEST_CASE(a_broken_call_order_or_argument_is_a_defect)
{
    struct ww_ptw w;
    BOOST_CHECK_THROW(ww_ptw_start(&w, 4, 0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_ptw_start(&w, 4, 0, 5, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_ptw_start(&w, 4, UINT64_C(1) << 48, 4, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_ptw_start(&w, 4, 0, 4, 8), std::logic_error);
    ww_ptw_start(&w, 4, 0, 1, 0);
    BOOST_CHECK_THROW(ww_ptw_result(&w), std::logic_error);
    ww_ptw_feed(&w, ww_pte_leaf(0x1000, 0));
    BOOST_CHECK_THROW(ww_ptw_feed(&w, 0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(an_entry_is_picked_from_its_line)
{
    const uint64_t line[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    for (uint32_t level = 1; level <= 5; level++)
        for (uint64_t i = 0; i < 512; i++)
            BOOST_REQUIRE_EQUAL(ww_line_pte(line, i << ww_level_shift(level), level), 10 + i % 8);
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    struct ww_ptw reading, done;
    ww_ptw_start(&reading, 5, UINT64_C(1) << 56, 5, 0x3000);
    ww_ptw_start(&done, 4, 0, 1, 0x3000);
    ww_ptw_feed(&done, ww_pte_leaf(0x5000, 0));
    require_sound(reading);
    require_sound(done);
    const auto broken = [](struct ww_ptw w, auto change, const char *words) {
        change(w);
        const char *text = ww_ptw_check(&w);
        BOOST_REQUIRE(text != nullptr);
        BOOST_TEST(std::string(text).find(words) != std::string::npos, text);
    };
    broken(
        reading, [](auto &w) { w.level = 0; }, "level does not exist");
    broken(
        reading, [](auto &w) { w.level = 6; }, "level does not exist");
    broken(
        reading, [](auto &w) { w.step = 3; }, "step does not exist");
    broken(
        reading, [](auto &w) { w.va <<= 1; }, "too many bits");
    broken(
        reading, [](auto &w) { w.base_pa++; }, "no frame");
    broken(
        reading, [](auto &w) { w.reads = 1; }, "more reads");
    broken(
        done, [](auto &w) { w.reads = 6; }, "more reads");
    broken(
        done, [](auto &w) { w.page_shift = 13; }, "does not belong");
    broken(
        done, [](auto &w) { w.page_shift = WW_PAGE_2M; }, "does not belong");
    broken(
        done, [](auto &w) { w.page_shift = WW_PAGE_64K; }, "misaligned");
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
        const struct ww_ptw w = walk(t, va);
        struct ww_xlat expect = {};
        const bool mapped = t.lookup(va, expect);
        BOOST_REQUIRE_EQUAL(w.step == WW_PTW_DONE, mapped);
        hits += mapped;
        misses += !mapped;
        if (mapped) {
            const struct ww_xlat x = ww_ptw_result(&w);
            BOOST_REQUIRE(ww_xlat_same(&x, &expect));
        }
    }
    BOOST_TEST((hits > 200 && misses > 200));
}
