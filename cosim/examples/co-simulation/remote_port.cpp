/* SPDX-License-Identifier: MIT */
/* A device in one simulation uses the IOMMU of another one over Remote-Port: it requests the translation of a
 * page and writes to the page. Each simulation is a process; an emulator may replace either. */
#include "walkway/device/iommu_device.hpp"
#include "walkway/remote_port/iommu_agent.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <unistd.h>

constexpr uint32_t device = 21;

/* ---- The device ---- */

struct endpoint : sc_core::sc_module, walkway::remote_port_service {
    SC_HAS_PROCESS(endpoint);
    walkway::remote_port_peer port;
    endpoint(const sc_core::sc_module_name &n, const std::string &place)
        : sc_module(n), port("port", {place}, *this)
    {
        SC_THREAD(work);
    }
    void work()
    {
        const walkway::remote_translation t =
            port.translate(device, 0x5000, WW_RP_ATS_READ | WW_RP_ATS_WRITE);
        std::printf("0x5000 lies at 0x%llx\n", static_cast<unsigned long long>(t.pa));
        char text[] = "from a device elsewhere";
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(t.pa);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(text));
        p.set_data_length(sizeof text);
        p.set_streaming_width(sizeof text);
        port.access(device, p, true); /* with the translated address */
        sc_core::sc_stop();
    }
};

/* ---- The platform with the IOMMU ---- */

struct platform : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<platform, 32> ram{"ram"};
    tlm_utils::simple_initiator_socket<platform, 32> registers{"registers"};
    std::vector<uint64_t> words = std::vector<uint64_t>(1 << 16);
    explicit platform(const sc_core::sc_module_name &n) : sc_module(n)
    {
        ram.register_b_transport(this, &platform::memory);
        const uint64_t rights = UINT64_C(3) << 61 | 1;                    /* present, read and write */
        words[(0x1000 + device * 32) / 8] = 0x3000 | rights | 2 | 1 << 9; /* one level at 0x3000 */
        words[(0x1000 + device * 32) / 8 + 1] = WW_DTE_I;
        words[0x3000 / 8 + 5] = 0x8000 | rights;
    }
    void memory(int, tlm::tlm_generic_payload &p, sc_core::sc_time &)
    {
        unsigned char *at = reinterpret_cast<unsigned char *>(words.data()) + p.get_address();
        std::memcpy(p.is_read() ? p.get_data_ptr() : at, p.is_read() ? at : p.get_data_ptr(),
                    p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void set(uint64_t at, uint64_t word)
    {
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(at);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        p.set_data_length(8);
        p.set_streaming_width(8);
        registers->b_transport(p, delay);
    }
    void start_of_simulation() override /* as a loader does: before the device's first request */
    {
        set(0x00, 0x1000); /* the device table */
        set(0x18, 1);      /* enables translation */
    }
};

struct agent : walkway::remote_port_iommu_agent<32> {
    using walkway::remote_port_iommu_agent<32>::remote_port_iommu_agent;
    void ended(const std::string &) override { sc_core::sc_stop(); }
};

int sc_main(int, char *[])
{
    const std::string place = "unix:/tmp/walkway-remote-port." + std::to_string(getpid());
    const pid_t child = fork();
    if (child == 0) {
        endpoint e("endpoint", place);
        sc_core::sc_start();
        return 0;
    }
    platform p("platform");
    walkway::iommu_device<32> iommu("iommu");
    agent from("agent");
    walkway::remote_port_peer port("port", {place}, from);
    from.serves(port);
    port.accesses.bind(iommu.up[0]);
    from.ats_req.bind(iommu.ats_req[0]);
    iommu.ats_inv[0].bind(from.ats_inv);
    iommu.down[0].bind(p.ram);
    iommu.walker.bind(p.ram);
    p.registers.bind(iommu.registers);
    sc_core::sc_start();
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("the software reads: %s\n", reinterpret_cast<const char *>(&p.words[0x8000 / 8]));
    return std::strcmp(reinterpret_cast<const char *>(&p.words[0x8000 / 8]), "from a device elsewhere") ==
                       0 &&
                   status == 0
               ? 0
               : 1;
}
