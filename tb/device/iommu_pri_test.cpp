/* SPDX-License-Identifier: MIT */
/* Page requests of devices, their log and answers; and all translation services at random. */
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t data_pa = iommu_rig::data_pa;

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_pri)

BOOST_DATA_TEST_CASE(a_page_request_is_logged_and_its_answer_delivered, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR);
    BOOST_CHECK(r.device().request(0x9123, {0x155, true, all_rights}) == tlm::TLM_OK_RESPONSE);
    r.settle();
    BOOST_TEST(r.irq.read());
    BOOST_TEST((r.read(0x2020) & 0xe0) == 0xc0u); /* PPR_INT, PPR_RUN, no overflow */
    BOOST_TEST(r.read(0x2038) == 16u);
    const auto asked = r.page_requests();
    BOOST_REQUIRE(asked.size() == 1u);
    BOOST_TEST(asked[0].word0 ==
               (UINT64_C(1) << 60 | uint64_t{0x355} << 32 | WW_PPR_READ | WW_PPR_WRITE | WW_PPR_USER));
    BOOST_TEST(asked[0].word1 == 0x9000u);
    r.write(0x2020, 0x40);
    BOOST_TEST(!r.irq.read());
    r.command(iommu_rig::opcode(7), UINT64_C(0x155) << 32 | UINT64_C(1) << 44);
    r.settle();
    BOOST_REQUIRE(r.device().answers.size() == 1u);
    BOOST_TEST(r.device().answers[0].what.group == 0x155u);
    BOOST_TEST(uint32_t{r.device().answers[0].what.status} == 1u);
    BOOST_TEST(r.device().answers[0].who.stream_id == 0u);
    BOOST_TEST(!r.device().answers[0].who.has_pasid);
    BOOST_TEST(r.iommu.stats().page_requests_logged == 1u);
    BOOST_TEST(r.iommu.stats().page_responses == 1u);
    BOOST_TEST(r.events().empty());
}

BOOST_DATA_TEST_CASE(a_pasids_page_request_is_answered_with_the_pasid_where_the_entry_says_so, both)
{
    for (const bool with : {false, true}) {
        service_rig r(mode_of(sample));
        r.gcr3_table(4, 3);
        const uint64_t entry = iommu_rig::devtab_pa + 4 * 32;
        r.memory.put(entry, r.memory.get<uint64_t>(entry) | WW_DTE_PPR | (with ? WW_DTE_GPRP : 0));
        access_attributes who = device_of(4, true, 0xabcde);
        who.privileged = true;
        BOOST_CHECK(r.device().request(0x9000, {3, false, WW_PERM_X}, who) == tlm::TLM_OK_RESPONSE);
        r.settle();
        const auto asked = r.page_requests();
        BOOST_REQUIRE(asked.size() == 1u);
        BOOST_TEST(asked[0].word0 == (UINT64_C(1) << 60 | WW_PPR_GN | UINT64_C(0xa) << 42 |
                                      UINT64_C(3) << 32 | UINT64_C(0xbcde0000) | 4 | WW_PPR_EXEC));
        r.command(iommu_rig::opcode(7) | UINT64_C(0xabcde) << 32 | 4, UINT64_C(3) << 32 | 4);
        r.settle();
        BOOST_REQUIRE(r.device().answers.size() == 1u);
        BOOST_TEST(r.device().answers[0].who.has_pasid == with);
        BOOST_TEST(r.device().answers[0].who.pasid == (with ? 0xabcdeu : 0u));
    }
}

BOOST_DATA_TEST_CASE(a_log_of_page_requests_that_is_full_says_so_and_fails_the_rest, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR);
    for (unsigned i = 0; i < 300; ++i)
        r.device().request(0x9000 + i * 4096, {static_cast<uint16_t>(i), i % 2 == 0, WW_PERM_R});
    sc_core::sc_start(ns(50000));
    BOOST_TEST((r.read(0x2020) & 0xe0) == 0x60u); /* overflow: the log has stopped */
    BOOST_TEST(r.irq.read());
    BOOST_TEST(r.iommu.stats().page_requests_logged == 255u);
    BOOST_TEST(r.iommu.stats().page_requests_lost == 45u);
    BOOST_REQUIRE(r.device().answers.size() == 22u); /* a group is answered when its last request is lost */
    BOOST_TEST(uint32_t{r.device().answers[0].what.status} == 15u);
    BOOST_TEST(r.device().answers[0].what.group == 256u);
    BOOST_TEST(r.page_requests().size() == 255u);
    r.write(0x2020, 0x60);
    BOOST_TEST(!r.irq.read());
    r.enable(ppr_on & ~WW_BITS64(13, 13));
    r.enable(ppr_on);
    r.device().request(0x9000, {1, true, WW_PERM_R});
    r.settle();
    BOOST_TEST(r.page_requests().size() == 1u);              /* across the end of the ring */
    r.write(0x38, UINT64_C(0xff000000) | UINT64_C(8) << 56); /* outside of memory */
    r.device().request(0x9000, {2, true, WW_PERM_R});
    r.settle();
    BOOST_TEST((r.read(0x2020) & 0x80) == 0u);
    BOOST_TEST(r.device().answers.back().what.group == 2u);
    BOOST_TEST(uint32_t{r.device().answers.back().what.status} == 15u);
}

