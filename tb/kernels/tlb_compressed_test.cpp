/* SPDX-License-Identifier: MIT */
/* A compressed TLB: widths, packed slots, each rule. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/store_contract.hpp"
#include "tb/kernels/tlb_compressed_rig.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

/* The i-th page of set 0 of 32, with base b: 13 bits of tag share a base; the frame is near 2 MiB * b. */
ww_mapping in_set_0(uint64_t i, uint64_t base = 0, uint16_t vmid = 0)
{
    return mapping((base << 13 | i) * 32 * page, vmid, (base % 1024 << 9 | i % 512) * page);
}

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_tlbc_cfg> bad(17, tlbc_config());
    bad[0].sets = 0;
    bad[1].sets = 24;
    bad[2].sets = 1u << 21;
    bad[3].ways = 0;
    bad[4].ways = 33;
    bad[5].compressed_ways = 16;
    bad[6].va_bits = 31;
    bad[7].va_bits = 58;
    bad[8].pa_bits = 12;
    bad[9].pa_bits = 53;
    bad[10].page_sizes = 0;
    bad[11].page_sizes |= 1u << 11;
    bad[12].page_sizes |= 1u << 31;
    bad[13].rebase_after = 0;
    bad[14].index = WW_INDEX_XOR + 1;
    bad[15].pa_bits = 52; /* 31 + 40 bits do not fit a slot's word */
    bad[15].va_bits = 57;
    bad[16].sets = 1u << 9; /* 32-bit addresses leave a tag of 11 bits */
    bad[16].va_bits = 32;
    blob<ww_tlbc> t(4096);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_tlbc_bytes(&cfg) == 0u);
        BOOST_TEST(ww_tlbc_init(t, t.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_tlbc_cfg good = tlbc_config();
    BOOST_TEST(ww_tlbc_init(t, ww_tlbc_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(widths_follow_from_the_size_of_memory)
{
    struct row {
        uint32_t pa_bits, sets, tag, ppn, tag_delta, ppn_delta;
    };
    for (const row &r : {row{31, 32, 31, 19, 13, 9},  /* [P20]: 50 bits; bases of 18 and 10 */
                         row{32, 32, 31, 20, 12, 10}, /* 4 GB */
                         row{34, 32, 31, 22, 12, 11}, /* 16 GB */
                         row{30, 32, 31, 18, 12, 9},  /* 1 GB */
                         row{31, 64, 30, 19, 12, 9}, row{13, 32, 31, 1, 13, 0}}) {
        ww_tlbc_cfg cfg = tlbc_config();
        cfg.pa_bits = r.pa_bits;
        cfg.sets = r.sets;
        const ww_tlbc_widths w = tlbc(cfg).t->widths;
        BOOST_TEST(w.tag == r.tag);
        BOOST_TEST(w.ppn == r.ppn);
        BOOST_TEST(w.tag_delta == r.tag_delta);
        BOOST_TEST(w.ppn_delta == r.ppn_delta);
        BOOST_TEST(w.tag_base == r.tag - r.tag_delta);
        BOOST_TEST(w.ppn_base == r.ppn - r.ppn_delta);
        BOOST_TEST(2 * (w.tag_delta + w.ppn_delta + 3) <= w.tag + w.ppn);
    }
}

BOOST_AUTO_TEST_CASE(it_holds_half_as_many_entries_again_as_it_has_slots)
{
    tlbc t;
    BOOST_TEST(ww_tlbc_capacity(t.t) == 32u * 24);
    const ww_widths widths = {48, 31, 12, 16};
    /* slots; plain: valid, order of 8, VM-ID, permissions; compressed: valid, order of 16; bases, VM-ID,
     * counter up to 4 */
    const uint64_t plain = 8 * (1 + 3 + 16 + 3), compressed = 16 * (1 + 4), set = 18 + 10 + 16 + 3;
    BOOST_TEST(t.kind.bits(t.store(), &widths) == 32 * (16 * 50 + plain + compressed + set));
    ww_tlbc_cfg cfg = tlbc_config();
    cfg.compressed_ways = 0;
    cfg.page_sizes |= 1u << 16 | 1u << 21; /* two bits of size */
    BOOST_TEST(ww_tlbc_bits(tlbc(cfg).t, 2) == 32 * (16 * 50 + 16 * (1 + 2 + 4 + 2 + 3)));
    BOOST_TEST(ww_tlbc_capacity(tlbc(cfg).t) == 512u);
}

BOOST_AUTO_TEST_CASE(slots_bases_and_counter_are_packed_bit_by_bit)
{
    tlbc t;
    const uint64_t va = 0x1234'5678'9000, tag = va >> 17, frame = 0x5a5a5;
    const uint32_t set = 0x56789 & 31;
    t.insert(mapping(va, 7, frame << 12)); /* sets the bases */
    BOOST_TEST(ww_tlbc_base(t.t, set) == ((tag >> 13) << 10 | frame >> 9));
    BOOST_TEST(ww_tlbc_set(t.t, set) == (4u << 16 | 7u));
    t.insert(mapping(va + 32 * page, 7, (frame ^ 1) << 12));
    const uint64_t first = (tag & 8191) << 9 | (frame & 511),
                   second = ((tag + 1) & 8191) << 9 | ((frame ^ 1) & 511);
    BOOST_TEST(ww_tlbc_slot(t.t, set, 8) == (second << 22 | first));
    const uint64_t far_va = va ^ uint64_t { 1 } << 47;
    t.insert(mapping(far_va, 7, frame << 12));
    BOOST_TEST(ww_tlbc_slot(t.t, set, 0) == ((far_va >> 17) << 19 | frame));
    BOOST_TEST(ww_tlbc_set(t.t, set) == (3u << 16 | 7u));
    BOOST_CHECK_THROW(ww_tlbc_base(t.t, 32), std::logic_error);
    BOOST_CHECK_THROW(ww_tlbc_set(t.t, 32), std::logic_error);
    BOOST_CHECK_THROW(ww_tlbc_slot(t.t, 32, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_tlbc_slot(t.t, 0, 16), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_hit_in_either_part_returns_what_was_inserted)
{
    tlbc t;
    BOOST_TEST(!t.lookup(0x1000));
    t.insert(mapping(0x1234, 2, 0xabc000, 12, WW_PERM_R | WW_PERM_W));                      /* compressed */
    t.insert(mapping(uint64_t{1} << 47 | 0x1234, 2, 0x5def000, 12, WW_PERM_W | WW_PERM_X)); /* plain */
    const auto x = t.lookup(0x1fff, 2), y = t.lookup(uint64_t{1} << 47 | 0x1fff, 2);
    BOOST_REQUIRE(x && y);
    BOOST_TEST(x->page_pa == 0xabc000u);
    BOOST_TEST(x->perm == (WW_PERM_R | WW_PERM_W));
    BOOST_TEST(y->page_pa == 0x5def000u);
    BOOST_TEST(y->perm == (WW_PERM_W | WW_PERM_X));
    BOOST_TEST(t.counts().compressed == 1u);
    BOOST_TEST(t.counts().plain == 1u);
    BOOST_TEST(!t.hit(0x1000, 3));
    BOOST_TEST(t.insert(uint64_t{1} << 48) == WW_STORE_REFUSED);
    BOOST_TEST(!t.hit(uint64_t{1} << 48));
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, uint64_t{1} << 31)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0, 21)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0, 40)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0x800)), std::logic_error);
}

