/* SPDX-License-Identifier: MIT */
/* Tests translations in segments of local memory: each rule for translations. */
#include <boost/test/unit_test.hpp>

#include "kernels/xlat_word.h"
#include "tb/kernels/lds_tx_rig.hpp"
#include "tb/kernels/store_contract.hpp"

#include <stdexcept>

using namespace walkway_tb;

namespace
{

constexpr uint32_t size_4k = 1u << 12;
constexpr uint32_t size_64k = 1u << 16;
constexpr uint32_t size_2m = 1u << 21;
constexpr uint64_t page = 4096;

/* The i-th page of base `base` in segment 0 of an LDS of 512 segments. */
uint64_t in_segment_0(uint64_t i, uint64_t base = 0)
{
    return (base << 8 | i) * 512 * page;
}

} // namespace

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
}

BOOST_AUTO_TEST_CASE(a_full_segment_loses_its_least_recently_used_translation)
{
    for (const uint32_t segment_bytes : {32u, 64u}) {
        lds_tx l(lds_tx_config(segment_bytes * 512, segment_bytes));
        const uint64_t ways = segment_bytes == 32 ? 3 : 6;
        for (uint64_t i = 0; i < ways; ++i)
            BOOST_TEST(l.insert(mapping(in_segment_0(i), 1, i << 12)).victims.empty());
        BOOST_TEST(l.holds(in_segment_0(1), 1)); /* a probe does not count as a use */
        BOOST_TEST(l.hit(in_segment_0(0), 1));   /* a lookup does */
        l.insert(in_segment_0(2), 1);            /* and so does a refresh */
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
    l.take(in_segment_0(7)); /* a segment without translations accepts any base */
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
    BOOST_TEST(l.invalidate(0x5f'f000, 1) == 1u); /* the last 4 KiB of the large page */
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
    BOOST_TEST(l.mode(1) == WW_LDS_TX_TX); /* without translations, but still lent */
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
        for (const bool moves : {false, true})
            for (const uint8_t mismatch : {WW_LDS_TX_REBASE, WW_LDS_TX_BYPASS}) {
                ww_lds_tx_cfg cfg = lds_tx_config(2048, segment_bytes, mismatch, size_4k | size_64k);
                cfg.layout = moves ? WW_LDS_TX_READJUSTED : WW_LDS_TX_TOGETHER;
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
