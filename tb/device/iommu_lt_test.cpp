/* SPDX-License-Identifier: MIT */
/* The IOMMU in a foreign platform, loosely timed: what is translated, what faults, what is split. */
#include "device/params_file.hpp"
#include "tb/device/iommu_rig.hpp"

#include <cstdio>
#include <fstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct mapped : iommu_rig {
    uint64_t root;
    explicit mapped(const iommu_device_params &p = {}, unsigned ports = 1) : iommu_rig(p, ports)
    {
        root = own_table(0, 7);
        map(root, 0x5000, data_pa);
        map(root, 0x6000, data_pa + 0x9000);
        map(root, 0x7000, data_pa + 0x3000, WW_AMD_IR);
        map(root, 0x400000, data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        enable();
    }
    tlm::tlm_response_status status(tlm::tlm_command c, uint64_t at, unsigned n = 8)
    {
        transaction t(c, at, n);
        access(t);
        BOOST_TEST(t.p.get_address() == at);
        return t.p.get_response_status();
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_lt)

BOOST_AUTO_TEST_CASE(while_it_is_disabled_everything_passes_as_it_is)
{
    iommu_rig r;
    transaction t(tlm::TLM_WRITE_COMMAND, 0x1234, 4, 0xab);
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    BOOST_TEST(r.memory.bytes[0x1234] == 0xab);
    BOOST_CHECK(t.delay == ns(20));
    BOOST_TEST(r.iommu.stats().translations == 0u);
}

BOOST_AUTO_TEST_CASE(a_miss_walks_the_devices_table_and_a_hit_takes_the_tlbs_time)
{
    mapped r;
    r.memory.bytes[iommu_rig::data_pa + 0x10] = 0x5a;
    transaction miss(tlm::TLM_READ_COMMAND, 0x5010, 1), hit(tlm::TLM_READ_COMMAND, 0x5010, 1);
    r.memory.seen.clear();
    r.access(miss);
    BOOST_TEST(miss.p.is_response_ok());
    BOOST_TEST(miss.data[0] == 0x5a);
    BOOST_TEST(miss.p.get_address() == 0x5010u);
    /* device-table entry, three levels (each read is sent a cycle after the last), the data */
    BOOST_TEST(r.memory.seen.size() == 5u);
    BOOST_CHECK(miss.delay == ns(20) + ns(4) + ns(2) + 3 * ns(21) + ns(1) + ns(20));
    r.access(hit);
    BOOST_CHECK(hit.delay == ns(4) + ns(20));
    BOOST_TEST(hit.data[0] == 0x5a);
    BOOST_TEST(r.iommu.stats().tlb_hits == 1u);
    BOOST_TEST(r.iommu.stats().tlb_misses == 1u);
    BOOST_TEST(r.iommu.stats().pte_reads == 3u);
    BOOST_TEST(r.iommu.stats().devtab_reads == 1u);
}

BOOST_AUTO_TEST_CASE(numbers_may_come_from_a_file)
{
    const std::string path = "board.cfg";
    std::ofstream(path) << "[board]\ntlb_cycles = 9\n";
    mapped r(read_iommu_params(path, "board"));
    std::remove(path.c_str());
    for (unsigned round = 0; round < 2; ++round) {
        transaction t(tlm::TLM_READ_COMMAND, 0x5000, 8);
        r.access(t);
        BOOST_CHECK(round == 0 || t.delay == ns(9) + ns(20));
    }
}

BOOST_AUTO_TEST_CASE(an_annotated_delay_is_relative_and_counts_from_there)
{
    mapped r;
    sc_core::sc_start(ns(100.5));
    transaction first(tlm::TLM_READ_COMMAND, 0x5000, 8), second(tlm::TLM_READ_COMMAND, 0x5000, 8);
    r.access(first);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    second.delay = ns(1000);
    r.masters[0].out->b_transport(second.p, second.delay);
    BOOST_CHECK(sc_core::sc_time_stamp() == now);
    BOOST_CHECK(second.delay >= ns(1024));
    BOOST_CHECK(second.delay < ns(1025)); /* on the next edge of its clock */
}

BOOST_AUTO_TEST_CASE(a_walks_reads_carry_relative_time_too_and_theirs_counts)
{
    mapped r;
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    r.memory.latest = sc_core::SC_ZERO_TIME;
    transaction early(tlm::TLM_READ_COMMAND, 0x5000, 8), late(tlm::TLM_READ_COMMAND, 0x400000, 8);
    r.access(early);
    /* the last read is sent after four of 20 ns each; an absolute time would be a millisecond */
    BOOST_CHECK(r.memory.latest >= ns(4 * 20));
    BOOST_CHECK(r.memory.latest < ns(4 * 20 + 20));
    BOOST_CHECK(early.delay == r.memory.latest + ns(20));
    late.delay = ns(1000); /* and so does the time annotated to the access that walks */
    r.access(late);
    BOOST_CHECK(r.memory.latest >= ns(1000 + 20));
    BOOST_CHECK(late.delay == r.memory.latest + ns(20));
}

BOOST_AUTO_TEST_CASE(every_fault_has_its_status_its_event_and_gives_the_address_back)
{
    mapped r;
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x9000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_CHECK(r.status(tlm::TLM_WRITE_COMMAND, 0x7000) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, UINT64_C(1) << 40) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x7000) == tlm::TLM_OK_RESPONSE);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 3u);
    for (const auto &one : e) {
        BOOST_TEST(one.code() == 2u);
        BOOST_TEST((one.word0 & 0xffff) == 0u);
        BOOST_TEST((one.word0 >> 32 & 0xffff) == 7u);
    }
    BOOST_TEST(e[0].word1 == 0x9000u);
    BOOST_TEST((e[0].word0 & (WW_EVENT_PR | WW_EVENT_PE | WW_EVENT_RW)) == 0u);
    BOOST_TEST((e[1].word0 & (WW_EVENT_PR | WW_EVENT_PE | WW_EVENT_RW)) ==
               (WW_EVENT_PR | WW_EVENT_PE | WW_EVENT_RW));
    BOOST_TEST(r.iommu.stats().faults == 3u);
}

