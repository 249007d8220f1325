/* SPDX-License-Identifier: MIT */
/* The coalescer in time: translations take 20 cycles, lines 30; the answer takes 1. A load of one page and
 * one line returns after 1 to send, 20, 1 to send, 30 and 1. */
#include "model/coalescer.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using arow = row<access_protocol>;

namespace
{

struct rig {
    std::deque<wave_access> all;
    memory_store store;
    simulation sim;
    requester<access_protocol> top{"top"};
    xlat_responder tlb;
    mem_responder cache;
    coalescer dut;
    base_protocol rules;

    explicit rig(const coalescer_params &p = numbers_of<coalescer_params>(), uint32_t tlb_queue = 1024,
                 uint32_t cache_queue = 1024)
        : tlb("tlb", gpu_clock, tlb_queue), cache("cache", gpu_clock, cache_queue),
          dut("coalescer", gpu_clock, p)
    {
        top.down.bind(dut.up);
        dut.xlat.bind(tlb.up);
        rules.bind(dut.mem, cache.up);
        invent(tlb);
        serve(cache, store);
        tlb.latency = 20;
        cache.latency = 30;
    }
    wave_access &access(uint64_t va, uint64_t step, uint64_t mask = UINT64_MAX,
                        access_kind kind = access_kind::read)
    {
        all.emplace_back();
        wave_access &a = all.back();
        a.lanes.mask = mask;
        a.lanes.bytes = 4;
        for (uint64_t l = 0; l < 64; ++l)
            a.lanes.va[l] = va + l * step;
        a.access = kind;
        a.vmid = a.cu = 0;
        a.instruction = static_cast<uint32_t>(all.size());
        return a;
    }
    struct want {
        uint64_t at;
        wave_access *a;
        uint64_t back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<arow> out;
        for (const want &w : list)
            out.push_back({cycle(w.at), w.a, cycle(w.back)});
        check_rows<access_protocol>(sim, top, out);
        settled();
    }
    void settled()
    {
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        BOOST_TEST(dut.stats().unaccounted == 0u, dut.stats().story);
        BOOST_TEST(dut.stats().translations == dut.stats().answered);
        BOOST_TEST(dut.stats().account.total() == dut.stats().latency_ps);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(coalescer_in_time)

BOOST_AUTO_TEST_CASE(one_page_and_one_line_take_the_sum_of_the_parts)
{
    rig r;
    wave_access &a = r.access(4096, 0);
    r.rows({{10, &a, 10 + 1 + 20 + 1 + 30 + 1}});
    BOOST_TEST(a.translated == cycle(31));
    BOOST_TEST(r.dut.stats().latency_ps == cycle(21)); /* requested at 10, arrives at 31 */
    BOOST_TEST(r.dut.stats().last_lane_latency.sum() == 21u);
    BOOST_TEST(r.dut.stats().wait_line_cycles == 0u);
    BOOST_TEST(r.dut.stats().translations == 1u);
    BOOST_TEST(r.dut.stats().lines == 1u);
    BOOST_TEST(r.cache.taken[0].first->is_read());
}

BOOST_AUTO_TEST_CASE(lines_of_a_page_leave_one_a_cycle)
{
    rig r;
    r.rows({{10, &r.access(0, 16), 10 + 1 + 20 + 1 + 15 + 30 + 1}}); /* 16 lines */
    for (unsigned i = 0; i < 16; ++i) {
        BOOST_TEST(r.cache.taken[i].second == cycle(32 + i));
        BOOST_TEST(r.cache.taken[i].first->get_address() == (invented(0).page_pa | i * 64));
    }
    BOOST_TEST(r.dut.stats().wait_line_cycles == 15u * 16 / 2); /* 0 + 1 + ... + 15 */
}

struct pace {
    uint32_t lanes, pages;
};
std::ostream &operator<<(std::ostream &out, const pace &p)
{
    return out << p.lanes << " lanes, " << p.pages << " pages a cycle";
}

BOOST_DATA_TEST_CASE(pages_leave_as_fast_as_lanes_come_in_and_the_port_allows,
                     boost::unit_test::data::make(std::vector<pace>{
                         {16, 2}, {16, 64}, {64, 1}, {1, 64}, {16, 16}}))
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.lanes_per_cycle = sample.lanes;
    p.pages_per_cycle = sample.pages;
    rig r(p);
    r.top.ask(r.access(0, 4096), cycle(10));
    r.sim.run();
    BOOST_REQUIRE(r.tlb.taken.size() == 64u);
    for (unsigned i = 0; i < 64; ++i)
        BOOST_TEST(r.tlb.taken[i].second == cycle(11 + std::max(i / sample.pages, i / sample.lanes)),
                   "page " << i);
    r.settled();
}

BOOST_AUTO_TEST_CASE(the_next_instruction_enters_when_the_lanes_are_through)
{
    rig r; /* 64 lanes, 16 per cycle */
    r.rows({{10, &r.access(0, 0), 63}, {10, &r.access(1 << 20, 0), 67}, {12, &r.access(1 << 21, 0), 71}});
    BOOST_TEST(r.dut.stats().wait_lanes_cycles == 4u + 6);
    BOOST_TEST(r.dut.stats().wait_slot_cycles == 0u);
}

BOOST_AUTO_TEST_CASE(lanes_that_do_not_fill_the_last_cycle_take_it_whole)
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.lanes_per_cycle = 24; /* 64 lanes: three cycles */
    rig r(p);
    r.rows({{10, &r.access(0, 0), 63}, {10, &r.access(1 << 20, 0), 66}, {12, &r.access(1 << 21, 0), 69}});
}

BOOST_AUTO_TEST_CASE(lanes_that_waves_do_not_have_take_no_time)
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.wave_lanes = 32; /* 16 per cycle: two cycles */
    rig r(p);
    r.rows({{10, &r.access(0, 0), 63}, {10, &r.access(1 << 20, 0), 65}, {12, &r.access(1 << 21, 0), 67}});
}

