/* SPDX-License-Identifier: MIT */
/* An IOMMU between a DMA initiator and a memory that are unaware of it: simple sockets, loosely timed. The
 * initiator copies a page through I/O virtual addresses. A write beyond the page is refused and logged. */
#include "walkway/device/iommu_device.hpp"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory, 64> data{"data"}, tables{"tables"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 20);
    explicit memory(const sc_core::sc_module_name &n) : sc_module(n)
    {
        data.register_b_transport(this, &memory::serve);
        tables.register_b_transport(this, &memory::serve);
    }
    void serve(tlm::tlm_generic_payload &p, sc_core::sc_time &delay)
    {
        delay += sc_core::sc_time(30, sc_core::SC_NS);
        unsigned char *at = &bytes[p.get_address() % bytes.size()];
        unsigned char *from = p.is_read() ? at : p.get_data_ptr(), *to = p.is_read() ? p.get_data_ptr() : at;
        std::memcpy(to, from, p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void put(uint64_t at, uint64_t word) { std::memcpy(&bytes[at], &word, 8); }
};

struct master : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<master, 64> dma{"dma"}, registers{"registers"};
    bool right = false;
    SC_HAS_PROCESS(master);
    explicit master(const sc_core::sc_module_name &n) : sc_module(n) { SC_THREAD(run); }
    bool access(tlm_utils::simple_initiator_socket<master, 64> &out, bool write, uint64_t at, void *data)
    {
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay;
        p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(at);
        p.set_data_ptr(static_cast<unsigned char *>(data));
        p.set_data_length(8);
        p.set_streaming_width(8);
        out->b_transport(p, delay);
        wait(delay);
        return p.is_response_ok();
    }
    void set(uint64_t offset, uint64_t value) { access(registers, true, offset, &value); }
    void run()
    {
        set(0x00, 0x10000);                     /* device table */
        set(0x10, 0x20000 | UINT64_C(8) << 56); /* event log of 256 entries */
        set(0x18, 1 | 1 << 2);                  /* enables translation and the log */
        uint64_t word = 0, tail = 0;
        right = true;
        for (uint64_t at = 0; at < 4096; at += 8)
            right = right && access(dma, false, 0x4000 + at, &word) && access(dma, true, 0x5000 + at, &word);
        right = right && !access(dma, true, 0x6000, &word) && access(registers, false, 0x2018, &tail) &&
                tail == 16;
        std::printf("a page copied in %s\n", sc_core::sc_time_stamp().to_string().c_str());
    }
};

int sc_main(int, char **)
{
    memory ram("ram");
    master dma("dma");
    walkway::iommu_device<64> iommu("iommu");
    dma.dma.bind(iommu.up[0]), dma.registers.bind(iommu.registers);
    iommu.down[0].bind(ram.data), iommu.walker.bind(ram.tables);
    const uint64_t all = UINT64_C(3) << 61 | 1;   /* present, read and write */
    ram.put(0x10000, 0x30000 | all | 2 | 1 << 9); /* device 0: a table of one level at 0x30000 */
    ram.put(0x30000 + 4 * 8, 0x80000 | all), ram.put(0x30000 + 5 * 8, 0x90000 | all);
    std::memset(&ram.bytes[0x80000], 0x5a, 4096);
    sc_core::sc_start();
    return dma.right && std::memcmp(&ram.bytes[0x90000], &ram.bytes[0x80000], 4096) == 0 ? 0 : 1;
}
