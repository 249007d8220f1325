/* SPDX-License-Identifier: MIT */
/* Tests the registers of an AMD-Vi IOMMU: writes and reads bit by bit, queues and interrupts. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/iommu_fixture.hpp"

#include <initializer_list>
#include <string>

BOOST_AUTO_TEST_SUITE(iommu_regs)

BOOST_AUTO_TEST_CASE(each_bit_does_what_its_declaration_says)
{
    for (uint32_t i = 0; ww_iommu_field_at(i) != nullptr; ++i) {
        const ww_iommu_field &f = *ww_iommu_field_at(i);
        const uint64_t mask = WW_BITS64(f.high, f.low);
        registers r;
        BOOST_TEST(ww_bits_get(mask, r.word[f.reg]) == f.reset);
        r.word[WW_IOMMU_STATUS] = UINT64_MAX;
        const uint64_t before = r.word[f.reg] & mask;
        ww_iommu_write(&r, f.reg, UINT64_MAX, mask);
        const uint64_t after = r.word[f.reg] & mask;
        const std::string name = std::string(ww_iommu_reg_info[f.reg].name) + "." + f.name;
        if (f.access == WW_REG_RW)
            BOOST_TEST(after == mask, name);
        else if (f.access == WW_REG_W1C)
            BOOST_TEST(after == 0u, name);
        else
            BOOST_TEST(after == before, name);
        BOOST_TEST((f.state != WW_REG_STORED || f.access == WW_REG_RW), name);
        BOOST_TEST((f.access != WW_REG_RSV || f.state == WW_REG_ABSENT), name);
        registers other;
        ww_iommu_write(&other, f.reg, UINT64_MAX, ~mask); /* bits outside the mask keep their values */
        BOOST_TEST(ww_bits_get(mask, other.word[f.reg]) == f.reset, name);
    }
    BOOST_TEST(ww_iommu_access_name(WW_REG_W1C) == std::string("W1C"));
    BOOST_TEST(ww_iommu_state_name(WW_REG_STORED) == std::string("STORED"));
}

/* Uses bit numbers, as drivers do. Working features are announced. */
BOOST_AUTO_TEST_CASE(features_are_announced_as_drivers_look_for_them)
{
    registers r;
    const auto features = [&r](uint32_t high, uint32_t low) {
        return ww_bits_get(WW_BITS64(high, low), r.word[WW_IOMMU_FEATURES]);
    };
    for (const uint32_t bit : {1, 3, 4, 6, 46, 50}) /* PPR, NX, GT, IA, the MSI capability, EPH */
        BOOST_TEST(features(bit, bit) == 1u, bit);
    BOOST_TEST(features(11, 10) == 1u); /* five host levels */
    BOOST_TEST(features(13, 12) == 0u); /* four guest levels */
    BOOST_TEST(features(15, 14) == 2u); /* three levels of GCR3 tables */
    BOOST_TEST(features(36, 32) == 19u);
    BOOST_TEST((r.word[WW_IOMMU_MSI] >> 23 & 1) == 1u); /* 64-bit addresses for MSI */
    r.set(WW_IOMMU_MSI_DATA, 0x1234);
    BOOST_TEST(r.word[WW_IOMMU_MSI_DATA] == 0x1234u); /* their upper half */
    r.set(WW_IOMMU_CONTROL, UINT64_C(1) << 45);
    BOOST_TEST(r.word[WW_IOMMU_CONTROL] == UINT64_C(1) << 45); /* EPHEn */
}

BOOST_AUTO_TEST_CASE(registers_are_found_by_their_offsets)
{
    BOOST_TEST(ww_iommu_reg_at(0x2020) == uint32_t{WW_IOMMU_STATUS});
    BOOST_TEST(ww_iommu_reg_at(0) == uint32_t{WW_IOMMU_DEVTAB});
    BOOST_TEST(ww_iommu_reg_at(0x20) == uint32_t{WW_IOMMU_REGS}); /* the exclusion range is absent */
    for (uint32_t i = 1; i < WW_IOMMU_REGS; ++i)
        BOOST_TEST(ww_iommu_reg_info[i - 1].offset < ww_iommu_reg_info[i].offset);
}

BOOST_AUTO_TEST_CASE(a_queue_runs_while_it_and_the_iommu_are_enabled)
{
    registers r;
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_COMMAND_EN | WW_IOMMU_CONTROL_ENABLE);
    BOOST_TEST(r.status() == 0u); /* a length of 0 is reserved */
    r.set(WW_IOMMU_COMMAND_TAIL, 0x40);
    r.set(WW_IOMMU_COMMAND, queue(0x10000, 8));
    BOOST_TEST(r.word[WW_IOMMU_COMMAND_TAIL] == 0u);
    BOOST_TEST(r.status() == 0u); /* its enable bit must be set anew */
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_COMMAND_EN);
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_COMMAND_EN | WW_IOMMU_CONTROL_ENABLE);
    BOOST_TEST(r.status() == WW_IOMMU_STATUS_COMMAND_RUN);
    r.word[WW_IOMMU_STATUS] = 0;
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_COMMAND_EN | WW_IOMMU_CONTROL_ENABLE);
    BOOST_TEST(r.status() == 0u); /* after an error it must be enabled anew */
    r.set(WW_IOMMU_CONTROL, 0);
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_COMMAND_EN | WW_IOMMU_CONTROL_ENABLE);
    r.set(WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_ENABLE);
    BOOST_TEST(r.status() == 0u);
}

BOOST_AUTO_TEST_CASE(a_time_out_is_three_bits_of_control)
{
    const uint32_t ms[] = {0, 1, 10, 100, 1000, 10000, 100000, 0};
    for (uint32_t i = 0; i < 8; ++i) {
        registers r;
        r.set(WW_IOMMU_CONTROL, ~WW_IOMMU_CONTROL_INV_TIMEOUT | uint64_t{i} << 5);
        BOOST_TEST(ww_iommu_inv_timeout_ms(&r) == ms[i]);
    }
}

BOOST_AUTO_TEST_CASE(an_interrupt_is_a_status_bit_that_control_allows)
{
    const uint64_t pairs[][2] = {{WW_IOMMU_CONTROL_EVENT_INT_EN, WW_IOMMU_STATUS_EVENT_INT},
                                 {WW_IOMMU_CONTROL_EVENT_INT_EN, WW_IOMMU_STATUS_EVENT_OVERFLOW},
                                 {WW_IOMMU_CONTROL_WAIT_INT_EN, WW_IOMMU_STATUS_WAIT_INT},
                                 {WW_IOMMU_CONTROL_PPR_INT_EN, WW_IOMMU_STATUS_PPR_INT},
                                 {WW_IOMMU_CONTROL_PPR_INT_EN, WW_IOMMU_STATUS_PPR_OVERFLOW}};
    for (const auto &pair : pairs) {
        registers r;
        r.word[WW_IOMMU_STATUS] = pair[1];
        BOOST_TEST(ww_iommu_interrupts(&r) == 0u);
        r.word[WW_IOMMU_CONTROL] = pair[0];
        BOOST_TEST(ww_iommu_interrupts(&r) == pair[1]);
        r.word[WW_IOMMU_STATUS] = 0;
        BOOST_TEST(ww_iommu_interrupts(&r) == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
