/* SPDX-License-Identifier: MIT */
/* The x86-64 entry: layout against literal numbers of the architecture manual, kinds, page sizes, rights. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/pte.h"

#include <stdexcept>

namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(the_layout_is_that_of_the_architecture)
{
    BOOST_TEST(WW_PTE_P == 0x001u);
    BOOST_TEST(WW_PTE_RW == 0x002u);
    BOOST_TEST(WW_PTE_US == 0x004u);
    BOOST_TEST(WW_PTE_PWT == 0x008u);
    BOOST_TEST(WW_PTE_PCD == 0x010u);
    BOOST_TEST(WW_PTE_A == 0x020u);
    BOOST_TEST(WW_PTE_D == 0x040u);
    BOOST_TEST(WW_PTE_PS == 0x080u);
    BOOST_TEST(WW_PTE_G == 0x100u);
    BOOST_TEST(WW_PTE_SW == 0x600u);
    BOOST_TEST(WW_PTE_64K == 0x800u);
    BOOST_TEST(WW_PTE_FRAME == UINT64_C(0x000ffffffffff000));
    BOOST_TEST(WW_PTE_SW2 == UINT64_C(0x7ff0000000000000));
    BOOST_TEST(WW_PTE_NX == UINT64_C(0x8000000000000000));
}

BOOST_AUTO_TEST_CASE(known_words)
{
    BOOST_TEST(ww_pte_leaf(0x1234000, WW_PTE_RW | WW_PTE_US | WW_PTE_NX) == UINT64_C(0x8000000001234007));
    BOOST_TEST(ww_pte_leaf(0x40000000, WW_PTE_PS) == UINT64_C(0x40000081));
    BOOST_TEST(ww_pte_table(0x5000) == UINT64_C(0x5007));
    BOOST_TEST(ww_pte_node_pa(0x5007) == UINT64_C(0x5000));
}

BOOST_AUTO_TEST_CASE(a_frame_that_is_none_is_a_defect)
{
    BOOST_CHECK_THROW(ww_pte_leaf(0x1001, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_pte_leaf(UINT64_C(1) << 52, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_pte_leaf(0x1000, 0x2000), std::logic_error);
    BOOST_CHECK_THROW(ww_pte_table(0x5008), std::logic_error);
}

BOOST_DATA_TEST_CASE(kinds_at_every_level, bdata::xrange(1u, 6u), level)
{
    BOOST_TEST(ww_pte_kind(0, level) == WW_PTE_ABSENT);
    BOOST_TEST(ww_pte_kind(0x5006 | WW_PTE_PS, level) == WW_PTE_ABSENT);
    const enum ww_pte_kind plain = level == 1 ? WW_PTE_LEAF : WW_PTE_TABLE;
    BOOST_TEST(ww_pte_kind(0x5007, level) == plain);
    BOOST_TEST(ww_pte_is_leaf(0x5007, level) == (level == 1));
    const enum ww_pte_kind with_ps = level <= 3 ? WW_PTE_LEAF : WW_PTE_ABSENT;
    BOOST_TEST(ww_pte_kind(0x5007 | WW_PTE_PS, level) == with_ps);
    BOOST_TEST(ww_pte_is_leaf(0x5007 | WW_PTE_PS, level) == (level <= 3));
    BOOST_TEST(ww_pte_present(0x5007));
    BOOST_TEST(!ww_pte_present(0x5006));
}

BOOST_AUTO_TEST_CASE(the_64K_mark_counts_at_level_1_only)
{
    const uint64_t marked = ww_pte_leaf(0x12345000, WW_PTE_64K);
    BOOST_TEST(ww_pte_page_shift(marked, 1) == WW_PAGE_64K);
    BOOST_TEST(ww_pte_frame_pa(marked, 1) == 0x12340000u);
    const uint64_t plain = ww_pte_leaf(0x12345000, 0);
    BOOST_TEST(ww_pte_page_shift(plain, 1) == WW_PAGE_4K);
    BOOST_TEST(ww_pte_frame_pa(plain, 1) == 0x12345000u);
    const uint64_t large = ww_pte_leaf(UINT64_C(0x12345000), WW_PTE_PS | WW_PTE_64K);
    BOOST_TEST(ww_pte_page_shift(large, 2) == WW_PAGE_2M);
    BOOST_TEST(ww_pte_frame_pa(large, 2) == 0x12200000u);
    BOOST_TEST(ww_pte_page_shift(large, 3) == WW_PAGE_1G);
    BOOST_TEST(ww_pte_frame_pa(large, 3) == 0u);
}

BOOST_DATA_TEST_CASE(rights_survive_the_entry, bdata::make({1, 3, 5, 7}), perm)
{
    const uint64_t pte = ww_pte_leaf(0x7000, ww_pte_flags_of_perm(static_cast<uint8_t>(perm)));
    BOOST_TEST(ww_pte_perm(pte) == perm);
    BOOST_TEST(((pte & WW_PTE_RW) != 0) == ((perm & WW_PERM_W) != 0));
    BOOST_TEST(((pte & WW_PTE_NX) != 0) == ((perm & WW_PERM_X) == 0));
    const struct ww_xlat x = ww_pte_xlat(pte, 1);
    BOOST_TEST(x.page_pa == 0x7000u);
    BOOST_TEST(x.page_shift == WW_PAGE_4K);
    BOOST_TEST(x.perm == perm);
}
