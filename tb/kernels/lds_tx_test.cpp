/* SPDX-License-Identifier: MIT */
/* Translations in segments of local memory: the packed words, then each rule. */
#include <boost/test/unit_test.hpp>

#include "kernels/xlat_word.h"
#include "tb/kernels/lds_tx_rig.hpp"
#include "tb/kernels/store_contract.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace walkway_tb;

namespace
{

constexpr uint32_t size_4k = 1u << 12;
constexpr uint32_t size_64k = 1u << 16;
constexpr uint32_t size_2m = 1u << 21;
constexpr uint64_t page = 4096;

/* Pages whose segment is 0 in an LDS of 512 segments: the i-th of one base, or of base b. */
uint64_t in_segment_0(uint64_t i, uint64_t base = 0)
{
    return (base << 8 | i) * 512 * page;
}

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_lds_tx_cfg> bad(10, lds_tx_config());
    bad[0].lds_bytes = 24576;
    bad[1].lds_bytes = 512;
    bad[2].lds_bytes = 1u << 21;
    bad[3].segment_bytes = 48;
    bad[4].index = WW_INDEX_XOR + 1;
    bad[5].mismatch = WW_LDS_TX_BYPASS + 1;
    bad[6].page_sizes = 0;
    bad[7].page_sizes |= 1u << 11;
    bad[8].page_sizes |= 1u << 31;
    bad[9].layout = WW_LDS_TX_APART + 1;
    blob<ww_lds_tx> t(4096);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_lds_tx_bytes(&cfg) == 0u);
        BOOST_TEST(ww_lds_tx_init(t, t.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_lds_tx_cfg good = lds_tx_config();
    BOOST_TEST(ww_lds_tx_init(t, ww_lds_tx_bytes(&good) - 1, &good) == WW_E_SIZE);
    BOOST_TEST(ww_lds_tx_mismatch_name(WW_LDS_TX_REBASE) == "rebase");
    BOOST_TEST(ww_lds_tx_mismatch_name(WW_LDS_TX_BYPASS) == "bypass");
    BOOST_TEST(ww_lds_tx_layout_name(WW_LDS_TX_TOGETHER) == "together");
    BOOST_TEST(ww_lds_tx_layout_name(WW_LDS_TX_APART) == "apart");
}

BOOST_AUTO_TEST_CASE(the_formats_are_those_of_the_paper_and_the_general_rule)
{
    struct row {
        uint32_t lds_bytes, segment_bytes, words, low, base, own;
    };
    for (const row &r : {row{65536, 32, 1, 9, 16, 16},     /* [M21] Figure 7b: 16 + 3 x 16 = 64 */
                         row{32768, 32, 1, 8, 18, 15},     /* 26 tag bits: one of 64 is left over */
                         row{16384, 32, 1, 8, 19, 15},     /* Table 1: 19 + 3 x 15 = 64 */
                         row{65536, 64, 2, 10, 16, 18},    /* section 6.3.1: 16 + 6 x 18 = 124 of 128 */
                         row{16384, 64, 2, 10, 18, 18},    /* 18 + 6 x 18 = 126 */
                         row{1024, 32, 1, 6, 25, 13},      /* the smallest: 25 + 3 x 13 = 64 */
                         row{1u << 20, 32, 1, 11, 10, 18}, /* the largest: 10 + 3 x 18 = 64 */
                         row{1024, 64, 2, 9, 23, 17}, row{1u << 20, 64, 2, 11, 11, 19}}) {
        const ww_lds_tx_cfg cfg = lds_tx_config(r.lds_bytes, r.segment_bytes);
        lds_tx l(cfg);
        const ww_lds_tx_format &f = l.t->format;
        BOOST_TEST(f.words == r.words);
        BOOST_TEST(f.low_bits == r.low);
        BOOST_TEST(f.base_bits == r.base);
        BOOST_TEST(f.own_bits == r.own);
        const uint32_t ways = 3 * r.words;
        BOOST_TEST(f.base_bits + ways * f.own_bits <= 64 * r.words);
        BOOST_TEST(f.base_bits - 1 + ways * (f.own_bits + 1) > 64 * r.words); /* one bit more would not fit */
        BOOST_TEST((f.own == (f.rank | f.low | WW_LDS_TX_VALID | WW_LDS_TX_VRFID | WW_LDS_TX_VMID)));
        BOOST_TEST((f.own == f.rank + f.low + WW_LDS_TX_VALID + WW_LDS_TX_VRFID + WW_LDS_TX_VMID));
    }
}

BOOST_AUTO_TEST_CASE(a_segment_is_a_tag_word_and_three_translations_and_its_mode_bit_is_all_that_is_added)
{
    ww_lds_tx_cfg cfg = lds_tx_config(65536);
    BOOST_TEST(ww_lds_tx_extra_bits(&cfg) == 2048u); /* 1 in 256: 0.4 % */
    BOOST_TEST(ww_lds_tx_bits(&cfg) == 2048u * (64 + 3 * 64 + 1));
    cfg = lds_tx_config();
    BOOST_TEST(ww_lds_tx_bits(&cfg) == 512u * (64 + 3 * 64 + 1));
    const ww_widths widths = {57, 52, 12, 16};
    BOOST_TEST(ww_lds_tx_store.bits(lds_tx(cfg).store(), &widths) == ww_lds_tx_bits(&cfg));
    cfg = lds_tx_config(16384, 64);
    BOOST_TEST(ww_lds_tx_extra_bits(&cfg) == 256u);
    BOOST_TEST(ww_lds_tx_bits(&cfg) == 256u * (2 * 64 + 6 * 64 + 1));
}

BOOST_AUTO_TEST_CASE(the_tag_word_of_64_KiB_is_packed_bit_by_bit)
{
    lds_tx l(lds_tx_config(65536));
    const uint64_t va = 0x9abc'def0'5000,
                   near = va ^ uint64_t { 3 } << 23; /* VA[47:32] 9abc, VA[31:23] 1bd */
    BOOST_TEST(l.insert(va, 2) == WW_STORE_KEPT);
    BOOST_TEST(l.insert(near, 1) == WW_STORE_KEPT);
    const uint32_t segment = 0xdef05 & 2047;
    const uint64_t old = 0x1bdu << 7 | 1u << 5 | 2u << 3 | 1, fresh = 0x1beu << 7 | 0u << 5 | 1u << 3 | 1;
    BOOST_TEST(ww_lds_tx_tag(l.t, segment, 0) == (uint64_t{0x9abc} << 48 | fresh << 16 | old));
    BOOST_CHECK_THROW(ww_lds_tx_tag(l.t, 2048, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_lds_tx_tag(l.t, 0, 1), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_base_of_a_64_byte_segment_lies_above_the_deltas_of_both_words)
{
    lds_tx l(lds_tx_config(16384, 64)); /* base 18 bits: 10 in word 0, 8 in word 1 */
    const uint64_t va = 0xfedc'ba98'7000, segment = 0xba987 & 255;
    l.insert(va, 3);
    const uint64_t tag = va >> 20, base = tag >> 10, own = (tag & 1023) << 8 | 3u << 3 | 1;
    BOOST_TEST(ww_lds_tx_tag(l.t, static_cast<uint32_t>(segment), 0) == (base << 54 | own));
    BOOST_TEST(ww_lds_tx_tag(l.t, static_cast<uint32_t>(segment), 1) == base >> 10 << 54);
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(a_translation_takes_eight_bytes)
{
    const ww_xlat x{0xf'ffff'ffff'f000, 12, WW_PERM_ALL};
    const uint64_t word = ww_xlat_word(&x);
    BOOST_TEST(word == (0xf'ffff'ffff'f000u | 12u << 3 | 7u));
    const ww_xlat back = ww_xlat_of_word(word);
    BOOST_TEST(ww_xlat_same(&x, &back));
    const ww_xlat wide{uint64_t{1} << 52, 12, 0};
    BOOST_CHECK_THROW(ww_xlat_word(&wide), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_hit_returns_what_was_inserted)
{
    lds_tx l;
    BOOST_TEST(!l.lookup(0x1000));
    BOOST_TEST(l.insert(mapping(0x1234, 2, 0xabc000, 12, WW_PERM_R | WW_PERM_W)).result == WW_STORE_KEPT);
    const auto x = l.lookup(0x1fff, 2);
    BOOST_REQUIRE(x.has_value());
    BOOST_TEST(x->page_pa == 0xabc000u);
    BOOST_TEST(x->page_shift == 12);
    BOOST_TEST(x->perm == (WW_PERM_R | WW_PERM_W));
    BOOST_TEST(!l.hit(0x2000, 2));
    BOOST_TEST(!l.hit(0x1000 + 512 * page, 2)); /* the same segment */
}

BOOST_AUTO_TEST_CASE(two_VMs_hold_one_page_side_by_side_and_never_see_each_others)
{
    lds_tx l;
    l.insert(mapping(0x1000, 0, 0x10000));
    l.insert(mapping(0x1000, 3, 0x20000));
    BOOST_TEST(l.lookup(0x1000, 0)->page_pa == 0x10000u);
    BOOST_TEST(l.lookup(0x1000, 3)->page_pa == 0x20000u);
    BOOST_TEST(!l.hit(0x1000, 1));
    BOOST_TEST(l.invalidate(0x1000, 1, 0) == 1u);
    BOOST_TEST(l.hit(0x1000, 3));
}

BOOST_AUTO_TEST_CASE(VMs_above_3_and_addresses_above_48_bits_are_refused)
{
    lds_tx l;
    BOOST_TEST(l.insert(0x1000, 4) == WW_STORE_REFUSED);
    BOOST_TEST(l.insert(0x1000, 0x8000) == WW_STORE_REFUSED);
    BOOST_TEST(l.insert(uint64_t{1} << 48) == WW_STORE_REFUSED);
    BOOST_TEST(!l.hit(0x1000, 4));
    BOOST_TEST(!l.hit(0x1000, 0));
    BOOST_TEST(l.insert((uint64_t{1} << 48) - page, 3) == WW_STORE_KEPT);
    BOOST_TEST(l.hit((uint64_t{1} << 48) - 1, 3));
    BOOST_TEST(!l.hit((uint64_t{1} << 56) - 1, 3));
    BOOST_TEST(l.count() == 1u);
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    lds_tx l;
    BOOST_CHECK_THROW(l.insert(mapping(0, 0, 0, 21)), std::logic_error);
    BOOST_CHECK_THROW(l.insert(mapping(0, 0, 0, 40)), std::logic_error);
    BOOST_CHECK_THROW(l.insert(mapping(0, 0, 0x800)), std::logic_error);
    BOOST_CHECK_THROW(l.access(0, 4), std::logic_error); /* nobody's */
    BOOST_CHECK_THROW(l.allocate(0, 0), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(16384, 1), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(1, 16384), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(0, 16385), std::logic_error);
    BOOST_CHECK_THROW(l.mode(512), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_full_segment_loses_its_least_recently_used_translation)
{
    for (const uint32_t segment_bytes : {32u, 64u}) {
        lds_tx l(lds_tx_config(segment_bytes * 512, segment_bytes));
        const uint64_t ways = segment_bytes == 32 ? 3 : 6;
        for (uint64_t i = 0; i < ways; ++i)
            BOOST_TEST(l.insert(mapping(in_segment_0(i), 1, i << 12)).victims.empty());
        BOOST_TEST(l.holds(in_segment_0(1), 1)); /* a probe is no use, */
        BOOST_TEST(l.hit(in_segment_0(0), 1));   /* a lookup is, */
        l.insert(in_segment_0(2), 1);            /* and a refresh */
        const entered e = l.insert(mapping(in_segment_0(10), 1));
        BOOST_TEST(e.result == WW_STORE_KEPT);
        BOOST_REQUIRE_EQUAL(e.victims.size(), 1u);
        BOOST_TEST(same(e.victims[0], mapping(in_segment_0(1), 1, 1u << 12)));
        BOOST_TEST(l.counts().displaced == 1u);
        BOOST_TEST(l.count() == ways);
        BOOST_TEST(l.insert(mapping(in_segment_0(11), 1)).victims[0].va ==
                   in_segment_0(segment_bytes == 32 ? 0 : 3));
    }
}

BOOST_AUTO_TEST_CASE(a_free_way_is_filled_first_and_a_held_page_is_refreshed_in_place)
{
    lds_tx l;
    for (uint64_t i = 0; i < 3; ++i)
        l.insert(in_segment_0(i));
    BOOST_TEST(l.take(in_segment_0(1)).has_value());
    BOOST_TEST(!l.take(in_segment_0(1)).has_value());
    BOOST_TEST(l.insert(mapping(in_segment_0(3))).victims.empty());
    const entered e = l.insert(mapping(in_segment_0(0), 0, 0x77000));
    BOOST_TEST(e.result == WW_STORE_REFRESHED);
    BOOST_TEST(e.victims.empty());
    BOOST_TEST(l.probe(in_segment_0(0))->page_pa == 0x77000u);
    BOOST_TEST(l.count() == 3u);
}

BOOST_AUTO_TEST_CASE(another_base_makes_the_segments_translations_leave_lowest_way_first)
{
    lds_tx l; /* bases span 2^8 * 2^9 pages: 512 MiB */
    for (uint64_t i : {7, 5, 6})
        l.insert(mapping(in_segment_0(i), 2, i << 12));
    l.hit(in_segment_0(7), 2);
    BOOST_TEST(in_segment_0(0, 1) == uint64_t{512} << 20);
    const entered e = l.insert(mapping(in_segment_0(0, 1), 2));
    BOOST_TEST(e.result == WW_STORE_KEPT);
    BOOST_REQUIRE_EQUAL(e.victims.size(), 3u);
    BOOST_TEST(same(e.victims[0], mapping(in_segment_0(7), 2, 7u << 12)));
    BOOST_TEST(same(e.victims[1], mapping(in_segment_0(5), 2, 5u << 12)));
    BOOST_TEST(same(e.victims[2], mapping(in_segment_0(6), 2, 6u << 12)));
    BOOST_TEST(l.count() == 1u);
    BOOST_TEST(l.counts().rebases == 1u);
    BOOST_TEST(l.counts().rebased == 3u);
    BOOST_TEST(!l.holds(in_segment_0(7), 2));
    BOOST_TEST(l.kind.most_victims(l.store()) == 3u);
}

BOOST_AUTO_TEST_CASE(with_bypass_another_base_is_passed_on)
{
    lds_tx l(lds_tx_config(16384, 32, WW_LDS_TX_BYPASS));
    l.insert(in_segment_0(7));
    const entered e = l.insert(mapping(in_segment_0(7, 1)));
    BOOST_TEST(e.result == WW_STORE_PASSED);
    BOOST_TEST(e.victims.empty());
    BOOST_TEST(l.counts().bypassed_base == 1u);
    BOOST_TEST(l.holds(in_segment_0(7)));
    BOOST_TEST(!l.holds(in_segment_0(7, 1)));
    BOOST_TEST(l.kind.most_victims(l.store()) == 1u);
    l.take(in_segment_0(7)); /* a segment without translations takes any base */
    BOOST_TEST(l.insert(in_segment_0(7, 1)) == WW_STORE_KEPT);
    BOOST_TEST(l.counts().rebases == 0u);
    BOOST_TEST(l.counts().opened == 1u);
}

BOOST_AUTO_TEST_CASE(a_fill_takes_idle_segments_and_those_of_translations_never_the_applications)
{
    lds_tx l;
    BOOST_TEST(l.mode(3) == WW_LDS_TX_IDLE);
    l.allocate(96, 64); /* segments 3 and 4 */
    BOOST_TEST(l.mode(2) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(4) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(5) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.insert(3 * page) == WW_STORE_PASSED);
    BOOST_TEST(l.counts().bypassed_mode == 1u);
    BOOST_TEST(l.insert(2 * page) == WW_STORE_KEPT);
    BOOST_TEST(l.mode(2) == WW_LDS_TX_TX);
    BOOST_TEST(l.counts().opened == 1u);
    l.release(96, 64);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.insert(3 * page) == WW_STORE_KEPT);
}

BOOST_AUTO_TEST_CASE(translations_in_an_allocation_live_until_an_access_claims_their_segment)
{
    lds_tx l;
    for (uint64_t i = 0; i < 4; ++i) {
        l.insert(i * page);
        l.insert((i + 512) * page);
    }
    l.allocate(32, 96); /* segments 1 to 3 */
    BOOST_TEST(l.mode(2) == WW_LDS_TX_TX);
    BOOST_TEST(l.hit(2 * page));
    BOOST_TEST(l.insert((2 + 1024) * page) == WW_STORE_KEPT); /* Tx-mode still: a fill is taken */
    BOOST_TEST(l.access(63, 2) == 2u + 3u);                   /* the last byte of 1, the first of 2 */
    BOOST_TEST(l.mode(1) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(2) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_TX);
    BOOST_TEST(!l.hit(2 * page));
    BOOST_TEST(l.insert(2 * page) == WW_STORE_PASSED);
    BOOST_TEST(l.access(32, 4) == 0u); /* claimed already */
    BOOST_TEST(l.counts().claimed == 2u);
    BOOST_TEST(l.counts().dropped == 5u);
    BOOST_TEST(l.count() == 4u);
    l.release(32, 96); /* leaves Tx-mode segments alone */
    BOOST_TEST(l.hit(3 * page));
    BOOST_TEST(l.mode(2) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.check() == "");
}

/* Apart, 512 segments of 32 bytes: tags in bytes 0 to 4095, 8 each; translations behind, 24 each. */
BOOST_AUTO_TEST_CASE(apart_a_claim_of_tags_orphans_translations_and_the_other_way_round)
{
    ww_lds_tx_cfg cfg = lds_tx_config();
    cfg.layout = WW_LDS_TX_APART;
    lds_tx l(cfg);
    for (uint64_t i = 0; i < 8; ++i)
        l.insert(i * page);
    l.insert((4 + 512) * page);
    l.insert((5 + 512) * page);
    l.allocate(64, 32); /* tags of 8 to 11: they have none */
    BOOST_TEST(l.counts().readjusted == 0u);
    l.allocate(0, 32); /* tags of 0 to 3; to keep them, four times a tag and a translation are moved */
    BOOST_TEST(l.counts().readjusted == 4u * 2 * (8 + 8));
    BOOST_TEST(l.hit(0));
    BOOST_TEST(l.mode(3) == WW_LDS_TX_TX);
    BOOST_TEST(l.access(0, 4) == 4u); /* one word, and four segments are gone */
    BOOST_TEST(l.counts().orphaned == 4u * 8);
    BOOST_TEST(l.counts().claimed == 1u);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(4) == WW_LDS_TX_TX);
    BOOST_TEST(l.insert(3 * page) == WW_STORE_PASSED); /* its 24 bytes are nobody's now */
    l.allocate(4096 + 96, 64);                         /* translations of 4, 5, and two thirds of 6 */
    BOOST_TEST(l.counts().readjusted == 4u * 2 * (8 + 8) + 2 * 2 * (8 + 16) + 2 * (8 + 8));
    BOOST_TEST(l.access(4096 + 96 + 40, 4) == 3u); /* the second chunk: of 5, 6; a tag each is left */
    BOOST_TEST(l.counts().orphaned == 4u * 8 + 2 * 8);
    BOOST_TEST(l.holds(4 * page));
    BOOST_TEST(l.holds(7 * page));
    BOOST_TEST(l.mode(5) == WW_LDS_TX_USED);
    l.release(4096 + 96, 64);
    BOOST_TEST(l.mode(5) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.insert(5 * page) == WW_STORE_KEPT);
    BOOST_TEST(l.mode(6) == WW_LDS_TX_TX); /* the other chunks of 6 were lent all the time */
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(together_nothing_is_orphaned_and_nothing_has_to_be_readjusted)
{
    lds_tx l;
    for (uint64_t i = 0; i < 8; ++i)
        l.insert(i * page);
    l.allocate(0, 256);
    l.access(0, 256);
    BOOST_TEST(l.counts().dropped == 8u);
    BOOST_TEST(l.counts().claimed == 8u);
    BOOST_TEST(l.counts().orphaned == 0u);
    BOOST_TEST(l.counts().readjusted == 0u);
}

BOOST_AUTO_TEST_CASE(a_claim_of_the_store_is_an_allocation_used_at_once)
{
    lds_tx l;
    l.insert(page);
    BOOST_TEST(l.kind.claim(l.store(), 32, 1) == 1u);
    BOOST_TEST(l.mode(1) == WW_LDS_TX_USED);
    l.kind.release(l.store(), 32, 1);
    BOOST_TEST(l.mode(1) == WW_LDS_TX_IDLE);
}

BOOST_AUTO_TEST_CASE(a_flush_drops_the_translations_and_leaves_the_allocations)
{
    lds_tx l;
    l.insert(page);
    l.allocate(0, 32);
    l.kind.flush(l.store());
    BOOST_TEST(l.count() == 0u);
    BOOST_TEST(!l.hit(page));
    BOOST_TEST(l.mode(0) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(1) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(pages_of_several_sizes_lie_by_their_own_numbers_and_the_smallest_wins)
{
    lds_tx l(lds_tx_config(16384, 32, WW_LDS_TX_REBASE, size_4k | size_64k | size_2m));
    BOOST_TEST(l.kind.probes(l.store()) == 3u);
    BOOST_TEST(ww_lds_tx_segment(l.t, 0x40'0000, 21) == 2u);
    l.insert(mapping(0x40'0000, 0, 0x60'0000, 21));
    l.insert(mapping(0x40'0000, 0, 0x3'0000, 16));
    BOOST_TEST(l.lookup(0x40'0000)->page_shift == 16);
    BOOST_TEST(l.lookup(0x41'0000)->page_shift == 21);
    l.insert(mapping(0x2000, 0, 0x9000)); /* page number 2 of another size, in the segment of the large one */
    BOOST_TEST(l.lookup(0x2000)->page_pa == 0x9000u);
    BOOST_TEST(l.lookup(0x41'0000)->page_pa == 0x60'0000u);
    BOOST_TEST(l.count() == 3u);
    BOOST_TEST(l.take(0x40'0000)->page_shift == 16);
    BOOST_TEST(l.invalidate(0x5f'f000, 1) == 1u); /* the last byte's page of the large one */
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(invalidation_takes_every_page_in_scope)
{
    lds_tx l;
    for (uint64_t i = 0; i < 8; ++i)
        for (uint16_t vmid = 0; vmid < 2; ++vmid)
            l.insert(i * page, vmid);
    BOOST_TEST(l.invalidate(page + 8, page, 0) == 2u);
    BOOST_TEST(!l.holds(page, 0));
    BOOST_TEST(l.holds(page, 1));
    const ww_inval_scope space = ww_inval_space(0), all = ww_inval_all();
    BOOST_TEST(l.kind.invalidate(l.store(), &space) == 6u);
    BOOST_TEST(l.count() == 8u);
    BOOST_TEST(l.kind.invalidate(l.store(), &all) == 8u);
    BOOST_TEST(l.mode(1) == WW_LDS_TX_TX); /* without translations, still lent */
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(an_xor_index_spreads_a_stride_that_a_modulo_index_maps_to_one_segment)
{
    for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
        ww_lds_tx_cfg cfg = lds_tx_config();
        cfg.index = index;
        lds_tx l(cfg);
        for (uint64_t i = 0; i < 64; ++i)
            l.insert(in_segment_0(i));
        BOOST_TEST(l.count() == (index == WW_INDEX_XOR ? 64u : 3u));
        const entered e = l.insert(mapping(in_segment_0(1, 1000), 1));
        for (const ww_mapping &v : e.victims)
            BOOST_TEST(v.va % (512 * page) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(it_keeps_the_laws_of_a_store)
{
    for (const uint32_t segment_bytes : {32u, 64u})
        for (const uint8_t mismatch : {WW_LDS_TX_REBASE, WW_LDS_TX_BYPASS}) {
            const ww_lds_tx_cfg cfg = lds_tx_config(2048, segment_bytes, mismatch, size_4k | size_64k);
            lds_tx l(cfg);
            store_contract laws(l.kind, l.store(), l.t.bytes(), {12, 16}, 200, 5, segment_bytes);
            const store_seen &seen = laws.run(6000);
            BOOST_TEST(seen.hits > 30u);
            BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
            BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 5u);
            BOOST_TEST(seen.results[WW_STORE_PASSED] > 10u);
            BOOST_TEST(seen.results[WW_STORE_REFUSED] > 100u);
            BOOST_TEST(seen.victims > 10u);
            BOOST_TEST(seen.claimed > 5u);
            BOOST_TEST(l.t.intact());
        }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    lds_tx fresh;
    fresh.insert(page);
    fresh.insert(page + 512 * page);
    const auto broken = [&](uint64_t word) {
        lds_tx l = fresh;
        l.t.words(l.t->tag_off)[1] = word;
        return l.check();
    };
    const uint64_t good = ww_lds_tx_tag(fresh.t, 1, 0);
    BOOST_TEST(broken(good) == "");
    BOOST_TEST(broken(good ^ WW_LDS_TX_VALID) == "lds_tx: a tag without a translation");
    BOOST_TEST(broken(good | WW_LDS_TX_VRFID) == "lds_tx: a virtual function other than 0");
    BOOST_TEST(broken(good ^ uint64_t{1} << WW_LDS_TX_RANK_AT) == "lds_tx: the order of use has a gap");
    BOOST_TEST(broken(good ^ uint64_t{1} << 22) == "lds_tx: a page is held twice");
    BOOST_TEST(broken(good & ~WW_BITS64(29, 0)) == "lds_tx: the count of translations is wrong");
    lds_tx l = fresh;
    l.t.words(l.t->mode_off)[0] = 0;
    BOOST_TEST(l.check() == "lds_tx: tags in a segment of the application's");
    l = fresh;
    l.t.words(l.t->tag_off)[2] = uint64_t{1} << 63;
    BOOST_TEST(l.check() == "lds_tx: tags in a segment of the application's");
    l = fresh;
    l.t.words(l.t->data_off)[3] = 13u << 3;
    BOOST_TEST(l.check() == "lds_tx: a page size that is not configured");
    lds_tx wide(lds_tx_config(16384, 64)); /* 126 of 128 bits */
    wide.insert(page);
    wide.t.words(wide.t->tag_off)[3] |= uint64_t{1} << 63;
    BOOST_TEST(wide.check() == "lds_tx: a base with more bits than a tag");
}

BOOST_AUTO_TEST_CASE(a_snapshot_is_a_copy_of_the_bytes)
{
    lds_tx a;
    for (uint64_t i = 0; i < 600; ++i)
        a.insert(i * 7 * page, static_cast<uint16_t>(i % 3));
    lds_tx b = a;
    for (uint64_t i = 0; i < 600; ++i) {
        a.insert(i * 5 * page, static_cast<uint16_t>(i % 2));
        b.insert(i * 5 * page, static_cast<uint16_t>(i % 2));
    }
    BOOST_TEST(a.t.same_as(b.t));
}
