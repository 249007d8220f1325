/* SPDX-License-Identifier: MIT */
/* What devices with their own TLBs request from the IOMMU: translations, by their own sockets and through
 * their ports. */
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t data_pa = iommu_rig::data_pa;

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_ats)

BOOST_DATA_TEST_CASE(a_request_is_answered_with_address_length_and_rights, both)
{
    service_rig r(mode_of(sample));
    for (unsigned round = 0; round < 2; ++round) { /* a walk, a hit */
        r.memory.seen.clear();
        auto t = r.ask(0x5010);
        BOOST_CHECK(t.status == tlm::TLM_OK_RESPONSE);
        BOOST_TEST(t.of.pa == data_pa + 0x10);
        BOOST_TEST(t.of.length == 0xff0u);
        BOOST_TEST(uint32_t{t.of.rights} == uint32_t{all_rights});
        for (const auto &[at, bytes] : r.memory.seen)
            BOOST_TEST(at < data_pa); /* no data is accessed */
        t = r.ask(0x7fff);
        BOOST_TEST(uint32_t{t.of.rights} == uint32_t{WW_PERM_R}); /* one of the two */
        BOOST_TEST(t.of.length == 1u);
        BOOST_TEST(uint32_t{r.ask(0x7000, WW_PERM_W).of.rights} == 0u);
        t = r.ask(0x412345, WW_PERM_R);
        BOOST_TEST(t.of.pa == data_pa + 0x212345);
        BOOST_TEST(t.of.length == 0x200000u - 0x12345u);
        BOOST_TEST(uint32_t{t.of.rights} == uint32_t{WW_PERM_R}); /* no more than was requested */
        for (const uint64_t nothing : {uint64_t{0x9000}, UINT64_C(1) << 40}) {
            t = r.ask(nothing);
            BOOST_CHECK(t.status == tlm::TLM_OK_RESPONSE);
            BOOST_TEST(uint32_t{t.of.rights} == 0u);
            BOOST_TEST(t.of.pa == 0u);
            BOOST_TEST(t.of.length == 0u);
        }
    }
    BOOST_TEST(r.iommu.stats().translations_given == 6u);
    BOOST_TEST(r.iommu.stats().tlb_hits >= 4u);
    BOOST_TEST(r.events().empty());
}

BOOST_AUTO_TEST_CASE(a_requests_time_is_that_of_its_lookup_and_walk)
{
    service_rig r(transport_mode::lt);
    BOOST_CHECK(r.ask(0x5000).delay == ns(20) + ns(4) + ns(2) + 3 * ns(21) + ns(1)); /* as for an access */
    BOOST_CHECK(r.ask(0x5000).delay == ns(4));
}

BOOST_DATA_TEST_CASE(a_pasid_has_its_own_translations_and_rights_to_execute, both)
{
    service_rig r(mode_of(sample));
    const uint64_t gcr3 = r.gcr3_table(4, 3), root = r.pasid_table(gcr3, 9);
    const uint64_t entry = iommu_rig::devtab_pa + 4 * 32 + 8;
    r.memory.put(entry, r.memory.get<uint64_t>(entry) | WW_DTE_I);
    r.map_x86(root, 0x1000, data_pa, 5);
    r.map_x86(root, 0x2000, data_pa + 0x1000, 7 | UINT64_C(1) << 63);
    const auto rights = [&](uint64_t va, uint32_t pasid) {
        return uint32_t{r.ask(va, WW_PERM_ALL, device_of(4, true, pasid)).of.rights};
    };
    BOOST_TEST(rights(0x1000, 9) == uint32_t{WW_PERM_R | WW_PERM_X});
    BOOST_TEST(rights(0x2000, 9) == uint32_t{WW_PERM_R | WW_PERM_W});
    BOOST_TEST(rights(0x1000, 8) == 0u);
    BOOST_TEST(r.events().empty());
}

BOOST_DATA_TEST_CASE(who_may_not_ask_and_broken_tables_are_errors_with_events_that_say_tr, both)
{
    service_rig r(mode_of(sample));
    r.map(r.root, 0xa000, data_pa, WW_AMD_IR | UINT64_C(1) << 52);
    r.own_table(1, 2);                      /* without I */
    r.device_entry(2, 0, 1 | WW_DTE_I);     /* not valid */
    r.device_entry(3, 3 | 4, 1 | WW_DTE_I); /* reserved bits */
    r.device_entry(4, UINT64_C(0xff000000) | UINT64_C(3) << 9 | 3 | WW_AMD_IR, 9 | WW_DTE_I);
    r.memory.bad_first = r.memory.bad_last = iommu_rig::devtab_pa + 5 * 32;
    const auto refused = [&](uint64_t va, const access_attributes &who) {
        const auto t = r.ask(va, WW_PERM_R, who);
        BOOST_CHECK(t.status == tlm::TLM_GENERIC_ERROR_RESPONSE);
        BOOST_TEST(uint32_t{t.of.rights} == 0u);
    };
    refused(0xa000, device_of(0));
    for (const uint32_t device : {1u, 2u, 3u, 4u, 5u, 0x12345u})
        refused(0x5000, device_of(device));
    refused(0x5000, device_of(0, true, 1u << 20)); /* a PASID has fewer bits */
    r.write(0x18, 0x101d);
    refused(0x5000, device_of(0, true, 1)); /* GTEn is 0 */
    const auto e = r.events();
    const unsigned codes[] = {2, 8, 8, 1, 4, 3, 1, 1, 8};
    BOOST_REQUIRE(e.size() == std::size(codes));
    for (size_t i = 0; i < e.size(); ++i) {
        BOOST_TEST(e[i].code() == codes[i], "event " << i << " has code " << e[i].code());
        BOOST_TEST((e[i].word0 & WW_EVENT_TR) != 0u);
    }
    BOOST_TEST((e[0].word0 & WW_EVENT_RZ) != 0u);
    r.write(0x18, 0);
    refused(0x5000, device_of(0)); /* translation is disabled */
    BOOST_TEST(r.events().empty());
}