BOOST_AUTO_TEST_CASE(two_VMs_hold_one_page_side_by_side_and_only_one_of_them_compresses)
{
    tlbc t;
    t.insert(mapping(0x1000, 0, 0x10000));
    t.insert(mapping(0x1000, 9, 0x20000));
    BOOST_TEST(t.lookup(0x1000, 0)->page_pa == 0x10000u);
    BOOST_TEST(t.lookup(0x1000, 9)->page_pa == 0x20000u);
    BOOST_TEST(t.t->live_compressed == 1u);
    BOOST_TEST(t.counts().failures == 1u);
    BOOST_TEST(t.invalidate(0x1000, 1, 0) == 1u);
    BOOST_TEST(t.hit(0x1000, 9));
}

BOOST_AUTO_TEST_CASE(an_entry_compresses_if_tag_and_frame_have_the_sets_bases)
{
    tlbc t;
    t.insert(in_set_0(0));
    const uint64_t frame_2m = uint64_t{1} << 21;
    t.insert(mapping(8191 * 32 * page, 0, frame_2m - page)); /* the last of either delta range */
    BOOST_TEST(t.t->live_compressed == 2u);
    t.insert(mapping(8192 * 32 * page, 0, 0));     /* another tag base */
    t.insert(mapping(1 * 32 * page, 0, frame_2m)); /* another frame base */
    BOOST_TEST(t.t->live_compressed == 2u);
    BOOST_TEST(t.counts().failures == 2u);
    BOOST_TEST(t.count() == 4u);
}

