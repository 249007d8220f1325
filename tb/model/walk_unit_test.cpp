/* SPDX-License-Identifier: MIT */
/* The walk unit with several requesters. */
#include "tb/model/walk_unit_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(walk_unit_of_several_requesters)

BOOST_DATA_TEST_CASE(each_answer_goes_to_the_port_that_its_request_came_from,
                     data::make({1u, 2u, 3u}) * data::make({0u, 2u, 64u}) *
                         data::make({WW_COALESCE_OFF, WW_COALESCE_FULL}),
                     ports, backlog, mode)
{
    walk_unit_params p = least();
    p.backlog_entries = backlog;
    p.buffer_entries = 5;
    p.walkers = 3;
    p.coalesce = static_cast<uint8_t>(mode);
    unit_rig r(ports, p);
    ww_rng random;
    ww_rng_init(&random, ports);
    for (unsigned n = 0; n < 40 * ports; ++n)
        r.ask(n % ports, cycle(10 + n * 9), ww_rng_below(&random, 66));
    r.run();
    for (unsigned port = 0; port < ports; ++port)
        BOOST_TEST(r.asked[port]->proved() == 40u);
    BOOST_TEST(r.dut.stats().requests == 40u * ports);
    BOOST_TEST(r.dut.stats().walks_faulted > 0u);
    BOOST_TEST((r.dut.stats().walks_coalesced > 0u) == (mode == WW_COALESCE_FULL));
}

/* Two walkers need the same four lines. In turn, the second reads each line after the first, and meets it
 * again at the next line: it stays one read later. */
BOOST_DATA_TEST_CASE(a_read_of_a_line_that_another_reads_waits_for_it_in_turn, data::make({false, true}),
                     turns)
{
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 2;
    p.line_reads = turns ? 1 : 0;
    unit_rig r(1, p);
    const xlat_request &first = r.ask(0, cycle(10), 0), &second = r.ask(0, cycle(10), 1);
    r.run();
    BOOST_TEST(r.back(0, first) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(0, second) == cycle(10 + walk + (turns ? read_time : 0) + way_up));
    BOOST_TEST(r.memory.taken.size() == 8u); /* every read is sent */
    BOOST_TEST(spent(second, "walk_l4") == cycle((turns ? 2 : 1) * read_time));
    BOOST_TEST(spent(second, "walk_l3") == cycle(read_time));
}

BOOST_AUTO_TEST_CASE(those_that_wait_for_a_line_read_it_in_the_order_of_asking)
{
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 3;
    p.line_reads = 1;
    unit_rig r(1, p);
    const xlat_request &first = r.ask(0, cycle(10), 0), &second = r.ask(0, cycle(11), 1),
                       &third = r.ask(0, cycle(12), 2);
    r.run();
    BOOST_TEST(r.back(0, first) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(0, second) == cycle(10 + walk + read_time + way_up));
    BOOST_TEST(r.back(0, third) == cycle(10 + walk + 2 * read_time + way_up));
}

BOOST_AUTO_TEST_CASE(the_state_machine_goes_on_with_one_walk_at_a_time)
{
    constexpr uint64_t match = 9;
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 2;
    p.match_cycles = match;
    unit_rig r(1, p);
    const xlat_request &first = r.ask(0, cycle(10), 0), &second = r.ask(0, cycle(10), 1);
    r.run();
    BOOST_TEST(r.back(0, first) == cycle(10 + walk + way_up)); /* alone it is not delayed */
    BOOST_TEST(r.back(0, second) == cycle(10 + walk + match + way_up));
    BOOST_TEST(spent(second, "walk_l4") == cycle(read_time + match));
    BOOST_TEST(spent(second, "walk_l3") == cycle(read_time));
}

/* Both reads of level 4: the first one's line is old when it arrives; the second is not yet sent then. */
BOOST_AUTO_TEST_CASE(a_line_that_is_written_before_the_next_in_turn_reads_it_enters_the_cache)
{
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 2;
    p.line_reads = 1;
    p.pte_cache_bytes = 1024;
    unit_rig r(1, p);
    uint64_t level_4 = 0;
    r.memory.answer = [&level_4, served = r.memory.answer](tlm::tlm_generic_payload &line, tick at) {
        served(line, at);
        level_4 = level_4 == 0 ? line.get_address() : level_4;
    };
    r.ask(0, cycle(10), 0);
    r.ask(0, cycle(10), 1);
    r.ask(0, cycle(1000), 2);
    r.sim.run_until(cycle(50));
    BOOST_TEST(r.dut.table_written(level_4) == 0u);
    r.sim.run_until(cycle(900));
    const uint64_t before = r.dut.stats().pte_cache_hits;
    r.run();
    BOOST_TEST(r.dut.stats().pte_cache_hits == before + 4);
}

