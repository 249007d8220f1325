/* SPDX-License-Identifier: MIT */
/* The TLB module in time: rows of {request, expected answer}. hit_cycles 10, the level below answers after
 * 100. */
#include "model/perfect_tlb.hpp"
#include "model/tlb.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using xrow = row<xlat_protocol>;

namespace
{

const stage_name l1 = {"l1", "L1 TLB"};

tlb_params small()
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = 4;
    p.hit_cycles = 10;
    p.ports = 2;
    p.mshrs = 8;
    p.merges = 64;
    p.queue_entries = 16;
    p.response_cycles = 1;
    return p;
}

struct rig {
    simulation sim;
    xlat_requester top{"top"}, second{"second"};
    xlat_responder below{"below"};
    tlb dut;
    translations asked{top}, others{second};

    explicit rig(const tlb_params &p = small(), unsigned requesters = 1)
        : dut("tlb", gpu_clock, p, l1, requesters)
    {
        top.down.bind(*dut.up[0]);
        if (requesters > 1) {
            second.down.bind(*dut.up[1]);
        } else {
            idle_ = std::make_unique<xlat_responder>("idle");
            second.down.bind(idle_->up);
        }
        dut.down.bind(below.up);
        invent(below);
        below.latency = 100;
    }
    /* Requests page n for the first time, at `at`, and waits for its answer. */
    void warm(uint64_t n, tick at)
    {
        asked.ask(n << 12, at);
        sim.run();
        top.done.clear();
    }
    xlat_request &page(uint64_t n, tick at) { return asked.make(n << 12, at); }
    void rows(const std::vector<xrow> &list) { check_rows<xlat_protocol>(sim, top, list); }

private:
    std::unique_ptr<xlat_responder> idle_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(tlb_in_time)

BOOST_AUTO_TEST_CASE(a_miss_takes_lookup_level_below_and_way_up_and_a_hit_takes_the_lookup)
{
    rig r;
    xlat_request &miss = r.page(5, cycle(20));
    xlat_request &hit = r.page(5, cycle(300));
    r.rows({{cycle(20), &miss, cycle(20 + 10 + 100 + 1)}, {cycle(300), &hit, cycle(310)}});
    BOOST_TEST(spent(miss, "l1_lookup") == cycle(10));
    BOOST_TEST(spent(miss, "below") == cycle(100));
    BOOST_TEST(spent(miss, "response") == cycle(1));
    BOOST_TEST(spent(hit, "l1_lookup") == cycle(10));
    BOOST_TEST(hit.result.page_pa == invented(5 << 12).page_pa);
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.stats().misses == 1u);
    BOOST_TEST(r.dut.stats().fills == 1u);
    BOOST_TEST(r.asked.proved() == 2u);
}

BOOST_AUTO_TEST_CASE(a_request_for_a_page_in_flight_merges_and_both_come_back_with_the_fill)
{
    rig r;
    xlat_request &first = r.page(5, cycle(20));
    xlat_request &later = r.page(5, cycle(60));
    r.rows({{cycle(20), &first, cycle(131)}, {cycle(60), &later, cycle(131)}});
    BOOST_TEST(r.dut.stats().merged == 1u);
    BOOST_TEST(r.below.taken.size() == 1u);
    BOOST_TEST(spent(later, "l1_lookup") == cycle(10));
    BOOST_TEST(spent(later, "l1_merged") == cycle(60));
    BOOST_TEST(spent(later, "response") == cycle(1));
}

BOOST_AUTO_TEST_CASE(who_merges_just_before_the_fill_still_ends_its_own_lookup)
{
    rig r;
    xlat_request &first = r.page(5, cycle(20));
    xlat_request &late = r.page(5, cycle(125)); /* its lookup ends at 135, the fill is at 130 */
    r.rows({{cycle(20), &first, cycle(131)}, {cycle(125), &late, cycle(136)}});
    BOOST_TEST(spent(late, "l1_merged") == 0u);
}

BOOST_AUTO_TEST_CASE(a_lookup_in_the_cycle_of_the_fill_hits)
{
    rig r;
    xlat_request &first = r.page(5, cycle(20));
    xlat_request &with = r.page(5, cycle(130));
    r.rows({{cycle(20), &first, cycle(131)}, {cycle(130), &with, cycle(140)}});
    BOOST_TEST(r.dut.stats().hits == 1u);
}