BOOST_DATA_TEST_CASE(who_may_not_request_pages_is_event_9_and_is_told, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR);
    r.own_table(1, 2);           /* without PPR */
    r.device_entry(2, 0, 0);     /* not valid */
    r.device_entry(3, 3 | 4, 0); /* reserved bits */
    r.memory.bad_first = r.memory.bad_last = iommu_rig::devtab_pa + 5 * 32;
    const page_request of = {7, true, all_rights};
    BOOST_CHECK(r.device().request(0x9000, of, device_of(0, true, 0xabcde)) ==
                tlm::TLM_OK_RESPONSE); /* the device has no PASIDs */
    for (const uint32_t device : {1u, 2u, 3u, 5u, 0xffffu})
        BOOST_CHECK(r.device().request(0x9000, of, device_of(device)) == tlm::TLM_OK_RESPONSE);
    r.settle();
    const auto e = r.events();
    const unsigned codes[] = {9, 9, 9, 1, 3, 1};
    BOOST_REQUIRE(e.size() == std::size(codes));
    for (size_t i = 0; i < e.size(); ++i)
        BOOST_TEST(e[i].code() == codes[i], "event " << i << " has code " << e[i].code());
    BOOST_TEST(e[0].word0 == (UINT64_C(9) << 60 | UINT64_C(0xa) << 42 | UINT64_C(0x207) << 32 |
                              UINT64_C(0xbcde0000) | WW_EVENT_GN | WW_EVENT_RW | WW_EVENT_US));
    BOOST_TEST(e[0].word1 == 0x9000u);
    BOOST_TEST(e[1].word0 == (UINT64_C(9) << 60 | UINT64_C(0x207) << 32 | 1 | WW_EVENT_RW | WW_EVENT_US));
    BOOST_TEST(e[4].word1 == iommu_rig::devtab_pa + 5 * 32);
    BOOST_TEST(r.device().answers.size() == 6u);
    for (const auto &a : r.device().answers) {
        BOOST_TEST(!a.who.has_pasid);
        BOOST_TEST(a.what.group == 7u);
        BOOST_TEST(uint32_t{a.what.status} == 15u);
    }
    BOOST_TEST(r.page_requests().empty());
    BOOST_TEST(r.iommu.stats().page_requests_lost == 6u);
    r.device_entry(6, 1 | WW_DTE_GPRP, 0);
    r.device().request(0x9000, of, device_of(6, true, 0xabcde));
    r.settle();
    BOOST_REQUIRE(r.device().answers.size() == 7u);
    BOOST_TEST(r.device().answers[6].who.pasid == 0xabcdeu);
}

BOOST_DATA_TEST_CASE(page_requests_that_are_none_are_refused_at_once, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR);
    const auto refused = [&r](const page_request &of, const access_attributes &who = {}) {
        return r.device().request(0x9000, of, who) == tlm::TLM_GENERIC_ERROR_RESPONSE;
    };
    BOOST_TEST(refused({512, true, WW_PERM_R}));
    BOOST_TEST(refused({1, true, 0}));
    BOOST_TEST(refused({1, true, 0x80 | WW_PERM_R}));
    BOOST_TEST(refused({1, true, WW_PERM_R}, device_of(0x10000)));
    BOOST_TEST(refused({1, true, WW_PERM_R}, device_of(0, true, 1 << 20)));
    BOOST_TEST(!refused({511, true, WW_PERM_R}));
    gp plain;
    sc_core::sc_time delay;
    r.device().pages->b_transport(plain, delay);
    BOOST_CHECK(plain.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    r.iommu.reset(); /* one is in flight */
    r.settle();
    BOOST_TEST(refused({1, true, WW_PERM_R}));
    r.enable(ppr_on & ~WW_BITS64(15, 15));
    BOOST_TEST(refused({1, true, WW_PERM_R}));
    BOOST_TEST(r.iommu.stats().page_requests_logged == 0u);
    BOOST_TEST(r.iommu.stats().page_requests_lost == 0u);
    BOOST_TEST(r.events().empty());
}

BOOST_DATA_TEST_CASE(a_page_request_written_to_a_log_that_is_replaced_meanwhile_is_lost_and_answered, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR);
    r.memory.before = [&](gp &p) {
        if (p.get_address() == iommu_rig::ppr_pa)
            r.write_within(0x38, 0x60000 | UINT64_C(8) << 56);
    };
    BOOST_CHECK(r.device().request(0x9000, {3, true, WW_PERM_R}) == tlm::TLM_OK_RESPONSE);
    r.settle();
    BOOST_TEST(r.read(0x2038) == 0u);
    BOOST_TEST(r.iommu.stats().page_requests_lost == 1u);
    BOOST_REQUIRE(r.device().answers.size() == 1u);
    BOOST_TEST(r.device().answers[0].what.group == 3u);
}

