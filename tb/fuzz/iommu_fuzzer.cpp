/* SPDX-License-Identifier: MIT */
/* tb/fuzz/iommu_fuzzer.cpp - libFuzzer on the IOMMU as a device, in either mode: the first bytes select the
 * mode and the set-up, the rest are actions of software and devices: words of tables and of other memory,
 * registers, commands, accesses, requests for translations and pages, direct memory pointers, resets. For any
 * input, every access is answered; whatever is forwarded, granted or answered to a device's request is where
 * a walk of the tables leads (iommu_reference.hpp); registers keep to their declaration, heads and tails to
 * their rings; and after a reset the IOMMU works as after its construction. */
#include "device/at_requester.hpp"
#include "device/iommu_device.hpp"
#include "device/test_memory.hpp"
#include "device/translation_services.hpp"
#include "kernels/table/amd_pte.h"
#include "tb/fuzz/iommu_input.hpp"
#include "tb/fuzz/iommu_reference.hpp"
#include "tb/support/blocking_ends.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>

/* SystemC's library needs it; libFuzzer has the main(). */
extern "C" int sc_main(int, char **)
{
    return 0;
}

/* The leak check does not search the stacks of SystemC's threads and would report libFuzzer's own memory. */
extern "C" const char *__asan_default_options()
{
    return "detect_leaks=0";
}

namespace
{

using namespace walkway;
using namespace walkway_fuzz;
using payload = tlm::tlm_generic_payload;

[[noreturn]] void defect(const char *what, uint64_t detail = 0)
{
    std::fprintf(stderr, "defect: %s (%#llx)\n", what, static_cast<unsigned long long>(detail));
    std::abort();
}

void hold(bool so, const char *what, uint64_t detail = 0)
{
    if (!so)
        defect(what, detail);
}

struct job {
    payload p;
    unsigned char data[64] = {}, enables[4] = {};
    access_attributes who;
    translation_extension translation;
    page_request_extension page;
    uint64_t va = 0;
    bool answered = false, may_pass = false; /* may_pass: the IOMMU may have been off */

    ~job()
    {
        p.clear_extension(&translation);
        p.clear_extension(&page);
    }
};

struct watched_memory final : test_memory<32> {
    std::function<void(const payload &)> before;
    using test_memory::test_memory;
    tlm::tlm_response_status serve(payload &p) override
    {
        before(p);
        return test_memory::serve(p);
    }
};

/* One IOMMU with its surroundings. */
struct platform final : sc_core::sc_module, test::blocking_initiator, test::blocking_target {
    using initiator = tlm::tlm_initiator_socket<32>;
    const bool phases;
    iommu_device<32> iommu;
    watched_memory memory;
    reference tables;
    at_requester<32> in_phases{"in_phases"};
    initiator out{"out"}, cpu{"cpu"}, asks{"asks"}, pages{"pages"};
    tlm::tlm_target_socket<32> forgets{"forgets"}, hears{"hears"};
    std::map<const unsigned char *, const job *> known;
    std::deque<job> jobs;
    std::deque<std::pair<job *, initiator *>> todo;
    sc_core::sc_event more;
    const std::function<void()> *script = nullptr;
    sc_core::sc_event begin;
    uint8_t device_answers = 0;
    uint64_t moved = 0; /* bit r: software has written register r since the set-up */

    platform(const sc_core::sc_module_name &n, transport_mode mode)
        : sc_module(n), phases(mode == transport_mode::at), iommu("iommu", 1, of(mode)),
          memory("memory", memory_bytes, sc_core::sc_time(20, sc_core::SC_NS), 3)
    {
        for (initiator *s : {&out, &cpu, &asks, &pages})
            s->bind(*this);
        forgets.bind(*this);
        hears.bind(*this);
        if (phases) {
            in_phases.out.bind(iommu.up[0]);
            out.bind(memory.up[2]);
        } else {
            out.bind(iommu.up[0]);
            in_phases.out.bind(memory.up[2]);
        }
        iommu.down[0].bind(memory.up[0]);
        iommu.walker.bind(memory.up[1]);
        cpu.bind(iommu.registers);
        asks.bind(iommu.ats_req[0]);
        pages.bind(iommu.pri_req[0]);
        iommu.ats_inv[0].bind(forgets);
        iommu.pri_resp[0].bind(hears);
        iommu.identify([this](unsigned, const payload &p, access_attributes &a) {
            const auto it = known.find(p.get_data_ptr());
            if (it != known.end())
                a = it->second->who;
        });
        memory.before = [this](const payload &p) { reaches_memory(p); };
        SC_HAS_PROCESS(platform);
        SC_THREAD(software);
        for (unsigned i = 0; i < 4; ++i)
            sc_core::sc_spawn([this] { devices(); });
    }
    static iommu_device_params of(transport_mode mode)
    {
        iommu_device_params p; /* small, so that entries are soon evicted */
        p.mode = static_cast<uint8_t>(mode);
        p.tlb_entries = 8;
        p.tlb_ways = 2;
        p.walk_cache_entries = 4;
        p.contexts = 2;
        p.accesses_per_port = 4;
        p.dmi = static_cast<uint8_t>(dmi_policy::always);
        return p;
    }