/* A far line arrives first, and the state machine is busy with it when the next one arrives: a walker that
 * waits its turn for that line reads it even so. */
BOOST_DATA_TEST_CASE(what_a_line_s_arrival_brings_about_does_not_wait_for_the_state_machine,
                     data::make({0u, 7u}), match)
{
    constexpr unsigned far = 10; /* its entry of level 4 is in another line */
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 3;
    p.line_reads = 1;
    p.match_cycles = match;
    unit_rig r(far + 1, p);
    std::map<uint64_t, std::vector<tick>> read; /* by line: when memory served it */
    r.memory.answer = [&read, served = r.memory.answer](tlm::tlm_generic_payload &line, tick at) {
        served(line, at);
        read[line.get_address()].push_back(at);
    };
    r.ask(far, cycle(10));
    r.ask(0, cycle(11), 0);
    r.ask(0, cycle(11), 1);
    r.run();
    unsigned twice = 0;
    for (const auto &[line, at] : read) {
        if (at.size() != 2)
            continue;
        twice += 1;
        if (at[0] == cycle(11 + read_time - 5)) /* the first: level 4, at memory before its way back */
            BOOST_TEST(at[1] == cycle(11 + 2 * read_time - 5));
    }
    BOOST_TEST(twice == 4u);
}

/* A cache of one line, so that nearly all reads are sent to memory and the state machine is never idle: a
 * walker with a line from the cache is served after all that were there before. */
BOOST_AUTO_TEST_CASE(a_line_that_is_here_waits_for_no_more_than_every_walker_s)
{
    constexpr uint64_t match = 40;
    walk_unit_params p = least();
    p.buffer_entries = 16;
    p.walkers = 8;
    p.queue_entries = 64;
    p.pte_cache_bytes = 64;
    p.match_cycles = match;
    unit_rig r(4, p);
    ww_rng random;
    ww_rng_init(&random, 3);
    std::vector<const xlat_request *> all;
    for (unsigned n = 0; n < 200; ++n)
        all.push_back(&r.ask(n % 4, cycle(10 + n), ww_rng_below(&random, 64)));
    r.run();
    BOOST_TEST(r.dut.stats().pte_cache_hits > 20u);
    for (const xlat_request *q : all)
        for (const char *step : {"walk_l4", "walk_l3", "walk_l2", "walk_l1"})
            BOOST_TEST(spent(*q, step) <= cycle(read_time + p.walkers * match), step);
}

BOOST_DATA_TEST_CASE(on_the_ladder_reads_take_what_is_said_of_them, data::make({0u, 1u, 5u}), cycles)
{
    walk_unit_params p = least();
    p.buffer_entries = p.walkers = 2;
    p.zero_walk = true;
    p.ideal_read_cycles = cycles;
    p.line_reads = 1; /* has no effect without real reads */
    p.match_cycles = 40;
    unit_rig r(1, p);
    const xlat_request &first = r.ask(0, cycle(10), 0), &second = r.ask(0, cycle(10), 1);
    r.run();
    BOOST_TEST(r.back(0, first) == cycle(10 + 4 * cycles + way_up));
    BOOST_TEST(r.back(0, second) == cycle(10 + 4 * cycles + way_up));
    BOOST_TEST(r.memory.taken.empty());
}

/* Random nearby pages, some not mapped, with a cache of lines and without: each has its answer, and no two
 * reads of a line are at memory at once. */
