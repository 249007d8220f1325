/* SPDX-License-Identifier: MIT */
/* An IOMMU with short latencies between a requester and a memory of fixed latency. A walk's read takes 10
 * down + 50 memory + 5 back = 65 cycles; a miss in both TLBs is known after 20; the answer takes 2. */
#ifndef WW_TB_MODEL_IOMMU_RIG_HPP
#define WW_TB_MODEL_IOMMU_RIG_HPP

#include "model/address_space.hpp"
#include "tb/model/iommu_params.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/requests.hpp"

namespace walkway::test
{

using xrow = row<xlat_protocol>;

constexpr uint64_t base_va = uint64_t{1} << 32;
constexpr uint64_t far_va = uint64_t{1} << 39; /* another level-4 entry */
constexpr uint64_t read_time = 65, miss_time = 20, way_up = 2;

inline iommu_params quick()
{
    iommu_params p;
    p.tlb.tlb1_entries = 4;
    p.tlb.tlb1_cycles = 4;
    p.tlb.tlb2_entries = 16;
    p.tlb.tlb2_ways = 4;
    p.tlb.tlb2_cycles = 20;
    p.tlb.ports = 4;
    p.tlb.queue_entries = 16;
    p.walk.queue_entries = 64; /* also for the pipeline: no machine makes room for the link */
    p.walk.buffer_entries = 16;
    p.walk.backlog_entries = 64;
    p.walk.walkers = 1;
    p.walk.read_cycles = 10;
    p.walk.reply_cycles = 5;
    p.tlb.response_cycles = 2;
    return p;
}

/* A few pages in each of: one 2 MiB region, the next, another 1 GiB region, other 512 GiB regions. */
inline std::vector<va_range> ranges()
{
    std::vector<va_range> all = {
        {base_va, 64 << 12}, {base_va + (1 << 21), 64 << 12}, {base_va + (1 << 30), 64 << 12}};
    for (uint64_t n = 1; n <= 8; ++n)
        all.push_back({base_va + n * far_va, 64 << 12});
    return all;
}

struct iommu_rig {
    simulation sim;
    memory_store store;
    address_space space;
    xlat_requester top{"top"};
    mem_responder memory;
    iommu_tlb tlbs; /* constructed before the unit, but runs after it */
    walk_unit dut;
    translations asked{top};
    std::vector<const xlat_request *> neighbours;
    base_protocol rules;

    explicit iommu_rig(const iommu_params &p = quick(),
                       const address_space_params &a = numbers_of<address_space_params>(),
                       uint32_t queue = 1024)
        : space(a, ranges(), store), memory("memory", gpu_clock, queue),
          tlbs("iommu_tlb", gpu_clock, p.tlb, 1), dut("iommu", gpu_clock, p.walk, space.table(), 1)
    {
        top.down.bind(*tlbs.up[0]);
        tlbs.down.bind(*dut.up[0]);
        rules.bind(dut.mem, memory.up);
        serve(memory, store);
        memory.latency = 50;
    }
    void warm(uint64_t va)
    {
        asked.ask(va, gpu_clock.ceil(simulation_time()) + cycle(1));
        sim.run();
    }
    /* Requests random pages of four ranges, the first `pages` of each, 12 cycles apart; those above 64 are
     * not mapped. */
    void ask_neighbours(uint32_t pages, uint32_t instructions = 1, uint32_t cus = 1)
    {
        ww_rng random;
        ww_rng_init(&random, 5);
        for (unsigned i = 0; i < 120; ++i) {
            const uint64_t va =
                ranges()[ww_rng_below(&random, 4)].base_va + ww_rng_below(&random, pages) * 4096;
            const auto instruction = static_cast<uint32_t>(ww_rng_below(&random, instructions));
            neighbours.push_back(&asked.ask(va, cycle(10 + i * 12), instruction,
                                            static_cast<uint16_t>(ww_rng_below(&random, cus))));
        }
        sim.run();
    }
    /* Requires that each request has its own translation, or a fault if it has none. */
    void check_neighbours() const
    {
        for (const xlat_request *q : neighbours) {
            ww_xlat expected{};
            const bool mapped = space.translate(q->va, &expected);
            BOOST_TEST(q->fault == !mapped);
            if (mapped)
                BOOST_TEST(q->result.page_pa == expected.page_pa);
        }
        BOOST_TEST(asked.proved() == neighbours.size());
    }
    /* Rows: {cycle of the request, address, cycle of the answer}; each translation is checked against the
     * table. */
    struct want {
        uint64_t at, va, back;
        bool refused = false; /* a fault although the page is mapped */
    };
    /* Memory answers the n-th read from now on with an error; the first is 1. */
    void refuse(uint64_t nth, tlm::tlm_response_status status = tlm::TLM_GENERIC_ERROR_RESPONSE)
    {
        refuse_reads([this, last = memory.taken.size() + nth] { return memory.taken.size() == last; },
                     status);
    }
    void refuse_reads(const std::function<bool()> &when, tlm::tlm_response_status status)
    {
        memory.answer = [this, when, status](tlm::tlm_generic_payload &p, tick) {
            store.read(p.get_address(), p.get_data_ptr(), p.get_data_length());
            p.set_response_status(when() ? status : tlm::TLM_OK_RESPONSE);
        };
    }
    std::vector<xlat_request *> rows(const std::vector<want> &list)
    {
        std::vector<xrow> out;
        std::vector<xlat_request *> requests;
        for (const want &w : list) {
            requests.push_back(&asked.make(w.va, cycle(w.at), static_cast<uint32_t>(requests.size())));
            out.push_back({cycle(w.at), requests.back(), cycle(w.back)});
        }
        check_rows<xlat_protocol>(sim, top, out);
        for (size_t i = 0; i < requests.size(); ++i) {
            const xlat_request *r = requests[i];
            ww_xlat expected{};
            const bool mapped = space.translate(r->va, &expected);
            BOOST_TEST(r->fault == (!mapped || list[i].refused));
            if (!r->fault)
                BOOST_TEST(ww_xlat_pa(&r->result, r->va) == ww_xlat_pa(&expected, r->va));
        }
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        BOOST_TEST(tlbs.waiting() == "");
        return requests;
    }
};

} // namespace walkway::test

#endif
