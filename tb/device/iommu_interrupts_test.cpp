/* SPDX-License-Identifier: MIT */
/* Interrupts of devices through the IOMMU, in both modes: as they are, remapped by the device's table, or
 * refused, with what is logged; what is held of the table, and for how long; the other ranges that are not
 * memory; and memory up to their edges. */
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t msi = 0xfee00000;
constexpr auto rd = tlm::TLM_READ_COMMAND, wr = tlm::TLM_WRITE_COMMAND;

struct interrupts_rig : iommu_rig {
    static constexpr uint64_t table_pa = 0x60000;
    struct heard {
        uint64_t at;
        uint32_t data;
        unsigned bytes;
        friend std::ostream &operator<<(std::ostream &o, const heard &h)
        {
            return o << std::hex << h.at << ": " << h.data << " of " << h.bytes;
        }
        bool operator==(const heard &h) const { return at == h.at && data == h.data && bytes == h.bytes; }
    };
    std::vector<heard> messages; /* at the platform's interrupt controller */
    std::unique_ptr<at_master> from;
    uint64_t root;

    explicit interrupts_rig(int mode, const iommu_device_params &p = {})
        : iommu_rig(of_mode(mode_of(mode), p))
    {
        if (phases(of_mode(mode_of(mode))))
            from = std::make_unique<at_master>(masters[0]);
        settling = ns(1000);
        memory.after = [this](gp &t) {
            if (t.get_address() < memory.bytes.size())
                return;
            uint32_t data = 0;
            std::memcpy(&data, t.get_data_ptr(), std::min(4u, t.get_data_length()));
            messages.push_back({t.get_address(), data, t.get_data_length()});
            t.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        root = own_table(0, 7);
        enable();
    }
    void interrupt_table(uint64_t word2)
    {
        memory.put(devtab_pa + 16, word2 | table_pa);
        inval_devtab(0);
    }
    void entry(uint32_t index, uint32_t value)
    {
        std::memcpy(&memory.bytes[table_pa + index * 4], &value, 4);
    }
    void inval_int_table(uint16_t device) { command(opcode(5) | device); }

    tlm::tlm_response_status access(tlm::tlm_command c, uint64_t at, uint32_t data, unsigned bytes = 4,
                                    const std::function<void(access_attributes &)> &who = {})
    {
        if (from) {
            at_access a(c, at, bytes);
            std::memcpy(a.data.data(), &data, std::min(4u, bytes));
            if (who)
                who(a.with());
            from->send(a);
            settle();
            BOOST_TEST(a.freed == 1u);
            return a.status();
        }
        transaction t(c, at, bytes);
        std::memcpy(t.data.data(), &data, std::min(4u, bytes));
        if (who)
            who(t.with());
        iommu_rig::access(t);
        uint32_t after = 0;
        std::memcpy(&after, t.data.data(), std::min(4u, bytes));
        BOOST_TEST(((c == rd) || after == data)); /* the device's own bytes stay */
        BOOST_TEST(t.p.get_address() == at);
        return t.p.get_response_status();
    }
    tlm::tlm_response_status send(uint64_t at, uint32_t data) { return access(wr, at, data); }
    /* The data of the resulting interrupt; 0 if there is none. */
    uint32_t vector(uint32_t index)
    {
        messages.clear();
        send(msi, index);
        return messages.empty() ? 0u : messages[0].data;
    }
    /* The only event since the last call: its code and flags [59:49], or 0. */
    uint64_t event(uint64_t address)
    {
        const auto all = events();
        BOOST_TEST(all.size() <= 1u);
        if (all.empty())
            return 0;
        BOOST_TEST(all[0].word1 == address);
        BOOST_TEST((all[0].word0 & 0xffff) == 0u);
        return all[0].word0 & WW_BITS64(63, 49);
    }
};

constexpr uint64_t control(uint64_t n, uint64_t len = 8)
{
    return WW_DTE_IV | n << 60 | len << 1;
}
constexpr uint64_t code(uint64_t n, uint64_t flags = 0)
{
    return n << 60 | flags;
}
constexpr uint64_t type(uint64_t n)
{
    return n << 57;
}
constexpr uint32_t to(uint32_t destination, uint32_t vector)
{
    return 1 | destination << 8 | vector << 16;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_interrupts)

/* They pass whatever the translation of the address, and even if nothing is mapped there. */
BOOST_DATA_TEST_CASE(without_an_interrupt_table_they_pass_as_they_are, both, mode)
{
    for (const uint64_t word2 : {UINT64_C(0), control(1)}) {
        interrupts_rig r(mode);
        r.map(r.root, msi, iommu_rig::data_pa);
        r.interrupt_table(word2);
        BOOST_CHECK(r.send(msi + 0x1230, 0x4041) == tlm::TLM_OK_RESPONSE);
        BOOST_CHECK(r.send(0xfdf8123400, 0x99) == tlm::TLM_OK_RESPONSE);
        r.device_entry(0, 1, 7); /* V without TV: memory is refused, interrupts are not */
        r.inval_devtab(0);
        BOOST_CHECK(r.send(msi, 0x42) == tlm::TLM_OK_RESPONSE);
        r.device_entry(0, 0, 0);
        r.inval_devtab(0);
        BOOST_CHECK(r.send(msi + 0xffffc, 0x43) == tlm::TLM_OK_RESPONSE);
        BOOST_TEST(r.messages == (std::vector<interrupts_rig::heard>{{msi + 0x1230, 0x4041, 4},
                                                                     {0xfdf8123400, 0x99, 4},
                                                                     {msi, 0x42, 4},
                                                                     {msi + 0xffffc, 0x43, 4}}),
                   boost::test_tools::per_element());
        BOOST_TEST(r.memory.get<uint32_t>(iommu_rig::data_pa) == 0u);
        BOOST_TEST(r.iommu.stats().interrupts == 4u);
        BOOST_TEST(r.iommu.stats().interrupts_refused == 0u);
        BOOST_TEST(r.event(0) == 0u);
    }
}

BOOST_DATA_TEST_CASE(they_are_remapped_by_the_entry_of_their_index, both, mode)
{
    interrupts_rig r(mode);
    r.interrupt_table(control(2));
    for (uint32_t i = 0; i < 256; ++i)
        r.entry(i, to(255 - i, 0x10 + i / 2));
    std::vector<interrupts_rig::heard> want;
    for (const uint32_t i : {0u, 1u, 2u, 77u, 254u, 255u, 77u}) {
        BOOST_CHECK(r.send(msi, i) == tlm::TLM_OK_RESPONSE);
        want.push_back({msi | (255 - i) << 12, 0x10 + i / 2, 4});
    }
    BOOST_TEST(r.messages == want, boost::test_tools::per_element());
    BOOST_TEST(r.iommu.stats().interrupts_remapped == 7u);
    BOOST_TEST(r.iommu.stats().irte_reads == 6u);
    BOOST_TEST(r.iommu.stats().devtab_reads == 1u);
    BOOST_TEST(r.event(0) == 0u);
}

BOOST_DATA_TEST_CASE(an_entry_counts_until_the_table_is_invalidated, both, mode)
{
    for (const uint32_t held : {0u, 1u, 64u}) {
        iommu_device_params p;
        p.irte_entries = held;
        interrupts_rig r(mode, p);
        r.interrupt_table(control(2));
        r.entry(3, to(1, 0x31));
        r.entry(4, to(1, 0x41));
        BOOST_TEST(r.vector(3) == 0x31u);
        r.entry(3, to(1, 0x32));
        BOOST_TEST(r.vector(3) == (held != 0 ? 0x31u : 0x32u));
        r.inval_int_table(1); /* of another device */
        r.inval_pages(7, msi);
        BOOST_TEST(r.vector(3) == (held != 0 ? 0x31u : 0x32u));
        r.inval_int_table(0);
        BOOST_TEST(r.vector(3) == 0x32u);
        for (unsigned way = 0; way < 3; ++way) {
            r.entry(3, to(1, 0x33 + way));
            way == 0   ? r.inval_devtab(0)
            : way == 1 ? r.inval_all()
                       : r.write(0x00, iommu_rig::devtab_pa | (7 + way));
            BOOST_TEST(r.vector(3) == 0x33 + way);
        }
        const uint64_t reads = r.iommu.stats().irte_reads;
        r.vector(4);
        r.vector(3);
        BOOST_TEST(r.iommu.stats().irte_reads - reads == (held == 64 ? 1u : 2u));
        r.entry(5, 0); /* an unmapped entry is not held */
        BOOST_TEST(r.vector(5) == 0u);
        r.entry(5, to(1, 0x51));
        BOOST_TEST(r.vector(5) == 0x51u);
        BOOST_TEST(r.iommu.core().check() == nullptr);
    }
}

BOOST_DATA_TEST_CASE(what_is_refused_is_logged_as_what_it_was, both, mode)
{
    const uint64_t i = WW_EVENT_I, rz = WW_EVENT_RZ, pr = WW_EVENT_PR;
    const struct {
        const char *what;
        uint64_t word2;
        uint32_t entry, data;
        uint64_t event;
        tlm::tlm_response_status status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    } all[] = {
        {"IntCtl 0", control(0), to(1, 1), 3, code(8, type(5))},
        {"IntCtl 3", control(3), to(1, 1), 3, code(1, i)},
        {"a table of 4096", control(2, 12), to(1, 1), 3, code(1, i)},
        {"reserved bits", control(2) | WW_BITS64(52, 52), to(1, 1), 3, code(1, i | rz)},
        {"NMI", control(2), to(1, 1), 0x403, code(8, type(5))},
        {"a reserved kind", control(2), to(1, 1), 0x303, code(8, type(6))},
        {"no RemapEn", control(2), 0, 3, code(2, i), tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {"beyond the table", control(2, 1), to(1, 1), 3, code(2, i), tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {"GuestMode", control(2), to(1, 1) | 0x80, 3, code(2, i | pr | rz), tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {"no RemapEn, SupIOPF", control(2), 2, 3, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {"no RemapEn, IG", control(2) | WW_DTE_IG, 0, 3, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE},
        {"beyond the table, IG", control(2, 1) | WW_DTE_IG, 0, 3, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    };
    interrupts_rig r(mode);
    unsigned refused = 0;
    for (const auto &one : all) {
        BOOST_TEST_CONTEXT(one.what)
        {
            r.interrupt_table(one.word2);
            r.entry(3, one.entry);
            BOOST_CHECK(r.send(msi + 0x18, one.data) == one.status);
            BOOST_TEST(r.event(msi + 0x18) == one.event);
            BOOST_TEST(r.iommu.stats().interrupts_refused == ++refused);
        }
    }
    BOOST_TEST(r.messages.empty());
    r.interrupt_table(control(2));
    r.memory.bad_first = r.memory.bad_last = interrupts_rig::table_pa + 16; /* memory refuses an entry */
    BOOST_CHECK(r.send(msi, 5) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(interrupts_rig::table_pa + 20) == code(4, i | type(2)));
    r.memory.bad_first = r.memory.bad_last = iommu_rig::devtab_pa; /* or the device's entry */
    r.inval_devtab(0);
    BOOST_CHECK(r.send(msi, 5) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(iommu_rig::devtab_pa) == code(3, i | type(2)));
    BOOST_TEST(r.messages.empty());
}

BOOST_DATA_TEST_CASE(what_is_no_interrupt_does_not_become_one, both, mode)
{
    interrupts_rig r(mode);
    r.interrupt_table(control(2));
    r.entry(3, to(1, 1));
    BOOST_CHECK(r.access(rd, msi, 0) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(msi) == code(8, type(0)));
    for (const unsigned bytes : {1u, 2u, 8u, 64u}) {
        BOOST_CHECK(r.access(wr, msi, 3, bytes) == tlm::TLM_GENERIC_ERROR_RESPONSE);
        BOOST_TEST(r.event(msi) == code(8, type(3)));
    }
    BOOST_CHECK(r.access(wr, msi + 2, 3) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(msi + 2) == code(8, type(3)));
    const auto translated = [](access_attributes &a) { a.type = address_type::translated; };
    BOOST_CHECK(r.access(wr, msi, 3, 4, translated) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(msi) == code(8, type(1))); /* no I */
    r.memory.put(iommu_rig::devtab_pa + 8, 7 | WW_DTE_I);
    r.inval_devtab(0);
    BOOST_CHECK(r.access(wr, msi, 3, 4, translated) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(msi) == code(8, type(1)));
    BOOST_TEST(r.messages.empty());
    /* A burst that reaches the range from below transfers nothing. */
    r.map(r.root, msi - 0x1000, iommu_rig::data_pa);
    BOOST_CHECK(r.access(wr, msi - 0x20, 0x55, 64) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.memory.get<uint32_t>(iommu_rig::data_pa + 0xfe0) == 0u);
    BOOST_TEST(r.messages.empty());
}

/* A page of 1 GiB contains the range: it is memory exactly up to the range's edge. */
BOOST_DATA_TEST_CASE(a_large_page_around_the_range_is_memory_up_to_its_edges, both, mode)
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(dmi_policy::always);
    interrupts_rig r(mode, p);
    r.memory.first = 0;
    r.interrupt_table(control(1));
    r.memory.put(r.root + 3 * 8, UINT64_C(0xc0000000) | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW); /* 1 GiB */
    for (unsigned round = 0; round < 2; ++round) {
        r.messages.clear();
        BOOST_CHECK(r.access(wr, msi - 4, 1) == tlm::TLM_OK_RESPONSE);
        BOOST_CHECK(r.access(wr, msi, 2) == tlm::TLM_OK_RESPONSE);
        BOOST_CHECK(r.access(wr, 0xfef00000, 3) == tlm::TLM_OK_RESPONSE);
        BOOST_TEST(r.messages.size() == 3u);
        BOOST_CHECK(r.access(rd, msi, 0) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    BOOST_TEST(r.iommu.stats().interrupts == 2u);
    for (const uint64_t at : {msi - 0x1000, UINT64_C(0xfef00000), UINT64_C(0xc0000000)}) {
        transaction t(rd, at, 4);
        tlm::tlm_dmi dmi;
        r.masters[0].out->get_direct_mem_ptr(t.p, dmi);
        BOOST_TEST((dmi.get_end_address() < msi || dmi.get_start_address() > 0xfeefffff));
    }
    transaction t(wr, msi, 4);
    tlm::tlm_dmi dmi;
    BOOST_TEST(!r.masters[0].out->get_direct_mem_ptr(t.p, dmi));
}

BOOST_DATA_TEST_CASE(no_translation_is_given_out_that_reaches_into_the_range, both, mode)
{
    service_rig r(mode_of(mode));
    r.memory.put(r.root + 3 * 8, UINT64_C(0xc0000000) | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW);
    const auto inside = r.ask(msi), below = r.ask(msi - 0x1000), at = r.ask(0xfdf8000000);
    BOOST_CHECK(inside.status == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(uint32_t{inside.of.rights} == 0u);
    BOOST_TEST(uint32_t{at.of.rights} == 0u);
    BOOST_TEST(uint32_t{below.of.rights} == uint32_t{all_rights});
    BOOST_TEST(below.of.length <= 0x1000u);
    BOOST_TEST(r.events().empty());
}

namespace
{

constexpr uint64_t io = 0xfdfc000000, system_management = 0xfdf9100000;

/* A rig whose entry of the device table says what happens in these ranges. */
struct other_ranges : interrupts_rig {
    using interrupts_rig::interrupts_rig;
    void entry_says(uint64_t io_ctl, uint64_t sys_mgt, uint64_t more = 0)
    {
        const uint64_t w = ww_bits_put(WW_DTE_IO_CTL, 7 | more, io_ctl);
        memory.put(devtab_pa + 8, ww_bits_put(WW_DTE_SYS_MGT, w, sys_mgt));
        inval_devtab(0);
    }
    /* Maps the page at io by a table of four levels. */
    void map_io()
    {
        device_entry(0, root | UINT64_C(4) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, 7);
        memory.put(root + ww_index(io, 4) * 8, ww_amd_table_entry(next_node, 3));
        map(new_node(), io & WW_BITS64(38, 0), data_pa);
    }
};

} // namespace

BOOST_DATA_TEST_CASE(other_ranges_are_refused, both, mode)
{
    interrupts_rig r(mode);
    const uint64_t top = 0xffffffff00;
    BOOST_CHECK(r.access(wr, io, 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(io) == code(8, type(2)));
    BOOST_CHECK(r.access(wr, system_management, 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(system_management) == code(8, type(7)));
    BOOST_CHECK(r.access(rd, top, 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.event(top) == code(8, type(4)));
    BOOST_TEST(r.messages.empty());
}

BOOST_DATA_TEST_CASE(other_ranges_pass_where_the_entry_says_so, both, mode)
{
    other_ranges r(mode);
    r.entry_says(1, 1);
    BOOST_CHECK(r.access(wr, io, 1) == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(r.access(wr, system_management, 2) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.messages == (std::vector<interrupts_rig::heard>{{io, 1, 4}, {system_management, 2, 4}}),
               boost::test_tools::per_element());
    BOOST_TEST(r.iommu.stats().interrupts == 0u);
}

BOOST_DATA_TEST_CASE(another_range_is_memory_where_the_entry_says_so, both, mode)
{
    other_ranges r(mode);
    r.entry_says(2, 3);
    BOOST_CHECK(r.access(wr, io, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE); /* beyond three levels */
    BOOST_TEST(r.event(io) == code(2, WW_EVENT_RW));
    r.map_io();
    r.entry_says(2, 0);
    for (unsigned round = 0; round < 2; ++round) /* and it is then held as memory is */
        BOOST_CHECK(r.access(wr, io, 0x77) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.memory.get<uint32_t>(iommu_rig::data_pa) == 0x77u);
    BOOST_TEST(r.iommu.stats().tlb_hits == 1u);
    BOOST_TEST(r.iommu.stats().interrupts == 0u);
}

BOOST_DATA_TEST_CASE(no_device_keeps_a_translation_of_another_range_whether_it_is_held_or_not, both, mode)
{
    other_ranges r(mode);
    r.map_io();
    r.entry_says(2, 0, WW_DTE_I);
    const auto asks = [](access_attributes &a) { a.type = address_type::translation_request; };
    for (unsigned round = 0; round < 2; ++round) {
        BOOST_CHECK(r.access(rd, io, 0, 4, asks) != tlm::TLM_OK_RESPONSE);
        BOOST_CHECK(r.access(wr, io, 0x78) == tlm::TLM_OK_RESPONSE);
    }
}

/* A debug access changes no state that an interrupt could change, and sees no message. */
BOOST_DATA_TEST_CASE(debug_access_sends_nothing_that_would_be_remapped, both, mode)
{
    interrupts_rig r(mode);
    r.interrupt_table(control(2));
    r.entry(3, to(1, 0x31));
    BOOST_TEST(r.vector(3) == 0x31u); /* all is held: memory is not read */
    r.messages.clear();
    const auto before = state_of(r);
    const uint64_t debugged = r.memory.debugged;
    transaction t(wr, msi, 4);
    t.data[0] = 3;
    BOOST_TEST(r.masters[0].out->transport_dbg(t.p) == 0u);
    BOOST_TEST((state_of(r) == before));
    BOOST_TEST(r.messages.empty());
    BOOST_TEST(r.memory.debugged == debugged);
}

BOOST_AUTO_TEST_SUITE_END()