BOOST_DATA_TEST_CASE(in_turn_no_two_reads_of_a_line_are_under_way,
                     data::make({0u, 1536u}) * data::make({WW_COALESCE_OFF, WW_COALESCE_LEAF}) *
                         data::make({0u, 7u}),
                     bytes, mode, match)
{
    walk_unit_params p = least();
    p.buffer_entries = 16;
    p.walkers = 8;
    p.queue_entries = 64;
    p.line_reads = 1;
    p.pte_cache_bytes = bytes;
    p.pte_cache_cycles = 3;
    p.coalesce = static_cast<uint8_t>(mode);
    p.match_cycles = match;
    unit_rig r(1, p);
    std::map<uint64_t, tick> until; /* by line: when memory has answered its last read */
    uint64_t reads = 0;
    r.memory.answer = [&until, &reads, served = r.memory.answer](tlm::tlm_generic_payload &line, tick at) {
        served(line, at);
        const auto last = until.find(line.get_address());
        BOOST_TEST((last == until.end() || last->second <= simulation_time()));
        until[line.get_address()] = at;
        ++reads;
    };
    ww_rng random;
    ww_rng_init(&random, 3);
    for (unsigned n = 0; n < 120; ++n)
        r.ask(0, cycle(10 + n * 5), ww_rng_below(&random, 66));
    r.run();
    BOOST_TEST(r.asked[0]->proved() == 120u);
    BOOST_TEST(reads == r.dut.stats().pte_reads);
    BOOST_TEST(reads > until.size());
}

BOOST_DATA_TEST_CASE(queues_are_served_in_turn, data::make({2u, 3u}), ports)
{
    unit_rig r(ports, least());
    std::vector<std::pair<unsigned, const xlat_request *>> all;
    for (uint64_t n = 0; n < 5; ++n)
        for (unsigned port = 0; port < ports; ++port)
            all.emplace_back(port, &r.ask(port, cycle(10), n));
    r.run();
    for (uint64_t n = 0; n < all.size(); ++n)
        BOOST_TEST(r.back(all[n].first, *all[n].second) == cycle(10 + (n + 1) * walk + way_up));
    BOOST_TEST(r.dut.stats().backlog_peak == 0u);
}

/* Port 0 sends ten requests in cycle 10: one walks, one is buffered, two are queued, one waits outside. */
BOOST_AUTO_TEST_CASE(a_port_that_wants_more_than_its_share_does_not_hold_up_another)
{
    unit_rig r(2, least());
    for (uint64_t n = 0; n < 10; ++n)
        r.ask(0, cycle(10), n);
    const xlat_request &other = r.ask(1, cycle(50));
    r.sim.run_until(cycle(9 + walk));
    BOOST_TEST(r.tops[0]->sent == 1u + 1 + 2 + 1);
    BOOST_TEST(r.tops[0]->refused > 0u);
    BOOST_TEST(r.tops[1]->refused == 0u);
    r.run();
    /* the buffered one and one more of port 0, which has the turn, are before it */
    BOOST_TEST(r.back(1, other) == cycle(10 + 4 * walk + way_up));
    BOOST_TEST(spent(other, "backlog") == cycle(10 + 2 * walk - 50));
    BOOST_TEST(spent(other, "buffer") == cycle(walk));
}

/* Four of port 0, then one of port 1. Without a backlog the last of port 0 waits in its queue meanwhile. */
BOOST_DATA_TEST_CASE(behind_a_backlog_all_wait_in_the_order_of_their_arrival, data::make({0u, 64u}), backlog)
{
    walk_unit_params p = least();
    p.backlog_entries = backlog;
    unit_rig r(2, p);
    for (uint64_t n = 0; n < 4; ++n)
        r.ask(0, cycle(10), n);
    r.ask(1, cycle(20));
    r.run();
    const std::vector<unsigned> in_turn = {0, 0, 0, 1, 0}, in_order = {0, 0, 0, 0, 1};
    BOOST_TEST(r.order == (backlog == 0 ? in_turn : in_order), boost::test_tools::per_element());
    BOOST_TEST(r.dut.stats().backlog_peak == (backlog == 0 ? 0u : 3u));
    BOOST_TEST(r.dut.stats().backlog_latency.sum() == walk * (0 + 0 + 1 + 2 + 3) - 10); /* in both cases */
}

/* As with a backlog, but each queue keeps its places to itself. */
BOOST_AUTO_TEST_CASE(queues_are_served_by_arrival_where_that_is_the_order)
{
    unit_rig r(2, least());
    r.dut.up.serve_by(serve_order::arrival);
    for (uint64_t n = 0; n < 4; ++n)
        r.ask(0, cycle(10), n);
    r.ask(1, cycle(20));
    r.run();
    const std::vector<unsigned> in_order = {0, 0, 0, 0, 1};
    BOOST_TEST(r.order == in_order, boost::test_tools::per_element());
}

