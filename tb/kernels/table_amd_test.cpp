/* SPDX-License-Identifier: MIT */
/* Walks of AMD's own page table: entries against the specification's examples, skipped levels, rights along
 * the path, and malformed entries. */
#include "kernels/walk/pwc.h"
#include "tb/kernels/amd_fixture.hpp"
#include "tb/kernels/blob.hpp"

#include <stdexcept>

using namespace walkway::test;

namespace
{

const std::string malformed = ww_walk_why_text(WW_WHY_MALFORMED);
const std::string absent = ww_walk_why_text(WW_WHY_ABSENT);
const std::string beyond = ww_walk_why_text(WW_WHY_ADDRESS);

} // namespace

BOOST_AUTO_TEST_CASE(the_kind_holds_what_the_format_says)
{
    BOOST_TEST(ww_table_kind_check(&ww_amd_v1) == nullptr);
    BOOST_TEST(ww_amd_v1.steps == 6u);
    for (uint32_t level = 1; level <= 6; level++) {
        BOOST_TEST(ww_amd_v1.reach[level] == ww_level_shift(level));
        BOOST_TEST(ww_amd_v1.step_name[level] == "l" + std::to_string(level));
    }
    BOOST_TEST(ww_table_walk_bits(&ww_amd_v1) == 3u + 40u + 2u); /* two rights */
    BOOST_TEST(ww_amd_va_bits(1) == 21u);
    BOOST_TEST(ww_amd_va_bits(4) == 48u);
    BOOST_TEST(ww_amd_va_bits(5) == 57u);
    BOOST_TEST(ww_amd_va_bits(6) == 57u);
}

/* The specification encodes a size by the lowest clear bit of the address, from 12 on. */
BOOST_AUTO_TEST_CASE(a_page_says_its_size)
{
    BOOST_TEST(ww_amd_page_entry(0x30000, 12, true) == UINT64_C(0x6000000000030001));
    BOOST_TEST(ww_amd_page_entry(0x30000, 13, false) ==
               UINT64_C(0x2000000000030e01)); /* 8 KiB: bit 12 clear */
    BOOST_TEST(ww_amd_page_entry(0x30000, 16, true) == UINT64_C(0x6000000000037e01));  /* 64 KiB */
    BOOST_TEST(ww_amd_page_entry(0x100000, 20, true) == UINT64_C(0x600000000017fe01)); /* 1 MiB */
    BOOST_TEST(ww_amd_page_entry(0x400000, 21, true) == UINT64_C(0x6000000000400001)); /* 2 MiB: no code */
    BOOST_TEST(ww_amd_page_entry(0x400000, 22, true) == UINT64_C(0x60000000005ffe01)); /* 4 MiB */
    BOOST_TEST(ww_amd_table_entry(0x5000, 3) == UINT64_C(0x6000000000005601));
    BOOST_CHECK_THROW(ww_amd_table_entry(0x5008, 3), std::logic_error);
    for (uint32_t shift = 12; shift <= WW_AMD_PAGE_SHIFT_MAX; shift++) {
        const uint32_t level = (shift - 12) / 9 + 1;
        const uint64_t pte = ww_amd_page_entry(UINT64_C(5) << shift, shift, true);
        BOOST_TEST(ww_amd_kind(pte, level) == WW_AMD_PAGE);
        BOOST_TEST(ww_amd_page_shift(pte, level) == shift);
        BOOST_TEST(ww_amd_page_pa(pte, level) == UINT64_C(5) << shift);
        BOOST_TEST(ww_amd_entries(shift) == 1u << (shift - 12) % 9);
    }
}

/* The entry at level 3 points to level 1, so set bits of level 2 are outside its table. */
BOOST_AUTO_TEST_CASE(address_bits_at_a_skipped_level_fault)
{
    amd m(3, true);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK);
    BOOST_TEST(m.why(0x200000) == beyond);
    BOOST_TEST(m.steps == "3");
    BOOST_TEST(m.why(0x1000) == absent);
    BOOST_TEST(m.steps == "31");
    ww_xlat x = {};
    BOOST_TEST(!m.lookup(0x200000, x));
    BOOST_TEST(!m.lookup(UINT64_C(1) << 39, x));
    BOOST_TEST(m.why(UINT64_C(1) << 39) == beyond); /* more bits than the root has */
    BOOST_TEST(m.steps == "");
}

