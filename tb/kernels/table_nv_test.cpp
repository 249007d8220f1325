/* SPDX-License-Identifier: MIT */
/* Walks of NVIDIA's page tables: entries against the fields in the drivers' headers, both tables of a
 * directory entry, and sparse, hidden and malformed entries. */
#include "kernels/walk/pwc.h"
#include "tb/kernels/blob.hpp"
#include "tb/kernels/nv_fixture.hpp"

#include <boost/test/data/test_case.hpp>

#include <stdexcept>

using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const std::string malformed = ww_walk_why_text(WW_WHY_MALFORMED), absent = ww_walk_why_text(WW_WHY_ABSENT),
                  beyond = ww_walk_why_text(WW_WHY_ADDRESS), sparse = ww_walk_why_text(WW_WHY_SPARSE);
const auto versions = data::make({WW_NV_V2, WW_NV_V3});

std::string path(ww_nv_version v, const std::string &below)
{
    return (v == WW_NV_V2 ? "6543" : "76543") + below;
}

/* A region with a page of 64 KiB at 0 and one of 4 KiB after it: PDE0 has both tables. */
struct mixed : nv {
    explicit mixed(ww_nv_version version) : nv(version)
    {
        BOOST_REQUIRE_EQUAL(map(0, 0x100000, 16), WW_OK);
        BOOST_REQUIRE_EQUAL(map(0x13000, 0x5000, 12, WW_PERM_R), WW_OK);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_kinds_hold_what_the_formats_say)
{
    const uint32_t reach[] = {0, 12, 16, 21, 29, 38, 47, 56};
    for (const ww_table_kind *kind : {&ww_nv_v2, &ww_nv_v3}) {
        BOOST_TEST(ww_table_kind_check(kind) == nullptr);
        for (uint32_t step = 1; step <= kind->steps; ++step)
            BOOST_TEST(kind->reach[step] == reach[step]);
        BOOST_TEST(ww_table_walk_bits(kind) == 3u + 40u + 15u); /* two tables instead of a node */
    }
    BOOST_TEST(std::string(ww_nv_v2.name) == "nvidia_v2");
    BOOST_TEST(std::string(ww_nv_v3.name) == "nvidia_v3");
    BOOST_TEST(ww_nv_v2.steps == 6u);
    BOOST_TEST(ww_nv_v3.steps == 7u);
    BOOST_TEST(ww_nv_v2.va_bits == 49u);
    BOOST_TEST(ww_nv_v3.va_bits == 57u);
    BOOST_CHECK_THROW(ww_nv_table_of(WW_NV_V2, 0x800, 0), std::logic_error);
}

/* Expects the words that uvm_pascal_mmu.c and uvm_hopper_mmu.c make. */
BOOST_AUTO_TEST_CASE(entries_are_those_of_the_drivers)
{
    BOOST_TEST(ww_nv_table_entry(WW_NV_V2, 0x12345000, false) == 0x123450au);
    BOOST_TEST(ww_nv_table_entry(WW_NV_V2, 0x12345100, true) == 0x123451au);
    BOOST_TEST(ww_nv_table_entry(WW_NV_V3, 0x12345000, false) == 0x1234500au);
    BOOST_TEST(ww_nv_table_entry(WW_NV_V3, 0x12345100, true) == 0x1234510au);
    BOOST_TEST(ww_nv_page_entry(WW_NV_V2, 0x12345000, true) == 0x1234501u);
    BOOST_TEST(ww_nv_page_entry(WW_NV_V2, 0x12345000, false) == 0x1234541u);
    BOOST_TEST(ww_nv_page_entry(WW_NV_V3, 0x12345000, true) == 0x12345001u);
    BOOST_TEST(ww_nv_page_entry(WW_NV_V3, 0x12345000, false) == 0x12345021u);
    BOOST_CHECK_THROW(ww_nv_table_entry(WW_NV_V2, 0x12345080, true), std::logic_error);
    BOOST_CHECK_THROW(ww_nv_table_entry(WW_NV_V2, 0x12345100, false), std::logic_error);
    BOOST_CHECK_THROW(ww_nv_table_entry(WW_NV_V2, UINT64_C(1) << 37, true), std::logic_error);
    BOOST_CHECK_THROW(ww_nv_page_entry(WW_NV_V2, UINT64_C(1) << 37, true), std::logic_error);
    BOOST_CHECK_THROW(ww_nv_page_entry(WW_NV_V3, UINT64_C(1) << 40, true), std::logic_error);
    /* unmapped and sparse entries */
    BOOST_TEST(ww_nv_pte(WW_NV_V2, 0) == WW_NV_NOTHING);
    BOOST_TEST(ww_nv_pte(WW_NV_V2, 0x20) == WW_NV_HIDES);
    BOOST_TEST(ww_nv_pte(WW_NV_V2, 0x08) == WW_NV_SPARSE);
    BOOST_TEST(ww_nv_pte(WW_NV_V2, 0x28) == WW_NV_SPARSE); /* volatile has precedence */
    BOOST_TEST(ww_nv_pte(WW_NV_V3, 0) == WW_NV_NOTHING);
    BOOST_TEST(ww_nv_pte(WW_NV_V3, 0x08) == WW_NV_SPARSE);
    BOOST_TEST(ww_nv_pte(WW_NV_V3, 0x10) == WW_NV_SPARSE); /* WW_NV3_INVALID_NOWHERE */
    BOOST_TEST(ww_nv_pte(WW_NV_V3, 0x18) == WW_NV_HIDES);
    for (uint64_t pcf = 4; pcf < 32; ++pcf)
        BOOST_TEST(ww_nv_pte(WW_NV_V3, pcf << 3) == WW_NV_MALFORMED);
}

/* Each bit of each address is decoded, and no other bit changes it. */
BOOST_DATA_TEST_CASE(addresses_come_back_bit_by_bit, versions, v)
{
    for (uint32_t bit = 12; bit < (v == WW_NV_V2 ? 37u : 40u); ++bit) {
        const uint64_t pa = UINT64_C(1) << bit;
        BOOST_TEST(ww_nv_xlat(v, ww_nv_page_entry(v, pa, true), 12).page_pa == pa);
        BOOST_TEST(ww_nv_table_pa(v, ww_nv_table_entry(v, pa, false), false) == pa);
    }
    for (uint32_t bit = 8; bit < (v == WW_NV_V2 ? 37u : 52u); ++bit) {
        const uint64_t pa = UINT64_C(1) << bit;
        BOOST_TEST(ww_nv_table_pa(v, ww_nv_table_entry(v, pa, true), true) == pa);
    }
    /* further bits of a page: volatile, encrypted, privilege, no atomics, kind, comptag; PCF, kind */
    const uint64_t besides = v == WW_NV_V2 ? WW_NV2_VOL | WW_NV2_ENCRYPTED | WW_NV2_PRIVILEGE |
                                                 WW_NV2_NO_ATOMIC | WW_NV2_COMPTAG | WW_NV2_KIND
                                           : (WW_NV3_PCF & ~WW_NV3_READ_ONLY) | WW_NV3_KIND;
    const uint64_t word = ww_nv_page_entry(v, 0x7000, true);
    for (uint32_t bit = 0; bit < 64; ++bit) {
        const uint64_t changed = word | UINT64_C(1) << bit;
        if ((besides >> bit & 1) == 0)
            continue;
        BOOST_TEST(ww_nv_pte(v, changed) == WW_NV_PAGE);
        BOOST_TEST(ww_nv_xlat(v, changed, 12).page_pa == 0x7000u);
        BOOST_TEST(ww_nv_xlat(v, changed, 12).perm == WW_PERM_ALL);
    }
    BOOST_TEST(ww_nv_xlat(v, word | ww_nv_read_only(v), 12).perm == (WW_PERM_R | WW_PERM_X));
}

/* Unnamed bits and wrong apertures: in a page, then in directories. */
BOOST_DATA_TEST_CASE(what_has_no_name_is_malformed_bit_by_bit, versions, v)
{
    const bool v2 = v == WW_NV_V2;
    const uint64_t page = ww_nv_page_entry(v, 0x7000, true);
    const uint64_t page_bad =
        WW_NV_APERTURE | (v2 ? WW_NV2_PTE_RSV | WW_NV2_PEER : WW_NV3_PTE_RSV | WW_NV3_PTE_FAR | WW_NV3_PEER);
    for (uint32_t bit = 1; bit < 64; ++bit)
        BOOST_TEST((ww_nv_pte(v, page | UINT64_C(1) << bit) == WW_NV_MALFORMED) ==
                   ((page_bad >> bit & 1) != 0));
    for (const bool big : {false, true}) {
        const uint64_t pde = ww_nv_table_entry(v, 0x7000, big);
        const uint64_t bad = v2 ? (big ? 0 : WW_NV2_PDE_RSV) | WW_NV2_PDE_FAR | WW_NV2_PDE_RSV2
                                : (big ? WW_NV3_BIG_RSV : WW_NV3_PDE_RSV) | WW_NV3_PDE_RSV2;
        for (uint32_t bit = 3; bit < 64; ++bit)
            BOOST_TEST((ww_nv_pde(v, pde | UINT64_C(1) << bit, big) == WW_NV_MALFORMED) ==
                       ((bad >> bit & 1) != 0));
        for (uint64_t aperture : {2, 3})
            BOOST_TEST(ww_nv_pde(v, ww_bits_put(WW_NV_APERTURE, pde, aperture), big) == WW_NV_MALFORMED);
        BOOST_TEST(ww_nv_pde(v, ww_bits_put(WW_NV_APERTURE, pde, 0), big) == WW_NV_SPARSE);
        BOOST_TEST(ww_nv_pde(v, 0, big) == WW_NV_NOTHING);
    }
}

BOOST_DATA_TEST_CASE(a_walk_reads_a_step_for_each_level, versions, v)
{
    const uint64_t gib = UINT64_C(1) << 30;
    nv m(v);
    BOOST_REQUIRE_EQUAL(m.map(0x1000, 0x5000, 12), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(0x210000, 0x60000, 16, WW_PERM_R), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(0x400000, 0x800000, 21), WW_OK);
    BOOST_REQUIRE_EQUAL(m.map(gib, gib, 29), WW_OK);
    const auto is = [&](uint64_t va, uint64_t pa, uint32_t shift, uint32_t perm, const std::string &steps) {
        const ww_xlat x = ww_walk_xlat(m.whole(va));
        BOOST_TEST(ww_xlat_pa(&x, va) == pa);
        BOOST_TEST(x.page_shift == shift);
        BOOST_TEST(x.perm == perm);
        BOOST_TEST(m.steps == steps);
    };
    is(0x1234, 0x5234, 12, WW_PERM_ALL, path(v, "1"));
    is(0x21fedc, 0x6fedc, 16, WW_PERM_R | WW_PERM_X, path(v, "2"));
    is(0x5fffff, 0x9fffff, 21, WW_PERM_ALL, path(v, ""));
    is(gib + 0x1fffffff, gib + 0x1fffffff, 29, WW_PERM_ALL, path(v, "").substr(0, v == WW_NV_V2 ? 3 : 4));
    BOOST_TEST(m.why(0x2000) == absent);
    BOOST_TEST(m.steps == path(v, "1"));
    BOOST_TEST(m.why(0x220000) == absent);
    BOOST_TEST(m.steps == path(v, "2"));
    BOOST_TEST(m.why(0x600000) == absent);
    BOOST_TEST(m.steps == path(v, ""));
    BOOST_TEST(m.why(UINT64_C(1) << 46) == absent);
    BOOST_TEST(m.why(UINT64_C(1) << ww_nv_va_bits(v)) == beyond);
    BOOST_TEST(m.steps == "");
}

/* The table of the highest address uses the last index of each directory. */
BOOST_DATA_TEST_CASE(the_last_entry_of_each_table_is_the_last, versions, v)
{
    nv m(v);
    const uint64_t last = (UINT64_C(1) << ww_nv_va_bits(v)) - 4096;
    BOOST_REQUIRE_EQUAL(m.map(last, 0x5000, 12), WW_OK);
    BOOST_TEST(ww_walk_xlat(m.whole(last)).page_pa == 0x5000u);
    BOOST_TEST(m.entry_pa(last, 1) % 4096 == 4088u);
    BOOST_TEST(m.entry_pa(last, WW_NV_PDE0) % 4096 == 4080u);
    BOOST_TEST(m.entry_pa(last, WW_NV_PDE1) % 4096 == 4088u);
    BOOST_TEST(m.entry_pa(last, ww_nv_root_step(v)) % 4096 == (v == WW_NV_V2 ? 24u : 8u));
}

BOOST_DATA_TEST_CASE(of_two_tables_the_big_one_is_read_first, versions, v)
{
    mixed m(v);
    BOOST_TEST(ww_walk_xlat(m.whole(0xfff0)).page_pa == 0x100000u);
    BOOST_TEST(m.steps == path(v, "2"));
    BOOST_TEST(ww_walk_xlat(m.whole(0x13fff)).page_pa == 0x5000u);
    BOOST_TEST(m.steps == path(v, "21"));
    BOOST_TEST(m.why(0x14000) == absent);
    BOOST_TEST(m.steps == path(v, "21"));
    /* a hiding or sparse big entry ends the walk, although the small entry is valid */
    m.entry(0x13000, 2) = v == WW_NV_V2 ? 0x20 : 0x18;
    BOOST_TEST(m.why(0x13000) == absent);
    BOOST_TEST(m.steps == path(v, "2"));
    m.entry(0x13000, 2) = 0x08;
    BOOST_TEST(m.why(0x13000) == sparse);
    BOOST_TEST(m.steps == path(v, "2"));
    m.entry(0x13000, 2) = 0;
    BOOST_TEST(m.why(0x14000) == absent);
    /* in a small entry these bits hide nothing */
    m.entry(0x14000, 1) = v == WW_NV_V2 ? 0x20 : 0x18;
    BOOST_TEST(m.why(0x14000) == absent);
    m.entry(0x14000, 1) = 0x08;
    BOOST_TEST(m.why(0x14000) == sparse);
}

BOOST_DATA_TEST_CASE(a_directory_may_be_sparse, versions, v)
{
    mixed m(v);
    const uint64_t vol = 0x08, pde0 = m.entry_pa(0, WW_NV_PDE0);
    const uint64_t big = m.word(pde0), small = m.word(pde0 + 8);
    m.word(pde0) = vol; /* uses the small table, which exists */
    BOOST_TEST(ww_walk_xlat(m.whole(0x13000)).page_pa == 0x5000u);
    BOOST_TEST(m.steps == path(v, "1"));
    m.word(pde0 + 8) = 0;
    BOOST_TEST(m.why(0x13000) == sparse);
    BOOST_TEST(m.steps == path(v, ""));
    m.word(pde0) = 0;
    m.word(pde0 + 8) = vol;
    BOOST_TEST(m.why(0x13000) == sparse);
    m.word(pde0) = big; /* uses the big table */
    BOOST_TEST(ww_walk_xlat(m.whole(0)).page_pa == 0x100000u);
    BOOST_TEST(m.why(0x13000) == absent);
    BOOST_TEST(m.steps == path(v, "2"));
    m.word(pde0 + 8) = small;
    m.entry(0, WW_NV_PDE1) = vol;
    BOOST_TEST(m.why(0) == sparse);
}

BOOST_DATA_TEST_CASE(a_walk_ends_where_an_entry_is_malformed, versions, v)
{
    const auto with = [&](uint32_t step, uint32_t word, auto change) {
        mixed m(v);
        BOOST_REQUIRE_EQUAL(m.map(0x200000, 0x800000, 21), WW_OK);
        change(m.word(m.entry_pa(0x13000, step) + word * 8));
        return m.why(0x13000);
    };
    const uint64_t named_nothing = v == WW_NV_V2 ? UINT64_C(1) << 55 : UINT64_C(1) << 52;
    for (uint32_t step = 1; step <= ww_nv_root_step(v); ++step) {
        if (step == 2) /* empty: an invalid entry has no other fields */
            continue;
        BOOST_TEST(with(step, 0, [=](uint64_t &e) { e |= named_nothing; }) == malformed);
        BOOST_TEST(with(step, 0, [=](uint64_t &e) { e = ww_bits_put(WW_NV_APERTURE, e, 3); }) == malformed);
    }
    BOOST_TEST(with(WW_NV_PDE0, 1, [=](uint64_t &e) { e |= named_nothing; }) == malformed);
    if (v == WW_NV_V3) /* a PCF that no invalid entry has */
        BOOST_TEST(with(1, 0, [=](uint64_t &e) { e = 0x20; }) == malformed);
    BOOST_TEST(with(2, 0, [=](uint64_t &e) { e = ww_nv_page_entry(v, 0x1000, true); }) == malformed);
    BOOST_TEST(with(WW_NV_PDE0, 0, [=](uint64_t &e) { e = ww_nv_page_entry(v, 0x10000, true); }) ==
               malformed);
    BOOST_TEST(with(WW_NV_PDE1, 0, [=](uint64_t &e) { e = ww_nv_page_entry(v, 0x200000, true); }) ==
               malformed);
    for (uint32_t step = WW_NV_PDE1 + 1; step <= ww_nv_root_step(v); ++step) /* no pages at these levels */
        BOOST_TEST(with(step, 0, [=](uint64_t &e) { e = ww_nv_page_entry(v, 0, true); }) == malformed);
}

/* MODEL: a walk holds two tables only within 128 GiB of the base, a single one anywhere. */
BOOST_AUTO_TEST_CASE(two_tables_lie_within_128_gib_of_the_base)
{
    mixed m(WW_NV_V3);
    for (const uint64_t base : {UINT64_C(0), arena_pa}) {
        m.table.regs.word[1] = base;
        BOOST_TEST(ww_walk_xlat(m.whole(0x13000)).page_pa == 0x5000u);
    }
    m.table.regs.word[1] = UINT64_C(1) << 38; /* they are before the base */
    BOOST_TEST(m.why(0x13000) == malformed);
    uint64_t words[2] = {ww_nv_table_entry(WW_NV_V3, (UINT64_C(1) << 37) - 256, true),
                         ww_nv_table_entry(WW_NV_V3, (UINT64_C(1) << 37) - 4096, false)};
    const ww_table table = ww_nv_table_of(WW_NV_V3, 0, 0);
    uint64_t line[8] = {words[0], words[1]};
    const uint64_t walk = ww_walk_reading(WW_NV_PDE0, WW_NV_PDE1, 0);
    ww_walk_read r = {};
    uint64_t next = ww_table_feed(&table, walk, 0x1fffff, line);
    BOOST_REQUIRE_EQUAL(ww_walk_act(next), WW_WALK_READ); /* PDE0 of 0x1fffff is also in the line */
    BOOST_REQUIRE_EQUAL(ww_table_next(&table, next, 0x1fffff, &r), WW_WALK_READ);
    BOOST_TEST(r.pa == (UINT64_C(1) << 37) - 8);
    const uint64_t nothing[8] = {};
    next = ww_table_feed(&table, next, 0x1fffff, nothing);
    ww_table_next(&table, next, 0x1fffff, &r);
    BOOST_TEST(r.pa == (UINT64_C(1) << 37) - 8);
    line[0] = ww_nv_table_entry(WW_NV_V3, UINT64_C(1) << 37, true);
    BOOST_TEST(ww_walk_act(ww_table_feed(&table, walk, 0, line)) == WW_WALK_FAULT);
    line[0] = words[0];
    line[1] = ww_nv_table_entry(WW_NV_V3, UINT64_C(1) << 37, false);
    BOOST_TEST(ww_walk_act(ww_table_feed(&table, walk, 0, line)) == WW_WALK_FAULT);
    line[0] = 0;
    BOOST_TEST(ww_walk_act(ww_table_feed(&table, walk, 0, line)) == WW_WALK_READ);
    line[0] = ww_nv_table_entry(WW_NV_V3, UINT64_C(1) << 51 | 0x700, true); /* a single table */
    line[1] = 0;
    next = ww_table_feed(&table, walk, 0x1ffff, line);
    ww_table_next(&table, next, 0x1ffff, &r);
    BOOST_TEST(r.pa == (UINT64_C(1) << 51 | 0x708));
}

/* A walk-cache entry of PDE0 holds both tables, for all addresses of its 2 MiB. */
BOOST_DATA_TEST_CASE(a_walk_cache_keeps_both_tables, versions, v)
{
    mixed m(v);
    ww_pwc_cfg cfg = {};
    cfg.kind = m.table.kind;
    cfg.entries[WW_NV_PDE0] = 4;
    walkway_tb::blob<ww_pwc> pwc(ww_pwc_bytes(&cfg));
    BOOST_REQUIRE_EQUAL(ww_pwc_init(pwc, pwc.bytes(), &cfg), WW_OK);
    uint64_t walk = ww_table_start(&m.table, 0);
    while (ww_walk_step(walk) != 2) {
        walk = m.read(walk, 0);
        ww_pwc_fill(pwc, 0, 0, walk);
    }
    const uint64_t known = ww_pwc_probe(pwc, 0x13000, 0);
    BOOST_TEST(known == walk);
    BOOST_TEST(ww_walk_xlat(m.read(m.read(known, 0x13000), 0x13000)).page_pa == 0x5000u);
    BOOST_TEST(ww_pwc_probe(pwc, 0x200000, 0) == 0u);
    ww_pwc_fill(pwc, 0x13000, 0, m.read(known, 0x13000)); /* reached through a big entry: not kept */
    BOOST_TEST(ww_pwc_probe(pwc, 0x13000, 0) == walk);
}