BOOST_AUTO_TEST_CASE(each_part_loses_entries_only_to_its_own_and_the_least_recently_used)
{
    tlbc t;
    for (uint64_t i = 0; i < 16; ++i)
        BOOST_TEST(t.insert(in_set_0(i)).victims.empty());
    t.lookup(in_set_0(0).va);
    t.insert(in_set_0(1)); /* refreshed */
    const entered e = t.insert(in_set_0(16));
    BOOST_REQUIRE_EQUAL(e.victims.size(), 1u);
    BOOST_TEST(same(e.victims[0], in_set_0(2)));
    tlbc u;
    ww_tlbc_cfg cfg = tlbc_config();
    cfg.rebase_after = 100;
    u = tlbc(cfg);
    u.insert(in_set_0(0));
    for (uint64_t i = 1; i <= 8; ++i)
        BOOST_TEST(u.insert(in_set_0(0, i)).victims.empty());
    u.lookup(in_set_0(0, 1).va);
    const entered f = u.insert(in_set_0(0, 9));
    BOOST_REQUIRE_EQUAL(f.victims.size(), 1u);
    BOOST_TEST(same(f.victims[0], in_set_0(0, 2)));
    BOOST_TEST(u.holds(in_set_0(0).va)); /* the oldest of all, but compressed */
    BOOST_TEST(u.counts().displaced == 1u);
    BOOST_TEST(u.count() == 9u);
}

