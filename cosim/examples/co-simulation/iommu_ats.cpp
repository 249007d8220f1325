/* SPDX-License-Identifier: MIT */
/* A device with its own TLB requests a page's translation from an IOMMU, and again only after the IOMMU
 * invalidates it. */
#include "walkway/device/iommu_device.hpp"

#include <cstring>
#include <map>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

struct board : sc_core::sc_module { /* memory, and the device */
    tlm_utils::multi_passthrough_target_socket<board, 64> ram{"ram"}, forget{"forget"};
    tlm_utils::simple_initiator_socket<board, 64> dma{"dma"}, ats{"ats"}, registers{"registers"};
    std::vector<uint64_t> words = std::vector<uint64_t>(1 << 17);
    std::map<uint64_t, uint64_t> tlb; /* page number to physical address */
    explicit board(const sc_core::sc_module_name &n) : sc_module(n)
    {
        ram.register_b_transport(this, &board::memory);
        forget.register_b_transport(this, &board::invalidated);
    }
    void memory(int, tlm::tlm_generic_payload &p, sc_core::sc_time &)
    {
        void *at = &words[p.get_address() / 8], *given = p.get_data_ptr();
        std::memcpy(p.is_read() ? given : at, p.is_read() ? at : given, p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void invalidated(int, tlm::tlm_generic_payload &p, sc_core::sc_time &)
    {
        const walkway::device_invalidation &of = p.get_extension<walkway::invalidation_extension>()->of;
        tlb.erase(tlb.lower_bound(of.first_va >> 12), tlb.upper_bound(of.last_va >> 12));
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    template <class S, class E> uint64_t send(S &out, tlm::tlm_command c, uint64_t at, uint64_t word, E &with)
    {
        tlm::tlm_generic_payload p;
        sc_core::sc_time delay;
        p.set_command(c), p.set_address(at), p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        p.set_data_length(8), p.set_streaming_width(8), p.set_extension(&with);
        out->b_transport(p, delay), sc_core::wait(delay), p.clear_extension(&with);
        return word;
    }
    uint64_t read(uint64_t iova)
    {
        walkway::translation_extension ask;
        walkway::attributes_extension who;
        if (tlb.count(iova >> 12) == 0) {
            send(ats, tlm::TLM_IGNORE_COMMAND, iova & ~uint64_t{4095}, 0, ask);
            tlb[iova >> 12] = ask.of.pa;
        }
        who.of.type = walkway::address_type::translated;
        return send(dma, tlm::TLM_READ_COMMAND, tlb[iova >> 12] | (iova & 4095), 0, who);
    }
};

int sc_main(int, char **)
{
    board b("board");
    walkway::iommu_device<64> iommu("iommu");
    b.dma.bind(iommu.up[0]), b.ats.bind(iommu.ats_req[0]), iommu.ats_inv[0].bind(b.forget);
    b.registers.bind(iommu.registers), iommu.down[0].bind(b.ram), iommu.walker.bind(b.ram);
    bool right = false;
    sc_core::sc_spawn([&] {
        walkway::attributes_extension cpu;
        const auto set = [&](uint64_t at, uint64_t word) {
            b.send(b.registers, tlm::TLM_WRITE_COMMAND, at, word, cpu);
        };
        constexpr uint64_t page = UINT64_C(3) << 61 | 1, has_tlb = UINT64_C(1) << 32, op = UINT64_C(1) << 60;
        b.words[0x2000] = 0x30000 | page | 2 | 1 << 9, b.words[0x2001] = has_tlb; /* device 0 */
        b.words[0x6004] = 0x80000 | page, b.words[0x10000] = 1, b.words[0x12000] = 2;
        set(0x00, 0x10000), set(0x08, 0x20000 | UINT64_C(8) << 56), set(0x18, 1 | 1 << 12);
        right = b.read(0x4000) == 1 && b.read(0x4008) == 0 && b.tlb.size() == 1;
        b.words[0x6004] = 0x90000 | page; /* moves it; commands: invalidate both TLBs, store 7 */
        const uint64_t commands[] = {3 * op, 0x4000, 4 * op, 0x4000, op | 0x40001, 7};
        std::memcpy(&b.words[0x4000], commands, sizeof commands);
        set(0x2008, sizeof commands), sc_core::wait(1, sc_core::SC_US);
        right = right && b.words[0x8000] == 7 && b.tlb.empty() && b.read(0x4000) == 2;
    });
    sc_core::sc_start();
    return right ? 0 : 1;
}
