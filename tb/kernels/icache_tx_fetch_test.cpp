/* SPDX-License-Identifier: MIT */
/* Tests an instruction cache with translations: configurations and widths, the packed tags, then each rule
 * for instructions. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/icache_tx_rig.hpp"

#include <stdexcept>
#include <vector>

using namespace walkway_tb;

namespace
{

const uint8_t all_designs[] = {WW_ICACHE_TX_ONE, WW_ICACHE_TX_NAIVE, WW_ICACHE_TX_AWARE, WW_ICACHE_TX_FLUSH};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_icache_tx_cfg> bad(13, icache_tx_config());
    bad[0].lines = 16;
    bad[1].lines = 8192;
    bad[2].lines = 96;
    bad[3].ways = 0;
    bad[4].ways = 16;
    bad[5].ways = 3;
    bad[6].design = WW_ICACHE_TX_FLUSH + 1;
    bad[7].mismatch = WW_ICACHE_TX_BYPASS + 1;
    bad[8].limit = 0;
    bad[9].index = WW_INDEX_XOR + 1;
    bad[10].page_sizes = 0;
    bad[11].page_sizes |= 1u << 11;
    bad[12].page_sizes |= 1u << 31;
    blob<ww_icache_tx> t(4096);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_icache_tx_bytes(&cfg) == 0u);
        BOOST_TEST(ww_icache_tx_init(t, t.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_icache_tx_cfg good = icache_tx_config();
    BOOST_TEST(ww_icache_tx_init(t, ww_icache_tx_bytes(&good) - 1, &good) == WW_E_SIZE);
    BOOST_TEST(ww_icache_tx_design_name(WW_ICACHE_TX_ONE) == "one");
    BOOST_TEST(ww_icache_tx_design_name(WW_ICACHE_TX_FLUSH) == "flush");
    BOOST_TEST(ww_icache_tx_mismatch_name(WW_ICACHE_TX_COUNT) == "count");
    BOOST_TEST(ww_icache_tx_mismatch_name(WW_ICACHE_TX_BYPASS) == "bypass");
}

BOOST_AUTO_TEST_CASE(eight_tags_a_line_add_1536_bytes_to_16_KiB)
{
    ww_icache_tx_cfg cfg = icache_tx_config();
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 1536u * 8);
    BOOST_TEST(ww_icache_tx_bits(&cfg) == 256u * (96 + 512));
    cfg.mismatch = WW_ICACHE_TX_COUNT; /* adds a counter of two bits per line for a limit of 4 */
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 1536u * 8 + 256 * 2);
    cfg.design = WW_ICACHE_TX_ONE; /* mode bits */
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 256u);
    cfg = icache_tx_config();
    cfg.lines = 64; /* the base leaves one bit free, so two of a line's three order bits are extra */
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 64u * (48 + 2));
    cfg.lines = 512;
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 512u * 48);
    const ww_widths widths = {57, 52, 12, 16};
    BOOST_TEST(ww_icache_tx_store.bits(icache_tx(cfg).store(), &widths) == ww_icache_tx_bits(&cfg));
}