/* Two of port 0 in one cycle, one of port 1 in the next; the last one after all are answered. */
BOOST_AUTO_TEST_CASE(walks_in_flight_are_counted_with_each_new_one_and_the_time_between_two)
{
    walk_unit_params p = least();
    p.backlog_entries = 64;
    unit_rig r(2, p);
    r.ask(0, cycle(10));
    r.ask(0, cycle(10), 1);
    r.ask(1, cycle(11));
    r.ask(1, cycle(18 + 5 * walk), 1);
    r.run();
    const auto text = stat_text::of(r.dut.stats());
    BOOST_TEST(text.at("walks_in_flight") == "4 values, sum 7: 1*2 2*1 3*1");
    BOOST_TEST(
        text.at("walk_gap").rfind("3 values, sum " + std::to_string(0 + 1 + 5 * walk + 7) + ": 0*1 1*1", 0) ==
            0u,
        text.at("walk_gap"));
}

/* Three requests, each to its own queue. */
BOOST_AUTO_TEST_CASE(walkers_and_entries_of_the_buffer_are_two_numbers)
{
    for (const uint32_t walkers : {1u, 2u})
        for (const uint32_t entries : {1u, 2u}) {
            walk_unit_params p = least();
            p.walkers = walkers;
            p.buffer_entries = entries;
            unit_rig r(3, p);
            std::vector<const xlat_request *> all;
            for (unsigned port = 0; port < 3; ++port)
                all.push_back(&r.ask(port, cycle(10)));
            r.run();
            const uint64_t rounds = walkers == 1 ? 3 : 2;
            BOOST_TEST(r.back(2, *all[2]) == cycle(10 + rounds * walk + way_up));
            BOOST_TEST(r.memory.most_outstanding == walkers);
            BOOST_TEST(spent(*all[2], "backlog") ==
                       (walkers == 1 && entries == 1 ? cycle(walk) : 0)); /* else it has an entry */
        }
}

/* Pages 0 and 1 of a range: two walkers need the same lines. With pwc_merge the second joins the first one's
 * reads, except that of the leaf, although both leaves are in one line. */
BOOST_DATA_TEST_CASE(directory_reads_in_flight_are_joined_and_leaves_are_not, data::make({false, true}),
                     merge)
{
    walk_unit_params p = least();
    p.walkers = p.buffer_entries = 2;
    p.pwc_merge = merge;
    unit_rig r(2, p);
    const xlat_request &first = r.ask(0, cycle(10)),
                       &second = r.asked[1]->ask(ranges()[0].base_va + 4096, cycle(15));
    r.tops[1]->on_answer = [](xlat_request &, tick) {};
    r.sim.run();
    BOOST_TEST(r.dut.stats().walks_started == 2u);
    BOOST_TEST(r.dut.stats().pte_reads == (merge ? 5u : 8u));
    BOOST_TEST(r.dut.stats().pte_reads_merged == (merge ? 3u : 0u));
    BOOST_TEST(r.memory.taken.size() == (merge ? 5u : 8u));
    BOOST_TEST(spent(first, "walk_l4") == cycle(read_time));
    BOOST_TEST(spent(second, "walk_l4") == cycle(read_time - (merge ? 5 : 0)));
    BOOST_TEST(spent(second, "walk_l1") == cycle(read_time));
    BOOST_TEST(r.back(0, first) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(1, second) == cycle((merge ? 10 : 15) + walk + way_up));
}

/* The lookup of the walk caches takes longer than the rest of the read. */
BOOST_AUTO_TEST_CASE(who_joins_a_directory_read_has_it_no_sooner_than_its_lookup_ends)
{
    walk_unit_params p = least();
    p.walkers = p.buffer_entries = 2;
    p.pwc_merge = true;
    p.pwc_cycles = 30;
    unit_rig r(2, p);
    const uint64_t late =
        30 + read_time - 10; /* cycles after the first, whose read returns 10 cycles later */
    r.ask(0, cycle(10));
    const xlat_request &second = r.asked[1]->ask(ranges()[0].base_va + 4096, cycle(10 + late));
    r.tops[1]->on_answer = [](xlat_request &, tick) {};
    r.sim.run();
    BOOST_TEST(spent(second, "walk_cache") == cycle(30));
    BOOST_TEST(spent(second, "walk_l4") == 0u);
    BOOST_TEST(spent(second, "walk_l3") == cycle(read_time - 20));
    BOOST_TEST(r.dut.stats().pte_reads_merged == 3u);
}

