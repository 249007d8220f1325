/* SPDX-License-Identifier: MIT */
/* Direct memory pointers through the IOMMU: what is granted, and when it is taken back. Each case is named
 * after what a model of this kind is known to get wrong. */
#include "tb/device/iommu_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

iommu_device_params with(dmi_policy policy)
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(policy);
    return p;
}

struct granting : iommu_rig {
    uint64_t root;
    tlm::tlm_dmi dmi;
    explicit granting(dmi_policy policy = dmi_policy::always) : iommu_rig(with(policy), 2)
    {
        root = own_table(0, 7);
        own_table(1, 8);
        map(root, 0x5000, data_pa);
        map(root, 0x6000, data_pa + 0x5000, WW_AMD_IR);
        map(root, 0x400000, data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        enable();
    }
    bool ask(uint64_t at, tlm::tlm_command c = tlm::TLM_READ_COMMAND, const access_attributes *of = nullptr,
             unsigned port = 0)
    {
        transaction t(c, at, 4);
        if (of != nullptr)
            t.with() = *of;
        dmi.init();
        const bool given = masters[port].out->get_direct_mem_ptr(t.p, dmi);
        BOOST_TEST(t.p.get_address() == at);
        BOOST_TEST(dmi.get_end_address() >= dmi.get_start_address());
        BOOST_TEST(dmi.get_start_address() <= at);
        BOOST_TEST(dmi.get_end_address() >= at);
        return given;
    }
    const std::vector<std::pair<uint64_t, uint64_t>> &revoked(unsigned port = 0)
    {
        return masters[port].revoked;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_dmi)

BOOST_AUTO_TEST_CASE(it_is_off_unless_it_is_asked_for)
{
    granting r(dmi_policy::off);
    BOOST_TEST(!r.ask(0x5000));
    BOOST_TEST(r.dmi.is_none_allowed());
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4); /* nor is it hinted at */
    r.access(t);
    BOOST_TEST(!t.p.is_dmi_allowed());
}

BOOST_AUTO_TEST_CASE(a_grant_is_the_translated_page_in_iova_with_the_pointer_to_match)
{
    granting r;
    BOOST_TEST(r.ask(0x5123));
    BOOST_TEST(r.dmi.get_start_address() == 0x5000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x5fffu); /* inclusive */
    BOOST_TEST((r.dmi.get_dmi_ptr() == &r.memory.bytes[iommu_rig::data_pa]));
    BOOST_TEST(r.dmi.is_read_write_allowed());
    BOOST_TEST(r.ask(0x412345)); /* a large page: all of it, not 4 KiB */
    BOOST_TEST(r.dmi.get_start_address() == 0x400000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x5fffffu);
    r.memory.dmi_first = iommu_rig::data_pa + 0x100; /* memory gives less than the page */
    r.memory.dmi_last = iommu_rig::data_pa + 0x1ff;
    r.inval_all();
    BOOST_TEST(r.ask(0x5123));
    BOOST_TEST(r.dmi.get_start_address() == 0x5100u);
    BOOST_TEST(r.dmi.get_end_address() == 0x51ffu);
    BOOST_TEST((r.dmi.get_dmi_ptr() == &r.memory.bytes[iommu_rig::data_pa + 0x100]));
}

BOOST_AUTO_TEST_CASE(granted_rights_are_those_of_the_walk_and_of_memory)
{
    granting r;
    BOOST_TEST(r.ask(0x6000));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x6000, tlm::TLM_WRITE_COMMAND));
    r.memory.dmi_access = tlm::tlm_dmi::DMI_ACCESS_READ;
    BOOST_TEST(r.ask(0x5000));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x5000, tlm::TLM_WRITE_COMMAND));
}

BOOST_AUTO_TEST_CASE(a_refusal_gives_the_address_back_and_names_the_page)
{
    granting r;
    BOOST_TEST(!r.ask(0x9010)); /* by the table */
    BOOST_TEST(r.dmi.get_start_address() == 0x9000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x9fffu);
    r.memory.gives_dmi = false;
    BOOST_TEST(!r.ask(0x5010)); /* by memory */
    BOOST_TEST(r.dmi.get_end_address() == 0x5fffu);
    BOOST_TEST(r.iommu.stats().dmi_refused == 2u);
}

BOOST_AUTO_TEST_CASE(asking_for_a_pointer_does_not_fault_count_or_fill_the_tlb)
{
    granting r;
    const uint64_t accesses = r.memory.accesses;
    r.ask(0x5000);
    r.ask(0x9000);
    r.settle();
    BOOST_TEST(r.memory.accesses == accesses);
    BOOST_TEST(r.iommu.stats().translations == 0u);
    BOOST_TEST(r.iommu.stats().faults == 0u);
    BOOST_TEST(r.events().empty());
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    r.access(t);
    BOOST_TEST(r.iommu.stats().tlb_misses == 1u);
}

