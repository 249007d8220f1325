/* SPDX-License-Identifier: MIT */
/* The data cache in time: hit_cycles 10, the level below answers after 100. */
#include "model/data_cache.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using mrow = row<mem_protocol>;
using gp = tlm::tlm_generic_payload;

namespace
{

data_cache_params small(uint8_t write = WW_WRITE_THROUGH)
{
    data_cache_params p = numbers_of<data_cache_params>();
    p.bytes = 4 * 64;
    p.ways = 4;
    p.write = write;
    p.hit_cycles = 10;
    p.ports = 1;
    p.mshrs = 4;
    p.merges = 16;
    p.write_entries = 4;
    p.queue_entries = 16;
    p.response_cycles = 1;
    return p;
}

struct rig {
    memory_store store;
    lines l;
    simulation sim;
    mem_requester top{"top"};
    mem_responder below{"below"};
    data_cache dut;
    base_protocol rules;

    explicit rig(const data_cache_params &p = small()) : dut("cache", gpu_clock, p, store, 1)
    {
        rules.bind(top.down, *dut.up[0]);
        rules.bind(dut.down, below.up);
        rules.held([this](const gp &q) { return l.holds(q); });
        serve(below, store);
        below.latency = 100;
    }
    void warm(gp &p)
    {
        top.ask(p, gpu_clock.ceil(simulation_time()) + cycle(1));
        sim.run();
    }
    struct want {
        uint64_t at;
        gp *p;
        uint64_t back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<mrow> out;
        for (const want &w : list)
            out.push_back({cycle(w.at), w.p, cycle(w.back)});
        check_rows<mem_protocol>(sim, top, out);
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(data_cache_in_time)

BOOST_AUTO_TEST_CASE(a_read_miss_takes_lookup_level_below_and_way_up_and_a_hit_the_lookup)
{
    rig r;
    gp &miss = r.l.read(0), &hit = r.l.read(0);
    const unsigned char value[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    r.store.write(0, value, 8);
    r.rows({{20, &miss, 131}, {300, &hit, 310}});
    BOOST_TEST(std::memcmp(hit.get_data_ptr(), value, 8) == 0);
    BOOST_TEST(hit.get_response_status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.dut.stats().read_hits == 1u);
    BOOST_TEST(r.dut.stats().read_misses == 1u);
}

BOOST_AUTO_TEST_CASE(reads_of_a_line_in_flight_merge_and_come_back_with_it)
{
    rig r;
    r.rows({{20, &r.l.read(64), 131}, {70, &r.l.read(64), 131}});
    BOOST_TEST(r.dut.stats().read_merged == 1u);
    BOOST_TEST(r.below.taken.size() == 1u);
}

BOOST_DATA_TEST_CASE(ports_bound_the_accesses_that_start_in_a_cycle, boost::unit_test::data::make({1u, 2u}),
                     ports)
{
    data_cache_params p = small();
    p.ports = ports;
    rig r(p);
    r.warm(r.l.read(0));
    std::vector<rig::want> list;
    for (unsigned i = 0; i < 6; ++i)
        list.push_back({500, &r.l.read(0), 510 + i / ports});
    r.rows(list);
}

BOOST_AUTO_TEST_CASE(without_a_free_mshr_accesses_stall_in_order)
{
    data_cache_params p = small();
    p.mshrs = 1;
    rig r(p);
    r.warm(r.l.read(0));
    r.rows({{500, &r.l.read(64), 611}, {501, &r.l.read(128), 610 + 111}, {502, &r.l.read(0), 621}});
    BOOST_TEST(r.dut.stats().stall_cycles == 109u);
}

BOOST_AUTO_TEST_CASE(merges_are_bounded_too)
{
    data_cache_params p = small();
    p.mshrs = p.merges = 1;
    rig r(p);
    r.rows({{20, &r.l.read(64), 131}, {21, &r.l.read(64), 131}, {22, &r.l.read(64), 140}});
    BOOST_TEST(r.dut.stats().read_hits == 1u);
}

BOOST_AUTO_TEST_CASE(a_write_through_goes_below_hit_or_miss_and_enters_nothing)
{
    rig r;
    r.rows({{20, &r.l.write(0), 131},
            {300, &r.l.read(0), 411},
            {500, &r.l.write(0), 611},
            {700, &r.l.read(0), 710}});
    BOOST_TEST(r.dut.stats().write_misses == 1u);
    BOOST_TEST(r.dut.stats().write_hits == 1u);
    BOOST_TEST(r.below.taken.size() == 3u);
}

BOOST_AUTO_TEST_CASE(writes_passed_through_are_bounded)
{
    data_cache_params p = small();
    p.write_entries = 2;
    rig r(p);
    r.rows({{20, &r.l.write(0), 131}, {20, &r.l.write(64), 132}, {20, &r.l.write(128), 130 + 111}});
    BOOST_TEST(r.below.most_outstanding == 2u);
}

BOOST_AUTO_TEST_CASE(an_atomic_is_done_below_and_makes_the_copy_stale)
{
    rig r;
    r.warm(r.l.read(0));
    r.rows({{500, &r.l.atomic(0), 611}, {700, &r.l.read(0), 811}});
    BOOST_TEST(r.dut.stats().atomics == 1u);
    BOOST_TEST(r.dut.stats().write_hits == 1u);
}

BOOST_AUTO_TEST_CASE(a_write_back_cache_takes_a_missing_write_at_once_and_writes_it_back_when_it_leaves)
{
    rig r(small(WW_WRITE_BACK));
    r.rows({{20, &r.l.write(0), 30}, {50, &r.l.write(0), 60}, {100, &r.l.read(0), 110}});
    BOOST_TEST(r.below.taken.empty());
    for (uint64_t n = 1; n <= 4; ++n)
        r.warm(r.l.read(n * 64)); /* four ways: line 0 is the oldest */
    BOOST_TEST(r.dut.stats().write_backs == 1u);
    BOOST_TEST(r.below.taken.size() == 5u);
    BOOST_TEST(r.below.taken.back().first->is_write());
    BOOST_TEST(r.dut.live() == 0u);
}

BOOST_AUTO_TEST_CASE(a_line_that_has_to_leave_for_a_fill_goes_down_a_cycle_after_it)
{
    rig r(small(WW_WRITE_BACK));
    for (uint64_t n = 0; n < 4; ++n)
        r.warm(r.l.write(n * 64));
    r.rows({{500, &r.l.read(4 * 64), 611}}); /* returns at 610 */
    BOOST_REQUIRE(r.below.taken.size() == 2u);
    BOOST_TEST(r.below.taken[1].first->is_write());
    BOOST_TEST(r.below.taken[1].second == cycle(611));
}

BOOST_AUTO_TEST_CASE(so_does_a_line_that_was_written_while_the_fill_was_under_way)
{
    rig r(small(WW_WRITE_BACK));
    for (uint64_t n = 0; n < 4; ++n)
        r.warm(r.l.read(n * 64));
    std::vector<rig::want> list = {{1000, &r.l.read(4 * 64), 1111}}; /* its answer is known from 1010 on */
    for (uint64_t n = 0; n < 4; ++n)
        list.push_back({1050 + n, &r.l.write(n * 64), 1060 + n});
    r.rows(list);
    BOOST_REQUIRE(r.below.taken.size() == 6u);
    BOOST_TEST(r.below.taken[5].first->is_write());
    BOOST_TEST(r.below.taken[5].second == cycle(1111));
}

BOOST_AUTO_TEST_CASE(
    a_missing_write_waits_for_a_write_back_to_be_answered_when_as_many_as_may_are_on_their_way)
{
    data_cache_params p = small(WW_WRITE_BACK);
    p.write_entries = 1;
    rig r(p);
    for (uint64_t n = 0; n < 4; ++n)
        r.warm(r.l.write(n * 64));
    r.rows({{500, &r.l.write(4 * 64), 510},        /* line 0 is evicted at 501 and answered at 601 */
            {510, &r.l.write(5 * 64), 601 + 10},   /* line 1 must be evicted for this one */
            {511, &r.l.write(3 * 64), 602 + 10}}); /* would hit, but waits for the former */
    BOOST_TEST(r.below.most_outstanding == 1u);
    BOOST_TEST(r.dut.stats().stall_writes_cycles == 601u - 510);
    BOOST_TEST(r.dut.stats().write_backs == 2u);
}

BOOST_AUTO_TEST_CASE(a_write_back_cache_that_fetches_reads_the_line_first)
{
    data_cache_params p = small(WW_WRITE_BACK);
    p.write_miss = 1;
    rig r(p);
    r.rows({{20, &r.l.write(0), 131}, {21, &r.l.write(0), 131}, {300, &r.l.read(0), 310}});
    BOOST_TEST(r.dut.stats().write_merged == 1u);
    BOOST_TEST(r.below.taken.size() == 1u);
    BOOST_TEST(r.below.taken[0].first->is_read());
}

BOOST_AUTO_TEST_CASE(an_atomic_on_a_write_back_cache_needs_the_line)
{
    rig r(small(WW_WRITE_BACK));
    r.rows({{20, &r.l.atomic(0), 131}, {300, &r.l.atomic(0), 310}});
}

BOOST_AUTO_TEST_CASE(the_link_below_takes_its_cycles_only_on_a_miss)
{
    data_cache_params p = small();
    p.link_cycles = 40;
    rig r(p);
    r.rows({{20, &r.l.read(0), 171}, {300, &r.l.read(0), 310}});
}

BOOST_AUTO_TEST_CASE(what_is_no_whole_line_is_refused_with_a_burst_error)
{
    rig r;
    foreign_payload part;
    unsigned char data[64] = {};
    part.set_command(tlm::TLM_READ_COMMAND);
    part.set_address(32);
    part.set_data_ptr(data);
    part.set_data_length(64);
    part.set_streaming_width(64);
    r.rows({{20, &part, 21}});
    BOOST_TEST(part.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(an_error_from_below_ends_the_simulation_with_its_name)
{
    rig r;
    r.below.answer = [](gp &p, tick) { p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE); };
    r.top.ask(r.l.read(0), cycle(10));
    BOOST_CHECK_THROW(r.sim.run(), sc_core::sc_report);
}

BOOST_DATA_TEST_CASE(values_written_by_a_foreign_master_can_be_read_back,
                     boost::unit_test::data::make({WW_WRITE_THROUGH, WW_WRITE_BACK}), write)
{
    rig r(small(static_cast<uint8_t>(write)));
    memory_store *store = &r.store;
    r.below.answer = [store](gp &p, tick) {
        if (p.is_write() && p.get_byte_enable_ptr() == nullptr)
            store->write(p.get_address(), p.get_data_ptr(), p.get_data_length());
        if (p.is_read())
            store->read(p.get_address(), p.get_data_ptr(), p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    gp &out = r.l.write(0);
    out.set_byte_enable_ptr(nullptr); /* all bytes count */
    out.set_byte_enable_length(0);
    std::memset(out.get_data_ptr(), 0x5a, 64);
    r.warm(out);
    gp &back = r.l.read(0);
    r.warm(back);
    BOOST_TEST(std::memcmp(back.get_data_ptr(), out.get_data_ptr(), 64) == 0);
}

/* Walkers may read through the shared cache. */
BOOST_AUTO_TEST_CASE(an_error_of_a_page_table_read_goes_up_to_all_who_wait_and_fills_nothing)
{
    rig r;
    bool refuse = true;
    r.below.answer = [&](gp &p, tick) {
        p.set_response_status(refuse ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    };
    const auto walk = [&r](uint64_t pa) -> gp & {
        gp &p = r.l.read(pa);
        mem_ext_of(p).walk = true;
        return p;
    };
    gp &first = walk(0), &second = walk(0);
    r.top.ask(first, cycle(10));
    r.top.ask(second, cycle(20));
    r.sim.run_until(cycle(200));
    refuse = false;
    gp &again = walk(0);
    r.top.ask(again, cycle(200));
    r.sim.run();
    for (const gp *p : {&first, &second}) {
        BOOST_TEST(p->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        BOOST_TEST(r.top.done.at(p) == cycle(10 + 10 + 100 + 1));
    }
    BOOST_TEST(again.get_response_status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.top.done.at(&again) == cycle(200 + 10 + 100 + 1)); /* a miss */
    const data_cache_stats &s = r.dut.stats();
    BOOST_TEST(s.fills == 1u);
    BOOST_TEST(s.reads == s.read_hits + s.read_misses + s.read_merged);
    BOOST_TEST(s.responses == 3u);
    BOOST_TEST(r.below.taken.size() == 2u);
    BOOST_TEST(r.dut.waiting() == "");
}

BOOST_AUTO_TEST_CASE(an_error_of_a_data_access_ends_the_run_also_when_a_walker_waits_for_the_line_too)
{
    for (const bool walk : {false, true}) {
        rig r;
        r.below.answer = [](gp &p, tick) { p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE); };
        gp &first = r.l.read(0);
        mem_ext_of(first).walk = walk;
        r.top.ask(first, cycle(10));
        r.top.ask(r.l.read(0), cycle(20));
        BOOST_CHECK_THROW(r.sim.run(), sc_core::sc_report);
    }
}

/* The level below announces at once when it will have an evicted line: 100 cycles later. */
BOOST_DATA_TEST_CASE(a_flush_waits_for_lines_that_left_before_until_they_are_below_and_for_no_others,
                     boost::unit_test::data::make({0u, 0x1000u}), flushed)
{
    rig r(small(WW_WRITE_BACK));
    r.dut.will_be_flushed();
    actor at_time("at_time");
    tick done = never;
    for (uint64_t line = 0; line < 4; ++line)
        r.warm(r.l.write(line * 64));
    BOOST_TEST(r.below.taken.empty());
    const tick start = gpu_clock.ceil(simulation_time());
    r.top.ask(r.l.write(4 * 64), start + cycle(20)); /* evicts line 0 */
    at_time.at(start + cycle(60), [&dut = r.dut, &done, first = uint64_t{flushed}] {
        dut.flush({pa_range{first, 64}}, [&done](tick at) { done = at; });
    });
    r.sim.run();
    BOOST_REQUIRE_EQUAL(r.below.taken.size(), 1u);
    const tick below_has_it = r.below.taken[0].second + cycle(100);
    BOOST_TEST(below_has_it > start + cycle(100));
    BOOST_TEST(done == (flushed == 0 ? below_has_it : start + cycle(60)));
}

/* The memory below in these tests: disabled bytes stay unchanged, also in reads. */
BOOST_AUTO_TEST_CASE(the_tests_memory_reads_no_byte_that_is_disabled)
{
    simulation sim;
    memory_store store;
    mem_responder below("below");
    serve(below, store);
    const unsigned char written[4] = {1, 2, 3, 4};
    store.write(0x1000, written, 4);
    unsigned char enables[2] = {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED}, data[4] = {9, 9, 9, 9};
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_address(0x1000);
    p.set_data_ptr(data);
    p.set_data_length(4);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(2);
    const std::vector<unsigned char> expected = {9, 2, 9, 4};
    below.answer(p, 0);
    BOOST_TEST(std::vector<unsigned char>(data, data + 4) == expected);
    std::fill(data, data + 4, static_cast<unsigned char>(9));
    BOOST_TEST(below.on_debug(p) == 4u);
    BOOST_TEST(std::vector<unsigned char>(data, data + 4) == expected);
}

BOOST_AUTO_TEST_CASE(more_sets_than_its_tags_have_room_for_are_refused)
{
    data_cache_params p;
    p.bytes = uint64_t{1} << 30;
    p.ways = 4;
    BOOST_TEST(p.validate() == "");
    p.ways = 1;
    BOOST_TEST(p.validate() == "bytes / 64 / ways is over 4194304 sets: ways = 4 would be at the bound");
}

BOOST_AUTO_TEST_SUITE_END()
