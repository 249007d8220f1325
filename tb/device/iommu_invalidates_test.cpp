/* SPDX-License-Identifier: MIT */
/* The invalidates that the IOMMU sends to devices, and what happens if a device does not complete them. */
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

BOOST_AUTO_TEST_SUITE(iommu_invalidates)

BOOST_DATA_TEST_CASE(an_invalidate_reaches_the_device_and_a_completion_wait_waits_for_it, both)
{
    service_rig r(mode_of(sample), {}, 2);
    r.device().takes = ns(5000);
    r.ask(0x5000);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    r.inval_iotlb(0, 0x3001); /* bits 12 and 13: 32 KiB */
    r.wait_command(1);
    r.settle();
    BOOST_REQUIRE(r.device().invalidates.size() == 1u);
    const tlb_device::heard &h = r.device().invalidates[0];
    BOOST_TEST(h.who.stream_id == 0u);
    BOOST_TEST(!h.who.has_pasid);
    BOOST_TEST(h.what.first_va == 0u);
    BOOST_TEST(h.what.last_va == 0x7fffu);
    BOOST_TEST(r.flag() == 0u); /* not completed yet */
    BOOST_TEST(r.iommu.stats().commands == 1u);
    sc_core::sc_start(start + ns(8000) - sc_core::sc_time_stamp());
    BOOST_TEST(r.flag() == 1u);
    BOOST_TEST(r.devices[1]->invalidates.empty());  /* another device's port */
    r.inval_iotlb(0, UINT64_C(0x7ffffffffffff001)); /* all addresses */
    r.inval_iotlb(0, 0x9000 | 4);                   /* of PASID 0 */
    sc_core::sc_start(ns(20000));
    BOOST_REQUIRE(r.device().invalidates.size() == 3u);
    BOOST_TEST(r.device().invalidates[1].what.first_va == 0u);
    BOOST_TEST(r.device().invalidates[1].what.last_va == UINT64_MAX);
    BOOST_TEST(r.device().invalidates[2].who.has_pasid);
    BOOST_TEST(r.iommu.stats().invalidates_sent == 3u);
    BOOST_TEST(r.iommu.stats().invalidates_late == 0u);
    BOOST_TEST(r.events().empty());
    BOOST_TEST(r.read(0x2000) == r.read(0x2008));
}

BOOST_DATA_TEST_CASE(a_device_is_found_where_its_number_is_or_where_it_has_asked, both)
{
    service_rig r(mode_of(sample), {}, 2);
    r.iommu.set_stream(1, 0x18);
    r.own_table(5, 2, WW_DTE_I);
    r.inval_iotlb(0x18, 0);
    r.inval_iotlb(5, 0); /* device 5 has requested nothing: there is nothing to invalidate */
    r.wait_command(1);
    r.settle();
    BOOST_TEST(r.flag() == 1u);
    BOOST_TEST(r.devices[0]->invalidates.empty());
    BOOST_TEST(r.devices[1]->invalidates.size() == 1u);
    r.ask(0x5000, WW_PERM_R, device_of(5));
    r.inval_iotlb(5, 0);
    r.settle();
    BOOST_REQUIRE(r.devices[0]->invalidates.size() == 1u);
    BOOST_TEST(r.devices[0]->invalidates[0].who.stream_id == 5u);
}

BOOST_DATA_TEST_CASE(a_device_has_as_many_invalidates_open_as_the_command_says, both)
{
    for (const unsigned pend : {0u, 1u, 3u, 32u}) {
        service_rig r(mode_of(sample));
        r.device().takes = ns(10000);
        for (unsigned i = 0; i < 6; ++i)
            r.inval_iotlb(0, i << 12, pend);
        const unsigned most = pend == 0 ? 1 : pend;
        BOOST_TEST(r.device().invalidates.size() == std::min(6u, most));
        sc_core::sc_start(ns(100000));
        BOOST_TEST(r.device().invalidates.size() == 6u);
        const sc_core::sc_time first = r.device().invalidates[0].at, last = r.device().invalidates[5].at;
        BOOST_CHECK((last - first >= ns(10000)) == (most < 6));
        BOOST_TEST(r.read(0x2000) == r.read(0x2008));
    }
}

/* A device finishes accesses in flight before it completes an invalidate, and that needs a walk. */
BOOST_AUTO_TEST_CASE(a_device_may_need_a_walk_to_complete_an_invalidate)
{
    service_rig r(transport_mode::lt);
    unsigned done = 0;
    r.device().on_invalidate = [&] {
        transaction t(tlm::TLM_READ_COMMAND, 0x400000, 8);
        r.masters[0].out->b_transport(t.p, t.delay);
        BOOST_TEST(t.p.is_response_ok());
        BOOST_TEST(uint32_t{r.device().translate(0x5000, WW_PERM_R).of.rights} != 0u);
        ++done;
    };
    r.inval_iotlb(0, 0x5000);
    r.wait_command(1);
    r.settle();
    BOOST_TEST(done == 1u);
    BOOST_TEST(r.flag() == 1u);
}