BOOST_AUTO_TEST_CASE(every_invalidate_that_covers_it_takes_it_back_and_no_other)
{
    granting r;
    const auto taken = [&r](auto f) {
        BOOST_TEST(r.ask(0x5000));
        r.masters[0].revoked.clear();
        f();
        return !r.revoked().empty() && r.revoked()[0].first == 0x5000u && r.revoked()[0].second == 0x5fffu;
    };
    BOOST_TEST(!taken([&r] { r.inval_pages(7, 0x6000); })); /* another page */
    BOOST_TEST(!taken([&r] { r.inval_pages(8, 0x5000); })); /* another domain */
    BOOST_TEST(!taken([&r] { r.inval_devtab(1); }));
    BOOST_TEST(!taken([&r] { r.command(iommu_rig::opcode(4) | 1, 0x5000); }));
    BOOST_TEST(r.iommu.stats().dmi_revoked == 0u);
    BOOST_TEST(r.iommu.core().grants() == 1u); /* the same one, however often it was given */
    BOOST_TEST(taken([&r] { r.inval_pages(7, 0x5000); }));
    BOOST_TEST(
        taken([&r] { r.command(iommu_rig::opcode(3) | UINT64_C(7) << 32, UINT64_C(0x7ffffffffffff001)); }));
    BOOST_TEST(taken([&r] { r.inval_devtab(0); }));
    BOOST_TEST(taken([&r] { r.command(iommu_rig::opcode(4) | 0, 0x5000); }));
    BOOST_TEST(taken([&r] { r.inval_all(); }));
    BOOST_TEST(taken([&r] { r.write(0x00, iommu_rig::devtab_pa | 7); }));
    BOOST_TEST(taken([&r] { r.write(0x18, 0x1001c); })); /* disabled */
    r.write(0x18, 0x1101d);
    BOOST_TEST(taken([&r] { r.iommu.reset(); }));
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(what_memory_takes_back_is_taken_back_here_and_only_that)
{
    granting r;
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST(r.ask(0x400000));
    r.memory.up[0]->invalidate_direct_mem_ptr(iommu_rig::data_pa + 0x800, iommu_rig::data_pa + 0x8ff);
    BOOST_REQUIRE(r.revoked().size() == 1u);
    BOOST_TEST(r.revoked()[0].first == 0x5000u);              /* its IOVA, and not the whole space */
    r.memory.up[1]->invalidate_direct_mem_ptr(0, UINT64_MAX); /* another port's */
    BOOST_TEST(r.revoked().size() == 1u);
    r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX);
    BOOST_TEST(r.revoked().size() == 2u);
}

BOOST_AUTO_TEST_CASE(time_in_which_a_pointer_is_out_counts_as_unknown)
{
    granting r;
    sc_core::sc_start(ns(10));
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 0u);
    BOOST_TEST(r.ask(0x5000));
    sc_core::sc_start(ns(30));
    BOOST_TEST(r.ask(0x400000));
    BOOST_TEST(r.ask(0x5000)); /* the same once more */
    BOOST_TEST(r.iommu.stats().dmi_out == 2u);
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 30000u);
    sc_core::sc_start(ns(5));
    r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX);
    BOOST_TEST(r.iommu.stats().dmi_out == 0u);
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 35000u);
    sc_core::sc_start(ns(100)); /* none is out */
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 35000u);
    BOOST_TEST(r.iommu.stats().dmi_out == 1u);
}

/* A walk waits for its table; the pointers of others are none of its business, and it gives none of an old
 * translation. */
BOOST_AUTO_TEST_CASE(pointers_are_taken_back_while_another_process_walks)
{
    for (const bool by_memory : {false, true}) {
        granting r;
        BOOST_TEST(r.ask(0x400000));
        r.memory.before = [](gp &p) {
            if (p.get_address() >= iommu_rig::tables_pa && p.get_address() < iommu_rig::data_pa)
                sc_core::wait(ns(50));
        };
        bool walked = false;
        sc_core::sc_spawn([&r, &walked, by_memory] {
            transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
            r.masters[0].out->b_transport(t.p, t.delay);
            BOOST_TEST(t.p.is_response_ok() == by_memory); /* a reset ends the walk with an error */
            walked = true;
        });
        sc_core::sc_start(ns(20));
        BOOST_TEST(!walked);
        if (by_memory)
            r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX);
        else
            r.iommu.reset();
        BOOST_TEST(r.revoked().size() == 1u); /* at once */
        BOOST_TEST(r.iommu.core().grants() == 0u);
        BOOST_TEST(!walked);
        if (by_memory) { /* and a pointer may be had meanwhile, */
            BOOST_TEST(r.ask(0x5000));
            r.map(r.root, 0x5000, iommu_rig::data_pa + 0x7000);
            r.inval_pages(7, 0x5000); /* which is good until the command is done */
        }
        sc_core::sc_start(ns(1000));
        BOOST_TEST(walked);
        BOOST_TEST(r.iommu.core().grants() == 0u);
        BOOST_TEST(r.revoked().size() == (by_memory ? 2u : 1u));
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_taken_back_from_inside_a_grant)
{
    granting r;
    BOOST_TEST(r.ask(0x400000));
    r.memory.on_dmi = [&r] {
        r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX);
        BOOST_TEST(r.revoked().empty());
    };
    BOOST_TEST(!r.ask(0x5000)); /* it may be what was taken back */
    BOOST_TEST(r.revoked().empty());
    r.settle();
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(a_port_that_carries_several_contexts_has_none)
{
    granting r;
    BOOST_TEST(r.ask(0x5000));
    access_attributes other;
    other.stream_id = 1;
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    t.with() = other;
    r.access(t);
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(!r.ask(0x5000));
    BOOST_TEST(r.ask(0x9000, tlm::TLM_READ_COMMAND, nullptr, 1) == false); /* unmapped for device 1 */
}