BOOST_DATA_TEST_CASE(ports_bound_the_lookups_that_start_in_a_cycle,
                     boost::unit_test::data::make({1u, 2u, 3u}), ports)
{
    tlb_params p = small();
    p.ports = ports;
    rig r(p);
    r.warm(1, cycle(1));
    std::vector<xrow> rows;
    for (unsigned i = 0; i < 6; ++i)
        rows.push_back({cycle(500), &r.page(1, cycle(500)), cycle(510 + i / ports)});
    r.rows(rows);
    BOOST_TEST(spent(*rows[5].p, "l1_queue") == cycle(5 / ports));
}

BOOST_AUTO_TEST_CASE(requesters_are_served_in_turn)
{
    tlb_params p = small();
    p.ports = 1;
    rig r(p, 2);
    r.warm(1, cycle(1)); /* port 0 was served last: port 1 is next */
    std::vector<xlat_request *> mine, theirs;
    for (unsigned i = 0; i < 3; ++i) {
        mine.push_back(&r.asked.ask(1 << 12, cycle(500)));
        theirs.push_back(&r.others.ask(1 << 12, cycle(500)));
    }
    r.sim.run();
    for (unsigned i = 0; i < 3; ++i) {
        BOOST_TEST(r.second.done[theirs[i]] == cycle(510 + 2 * i));
        BOOST_TEST(r.top.done[mine[i]] == cycle(511 + 2 * i));
    }
}

BOOST_AUTO_TEST_CASE(without_a_free_mshr_the_ports_stall_until_a_fill)
{
    tlb_params p = small();
    p.mshrs = 1;
    rig r(p);
    r.warm(9, cycle(1));
    xlat_request &first = r.page(1, cycle(520));
    xlat_request &stalled = r.page(2, cycle(525));
    xlat_request &behind = r.page(9, cycle(526)); /* would hit, but waits after that */
    r.rows({{cycle(520), &first, cycle(631)},
            {cycle(525), &stalled, cycle(630 + 111)},
            {cycle(526), &behind, cycle(640)}});
    BOOST_TEST(spent(stalled, "l1_queue") == cycle(105));
    BOOST_TEST(r.dut.stats().stall_mshr_cycles == 105u);
    BOOST_TEST(r.dut.stats().stall_merges_cycles == 0u); /* none for a place to wait at an MSHR */
}

BOOST_AUTO_TEST_CASE(a_merge_needs_no_mshr_of_its_own)
{
    tlb_params p = small();
    p.mshrs = 1;
    rig r(p);
    xlat_request &a = r.page(1, cycle(20));
    xlat_request &b = r.page(1, cycle(21));
    r.rows({{cycle(20), &a, cycle(131)}, {cycle(21), &b, cycle(131)}});
    BOOST_TEST(r.dut.stats().stall_mshr_cycles == 0u);
}

BOOST_AUTO_TEST_CASE(without_room_for_a_waiter_a_merge_stalls)
{
    tlb_params p = small();
    p.mshrs = 1;
    p.merges = 1; /* one waits besides the one that missed */
    rig r(p);
    xlat_request &a = r.page(1, cycle(20));
    xlat_request &b = r.page(1, cycle(21));
    xlat_request &c = r.page(1, cycle(22));
    r.rows({{cycle(20), &a, cycle(131)}, {cycle(21), &b, cycle(131)}, {cycle(22), &c, cycle(140)}});
    BOOST_TEST(r.dut.stats().hits == 1u); /* c, after the fill */
    BOOST_TEST(r.dut.stats().stall_mshr_cycles == 130u - 22);
    BOOST_TEST(r.dut.stats().stall_merges_cycles == 130u - 22);
}

BOOST_AUTO_TEST_CASE(a_full_input_queue_holds_its_sender_back)
{
    tlb_params p = small();
    p.mshrs = 1;
    p.queue_entries = 2;
    rig r(p);
    for (uint64_t n = 1; n <= 8; ++n)
        r.asked.ask(n << 12, cycle(20));
    r.sim.run_until(cycle(100));
    BOOST_TEST(r.top.sent == 4u); /* one in the MSHR, two queued, one blocked */
    BOOST_TEST(r.top.refused != 0u);
    r.sim.run();
    BOOST_TEST(r.asked.proved() == 8u);
    BOOST_TEST(r.below.most_outstanding == 1u);
}

