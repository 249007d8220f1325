/* SPDX-License-Identifier: MIT */
/* A four-phase IOMMU between a DMA initiator that keeps many reads in flight and a memory that serves them in
 * parallel. The initiator reads a page through I/O virtual addresses. A read beyond the page is refused. */
#include "walkway/device/at_requester.hpp"
#include "walkway/device/iommu_device.hpp"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>

using gp = tlm::tlm_generic_payload;
const sc_core::sc_time latency(30, sc_core::SC_NS);

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory, 64> data{"data"}, tables{"tables"};
    tlm_utils::peq_with_get<gp> due{"due"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 20);
    SC_HAS_PROCESS(memory);
    explicit memory(const sc_core::sc_module_name &n) : sc_module(n)
    {
        data.register_nb_transport_fw(this, &memory::take);
        tables.register_b_transport(this, &memory::serve); /* the socket turns phases into this call */
        SC_METHOD(respond);
        sensitive << due.get_event();
    }
    void put(uint64_t at, uint64_t word) { std::memcpy(&bytes[at], &word, 8); }
    void serve(gp &p, sc_core::sc_time &delay)
    {
        delay += latency;
        std::memcpy(p.get_data_ptr(), &bytes[p.get_address() % bytes.size()], p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum take(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        p.acquire();
        due.notify(p, delay + latency);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void respond()
    {
        while (gp *p = due.get_next_transaction()) {
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time unused, none;
            serve(*p, unused);
            data->nb_transport_bw(*p, phase, none); /* the IOMMU ends every response within the call */
            p->release();
        }
    }
};

int sc_main(int, char **)
{
    memory ram("ram");
    walkway::at_requester<64> dma("dma"), cpu("cpu");
    walkway::iommu_device_params p;
    p.mode = static_cast<uint8_t>(walkway::transport_mode::at);
    walkway::iommu_device<64> iommu("iommu", 1, p);
    dma.out.bind(iommu.up[0]), cpu.out.bind(iommu.registers);
    iommu.down[0].bind(ram.data), iommu.walker.bind(ram.tables);
    const uint64_t all = UINT64_C(3) << 61 | 1; /* present, read and write */
    ram.put(0x10000, 0x30000 | all | 2 | 1 << 9), ram.put(0x30000 + 4 * 8, 0x80000 | all);
    std::memset(&ram.bytes[0x80000], 0x5a, 4096);
    std::vector<uint64_t> page(513);
    uint64_t set[] = {0x10000, 1}; /* device table; enables translation */
    unsigned good = 0;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    cpu.send(tlm::TLM_WRITE_COMMAND, 0x00, &set[0], 8, [](const gp &) {});
    cpu.send(tlm::TLM_WRITE_COMMAND, 0x18, &set[1], 8, [&](const gp &) {
        for (unsigned i = 0; i <= 512; ++i) /* the last one is in the next page */
            dma.send(tlm::TLM_READ_COMMAND, 0x4000 + i * 8, &page[i], 8,
                     [&good](const gp &answer) { good += answer.is_response_ok(); });
    });
    sc_core::sc_start();
    std::printf("a page read in %s\n", sc_core::sc_time_stamp().to_string().c_str());
    return good == 512 && page[511] == UINT64_C(0x5a5a5a5a5a5a5a5a) ? 0 : 1;
}