/* One read for the first walk of all, and one for a second, far away; an absent entry is found where it
 * is. */
BOOST_AUTO_TEST_CASE(with_ideal_walk_caches_every_walk_reads_once)
{
    walk_unit_params p = least();
    p.pwc_ideal = true;
    unit_rig r(3, p);
    const xlat_request &near = r.ask(0, cycle(10)), &far = r.ask(2, cycle(200));
    const xlat_request &hole = r.ask(1, cycle(400), 66);
    r.run();
    BOOST_TEST(r.back(0, near) == cycle(10 + read_time + way_up));
    BOOST_TEST(r.back(2, far) == cycle(200 + read_time + way_up));
    BOOST_TEST(r.back(1, hole) == cycle(400 + read_time + way_up));
    BOOST_TEST(hole.fault);
    BOOST_TEST(r.dut.stats().pte_reads == 3u);
    BOOST_TEST(r.dut.stats().pwc_lookups == 3u);
    BOOST_TEST(r.dut.stats().pwc_hits[ww_walk_from(ww_walk_reading(1, 2, 0))] == 3u);
}

/* The table has only its root: the walk reads that, and faults. */
BOOST_AUTO_TEST_CASE(ideal_walk_caches_know_no_entry_that_is_absent)
{
    walk_unit_params p = least();
    p.pwc_ideal = true;
    unit_rig r(1, p);
    const xlat_request &lost = r.asked[0]->ask(base_va + (uint64_t{200} << 39), cycle(10));
    r.run();
    BOOST_TEST(lost.fault);
    BOOST_TEST(r.dut.stats().pte_reads == 1u);
    BOOST_TEST(r.dut.stats().steps[4] == 1u);
    BOOST_TEST(spent(lost, "walk_l4") == cycle(read_time));
}

BOOST_AUTO_TEST_CASE(ways_of_the_walk_caches_that_give_no_power_of_two_of_sets_are_refused)
{
    walk_unit_params p = least();
    BOOST_TEST(p.validate() == "");
    p.pwc_ways = 4;
    p.pwc_l2 = 2; /* fewer than its ways: fully associative */
    BOOST_TEST(p.validate() == "");
    p.pwc_l2 = 24;
    BOOST_TEST(p.validate() == "pwc_l2 / pwc_ways is not a power of two: pwc_l2 = 16 or 32 would be");
    p.pwc_l2 = 256;
    BOOST_TEST(p.validate() == "");
    p.pwc_ways = 128;
    BOOST_TEST(p.validate() ==
               "pwc_ways = 128: a set of pwc_l2 has no more than 64 ways (0: fully associative)");
    p.pwc_l2 = 128;
    BOOST_TEST(p.validate() == "");
}

/* The unit knows the table only by its registers: its debug reads use its memory socket. */
BOOST_AUTO_TEST_CASE(a_debug_access_walks_through_the_memory_socket)
{
    unit_rig r(2, least());
    unsigned reads = 0;
    r.memory.on_debug = [&](tlm::tlm_generic_payload &p) {
        ++reads;
        r.store.read(p.get_address(), p.get_data_ptr(), p.get_data_length());
        return p.get_data_length();
    };
    const auto look = [&](uint64_t va) {
        xlat_request q{};
        q.va = va;
        BOOST_TEST(r.tops[1]->down->transport_dbg(q) == 1u);
        ww_xlat expected{};
        BOOST_TEST(q.fault == !r.space.translate(va, &expected));
        BOOST_TEST((q.fault || q.result.page_pa == expected.page_pa));
        return std::exchange(reads, 0);
    };
    r.sim.run_until(1); /* sockets are bound */
    BOOST_TEST(look(base_va) == 4u);
    BOOST_TEST(look(base_va + (64 << 12)) == 4u);
    BOOST_TEST(look(base_va + 40 * far_va) == 1u);
    BOOST_TEST(look(uint64_t{1} << 48) == 0u);
    r.memory.on_debug = [&](tlm::tlm_generic_payload &p) { /* gives the bytes, but returns 0 */
                                                           r.store.read(p.get_address(), p.get_data_ptr(),
                                                                        p.get_data_length());
                                                           return 0u;
    };
    xlat_request q{};
    q.va = base_va;
    r.tops[0]->down->transport_dbg(q);
    BOOST_TEST(q.fault); /* memory refused the read */
    BOOST_TEST(r.dut.stats().requests == 0u);
    BOOST_TEST(r.dut.live() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