BOOST_AUTO_TEST_CASE(reserved_bits_memory_errors_and_entries_out_of_the_table_are_told_apart)
{
    mapped r;
    r.map(r.root, 0xa000, iommu_rig::data_pa, WW_AMD_IR | UINT64_C(1) << 52);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0xa000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    r.iommu.set_stream(0, 1); /* an entry with reserved bits */
    r.device_entry(1, 3 | 4, 0);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    r.iommu.set_stream(0, 16 * 128); /* beyond 16 pages of entries */
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    r.iommu.set_stream(0, 0x12345); /* no requester has this number */
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    r.iommu.set_stream(0, 2); /* its table is outside memory */
    r.device_entry(2, UINT64_C(0xff000000) | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, 9);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5008) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    r.iommu.set_stream(0, 3); /* memory refuses the entry itself */
    r.memory.bad_first = iommu_rig::devtab_pa + 3 * 32;
    r.memory.bad_last = r.memory.bad_first;
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 6u);
    const unsigned codes[] = {2, 1, 1, 1, 4, 3};
    for (size_t i = 0; i < e.size(); ++i)
        BOOST_TEST(e[i].code() == codes[i], "event " << i << " has code " << e[i].code());
    BOOST_TEST((e[0].word0 & WW_EVENT_RZ) != 0u);
    BOOST_TEST(e[4].word1 == 0xff000000u);
    BOOST_TEST(e[5].word1 == iommu_rig::devtab_pa + 96);
}

BOOST_AUTO_TEST_CASE(what_memory_answers_goes_up_as_it_is)
{
    mapped r;
    r.map(r.root, 0xb000, 0xfff000);
    r.map(r.root, 0xc000, 0x1000000); /* beyond the end */
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0xb000) == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0xc000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(r.events().empty());
}

