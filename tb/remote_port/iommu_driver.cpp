/* SPDX-License-Identifier: MIT */
/* tb/remote_port/iommu_driver.cpp - an IOMMU of ours as the translation agent of a Remote-Port session, for
 * iommu_test.py. First word: the peer's address. Second: the most seconds of the host that an invalidate may
 * take. Third, "map": master 0x15 of any channel is requester 21; so is channel 9, which carries that
 * requester's translations. Requesters 21 and 22 have one page, 0x5000 at 0x8000; only 21 has a TLB. A rising
 * wire of the peer makes the driver invalidate the page. Prints what happens. */
#include "device/iommu_device.hpp"
#include "remote_port/iommu_agent.hpp"

#include <cstdio>
#include <cstring>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using namespace walkway;

namespace
{

constexpr uint64_t table = 0x1000, root = 0x3000, commands = 0x4000, events = 0x5000, flag = 0x6000,
                   page = 0x8000;

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> data{"data"}, tables{"tables"};
    unsigned secure = 0; /* secure accesses */
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 16);
    explicit memory(const sc_core::sc_module_name &n) : sc_module(n)
    {
        data.register_b_transport(this, &memory::serve);
        tables.register_b_transport(this, &memory::serve);
    }
    void serve(tlm::tlm_generic_payload &p, sc_core::sc_time &)
    {
        if (p.get_address() + p.get_data_length() > bytes.size()) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        const auto *who = p.get_extension<attributes_extension>();
        secure += who != nullptr && who->of.secure;
        unsigned char *here = &bytes[p.get_address()];
        std::memcpy(p.is_read() ? p.get_data_ptr() : here, p.is_read() ? here : p.get_data_ptr(),
                    p.get_data_length());
        wait(10, sc_core::SC_NS); /* a walk takes time */
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    uint64_t get(uint64_t at) const
    {
        uint64_t word;
        std::memcpy(&word, &bytes[at], 8);
        return word;
    }
    void put(uint64_t at, uint64_t word) { std::memcpy(&bytes[at], &word, 8); }
};

struct agent : remote_port_iommu_agent<32> {
    using remote_port_iommu_agent<32>::remote_port_iommu_agent;
    sc_core::sc_event rises, over;
    bool is_over = false;
    void interrupt(uint32_t, uint32_t, bool value) override
    {
        if (value)
            rises.notify();
    }
    void ended(const std::string &why) override
    {
        std::printf("ended: %s\n", why.c_str());
        is_over = true;
        over.notify();
    }
};

struct software : sc_core::sc_module {
    SC_HAS_PROCESS(software);
    tlm_utils::simple_initiator_socket<software> registers{"registers"};
    memory &ram;
    agent &from;
    software(const sc_core::sc_module_name &n, memory &m, agent &a) : sc_module(n), ram(m), from(a)
    {
        const uint64_t rights = UINT64_C(3) << 61 | 1; /* present, read and write */
        ram.put(table + 21 * 32, root | rights | 2 | 1 << 9);
        ram.put(table + 21 * 32 + 8, WW_DTE_I | 7);
        ram.put(table + 22 * 32, root | rights | 2 | 1 << 9);
        ram.put(root + 5 * 8, page | rights);
        SC_THREAD(work);
    }
    void set(uint64_t offset, uint64_t value)
    {
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(offset);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        p.set_data_length(8);
        p.set_streaming_width(8);
        registers->b_transport(p, delay);
    }
    void work()
    {
        set(0x00, table);
        set(0x08, commands | UINT64_C(8) << 56);
        set(0x10, events | UINT64_C(8) << 56);
        set(0x18, 1 | 1 << 2 | 1 << 12);
        std::printf("ready\n");
        wait(from.rises);
        ram.put(commands, UINT64_C(4) << 60 | 1 << 24 | 21);
        ram.put(commands + 8, 0x5000);
        ram.put(commands + 16, UINT64_C(1) << 60 | flag | 1);
        ram.put(commands + 24, 1);
        set(0x2008, 32);
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        while (ram.get(flag) == 0)
            wait(1, sc_core::SC_US);
        const bool late = sc_core::sc_time_stamp() - start > sc_core::sc_time(900, sc_core::SC_US);
        wait(1, sc_core::SC_US);
        if (ram.secure != 0)
            std::printf("secure %u\n", ram.secure);
        std::printf("completed%s\npage %.8s\n", late ? " late" : "", &ram.bytes[page + 0x10]);
        for (unsigned i = 0; ram.get(events + i * 16) != 0; ++i)
            std::printf("event %u of %x\n", static_cast<unsigned>(ram.get(events + i * 16) >> 60),
                        static_cast<unsigned>(ram.get(events + i * 16) & 0xffff));
        while (!from.is_over) /* the waiting processes have ended by then */
            wait(from.over);
        wait(1, sc_core::SC_US);
        sc_core::sc_stop();
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc != 3 && argc != 4)
        return 2;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    try {
        memory ram("ram");
        iommu_device<32> iommu("iommu");
        agent from("agent", std::atof(argv[2]));
        software driver("software", ram, from);
        remote_port_peer port("port", {argv[1], false}, from, 20.0);
        from.serves(port);
        if (argc == 4)
            port.map({[](const remote_requester &r) {
                          return r.master_id == 0x15 || r.channel == 9 ? 21 : r.channel;
                      },
                      [](uint32_t requester) { return requester == 21 ? 9 : requester; }});
        port.accesses.bind(iommu.up[0]);
        iommu.down[0].bind(ram.data);
        iommu.walker.bind(ram.tables);
        driver.registers.bind(iommu.registers);
        from.ats_req.bind(iommu.ats_req[0]);
        iommu.ats_inv[0].bind(from.ats_inv);
        sc_core::sc_start();
    } catch (const std::runtime_error &e) {
        std::printf("refused: %s\n", e.what());
        return 1;
    }
    return 0;
}
