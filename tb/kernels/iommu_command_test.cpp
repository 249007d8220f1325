/* SPDX-License-Identifier: MIT */
/* Tests the commands of an AMD-Vi IOMMU: fetch from a ring, decode, completion; legal and illegal values on
 * both sides of each limit. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/iommu_fixture.hpp"

#include <initializer_list>

BOOST_AUTO_TEST_SUITE(iommu_command)

BOOST_AUTO_TEST_CASE(commands_are_fetched_done_and_passed_over_the_end_of_the_ring)
{
    running r;
    ww_iommu_step s;
    BOOST_TEST(r.next(&s) == WW_CMD_NOTHING);
    r.set(WW_IOMMU_COMMAND_HEAD, 0xff0);
    r.set(WW_IOMMU_COMMAND_TAIL, 0x10);
    BOOST_TEST(r.next(&s) == WW_CMD_READ);
    BOOST_TEST(s.pa == 0x10ff0u);
    BOOST_TEST(r.fed(opcode(1) | 0x5000 | 1, 99).code == 0);
    BOOST_TEST(r.next(&s) == WW_CMD_WRITE);
    BOOST_TEST(s.pa == 0x5000u);
    BOOST_TEST(s.data == 99u);
    BOOST_TEST(r.done().code == 0);
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_WAIT_INT) == 0u);
    BOOST_TEST(r.word[WW_IOMMU_COMMAND_HEAD] == 0u);
    BOOST_TEST(r.next(&s) == WW_CMD_READ);
    BOOST_TEST(s.pa == 0x10000u);
    BOOST_TEST(r.fed(opcode(1) | 2, 0).code == 0);
    BOOST_TEST(r.next(&s) == WW_CMD_DO);
    BOOST_TEST(uint32_t{s.opcode} == uint32_t{WW_CMD_COMPLETION_WAIT});
    r.done();
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_WAIT_INT) != 0u);
    BOOST_TEST(r.next(&s) == WW_CMD_NOTHING);
    BOOST_TEST(r.done().code == 0);        /* no command is in progress */
    r.set(WW_IOMMU_COMMAND_TAIL, 0x7ff00); /* beyond the end */
    r.set(WW_IOMMU_COMMAND_HEAD, 0x3f00);
    BOOST_TEST(r.next(&s) == WW_CMD_NOTHING);
}

BOOST_AUTO_TEST_CASE(what_a_command_names_is_decoded)
{
    running r;
    ww_iommu_step s;
    const auto step = [&](uint64_t w0, uint64_t w1) {
        BOOST_TEST(r.fed(w0, w1).code == 0);
        BOOST_TEST(r.next(&s) == WW_CMD_DO);
        r.done();
    };
    step(opcode(2) | 0x1234, 0);
    BOOST_TEST(s.device == 0x1234u);
    step(opcode(3) | UINT64_C(0x55) << 32 | 0xabcde, 0x7000 | 4);
    BOOST_TEST(s.domain == 0x55u);
    BOOST_TEST(s.has_pasid);
    BOOST_TEST(s.pasid == 0xabcdeu);
    BOOST_TEST(s.first_va == 0x7000u);
    BOOST_TEST(s.last_va == 0x7fffu);
    BOOST_TEST(!s.all);
    step(opcode(4) | UINT64_C(0xa) << 56 | UINT64_C(0xde) << 48 | UINT64_C(0xbc) << 16 | 9, 0x3000 | 5);
    BOOST_TEST(s.pasid == 0xabcdeu);
    BOOST_TEST(s.device == 9u);
    BOOST_TEST(uint32_t{s.open} == 1u); /* a field of 0 counts as 1 */
    BOOST_TEST(s.first_va == 0u);       /* bits 12 and 13 are ones, 14 is zero: 32 KiB */
    BOOST_TEST(s.last_va == 0x7fffu);
    step(opcode(4) | UINT64_C(0x20) << 24 | 9, 0);
    BOOST_TEST(uint32_t{s.open} == 0x20u);
    step(opcode(5) | 3, 0);
    BOOST_TEST(uint32_t{s.opcode} == uint32_t{WW_CMD_INVAL_INT_TABLE});
    step(opcode(7) | UINT64_C(0x11111) << 32 | 6, UINT64_C(0x3f) << 32 | UINT64_C(15) << 44 | 4);
    BOOST_TEST(s.pasid == 0x11111u);
    BOOST_TEST(s.tag == 0x3fu);
    BOOST_TEST(uint32_t{s.status} == 15u);
    step(opcode(8), 0);
    BOOST_TEST(uint32_t{s.opcode} == uint32_t{WW_CMD_INVAL_ALL});
}

