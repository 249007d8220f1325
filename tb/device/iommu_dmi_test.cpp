/* SPDX-License-Identifier: MIT */
/* Direct memory pointers through the IOMMU: what is granted, and when it is revoked. Each case is named after
 * a rule that models of this kind are known to break (docs/use/co-simulation.md has the list). */
#include "tb/device/at_master.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

using addresses = std::vector<uint64_t>;
constexpr auto rd = tlm::TLM_READ_COMMAND, wr = tlm::TLM_WRITE_COMMAND;

iommu_device_params with(dmi_policy policy)
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(policy);
    return p;
}

struct granting : iommu_rig {
    uint64_t root, root_1;
    tlm::tlm_dmi dmi;
    explicit granting(dmi_policy policy = dmi_policy::always) : iommu_rig(with(policy), 2)
    {
        root = own_table(0, 7);
        root_1 = own_table(1, 8);
        map(root_1, 0x5000, data_pa + 0x10000);
        map(root, 0x5000, data_pa);
        map(root, 0x6000, data_pa + 0x5000, WW_AMD_IR);
        map(root, 0x400000, data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        enable();
    }
    bool ask(uint64_t at, tlm::tlm_command c = rd, const access_attributes *of = nullptr, unsigned port = 0)
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
    /* Requests a pointer at each, in this order; returns those that `f` revokes. */
    addresses taken_of(const addresses &at, const std::function<void()> &f,
                       const access_attributes *of = nullptr)
    {
        for (const uint64_t one : at)
            BOOST_TEST(ask(one, rd, of));
        masters[0].revoked.clear();
        f();
        addresses all;
        for (const auto &[first, last] : revoked())
            all.push_back(first);
        return all;
    }
    /* Maps pages of PASID 9 at 0x1000 and, dirty, at 0x2000; returns the attributes of its accesses. */
    access_attributes pasid_9()
    {
        const uint64_t gcr3 = gcr3_table(4, 3), x86 = pasid_table(gcr3, 9);
        constexpr uint64_t dirty = 1 << 6;
        map_x86(x86, 0x1000, data_pa, 7);
        map_x86(x86, 0x2000, data_pa + 0x1000, 7 | dirty);
        access_attributes of;
        of.stream_id = 4;
        of.has_pasid = true;
        of.pasid = 9;
        return of;
    }
    /* All that an access changes, except counts. */
    std::map<std::string, std::string> held()
    {
        std::map<std::string, std::string> all;
        iommu.core().states([&all](const char *name, const void *bytes, size_t n) {
            if (std::string(name) != "statistics" && std::string(name) != "rest")
                all[name] += std::string(static_cast<const char *>(bytes), n);
        });
        return all;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_dmi)

BOOST_AUTO_TEST_CASE(it_is_off_unless_it_is_asked_for)
{
    granting r(dmi_policy::off);
    BOOST_TEST(!r.ask(0x5000));
    BOOST_TEST(r.dmi.is_none_allowed());
    transaction t(rd, 0x5000, 4); /* nor is it hinted */
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
    r.memory.dmi_first = iommu_rig::data_pa + 0x100; /* memory grants less than the page */
    r.memory.dmi_last = iommu_rig::data_pa + 0x1ff;
    r.inval_all();
    BOOST_TEST(r.ask(0x5123));
    BOOST_TEST(r.dmi.get_start_address() == 0x5100u);
    BOOST_TEST(r.dmi.get_end_address() == 0x51ffu);
    BOOST_TEST((r.dmi.get_dmi_ptr() == &r.memory.bytes[iommu_rig::data_pa + 0x100]));
}

BOOST_AUTO_TEST_CASE(a_large_page_is_granted_whole)
{
    granting r;
    for (const uint64_t at : {0x400000, 0x412345, 0x5fffff}) {
        BOOST_TEST(r.ask(at));
        BOOST_TEST(r.dmi.get_start_address() == 0x400000u);
        BOOST_TEST(r.dmi.get_end_address() == 0x5fffffu);
        BOOST_TEST((r.dmi.get_dmi_ptr() == &r.memory.bytes[iommu_rig::data_pa + 0x200000]));
    }
}

BOOST_AUTO_TEST_CASE(addresses_above_4_gib_are_granted_as_others_are)
{
    constexpr uint64_t high = UINT64_C(0x12345678000), from = UINT64_C(0x500000000);
    granting r;
    r.map(r.root, high & ((UINT64_C(1) << 39) - 1), iommu_rig::data_pa + 0x3000);
    constexpr uint64_t in_table = high & ((UINT64_C(1) << 39) - 1);
    BOOST_TEST(r.ask(in_table + 0x10));
    BOOST_TEST(r.dmi.get_start_address() == in_table);
    BOOST_TEST(r.dmi.get_end_address() == in_table + 0xfff);
    iommu_rig passes(with(dmi_policy::always));
    passes.memory.first = from;
    transaction t(rd, from + 0x123456, 4);
    tlm::tlm_dmi dmi;
    BOOST_TEST(passes.masters[0].out->get_direct_mem_ptr(t.p, dmi));
    BOOST_TEST(dmi.get_start_address() == from);
    BOOST_TEST(dmi.get_end_address() == from + passes.memory.bytes.size() - 1);
}

BOOST_AUTO_TEST_CASE(granted_rights_are_those_of_the_walk_and_of_memory)
{
    granting r;
    r.map(r.root, 0x8000, iommu_rig::data_pa + 0x6000, WW_AMD_IW);
    BOOST_TEST(r.ask(0x8000, wr));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_WRITE);
    BOOST_TEST(!r.ask(0x8000));
    BOOST_TEST(r.ask(0x6000));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x6000, wr));
    r.memory.dmi_access = tlm::tlm_dmi::DMI_ACCESS_READ;
    BOOST_TEST(r.ask(0x5000));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x5000, wr));
}

