/* SPDX-License-Identifier: MIT */
/* Fields of virtual addresses, page sizes, neighbourhoods, and translations applied to an address. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/addr.h"
#include "kernels/xlat.h"

#include <string>

namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(page_sizes_have_names_bytes_and_leaf_levels)
{
    BOOST_TEST(std::string(ww_page_name(WW_PAGE_4K)) == "4K");
    BOOST_TEST(std::string(ww_page_name(WW_PAGE_64K)) == "64K");
    BOOST_TEST(std::string(ww_page_name(WW_PAGE_2M)) == "2M");
    BOOST_TEST(std::string(ww_page_name(WW_PAGE_1G)) == "1G");
    BOOST_TEST(ww_page_bytes(WW_PAGE_64K) == 65536u);
    BOOST_TEST(ww_page_bytes(WW_PAGE_1G) == UINT64_C(1) << 30);
    BOOST_TEST(ww_page_level(WW_PAGE_4K) == 1u);
    BOOST_TEST(ww_page_level(WW_PAGE_64K) == 1u);
    BOOST_TEST(ww_page_level(WW_PAGE_2M) == 2u);
    BOOST_TEST(ww_page_level(WW_PAGE_1G) == 3u);
    for (uint32_t shift = 0; shift < 70; shift++) {
        const bool legal = shift == 12 || shift == 16 || shift == 21 || shift == 30;
        BOOST_TEST(ww_page_legal(shift) == legal);
        BOOST_TEST((ww_page_name(shift) != nullptr) == legal);
    }
}

BOOST_AUTO_TEST_CASE(an_address_splits_into_its_indices)
{
    const uint64_t va = UINT64_C(0x123) << 48 | UINT64_C(0x0a5) << 39 | UINT64_C(0x1ff) << 30 |
                        UINT64_C(0x001) << 21 | UINT64_C(0x155) << 12 | 0xabc;
    BOOST_TEST(ww_index(va, 1) == 0x155u);
    BOOST_TEST(ww_index(va, 2) == 0x001u);
    BOOST_TEST(ww_index(va, 3) == 0x1ffu);
    BOOST_TEST(ww_index(va, 4) == 0x0a5u);
    BOOST_TEST(ww_index(va, 5) == 0x123u);
    BOOST_TEST(ww_vpn(va) == va >> 12);
}

BOOST_AUTO_TEST_CASE(level_shifts_and_address_widths)
{
    const uint32_t shifts[] = {0, 12, 21, 30, 39, 48};
    for (uint32_t level = 1; level <= WW_LEVELS_MAX; level++)
        BOOST_TEST(ww_level_shift(level) == shifts[level]);
    BOOST_TEST(ww_va_bits(4) == 48u);
    BOOST_TEST(ww_va_bits(5) == 57u);
    BOOST_TEST(ww_va_legal((UINT64_C(1) << 48) - 1, 4));
    BOOST_TEST(!ww_va_legal(UINT64_C(1) << 48, 4));
    BOOST_TEST(ww_va_legal(UINT64_C(1) << 48, 5));
    BOOST_TEST(!ww_va_legal(UINT64_C(1) << 57, 5));
}

BOOST_DATA_TEST_CASE(pages_and_lines_start_at_their_base, bdata::make({12u, 16u, 21u, 30u}), shift)
{
    const uint64_t base_va = UINT64_C(5) << shift;
    const uint64_t last_va = base_va + ww_page_bytes(shift) - 1;
    BOOST_TEST(ww_page_mask(shift) == ww_page_bytes(shift) - 1);
    BOOST_TEST(ww_page_base(last_va, shift) == base_va);
    BOOST_TEST(ww_page_base(base_va, shift) == base_va);
    BOOST_TEST(ww_page_after(base_va, shift) == last_va + 1);
    BOOST_TEST(ww_page_after(last_va, shift) == last_va + 1);
    BOOST_TEST(ww_same_page(base_va, last_va, shift));
    BOOST_TEST(!ww_same_page(base_va, last_va + 1, shift));
    BOOST_TEST(ww_line_base(base_va + 63) == base_va);
    BOOST_TEST(ww_line_base(base_va + 64) == base_va + 64);
    const struct ww_xlat x = {UINT64_C(9) << shift, static_cast<uint8_t>(shift), WW_PERM_R};
    BOOST_TEST(ww_xlat_pa(&x, base_va + 42) == (UINT64_C(9) << shift) + 42);
    BOOST_TEST(ww_xlat_pa(&x, last_va) == (UINT64_C(10) << shift) - 1);
}

BOOST_AUTO_TEST_CASE(translations_are_equal_in_all_three_parts_or_not_at_all)
{
    const struct ww_xlat x = {0x5000, WW_PAGE_4K, WW_PERM_ALL};
    struct ww_xlat y = x;
    BOOST_TEST(ww_xlat_same(&x, &y));
    y.page_pa = 0x6000;
    BOOST_TEST(!ww_xlat_same(&x, &y));
    y = x;
    y.page_shift = WW_PAGE_64K;
    BOOST_TEST(!ww_xlat_same(&x, &y));
    y = x;
    y.perm = WW_PERM_R;
    BOOST_TEST(!ww_xlat_same(&x, &y));
}