    /* Checks that pa is where va of the job leads, with rights for what it wants. */
    void arrives(const job &j, uint64_t va, uint64_t pa, uint8_t wants, const char *otherwise) const
    {
        const bool request =
            j.p.get_extension<translation_extension>() != nullptr; /* of an untranslated address */
        const reference::access a = {va,
                                     j.who.stream_id,
                                     j.who.pasid,
                                     j.who.has_pasid,
                                     j.who.type == address_type::translated && !request,
                                     wants};
        hold((j.may_pass && va == pa) || tables.leads(memory.bytes, a, pa), otherwise, va);
    }
    /* Checks the first and the last byte: so short an access spans at most two pages, and the device splits
     * it there. */
    void reaches_memory(const payload &p)
    {
        const uint64_t n = std::min(p.get_data_length(), p.get_streaming_width());
        const auto after = known.upper_bound(p.get_data_ptr());
        if (after != known.begin()) {
            const job &j = *std::prev(after)->second;
            const auto offset = static_cast<uint64_t>(p.get_data_ptr() - j.data);
            const unsigned whole = j.p.get_data_length(), width = j.p.get_streaming_width();
            if (offset < sizeof j.data && n != 0) {
                const uint64_t va = j.va + offset % (phases ? whole : std::min(whole, width));
                const uint8_t wants = p.is_write()    ? reference::w
                                      : !p.is_read()  ? uint8_t{0}
                                      : j.who.execute ? reference::x
                                                      : reference::r;
                arrives(j, va, p.get_address(), wants, "an access that the tables lead elsewhere");
                arrives(j, va + n - 1, p.get_address() + n - 1, wants, "an access that ends elsewhere");
            }
        }
        if (p.is_write())
            changes(p.get_address(), n);
    }
    /* Before the first access the device holds no old value. */
    void changes(uint64_t at, uint64_t n)
    {
        if (!jobs.empty())
            tables.changes(memory.bytes, at, n);
    }
    void put(uint64_t at, uint64_t word)
    {
        changes(at, 8);
        memory.put(at, word);
    }
    void reset()
    {
        all_may_pass();
        iommu.reset();
        moved = 0;
        device_table_moved();
    }
    void device_table_moved()
    {
        if (jobs.empty())
            tables.start(read(WW_IOMMU_DEVTAB));
        else
            tables.device_table(read(WW_IOMMU_DEVTAB));
    }
    void all_may_pass()
    {
        for (job &j : jobs)
            j.may_pass = true;
    }
    /* For a moment when nothing is in flight: old tables do not count. */
    void clear()
    {
        known.clear();
        jobs.clear();
        std::fill(memory.bytes.begin(), memory.bytes.end(), 0);
        tables.start(0);
    }

