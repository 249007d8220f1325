/* SPDX-License-Identifier: MIT */
/* The IOMMU's TLBs alone, above a level that announces answers ahead of time; and above the walk unit, whose
 * answers arrive in the very cycle of a lookup. */
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

iommu_tlb_params small()
{
    iommu_tlb_params p = quick().tlb;
    p.response_cycles = 2;
    return p;
}

/* Below, a page's translation takes 30 cycles and is announced at the request. */
struct tlb_rig {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below;
    iommu_tlb dut;
    translations asked{top};

    explicit tlb_rig(const iommu_tlb_params &p = small(), uint32_t queue = 1024)
        : below("below", gpu_clock, queue), dut("iommu_tlb", gpu_clock, p, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        below.latency = 30;
        invent(below);
    }
    struct want {
        uint64_t at, va, back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<xrow> out;
        for (const want &w : list)
            out.push_back({cycle(w.at), &asked.make(w.va, cycle(w.at)), cycle(w.back)});
        check_rows<xlat_protocol>(sim, top, out);
        for (const xrow &r : out)
            BOOST_TEST(r.p->result.page_pa == invented(r.p->va).page_pa);
        BOOST_TEST(dut.waiting() == "");
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_tlb_alone)

/* A miss returns 20 + 30 + 2 cycles after its arrival. */
BOOST_AUTO_TEST_CASE(an_answer_known_ahead_is_found_from_its_time_on)
{
    tlb_rig r;
    r.rows({{10, base_va, 62}, {59, base_va, 59 + 52}, {60, base_va, 66}, {61, base_va, 67}});
    BOOST_TEST(r.dut.stats().tlb_misses == 2u);
    BOOST_TEST(r.dut.stats().tlb1_hits == 2u);
}

BOOST_AUTO_TEST_CASE(nothing_is_remembered_of_a_page_in_flight)
{
    tlb_rig r;
    r.rows({{10, base_va, 62}, {11, base_va, 63}, {12, base_va + 1, 64}});
    BOOST_TEST(r.below.taken.size() == 3u);
}

/* The lookup time of the only TLB is also that of a miss. */
BOOST_AUTO_TEST_CASE(one_of_the_two_may_be_absent)
{
    {
        iommu_tlb_params p = small();
        p.tlb2_entries = 0;
        tlb_rig r(p);
        BOOST_TEST(p.holds() == 4u * 5);
        r.rows({{10, base_va, 10 + 4 + 30 + 2}, {100, base_va, 106}});
        BOOST_TEST(r.dut.stats().tlb1_hits == 1u);
    }
    iommu_tlb_params p = small();
    p.tlb1_entries = 0;
    tlb_rig r(p);
    r.rows({{10, base_va, 62}, {100, base_va, 122}});
    BOOST_TEST(r.dut.stats().tlb2_hits == 1u);
    BOOST_TEST(p.holds() == 4u * 21);
}

BOOST_AUTO_TEST_CASE(without_any_entry_there_is_no_such_block)
{
    simulation sim;
    iommu_params p = quick();
    p.tlb.tlb1_entries = p.tlb.tlb2_entries = 0;
    BOOST_TEST(p.validate() == "");
    BOOST_TEST(!p.tlb.present());
    BOOST_CHECK_THROW(iommu_tlb("iommu_tlb", gpu_clock, p.tlb, 1), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(while_the_level_below_is_full_no_lookup_starts)
{
    iommu_tlb_params p = small();
    p.ports = 1;
    tlb_rig r(p, 1);
    r.below.closed_until = cycle(200);
    /* the first fills the queue; the second waits outside from cycle 11 to 201; its credit is used from the
     * next cycle on */
    r.rows({{10, base_va, 232}, {11, base_va + 4096, 233}, {12, base_va + 8192, 202 + 52}});
    BOOST_TEST(r.dut.stats().stall_backlog_cycles == 190u);
}

/* One lookup per cycle, in turn from the first requester; hits and misses return to their own. */
BOOST_AUTO_TEST_CASE(requesters_are_served_in_turn_and_each_has_its_answers)
{
    iommu_tlb_params p = small();
    p.ports = 1;
    simulation sim;
    xlat_requester first("first"), second("second");
    xlat_responder below("below", gpu_clock, 1024);
    iommu_tlb dut("iommu_tlb", gpu_clock, p, 2);
    translations of_first(first), of_second(second);
    first.down.bind(*dut.up[0]);
    second.down.bind(*dut.up[1]);
    dut.down.bind(below.up);
    below.latency = 30;
    invent(below);
    std::vector<xlat_request *> mine, theirs;
    for (const uint64_t n : {0, 1}) {
        mine.push_back(&of_first.ask(base_va + n * 4096, cycle(10)));
        theirs.push_back(&of_second.ask(base_va + (n + 2) * 4096, cycle(10)));
    }
    xlat_request &again = of_second.ask(base_va, cycle(500));
    sim.run();
    for (const uint64_t n : {0, 1}) { /* 20 until the miss is known, 30 below, 2 back */
        BOOST_TEST(first.done[mine[n]] == cycle(10 + 2 * n + 52));
        BOOST_TEST(second.done[theirs[n]] == cycle(11 + 2 * n + 52));
        BOOST_TEST(mine[n]->result.page_pa == invented(mine[n]->va).page_pa);
        BOOST_TEST(theirs[n]->result.page_pa == invented(theirs[n]->va).page_pa);
    }
    BOOST_TEST(second.done[&again] == cycle(500 + 4 + 2)); /* hits the other's page */
    BOOST_TEST(dut.stats().tlb_misses == 4u);
}

BOOST_AUTO_TEST_CASE(a_debug_access_asks_both_arrays_and_then_the_level_below)
{
    iommu_tlb_params p = small();
    p.tlb1_entries = 1;
    tlb_rig r(p);
    r.rows({{10, base_va, 62}, {100, base_va + 4096, 152}});
    unsigned asked_below = 0;
    r.below.on_debug = [&](xlat_request &q) {
        ++asked_below;
        q.result = invented(q.va);
        return 1u;
    };
    for (const uint64_t page : {0, 1, 2}) {
        xlat_request q{};
        q.va = base_va + page * 4096;
        BOOST_TEST(r.top.down->transport_dbg(q) == 1u);
        BOOST_TEST(q.result.page_pa == invented(q.va).page_pa);
        BOOST_TEST(asked_below == (page == 2 ? 1u : 0u));
    }
    BOOST_TEST(r.dut.stats().requests == 2u);
}

/* A cold walk from cycle 30 to 290. The TLBs precede the unit in the order of blocks. */
BOOST_AUTO_TEST_CASE(a_lookup_in_the_cycle_of_an_answer_hits)
{
    const uint64_t end = 10 + miss_time + 4 * read_time;
    iommu_rig r;
    r.rows({{10, base_va, end + way_up},
            {end - 1, base_va, end - 1 + miss_time + read_time + way_up},
            {end, base_va, end + 4 + way_up}});
    BOOST_TEST(r.tlbs.stats().tlb1_hits == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