BOOST_AUTO_TEST_CASE(
    the_last_of_so_many_failures_empties_the_compressed_part_and_the_next_entry_sets_the_bases)
{
    tlbc t; /* rebases after 4 failures */
    for (uint64_t i : {9, 3, 5})
        t.insert(in_set_0(i, 1));
    for (uint64_t i = 2; i < 5; ++i)
        BOOST_TEST(t.insert(in_set_0(0, i)).victims.empty());
    BOOST_TEST(t.insert(mapping(page)).result == WW_STORE_KEPT); /* in another set */
    const entered e = t.insert(in_set_0(0, 5));
    BOOST_TEST(e.result == WW_STORE_KEPT);
    BOOST_REQUIRE_EQUAL(e.victims.size(), 3u);
    BOOST_TEST(same(e.victims[0], in_set_0(9, 1)));
    BOOST_TEST(same(e.victims[1], in_set_0(3, 1)));
    BOOST_TEST(same(e.victims[2], in_set_0(5, 1)));
    BOOST_TEST(t.counts().rebases == 1u);
    BOOST_TEST(t.counts().rebased == 3u);
    BOOST_TEST(t.counts().failures == 4u);
    BOOST_TEST(ww_tlbc_set(t.t, 0) == 0u);
    BOOST_TEST(t.holds(in_set_0(0, 5).va)); /* plain */
    t.insert(in_set_0(6, 6));
    BOOST_TEST(ww_tlbc_base(t.t, 0) == (6u << 10 | 6u));
    BOOST_TEST(ww_tlbc_set(t.t, 0) == 4u << 16); /* the counter is reloaded */
    BOOST_TEST(t.t->live_compressed == 2u);
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(a_rebase_and_a_full_plain_part_make_as_many_victims_as_there_can_be)
{
    ww_tlbc_cfg cfg = tlbc_config();
    cfg.rebase_after = 9;
    tlbc t(cfg);
    for (uint64_t i = 0; i < 16; ++i)
        t.insert(in_set_0(i));
    for (uint64_t i = 1; i <= 8; ++i)
        t.insert(in_set_0(0, i));
    BOOST_TEST(t.count() == 24u);
    BOOST_TEST(ww_tlbc_slots_used(t.t) == 16u);
    const entered e = t.insert(in_set_0(0, 9));
    BOOST_REQUIRE_EQUAL(e.victims.size(), 17u);
    BOOST_TEST(t.kind.most_victims(t.store()) == 17u);
    BOOST_TEST(same(e.victims[0], in_set_0(0)));
    BOOST_TEST(same(e.victims[16], in_set_0(0, 1)));
    BOOST_TEST(t.count() == 8u);
}

BOOST_AUTO_TEST_CASE(a_slot_with_one_compressed_entry_is_used)
{
    tlbc t;
    for (uint64_t i = 0; i < 3; ++i)
        t.insert(in_set_0(i));
    BOOST_TEST(ww_tlbc_slots_used(t.t) == 2u);
    t.take(in_set_0(0).va);
    BOOST_TEST(ww_tlbc_slots_used(t.t) == 2u);
    t.take(in_set_0(1).va);
    BOOST_TEST(ww_tlbc_slots_used(t.t) == 1u);
    t.insert(in_set_0(0, 1)); /* plain */
    BOOST_TEST(ww_tlbc_slots_used(t.t) == 2u);
}

BOOST_AUTO_TEST_CASE(a_refresh_whose_frame_does_not_compress_moves_to_the_plain_part)
{
    tlbc t;
    t.insert(in_set_0(1));
    t.insert(in_set_0(2));
    ww_mapping m = in_set_0(1);
    m.xlat.page_pa = 0x3000;
    BOOST_TEST(t.insert(m).result == WW_STORE_REFRESHED); /* in place */
    BOOST_TEST(t.t->live_compressed == 2u);
    BOOST_TEST(t.counts().failures == 0u);
    m.xlat.page_pa = uint64_t{1} << 30;
    BOOST_TEST(t.insert(m).result == WW_STORE_REFRESHED);
    BOOST_TEST(t.t->live_compressed == 1u);
    BOOST_TEST(t.count() == 2u);
    BOOST_TEST(t.counts().failures == 1u);
    BOOST_TEST(t.lookup(m.va)->page_pa == m.xlat.page_pa);
    m.xlat.page_pa = 0x3000;
    BOOST_TEST(t.insert(m).result == WW_STORE_REFRESHED); /* would compress, but is plain: in place */
    BOOST_TEST(t.t->live_compressed == 1u);
    BOOST_TEST(t.lookup(m.va)->page_pa == 0x3000u);
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(an_invalidate_leaves_the_bases_and_a_flush_takes_them)
{
    tlbc t;
    t.insert(in_set_0(1, 3));
    t.insert(in_set_0(1, 4));
    const uint64_t base = ww_tlbc_base(t.t, 0);
    BOOST_TEST(t.invalidate(0, uint64_t{1} << 47) == 2u);
    BOOST_TEST(t.count() == 0u);
    BOOST_TEST(ww_tlbc_base(t.t, 0) == base);
    BOOST_TEST(ww_tlbc_set(t.t, 0) == 3u << 16);
    t.insert(in_set_0(1, 3));
    t.kind.flush(t.store());
    BOOST_TEST(t.count() == 0u);
    BOOST_TEST(t.t->live_compressed == 0u);
    BOOST_TEST(ww_tlbc_set(t.t, 0) == 0u);
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(contiguous_frames_compress_where_scattered_ones_do_not)
{
    for (const bool contiguous : {true, false}) {
        tlbc t;
        for (uint64_t i = 0; i < 512; ++i) /* 16 per set; nine bits are 2 MiB */
            t.insert(mapping(i * page, 0, (contiguous ? i : i * 997 % 512 << 9) * page));
        BOOST_TEST(t.counts().failures == (contiguous ? 0u : t.counts().plain));
        BOOST_TEST(t.count() == (contiguous ? 512u : t.count()));
        BOOST_TEST((ww_tlbc_slots_used(t.t) == 256u) == contiguous);
        BOOST_TEST((t.counts().rebases > 0) != contiguous);
    }
}

BOOST_AUTO_TEST_CASE(pages_of_several_sizes_lie_by_their_own_numbers_and_the_smallest_wins)
{
    ww_tlbc_cfg cfg = tlbc_config();
    cfg.page_sizes = 1u << 12 | 1u << 16 | 1u << 21;
    tlbc t(cfg);
    BOOST_TEST(t.kind.probes(t.store()) == 3u);
    t.insert(mapping(0x40'0000, 0, 0x60'0000, 21));
    t.insert(mapping(0x40'0000, 0, 0x3'0000, 16));
    BOOST_TEST(t.lookup(0x40'0000)->page_shift == 16);
    BOOST_TEST(t.lookup(0x41'0000)->page_shift == 21);
    t.insert(mapping(0x2000, 0, 0x9000)); /* the same number in another size: both compress */
    BOOST_TEST(t.lookup(0x2000)->page_pa == 0x9000u);
    BOOST_TEST(t.lookup(0x41'0000)->page_pa == 0x60'0000u);
    BOOST_TEST(t.t->live_compressed == 3u);
    BOOST_TEST(t.invalidate(0x5f'f000, 1) == 1u);
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(it_keeps_the_laws_of_a_store)
{
    for (const uint32_t compressed : {0u, 1u, 2u, 3u}) {
        ww_tlbc_cfg cfg = tlbc_config();
        cfg.sets = 4;
        cfg.ways = 4;
        cfg.compressed_ways = compressed;
        cfg.page_sizes = 1u << 12 | 1u << 16;
        tlbc t(cfg);
        store_contract laws(t.kind, t.store(), t.t.bytes(), {12, 16}, 100, 2, compressed);
        const store_seen &seen = laws.run(4000);
        BOOST_TEST(seen.hits > 10u);
        BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
        BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 10u);
        BOOST_TEST(seen.results[WW_STORE_PASSED] + seen.results[WW_STORE_REFUSED] == 0u);
        BOOST_TEST(seen.victims > 100u);
        BOOST_TEST((seen.most_victims > 1) == (compressed != 0));
        BOOST_TEST(t.kind.claim == nullptr);
        BOOST_TEST(t.t.intact());
    }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    tlbc fresh;
    fresh.insert(in_set_0(1));
    fresh.insert(in_set_0(2));
    fresh.insert(in_set_0(3, 1)); /* plain: entry 0; compressed: 8 and 9 */
    fresh.insert(in_set_0(4, 1));
    const auto with = [&](uint64_t ww_tlbc::*off, uint32_t at, uint64_t flip) {
        tlbc t = fresh;
        t.t.words(t.t->*off)[at] ^= flip;
        return t.check();
    };
    const auto side = &ww_tlbc::side_off;
    BOOST_TEST(with(side, 0, 0) == "");
    BOOST_TEST(with(side, 2, 1u << 9) == "tlb_compressed: something of an entry that is not there");
    BOOST_TEST(with(side, 0, 1u << 4) == "tlb_compressed: a page size that is not configured");
    BOOST_TEST(with(&ww_tlbc::set_off, 0, 3u << 16 ^ 1u << 16) ==
               "tlb_compressed: a compressed entry without a base");
    BOOST_TEST(with(&ww_tlbc::slot_off, 8, 3u << 9) == "tlb_compressed: a page is held twice");
    BOOST_TEST(with(side, 0, 1u << 9) == "tlb_compressed: the order of use of a part has a gap");
    BOOST_TEST(with(side, 8, 1u << 9) == "tlb_compressed: the order of use of a part has a gap");
    BOOST_TEST(with(&ww_tlbc::base_off, 1, 1u << 28) ==
               "tlb_compressed: bases with more bits than they have");
    tlbc t = fresh;
    t.t->live = 1;
    BOOST_TEST(t.check() == "tlb_compressed: a count is wrong");
    t = fresh;
    t.t->live_compressed = 1;
    BOOST_TEST(t.check() == "tlb_compressed: a count is wrong");
}