/* The first zero of the address gives the size, at every position and whatever the bits above it. */
BOOST_AUTO_TEST_CASE(a_range_is_as_large_as_the_first_zero_of_its_address_says)
{
    for (const uint64_t above : {UINT64_C(0), UINT64_MAX, UINT64_C(0x5555555555555555)})
        for (uint32_t zero = 12; zero <= 64; ++zero) {
            const uint64_t ones = zero == 64 ? UINT64_MAX : (UINT64_C(1) << zero) - 1;
            const uint64_t more = zero >= 63 ? 0 : above << (zero + 1);
            const uint64_t word1 = ((ones | more) & ~UINT64_C(0xfff)) | 1;
            for (const uint64_t opcode : {3, 4}) { /* INVAL_PAGES, INVAL_IOTLB */
                running r;
                ww_iommu_step s;
                BOOST_TEST(r.fed(opcode << 60, word1).code == 0);
                BOOST_TEST(r.next(&s) == WW_CMD_DO);
                BOOST_TEST(s.all == (zero >= 51), zero);
                if (zero >= 51)
                    continue;
                BOOST_TEST(s.first_va == more);
                BOOST_TEST(s.last_va - s.first_va == (UINT64_C(2) << zero) - 1);
            }
        }
    uint64_t first, last;
    BOOST_TEST(ww_iommu_command_range(UINT64_C(0xfffffffffffff000), &first, &last)); /* without S, one page */
    BOOST_TEST(first == UINT64_C(0xfffffffffffff000));
    BOOST_TEST(last == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(illegal_commands_and_refused_memory_stop_the_fetching)
{
    const uint64_t illegal[][2] = {{0, 0},
                                   {opcode(6), 0},
                                   {opcode(9), 0},
                                   {opcode(1) | UINT64_C(1) << 52, 0},
                                   {opcode(2) | 1 << 16, 0},
                                   {opcode(2), 1},
                                   {opcode(3) | 1 << 20, 0},
                                   {opcode(3), 8},
                                   {opcode(5), 1},
                                   {opcode(7) | 1 << 16, 0},
                                   {opcode(8) | 1, 0},
                                   {opcode(8), 1}};
    for (const auto &words : illegal) {
        running r;
        ww_iommu_step s;
        r.set(WW_IOMMU_COMMAND_HEAD, 0x20);
        r.set(WW_IOMMU_COMMAND_TAIL, 0x40);
        const ww_iommu_event e = r.fed(words[0], words[1]);
        BOOST_TEST(uint32_t{e.code} == uint32_t{WW_EVENT_ILLEGAL_COMMAND_ERROR});
        BOOST_TEST(e.address == 0x10020u);
        BOOST_TEST(r.next(&s) == WW_CMD_NOTHING);
        BOOST_TEST((r.status() & WW_IOMMU_STATUS_COMMAND_RUN) == 0u);
    }
    running r;
    BOOST_TEST(uint32_t{r.fed(nullptr).code} == uint32_t{WW_EVENT_COMMAND_HARDWARE_ERROR});
    running w;
    w.fed(opcode(1) | 1, 0);
    BOOST_TEST(uint32_t{w.done(false).code} == uint32_t{WW_EVENT_COMMAND_HARDWARE_ERROR});
    BOOST_TEST((w.status() & WW_IOMMU_STATUS_COMMAND_RUN) == 0u);
}

/* While a command is read or done, the length of the buffer becomes a reserved one. */
BOOST_AUTO_TEST_CASE(a_buffer_without_a_legal_length_has_no_commands)
{
    const uint64_t illegal[] = {opcode(9), 0};
    for (const uint64_t *words : {illegal, static_cast<const uint64_t *>(nullptr)}) {
        running r;
        ww_iommu_step s;
        r.set(WW_IOMMU_COMMAND_TAIL, 0x20);
        BOOST_TEST(r.next(&s) == WW_CMD_READ);
        r.word[WW_IOMMU_COMMAND] = queue(0x10000, 7);
        BOOST_TEST(r.next(&s) == WW_CMD_NOTHING);
        BOOST_TEST(r.fed_at(0x10000, words).code == 0);
        BOOST_TEST(r.done().code == 0);
        BOOST_TEST(r.word[WW_IOMMU_COMMAND_HEAD] == 0u);
    }
    running r;
    r.set(WW_IOMMU_COMMAND_HEAD, 0x40);
    r.fed(opcode(8), 0);
    r.word[WW_IOMMU_COMMAND] = 0;
    BOOST_TEST(r.done().code == 0);
    BOOST_TEST(r.word[WW_IOMMU_COMMAND_HEAD] == 0u);
}

BOOST_AUTO_TEST_CASE(words_of_another_address_than_the_head_s_are_ignored)
{
    const uint64_t illegal[] = {opcode(9), 0};
    running r;
    ww_iommu_step s;
    r.set(WW_IOMMU_COMMAND_TAIL, 0x80);
    BOOST_TEST(r.next(&s) == WW_CMD_READ);
    r.set(WW_IOMMU_COMMAND_HEAD, 0x40);
    BOOST_TEST(r.fed_at(s.pa, illegal).code == 0);
    BOOST_TEST(r.next(&s) == WW_CMD_READ);
    BOOST_TEST(s.pa == 0x10040u);
    BOOST_TEST(uint32_t{r.fed_at(s.pa, illegal).code} == uint32_t{WW_EVENT_ILLEGAL_COMMAND_ERROR});
}

/* Each answer of memory arrives after software has written the base register. */
BOOST_AUTO_TEST_CASE(an_answer_that_a_new_buffer_preceded_is_ignored)
{
    const uint64_t words[][2] = {{opcode(8), 0}, {opcode(9), 0}};
    for (const uint64_t *answer : {words[0], words[1], static_cast<const uint64_t *>(nullptr)})
        for (const uint64_t base : {0x10000, 0x50000}) {
            running r;
            ww_iommu_step s;
            const auto new_buffer = [&] {
                r.set(WW_IOMMU_COMMAND, queue(base, 8));
                ww_iommu_commands_init(&r.c);
                r.set(WW_IOMMU_COMMAND_TAIL, 0x20);
            };
            r.set(WW_IOMMU_COMMAND_TAIL, 0x10);
            BOOST_TEST(r.next(&s) == WW_CMD_READ);
            new_buffer();
            BOOST_TEST(r.fed_at(s.pa, answer).code == 0);
            BOOST_TEST(r.next(&s) == WW_CMD_READ);
            BOOST_TEST(s.pa == base);
            r.fed(opcode(1) | 0x5000 | 1, 99);
            BOOST_TEST(r.next(&s) == WW_CMD_WRITE);
            new_buffer();
            BOOST_TEST(r.done(answer != nullptr).code == 0);
            BOOST_TEST(r.word[WW_IOMMU_COMMAND_HEAD] == 0u);
            BOOST_TEST(r.next(&s) == WW_CMD_READ);
        }
}

BOOST_AUTO_TEST_SUITE_END()
