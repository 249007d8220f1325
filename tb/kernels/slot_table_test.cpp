/* SPDX-License-Identifier: MIT */
/* Lines of a table of translations in memory: formats to the bit, replacement, epochs, and random operations
 * against a list. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/table/slot_table.h"

#include <array>
#include <string>
#include <vector>

namespace data = boost::unit_test::data;

namespace
{

using line = std::array<uint64_t, WW_SLOT_LINE_WORDS>;

ww_mapping page(uint64_t va, uint64_t pa, uint16_t vmid = 0, uint8_t shift = 12, uint8_t perm = WW_PERM_ALL)
{
    return {va, {pa, shift, perm}, vmid};
}

ww_slot_cfg cfg_of(uint32_t sets, uint8_t index = WW_INDEX_MODULO, uint32_t sizes = 1u << 12)
{
    return {sets, index, 12, sizes};
}

std::string wrong(const ww_slot_cfg &cfg)
{
    const char *text = ww_slot_cfg_wrong(&cfg);
    return text == nullptr ? "" : text;
}

std::string check(const line &l)
{
    const char *text = ww_slot_check(l.data());
    return text == nullptr ? "" : text;
}

/* The frame that va maps to, or 0. */
uint64_t found(const line &l, uint64_t va, uint16_t vmid = 0, uint32_t epoch = 0)
{
    ww_xlat x{};
    return ww_slot_find(l.data(), va, vmid, epoch, &x) ? x.page_pa : 0;
}

ww_slot_filled fill(line &l, const ww_mapping &m, uint32_t epoch = 0)
{
    const ww_slot_filled f = ww_slot_fill(l.data(), &m, epoch);
    BOOST_TEST(check(l) == "");
    return f;
}

uint32_t drop(line &l, const ww_inval_scope &s, uint32_t epoch = 0)
{
    const uint32_t n = ww_slot_drop(l.data(), &s, epoch);
    BOOST_TEST(check(l) == "");
    return n;
}

/* Four pages; the last one is first in the line. */
line full()
{
    line l{};
    for (uint64_t n = 1; n <= 4; ++n)
        BOOST_TEST(fill(l, page(n << 12, n << 20)).result == WW_SLOT_KEPT);
    return l;
}

} // namespace

BOOST_AUTO_TEST_SUITE(slot_table)

BOOST_AUTO_TEST_CASE(a_slot_is_two_words_whose_every_bit_is_said)
{
    line l{};
    fill(l, page(0x123456789abcdef, 0xfedcba9876000, 0xabcd, 12, WW_PERM_R | WW_PERM_X), 0x5a5);
    BOOST_TEST(l[0] == ((UINT64_C(1) << 63) | (UINT64_C(0xabcd) << 47) | UINT64_C(0x123456789abc)));
    BOOST_TEST(l[1] == ((UINT64_C(0x5a5) << 52) | UINT64_C(0xfedcba9876000) | (12u << 3) | 5u));
    for (size_t word = 2; word < l.size(); ++word)
        BOOST_TEST(l[word] == 0u);
    line large{};
    fill(large, page((UINT64_C(1) << 57) - 1, UINT64_C(0x1ff) << 30, 3, 30), 1);
    BOOST_TEST(large[0] == ((UINT64_C(1) << 63) | (UINT64_C(3) << 47) | (((UINT64_C(1) << 27) - 1) << 18)));
    BOOST_TEST(large[1] == ((UINT64_C(1) << 52) | (UINT64_C(0x1ff) << 30) | (30u << 3) | 7u));
}

