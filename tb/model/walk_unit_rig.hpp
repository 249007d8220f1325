/* SPDX-License-Identifier: MIT */
/* The walk unit with several requesters and without the IOMMU's TLBs. Memory and its timing are those of
 * iommu_rig.hpp; without page-walk caches a walk takes four reads, and is answered two cycles later. */
#ifndef WW_TB_MODEL_WALK_UNIT_RIG_HPP
#define WW_TB_MODEL_WALK_UNIT_RIG_HPP

#include "tb/model/iommu_rig.hpp"

namespace walkway::test
{

constexpr uint64_t walk = 4 * read_time;

/* One walker, one entry in the buffer, queues of two, no backlog. */
inline walk_unit_params least()
{
    walk_unit_params p = quick().walk;
    p.response_cycles = 2;
    p.pwc_l4 = p.pwc_l3 = p.pwc_l2 = 0;
    p.queue_entries = 2;
    p.backlog_entries = 0;
    p.buffer_entries = 1;
    p.walkers = 1;
    return p;
}

struct unit_rig {
    simulation sim;
    memory_store store;
    address_space space;
    mem_responder memory{"memory"};
    walk_unit dut;
    std::vector<std::unique_ptr<xlat_requester>> tops;
    std::vector<std::unique_ptr<translations>> asked;
    std::vector<unsigned> order; /* ports, in the order of their answers */
    base_protocol rules;

    unit_rig(unsigned requesters, const walk_unit_params &p,
             const address_space_params &a = numbers_of<address_space_params>())
        : space(a, ranges(), store), dut("walk_unit", gpu_clock, p, space.table(), requesters)
    {
        rules.bind(dut.mem, memory.up);
        serve(memory, store);
        memory.latency = 50;
        for (unsigned n = 0; n < requesters; ++n) {
            tops.push_back(std::make_unique<xlat_requester>(("top_" + std::to_string(n)).c_str()));
            asked.push_back(std::make_unique<translations>(*tops[n]));
            tops[n]->down.bind(*dut.up[n]);
            tops[n]->lead = cycle(1); /* those of one cycle are all there when it begins */
            tops[n]->on_answer = [this, n, prove = tops[n]->on_answer](xlat_request &r, tick at) {
                prove(r, at);
                order.push_back(n);
                ww_xlat expected{};
                const bool mapped = space.translate(r.va, &expected);
                BOOST_TEST(r.fault == !mapped);
                if (mapped)
                    BOOST_TEST(r.result.page_pa == expected.page_pa);
            };
        }
    }
    /* Requests a page of the port's own range; pages 64 and up of a range are not mapped. */
    xlat_request &ask(unsigned port, tick at, uint64_t page = 0, uint16_t vmid = 0)
    {
        return asked[port]->ask(ranges()[port].base_va + page * 4096, at, 0, static_cast<uint16_t>(port),
                                vmid);
    }
    tick back(unsigned port, const xlat_request &r) { return tops[port]->done.at(&r); }
    void run()
    {
        sim.run();
        for (const auto &top : tops)
            BOOST_TEST(top->quiet());
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        law_list laws(simulation_time(), false);
        dut.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.holds(), l.name);
    }
};

} // namespace walkway::test

#endif