BOOST_AUTO_TEST_CASE(a_burst_across_pages_is_split_and_answered_once)
{
    mapped r;
    transaction t(tlm::TLM_WRITE_COMMAND, 0x5ff0, 64);
    for (unsigned i = 0; i < 64; ++i)
        t.data[i] = static_cast<unsigned char>(i + 1);
    unsigned char enables[3] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
    t.p.set_byte_enable_ptr(enables);
    t.p.set_byte_enable_length(3);
    t.with().cu = 5; /* an extension that both parts have */
    unsigned with = 0;
    r.memory.before = [&with](gp &p) {
        const attributes_extension *e = p.get_extension<attributes_extension>();
        with += e != nullptr && e->of.cu == 5;
    };
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    BOOST_TEST(t.p.get_address() == 0x5ff0u);
    BOOST_TEST(t.p.get_data_length() == 64u);
    BOOST_TEST(with == 2u);
    BOOST_TEST(r.iommu.stats().bursts_split == 1u);
    for (unsigned i = 0; i < 64; ++i) {
        const uint64_t at = iommu_rig::data_pa + (i < 16 ? 0xff0 + i : 0x9000 + i - 16);
        BOOST_TEST(r.memory.bytes[at] == (i % 3 == 1 ? 0u : i + 1), "byte " << i);
    }
}

BOOST_AUTO_TEST_CASE(a_burst_across_pages_looks_each_of_them_up_once)
{
    mapped r;
    r.status(tlm::TLM_READ_COMMAND, 0x5000);
    r.status(tlm::TLM_READ_COMMAND, 0x6000);
    const uint64_t before = r.iommu.stats().translations;
    transaction t(tlm::TLM_READ_COMMAND, 0x5ffc, 8);
    r.access(t);
    BOOST_TEST(r.iommu.stats().translations == before + 2);
    BOOST_CHECK(t.delay == 2 * ns(4) + 2 * ns(20)); /* two lookups, two parts, one after the other */
}

BOOST_AUTO_TEST_CASE(a_burst_whose_second_page_faults_leaves_memory_as_it_was)
{
    mapped r;
    transaction t(tlm::TLM_WRITE_COMMAND, 0x6ff0, 64, 0xee); /* the second page is read-only */
    r.access(t);
    BOOST_CHECK(t.p.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_TEST(r.memory.bytes[iommu_rig::data_pa + 0x9ff0] == 0u);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].word1 == 0x7000u);
}

BOOST_AUTO_TEST_CASE(streaming_across_pages_repeats_the_same_addresses)
{
    mapped r;
    transaction t(tlm::TLM_WRITE_COMMAND, 0x5ffc, 20);
    t.p.set_streaming_width(8);
    for (unsigned i = 0; i < 20; ++i)
        t.data[i] = static_cast<unsigned char>(i + 1);
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    /* beats 0 to 7, 8 to 15, 16 to 19: the last bytes written to each address stay */
    for (unsigned i = 0; i < 4; ++i) {
        BOOST_TEST(r.memory.bytes[iommu_rig::data_pa + 0xffc + i] == 17 + i);
        BOOST_TEST(r.memory.bytes[iommu_rig::data_pa + 0x9000 + i] == 13 + i);
    }
    transaction whole(tlm::TLM_WRITE_COMMAND, 0x5000, 16, 3);
    whole.p.set_streaming_width(4); /* within a page it is passed on as it is */
    r.memory.seen.clear();
    r.access(whole);
    BOOST_TEST(r.memory.seen.size() == 1u);
    BOOST_TEST(r.memory.bytes[iommu_rig::data_pa + 4] == 0u);
}