BOOST_AUTO_TEST_CASE(what_the_tlb_holds_is_not_for_a_device_that_may_not_ask)
{
    service_rig r(transport_mode::lt);
    r.map(r.own_table(1, 2), 0x5000, data_pa);
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 8);
    t.with() = device_of(1);
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    BOOST_CHECK(r.ask(0x5000, WW_PERM_R, device_of(1)).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].code() == 8u);
}

BOOST_AUTO_TEST_CASE(registers_that_change_during_its_walk_count_for_a_request)
{
    const auto during_a_walk = [](const std::function<void(iommu_rig &)> &change) {
        service_rig r(transport_mode::lt);
        r.memory.after = [](gp &p) {
            if (p.get_address() >= iommu_rig::tables_pa)
                sc_core::wait(ns(5000));
        };
        tlb_device::translated t = {};
        bool done = false;
        sc_core::sc_spawn([&] {
            t = r.device().translate(0x5000, all_rights);
            done = true;
        });
        sc_core::sc_start(ns(7000));
        BOOST_TEST(!done);
        change(r);
        sc_core::sc_start(ns(50000));
        BOOST_TEST(done);
        BOOST_CHECK(t.status == tlm::TLM_GENERIC_ERROR_RESPONSE);
        BOOST_TEST(uint32_t{t.of.rights} == 0u);
        BOOST_TEST(r.events().empty());
    };
    during_a_walk([](iommu_rig &r) { r.write(0x18, 0); });
    during_a_walk([](iommu_rig &r) { r.iommu.reset(); });
}