/* A page-walk cache keeps a walk by the step that led to it, for all addresses that share that step's entry.
 */
BOOST_AUTO_TEST_CASE(a_walk_that_skipped_levels_is_known_for_the_addresses_of_its_node_only)
{
    amd m(3, true);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK);
    ww_pwc_cfg cfg = {};
    cfg.kind = &ww_amd_v1;
    cfg.entries[2] = cfg.entries[3] = 4;
    walkway_tb::blob<ww_pwc> pwc(ww_pwc_bytes(&cfg));
    BOOST_REQUIRE_EQUAL(ww_pwc_init(pwc, pwc.bytes(), &cfg), WW_OK);
    const uint64_t walk = m.read(ww_table_start(&m.table, 0), 0);
    BOOST_TEST(ww_walk_step(walk) == 1u);
    ww_pwc_fill(pwc, 0, 0, walk);
    BOOST_TEST(ww_pwc_probe(pwc, 0x1000, 0) == walk);
    BOOST_TEST(ww_pwc_probe(pwc, 0x200000, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(rights_are_what_the_whole_path_grants)
{
    amd m(2);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK);
    const auto perm = [&] { return ww_walk_xlat(m.whole(0)).perm; };
    BOOST_TEST(perm() == WW_PERM_ALL);
    m.word(m.entry_pa(0, 2)) &= ~WW_AMD_IW;
    BOOST_TEST(perm() == (WW_PERM_R | WW_PERM_X));
    m.word(m.entry_pa(0, 1)) &= ~WW_AMD_IR;
    BOOST_TEST(perm() == 0u);
    m.word(m.entry_pa(0, 2)) |= WW_AMD_IW;
    BOOST_TEST(perm() == WW_PERM_W);
    m.table.regs.word[0] &= ~WW_AMD_DTE_IW;
    BOOST_TEST(perm() == 0u);
}

BOOST_AUTO_TEST_CASE(what_the_format_does_not_allow_is_malformed)
{
    const auto with = [](uint32_t level, auto change) {
        amd m(3);
        BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK);
        change(m.word(m.entry_pa(0, level)));
        return m.why(0);
    };
    BOOST_TEST(with(2, [](uint64_t &e) { e &= ~WW_AMD_PR; }) == absent);
    BOOST_TEST(with(2, [](uint64_t &e) { e |= UINT64_C(1) << 52; }) == malformed);
    BOOST_TEST(with(2, [](uint64_t &e) { e |= WW_AMD_FC; }) == malformed);
    BOOST_TEST(with(2, [](uint64_t &e) { e |= WW_AMD_U; }) == malformed);
    BOOST_TEST(with(2, [](uint64_t &e) { e = ww_bits_put(WW_AMD_NEXT, e, 2); }) == malformed); /* not lower */
    BOOST_TEST(with(2, [](uint64_t &e) { e = ww_bits_put(WW_AMD_NEXT, e, 5); }) == malformed);
    BOOST_TEST(with(2, [](uint64_t &e) { e = ww_amd_page_entry(0, 13, true); }) == malformed); /* too small */
    BOOST_TEST(with(1, [](uint64_t &e) { e = ww_amd_page_entry(0, 22, true); }) == malformed); /* too large */
    BOOST_TEST(ww_amd_kind(ww_amd_page_entry(0, 13, true), 2) == WW_AMD_MALFORMED);
    amd m(3);
    m.table.regs.word[0] &= ~WW_AMD_DTE_TV;
    BOOST_TEST(m.why(0) == malformed);
    for (uint64_t mode : {0, 7}) {
        m.table = ww_amd_v1_table(3, arena_pa);
        m.table.regs.word[0] = ww_bits_put(WW_AMD_DTE_MODE, m.table.regs.word[0], mode);
        BOOST_TEST(m.why(0) == malformed);
    }
    BOOST_TEST(m.steps == "");
}