BOOST_AUTO_TEST_CASE(lengths_and_pointers_that_are_none_are_refused)
{
    mapped r;
    transaction none(tlm::TLM_READ_COMMAND, 0x5000, 8), width(tlm::TLM_READ_COMMAND, 0x5000, 8),
        null(tlm::TLM_READ_COMMAND, 0x5000, 8), beyond(tlm::TLM_READ_COMMAND, UINT64_MAX - 3, 8);
    none.p.set_data_length(0);
    width.p.set_streaming_width(0);
    null.p.set_data_ptr(nullptr);
    for (transaction *t : {&none, &width, &null, &beyond}) {
        r.access(*t);
        BOOST_TEST(t->p.is_response_error());
    }
    BOOST_TEST(r.iommu.stats().translations == 0u);
    r.rules.forget(); /* rule 8, broken by the master */
}

BOOST_AUTO_TEST_CASE(debug_access_translates_and_changes_nothing)
{
    mapped r;
    const auto hash = [&r] {
        std::map<std::string, std::string> all;
        r.iommu.core().states([&all](const char *name, const void *bytes, size_t n) {
            all[name] += std::string(static_cast<const char *>(bytes), n);
        });
        return all;
    };
    r.memory.bytes[iommu_rig::data_pa + 0xfff] = 1;
    r.memory.bytes[iommu_rig::data_pa + 0x9000] = 2;
    for (unsigned round = 0; round < 2; ++round) { /* for a context that is not held, and for one that is */
        const auto before = hash();
        const uint64_t accesses = r.memory.accesses;
        transaction t(tlm::TLM_READ_COMMAND, 0x5fff, 2), fault(tlm::TLM_READ_COMMAND, 0x6ffe, 0x3000),
            unmapped(tlm::TLM_READ_COMMAND, 0x9000, 4);
        BOOST_TEST(r.masters[0].out->transport_dbg(t.p) == 2u);
        BOOST_TEST(t.data[0] == 1u);
        BOOST_TEST(t.data[1] == 2u);
        BOOST_TEST(t.p.get_address() == 0x5fffu);
        BOOST_TEST(r.masters[0].out->transport_dbg(fault.p) == 0x1002u); /* as far as pages allow */
        BOOST_TEST(r.masters[0].out->transport_dbg(unmapped.p) == 0u);
        r.settle();
        BOOST_TEST((hash() == before));
        BOOST_TEST(r.memory.accesses == accesses);
        BOOST_TEST(r.events().empty());
        BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_OK_RESPONSE);
    }
}

BOOST_AUTO_TEST_CASE(debug_access_in_the_middle_of_a_walk_does_not_change_what_the_walk_counts)
{
    mapped r;
    unsigned looks = 0;
    r.memory.before = [&r, &looks](gp &) {
        transaction look(tlm::TLM_READ_COMMAND, 0x5000, 4);
        looks += r.masters[0].out->transport_dbg(look.p) == 4u;
    };
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(looks == 6u); /* before the entry of the device table, three levels, the data twice */
    BOOST_TEST(r.iommu.stats().tlb_misses == 1u);
    BOOST_TEST(r.iommu.stats().tlb_hits == 1u);
}

