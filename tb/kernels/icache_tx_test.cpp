/* SPDX-License-Identifier: MIT */
/* An instruction cache with translations: the packed tags, then each rule of both modes. */
#include <boost/test/unit_test.hpp>

#include "kernels/icache_tx_lines.h"
#include "tb/kernels/icache_tx_rig.hpp"
#include "tb/kernels/store_contract.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

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
    cfg.mismatch = WW_ICACHE_TX_COUNT; /* and a counter of two bits a line for a limit of 4 */
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 1536u * 8 + 256 * 2);
    cfg.design = WW_ICACHE_TX_ONE; /* mode bits */
    BOOST_TEST(ww_icache_tx_extra_bits(&cfg) == 256u);
    cfg = icache_tx_config();
    cfg.lines = 64; /* the base leaves one bit free, so two of a line's three of order come on top */
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
    BOOST_TEST(!c.fetch(0x1040, 1)); /* of another VM */
    BOOST_TEST(!c.fetch(0x1040 + 256 * 64));
    BOOST_TEST(c.counts().hits == 1u);
    BOOST_TEST(c.counts().misses == 4u);
    BOOST_TEST(c.has(0x1040));
    BOOST_TEST(!c.has(0x1040, 1));
    BOOST_TEST(c.fill(0x1040) == 0u); /* held already */
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
    BOOST_TEST(c.hit(page_in_line(3 + 32 * 3, 0))); /* way 3: used, 2: filled last; 4 is the oldest */
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
    BOOST_TEST(c.fill(code_in_set(3, 1)) == 0u); /* in the place of the oldest, instructions */
    BOOST_TEST(c.counts().code_evicted == 1u);
    BOOST_TEST(c.fill(code_in_set(3, 2)) == 1u); /* now it is way 1 */
    BOOST_TEST(!c.holds(page_in_line(3 + 32, 0)));
}

BOOST_AUTO_TEST_CASE(only_naive_translations_take_lines_from_instructions)
{
    for (const uint8_t design : {WW_ICACHE_TX_NAIVE, WW_ICACHE_TX_AWARE, WW_ICACHE_TX_FLUSH}) {
        icache_tx c(icache_tx_config(design));
        c.fill(code_in_set(3, 0)); /* line 3 */
        const bool taken = design == WW_ICACHE_TX_NAIVE;
        BOOST_TEST(c.insert(page_in_line(3, 0)) == (taken ? WW_STORE_KEPT : WW_STORE_PASSED));
        BOOST_TEST(c.has(code_in_set(3, 0)) == !taken);
        BOOST_TEST(c.counts().code_lost == (taken ? 1u : 0u));
        BOOST_TEST(c.counts().bypassed_mode == (taken ? 0u : 1u));
        BOOST_TEST(c.counts().opened == 0u);
        BOOST_TEST(c.insert(page_in_line(4, 0)) == WW_STORE_KEPT);
        BOOST_TEST(c.counts().opened == 1u);
        BOOST_TEST(c.check() == "");
    }
}

BOOST_AUTO_TEST_CASE(a_line_holds_eight_translations_and_the_least_recently_used_leaves)
{
    icache_tx c;
    for (uint64_t i = 0; i < 8; ++i)
        BOOST_TEST(c.insert(mapping(page_in_line(5, i), 1, i << 12)).victims.empty());
    BOOST_TEST(c.count() == 8u);
    BOOST_TEST(c.holds(page_in_line(5, 1), 1));
    BOOST_TEST(c.hit(page_in_line(5, 0), 1));
    BOOST_TEST(c.insert(page_in_line(5, 2), 1) == WW_STORE_REFRESHED);
    const entered e = c.insert(mapping(page_in_line(5, 9), 1));
    BOOST_TEST(e.result == WW_STORE_KEPT);
    BOOST_REQUIRE_EQUAL(e.victims.size(), 1u);
    BOOST_TEST(same(e.victims[0], mapping(page_in_line(5, 1), 1, 1u << 12)));
    BOOST_TEST(c.counts().displaced == 1u);
    BOOST_TEST(c.take(page_in_line(5, 4), 1).has_value());
    BOOST_TEST(c.insert(mapping(page_in_line(5, 10), 1)).victims.empty());
    BOOST_TEST(c.insert(mapping(page_in_line(5, 11), 1)).victims[0].va == page_in_line(5, 3));
    BOOST_TEST(c.counts().opened == 1u);
}

