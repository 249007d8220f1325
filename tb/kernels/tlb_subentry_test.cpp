/* SPDX-License-Identifier: MIT */
/* A TLB with sub-entries: each rule, its bits by hand, and random operations against plain groups; with one
 * page per place against the plain TLB. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/tlb.h"
#include "kernels/store/tlb_subentry.h"
#include "tb/kernels/store_contract.hpp"
#include "tb/kernels/store_rig.hpp"

#include <list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

ww_tlbs_cfg config(uint32_t sets = 4, uint32_t ways = 2, uint32_t pages = 8, uint32_t page_sizes = 1u << 12,
                   uint8_t index = WW_INDEX_MODULO, uint8_t share = WW_TLBS_SHARE_OFF)
{
    ww_tlbs_cfg cfg{};
    cfg.sets = sets;
    cfg.ways = ways;
    cfg.pages = pages;
    cfg.page_sizes = page_sizes;
    cfg.index = index;
    cfg.share = share;
    return cfg;
}

/* One set of `ways` places of eight pages; `share` says which of them take a second base. */
ww_tlbs_cfg sharing(uint32_t ways, uint8_t share = WW_TLBS_SHARE_HALF)
{
    return config(1, ways, 8, 1u << 12, WW_INDEX_MODULO, share);
}

struct tlbs : store_rig<ww_tlbs> {
    explicit tlbs(const ww_tlbs_cfg &cfg = config()) : store_rig(ww_tlbs_store, ww_tlbs_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_tlbs_init(t, t.bytes(), &cfg), WW_OK);
    }
    uint32_t places() { return ww_tlbs_places_used(t); }
    uint32_t shared() { return ww_tlbs_places_shared(t); }
};

/* Page i of group g of eight pages. */
ww_mapping of_group(uint64_t g, uint64_t i, uint16_t vmid = 0)
{
    return mapping((g * 8 + i) * page, vmid, (g * 1000 + vmid * 100 + i) * page, 12, static_cast<uint8_t>(i));
}

