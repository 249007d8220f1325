/* SPDX-License-Identifier: MIT */
/* An invalidate that passes TLBs, the IOMMU's TLBs and the coalescer, message by message: when it arrives,
 * what it drops, what is refused meanwhile, and what it waits for. */
#include "model/coalescer.hpp"
#include "model/iommu_tlb.hpp"
#include "model/tlb.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t page_a = 0x1000, page_b = 0x2000, page_c = 0x3000;
const ww_inval_scope scope_a = ww_inval_range(page_a, 4096, 0);

tlb_params small(uint32_t entries, uint8_t victims, uint32_t fills, uint32_t link_cycles)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.hit_cycles = 3;
    p.mshrs = 8;
    p.queue_entries = 8;
    p.victims = victims;
    p.fills = fills;
    p.link_cycles = link_cycles;
    return p;
}

/* top - upper (passes victims) - lower (takes them) - end; another requester at the lower level. */
struct chain {
    simulation sim;
    asker top{"top"}, other{"other"};
    tlb upper, lower;
    root end;
    actor pager;
    tick started = never, done = never;

    explicit chain(uint32_t upper_entries = 1, uint32_t link_cycles = 0)
        : upper("upper", gpu_clock, small(upper_entries, 1, 0, link_cycles), {"l1", "L1"}, 1),
          lower("lower", gpu_clock, small(8, 0, 4, 0), {"l2", "L2"}, 2)
    {
        top.down.bind(*upper.up[0]);
        upper.down.bind(*lower.up[0]);
        other.down.bind(*lower.up[1]);
        lower.down.bind(end.up);
    }
    void start(const ww_inval_scope &scope)
    {
        started = pager.now();
        BOOST_TEST(end.lanes.start(scope, [this](tick t) { done = t; }));
    }
    void move_a(tick at)
    {
        pager.at(at, [this] {
            ++end.moved[page_a];
            start(scope_a);
        });
    }
    /* Requires that no stage holds the old translation. */
    void check(uint64_t va)
    {
        BOOST_TEST(answered_by(top.down, va) == end.page_pa(va));
        BOOST_TEST(answered_by(upper.down, va) == end.page_pa(va));
        BOOST_TEST(done != never);
        BOOST_TEST(upper.live() + lower.live() == 0u);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(invalidate_in_stages)

BOOST_AUTO_TEST_CASE(it_takes_a_cycle_a_stage_up_and_down_where_nothing_is_in_its_way)
{
    chain c;
    c.top.keep = 7;
    c.move_a(cycle(100));
    c.sim.run();
    BOOST_TEST(c.other.noticed.at(0) == cycle(102)); /* end, lower level */
    BOOST_TEST(c.top.noticed.at(0) == cycle(103));
    BOOST_TEST(c.done == cycle(103 + 7 + 3)); /* upper, lower, end */
}

BOOST_AUTO_TEST_CASE(it_goes_out_behind_the_answers_that_were_sent_before_and_drops_what_they_brought)
{
    chain c;
    c.top.ask(page_a, cycle(10)); /* the end answers at 18 for 68; it is up a cycle later */
    c.move_a(cycle(30));
    c.sim.run();
    BOOST_TEST(c.top.only().at == cycle(69));
    BOOST_TEST(c.top.noticed.at(0) >= c.top.only().at);
    BOOST_TEST(c.upper.stats().invalidated == 1u);
    BOOST_TEST(c.lower.stats().invalidated == 1u);
    c.check(page_a);
}

/* A hit takes time: its answer is on its way up when the invalidate arrives below. */
BOOST_AUTO_TEST_CASE(it_goes_out_behind_a_hit_that_is_under_way)
{
    chain c;
    c.other.ask(page_a, cycle(10));
    c.top.ask(page_a, cycle(200)); /* hits the lower level at 204; its answer is up at 207 */
    c.move_a(cycle(204));
    c.sim.run();
    BOOST_TEST(c.top.only().at == cycle(208));
    BOOST_TEST(c.top.only().page_pa != c.end.page_pa(page_a));
    BOOST_TEST(c.top.noticed.at(0) >= c.top.only().at);
    c.check(page_a);
}

/* The race: between the passes an old victim arrives below, and a request on the other lane would hit it. */
BOOST_AUTO_TEST_CASE(an_old_fill_between_the_two_passes_is_refused_and_no_request_hits_it)
{
    chain c;
    c.top.keep = 100;
    c.top.ask(page_a, cycle(10));
    c.top.ask(page_b, cycle(200)); /* its answer, at 259 in the upper level, evicts page A */
    c.move_a(cycle(230));
    c.other.ask(page_a, cycle(280));
    c.sim.run_until(cycle(270));
    BOOST_TEST(c.upper.stats().victims_passed == 1u);
    BOOST_TEST(c.lower.stats().fills_received == 1u);
    BOOST_TEST(c.lower.stats().fills_refused == 1u);
    BOOST_TEST(answered_by(c.upper.down, page_a) == c.end.page_pa(page_a));
    c.sim.run();
    BOOST_TEST(c.other.only().page_pa == c.end.page_pa(page_a));
    BOOST_TEST(c.other.only().at < c.done); /* it does not wait */
    c.check(page_a);
}

BOOST_AUTO_TEST_CASE(a_fill_that_is_not_in_scope_is_taken_between_the_two_passes)
{
    chain c;
    c.top.keep = 100;
    c.top.ask(page_b, cycle(10));
    c.top.ask(page_c, cycle(200));
    c.move_a(cycle(230));
    c.sim.run();
    BOOST_TEST(c.lower.stats().fills_refused == 0u);
    BOOST_TEST(c.lower.stats().fills_refreshed == 1u);
    c.check(page_a);
}

/* The way down takes 20 cycles: the victim is still on it when the invalidate returns. */
BOOST_AUTO_TEST_CASE(it_comes_back_behind_the_fills_that_were_sent_before)
{
    chain c(1, 20);
    c.top.ask(page_a, cycle(10));
    c.top.ask(page_b, cycle(200));
    c.move_a(cycle(250));
    c.sim.run();
    BOOST_TEST(c.upper.stats().victims_passed == 1u);
    BOOST_TEST(c.lower.stats().fills_refused == 1u);
    BOOST_TEST(c.lower.stats().fills_kept == 0u);
    c.check(page_a);
}

BOOST_AUTO_TEST_CASE(the_refusal_lasts_until_the_copies_of_all_ports_are_back)
{
    chain c;
    c.other.keep = 500;
    c.top.ask(page_a, cycle(10));
    c.move_a(cycle(200));
    c.pager.at(cycle(300), [&c] { /* as if it had been in flight for long */
                                  c.lower.up[1]->posts()->fill(page_a, 0, invented(page_a), c.pager.now());
    });
    c.sim.run();
    BOOST_TEST(c.done == cycle(200 + 2 + 500 + 2));
    BOOST_TEST(c.lower.stats().fills_refused == 1u);
    c.check(page_a);
}

BOOST_AUTO_TEST_CASE(fills_are_taken_again_once_it_is_back)
{
    chain c;
    c.move_a(cycle(200));
    c.pager.at(cycle(300), [&c] {
        c.lower.up[1]->posts()->fill(page_a, 0, ww_xlat{c.end.page_pa(page_a), WW_PAGE_4K, 0}, cycle(301));
    });
    c.sim.run();
    BOOST_TEST(c.lower.stats().fills_kept == 1u);
}

BOOST_AUTO_TEST_CASE(one_is_open_at_a_time_and_the_next_may_begin_with_the_acknowledgement)
{
    chain c;
    unsigned acknowledged = 0;
    c.pager.at(cycle(10), [&] {
        c.end.lanes.start(scope_a, [&](tick) {
            ++acknowledged;
            BOOST_TEST(c.end.lanes.start(ww_inval_all(), [&](tick) { ++acknowledged; }));
        });
        BOOST_TEST(!c.end.lanes.start(ww_inval_all(), {}));
    });
    c.sim.run();
    BOOST_TEST(acknowledged == 2u);
    BOOST_TEST(c.top.noticed.size() == 2u);
}

namespace
{
struct extent {
    const char *name;
    ww_inval_scope scope;
    bool a0, b0, a1; /* whether pages A and B of VM 0 and A of VM 1 remain */
};
std::ostream &operator<<(std::ostream &out, const extent &e)
{
    return out << e.name;
}
const extent extents[] = {
    {"page", ww_inval_range(page_a, 4096, 0), false, true, true},
    {"page of the other", ww_inval_range(page_a, 4096, 1), true, true, false},
    {"range", ww_inval_range(page_a, 8192, 0), false, false, true},
    {"space", ww_inval_space(1), true, true, false},
    {"all", ww_inval_all(), false, false, false},
};
} // namespace

BOOST_DATA_TEST_CASE(a_stage_drops_what_is_in_scope_and_nothing_else, boost::unit_test::data::make(extents),
                     e)
{
    chain c(4);
    c.top.ask(page_a, cycle(10));
    c.top.ask(page_b, cycle(12));
    c.top.ask(page_a, cycle(14), 1);
    c.pager.at(cycle(200), [&] {
        for (const uint64_t va : {page_a, page_b})
            ++c.end.moved[va];
        c.start(e.scope);
    });
    c.sim.run();
    const auto same = [&](uint64_t va, uint16_t vmid, bool kept) {
        const uint64_t want = kept ? invented(va).page_pa : c.end.page_pa(va);
        BOOST_TEST(answered_by(c.top.down, va, vmid) == want);
        BOOST_TEST(answered_by(c.upper.down, va, vmid) == want);
    };
    same(page_a, 0, e.a0);
    same(page_b, 0, e.b0);
    same(page_a, 1, e.a1);
    const uint64_t gone = 3u - e.a0 - e.b0 - e.a1;
    BOOST_TEST(c.upper.stats().invalidated == gone);
    BOOST_TEST(c.lower.stats().invalidated == gone);
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_a_requester_that_is_none_of_ours)
{
    simulation sim;
    xlat_requester top{"top"};
    tlb dut("dut", gpu_clock, small(4, 0, 0, 0), {"l1", "L1"}, 1);
    root end;
    actor pager;
    translations asked{top};
    tick done = never;
    top.down.bind(*dut.up[0]);
    dut.down.bind(end.up);
    asked.ask(page_a, cycle(10));
    pager.at(cycle(200), [&] {
        ++end.moved[page_a];
        end.lanes.start(scope_a, [&](tick t) { done = t; });
    });
    sim.run();
    BOOST_TEST(done == cycle(202));
    BOOST_TEST(answered_by(top.down, page_a) == end.page_pa(page_a));
}

namespace
{
/* top - the IOMMU's TLBs - end. */
struct iommu_chain {
    simulation sim;
    asker top{"top"};
    iommu_tlb dut;
    root end;
    actor pager;
    tick done = never;

    static iommu_tlb_params params(uint32_t first, uint32_t second)
    {
        iommu_tlb_params p = numbers_of<iommu_tlb_params>();
        p.tlb1_entries = first;
        p.tlb1_cycles = 4;
        p.tlb2_entries = second;
        p.tlb2_ways = 4;
        p.tlb2_cycles = 20;
        p.queue_entries = 16;
        p.response_cycles = 2;
        return p;
    }
    iommu_chain(uint32_t first, uint32_t second) : dut("iommu_tlb", gpu_clock, params(first, second), 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(end.up);
    }
    void move_a(tick at)
    {
        pager.at(at, [this] {
            ++end.moved[page_a];
            end.lanes.start(scope_a, [this](tick t) { done = t; });
        });
    }
};
} // namespace

BOOST_DATA_TEST_CASE(the_iommus_tlbs_drop_it_from_both_and_send_it_on,
                     boost::unit_test::data::make({4u, 0u, 4u}) ^
                         boost::unit_test::data::make({16u, 16u, 0u}),
                     first, second)
{
    iommu_chain c(first, second);
    c.top.ask(page_a, cycle(10));
    c.top.ask(page_b, cycle(12));
    c.move_a(cycle(200));
    c.sim.run();
    BOOST_TEST(c.dut.stats().invalidated == (first != 0) + (second != 0));
    BOOST_TEST(answered_by(c.top.down, page_a) == c.end.page_pa(page_a));
    BOOST_TEST(c.top.noticed.at(0) == cycle(202));
    BOOST_TEST(c.done == cycle(204));
    ++c.end.moved[page_b]; /* they still have the old page */
    BOOST_TEST(answered_by(c.top.down, page_b) == invented(page_b).page_pa);
    BOOST_TEST(c.dut.live() == 0u);
    BOOST_TEST((fills_below(c.top.down) == nullptr)); /* they take no fills, so there is nothing to refuse */
}

BOOST_AUTO_TEST_CASE(it_passes_the_iommus_tlbs_behind_their_answers)
{
    iommu_chain c(4, 16);
    c.top.ask(page_a, cycle(10)); /* answered at 10 + 1 + 20 + 50 + 2 */
    c.move_a(cycle(40));
    c.sim.run();
    BOOST_TEST(c.top.only().at == cycle(83));
    BOOST_TEST(c.top.noticed.at(0) >= cycle(83));
    BOOST_TEST(answered_by(c.top.down, page_a) == c.end.page_pa(page_a));
}

namespace
{
/* A coalescer whose lines take 300 cycles; their answers are announced at the request. */
struct requester_rig {
    simulation sim;
    std::deque<wave_access> all;
    requester<access_protocol> top{"top"};
    coalescer dut;
    mem_responder cache{"cache"};
    memory_store store;
    root end;
    actor pager;
    tick done = never;

    requester_rig() : dut("coalescer", gpu_clock, numbers_of<coalescer_params>())
    {
        top.down.bind(dut.up);
        dut.xlat.bind(end.up);
        dut.mem.bind(cache.up);
        serve(cache, store);
        cache.latency = 300;
        end.latency = 20;
    }
    const wave_access &load(uint64_t va, tick at)
    {
        all.emplace_back();
        wave_access &a = all.back();
        a.lanes.mask = 3;
        a.lanes.bytes = 4;
        a.lanes.va[0] = va;
        a.lanes.va[1] = va + 64; /* two lines */
        a.access = access_kind::read;
        a.vmid = a.cu = 0;
        a.instruction = static_cast<uint32_t>(all.size());
        top.ask(a, at);
        return a;
    }
    void invalidate(tick at)
    {
        pager.at(at, [this] { end.lanes.start(scope_a, [this](tick t) { done = t; }); });
    }
};
} // namespace

BOOST_AUTO_TEST_CASE(the_requester_turns_it_round_when_the_accesses_that_have_their_translation_are_done)
{
    requester_rig r;
    const wave_access &before = r.load(page_a, cycle(10));
    r.invalidate(cycle(100));
    const wave_access &after = r.load(page_b, cycle(150));
    r.sim.run();
    const tick last_line = r.top.done.at(&before) - cycle(1);
    BOOST_TEST(r.cache.taken.size() == 4u);
    BOOST_TEST(r.done == last_line + cycle(1));
    BOOST_TEST(r.top.done.at(&after) > r.done); /* it is new: the invalidate does not wait for it */
}

BOOST_AUTO_TEST_CASE(a_requester_at_rest_turns_it_round_at_once)
{
    requester_rig r;
    r.load(page_a, cycle(10));
    r.invalidate(cycle(1000));
    r.sim.run();
    BOOST_TEST(r.done == cycle(1002));
}

/* A translation arrived before the invalidate, but the data cache has no room for its lines yet. */
BOOST_AUTO_TEST_CASE(an_access_whose_lines_have_not_left_yet_is_waited_for)
{
    requester_rig r;
    r.cache.closed_until = cycle(400);
    const wave_access &before = r.load(page_a, cycle(10));
    r.invalidate(cycle(100));
    r.sim.run();
    BOOST_TEST(r.top.done.at(&before) > cycle(700));
    BOOST_TEST(r.done == r.top.done.at(&before));
}

BOOST_AUTO_TEST_SUITE_END()
