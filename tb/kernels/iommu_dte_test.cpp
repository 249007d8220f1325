/* SPDX-License-Identifier: MIT */
/* Tests device-table entries and GCR3 tables of an AMD-Vi IOMMU: how a device's addresses are translated. */
#include <boost/test/unit_test.hpp>

#include "kernels/iommu/iommu_dte.h"
#include "kernels/iommu/iommu_regs.h"
#include "kernels/table/amd_pte.h"

#include <initializer_list>

namespace
{

ww_dte entry(uint64_t w0, uint64_t w1 = 0, bool has_pasid = false, uint32_t pasid = 0)
{
    ww_dte d;
    ww_dte_start(&d, 0x100000 | 1, 3, has_pasid, pasid);
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_READ});
    BOOST_TEST(d.pa == 0x100060u);
    BOOST_TEST(uint32_t{d.bytes} == WW_DTE_BYTES);
    const uint64_t words[4] = {w0, w1, 0, 0};
    ww_dte_feed(&d, words);
    return d;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_dte)

BOOST_AUTO_TEST_CASE(a_device_table_entry_says_what_addresses_mean)
{
    const uint64_t valid = WW_AMD_DTE_V | WW_AMD_DTE_TV;
    const auto means = [](uint64_t w0, bool has_pasid = false, uint32_t pasid = 0) {
        return uint32_t{entry(w0, 0, has_pasid, pasid).means};
    };
    BOOST_TEST(means(0) == uint32_t{WW_DTE_PASS});
    BOOST_TEST(means(WW_DTE_RSV1) == uint32_t{WW_DTE_PASS}); /* V is clear: the other bits are ignored */
    BOOST_TEST(means(valid) == uint32_t{WW_DTE_PASS});
    BOOST_TEST(means(WW_AMD_DTE_V) == uint32_t{WW_DTE_BLOCKED});
    for (const uint64_t bad : {WW_DTE_RSV1, WW_DTE_HAD, WW_DTE_GIOV, WW_DTE_RSV2}) {
        BOOST_TEST(means(valid | bad) == uint32_t{WW_DTE_ILLEGAL});
        BOOST_TEST(entry(valid | bad).reserved);
    }
    BOOST_TEST(means(valid, true, 1) == uint32_t{WW_DTE_NO_PASID});
    BOOST_TEST(means(valid | WW_DTE_GV | 3 << 9, true, 1) == uint32_t{WW_DTE_ILLEGAL});
    BOOST_TEST(means(valid | WW_DTE_GV | WW_DTE_GLX, true, 1) == uint32_t{WW_DTE_ILLEGAL});
    BOOST_TEST(means(valid | WW_DTE_GV, true, 512) == uint32_t{WW_DTE_NO_PASID});
    BOOST_TEST(means(valid | WW_DTE_GV, true, 511) == uint32_t{WW_DTE_READ});
    ww_dte d;
    ww_dte_start(&d, 0x100000 | 1, 255, false, 0);
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_READ});
    ww_dte_start(&d, 0x100000 | 1, 256, false, 0); /* two pages hold 256 entries */
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_ILLEGAL});
    ww_dte_start(&d, 0x100000 | 1, 3, true, 1u << 20);
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_ILLEGAL});
    ww_dte_start(&d, 0x100000 | 1, 3, false, 0);
    ww_dte_feed(&d, nullptr);
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_REFUSED});
    BOOST_TEST(uint32_t{ww_dte_rights(0)} == uint32_t{WW_PERM_ALL});
    BOOST_TEST(uint32_t{ww_dte_rights(valid)} == 0u);
    BOOST_TEST(uint32_t{ww_dte_rights(valid | WW_AMD_DTE_IW)} == uint32_t{WW_PERM_W});
    BOOST_TEST(uint32_t{ww_dte_rights(valid | WW_AMD_DTE_IR)} == uint32_t{WW_PERM_R | WW_PERM_X});
}

/* The announced numbers of levels are legal with all their addresses; no others are. */
BOOST_AUTO_TEST_CASE(a_devices_table_has_the_levels_that_are_announced)
{
    ww_iommu_regs r;
    ww_iommu_reset(&r);
    const uint64_t announced = 4 + ww_bits_get(WW_IOMMU_FEATURES_HATS, r.word[WW_IOMMU_FEATURES]);
    BOOST_TEST(announced == WW_DTE_LEVELS_MAX);
    BOOST_TEST(ww_va_bits(static_cast<uint32_t>(announced)) == WW_WALK_VA_BITS_MAX);
    for (uint64_t mode = 1; mode < 8; ++mode) {
        const uint64_t w0 = WW_AMD_DTE_V | WW_AMD_DTE_TV | mode << 9;
        const uint32_t of_pasid = entry(w0, 0, true, 1).means;
        BOOST_TEST(of_pasid == uint32_t{mode <= announced ? WW_DTE_NO_PASID : WW_DTE_ILLEGAL});
        const ww_dte d = entry(w0);
        BOOST_TEST(uint32_t{d.means} == uint32_t{mode <= announced ? WW_DTE_HOST : WW_DTE_ILLEGAL});
        BOOST_TEST(!d.reserved);
    }
}

BOOST_AUTO_TEST_CASE(a_gcr3_table_has_one_to_three_levels)
{
    const uint64_t gcr3 = UINT64_C(0xabcdef1234000);
    const uint64_t w1 =
        ww_bits_put(WW_DTE_GCR3_B, 0, gcr3 >> 15 & 0xffff) | ww_bits_put(WW_DTE_GCR3_C, 0, gcr3 >> 31);
    const uint32_t pasid = 0x3abcd; /* indices 0, 0x1d5, 0x1cd */
    const uint64_t w0 = 3 | WW_DTE_GV | UINT64_C(2) << 56 | ww_bits_put(WW_DTE_GCR3_A, 0, gcr3 >> 12 & 7);
    ww_dte d = entry(w0, w1, true, pasid);
    BOOST_TEST(ww_dte_gcr3(d.word) == gcr3);
    const uint64_t tables[] = {gcr3, 0x555000, 0x666000};
    for (unsigned level = 3; level != 0; --level) {
        BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_READ});
        BOOST_TEST(uint32_t{d.bytes} == 8u);
        BOOST_TEST(d.pa == tables[3 - level] + (pasid >> (level - 1) * 9 & 511) * 8);
        ww_dte broken = d, absent = d, refused = d;
        const uint64_t reserved = 1 | 1 << 5, zero = 0;
        ww_dte_feed(&broken, &reserved);
        ww_dte_feed(&absent, &zero);
        ww_dte_feed(&refused, nullptr);
        BOOST_TEST(uint32_t{broken.means} == uint32_t{WW_DTE_ILLEGAL});
        BOOST_TEST(broken.reserved);
        BOOST_TEST(uint32_t{absent.means} == uint32_t{WW_DTE_NO_PASID});
        BOOST_TEST(uint32_t{refused.means} == uint32_t{WW_DTE_REFUSED});
        const uint64_t next = (level == 1 ? 0x777000 : tables[4 - level]) | 1;
        ww_dte_feed(&d, &next);
    }
    BOOST_TEST(uint32_t{d.means} == uint32_t{WW_DTE_GUEST});
    BOOST_TEST(d.pa == 0x777000u);
}

BOOST_AUTO_TEST_SUITE_END()