BOOST_AUTO_TEST_CASE(the_first_lane_decides_the_order_of_pages)
{
    rig r;
    wave_access &a = r.access(0, 0, 0x7);
    a.lanes.va[0] = 9 << 12;
    a.lanes.va[1] = 3 << 12;
    a.lanes.va[2] = 9 << 12;
    r.top.ask(a, cycle(10));
    r.sim.run();
    BOOST_REQUIRE(r.tlb.taken.size() == 2u);
    BOOST_TEST(r.tlb.taken[0].first->va == 9u << 12);
    BOOST_TEST(r.tlb.taken[1].first->va == 3u << 12);
}

BOOST_AUTO_TEST_CASE(an_access_over_a_page_end_touches_both_pages_and_both_lines)
{
    rig r;
    wave_access &a = r.access(4096 - 2, 0, 1);
    r.rows({{10, &a, 10 + 1 + 20 + 1 + 1 + 30 + 1}});
    BOOST_TEST(r.dut.stats().translations == 2u);
    BOOST_TEST(r.dut.stats().lines == 2u);
}

BOOST_AUTO_TEST_CASE(instructions_in_flight_are_bounded)
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.instructions = 1;
    rig r(p);
    r.rows({{10, &r.access(0, 0), 63}, {11, &r.access(4096, 0), 62 + 53}});
}

BOOST_AUTO_TEST_CASE(a_full_input_queue_holds_its_sender_back)
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.instructions = 1;
    p.queue_entries = 2;
    rig r(p);
    for (uint64_t n = 0; n < 6; ++n)
        r.top.ask(r.access(n << 12, 0), cycle(10));
    r.sim.run_until(cycle(60));
    BOOST_TEST(r.top.sent == 4u);
    r.sim.run();
    BOOST_TEST(r.top.order.size() == 6u);
    r.settled();
}

BOOST_DATA_TEST_CASE(a_page_that_waits_to_be_sent_serves_later_instructions_too,
                     boost::unit_test::data::make({0u, 1u, 64u}), window)
{
    coalescer_params p = numbers_of<coalescer_params>();
    p.window = window;
    rig r(p, 1);
    r.tlb.closed_until = cycle(100);
    for (unsigned n = 0; n < 3; ++n)
        r.top.ask(r.access(n << 12, 0, 1), cycle(10)); /* one in the TLB's queue, one blocked, one here */
    wave_access &first = r.access(5 << 12, 0, 1), &same = r.access(5 << 12, 0, 1);
    r.top.ask(first, cycle(20));
    r.top.ask(same, cycle(30));
    r.sim.run();
    BOOST_TEST(r.dut.stats().window_merged == (window == 64 ? 1u : 0u));
    BOOST_TEST(r.tlb.taken.size() == (window == 64 ? 4u : 5u));
    if (window == 64)
        BOOST_TEST(first.translated == same.translated);
    BOOST_TEST(r.top.order.size() == 5u);
    r.settled();
}