BOOST_DATA_TEST_CASE(a_device_that_does_not_complete_is_event_7_and_holds_nobody_up, both)
{
    struct how {
        const char *name;
        uint64_t control;
        uint64_t param_ns, expected_ns;
    };
    for (const how &h : {how{"the parameter", 0, 30000, 30000}, how{"1 ms", 1 << 5, 30000, 1000000},
                         how{"10 ms", 2 << 5, 30000, 10000000}, how{"reserved", 7 << 5, 40000, 40000}})
        for (unsigned way = 0; way < 3; ++way) {
            BOOST_TEST_CONTEXT(h.name << ", way " << way)
            {
                iommu_device_params p;
                p.invalidate_timeout_ns = h.param_ns;
                service_rig r(mode_of(sample), p);
                r.enable(ppr_on | h.control);
                sc_core::sc_event never;
                if (way == 0) /* it never returns */
                    r.device().on_invalidate = [&never] { sc_core::wait(never); };
                if (way == 1) /* it takes too long */
                    r.device().takes = ns(static_cast<double>(h.expected_ns) + 5000);
                if (way == 2)
                    r.device().completes = tlm::TLM_GENERIC_ERROR_RESPONSE;
                r.inval_iotlb(0, 0x5000); /* the command at place 0 */
                r.inval_pages(7, 0x5000); /* others complete meanwhile */
                r.wait_command(1);
                const sc_core::sc_time at = r.device().invalidates[0].at;
                sc_core::sc_start(at + ns(static_cast<double>(h.expected_ns)) - ns(10) -
                                  sc_core::sc_time_stamp());
                BOOST_TEST(r.flag() == 0u);
                BOOST_TEST(r.iommu.stats().commands == 2u);
                sc_core::sc_start(ns(2000));
                BOOST_TEST(r.flag() == 1u);
                const auto e = r.events();
                BOOST_REQUIRE(e.size() == 1u);
                BOOST_TEST(e[0].word0 == UINT64_C(7) << 60); /* device 0, nothing else */
                BOOST_TEST(e[0].word1 == iommu_rig::commands_pa);
                BOOST_TEST(r.iommu.stats().invalidates_late == 1u);
                sc_core::sc_start(ns(10000)); /* a late completion changes nothing */
                BOOST_TEST(r.events().empty());
                BOOST_TEST((r.read(0x2020) & WW_IOMMU_STATUS_COMMAND_RUN) != 0u);
                r.let_return(never);
            }
        }
}

BOOST_DATA_TEST_CASE(of_calls_that_never_return_a_port_has_so_many_and_all_time_out, both)
{
    iommu_device_params p;
    p.invalidate_timeout_ns = 20000;
    service_rig r(mode_of(sample), p);
    sc_core::sc_event never;
    r.device().on_invalidate = [&never] { sc_core::wait(never); };
    for (unsigned i = 0; i < 50; ++i)
        r.inval_iotlb(0, i << 12, 255);
    r.wait_command(1);
    sc_core::sc_start(ns(100000));
    BOOST_TEST(r.device().invalidates.size() == device_messages::calls_at_most);
    BOOST_TEST(r.iommu.stats().invalidates_late == 50u);
    BOOST_TEST(r.events().size() == 50u);
    BOOST_TEST(r.flag() == 1u);
    r.let_return(never);
}

BOOST_DATA_TEST_CASE(a_reset_during_an_invalidate_awaits_it_no_longer, both)
{
    iommu_device_params p;
    p.invalidate_timeout_ns = 50000;
    service_rig r(mode_of(sample), p);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    r.device().takes = ns(10000);
    r.inval_iotlb(0, 0x5000);
    r.wait_command(1);
    BOOST_TEST(r.flag() == 0u);
    r.iommu.reset();
    r.settle();
    r.enable(ppr_on);
    r.wait_command(2); /* does not wait for anything before the reset */
    r.settle();
    BOOST_TEST(r.flag() == 2u);
    BOOST_CHECK(sc_core::sc_time_stamp() < start + ns(10000));
    r.device().takes = ns(20000);
    r.inval_iotlb(0, 0x6000);
    r.wait_command(3);
    sc_core::sc_start(start + ns(15000) - sc_core::sc_time_stamp());
    BOOST_TEST(r.flag() == 2u); /* the old one's completion does not complete the new one */
    sc_core::sc_start(ns(60000));
    BOOST_TEST(r.flag() == 3u);
    BOOST_TEST(r.events().empty());
    BOOST_TEST(r.iommu.stats().invalidates_late == 0u);
}

BOOST_AUTO_TEST_CASE(a_time_out_that_did_not_come_leaves_nothing_that_keeps_the_simulation_going)
{
    service_rig r(transport_mode::lt);
    const auto until_nothing_happens = [] {
        sc_core::sc_spawn([] { sc_core::wait(ns(10)); });
        sc_core::sc_start();
    };
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    r.inval_iotlb(0, 0x5000);
    until_nothing_happens();
    BOOST_CHECK(sc_core::sc_time_stamp() < before + ns(10000)); /* far below a millisecond */
    r.device().takes = ns(500000);
    const sc_core::sc_time after = sc_core::sc_time_stamp();
    r.inval_iotlb(0, 0x5000);
    r.iommu.reset();
    until_nothing_happens();
    BOOST_CHECK(sc_core::sc_time_stamp() < after + ns(510000));
    BOOST_TEST(r.iommu.stats().invalidates_late == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