BOOST_AUTO_TEST_CASE(a_level_below_that_refuses_delays_the_miss_and_the_account_says_so)
{
    simulation sim;
    xlat_requester top;
    xlat_responder below("below", gpu_clock, 1);
    tlb dut("tlb", gpu_clock, small(), l1, 1);
    top.down.bind(*dut.up[0]);
    dut.down.bind(below.up);
    invent(below);
    below.max_outstanding = 1;
    translations asked(top);
    for (uint64_t n = 1; n <= 4; ++n)
        asked.ask(n << 12, cycle(20));
    sim.run();
    BOOST_TEST(asked.proved() == 4u);
    BOOST_TEST(below.most_outstanding == 1u);
    BOOST_TEST(dut.stats().misses == 4u);
}

BOOST_AUTO_TEST_CASE(the_link_below_takes_its_cycles_only_on_a_miss)
{
    tlb_params p = small();
    p.link_cycles = 40;
    p.response_cycles = 3;
    rig r(p);
    xlat_request &miss = r.page(5, cycle(20));
    xlat_request &hit = r.page(5, cycle(300));
    r.rows({{cycle(20), &miss, cycle(20 + 10 + 40 + 100 + 3)}, {cycle(300), &hit, cycle(310)}});
}

BOOST_AUTO_TEST_CASE(every_further_page_size_costs_its_probe_time)
{
    tlb_params p = small();
    p.page_sizes = (1u << 12) | (1u << 16) | (1u << 21);
    p.size_probe_cycles = 5;
    rig r(p);
    xlat_request &miss = r.page(5, cycle(20));
    r.rows({{cycle(20), &miss, cycle(20 + 20 + 100 + 1)}});
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_page_leaves_a_full_tlb)
{
    rig r;
    for (uint64_t n = 1; n <= 4; ++n)
        r.warm(n, cycle(n * 300));
    r.warm(1, cycle(1500)); /* touches page 1, so page 2 is the oldest */
    r.warm(5, cycle(2000));
    BOOST_TEST(r.dut.stats().evictions == 1u);
    xlat_request &kept = r.page(1, cycle(3000));
    xlat_request &gone = r.page(2, cycle(3100));
    r.rows({{cycle(3000), &kept, cycle(3010)}, {cycle(3100), &gone, cycle(3211)}});
}

BOOST_AUTO_TEST_CASE(two_vms_never_share_a_translation)
{
    rig r;
    r.warm(1, cycle(1));
    xlat_request &other = r.asked.make(1 << 12, cycle(500), 0, 0, 3);
    r.rows({{cycle(500), &other, cycle(611)}});
    BOOST_TEST(r.dut.stats().misses == 2u);
}

BOOST_AUTO_TEST_CASE(a_fault_reaches_everybody_who_waits_and_is_not_entered)
{
    rig r;
    r.below.answer = [c = cause_of(r.below, "faulted")](xlat_request &q, tick at) {
        q.fault = true;
        q.charge(c, at);
    };
    xlat_request &a = r.page(5, cycle(20));
    xlat_request &b = r.page(5, cycle(30));
    r.rows({{cycle(20), &a, cycle(131)}, {cycle(30), &b, cycle(131)}});
    BOOST_TEST(a.fault);
    BOOST_TEST(b.fault);
    BOOST_TEST(r.dut.stats().fills == 0u);
}

namespace
{
/* The lower level passes its answers up 50 cycles before they arrive at the upper one. */
struct chain {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    tlb upper, lower;
    translations asked{top};
    xlat_request &r;

    chain()
        : upper("upper", gpu_clock, small(), l1, 1), lower("lower", gpu_clock, slow(), {"l2", "L2 TLB"}, 1),
          r(asked.ask(5 << 12, cycle(20)))
    {
        top.down.bind(*upper.up[0]);
        upper.down.bind(*lower.up[0]);
        lower.down.bind(below.up);
        invent(below);
    }
    static tlb_params slow()
    {
        tlb_params p = small();
        p.response_cycles = 50;
        return p;
    }
};
} // namespace

BOOST_AUTO_TEST_CASE(an_answer_on_its_way_is_state_and_passed_up_at_its_time)
{
    chain first;
    first.sim.run();
    const tick due = first.top.done[&first.r] - cycle(small().response_cycles);

    chain c;
    c.sim.run_until(due - cycle(49));
    BOOST_TEST(c.lower.stats().responses == 1u); /* passed up 50 cycles ahead of its time */
    c.sim.run_until(due);
    BOOST_TEST(c.upper.stats().fills == 0u);
    BOOST_TEST(c.upper.stats().responses == 0u);
    BOOST_TEST(c.upper.mshrs_used() == 1u);
    c.sim.run_until(due + 1);
    BOOST_TEST(c.upper.stats().fills == 1u);
    BOOST_TEST(c.upper.stats().responses == 1u);
    BOOST_TEST(c.upper.mshrs_used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
