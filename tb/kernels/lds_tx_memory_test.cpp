/* SPDX-License-Identifier: MIT */
/* Tests translations in segments of local memory: configurations, the packed words, then the effect of the
 * application's allocations and accesses. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/lds_tx_rig.hpp"

#include <stdexcept>
#include <vector>

using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

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
    bad[9].layout = WW_LDS_TX_READJUSTED + 1;
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
    BOOST_TEST(ww_lds_tx_layout_name(WW_LDS_TX_READJUSTED) == "readjusted");
}

BOOST_AUTO_TEST_CASE(the_formats_are_those_of_the_paper_and_the_general_rule)
{
    struct row {
        uint32_t lds_bytes, segment_bytes, words, low, base, own;
    };
    for (const row &r : {row{65536, 32, 1, 9, 16, 16},     /* [M21] Figure 7b: 16 + 3 x 16 = 64 */
                         row{32768, 32, 1, 8, 18, 15},     /* 26 tag bits: one of 64 is unused */
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
    BOOST_TEST(l.insert((2 + 1024) * page) == WW_STORE_KEPT); /* still in Tx-mode: accepts a fill */
    BOOST_TEST(l.access(63, 2) == 2u + 3u);                   /* the last byte of 1, the first of 2 */
    BOOST_TEST(l.mode(1) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(2) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_TX);
    BOOST_TEST(!l.hit(2 * page));
    BOOST_TEST(l.insert(2 * page) == WW_STORE_PASSED);
    BOOST_TEST(l.access(32, 4) == 0u); /* already claimed */
    BOOST_TEST(l.counts().claimed == 2u);
    BOOST_TEST(l.counts().dropped == 5u);
    BOOST_TEST(l.count() == 4u);
    l.release(32, 96); /* does not change Tx-mode segments */
    BOOST_TEST(l.hit(3 * page));
    BOOST_TEST(l.mode(2) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.check() == "");
}

/* Layout APART, 512 segments of 32 bytes: tags in bytes 0 to 4095, 8 each; then translations, 24 each. */
BOOST_AUTO_TEST_CASE(apart_a_claim_of_tags_orphans_translations_and_the_other_way_round)
{
    ww_lds_tx_cfg cfg = lds_tx_config();
    cfg.layout = WW_LDS_TX_APART;
    lds_tx l(cfg);
    for (uint64_t i = 0; i < 8; ++i)
        l.insert(i * page);
    l.insert((4 + 512) * page);
    l.insert((5 + 512) * page);
    l.allocate(64, 32); /* tags of segments 8 to 11, which hold none */
    BOOST_TEST(l.counts().readjusted == 0u);
    l.allocate(0, 32); /* tags of 0 to 3; keeping them would move four tags and four translations */
    BOOST_TEST(l.counts().readjusted == 4u * 2 * (8 + 8));
    BOOST_TEST(l.hit(0));
    BOOST_TEST(l.mode(3) == WW_LDS_TX_TX);
    BOOST_TEST(l.access(0, 4) == 4u); /* one word; drops four segments' translations */
    BOOST_TEST(l.counts().orphaned == 4u * 8);
    BOOST_TEST(l.counts().claimed == 1u);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_USED);
    BOOST_TEST(l.mode(4) == WW_LDS_TX_TX);
    BOOST_TEST(l.insert(3 * page) == WW_STORE_PASSED); /* its 24 bytes are unused */
    l.allocate(4096 + 96, 64);                         /* translations of 4, 5, and two thirds of 6 */
    BOOST_TEST(l.counts().readjusted == 4u * 2 * (8 + 8) + 2 * 2 * (8 + 16) + 2 * (8 + 8));
    BOOST_TEST(l.access(4096 + 96 + 40, 4) == 3u); /* the second chunk: of 5 and 6; their tags are orphaned */
    /* and so is the first translation of 5, in the chunk before */
    BOOST_TEST(l.counts().orphaned == 4u * 8 + 2 * 8 + 8);
    BOOST_TEST(l.holds(4 * page));
    BOOST_TEST(l.holds(7 * page));
    BOOST_TEST(l.mode(5) == WW_LDS_TX_USED);
    l.release(4096 + 96, 64);
    BOOST_TEST(l.mode(5) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.insert(5 * page) == WW_STORE_KEPT);
    BOOST_TEST(l.mode(6) == WW_LDS_TX_TX); /* the other chunks of 6 stayed lent */
    BOOST_TEST(l.check() == "");
    lds_tx one(cfg);
    one.insert(0);
    one.allocate(0, 32);
    BOOST_TEST(one.access(0, 4) == 1u); /* the three others were empty */
    BOOST_TEST(one.counts().orphaned == 8u);
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

BOOST_AUTO_TEST_CASE(accesses_and_allocations_that_cannot_be_are_asserted)
{
    lds_tx l;
    BOOST_CHECK_THROW(l.access(0, 4), std::logic_error); /* not allocated */
    BOOST_CHECK_THROW(l.allocate(0, 0), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(16384, 1), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(1, 16384), std::logic_error);
    BOOST_CHECK_THROW(l.allocate(0, 16385), std::logic_error);
    BOOST_CHECK_THROW(l.mode(512), std::logic_error);
}