BOOST_AUTO_TEST_CASE(what_was_filled_first_leaves_first_and_a_hit_changes_nothing)
{
    line l = full();
    const line before = l;
    BOOST_TEST(found(l, 0x1000) == 1u << 20);
    BOOST_TEST(found(l, 0x1fff) == 1u << 20);
    BOOST_TEST((l == before));
    ww_slot_filled f = fill(l, page(5 << 12, 5 << 20));
    BOOST_TEST(f.result == WW_SLOT_KEPT);
    BOOST_TEST(f.displaced);
    BOOST_TEST(found(l, 0x1000) == 0u);
    for (uint64_t n = 2; n <= 5; ++n)
        BOOST_TEST(found(l, n << 12) == n << 20);
    f = fill(l, page(2 << 12, 9 << 20)); /* moved, and now the youngest */
    BOOST_TEST(f.result == WW_SLOT_REFRESHED);
    BOOST_TEST(!f.displaced);
    fill(l, page(6 << 12, 6 << 20));
    BOOST_TEST(found(l, 2 << 12) == 9u << 20);
    BOOST_TEST(found(l, 3 << 12) == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_that_is_there_just_so_leaves_the_line_as_it_was)
{
    line l = full();
    const line before = l;
    const ww_slot_filled f = fill(l, page(1 << 12, 1 << 20));
    BOOST_TEST(f.result == WW_SLOT_SAME);
    BOOST_TEST(!f.displaced);
    BOOST_TEST((l == before));
    BOOST_TEST(fill(l, page(1 << 12, 1 << 20, 0, 12, WW_PERM_R)).result == WW_SLOT_REFRESHED);
}

BOOST_AUTO_TEST_CASE(another_vm_or_another_size_is_another_page)
{
    line l{};
    fill(l, page(0, 1 << 21, 1));
    fill(l, page(0, 2 << 21, 2));
    fill(l, page(0, 4 << 21, 1, 21));
    BOOST_TEST(ww_slot_count(l.data(), 0) == 3u);
    BOOST_TEST(found(l, 0, 2) == 2u << 21);
    BOOST_TEST(found(l, 0, 3) == 0u);
    BOOST_TEST(found(l, 0x1fffff, 1) == 4u << 21);
    BOOST_TEST(found(l, 0x200000, 1) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_in_scope_is_dropped_and_the_rest_keeps_its_order)
{
    line l = full();
    const line before = l;
    BOOST_TEST(drop(l, ww_inval_range(5 << 12, 1 << 20, 0)) == 0u);
    BOOST_TEST(drop(l, ww_inval_range(1 << 12, 1 << 14, 1)) == 0u);
    BOOST_TEST((l == before));
    BOOST_TEST(drop(l, ww_inval_range(2 << 12, 2 << 12, 0)) == 2u);
    BOOST_TEST(found(l, 2 << 12) == 0u);
    BOOST_TEST(found(l, 3 << 12) == 0u);
    fill(l, page(5 << 12, 5 << 20));
    fill(l, page(6 << 12, 6 << 20));
    BOOST_TEST(fill(l, page(7 << 12, 7 << 20)).displaced); /* page 1, the oldest */
    BOOST_TEST(found(l, 1 << 12) == 0u);
    BOOST_TEST(found(l, 4 << 12) == 4u << 20);
    BOOST_TEST(drop(l, ww_inval_space(0)) == 4u);
    BOOST_TEST((l == line{}));
}

/* An entry of another epoch is neither found nor dropped nor displaced: its slot is free. */
BOOST_AUTO_TEST_CASE(the_next_epoch_begins_with_nothing)
{
    line l = full();
    BOOST_TEST(found(l, 1 << 12, 0, 1) == 0u);
    BOOST_TEST(ww_slot_count(l.data(), 0) == 4u);
    BOOST_TEST(ww_slot_count(l.data(), 1) == 0u);
    const line before = l;
    BOOST_TEST(drop(l, ww_inval_all(), 1) == 0u);
    BOOST_TEST((l == before));
    BOOST_TEST(!fill(l, page(1 << 12, 8 << 20), 1).displaced);
    BOOST_TEST(ww_slot_count(l.data(), 0) == 0u);
    BOOST_TEST(found(l, 1 << 12, 0, 1) == 8u << 20);
    const ww_slot_cfg two = {1, WW_INDEX_MODULO, 1, 1u << 12}, most = cfg_of(1);
    BOOST_TEST(ww_slot_epoch_after(&two, 0) == 1u);
    BOOST_TEST(ww_slot_epoch_after(&two, 1) == 0u);
    BOOST_TEST(ww_slot_epoch_after(&most, 4094) == 4095u);
    BOOST_TEST(ww_slot_epoch_after(&most, 4095) == 0u);
}

BOOST_AUTO_TEST_CASE(a_line_that_is_cleared_has_nothing_of_any_epoch)
{
    line l = full();
    BOOST_TEST(ww_slot_clear(l.data()));
    BOOST_TEST((l == line{}));
    BOOST_TEST(!ww_slot_clear(l.data()));
}

BOOST_AUTO_TEST_CASE(pages_lie_by_their_numbers_each_size_by_its_own)
{
    const ww_slot_cfg both = cfg_of(64, WW_INDEX_MODULO, 1u << 12 | 1u << 21);
    BOOST_TEST(ww_slot_probes(&both) == 2u);
    BOOST_TEST(ww_slot_probe_shift(&both, 0) == 12u);
    BOOST_TEST(ww_slot_probe_shift(&both, 1) == 21u);
    BOOST_TEST(ww_slot_table_bytes(&both) == 4096u);
    BOOST_TEST(ww_slot_line(&both, 0x12345fff, 12) == (0x12345u & 63));
    BOOST_TEST(ww_slot_line(&both, 0x12345fff, 21) == ((0x12345fffu >> 21) & 63));
    const ww_slot_cfg folded = cfg_of(64, WW_INDEX_XOR);
    BOOST_TEST(ww_slot_line(&folded, UINT64_C(1) << 18, 12) == 1u);
    BOOST_TEST(ww_slot_line(&both, UINT64_C(1) << 18, 12) == 0u);
    const ww_slot_cfg one = cfg_of(1);
    BOOST_TEST(ww_slot_line(&one, 0x12345fff, 12) == 0u);
}

BOOST_AUTO_TEST_CASE(a_table_that_there_cannot_be_is_named)
{
    BOOST_TEST(wrong(cfg_of(1)) == "");
    BOOST_TEST(wrong(cfg_of(WW_SLOT_SETS_MAX, WW_INDEX_XOR, 1u << 12 | 1u << 16 | 1u << 21 | 1u << 30)) ==
               "");
    for (const uint32_t sets : {0u, 3u, WW_SLOT_SETS_MAX * 2})
        BOOST_TEST(wrong(cfg_of(sets)) == "the number of lines is not a power of two up to 2^26");
    BOOST_TEST(wrong(cfg_of(8, WW_INDEX_XOR + 1)) == "no such index");
    for (const uint8_t bits : {uint8_t{0}, uint8_t{13}})
        BOOST_TEST(wrong({8, WW_INDEX_XOR, bits, 1u << 12}) == "an epoch has 1 to 12 bits");
    BOOST_TEST(wrong(cfg_of(8, WW_INDEX_MODULO, 0)) == "no page size");
    BOOST_TEST(wrong(cfg_of(8, WW_INDEX_MODULO, 1u << 12 | 1u << 13)) == "no such page size");
}

BOOST_AUTO_TEST_CASE(a_line_that_nobody_could_have_written_is_named)
{
    const auto damaged = [](size_t word, uint64_t bits) {
        line l = full();
        l[word] ^= bits;
        return check(l);
    };
    BOOST_TEST(damaged(0, 0) == "");
    BOOST_TEST(damaged(0, UINT64_C(1) << 45) == "bits that are none of a slot's");
    BOOST_TEST(damaged(3, UINT64_C(1) << 11) == "bits that are none of a slot's");
    BOOST_TEST(damaged(1, 8) == "a page of no legal size");
    BOOST_TEST(damaged(1, (12 ^ 16) << 3) == "a page that does not begin where its size says");
    BOOST_TEST(damaged(2, UINT64_C(1) << 63) == "something behind the slots in use");
    BOOST_TEST(damaged(2, 4 ^ 3) == "a page is held twice");
    line large{};
    fill(large, page(0, 1 << 21, 0, 21));
    large[1] ^= 1 << 16;
    BOOST_TEST(check(large) == "a page that does not begin where its size says");
    line sizes{};
    fill(sizes, page(0, 1 << 21));
    fill(sizes, page(0, 1 << 21, 0, 21)); /* another page */
    BOOST_TEST(check(sizes) == "");
    /* an entry of an earlier epoch inside the line: never written, but harmless */
    line l = full();
    l[5] ^= UINT64_C(1) << 52;
    l[4] = l[2];
    BOOST_TEST(check(l) == "");
}

/* The reference is a list of pages, youngest first, of which four are kept. */
BOOST_DATA_TEST_CASE(random_operations_agree_with_a_list, data::xrange(8), seed)
{
    ww_rng random;
    ww_rng_init(&random, static_cast<uint64_t>(seed));
    line l{};
    std::vector<ww_mapping> list;
    uint32_t epoch = 0;
    const ww_slot_cfg cfg = {1, WW_INDEX_MODULO, 12, 1u << 12 | 1u << 16};
    const auto below = [&](uint32_t n) { return ww_rng_below(&random, n); };
    for (unsigned n = 0; n < 4000; ++n) {
        const auto vmid = static_cast<uint16_t>(below(2));
        const uint8_t shift = below(3) == 0 ? 16 : 12;
        const uint64_t va = ww_page_base(uint64_t{below(40)} << 12, shift);
        const uint32_t what = below(20);
        if (what < 10) {
            const ww_mapping m = page(va, uint64_t{1 + below(2)} << 20, vmid, shift);
            uint8_t expected = WW_SLOT_KEPT;
            bool displaced = false;
            for (size_t i = 0; i < list.size(); ++i)
                if (list[i].va == m.va && list[i].vmid == vmid && list[i].xlat.page_shift == shift) {
                    expected = ww_xlat_same(&list[i].xlat, &m.xlat) ? WW_SLOT_SAME : WW_SLOT_REFRESHED;
                    if (expected == WW_SLOT_REFRESHED)
                        list.erase(list.begin() + static_cast<long>(i));
                    break;
                }
            if (expected != WW_SLOT_SAME)
                list.insert(list.begin(), m);
            if (list.size() > WW_SLOT_LINE_SLOTS) {
                list.pop_back();
                displaced = true;
            }
            const ww_slot_filled f = fill(l, m, epoch);
            BOOST_REQUIRE(f.result == expected);
            BOOST_REQUIRE(f.displaced == displaced);
        } else if (what < 18) {
            const uint64_t at = va + below(4096);
            uint64_t expected = 0;
            for (size_t i = list.size(); i-- != 0;)
                if (list[i].vmid == vmid && ww_same_page(list[i].va, at, list[i].xlat.page_shift))
                    expected = list[i].xlat.page_pa;
            BOOST_REQUIRE(found(l, at, vmid, epoch) == expected);
        } else if (what == 18) {
            const ww_inval_scope s = below(8) == 0 ? ww_inval_space(vmid) : ww_inval_range(va, 1 << 13, vmid);
            uint32_t dropped = 0;
            for (size_t i = list.size(); i-- != 0;)
                if (ww_inval_covers(&s, list[i].va, list[i].xlat.page_shift, list[i].vmid)) {
                    list.erase(list.begin() + static_cast<long>(i));
                    ++dropped;
                }
            BOOST_REQUIRE(drop(l, s, epoch) == dropped);
        } else if (below(4) == 0) {
            list.clear();
            epoch = ww_slot_epoch_after(&cfg, epoch);
        }
        BOOST_REQUIRE(ww_slot_count(l.data(), epoch) == list.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