BOOST_AUTO_TEST_CASE(the_96_bits_of_a_line_of_translations_are_packed_bit_by_bit)
{
    icache_tx c;
    const uint64_t va = 0x9abc'de45'6000; /* VA[47:24] 9abcde, VA[23:20] 4, VA[19:12] line 56 */
    c.insert(va, 2);
    c.insert(va + (3u << 20), 2); /* VA[23:20] 7 */
    const uint64_t base = uint64_t{0x9abcde} << 5 | 2u << 1 | 1;
    BOOST_TEST(ww_icache_tx_head(c.t, 0x56) == base);
    BOOST_TEST(base >> 29 == 0u);
    BOOST_TEST(ww_icache_tx_owns(c.t, 0x56) == (7u << 12 | 0u << 9 | 1u << 8 | 4u << 4 | 1u << 1 | 1));
    BOOST_CHECK_THROW(ww_icache_tx_head(c.t, 256), std::logic_error);
    BOOST_CHECK_THROW(ww_icache_tx_owns(c.t, 256), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_39_bit_tag_of_one_translation_and_the_48_bit_tag_of_instructions_are_packed)
{
    icache_tx c(icache_tx_config(WW_ICACHE_TX_ONE));
    const uint64_t va = 0x9abc'de45'6000; /* VA[16:12] set 16, VA[47:17] the tag */
    c.insert(va, 3);
    BOOST_TEST(ww_icache_tx_head(c.t, 0x16) == (uint64_t{1} << 47 | va >> 17 << 5 | 3u << 1 | 1));
    BOOST_TEST(ww_icache_tx_owns(c.t, 0x16) == 0u);
    const uint64_t addr = 0xfedc'ba98'77c0; /* addr[10:6] set 1f, addr[47:11] the tag */
    c.fill(addr, 1);
    BOOST_TEST(ww_icache_tx_head(c.t, 0x1f) == (uint64_t{1} << 47 | addr >> 11 << 5 | 1u << 1));
}

BOOST_AUTO_TEST_CASE(a_fetch_hits_what_was_filled_and_counts)
{
    icache_tx c;
    BOOST_TEST(!c.fetch(0x1040));
    BOOST_TEST(c.fill(0x1040) == 0u);
    BOOST_TEST(c.fetch(0x107f));
    BOOST_TEST(!c.fetch(0x1080));
    BOOST_TEST(!c.fetch(0x1040, 1)); /* another VM */
    BOOST_TEST(!c.fetch(0x1040 + 256 * 64));
    BOOST_TEST(c.counts().hits == 1u);
    BOOST_TEST(c.counts().misses == 4u);
    BOOST_TEST(c.has(0x1040));
    BOOST_TEST(!c.has(0x1040, 1));
    BOOST_TEST(c.fill(0x1040) == 0u); /* already held */
    BOOST_TEST(c.t->code == 1u);
    BOOST_CHECK_THROW(c.fetch(uint64_t{1} << 48), std::logic_error);
    BOOST_CHECK_THROW(c.fill(0, 4), std::logic_error);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(instructions_replace_the_least_recently_used_of_instructions)
{
    for (const uint8_t design : all_designs) {
        icache_tx c(icache_tx_config(design));
        for (uint64_t i = 0; i < 8; ++i)
            c.fill(code_in_set(3, i));
        c.fetch(code_in_set(3, 0));
        c.fill(code_in_set(3, 1));
        c.fill(code_in_set(3, 8));
        BOOST_TEST(c.has(code_in_set(3, 0)));
        BOOST_TEST(c.has(code_in_set(3, 1)));
        BOOST_TEST(!c.has(code_in_set(3, 2)));
        BOOST_TEST(c.counts().code_evicted == 1u);
        BOOST_TEST(c.t->code == 8u);
    }
}

BOOST_AUTO_TEST_CASE(instructions_take_an_idle_line_then_one_of_translations_then_one_of_instructions)
{
    icache_tx c;
    for (uint64_t way = 2; way < 8; ++way) /* lines 3 + 32 way: set 3, ways 2 to 7 */
        c.insert(page_in_line(3 + 32 * way, 0));
    c.insert(page_in_line(3 + 32 * 2, 1));
    BOOST_TEST(c.fill(code_in_set(3, 0)) == 0u); /* ways 0 and 1 are idle */
    BOOST_TEST(c.fill(code_in_set(3, 1)) == 0u);
    BOOST_TEST(c.hit(page_in_line(3 + 32 * 3, 0))); /* way 3 is used, 2 filled last; 4 is the oldest */
    BOOST_TEST(c.fill(code_in_set(3, 2)) == 1u);
    BOOST_TEST(c.mode(3 + 32 * 4) == WW_ICACHE_TX_CODE);
    for (uint64_t i = 3; i < 6; ++i)
        BOOST_TEST(c.fill(code_in_set(3, i)) == 1u); /* ways 5, 6, 7 */
    BOOST_TEST(c.fill(code_in_set(3, 6)) == 2u);     /* way 2, two translations */
    BOOST_TEST(c.mode(3 + 32 * 3) == WW_ICACHE_TX_TX);
    BOOST_TEST(c.fill(code_in_set(3, 7)) == 1u);
    BOOST_TEST(c.counts().claimed == 6u);
    BOOST_TEST(c.counts().dropped == 7u);
    BOOST_TEST(c.counts().code_evicted == 0u);
    BOOST_TEST(c.count() == 0u);
    BOOST_TEST(c.fill(code_in_set(3, 8)) == 0u);
    BOOST_TEST(!c.has(code_in_set(3, 0)));
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(naive_instructions_take_the_least_recently_used_line_whosever_it_is)
{
    icache_tx c(icache_tx_config(WW_ICACHE_TX_NAIVE));
    c.fill(code_in_set(3, 0));
    for (uint64_t way = 1; way < 8; ++way)
        c.insert(page_in_line(3 + 32 * way, 0));
    BOOST_TEST(c.fill(code_in_set(3, 1)) == 0u); /* replaces the oldest line, which holds instructions */
    BOOST_TEST(c.counts().code_evicted == 1u);
    BOOST_TEST(c.fill(code_in_set(3, 2)) == 1u); /* way 1 is the oldest */
    BOOST_TEST(!c.holds(page_in_line(3 + 32, 0)));
}

BOOST_AUTO_TEST_CASE(another_kernel_begins_without_instructions_in_the_design_that_flushes)
{
    for (const uint8_t design : all_designs) {
        icache_tx c(icache_tx_config(design));
        c.fill(0);
        c.fill(64);
        c.insert(page_in_line(7, 0));
        BOOST_TEST(ww_icache_tx_kernel(c.t, true) == 0u);
        BOOST_TEST(c.has(0));
        const uint32_t flushed = ww_icache_tx_kernel(c.t, false);
        BOOST_TEST(flushed == (design == WW_ICACHE_TX_FLUSH ? 2u : 0u));
        BOOST_TEST(c.has(64) == (flushed == 0));
        BOOST_TEST(c.counts().code_flushed == flushed);
        BOOST_TEST(c.holds(page_in_line(7, 0)));
        BOOST_TEST(c.check() == "");
    }
}

BOOST_AUTO_TEST_CASE(equation_1_counts_a_kernels_misses_up_to_all_lines)
{
    icache_tx c;
    for (uint64_t i = 0; i < 10; ++i)
        c.fetch(i * 64);
    BOOST_TEST(ww_icache_tx_used(c.t) == 10u);
    ww_icache_tx_kernel(c.t, true);
    BOOST_TEST(ww_icache_tx_used(c.t) == 0u);
    for (uint64_t i = 0; i < 300; ++i)
        c.fetch(i * 64);
    BOOST_TEST(ww_icache_tx_used(c.t) == 256u);
    BOOST_TEST(c.counts().misses == 310u);
}