BOOST_DATA_TEST_CASE(requests_that_are_none_are_refused_and_lengths_do_not_count, both)
{
    service_rig r(mode_of(sample));
    BOOST_CHECK(r.ask(0x5000, 0).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_CHECK(r.ask(0x5000, 0x80 | WW_PERM_R).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlb_device::translated odd = {};
    r.run([&] { odd = r.device().translate(UINT64_MAX, WW_PERM_R, {}, 4095); });
    BOOST_CHECK(odd.status == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(uint32_t{odd.of.rights} == 0u);
    r.run([&] { odd = r.device().translate(0x5fff, WW_PERM_R, {}, 4095); });
    BOOST_TEST(odd.of.length == 1u);
    gp plain; /* without the extension */
    plain.set_address(0x5000);
    sc_core::sc_time delay;
    r.device().asks->b_transport(plain, delay);
    BOOST_CHECK(plain.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    at_access phased(tlm::TLM_IGNORE_COMMAND, 0x5000, 4);
    BOOST_CHECK(r.device().asks->nb_transport_fw(phased.p, phase, delay) == tlm::TLM_COMPLETED);
    BOOST_CHECK(phased.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.events().empty());
}

BOOST_DATA_TEST_CASE(a_request_by_debug_access_changes_nothing, both)
{
    service_rig r(mode_of(sample));
    for (unsigned round = 0; round < 2; ++round) {
        const auto before = state_of(r);
        gp p;
        translation_extension ask;
        ask.of.wants = all_rights;
        p.set_address(0x5008);
        p.set_extension(&ask);
        BOOST_TEST(r.device().asks->transport_dbg(p) == 0u);
        BOOST_TEST(ask.of.pa == data_pa + 8);
        p.set_address(0xa000);
        BOOST_TEST(r.device().asks->transport_dbg(p) == 0u);
        BOOST_TEST(uint32_t{ask.of.rights} == 0u);
        attributes_extension type;
        type.of.type = address_type::translation_request;
        p.set_address(0x5008);
        p.set_extension(&type);
        BOOST_TEST(r.masters[0].out->transport_dbg(p) == 0u);
        BOOST_TEST(ask.of.pa == data_pa + 8);
        p.clear_extension(&type);
        p.clear_extension(&ask);
        BOOST_TEST((state_of(r) == before));
        r.ask(0x5000);
    }
}

/* Through the port for its accesses, loosely timed. */
BOOST_AUTO_TEST_CASE(a_request_through_its_port_is_answered_and_not_forwarded)
{
    service_rig r(transport_mode::lt);
    r.memory.seen.clear();
    const auto ask = [&r](bool with_extension) {
        transaction t(tlm::TLM_READ_COMMAND, 0x5010, 8);
        translation_extension of;
        t.with().type = address_type::translation_request;
        if (with_extension)
            t.p.set_extension(&of);
        r.access(t);
        t.p.clear_extension<translation_extension>();
        return std::make_pair(t.p.get_response_status(), of.of.pa);
    };
    BOOST_CHECK(ask(true) == std::make_pair(tlm::TLM_OK_RESPONSE, data_pa + 0x10));
    BOOST_CHECK(ask(false) == std::make_pair(tlm::TLM_OK_RESPONSE, uint64_t{0})); /* the status answers */
    BOOST_TEST(r.memory.seen.size() == 4u); /* a device-table entry, three levels */
    r.write(0x18, 0);
    BOOST_CHECK(ask(true) == std::make_pair(tlm::TLM_GENERIC_ERROR_RESPONSE, uint64_t{0}));
    BOOST_TEST(r.memory.seen.size() == 4u);
}

namespace
{

/* A request in four phases. */
struct phased_request {
    at_access a{tlm::TLM_READ_COMMAND, 0, 8};
    translation_extension of;
    phased_request(uint64_t va, uint32_t stream = 0)
    {
        a.p.set_address(va);
        access_attributes &who = a.with();
        who.type = address_type::translation_request;
        who.stream_id = stream;
        a.p.set_extension(&of);
    }
    ~phased_request() { a.p.clear_extension(&of); }
};

} // namespace

BOOST_AUTO_TEST_CASE(in_four_phases_a_request_keeps_its_ports_order)
{
    service_rig r(transport_mode::at);
    at_master from(r.masters[0]);
    at_access miss(tlm::TLM_READ_COMMAND, 0x400000, 8), last(tlm::TLM_READ_COMMAND, 0x5000, 8);
    r.ask(0x5000);
    r.memory.seen.clear();
    phased_request ask(0x5010), refused(0x5010, 9);
    for (at_access *a : {&miss, &ask.a, &refused.a, &last})
        from.send(*a);
    r.settle();
    for (const at_access *a : {&miss, &ask.a, &last})
        BOOST_CHECK(a->status() == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(refused.a.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(ask.of.of.pa == data_pa + 0x10);
    BOOST_TEST(ask.of.of.length == 0xff0u);
    BOOST_CHECK(ask.a.answered > ask.a.granted + ns(20)); /* after the walk, although it is a hit */
    unsigned data = 0;
    for (const auto &[at, bytes] : r.memory.seen)
        data += at >= data_pa;
    BOOST_TEST(data == 2u);
    BOOST_TEST(r.events().size() == 1u);
}

/* The answer waits for the end of another one, and meanwhile the page changes. */
BOOST_AUTO_TEST_CASE(in_four_phases_what_is_answered_after_an_invalidate_is_new)
{
    service_rig r(transport_mode::at);
    at_master from(r.masters[0]);
    from.how = at_master::ends_later;
    from.keeps = ns(3000);
    r.ask(0x5000);
    phased_request before(0x5000), ask(0x5010);
    from.send(before.a);
    from.send(ask.a);
    sc_core::sc_start(ns(100));
    BOOST_TEST(before.a.was_answered);
    BOOST_TEST(!ask.a.was_answered);
    r.map(r.root, 0x5000, data_pa + 0x8000);
    r.inval_pages(7, 0x5000);
    BOOST_TEST(!ask.a.was_answered);
    sc_core::sc_start(ns(8000));
    BOOST_TEST(ask.a.was_answered);
    BOOST_TEST(ask.of.of.pa == data_pa + 0x8010);
    BOOST_TEST(r.iommu.stats().translated_again == 1u);
    /* after a reset it has no translation */
    phased_request first(0x5000), next(0x5010);
    from.send(first.a);
    from.send(next.a);
    sc_core::sc_start(ns(100));
    r.iommu.reset();
    sc_core::sc_start(ns(8000));
    BOOST_TEST(next.a.was_answered);
    BOOST_CHECK(next.a.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(uint32_t{next.of.of.rights} == 0u);
}

BOOST_AUTO_TEST_CASE(a_port_on_which_devices_ask_for_each_other_has_no_direct_pointers)
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(dmi_policy::always);
    service_rig r(transport_mode::lt, p);
    r.own_table(1, 2, WW_DTE_I);
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 8);
    tlm::tlm_dmi none, dmi, again;
    t.with().type = address_type::translation_request;
    BOOST_TEST(!r.masters[0].out->get_direct_mem_ptr(t.p, none)); /* a translation request has no memory */
    t.with().type = address_type::untranslated;
    BOOST_TEST(r.masters[0].out->get_direct_mem_ptr(t.p, dmi));
    r.ask(0x5000, WW_PERM_R, device_of(1));
    BOOST_TEST(r.masters[0].revoked.size() == 1u);
    BOOST_TEST(!r.masters[0].out->get_direct_mem_ptr(t.p, again));
}

BOOST_AUTO_TEST_SUITE_END()