BOOST_AUTO_TEST_CASE(lanes_of_a_missing_page_get_nothing_and_the_others_get_theirs)
{
    rig r;
    r.tlb.answer = [c = cause_of(r.tlb, "below")](xlat_request &q, tick at) {
        q.fault = q.va == 0;
        q.result = invented(q.va);
        q.charge(c, at);
    };
    wave_access &half = r.access(0, 128, UINT64_MAX), &none = r.access(0, 8);
    r.rows({{10, &half, 10 + 1 + 32 / 16 + 20 + 1 + 31 + 30 + 1}, {300, &none, 300 + 1 + 20 + 1}});
    BOOST_TEST(half.faults == 1u);
    BOOST_TEST(none.faults == 1u);
    BOOST_TEST(r.cache.taken.size() == 32u);
    BOOST_TEST(r.dut.stats().faults == 2u);
}

/* A load of the same page succeeds, although it shares their translation. */
BOOST_AUTO_TEST_CASE(stores_and_atomics_to_a_page_that_may_only_be_read_get_nothing)
{
    rig r;
    r.tlb.answer = [c = cause_of(r.tlb, "below")](xlat_request &q, tick at) {
        q.result = invented(q.va);
        q.result.perm = WW_PERM_R | WW_PERM_X;
        q.charge(c, at);
    };
    wave_access &load = r.access(4096, 0);
    wave_access &store = r.access(4096, 0, 1, access_kind::write);
    wave_access &atomic = r.access(4096, 0, 1, access_kind::atomic);
    r.rows({{10, &load, 63}, {300, &store, 300 + 1 + 20 + 1}, {600, &atomic, 600 + 1 + 20 + 1}});
    BOOST_TEST(load.faults == 0u);
    BOOST_TEST(store.faults == 1u);
    BOOST_TEST(atomic.faults == 1u);
    BOOST_TEST(r.cache.taken.size() == 1u);
    BOOST_TEST(r.dut.stats().faults == 0u);
    BOOST_TEST(r.dut.stats().faults_denied == 2u);
}

BOOST_AUTO_TEST_CASE(stores_write_their_lines_and_atomics_say_so)
{
    rig r;
    r.rows({{10, &r.access(0, 0, 1, access_kind::write), 63},
            {100, &r.access(0, 0, 1, access_kind::atomic), 153}});
    BOOST_TEST(r.cache.taken[0].first->is_write());
    BOOST_TEST(r.cache.taken[1].first->is_write());
}

/* docs/trace-format: a lane may access 1 to 128 bytes (a double16 has 128). */
BOOST_AUTO_TEST_CASE(an_access_of_128_bytes_a_lane_which_a_trace_may_hold_touches_its_lines)
{
    rig r;
    wave_access &a = r.access(0, 0, 1);
    a.lanes.bytes = 128;
    BOOST_CHECK_NO_THROW(r.rows({{10, &a, 10 + 1 + 20 + 1 + 1 + 30 + 1}}));
    BOOST_TEST(r.dut.stats().lines == 2u);
}

BOOST_AUTO_TEST_CASE(refusing_neighbours_lose_nothing)
{
    rig r(numbers_of<coalescer_params>(), 1, 1);
    r.tlb.stall_percent = r.cache.stall_percent = 40;
    r.tlb.jitter = r.cache.jitter = 30;
    ww_rng random;
    ww_rng_init(&random, 4);
    for (unsigned n = 0; n < 60; ++n)
        r.top.ask(r.access(uint64_t{ww_rng_below(&random, 40)} << 12, ww_rng_below(&random, 9000),
                           ww_rng_next(&random) | 1),
                  cycle(10 + n * 5));
    r.sim.run();
    BOOST_TEST(r.top.order.size() == 60u);
    BOOST_TEST(r.dut.stats().lines == r.cache.taken.size());
    r.settled();
}

BOOST_AUTO_TEST_SUITE_END()