BOOST_AUTO_TEST_CASE(every_way_out_gives_the_address_back)
{
    granting r;
    r.map(r.root, 0xb000, 0xfff000);
    r.map(r.root, 0xc000, 0x1000000); /* beyond the end of memory */
    const auto accessed = [&r](tlm::tlm_command c, uint64_t at, unsigned bytes) {
        transaction t(c, at, bytes);
        r.access(t);
        BOOST_TEST(t.p.get_address() == at);
        return t.p.get_response_status();
    };
    BOOST_CHECK(accessed(rd, 0x5000, 4) == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(accessed(rd, 0x9010, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE); /* by the table */
    BOOST_CHECK(accessed(wr, 0x6010, 4) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_CHECK(accessed(rd, 0xc010, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE); /* by memory */
    BOOST_CHECK(accessed(rd, 0x5ffc, 8) == tlm::TLM_OK_RESPONSE);            /* in parts */
    BOOST_CHECK(accessed(rd, 0xbffc, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE); /* the second one fails */
    const auto looked = [&r](uint64_t at, unsigned bytes) {
        transaction t(rd, at, bytes);
        const unsigned n = r.masters[0].out->transport_dbg(t.p);
        BOOST_TEST(t.p.get_address() == at);
        return n;
    };
    BOOST_TEST(looked(0x5000, 8) == 8u);
    BOOST_TEST(looked(0x9000, 8) == 0u);
    BOOST_TEST(looked(0xbffc, 8) == 4u);
    BOOST_TEST(r.ask(0x5010)); /* grants one; ask() checks the address */
    BOOST_TEST(!r.ask(0x9010));
    BOOST_TEST(!r.ask(0x6010, wr));
    BOOST_TEST(!r.ask(0xc010));
    r.memory.gives_dmi = false;
    BOOST_TEST(!r.ask(0x5010));
    r.memory.gives_dmi = true;
    r.memory.on_dmi = [&r] { r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX); };
    BOOST_TEST(!r.ask(0x5010));
}

BOOST_AUTO_TEST_CASE(a_refusal_is_of_the_page_or_of_what_memory_refuses_of_it)
{
    granting r;
    BOOST_TEST(!r.ask(0x9010)); /* by the table */
    BOOST_TEST(r.dmi.get_start_address() == 0x9000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x9fffu);
    r.memory.gives_dmi = false;
    BOOST_TEST(!r.ask(0x5010)); /* by memory, without a range */
    BOOST_TEST(r.dmi.get_start_address() == 0x5000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x5fffu);
    BOOST_TEST(r.dmi.is_none_allowed());
    r.memory.gives_dmi = true;
    r.memory.dmi_access = tlm::tlm_dmi::DMI_ACCESS_READ;
    r.memory.dmi_first = iommu_rig::data_pa + 0x210000; /* a part of a large page can be read only */
    r.memory.dmi_last = iommu_rig::data_pa + 0x213fff;
    r.memory.tells_refusal = true;
    BOOST_TEST(!r.ask(0x411000, wr));
    BOOST_TEST(r.dmi.get_start_address() == 0x410000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x413fffu);
    BOOST_TEST(!r.ask(0x430000)); /* memory names another range */
    BOOST_TEST(r.dmi.get_start_address() == 0x400000u);
    BOOST_TEST(r.dmi.get_end_address() == 0x5fffffu);
    BOOST_TEST(r.iommu.stats().dmi_refused == 4u);
    r.rules.forget(); /* rule 20, broken by memory */
}

BOOST_AUTO_TEST_CASE(asking_for_a_pointer_does_not_fault_count_or_fill_the_tlb)
{
    granting r;
    for (const bool known : {false, true}) { /* whether the device's entry is held */
        const auto held = r.held();
        const iommu_device_stats before = r.iommu.stats();
        const uint64_t accesses = r.memory.accesses;
        r.ask(0x5000);
        r.ask(0x400000);
        r.ask(0x9000);
        r.ask(0x6000, wr);
        r.settle();
        BOOST_TEST((r.held() == held));
        BOOST_TEST(r.memory.accesses == accesses); /* debug accesses read the tables */
        iommu_device_stats after = r.iommu.stats();
        BOOST_TEST(after.dmi_granted == before.dmi_granted + 2);
        BOOST_TEST(after.dmi_refused == before.dmi_refused + 2);
        after.dmi_granted = before.dmi_granted;
        after.dmi_refused = before.dmi_refused;
        after.dmi_out = before.dmi_out;
        after.dmi_unknown_ps = before.dmi_unknown_ps;
        BOOST_TEST(std::memcmp(&after, &before, sizeof after) == 0); /* nothing else is counted */
        BOOST_TEST(r.events().empty());
        BOOST_TEST(!r.irq.read());
        transaction t(rd, known ? 0x5000 : 0x400000, 4);
        r.access(t);
        BOOST_TEST(r.iommu.stats().tlb_misses == (known ? 2u : 1u));
    }
}

BOOST_AUTO_TEST_CASE(an_invalidate_by_address_takes_back_what_it_covers_and_no_other)
{
    granting r;
    const addresses both{0x5000, 0x400000}, page{0x5000}, large{0x400000};
    const auto taken = [&](uint64_t word1) {
        return r.taken_of(both, [&] { r.command(iommu_rig::opcode(3) | UINT64_C(7) << 32, word1); });
    };
    BOOST_TEST((taken(0x5000) == page));
    BOOST_TEST((taken(0x6000) == addresses{}));
    BOOST_TEST((taken(0x4000) == addresses{}));
    BOOST_TEST((taken(0x4000 | 1) == page));        /* 8 KiB from 0x4000 on */
    BOOST_TEST((taken(0x6000 | 1) == addresses{})); /* 8 KiB from 0x6000 on */
    BOOST_TEST((taken(0x5ff000) == large));         /* an address within a large page stands for all of it */
    BOOST_TEST((taken(0x600000) == addresses{}));
    BOOST_TEST((taken(UINT64_C(0x7ffffffffffff001)) == both)); /* every address */
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(a_pointer_is_taken_back_though_its_entry_is_gone_from_the_table)
{
    granting r; /* as drivers do: the table first, then the command, when no table has the page's size */
    const addresses taken = r.taken_of({0x400000}, [&r] {
        const uint64_t second = r.memory.get<uint64_t>(r.root) & WW_AMD_ADDR;
        r.memory.put(second + 2 * 8, 0);
        r.inval_pages(7, 0x512000);
    });
    BOOST_TEST((taken == addresses{0x400000}));
    BOOST_TEST(r.revoked()[0].second == 0x5fffffu);
}

BOOST_AUTO_TEST_CASE(an_invalidate_means_its_domain_or_its_device_and_not_another)
{
    granting r; /* device 0 is in domain 7, device 1 in 8 */
    const addresses none, page{0x5000};
    const auto taken = [&](const std::function<void()> &f) { return r.taken_of(page, f); };
    BOOST_TEST((taken([&r] { r.inval_pages(8, 0x5000); }) == none));
    BOOST_TEST((taken([&r] { r.inval_pages(0, 0x5000); }) == none)); /* 0 is the device's number */
    BOOST_TEST((taken([&r] { r.inval_devtab(1); }) == none));
    BOOST_TEST((taken([&r] { r.inval_devtab(7); }) == none)); /* 7 is the domain's */
    BOOST_TEST((taken([&r] { r.command(iommu_rig::opcode(4) | 1, 0x5000); }) == none));
    BOOST_TEST((taken([&r] { r.command(iommu_rig::opcode(4) | 7, 0x5000); }) == none));
    BOOST_TEST((taken([&r] { r.command(iommu_rig::opcode(4) | 0, 0x6000); }) == none));
    BOOST_TEST(r.iommu.stats().dmi_revoked == 0u);
    BOOST_TEST(r.iommu.core().grants() == 1u); /* the same one, however often it is given */
    BOOST_TEST((taken([&r] { r.inval_pages(7, 0x5000); }) == page));
    BOOST_TEST((taken([&r] { r.inval_devtab(0); }) == page));
    BOOST_TEST((taken([&r] { r.command(iommu_rig::opcode(4) | 0, 0x5000); }) == page));
    BOOST_TEST(r.iommu.stats().dmi_revoked == 3u);
}

BOOST_AUTO_TEST_CASE(what_changes_every_context_takes_all_pointers_back)
{
    granting r;
    const addresses both{0x5000, 0x400000};
    const auto taken = [&](const std::function<void()> &f) {
        const addresses all = r.taken_of(both, f);
        BOOST_TEST(r.iommu.core().grants() == 0u);
        BOOST_TEST(r.iommu.stats().dmi_out == 0u);
        return all;
    };
    BOOST_TEST((taken([&r] { r.inval_all(); }) == both));
    BOOST_TEST((taken([&r] { r.write(0x00, iommu_rig::devtab_pa | 7); }) == both));
    BOOST_TEST((taken([&r] { r.write(0x18, 0x0101d); }) == both)); /* PASIDs are disabled */
    BOOST_TEST((taken([&r] { r.write(0x18, 0x1101d); }) == both));
    BOOST_TEST((taken([&r] { r.write(0x18, 0x1101c); }) == both)); /* disabled */
    r.write(0x18, 0x1101d);
    BOOST_TEST((r.taken_of(both, [&r] { r.write(0x18, 0x1101d); }) == addresses{})); /* unchanged */
}

BOOST_AUTO_TEST_CASE(a_reset_takes_all_pointers_back)
{
    granting r;
    const addresses both{0x5000, 0x400000};
    BOOST_TEST((r.taken_of(both, [&r] { r.iommu.reset(); }) == both)); /* within the call */
    BOOST_TEST(r.iommu.core().grants() == 0u);
    BOOST_TEST(r.iommu.stats().dmi_out == 0u);
    r.enable();
    BOOST_TEST((r.taken_of(both, [&r] {
        r.rst.write(true);
        r.settle();
    }) == both));
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(what_memory_takes_back_is_taken_back_here_and_only_that)
{
    granting r;
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST(r.ask(0x400000));
    r.map(r.root, 0x7000, iommu_rig::data_pa); /* another address that maps to it */
    BOOST_TEST(r.ask(0x7000));
    const auto taken = [&r](uint64_t first_pa, uint64_t last_pa, unsigned port = 0) {
        r.masters[0].revoked.clear();
        r.memory.up[port]->invalidate_direct_mem_ptr(first_pa, last_pa);
        addresses all;
        for (const auto &[first, last] : r.revoked()) {
            BOOST_TEST((first != 0x5000 || last == 0x5fff));
            all.push_back(first); /* its IOVA, not the whole space */
        }
        return all;
    };
    constexpr uint64_t pa = iommu_rig::data_pa;
    BOOST_TEST((taken(0, pa - 1) == addresses{}));
    BOOST_TEST((taken(pa + 0x1000, pa + 0x1ffff) == addresses{}));
    BOOST_TEST((taken(0, UINT64_MAX, 1) == addresses{})); /* another port's */
    BOOST_TEST((taken(pa + 0x800, pa + 0x8ff) == addresses{0x5000, 0x7000}));
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST((taken(0, pa) == addresses{0x5000})); /* by its first byte */
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST((taken(pa + 0xfff, pa + 0xfff) == addresses{0x5000})); /* by its last byte */
    BOOST_TEST((taken(0, UINT64_MAX) == addresses{0x400000}));
}

BOOST_AUTO_TEST_CASE(time_in_which_a_pointer_is_out_counts_as_unknown)
{
    granting r;
    sc_core::sc_start(ns(10));
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 0u);
    BOOST_TEST(r.ask(0x5000));
    sc_core::sc_start(ns(30));
    BOOST_TEST(r.ask(0x400000));
    BOOST_TEST(r.ask(0x5000)); /* the same again */
    BOOST_TEST(r.iommu.stats().dmi_out == 2u);
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 30000u);
    sc_core::sc_start(ns(5));
    r.memory.up[0]->invalidate_direct_mem_ptr(0, UINT64_MAX);
    BOOST_TEST(r.iommu.stats().dmi_out == 0u);
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 35000u);
    sc_core::sc_start(ns(100)); /* no pointer is out */
    BOOST_TEST(r.ask(0x5000));
    BOOST_TEST(r.iommu.stats().dmi_unknown_ps == 35000u);
    BOOST_TEST(r.iommu.stats().dmi_out == 1u);
}

/* A walk waits for its table: pointers of others are revoked meanwhile, and it gives none for an old
 * translation. */
BOOST_AUTO_TEST_CASE(pointers_are_taken_back_while_another_process_walks)
{
    for (const bool by_memory : {false, true}) {
        granting r;
        BOOST_TEST(r.ask(0x400000));
        r.memory.before = iommu_rig::slow(iommu_rig::tables_pa, iommu_rig::data_pa);
        bool walked = false;
        sc_core::sc_spawn([&r, &walked, by_memory] {
            transaction t(rd, 0x5000, 4);
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
        if (by_memory) { /* a pointer may be granted meanwhile */
            BOOST_TEST(r.ask(0x5000));
            r.map(r.root, 0x5000, iommu_rig::data_pa + 0x7000);
            r.inval_pages(7, 0x5000); /* and is valid until the command is done */
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
    BOOST_TEST(!r.ask(0x5000)); /* it may be what was revoked */
    BOOST_TEST(r.revoked().empty());
    r.settle();
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(a_grant_within_a_grant_ends_neither)
{
    granting r; /* a bus below requests one through the other port before it answers */
    unsigned depth = 0, revoking_at = 1, revoking_port = 0;
    bool inner = false;
    r.memory.on_dmi = [&] {
        if (depth++ == 0) {
            transaction t(rd, 0x5000, 4);
            tlm::tlm_dmi dmi;
            inner = r.masters[1].out->get_direct_mem_ptr(t.p, dmi);
            BOOST_TEST(depth == 2u);
            depth = 1;
        }
        if (depth == revoking_at)
            r.memory.up[revoking_port]->invalidate_direct_mem_ptr(0, UINT64_MAX);
        BOOST_TEST(r.revoked().empty());
    };
    BOOST_TEST(!r.ask(0x5000)); /* memory revokes something after the inner request */
    BOOST_TEST(inner);
    r.settle();
    BOOST_TEST(r.iommu.core().grants() == 1u);
    depth = 0;
    revoking_at = 2;
    revoking_port = 1;
    BOOST_TEST(!r.ask(0x5000)); /* and during the inner request */
    BOOST_TEST(!inner);
    r.settle();
    BOOST_TEST(r.revoked(1).size() == 1u);
    BOOST_TEST(r.iommu.core().grants() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_told_that_a_pointer_is_taken_back_may_ask_for_another_one)
{
    granting r;
    bool given = false;
    r.masters[0].on_revoked = [&r, &given] {
        if (!given)
            given = r.ask(0x5000);
    };
    BOOST_TEST((r.taken_of({0x5000, 0x400000}, [&r] { r.inval_all(); }) == addresses{0x5000, 0x400000}));
    BOOST_TEST(given);
    BOOST_TEST(r.iommu.core().grants() == 1u); /* the new one stays */
}

BOOST_AUTO_TEST_CASE(a_port_that_carries_several_contexts_has_none)
{
    granting r;
    BOOST_TEST(r.ask(0x5000));
    access_attributes other;
    other.stream_id = 1;
    transaction t(rd, 0x5000, 4);
    t.with() = other;
    r.access(t);
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(!r.ask(0x5000));
    BOOST_TEST(r.ask(0x5000, rd, nullptr, 1)); /* the other port has its own */
}

BOOST_AUTO_TEST_CASE(a_process_may_write_by_a_pointer_where_its_entry_is_dirty)
{
    granting r;
    const access_attributes of = r.pasid_9();
    BOOST_TEST(r.ask(0x1000, rd, &of));
    BOOST_CHECK(r.dmi.get_granted_access() == tlm::tlm_dmi::DMI_ACCESS_READ);
    BOOST_TEST(!r.ask(0x1000, wr, &of));
    BOOST_TEST(r.ask(0x2000, wr, &of));
    BOOST_TEST(r.dmi.is_read_write_allowed());
}

BOOST_AUTO_TEST_CASE(an_invalidate_by_pasid_means_that_pasid)
{
    granting r;
    const access_attributes of = r.pasid_9();
    const addresses none, page{0x2000}, both{0x1000, 0x2000};
    const auto taken = [&](uint64_t word0, uint64_t word1) {
        return r.taken_of(
            both, [&] { r.command(word0, word1); }, &of);
    };
    constexpr uint64_t gn = 4, pages = UINT64_C(3) << 60 | UINT64_C(3) << 32, iotlb = UINT64_C(4) << 60 | 4;
    BOOST_TEST((taken(pages | 8, 0x2000 | gn) == none)); /* a PASID is not another index */
    BOOST_TEST((taken(pages | 3, 0x2000 | gn) == none)); /* and a domain is not a PASID */
    BOOST_TEST((taken(iotlb | UINT64_C(8) << 48, 0x2000 | gn) == none));
    BOOST_TEST((taken(iotlb, 0x2000) == none)); /* the device without a PASID */
    BOOST_TEST((taken(pages | 9, 0x2000 | gn) == page));
    BOOST_TEST((taken(iotlb | UINT64_C(9) << 48, 0x2000 | gn) == page));
    BOOST_TEST((taken(pages, 0x7000) == both)); /* the domain's: other addresses, so all of the PASID's */
}

BOOST_AUTO_TEST_CASE(functional_pointers_are_out_only_while_nobody_observes)
{
    granting r(dmi_policy::functional);
    BOOST_TEST(r.ask(0x5000));
    r.iommu.observe(true);
    BOOST_TEST(r.revoked().size() == 1u);
    BOOST_TEST(!r.ask(0x5000));
    r.iommu.observe(false);
    BOOST_TEST(r.ask(0x5000));
    granting always;
    always.iommu.observe(true);
    BOOST_TEST(always.ask(0x5000));
}

BOOST_AUTO_TEST_CASE(a_pointers_latencies_are_memorys_and_of_always_the_lookups_too)
{
    granting r(dmi_policy::functional), always;
    for (granting *g : {&r, &always}) {
        const sc_core::sc_time lookup = g == &r ? sc_core::SC_ZERO_TIME : ns(4);
        BOOST_TEST(g->ask(0x5000));
        BOOST_CHECK(g->dmi.get_read_latency() == g->memory.latency + lookup);
        BOOST_CHECK(g->dmi.get_write_latency() == g->memory.latency + lookup);
    }
}

BOOST_AUTO_TEST_CASE(while_it_is_disabled_memorys_own_grant_passes_and_goes_when_it_is_enabled)
{
    iommu_rig r(with(dmi_policy::always));
    transaction t(rd, 0x5000, 4);
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
        if (what == 0) { /* another page, with its invalidate */
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
            transaction t(rd, 0x5000 + ww_rng_below(&random, 4096), 1);
            BOOST_TEST(r.masters[0].out->transport_dbg(t.p) == 1u);
            BOOST_TEST(r.dmi.get_dmi_ptr()[t.p.get_address() - 0x5000] == t.data[0]);
            ++checked;
        }
    }
    BOOST_TEST(taken > 50u);
    BOOST_TEST(checked > 500u);
}

/* Rule 22 of docs/develop/base-protocol.md, over everything that a pointer depends on: an access gets the
 * hint if and only if it gets the pointer, however its requester is identified. */
BOOST_AUTO_TEST_CASE(a_hint_is_given_where_the_pointer_is)
{
    unsigned given = 0, cases = 0;
    for (unsigned sample = 0; sample < 3072; ++sample) {
        unsigned rest = sample;
        const auto one_of = [&rest](unsigned n) {
            const unsigned is = rest % n;
            rest /= n;
            return is;
        };
        iommu_device_params p;
        p.mode = static_cast<uint8_t>(one_of(2));
        const bool write = one_of(2) != 0, enabled = one_of(2) != 0, observed = one_of(2) != 0;
        const bool hook = one_of(2) != 0, several = one_of(2) != 0, dirty = one_of(2) != 0;
        const unsigned who = one_of(3); /* the port's, its PASID, a device with an invalid entry */
        p.dmi = static_cast<uint8_t>(one_of(4) % 3);
        const uint64_t page = one_of(2) != 0 ? 0xfee05000 : 0x5000; /* set apart, if there is no PASID */
        iommu_rig r(p);
        r.settling = ns(500);
        const uint64_t root = r.own_table(0, 7);
        r.map(root, page, iommu_rig::data_pa);
        const uint64_t gcr3 = r.gcr3_table(2, 9);
        r.map_x86(r.pasid_table(gcr3, 3), page, iommu_rig::data_pa, dirty ? 0x47 : 7);
        if (enabled)
            r.enable();
        access_attributes of;
        of.stream_id = who == 0 ? 0 : who == 1 ? 2 : 5;
        of.has_pasid = who == 1;
        of.pasid = 3;
        if (hook)
            r.iommu.identify([&of](unsigned, const gp &, access_attributes &a) { a = of; });
        r.iommu.observe(observed);
        std::unique_ptr<at_master> from;
        if (iommu_rig::phases(p))
            from = std::make_unique<at_master>(r.masters[0]);
        const auto access = [&](uint32_t other) {
            at_access a(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                        page + (other != 0 ? 0x800 : 0), 4);
            if (!hook || other != 0)
                a.with() = of;
            if (other != 0)
                a.p.get_extension<attributes_extension>()->of.stream_id = other;
            if (from) {
                from->send(a);
                r.settle();
            } else {
                sc_core::sc_time delay;
                r.masters[0].out->b_transport(a.p, delay);
            }
            return a.p.is_response_ok() && a.p.is_dmi_allowed();
        };
        if (several)
            access(6);
        const bool hinted = access(0);
        transaction t(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, page, 4);
        if (!hook)
            t.with() = of;
        tlm::tlm_dmi dmi;
        const bool granted = r.masters[0].out->get_direct_mem_ptr(t.p, dmi);
        BOOST_TEST(hinted == granted, "mode " << unsigned{p.mode} << " dmi " << unsigned{p.dmi} << " write "
                                              << write << " enabled " << enabled << " observed " << observed
                                              << " hook " << hook << " several " << several << " dirty "
                                              << dirty << " who " << who << " page " << page);
        given += granted;
        ++cases;
    }
    BOOST_TEST(given > cases / 8);
    BOOST_TEST(given < cases / 2);
}

BOOST_AUTO_TEST_SUITE_END()