BOOST_AUTO_TEST_CASE(an_invalidate_by_pasid_means_the_pasid_and_its_pages_are_written_by_it_when_dirty)
{
    granting r;
    const uint64_t gcr3 = r.gcr3_table(4, 3), x86 = r.pasid_table(gcr3, 9);
    constexpr uint64_t dirty = 1 << 6;
    r.map_x86(x86, 0x1000, iommu_rig::data_pa, 7);
    r.map_x86(x86, 0x2000, iommu_rig::data_pa + 0x1000, 7 | dirty);
    access_attributes of;
    of.stream_id = 4;
    of.has_pasid = true;
    of.pasid = 9;
    BOOST_TEST(r.ask(0x1000, tlm::TLM_READ_COMMAND, &of));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x1000, tlm::TLM_WRITE_COMMAND, &of));
    BOOST_TEST(r.ask(0x2000, tlm::TLM_WRITE_COMMAND, &of));
    const auto inval = [&r](uint64_t pasid) {
        r.command(iommu_rig::opcode(3) | UINT64_C(3) << 32 | pasid, 0x2000 | 4);
    };
    inval(8); /* the PASID is no index of anything else */
    BOOST_TEST(r.revoked().empty());
    inval(9);
    BOOST_REQUIRE(r.revoked().size() == 1u);
    BOOST_TEST(r.revoked()[0].first == 0x2000u);
}

BOOST_AUTO_TEST_CASE(functional_pointers_are_out_only_while_nobody_observes)
{
    granting r(dmi_policy::functional);
    BOOST_TEST(r.ask(0x5000));
    BOOST_CHECK(r.dmi.get_read_latency() == r.memory.latency);
    r.iommu.observe(true);
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(!r.ask(0x5000));
    r.iommu.observe(false);
    BOOST_TEST(r.ask(0x5000));
    granting always;
    always.iommu.observe(true);
    BOOST_TEST(always.ask(0x5000));
    BOOST_CHECK(always.dmi.get_read_latency() == always.memory.latency + ns(4));
}

BOOST_AUTO_TEST_CASE(while_it_is_disabled_memorys_own_grant_passes_and_goes_when_it_is_enabled)
{
    iommu_rig r(with(dmi_policy::always));
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    tlm::tlm_dmi dmi;
    BOOST_TEST(r.masters[0].out->get_direct_mem_ptr(t.p, dmi));
    BOOST_TEST(dmi.get_start_address() == 0u);
    BOOST_TEST(dmi.get_end_address() == r.memory.bytes.size() - 1);
    r.enable();
    BOOST_REQUIRE(r.masters[0].revoked.size() == 1u);
    BOOST_TEST(r.masters[0].revoked[0].second == r.memory.bytes.size() - 1);
}

BOOST_AUTO_TEST_CASE(the_pointer_shows_what_debug_access_does_until_it_is_taken_back)
{
    granting r;
    ww_rng random;
    ww_rng_init(&random, 1);
    bool out = false;
    unsigned taken = 0, checked = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        if (!r.revoked().empty())
            out = false;
        r.masters[0].revoked.clear();
        const uint32_t what = ww_rng_below(&random, 8);
        if (what == 0) { /* another page, and the invalidate that says so */
            r.map(r.root, 0x5000, iommu_rig::data_pa + uint64_t{ww_rng_below(&random, 64)} * 4096);
            r.inval_pages(7, 0x5000);
            taken += !r.revoked().empty();
        } else if (what == 1) {
            r.memory.bytes[iommu_rig::data_pa + ww_rng_below(&random, 1 << 18)] =
                static_cast<unsigned char>(i);
        } else if (!out) {
            out = r.ask(0x5000);
            BOOST_TEST(out);
        } else {
            transaction t(tlm::TLM_READ_COMMAND, 0x5000 + ww_rng_below(&random, 4096), 1);
            BOOST_TEST(r.masters[0].out->transport_dbg(t.p) == 1u);
            BOOST_TEST(r.dmi.get_dmi_ptr()[t.p.get_address() - 0x5000] == t.data[0]);
            ++checked;
        }
    }
    BOOST_TEST(taken > 50u);
    BOOST_TEST(checked > 500u);
}

BOOST_AUTO_TEST_SUITE_END()