BOOST_AUTO_TEST_CASE(one_translation_a_line_lies_in_any_way_of_its_set_and_never_takes_instructions)
{
    icache_tx c(icache_tx_config(WW_ICACHE_TX_ONE));
    c.fill(code_in_set(5, 0));
    c.fill(code_in_set(5, 1));
    const auto nth = [](uint64_t i) { return (i * 32 + 5) * page; };
    for (uint64_t i = 0; i < 6; ++i)
        BOOST_TEST(c.insert(mapping(nth(i), 2, i << 12)).victims.empty());
    BOOST_TEST(c.hit(nth(0), 2));
    BOOST_TEST(c.insert(nth(1), 2) == WW_STORE_REFRESHED);
    const entered e = c.insert(mapping(nth(6), 2));
    BOOST_REQUIRE_EQUAL(e.victims.size(), 1u);
    BOOST_TEST(same(e.victims[0], mapping(nth(2), 2, 2u << 12)));
    BOOST_TEST(c.counts().opened == 6u);
    BOOST_TEST(c.counts().displaced == 1u);
    BOOST_TEST(c.has(code_in_set(5, 0)));
    BOOST_TEST(c.kind.most_victims(c.store()) == 1u);
    for (uint64_t i = 2; i < 8; ++i)
        c.fill(code_in_set(5, i));
    BOOST_TEST(c.count() == 0u);
    BOOST_TEST(c.insert(nth(0), 2) == WW_STORE_PASSED); /* all of the set are instructions */
    BOOST_TEST(c.counts().bypassed_mode == 1u);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(a_line_takes_translations_of_one_region_of_16_MiB_and_one_VM)
{
    icache_tx c;
    c.insert(page_in_line(5, 0, 7), 1);
    BOOST_TEST(page_in_line(5, 0, 8) - page_in_line(5, 0, 7) == uint64_t{16} << 20);
    BOOST_TEST(c.insert(page_in_line(5, 15, 7), 1) == WW_STORE_KEPT);
    BOOST_TEST(c.insert(page_in_line(5, 0, 8), 1) == WW_STORE_PASSED);
    BOOST_TEST(c.insert(page_in_line(5, 0, 7), 2) == WW_STORE_PASSED);
    BOOST_TEST(c.counts().bypassed_base == 2u);
    BOOST_TEST(!c.hit(page_in_line(5, 0, 8), 1));
    BOOST_TEST(!c.hit(page_in_line(5, 0, 7), 2));
    BOOST_TEST(c.kind.most_victims(c.store()) == 1u);
    c.take(page_in_line(5, 0, 7),
           1); /* the line loses its last translation: it is idle, and takes any base */
    c.take(page_in_line(5, 15, 7), 1);
    BOOST_TEST(c.mode(5) == WW_ICACHE_TX_IDLE);
    BOOST_TEST(c.insert(page_in_line(5, 0, 8), 1) == WW_STORE_KEPT);
}

BOOST_AUTO_TEST_CASE(a_rebase_makes_the_lines_translations_leave_lowest_place_first)
{
    icache_tx c(icache_tx_config(WW_ICACHE_TX_AWARE, WW_ICACHE_TX_REBASE));
    for (uint64_t i : {7, 5, 6})
        c.insert(mapping(page_in_line(5, i), 1, i << 12));
    c.take(page_in_line(5, 5), 1);
    const entered e = c.insert(mapping(page_in_line(5, 0, 9), 1));
    BOOST_TEST(e.result == WW_STORE_KEPT);
    BOOST_REQUIRE_EQUAL(e.victims.size(), 2u);
    BOOST_TEST(same(e.victims[0], mapping(page_in_line(5, 7), 1, 7u << 12)));
    BOOST_TEST(same(e.victims[1], mapping(page_in_line(5, 6), 1, 6u << 12)));
    BOOST_TEST(c.count() == 1u);
    BOOST_TEST(c.counts().rebases == 1u);
    BOOST_TEST(c.counts().rebased == 2u);
    BOOST_TEST(c.counts().opened == 1u);
    BOOST_TEST(c.kind.most_victims(c.store()) == 8u);
}

BOOST_AUTO_TEST_CASE(with_count_every_fourth_mismatch_of_a_base_rebases)
{
    icache_tx c(icache_tx_config(WW_ICACHE_TX_AWARE, WW_ICACHE_TX_COUNT)); /* limit 4 */
    c.insert(page_in_line(5, 0));
    for (int round = 0; round < 2; ++round) {
        for (uint64_t i = 1; i < 4; ++i)
            BOOST_TEST(c.insert(page_in_line(5, 0, 10 * round + i)) == WW_STORE_PASSED);
        BOOST_TEST(c.insert(page_in_line(6, 0, 77)) == (round == 0 ? WW_STORE_KEPT : WW_STORE_REFRESHED));
        BOOST_TEST(c.insert(page_in_line(5, 0, 100 + round)) == WW_STORE_KEPT);
        BOOST_TEST(c.hit(page_in_line(5, 0, 100 + round)));
    }
    BOOST_TEST(c.counts().rebases == 2u);
    BOOST_TEST(c.counts().bypassed_base == 6u);
    BOOST_TEST(c.check() == "");
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

BOOST_AUTO_TEST_CASE(VMs_above_3_and_addresses_above_48_bits_are_refused)
{
    icache_tx c;
    BOOST_TEST(c.insert(0x1000, 4) == WW_STORE_REFUSED);
    BOOST_TEST(c.insert(uint64_t{1} << 48) == WW_STORE_REFUSED);
    BOOST_TEST(!c.hit(0x1000, 4));
    BOOST_TEST(c.insert((uint64_t{1} << 48) - page, 3) == WW_STORE_KEPT);
    BOOST_TEST(c.hit((uint64_t{1} << 48) - 1, 3));
    BOOST_TEST(!c.hit((uint64_t{1} << 56) - 1, 3));
    BOOST_CHECK_THROW(c.insert(mapping(0, 0, 0, 21)), std::logic_error);
    BOOST_CHECK_THROW(c.insert(mapping(0, 0, 0, 40)), std::logic_error);
    BOOST_CHECK_THROW(c.insert(mapping(0, 0, 0x800)), std::logic_error);
}

BOOST_AUTO_TEST_CASE(pages_of_several_sizes_lie_by_their_own_numbers_and_the_smallest_wins)
{
    for (const uint8_t design : all_designs) {
        ww_icache_tx_cfg cfg = icache_tx_config(design);
        cfg.page_sizes = 1u << 12 | 1u << 16 | 1u << 21;
        icache_tx c(cfg);
        BOOST_TEST(c.kind.probes(c.store()) == 3u);
        BOOST_TEST(ww_icache_tx_line(c.t, 0x40'0000, 21) == 2u);
        c.insert(mapping(0x40'0000, 0, 0x60'0000, 21));
        c.insert(mapping(0x40'0000, 0, 0x3'0000, 16));
        BOOST_TEST(c.lookup(0x40'0000)->page_shift == 16);
        BOOST_TEST(c.lookup(0x41'0000)->page_shift == 21);
        c.insert(mapping(0x2000, 0, 0x9000)); /* the same number, of another size */
        BOOST_TEST(c.lookup(0x2000)->page_pa == 0x9000u);
        BOOST_TEST(c.lookup(0x41'0000)->page_pa == 0x60'0000u);
        BOOST_TEST(c.invalidate(0x5f'f000, 1) == 1u);
        BOOST_TEST(c.count() == 2u);
        BOOST_TEST(c.check() == "");
    }
}

BOOST_AUTO_TEST_CASE(flush_and_invalidate_leave_instructions_alone)
{
    icache_tx c;
    c.fill(64);
    c.insert(page_in_line(7, 0));
    c.insert(page_in_line(7, 1));
    c.insert(page_in_line(8, 0), 1);
    BOOST_TEST(c.invalidate(page_in_line(7, 0), page) == 1u);
    BOOST_TEST(c.count() == 2u);
    c.kind.flush(c.store());
    BOOST_TEST(c.count() == 0u);
    BOOST_TEST(c.mode(7) == WW_ICACHE_TX_IDLE);
    BOOST_TEST(c.has(64));
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(an_xor_index_spreads_a_stride_of_all_lines)
{
    for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
        ww_icache_tx_cfg cfg = icache_tx_config();
        cfg.index = index;
        icache_tx c(cfg);
        for (uint64_t i = 0; i < 64; ++i)
            c.insert(i << 20);
        BOOST_TEST(c.count() == (index == WW_INDEX_XOR ? 64u : 8u));
    }
}

BOOST_AUTO_TEST_CASE(it_keeps_the_laws_of_a_store)
{
    for (const uint8_t design : all_designs)
        for (const uint8_t mismatch : {WW_ICACHE_TX_COUNT, WW_ICACHE_TX_REBASE, WW_ICACHE_TX_BYPASS}) {
            ww_icache_tx_cfg cfg = icache_tx_config(design, mismatch);
            cfg.lines = 32;
            cfg.page_sizes = 1u << 12 | 1u << 16;
            icache_tx c(cfg);
            for (uint64_t i = 0; i < 8; ++i)
                c.fill(i * 128);
            store_contract laws(c.kind, c.store(), c.t.bytes(), {12, 16}, 250, 5, mismatch);
            const store_seen &seen = laws.run(3000);
            BOOST_TEST(seen.hits > 10u);
            BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
            BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 0u);
            BOOST_TEST(seen.results[WW_STORE_REFUSED] > 100u);
            if (mismatch != WW_ICACHE_TX_BYPASS || design == WW_ICACHE_TX_ONE)
                BOOST_TEST(seen.victims > 5u);
            BOOST_TEST(c.kind.claim == nullptr);
            BOOST_TEST(c.t.intact());
        }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    icache_tx fresh;
    fresh.insert(page_in_line(0, 2));
    fresh.insert(page_in_line(0, 3));
    fresh.fill(64);
    const auto with = [&](uint64_t ww_icache_tx::*off, uint32_t at, uint64_t flip) {
        icache_tx c = fresh;
        c.t.words(c.t->*off)[at] ^= flip;
        return c.check();
    };
    const auto head = &ww_icache_tx::head_off, own = &ww_icache_tx::own_off;
    BOOST_TEST(with(head, 0, 0) == "");
    BOOST_TEST(with(head, 0, 1u << 3) == "icache_tx: a virtual function other than 0");
    BOOST_TEST(with(head, 0, 1) == "icache_tx: tags of eight in another line");
    BOOST_TEST(with(own, 1, 1) == "icache_tx: tags of eight in another line");
    BOOST_TEST(with(head, 5, 1) == "icache_tx: a line of translations without one");
    BOOST_TEST(with(head, 0, 1u << 30) == "icache_tx: a base with more bits than it has");
    BOOST_TEST(with(own, 0, 1) == "icache_tx: a tag without a translation");
    BOOST_TEST(with(own, 0, 1u << 12) == "icache_tx: a page is held twice");
    BOOST_TEST(with(own, 0, 1u << 3) == "icache_tx: the order of use of a line's translations has a gap");
    BOOST_TEST(with(&ww_icache_tx::data_off, 0, 1u << 3) == "icache_tx: a page size that is not configured");
    BOOST_TEST(with(&ww_icache_tx::order_off, 0, 1) == "icache_tx: the order of use of a set has a gap");
    BOOST_TEST(with(head, 1, 0x40) == "");
    BOOST_TEST(with(head, 33, uint64_t{1} << 47 | 1u << 5) == "icache_tx: a count is wrong");
    icache_tx c = fresh;
    c.t.words(c.t->head_off)[33] = c.t.words(c.t->head_off)[1];
    BOOST_TEST(c.check() == "icache_tx: instructions are held twice");
    c = fresh;
    c.t->live = 1;
    BOOST_TEST(c.check() == "icache_tx: a count is wrong");
    icache_tx one(icache_tx_config(WW_ICACHE_TX_ONE));
    one.insert(0);
    one.t.words(one.t->head_off)[32] = one.t.words(one.t->head_off)[0];
    one.t.words(one.t->data_off)[32 * 8] = one.t.words(one.t->data_off)[0];
    BOOST_TEST(one.check() == "icache_tx: a page is held twice");
}
