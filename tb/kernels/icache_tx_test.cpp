/* SPDX-License-Identifier: MIT */
/* Tests an instruction cache with translations: each rule for translations. */
#include <boost/test/unit_test.hpp>

#include "kernels/store/icache_tx_lines.h"
#include "tb/kernels/icache_tx_rig.hpp"
#include "tb/kernels/store_contract.hpp"

#include <stdexcept>

using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

const uint8_t all_designs[] = {WW_ICACHE_TX_ONE, WW_ICACHE_TX_NAIVE, WW_ICACHE_TX_AWARE, WW_ICACHE_TX_FLUSH};

} // namespace

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
    BOOST_TEST(c.insert(nth(0), 2) == WW_STORE_PASSED); /* all lines of the set hold instructions */
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
           1); /* the line loses its last translation: it becomes idle and accepts any base */
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
        c.insert(mapping(0x2000, 0, 0x9000)); /* the same page number with another size */
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