BOOST_AUTO_TEST_CASE(a_pasid_leads_through_the_gcr3_table_to_a_processors_page_table)
{
    iommu_rig r;
    const uint64_t gcr3 = r.gcr3_table(4, 3), root = r.pasid_table(gcr3, 9);
    const uint64_t high = UINT64_C(0xffff800000001000);
    r.map_x86(root, 0x7f0000001000, iommu_rig::data_pa, 7);
    r.map_x86(root, high & 0xffffffffffff, iommu_rig::data_pa + 0x1000, 5 | UINT64_C(1) << 63);
    r.enable();
    const auto with_pasid = [&r](tlm::tlm_command c, uint64_t at, uint32_t pasid, bool execute = false) {
        transaction t(c, at, 8);
        t.with_pasid(4, pasid).execute = execute;
        r.access(t);
        return t.p.get_response_status();
    };
    BOOST_CHECK(with_pasid(tlm::TLM_WRITE_COMMAND, 0x7f0000001000, 9) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa);
    BOOST_CHECK(with_pasid(tlm::TLM_READ_COMMAND, high, 9) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + 0x1000);
    BOOST_CHECK(with_pasid(tlm::TLM_WRITE_COMMAND, high, 9) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_CHECK(with_pasid(tlm::TLM_READ_COMMAND, high, 9, true) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_CHECK(with_pasid(tlm::TLM_READ_COMMAND, high & 0xffffffffffff, 9) ==
                tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_CHECK(with_pasid(tlm::TLM_READ_COMMAND, 0x7f0000001000, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 4u);
    BOOST_TEST((e[0].word0 & WW_EVENT_GN) != 0u);
    BOOST_TEST((e[0].word0 >> 32 & 0xffff) == 9u);
    /* without a PASID this device's addresses are physical */
    transaction t(tlm::TLM_READ_COMMAND, 0x40, 8);
    t.with().stream_id = 4;
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
}

/* PASIDs have 20 bits: what is above them is of no other device, and the access faults whatever is held. */
BOOST_AUTO_TEST_CASE(a_pasid_of_more_than_20_bits_faults_also_where_its_low_bits_are_held)
{
    iommu_rig r;
    const uint64_t root = r.pasid_table(r.gcr3_table(1, 3), 5);
    r.map_x86(root, 0x1000, iommu_rig::data_pa, 7);
    r.enable();
    const auto status = [&r](uint32_t device, uint32_t pasid) {
        transaction t(tlm::TLM_READ_COMMAND, 0x1000, 8);
        t.with_pasid(device, pasid);
        r.access(t);
        return t.p.get_response_status();
    };
    for (unsigned round = 0; round < 2; ++round) {
        BOOST_CHECK(status(1, 5) == tlm::TLM_OK_RESPONSE);
        BOOST_CHECK(status(1, 0x100005) == tlm::TLM_GENERIC_ERROR_RESPONSE);
        BOOST_CHECK(status(0, 0x100005) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    BOOST_TEST(r.iommu.stats().tlb_hits == 1u);
}

/* With a PASID no ranges are special: a large page around one is held whole. */
BOOST_AUTO_TEST_CASE(a_pasid_s_large_page_is_held_whole_where_interrupts_would_be)
{
    iommu_rig r;
    const uint64_t va = 0xfee00000, root = r.pasid_table(r.gcr3_table(4, 3), 9);
    r.map_x86(root, va, iommu_rig::data_pa, 7);
    uint64_t node = root;
    for (const uint32_t level : {4, 3})
        node = r.memory.get<uint64_t>(node + ww_index(va, level) * 8) & WW_AMD_ADDR;
    r.memory.put(node + ww_index(va, 2) * 8, (iommu_rig::data_pa + 0x200000) | 0x87); /* 2 MiB */
    r.enable();
    for (const uint64_t at : {UINT64_C(0x1000), UINT64_C(0x2000), UINT64_C(0x3000)}) {
        transaction t(tlm::TLM_READ_COMMAND, va + at, 8);
        t.with_pasid(4, 9);
        r.access(t);
        BOOST_TEST(t.p.is_response_ok());
        BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + 0x200000 + at);
    }
    BOOST_TEST(r.iommu.stats().tlb_misses == 1u);
    BOOST_TEST(r.iommu.stats().tlb_hits == 2u);
}

BOOST_AUTO_TEST_CASE(a_command_changes_what_is_held_and_only_that)
{
    mapped r;
    const auto reads_of = [&r](uint64_t at) {
        const uint64_t before = r.iommu.stats().pte_reads;
        BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, at) == tlm::TLM_OK_RESPONSE);
        return r.iommu.stats().pte_reads - before;
    };
    reads_of(0x5000);
    reads_of(0x400000);
    BOOST_TEST(reads_of(0x5000) == 0u);
    r.map(r.root, 0x5000, iommu_rig::data_pa + 0x4000);
    r.inval_pages(8, 0x5000); /* another domain */
    BOOST_TEST(reads_of(0x5000) == 0u);
    r.inval_pages(7, 0x5000);
    BOOST_TEST(reads_of(0x5000) != 0u);
    BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + 0x4000);
    BOOST_TEST(reads_of(0x400000) == 0u);
    r.inval_all();
    BOOST_TEST(reads_of(0x400000) != 0u);
    const uint64_t entries = r.iommu.stats().devtab_reads;
    r.inval_devtab(0);
    BOOST_TEST(reads_of(0x400000) != 0u);
    BOOST_TEST(r.iommu.stats().devtab_reads == entries + 1);
    BOOST_TEST(r.iommu.stats().commands == 4u);
    BOOST_TEST(r.read(0x2000) == r.read(0x2008));
}

BOOST_AUTO_TEST_CASE(a_completion_wait_stores_and_interrupts_by_wire_and_message)
{
    mapped r;
    r.write(0x158, UINT64_C(1) << 16 | UINT64_C(0x40000) << 32);
    r.write(0x160, UINT64_C(0x4242) << 32);
    r.command(iommu_rig::opcode(1) | 0x50000 | 3, 0x1122334455667788);
    BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 0x1122334455667788u);
    BOOST_TEST(r.irq.read());
    BOOST_TEST(r.memory.get<uint32_t>(0x40000) == 0x4242u);
    BOOST_TEST(r.iommu.stats().msi_sent == 1u);
    BOOST_TEST((r.read(0x2020) & 4) == 4u);
    r.write(0x2020, 4);
    BOOST_TEST(!r.irq.read());
}

BOOST_AUTO_TEST_CASE(a_reset_forgets_all_and_passes_again)
{
    mapped r;
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_OK_RESPONSE);
    r.rst.write(true);
    r.settle();
    BOOST_TEST(r.read(0x18) == 0u);
    transaction t(tlm::TLM_READ_COMMAND, 0x9000, 8);
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    BOOST_TEST(r.memory.seen.back().first == 0x9000u);
    r.rst.write(false);
    r.settle();
    const uint64_t reads = r.iommu.stats().pte_reads;
    r.enable();
    BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, 0x5000) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.iommu.stats().pte_reads == reads + 3);
}