/* Page i of group g of set 0 of four, each of eight pages. */
ww_mapping in_set_0(uint64_t g, uint64_t i, uint16_t vmid = 0)
{
    return mapping((g * 4 * 8 + i) * page, vmid, (g * 1000 + i) * page, 12, static_cast<uint8_t>(i));
}

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_tlbs_cfg> bad(14, config());
    bad[0].sets = 0;
    bad[1].sets = 24;
    bad[2].ways = 0;
    bad[3].ways = 65;
    bad[4].pages = 0;
    bad[5].pages = 12;
    bad[6].pages = 64;
    bad[7].page_sizes = 0;
    bad[8].page_sizes |= 1u << 11;
    bad[9].page_sizes |= 1u << 31;
    bad[10].page_sizes = 0xffu << 12; /* eight sizes */
    bad[11].index = WW_INDEX_XOR + 1;
    bad[12].fill = WW_TLBS_FILL_ALL + 1;
    bad[13].share = WW_TLBS_SHARE_ANY + 1;
    blob<ww_tlbs> t(8192);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_tlbs_bytes(&cfg) == 0u);
        BOOST_TEST(ww_tlbs_init(t, t.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_tlbs_cfg good = config(4, 2, 32, 0x7fu << 24);
    BOOST_TEST(ww_tlbs_init(t, ww_tlbs_bytes(&good) - 1, &good) == WW_E_SIZE);
    BOOST_TEST(tlbs(good).check() == "");
}

BOOST_AUTO_TEST_CASE(bits_are_a_tag_a_place_and_a_frame_a_page)
{
    const ww_widths widths = {48, 40, 12, 16};
    tlbs t(config(4, 16, 8));
    /* place: 48 - 12 - 3 - 2 and VM-ID, order of 16; page: valid, frame, permissions */
    BOOST_TEST(t.kind.bits(t.store(), &widths) == 64 * (31 + 16 + 4 + 8 * (1 + 28 + 3)));
    tlbs u(config(1, 6, 2, 1u << 12 | 1u << 16 | 1u << 21));
    BOOST_TEST(u.kind.bits(u.store(), &widths) == 6 * (35 + 16 + 2 + 3 + 2 * (1 + 28 + 3)));
    const ww_tlb_cfg plain_cfg = {32, 16, WW_INDEX_MODULO, WW_REPLACE_LRU, 1u << 12 | 1u << 21, 1};
    blob<ww_tlb> plain(ww_tlb_bytes(&plain_cfg));
    BOOST_REQUIRE_EQUAL(ww_tlb_init(plain, plain.bytes(), &plain_cfg), WW_OK);
    tlbs one(config(32, 16, 1, 1u << 12 | 1u << 21));
    BOOST_TEST(one.kind.bits(one.store(), &widths) == ww_tlb_store.bits(plain, &widths));
    /* two tags, and the base of each page */
    tlbs two(config(4, 16, 8, 1u << 12 | 1u << 21, WW_INDEX_MODULO, WW_TLBS_SHARE_QUARTER));
    BOOST_TEST(two.kind.bits(two.store(), &widths) == 64 * (2 * (31 + 16 + 1) + 4 + 8 * (1 + 28 + 3 + 1)));
}

BOOST_AUTO_TEST_CASE(a_page_beside_another_takes_no_place_and_is_not_held_before_it_came)
{
    tlbs t;
    BOOST_TEST(!t.hit(0x1000));
    BOOST_TEST(t.insert(mapping(0x1234, 2, 0xabc000, 12, WW_PERM_R | WW_PERM_W)).result == WW_STORE_KEPT);
    for (uint64_t i = 0; i < 9; ++i)
        BOOST_TEST(t.holds(i * page, 2) == (i == 1));
    BOOST_TEST(t.insert(mapping(7 * page, 2, 0x5000, 12, WW_PERM_X)).result == WW_STORE_KEPT);
    BOOST_TEST(t.insert(mapping(8 * page, 2)).result == WW_STORE_KEPT); /* the next group */
    BOOST_TEST(t.places() == 2u);
    BOOST_TEST(t.count() == 3u);
    BOOST_TEST(t.t->counts.beside == 1u);
    const auto x = t.lookup(0x1fff, 2), y = t.probe(7 * page + 5, 2);
    BOOST_REQUIRE((x && y));
    BOOST_TEST(x->page_pa == 0xabc000u);
    BOOST_TEST(x->perm == (WW_PERM_R | WW_PERM_W));
    BOOST_TEST(y->page_pa == 0x5000u);
    BOOST_TEST(y->perm == +WW_PERM_X);
    BOOST_TEST(!t.hit(0x1000, 3));
    BOOST_TEST(t.insert(mapping(0x1000, 2, 0x9000)).result == WW_STORE_REFRESHED);
    BOOST_TEST(t.lookup(0x1000, 2)->page_pa == 0x9000u);
    BOOST_TEST(t.lookup(7 * page, 2)->page_pa == 0x5000u);
    BOOST_TEST(t.count() == 3u);
    BOOST_TEST(t.t->counts.beside == 1u);
}

/* The other pages that an answer brings, by page number. */
static std::vector<uint64_t> beside(tlbs &t, const ww_mapping &m)
{
    std::vector<uint64_t> va(WW_STORE_MOST_BESIDE + 1, 1);
    va.resize(t.kind.beside(t.store(), &m, va.data()));
    for (uint64_t &a : va) {
        BOOST_TEST((a & ww_page_mask(m.xlat.page_shift)) == 0u);
        a >>= m.xlat.page_shift;
    }
    return va;
}

BOOST_AUTO_TEST_CASE(an_answer_brings_all_of_its_place_that_is_not_held_or_its_page_alone)
{
    using numbers = std::vector<uint64_t>;
    ww_tlbs_cfg cfg = config(4, 2, 4, 1u << 12 | 1u << 16);
    tlbs one(cfg);
    BOOST_TEST(beside(one, mapping(0x5000)).empty());
    cfg.fill = WW_TLBS_FILL_ALL;
    tlbs t(cfg);
    const auto before = t.t.words(0)[0];
    BOOST_TEST(beside(t, mapping(0x5123)) == (numbers{4, 6, 7}));
    BOOST_TEST(beside(t, mapping(0x5000, 0, 0x50000, 16)) == (numbers{1, 2, 3})); /* page 0 of 64 KiB */
    BOOST_TEST((t.count() == 0u && t.t.words(0)[0] == before)); /* the query changes nothing */
    t.insert(mapping(0x6000));
    t.insert(mapping(0x4000, 1));
    t.insert(mapping(0x8000));
    BOOST_TEST(beside(t, mapping(0x5000)) == (numbers{4, 7}));
    BOOST_TEST(beside(t, mapping(0x5000, 1)) == (numbers{6, 7}));
    BOOST_TEST(beside(t, mapping(0x6000)) == (numbers{4, 5, 7})); /* not its own page */
    for (const uint64_t number : {4, 5, 7})
        t.insert(mapping(number * page));
    BOOST_TEST(beside(t, mapping(0x5000)).empty());
    BOOST_TEST(t.t->counts.beside == 3u);
    cfg.pages = 32;
    tlbs wide(cfg);
    BOOST_TEST(beside(wide, mapping(0)).size() == 31u);
    BOOST_TEST(beside(wide, mapping((uint64_t{1} << 57) - page)).back() == (uint64_t{1} << 45) - 2);
}

BOOST_AUTO_TEST_CASE(a_place_that_would_leave_with_few_pages_takes_a_second_base_instead)
{
    tlbs t(sharing(1));
    for (const uint64_t i : {0, 1, 4, 7})
        t.insert(of_group(0, i));
    BOOST_TEST(t.insert(of_group(1, 1)).victims.empty()); /* in sub-entry 6 */
    BOOST_TEST((t.count() == 5u && t.places() == 1u && t.shared() == 1u));
    for (const auto &[g, i] :
         {std::pair(0, 0), std::pair(0, 1), std::pair(0, 4), std::pair(0, 7), std::pair(1, 1)})
        BOOST_TEST(t.lookup(of_group(static_cast<uint64_t>(g), static_cast<uint64_t>(i)).va)->page_pa ==
                   of_group(static_cast<uint64_t>(g), static_cast<uint64_t>(i)).xlat.page_pa);
    for (const uint64_t i : {0, 4, 5, 7})
        BOOST_TEST(!t.holds(of_group(1, i).va));
    BOOST_TEST(!t.holds(of_group(0, 5).va));
    BOOST_TEST(t.insert(of_group(1, 1)).result == WW_STORE_REFRESHED);
    BOOST_TEST((t.t->counts.shared == 1u && t.t->counts.ousted == 0u && t.t->counts.displaced == 0u));
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(where_both_bases_want_a_sub_entry_the_page_that_comes_has_it)
{
    tlbs t(sharing(1));
    t.insert(of_group(0, 0));
    t.insert(of_group(0, 5));
    t.insert(of_group(1, 0));
    const entered first = t.insert(of_group(1, 7)); /* in sub-entry 0 */
    BOOST_TEST((first.result == WW_STORE_KEPT && t.count() == 3u));
    BOOST_REQUIRE_EQUAL(first.victims.size(), 1u);
    BOOST_TEST(same(first.victims[0], of_group(0, 0)));
    const entered back = t.insert(of_group(0, 0));
    BOOST_REQUIRE_EQUAL(back.victims.size(), 1u);
    BOOST_TEST(same(back.victims[0], of_group(1, 7)));
    BOOST_TEST((t.t->counts.ousted == 2u && t.t->counts.displaced == 0u && t.t->counts.places == 0u));
    BOOST_TEST((t.t->counts.beside == 3u && t.shared() == 1u));
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(a_place_of_two_bases_leaves_whole_and_one_with_many_pages_does_not_share)
{
    tlbs t(sharing(1));
    for (const uint64_t i : {6, 2})
        t.insert(of_group(0, i));
    t.insert(of_group(1, 4)); /* in sub-entry 3 */
    const entered all = t.insert(of_group(2, 0));
    BOOST_REQUIRE_EQUAL(all.victims.size(), 3u);
    BOOST_TEST((same(all.victims[0], of_group(0, 2)) && same(all.victims[1], of_group(1, 4)) &&
                same(all.victims[2], of_group(0, 6))));
    BOOST_TEST((t.shared() == 0u && t.t->counts.places == 1u && t.t->counts.displaced == 3u));
    BOOST_TEST(!t.holds(of_group(1, 4).va)); /* evicted pages are not held */
    BOOST_TEST(t.insert(of_group(1, 3)).victims.empty());
    BOOST_TEST((t.t->counts.shared == 2u && t.shared() == 1u && t.count() == 2u));
    for (const auto &[share, few] : {std::pair(WW_TLBS_SHARE_OFF, 0u), std::pair(WW_TLBS_SHARE_QUARTER, 2u),
                                     std::pair(WW_TLBS_SHARE_HALF, 4u), std::pair(WW_TLBS_SHARE_ANY, 8u)})
        for (uint32_t pages = 1; pages <= 8; ++pages) {
            tlbs u(sharing(1, static_cast<uint8_t>(share)));
            for (uint64_t i = 0; i < pages; ++i)
                u.insert(of_group(0, i));
            const size_t victims = u.insert(of_group(1, 0)).victims.size();
            BOOST_TEST(u.t->counts.shared == (pages <= few));
            BOOST_TEST(victims == (pages > few ? pages : pages == 8 ? 1u : 0u));
        }
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(only_the_place_that_would_leave_next_is_looked_at_and_it_is_the_newest_then)
{
    tlbs t(sharing(2));
    for (uint64_t i = 0; i < 5; ++i)
        t.insert(of_group(0, i));
    t.insert(of_group(1, 0)); /* a free place is used first */
    BOOST_TEST((t.places() == 2u && t.t->counts.shared == 0u));
    BOOST_TEST(t.insert(of_group(2, 0)).victims.size() == 5u); /* although group 1 has one page */
    BOOST_TEST(t.insert(of_group(3, 0)).victims.empty());      /* shares group 1's place */
    BOOST_TEST(t.insert(of_group(4, 0)).victims.empty());      /* shares group 2's place */
    BOOST_TEST((t.shared() == 2u && t.count() == 4u));
    t.lookup(of_group(3, 0).va); /* a hit of either base makes the place the newest */
    BOOST_TEST(t.insert(of_group(5, 0)).victims.size() == 2u);
    BOOST_TEST((t.holds(of_group(1, 0).va) && !t.holds(of_group(2, 0).va) && !t.holds(of_group(4, 0).va)));
    t.insert(of_group(3, 1)); /* and so does a new page in it */
    BOOST_TEST(t.insert(of_group(6, 0)).victims.empty());
    BOOST_TEST((t.shared() == 2u && t.holds(of_group(5, 0).va)));
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(a_base_without_a_page_keeps_its_place_until_another_takes_it)
{
    for (const bool first : {false, true}) { /* the base that loses its page */
        tlbs t(sharing(1));
        t.insert(of_group(0, 0));
        t.insert(of_group(1, 0));
        const uint64_t gone = first ? 0 : 1, stays = 1 - gone;
        BOOST_TEST(t.take(of_group(gone, 0).va).has_value());
        BOOST_TEST((t.shared() == 0u && t.places() == 1u && t.count() == 1u));
        BOOST_TEST(t.lookup(of_group(stays, 0).va)->page_pa == of_group(stays, 0).xlat.page_pa);
        BOOST_TEST(!t.hit(of_group(gone, 0).va));
        BOOST_TEST(t.check() == "");
        tlbs again = t;
        again.insert(of_group(gone, 2)); /* the base returns */
        BOOST_TEST((again.shared() == 1u && again.t->counts.shared == 1u));
        BOOST_TEST(again.lookup(of_group(gone, 2).va)->page_pa == of_group(gone, 2).xlat.page_pa);
        BOOST_TEST(t.insert(of_group(7, 3)).victims.empty());
        BOOST_TEST((t.shared() == 1u && t.t->counts.shared == 2u));
        BOOST_TEST((t.holds(of_group(7, 3).va) && t.holds(of_group(stays, 0).va)));
        BOOST_TEST(t.check() == "");
        BOOST_TEST(t.invalidate(0, uint64_t{1} << 40) == 2u); /* the last pages leave: the place is free */
        BOOST_TEST((t.places() == 0u && t.check() == ""));
        t.insert(of_group(7, 3)); /* becomes the first base of a place */
        t.insert(of_group(8, 3));
        BOOST_TEST((t.shared() == 1u && t.t->counts.shared == 3u && t.check() == ""));
        t.kind.flush(t.store());
        BOOST_TEST((t.count() == 0u && t.places() == 0u && t.check() == ""));
        BOOST_TEST(t.t.intact());
    }
}

BOOST_AUTO_TEST_CASE(two_VMs_and_two_sizes_share_a_place_and_each_has_its_own)
{
    tlbs t(config(1, 1, 8, 1u << 12 | 1u << 16, WW_INDEX_MODULO, WW_TLBS_SHARE_ANY));
    t.insert(of_group(0, 1, 1));
    t.insert(of_group(0, 1, 2));
    BOOST_TEST(t.shared() == 1u);
    for (const uint16_t vmid : {uint16_t{1}, uint16_t{2}})
        BOOST_TEST(t.lookup(page, vmid)->page_pa == of_group(0, 1, vmid).xlat.page_pa);
    BOOST_TEST(!t.holds(page, 0));
    BOOST_TEST(t.invalidate(0, uint64_t{1} << 40, 1) == 1u);
    t.insert(mapping(0x1'0000, 2, 0x30000, 16));
    BOOST_TEST((t.lookup(0x1'2000, 2)->page_shift == 16 && t.lookup(0x1'2000, 2)->page_pa == 0x30000u));
    BOOST_TEST((t.lookup(page, 2)->page_shift == 12 && t.shared() == 1u));
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(of_a_shared_place_an_answer_brings_what_its_base_has_not)
{
    using numbers = std::vector<uint64_t>;
    ww_tlbs_cfg cfg = config(1, 1, 4, 1u << 12, WW_INDEX_MODULO, WW_TLBS_SHARE_HALF);
    cfg.fill = WW_TLBS_FILL_ALL;
    tlbs t(cfg);
    t.insert(mapping(0 * page));
    t.insert(mapping(1 * page));
    t.insert(mapping(4 * page)); /* in sub-entry 3 */
    BOOST_TEST(t.shared() == 1u);
    BOOST_TEST(beside(t, mapping(4 * page)) == (numbers{5, 6, 7}));
    BOOST_TEST(beside(t, mapping(7 * page)) == (numbers{5, 6}));
    BOOST_TEST(beside(t, mapping(0 * page)) == (numbers{2, 3}));
    t.insert(mapping(6 * page)); /* in sub-entry 1 */
    BOOST_TEST(beside(t, mapping(4 * page)) == (numbers{5, 7}));
    BOOST_TEST(beside(t, mapping(0 * page)) == (numbers{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    tlbs t;
    BOOST_CHECK_THROW(t.insert(uint64_t{1} << 57), std::logic_error);
    BOOST_CHECK_THROW(t.holds(uint64_t{1} << 57), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0, 21)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0, 40)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(mapping(0, 0, 0x800)), std::logic_error);
}

BOOST_AUTO_TEST_CASE(of_a_place_that_is_taken_all_pages_leave_the_lowest_first)
{
    tlbs t;
    for (uint64_t i : {6, 1, 3})
        t.insert(in_set_0(0, i));
    t.insert(in_set_0(1, 0));
    BOOST_TEST(t.lookup(in_set_0(0, 1).va).has_value()); /* makes its whole place newer */
    const entered one = t.insert(in_set_0(2, 5));
    BOOST_REQUIRE_EQUAL(one.victims.size(), 1u);
    BOOST_TEST(same(one.victims[0], in_set_0(1, 0)));
    t.insert(in_set_0(2, 5)); /* refreshed */
    const entered three = t.insert(in_set_0(3, 7));
    BOOST_TEST(three.result == WW_STORE_KEPT);
    BOOST_REQUIRE_EQUAL(three.victims.size(), 3u);
    for (const auto &[at, i] : {std::pair(0, 1), std::pair(1, 3), std::pair(2, 6)})
        BOOST_TEST(same(three.victims[static_cast<size_t>(at)], in_set_0(0, static_cast<uint64_t>(i))));
    BOOST_TEST(t.holds(in_set_0(3, 7).va));
    BOOST_TEST(!t.holds(in_set_0(3, 1).va)); /* evicted pages are not held */
    BOOST_TEST(t.count() == 2u);
    BOOST_TEST(t.t->counts.places == 2u);
    BOOST_TEST(t.t->counts.displaced == 4u);
    for (uint64_t i = 0; i < 8; ++i)
        t.insert(in_set_0(3, i));
    t.insert(in_set_0(2, 4)); /* a further page also makes the place newer */
    BOOST_TEST(t.insert(in_set_0(4, 0)).victims.size() == 8u);
    BOOST_TEST(t.kind.most_victims(t.store()) == 8u);
    BOOST_TEST(t.check() == "");
    BOOST_TEST(t.t.intact());
}

BOOST_AUTO_TEST_CASE(two_VMs_and_two_sizes_have_places_of_their_own)
{
    tlbs t(config(4, 4, 4, 1u << 12 | 1u << 16));
    BOOST_TEST(t.kind.probes(t.store()) == 2u);
    t.insert(mapping(0x1000, 0, 0x10000));
    t.insert(mapping(0x1000, 9, 0x20000));
    BOOST_TEST(t.lookup(0x1000, 0)->page_pa == 0x10000u);
    BOOST_TEST(t.lookup(0x1000, 9)->page_pa == 0x20000u);
    t.insert(mapping(0x1'0000, 0, 0x30000, 16)); /* also page 1, of its size */
    t.insert(mapping(0x1'3000, 0, 0x40000));
    BOOST_TEST(t.places() == 4u);
    BOOST_TEST(t.lookup(0x1'3000)->page_shift == 12); /* the smallest page */
    BOOST_TEST(t.lookup(0x1'2000)->page_shift == 16); /* though a place of the smaller size covers it */
    BOOST_TEST(t.lookup(0x1000)->page_pa == 0x10000u);
    BOOST_TEST(!t.hit(0x2'0000));
    BOOST_TEST(t.invalidate(0x1'3000, 1) == 2u);
    BOOST_TEST(t.invalidate(0, uint64_t{1} << 40) == 1u);
    BOOST_TEST(t.holds(0x1000, 9));
    BOOST_TEST(t.check() == "");
}

BOOST_AUTO_TEST_CASE(a_page_that_goes_leaves_its_neighbours_and_the_last_one_its_place)
{
    tlbs t;
    for (uint64_t i = 0; i < 8; ++i)
        t.insert(in_set_0(1, i));
    BOOST_TEST(t.take(in_set_0(1, 2).va)->page_pa == in_set_0(1, 2).xlat.page_pa);
    BOOST_TEST(!t.take(in_set_0(1, 2).va).has_value());
    BOOST_TEST(t.invalidate(in_set_0(1, 3).va, 4 * page) == 4u);
    BOOST_TEST(t.count() == 3u);
    BOOST_TEST(t.places() == 1u);
    BOOST_TEST(t.holds(in_set_0(1, 0).va));
    BOOST_TEST(t.holds(in_set_0(1, 7).va));
    BOOST_TEST(t.take(in_set_0(1, 0).va).has_value());
    BOOST_TEST(t.take(in_set_0(1, 7).va).has_value());
    BOOST_TEST(t.places() == 1u);
    BOOST_TEST(t.take(in_set_0(1, 1).va).has_value());
    BOOST_TEST(t.places() == 0u);
    t.insert(in_set_0(1, 4));
    t.insert(in_set_0(2, 4));
    t.kind.flush(t.store());
    BOOST_TEST(t.count() == 0u);
    BOOST_TEST(t.places() == 0u);
    BOOST_TEST(!t.holds(in_set_0(1, 4).va));
    BOOST_TEST(t.check() == "");
}

/* The second level of an RTX 3080, as measured by conflicts (CCS 2023, gpu-tlb): eight ways, and seven index
 * bits of an address of 47 bits, VA[20+k] ^ VA[27+k] ^ VA[34+k], and ^ VA[41+k] for k < 6. An entry has 16
 * pages of 64 KiB, so its group is VA >> 20. */
static uint32_t set_of_rtx3080(uint64_t va)
{
    uint32_t set = 0;
    for (unsigned k = 0; k < 7; ++k) {
        const uint64_t bit = va >> (20 + k) ^ va >> (27 + k) ^ va >> (34 + k) ^ (k < 6 ? va >> (41 + k) : 0);
        set |= static_cast<uint32_t>(bit & 1) << k;
    }
    return set;
}

BOOST_AUTO_TEST_CASE(
    the_folded_index_is_that_of_an_RTX_3080_eight_others_of_its_set_evict_a_page_and_seven_do_not)
{
    const ww_tlbs_cfg cfg = config(128, 8, 16, 1u << 16, WW_INDEX_XOR);
    ww_rng rng;
    ww_rng_init(&rng, 3080);
    for (int i = 0; i < 1000; ++i) {
        const uint64_t va = ww_rng_next(&rng) >> 17;
        BOOST_REQUIRE_EQUAL(ww_set_index(WW_INDEX_XOR, va >> 20, 7), set_of_rtx3080(va));
    }
    for (int round = 0; round < 50; ++round) {
        const uint64_t va = ww_rng_next(&rng) >> 17;
        std::vector<uint64_t> others; /* one per tag */
        while (others.size() < 8) {
            const uint64_t other = ww_rng_next(&rng) >> 17;
            if (set_of_rtx3080(other) == set_of_rtx3080(va) && other >> 20 != va >> 20)
                others.push_back(other);
        }
        for (const size_t n : {size_t{7}, size_t{8}}) {
            tlbs t(cfg);
            t.insert(mapping(va, 0, 0, 16));
            for (size_t i = 0; i < n; ++i)
                t.insert(mapping(others[i], 0, 0, 16));
            BOOST_TEST(t.holds(va) == (n == 7));
        }
    }
}

BOOST_AUTO_TEST_CASE(it_keeps_the_laws_of_a_store)
{
    for (const auto &[pages, share] :
         {std::pair(1u, WW_TLBS_SHARE_OFF), std::pair(2u, WW_TLBS_SHARE_OFF),
          std::pair(16u, WW_TLBS_SHARE_OFF), std::pair(32u, WW_TLBS_SHARE_OFF),
          std::pair(8u, WW_TLBS_SHARE_QUARTER), std::pair(2u, WW_TLBS_SHARE_HALF),
          std::pair(16u, WW_TLBS_SHARE_HALF), std::pair(32u, WW_TLBS_SHARE_ANY)}) {
        tlbs t(config(2, 2, pages, 1u << 12 | 1u << 16, WW_INDEX_MODULO, share));
        store_contract laws(t.kind, t.store(), t.t.bytes(), {12, 16}, 100, 2, pages);
        const store_seen &seen = laws.run(4000);
        BOOST_TEST(seen.hits > 10u);
        BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
        BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 10u);
        BOOST_TEST(seen.results[WW_STORE_PASSED] + seen.results[WW_STORE_REFUSED] == 0u);
        BOOST_TEST(seen.victims == t.t->counts.displaced + t.t->counts.ousted);
        BOOST_TEST((t.t->counts.shared > 10u) == (share != WW_TLBS_SHARE_OFF));
        BOOST_TEST((t.t->counts.ousted > 10u) == (share != WW_TLBS_SHARE_OFF));
        BOOST_TEST((seen.most_victims > 1) == (pages != 1));
        BOOST_TEST(t.kind.claim == nullptr);
        BOOST_TEST(t.t.intact());
    }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    tlbs fresh(config(2, 2, 4));
    fresh.insert(mapping(0x1000, 0, 0x5000)); /* set 0, slot 0, sub-entry 1 */
    BOOST_TEST(fresh.check() == "");
    const auto with = [&](uint32_t word, uint64_t flip) {
        tlbs t = fresh;
        t.t.words(t.t->sub_off)[word] ^= flip;
        return t.check();
    };
    BOOST_TEST(with(0, WW_TLBS_VALID) == "tlb_subentry: the count of pages is wrong");
    BOOST_TEST(with(0, 1) == "tlb_subentry: something of a page that is not there");
    BOOST_TEST(with(1, WW_TLBS_VALID) == "tlb_subentry: something of a page that is not there");
    BOOST_TEST(with(4, WW_TLBS_VALID) == "tlb_subentry: something of a page that is not there"); /* slot 1 */
    BOOST_TEST(with(1, 0x5000 | WW_TLBS_VALID | WW_PERM_R) == "tlb_subentry: a place in use without a page");
    for (const uint64_t code : {uint64_t{0}, uint64_t{2}}) {
        tlbs t = fresh;
        ww_assoc_put(&t.t->tags, t.t, 0, uint64_t{2} | code << 45);
        BOOST_TEST(t.check() == "tlb_subentry: a place of a page size that is not configured");
    }
    tlbs two(config(2, 2, 4, 1u << 12, WW_INDEX_MODULO, WW_TLBS_SHARE_ANY));
    for (const uint64_t number :
         {0, 8, 16, 25}) /* all of set 0: groups 0 and 2, then 4 with 0 and 6 with 2 */
        two.insert(mapping(number * page));
    BOOST_TEST((two.shared() == 2u && two.check() == ""));
    const auto damaged = [&](uint64_t at, uint32_t word, uint64_t value) {
        tlbs t = two;
        t.t.words(at)[word] = value;
        return t.check();
    };
    const uint64_t subs = two.t->sub_off, seconds = two.t->second_off, size = uint64_t{1} << 45;
    BOOST_TEST(damaged(seconds, 0, 0) == "tlb_subentry: a page of a second base that is not there");
    BOOST_TEST(damaged(seconds, 2, 8 | size) == "tlb_subentry: a second base of a place that is not in use");
    BOOST_TEST(damaged(seconds, 0, 8) == "tlb_subentry: a place of a page size that is not configured");
    BOOST_TEST(damaged(seconds, 0, 8 | size * 2) ==
               "tlb_subentry: a place of a page size that is not configured");
    BOOST_TEST(damaged(seconds, 1, 7 | size) == "tlb_subentry: a place in the wrong set");
    BOOST_TEST(damaged(seconds, 1, 0 | size) ==
               "tlb_subentry: a base is held twice"); /* the first base of slot 0 */
    BOOST_TEST(damaged(seconds, 1, 4 | size) == "tlb_subentry: a base is held twice"); /* its second base */
    BOOST_TEST(damaged(subs, 1, WW_TLBS_VALID | WW_TLBS_BASE) == "tlb_subentry: the count of pages is wrong");
    tlbs t = fresh;
    ww_assoc_put(&t.t->tags, t.t, 0, uint64_t{3} | uint64_t{1} << 45);
    BOOST_TEST(t.check() == "tlb_subentry: a place in the wrong set");
    t = fresh;
    t.t->tags.live = 0;
    BOOST_TEST(t.check() == "assoc: the count of valid slots is wrong");
}

namespace
{

/* Sets as lists of places in order of use, oldest first. */
class reference
{
public:
    struct group {
        uint64_t number;
        uint8_t shift;
        uint16_t vmid;
        std::map<uint64_t, ww_mapping> pages = {}; /* by page number */
    };
    struct place {
        std::optional<group> bases[2];
        size_t pages(size_t base) const { return bases[base] ? bases[base]->pages.size() : 0; }
        bool empty() const { return pages(0) + pages(1) == 0; }
    };
    using set = std::list<place>;
    struct found {
        set::iterator at;
        size_t base;
        group &of() const { return *at->bases[base]; }
    };
    uint64_t displaced = 0, places_left = 0, shared = 0, ousted = 0;

    explicit reference(const ww_tlbs_cfg &cfg) : cfg_(cfg), sets_(cfg.sets) {}

    set &set_of(uint64_t number)
    {
        uint64_t folded = 0;
        if (cfg_.index == WW_INDEX_MODULO)
            return sets_[number % cfg_.sets];
        for (int part = 0; part < 4; ++part, number /= cfg_.sets)
            folded ^= number % cfg_.sets;
        return sets_[folded];
    }
    /* Returns this page's group in the set: its place and base; place is s.end() if there is none. */
    found find(set &s, uint64_t vpn, uint8_t shift, uint16_t vmid)
    {
        for (auto at = s.begin(); at != s.end(); ++at)
            for (const size_t base : {0, 1}) {
                const auto &g = at->bases[base];
                if (g && g->number == vpn / cfg_.pages && g->shift == shift && g->vmid == vmid)
                    return {at, base};
            }
        return {s.end(), 0};
    }
    static void use(set &s, set::iterator at) { s.splice(s.end(), s, at); }
    /* Counts the second base from the other end, so that groups that are used alike do not collide. */
    uint64_t position(size_t base, uint64_t vpn) const
    {
        return base == 0 ? vpn % cfg_.pages : cfg_.pages - 1 - vpn % cfg_.pages;
    }

    /* Returns what a lookup finds, and uses or removes it. */
    enum class wish { look, use, take };
    std::optional<ww_xlat> hit(uint64_t va, uint16_t vmid, wish w)
    {
        for (uint8_t shift = 12; shift <= 30; ++shift) {
            const uint64_t vpn = va >> shift;
            set &s = set_of(vpn / cfg_.pages);
            const found f = find(s, vpn, shift, vmid);
            if (f.at == s.end() || f.of().pages.count(vpn) == 0)
                continue;
            const ww_xlat x = f.of().pages.at(vpn).xlat;
            if (w == wish::use)
                use(s, f.at);
            if (w == wish::take)
                f.of().pages.erase(vpn);
            if (f.at->empty())
                s.erase(f.at);
            return x;
        }
        return std::nullopt;
    }
    /* Returns whether a full set's oldest place takes another base: it has only one, with few pages. */
    bool may_share(const place &p) const
    {
        const size_t few[] = {0, cfg_.pages / 4, cfg_.pages / 2, cfg_.pages}, n = p.pages(0) + p.pages(1);
        return (p.pages(0) == 0 || p.pages(1) == 0) && n <= few[cfg_.share];
    }
    entered insert(ww_mapping m)
    {
        const uint8_t shift = m.xlat.page_shift;
        const uint64_t vpn = m.va >> shift;
        m.va = vpn << shift;
        set &s = set_of(vpn / cfg_.pages);
        entered out{WW_STORE_KEPT, {}};
        found f = find(s, vpn, shift, m.vmid);
        if (f.at == s.end() && s.size() == cfg_.ways && may_share(s.front())) {
            f = {s.begin(), s.front().pages(0) == 0 ? size_t{0} : size_t{1}};
            f.at->bases[f.base] = group{vpn / cfg_.pages, shift, m.vmid};
            shared += 1;
        }
        if (f.at == s.end()) {
            if (s.size() == cfg_.ways) {
                std::map<uint64_t, ww_mapping> gone;
                for (const size_t base : {0, 1})
                    if (s.front().bases[base])
                        for (const auto &[number, x] : s.front().bases[base]->pages)
                            gone[position(base, number)] = x;
                for (const auto &[at, x] : gone)
                    out.victims.push_back(x);
                displaced += gone.size();
                places_left += 1;
                s.pop_front();
            }
            f = {s.insert(s.end(), place{{group{vpn / cfg_.pages, shift, m.vmid}, std::nullopt}}), 0};
        }
        if (f.of().pages.count(vpn) != 0)
            out.result = WW_STORE_REFRESHED;
        else
            oust(*f.at, 1 - f.base, position(f.base, vpn), out);
        f.of().pages[vpn] = m;
        use(s, f.at);
        return out;
    }
    uint32_t invalidate(uint64_t first, uint64_t bytes, uint16_t vmid)
    {
        uint32_t n = 0;
        for (set &s : sets_) {
            for (place &p : s)
                for (auto &g : p.bases)
                    if (g && g->vmid == vmid)
                        for (auto at = g->pages.begin(); at != g->pages.end();) {
                            const uint64_t va = at->second.va, last = va + (uint64_t{1} << g->shift) - 1;
                            const bool gone = last >= first && va <= first + bytes - 1;
                            n += gone;
                            at = gone ? g->pages.erase(at) : std::next(at);
                        }
            s.remove_if([](const place &p) { return p.empty(); });
        }
        return n;
    }
    uint32_t count() const
    {
        size_t n = 0;
        for (const set &s : sets_)
            for (const place &p : s)
                n += p.pages(0) + p.pages(1);
        return static_cast<uint32_t>(n);
    }
    uint32_t places() const
    {
        size_t n = 0;
        for (const set &s : sets_)
            n += s.size();
        return static_cast<uint32_t>(n);
    }
    uint32_t places_shared() const
    {
        uint32_t n = 0;
        for (const set &s : sets_)
            for (const place &p : s)
                n += p.pages(0) != 0 && p.pages(1) != 0;
        return n;
    }
    void flush() { sets_.assign(cfg_.sets, {}); }

private:
    void oust(place &p, size_t base, uint64_t at, entered &out)
    {
        if (!p.bases[base])
            return;
        for (const auto &[number, x] : p.bases[base]->pages)
            if (position(base, number) == at) {
                out.victims.push_back(x);
                ousted += 1;
                p.bases[base]->pages.erase(number);
                return;
            }
    }

    ww_tlbs_cfg cfg_;
    std::vector<set> sets_;
};

/* Random operations: every answer, every victim and the sums must agree. */
class random_run
{
public:
    random_run(const ww_tlbs_cfg &cfg, uint64_t seed)
        : cfg_(cfg), t_(cfg), ref_(cfg),
          may_share_(cfg.share != 0 && cfg.pages >> (WW_TLBS_SHARE_ANY - cfg.share) != 0)
    {
        ww_rng_init(&rng_, seed);
        for (uint8_t shift = 12; shift <= 30; ++shift)
            if (cfg.page_sizes >> shift & 1)
                shifts_.push_back(shift);
    }

    void run(int steps)
    {
        for (int step = 0; step < steps; ++step) {
            const uint32_t what = below(100);
            if (what < 35)
                look();
            else if (what < 90)
                insert();
            else if (what < 95)
                take();
            else if (what < 99)
                invalidate();
            else if (below(10) == 0)
                flush();
            BOOST_REQUIRE_EQUAL(t_.count(), ref_.count());
            BOOST_REQUIRE_EQUAL(t_.places(), ref_.places());
            BOOST_REQUIRE_EQUAL(t_.shared(), ref_.places_shared());
            if (step % 16 == 0)
                BOOST_REQUIRE_EQUAL(t_.check(), "");
        }
        BOOST_TEST(victims_ > 0u);
        BOOST_TEST(t_.t->counts.displaced == ref_.displaced);
        BOOST_TEST(t_.t->counts.places == ref_.places_left);
        BOOST_TEST(t_.t->counts.shared == ref_.shared);
        BOOST_TEST(t_.t->counts.ousted == ref_.ousted);
        BOOST_TEST((t_.t->counts.shared > 0) == may_share_);
        BOOST_TEST((t_.t->counts.beside > 0) == (cfg_.pages > 1 || may_share_)); /* a base returns */
        BOOST_TEST(t_.t.intact());
    }

private:
    uint32_t below(uint32_t n) { return ww_rng_below(&rng_, n); }
    uint64_t some_va()
    {
        const uint64_t far = below(4) == 0 ? uint64_t{1} << 56 : 0;
        return far | (uint64_t{below(2 * cfg_.sets * cfg_.ways * cfg_.pages)} * page + below(page));
    }
    uint16_t some_vm() { return static_cast<uint16_t>(below(8) == 0 ? 0xffff : 1); }

    void look()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        const auto want = ref_.hit(va, vmid, reference::wish::use);
        for (const auto &got : {t_.probe(va, vmid), t_.lookup(va, vmid)}) {
            BOOST_REQUIRE_EQUAL(got.has_value(), want.has_value());
            BOOST_REQUIRE(!got || ww_xlat_same(&*got, &*want));
        }
    }
    void insert()
    {
        const uint8_t shift = shifts_[below(static_cast<uint32_t>(shifts_.size()))];
        const ww_mapping m = mapping(some_va(), some_vm(), uint64_t{below(1u << 22)} << shift, shift,
                                     static_cast<uint8_t>(below(8)));
        const entered want = ref_.insert(m), got = t_.insert(m);
        BOOST_REQUIRE_EQUAL(got.result, want.result);
        BOOST_REQUIRE_EQUAL(got.victims.size(), want.victims.size());
        for (size_t i = 0; i < want.victims.size(); ++i)
            BOOST_REQUIRE(same(got.victims[i], want.victims[i]));
        victims_ += got.victims.size();
    }
    void take()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        const auto want = ref_.hit(va, vmid, reference::wish::take), got = t_.take(va, vmid);
        BOOST_REQUIRE_EQUAL(got.has_value(), want.has_value());
        BOOST_REQUIRE(!got || ww_xlat_same(&*got, &*want));
    }
    void invalidate()
    {
        const uint64_t va = some_va(), bytes = 1 + below(1u << 15);
        const uint16_t vmid = some_vm();
        BOOST_REQUIRE_EQUAL(t_.invalidate(va, bytes, vmid), ref_.invalidate(va, bytes, vmid));
    }
    void flush()
    {
        t_.kind.flush(t_.store());
        ref_.flush();
    }

    ww_tlbs_cfg cfg_;
    tlbs t_;
    reference ref_;
    std::vector<uint8_t> shifts_;
    ww_rng rng_{};
    uint64_t victims_ = 0;
    bool may_share_;
};

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_the_reference,
                     bdata::make({1u, 4u, 8u, 2u, 1u}) ^ bdata::make({1u, 2u, 4u, 33u, 100u}) ^
                         bdata::make({16u, 8u, 4u, 2u, 4u}),
                     sets, ways, pages)
{
    for (const uint32_t of_place : {1u, pages})
        for (const uint32_t page_sizes : {1u << 12, 1u << 12 | 1u << 16 | 1u << 21})
            for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR})
                for (const uint8_t share :
                     {WW_TLBS_SHARE_OFF, WW_TLBS_SHARE_QUARTER, WW_TLBS_SHARE_HALF, WW_TLBS_SHARE_ANY})
                    random_run(config(sets, ways, of_place, page_sizes, index, share), sets + ways).run(2500);
}

BOOST_AUTO_TEST_CASE(with_one_page_a_place_it_is_a_plain_TLB)
{
    const uint32_t page_sizes = 1u << 12 | 1u << 21;
    tlbs t(config(8, 4, 1, page_sizes));
    const ww_tlb_cfg plain_cfg = {8, 4, WW_INDEX_MODULO, WW_REPLACE_LRU, page_sizes, 1};
    blob<ww_tlb> plain(ww_tlb_bytes(&plain_cfg));
    BOOST_REQUIRE_EQUAL(ww_tlb_init(plain, plain.bytes(), &plain_cfg), WW_OK);
    ww_rng rng;
    ww_rng_init(&rng, 3);
    for (int step = 0; step < 10000; ++step) {
        const uint64_t va = uint64_t{ww_rng_below(&rng, 200)} * 4096;
        ww_xlat x{};
        if (ww_rng_below(&rng, 2) == 0) {
            const auto found = t.lookup(va);
            BOOST_REQUIRE_EQUAL(ww_tlb_store.lookup(plain, va, 0, &x), found.has_value());
            BOOST_REQUIRE(!found || ww_xlat_same(&*found, &x));
            continue;
        }
        const uint8_t shift = ww_rng_below(&rng, 4) == 0 ? 21 : 12;
        const ww_mapping m = mapping(va, 0, uint64_t{ww_rng_below(&rng, 500)} << shift, shift);
        const entered e = t.insert(m);
        ww_mapping victim{};
        const ww_store_entered other = ww_tlb_store.insert(plain, &m, &victim);
        BOOST_REQUIRE_EQUAL(e.result, other.result);
        BOOST_REQUIRE_EQUAL(e.victims.size(), other.victims);
        BOOST_REQUIRE((e.victims.empty() || same(e.victims[0], victim)));
    }
}