    void software()
    {
        for (;;) {
            sc_core::wait(begin);
            (*script)();
            script = nullptr;
        }
    }
    void devices()
    {
        for (;;) {
            while (todo.empty())
                sc_core::wait(more);
            const auto [j, socket] = todo.front();
            todo.pop_front();
            sc_core::sc_time delay;
            (*socket)->b_transport(j->p, delay);
            answered(*j, j->p);
        }
    }
    void answered(job &j, const payload &p)
    {
        hold(!j.answered, "an access is answered twice");
        hold(p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "an answer without a response status");
        j.answered = true;
        const translation_request &t = j.translation.of;
        if (p.get_extension<translation_extension>() != nullptr && p.is_response_ok() && t.rights != 0) {
            arrives(j, j.va, t.pa, t.rights, "a translation that is another one");
            arrives(j, j.va + t.length - 1, t.pa + t.length - 1, t.rights, "a translation of another length");
        }
    }
    void send(job &j, initiator &socket)
    {
        if (&socket == &out && phases) {
            in_phases.send(j.p.get_command(), j.p.get_address(), j.data, j.p.get_data_length(),
                           [this, &j](const payload &p) { answered(j, p); });
            return;
        }
        todo.push_back({&j, &socket});
        more.notify();
    }
    job &make(tlm::tlm_command command, uint64_t at, unsigned bytes)
    {
        job &j = jobs.emplace_back();
        j.va = at;
        j.may_pass = (read(WW_IOMMU_CONTROL) & WW_IOMMU_CONTROL_ENABLE) == 0;
        j.p.set_command(command);
        j.p.set_address(at);
        j.p.set_data_ptr(j.data);
        j.p.set_data_length(bytes);
        j.p.set_streaming_width(bytes);
        j.p.set_byte_enable_ptr(nullptr);
        j.p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        known[j.data] = &j;
        return j;
    }