/* Five levels, so that there are addresses above 2^52. */
BOOST_AUTO_TEST_CASE(an_invalidate_of_everything_is_also_of_the_uppermost_addresses)
{
    for (const uint64_t address : {UINT64_C(0x7fffffffff000), UINT64_C(0xffffffffff000),
                                   UINT64_C(0x7ffffffffffff000), UINT64_C(0xfffffffffffff000)}) {
        mapped r;
        const uint64_t five = r.new_node(), low = r.new_node(), high = r.new_node();
        r.device_entry(0, five | UINT64_C(5) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, 7);
        r.memory.put(five, ww_amd_table_entry(low, 1));
        r.memory.put(five + 31 * 8, ww_amd_table_entry(high, 1));
        r.memory.put(low + 5 * 8, iommu_rig::data_pa | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW);
        r.memory.put(high + 5 * 8, iommu_rig::data_pa | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW);
        r.inval_all();
        const uint64_t pages[] = {0x5000, (UINT64_C(31) << 48) + 0x5000};
        for (const uint64_t at : pages)
            BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, at) == tlm::TLM_OK_RESPONSE);
        r.memory.put(low + 5 * 8, 0);
        r.memory.put(high + 5 * 8, 0);
        r.inval_pages(7, 0x4000); /* another page: the TLB still has these */
        for (const uint64_t at : pages)
            BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, at) == tlm::TLM_OK_RESPONSE);
        r.command(iommu_rig::opcode(3) | UINT64_C(7) << 32, address | 1);
        for (const uint64_t at : pages)
            BOOST_CHECK(r.status(tlm::TLM_READ_COMMAND, at) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
}

BOOST_AUTO_TEST_SUITE_END()