/* ---- All services ---- */

BOOST_DATA_TEST_CASE(a_reset_while_the_devices_entry_is_read_ends_requests_and_answers, both)
{
    service_rig r(mode_of(sample), {}, 1, WW_DTE_PPR | WW_DTE_GPRP);
    unsigned resets = 0;
    r.memory.before = [&](gp &p) {
        if (p.get_address() == iommu_rig::devtab_pa) {
            ++resets;
            r.iommu.reset();
        }
    };
    r.device().request(0x9000, {1, true, WW_PERM_R});
    r.device().request(0xa000, {2, true, WW_PERM_R});
    r.settle();
    BOOST_TEST(resets == 1u);
    r.write(0x38, iommu_rig::ppr_pa | UINT64_C(8) << 56);
    r.enable(ppr_on);
    r.command(iommu_rig::opcode(7), UINT64_C(1) << 32 | 4);
    r.settle();
    BOOST_TEST(resets == 2u);
    BOOST_TEST(r.device().answers.empty());
    BOOST_TEST(r.iommu.stats().page_requests_logged + r.iommu.stats().page_requests_lost == 0u);
    BOOST_TEST(r.read(0x18) == 0u);
}

BOOST_DATA_TEST_CASE(a_device_that_does_not_hear_its_answers_out_gets_no_more_than_it_can_hold, both)
{
    service_rig r(mode_of(sample));
    sc_core::sc_event never;
    r.device().on_answer = [&never] { sc_core::wait(never); };
    for (unsigned i = 0; i < 40; ++i)
        r.command(iommu_rig::opcode(7), uint64_t{i} << 32);
    r.wait_command(1);
    r.settle();
    BOOST_TEST(r.device().answers.size() == device_messages::calls_at_most);
    BOOST_TEST(r.flag() == 1u); /* it waits for no answer */
    BOOST_TEST(r.iommu.stats().page_responses == device_messages::calls_at_most);
    r.let_return(never);
}

BOOST_DATA_TEST_CASE(random_requests_commands_and_devices_are_survived, both)
{
    iommu_device_params p;
    p.invalidate_timeout_ns = 3000;
    service_rig r(mode_of(sample), p, 2, WW_DTE_PPR);
    ww_rng random;
    ww_rng_init(&random, 23);
    const auto below = [&random](unsigned n) { return ww_rng_below(&random, n); };
    unsigned asked = 0, answered = 0;
    for (unsigned m = 0; m < 2; ++m)
        r.devices[m]->on_invalidate = [&] {
            if (below(4) == 0)
                sc_core::wait(ns(below(6000)));
        };
    for (unsigned device = 0; device < 4; ++device)
        if (device != 0)
            r.map(r.own_table(device, static_cast<uint16_t>(device), WW_DTE_I), 0x5000, data_pa);
    for (unsigned i = 0; i < 1500; ++i) {
        if (i % 100 == 0) {
            if (below(3) == 0)
                r.iommu.reset();
            r.write(0x38, iommu_rig::ppr_pa | UINT64_C(8) << 56);
            r.write(0x2020, 0x7f);
            r.enable(ppr_on);
        }
        tlb_device &d = *r.devices[below(2)];
        const access_attributes who = device_of(below(6), below(4) == 0, below(3));
        switch (below(5)) {
        case 0:
            r.inval_iotlb(static_cast<uint16_t>(below(6)), below(16) << 12 | below(8), below(4));
            break;
        case 1:
            if (below(2) != 0)
                r.wait_command(i);
            else
                r.command(iommu_rig::opcode(7) | below(6), uint64_t{below(1 << 16)} << 32);
            break;
        case 2:
            d.request(below(16) << 12, {static_cast<uint16_t>(below(600)), below(2) != 0, all_rights}, who);
            break;
        default:
            ++asked;
            sc_core::sc_spawn([&d, &answered, who, va = uint64_t{below(16)} << 12] {
                answered += d.translate(va, all_rights, who).status != tlm::TLM_INCOMPLETE_RESPONSE;
            });
        }
        sc_core::sc_start(ns(1 + below(200)));
        if (i % 50 == 0)
            BOOST_TEST((r.iommu.core().check() == nullptr));
    }
    sc_core::sc_start(ns(1000000));
    BOOST_TEST(answered == asked);
    const iommu_device_stats &s = r.iommu.stats();
    for (const uint64_t met : {s.translations_given, s.invalidates_sent, s.invalidates_late,
                               s.page_requests_logged, s.page_requests_lost, s.page_responses})
        BOOST_TEST(met > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