    uint64_t reg(tlm::tlm_command command, uint64_t at, uint64_t value, unsigned bytes = 8)
    {
        payload p;
        unsigned char data[8];
        sc_core::sc_time delay;
        std::memcpy(data, &value, 8);
        p.set_command(command);
        p.set_address(at);
        p.set_data_ptr(data);
        p.set_data_length(bytes);
        p.set_streaming_width(bytes);
        p.set_byte_enable_ptr(nullptr);
        cpu->b_transport(p, delay);
        hold(p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a register does not answer", at);
        std::memcpy(&value, data, 8);
        return value;
    }
    uint64_t read(uint32_t which) { return reg(tlm::TLM_READ_COMMAND, ww_iommu_reg_info[which].offset, 0); }
    void write(uint64_t at, uint64_t value, unsigned bytes = 8)
    {
        const uint32_t which = ww_iommu_reg_at(at & ~UINT64_C(7));
        if (which < WW_IOMMU_REGS)
            moved |= UINT64_C(1) << which;
        if (which == WW_IOMMU_CONTROL)
            all_may_pass();
        reg(tlm::TLM_WRITE_COMMAND, at, value, bytes);
        if (which == WW_IOMMU_DEVTAB)
            device_table_moved();
    }

    /* Serves invalidates of devices' TLBs and responses to page requests. */
    void b_transport(payload &p, sc_core::sc_time &) override
    {
        if (device_answers & 1)
            sc_core::wait(sc_core::sc_time(device_answers & 2 ? 1500 : 1, sc_core::SC_US));
        p.set_response_status(device_answers & 4 ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    }
};

/* Tables of three devices: three levels; one level, whose pages are in reverse order and every second read
 * only; and a page of 2 MiB for PASID 1. Rings of 256 entries, empty, with head and tail at `pointer`. */
void set_up(platform &p, uint64_t control, uint64_t pointer)
{
    p.put(devtab_pa, node_pa(0) | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW);
    p.put(devtab_pa + 8, 7 | WW_DTE_I);
    p.put(node_pa(0), ww_amd_table_entry(node_pa(1), 2));
    p.put(node_pa(1), ww_amd_table_entry(node_pa(2), 1));
    for (uint64_t i = 0; i < 8; ++i)
        p.put(node_pa(2) + i * 8, (data_pa + i * 4096) | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW);
    p.put(devtab_pa + 32, node_pa(3) | UINT64_C(1) << 9 | 3 | WW_AMD_IR | WW_AMD_IW);
    p.put(devtab_pa + 40, 8 | WW_DTE_I);
    for (uint64_t i = 0; i < 8; ++i)
        p.put(node_pa(3) + i * 8,
              (data_pa + (7 - i) * 4096) | WW_AMD_PR | WW_AMD_IR | (i % 2 == 0 ? WW_AMD_IW : 0));
    p.put(devtab_pa + 64,
          3 | WW_AMD_IR | WW_AMD_IW | WW_DTE_GV | ww_bits_put(WW_DTE_GCR3_A, 0, node_pa(4) >> 12 & 7));
    p.put(devtab_pa + 72, 9 | WW_DTE_I | ww_bits_put(WW_DTE_GCR3_B, 0, node_pa(4) >> 15 & 0xffff));
    p.put(node_pa(4) + 8, node_pa(5) | 1);
    p.put(node_pa(5), node_pa(6) | 7);
    p.put(node_pa(6), node_pa(7) | 7);
    p.put(node_pa(7), 0x87);
    p.write(0x00, devtab_pa);
    p.write(0x08, commands_pa | UINT64_C(8) << 56);
    p.write(0x10, events_pa | UINT64_C(8) << 56);
    p.write(0x38, page_log_pa | UINT64_C(8) << 56);
    for (const uint64_t at : {0x2000, 0x2008, 0x2010, 0x2018, 0x2030, 0x2038})
        p.write(at, pointer);
    p.write(0x18, control);
    p.moved = 0;
}

void direct(platform &p, job &j)
{
    tlm::tlm_dmi dmi;
    const unsigned char *first = p.memory.bytes.data();
    if (p.phases ? !p.in_phases.out->get_direct_mem_ptr(j.p, dmi) : !p.out->get_direct_mem_ptr(j.p, dmi))
        return;
    const uint64_t at = j.p.get_address(), start = dmi.get_start_address(), end = dmi.get_end_address();
    const uint64_t last = end - start;
    hold(at >= start && at <= end, "a pointer to elsewhere", at);
    hold(dmi.get_dmi_ptr() >= first && last < memory_bytes &&
             static_cast<uint64_t>(dmi.get_dmi_ptr() - first) <= memory_bytes - 1 - last,
         "a pointer beyond memory", at);
    const uint64_t pa = static_cast<uint64_t>(dmi.get_dmi_ptr() - first);
    const uint8_t wants = static_cast<uint8_t>((dmi.is_read_allowed() ? reference::r : 0) |
                                               (dmi.is_write_allowed() ? reference::w : 0));
    for (const uint64_t va : {start, at, end})
        p.arrives(j, va, pa + (va - start), wants, "a pointer to another page");
}

void command(platform &p, uint64_t word0, uint64_t word1)
{
    const uint64_t base = p.read(WW_IOMMU_COMMAND) & WW_IOMMU_COMMAND_BASE,
                   at = p.read(WW_IOMMU_COMMAND_TAIL) & 0xff0;
    if (base + at + 16 <= memory_bytes) {
        p.put(base + at, word0);
        p.put(base + at + 8, word1);
    }
    p.write(0x2008, (at + 16) & 0xff0);
}

void access(platform &p, input &in)
{
    const uint8_t how = in.byte(), who = in.byte();
    const uint64_t va = in.address();
    job &j = p.make(how & 1 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, va, 1 + in.byte() % 64);
    j.who.stream_id = who & 3;
    j.who.has_pasid = who & 4;
    j.who.pasid = who >> 3 & 3;
    j.who.privileged = who & 32;
    j.who.execute = who & 64;
    j.who.type = static_cast<address_type>(who & 128 ? 2 : 0);
    if (how & 2) {
        j.p.set_byte_enable_ptr(j.enables);
        j.p.set_byte_enable_length(how >> 6);
        j.enables[how >> 4 & 3] = TLM_BYTE_ENABLED;
    }
    if (how & 4)
        j.p.set_streaming_width(1 + how % 32);
    switch (how >> 3 & 7) {
    case 5:
        direct(p, j);
        break;
    case 6: {
        j.translation.of.wants = static_cast<uint8_t>(how & 7);
        j.p.set_extension(&j.translation);
        p.send(j, p.asks);
        return;
    }
    case 7:
        j.page.of.group = who;
        j.page.of.last = how & 128;
        j.page.of.wants = static_cast<uint8_t>(how & 7);
        j.p.set_extension(&j.page);
        p.send(j, p.pages);
        return;
    default:
        p.send(j, p.out);
        return;
    }
    j.answered = true;
}

void step(platform &p, input &in)
{
    static const uint16_t at[] = {0x00,   0x08,   0x10,   0x18,   0x38,   0x158,  0x160,
                                  0x2000, 0x2008, 0x2010, 0x2018, 0x2020, 0x2030, 0x2038};
    const uint8_t what = in.byte();
    switch (what % 9) {
    case 0: {
        const uint64_t place = in.place(); /* separate statements fix the order of reading */
        p.put(place, in.word());
        break;
    }
    case 1: {
        const uint16_t which = at[in.byte() % 14];
        p.write(which, in.word());
        break;
    }
    case 2: {
        const uint64_t where = in.number(2), value = in.number(8);
        const unsigned bytes = 1 + what / 9 % 8;
        if (what & 128)
            p.reg(tlm::TLM_READ_COMMAND, where, value, bytes);
        else
            p.write(where, value, bytes);
        break;
    }
    case 3:
    case 4: {
        const uint64_t word0 = in.command(), word1 = in.word();
        command(p, word0, word1);
        break;
    }
    case 5:
        sc_core::wait(sc_core::sc_time(in.byte() * (what & 128 ? 100 : 1), sc_core::SC_NS));
        break;
    case 6:
        if (in.byte() % 4 == 0) {
            p.reset();
        } else {
            p.write(0x18, in.number(3));
        }
        break;
    default:
        access(p, in);
        break;
    }
}

void check_registers(platform &p)
{
    const ww_iommu_field *f;
    for (uint32_t i = 0; (f = ww_iommu_field_at(i)) != nullptr; ++i) {
        const bool fixed = f->access == WW_REG_RSV || (f->access == WW_REG_RO && f->reg != WW_IOMMU_STATUS);
        if (fixed)
            hold(ww_bits_get(WW_BITS64(f->high, f->low), p.read(f->reg)) == f->reset,
                 "a bit changes that nobody can write", ww_iommu_reg_info[f->reg].offset);
    }
    const uint64_t control = p.read(WW_IOMMU_CONTROL), status = p.read(WW_IOMMU_STATUS);
    hold((status & WW_IOMMU_STATUS_COMMAND_RUN) == 0 ||
             ((control & WW_IOMMU_CONTROL_COMMAND_EN) != 0 && (control & WW_IOMMU_CONTROL_ENABLE) != 0),
         "commands run that are not enabled", control);
    static const uint32_t rings[][3] = {{WW_IOMMU_COMMAND, WW_IOMMU_COMMAND_HEAD, WW_IOMMU_COMMAND_TAIL},
                                        {WW_IOMMU_EVENT, WW_IOMMU_EVENT_HEAD, WW_IOMMU_EVENT_TAIL},
                                        {WW_IOMMU_PPR, WW_IOMMU_PPR_HEAD, WW_IOMMU_PPR_TAIL}};
    for (const auto &ring : rings)
        for (unsigned i = 1; i < 3; ++i)
            if ((p.moved & (UINT64_C(1) << ring[0] | UINT64_C(1) << ring[i])) == 0)
                hold(p.read(ring[i]) < UINT64_C(16) << (p.read(ring[0]) >> 56 & 15), "beyond the ring",
                     ring[i]);
    if (const char *broken = p.iommu.core().check())
        defect(broken);
}

void run(platform &p, const std::function<void()> &script)
{
    p.script = &script;
    p.begin.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS));
    hold(p.script == nullptr, "software waits for ever");
    for (const job &j : p.jobs)
        hold(j.answered, "an access is not answered", j.p.get_address());
}

void works(platform &p)
{
    constexpr uint64_t flag = data_pa + 0x8000;
    p.clear();
    p.memory.put(data_pa + 0x3008, 0x1122334455667788);
    set_up(p, everything_on, 0);
    run(p, [&p] {
        job &read = p.make(tlm::TLM_READ_COMMAND, 0x3008, 8);
        read.who.stream_id = 0;
        p.send(read, p.out);
        command(p, UINT64_C(1) << 60 | flag | 1, 77);
    });
    uint64_t got;
    std::memcpy(&got, p.jobs.front().data, 8);
    hold(got == 0x1122334455667788, "after a reset an access does not find its data", got);
    hold(p.memory.get(flag) == 77, "after a reset a command is not done");
}

platform &of_mode(bool phases)
{
    static platform lt("lt", transport_mode::lt), at("at", transport_mode::at);
    static const bool elaborated = (sc_core::sc_start(sc_core::SC_ZERO_TIME), true);
    return elaborated && phases ? at : lt;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > 1024)
        return -1;
    input in(data, size);
    const uint8_t flags = in.byte();
    platform &p = of_mode(flags & 1);
    p.device_answers = flags >> 3;
    p.clear();
    p.reset();
    if (flags & 2)
        set_up(p, flags & 4 ? everything_on : in.number(3), flags & 64 ? 0xfd0 : 0);
    run(p, [&p, &in] {
        for (unsigned n = 0; !in.done() && n < 200; ++n)
            step(p, in);
    });
    check_registers(p);
    p.reset();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    works(p);
    return 0;
}
