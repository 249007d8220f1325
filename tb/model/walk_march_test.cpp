/* SPDX-License-Identifier: MIT */
/* Walkers that march: when each walk begins, when each read is sent, and what that time is charged to. */
#include "tb/model/walk_unit_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* One walker, whose reads may be sent in one cycle. */
walk_unit_params marching(uint32_t walks = 4, uint32_t reads = 4, uint32_t issue = 0)
{
    walk_unit_params p = least();
    p.queue_entries = p.buffer_entries = p.backlog_entries = 64;
    p.march_walks = walks;
    p.march_reads = reads;
    p.march_issue_cycles = issue;
    p.march_group_bits = WW_WALK_VA_BITS_MAX;
    return p;
}

/* A walk of NVIDIA's tables, both in each region: five reads to the big entry, which is empty, and the small
 * one together with it. */
address_space_params both_tables()
{
    address_space_params a = numbers_of<address_space_params>();
    a.table.choose("nvidia_v2");
    a.table.set("page_tables", 1);
    return a;
}

/* Requests pages of port 0 in the cycles `at`. */
std::vector<const xlat_request *> ask(unit_rig &r, const std::vector<uint64_t> &at)
{
    std::vector<const xlat_request *> all;
    for (uint64_t n = 0; n < at.size(); ++n)
        all.push_back(&r.ask(0, cycle(at[n]), n));
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(marching_walks)

BOOST_AUTO_TEST_CASE(those_that_wait_are_walked_at_once)
{
    unit_rig r(1, marching());
    const auto all = ask(r, {10, 10, 10, 10, 10});
    r.run();
    for (uint64_t n = 0; n < 4; ++n)
        BOOST_TEST(r.back(0, *all[n]) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(0, *all[4]) == cycle(10 + 2 * walk + way_up)); /* there are only four places */
    BOOST_TEST(spent(*all[4], "buffer") == cycle(walk));
    BOOST_TEST(r.memory.most_outstanding == 4u);
    BOOST_TEST(r.dut.stats().march_batch.count() == 2u);
    BOOST_TEST(r.dut.stats().march_batch.max() == 4u);
    BOOST_TEST(r.dut.stats().march_busy_ps == cycle(2 * walk));
    BOOST_TEST(r.dut.stats().walker_busy_ps == cycle(5 * walk));
}

/* The second arrives after the first has begun: a batch of one. With refill it finds a place. */
BOOST_DATA_TEST_CASE(who_comes_later_waits_for_the_batch_to_end, data::make({false, true}), refill)
{
    walk_unit_params p = marching();
    p.march_refill = refill ? 1 : 0;
    unit_rig r(1, p);
    const auto all = ask(r, {10, 30, 31});
    r.run();
    BOOST_TEST(r.back(0, *all[0]) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(0, *all[1]) == cycle((refill ? 30 : 10 + walk) + walk + way_up));
    BOOST_TEST(r.back(0, *all[2]) == cycle((refill ? 31 : 10 + walk) + walk + way_up));
    BOOST_TEST(spent(*all[1], "buffer") == (refill ? 0 : cycle(10 + walk - 30)));
    BOOST_TEST(r.dut.stats().march_batch.count() == (refill ? 1u : 2u));
}

/* Idle walkers begin first: two with two walks each, not one with four. */
BOOST_AUTO_TEST_CASE(an_idle_walker_is_before_a_batch_that_grows)
{
    for (const bool refill : {false, true}) {
        walk_unit_params p = marching(4, 1);
        p.walkers = 2;
        p.march_refill = refill ? 1 : 0;
        unit_rig r(1, p);
        const auto all = ask(r, {10, 10});
        r.run();
        for (const xlat_request *q : all)
            BOOST_TEST(r.back(0, *q) == cycle(10 + walk + way_up));
    }
}

/* One read is sent every three cycles: the n-th walk stays that much later. */
BOOST_AUTO_TEST_CASE(a_walker_sends_one_read_after_the_other)
{
    constexpr uint64_t issue = 3;
    unit_rig r(1, marching(4, 4, issue));
    const auto all = ask(r, {10, 10, 10, 10});
    r.run();
    for (uint64_t n = 0; n < 4; ++n) {
        BOOST_TEST(r.back(0, *all[n]) == cycle(10 + walk + n * issue + way_up));
        BOOST_TEST(spent(*all[n], "walk_issue") == cycle(n * issue));
        BOOST_TEST(spent(*all[n], "walk_l1") == cycle(read_time));
    }
}

/* However far apart reads must be sent, a read does not wait if none is in flight. */
BOOST_AUTO_TEST_CASE(a_lone_walk_does_not_wait_for_itself)
{
    unit_rig r(1, marching(4, 4, 3 * read_time));
    const auto all = ask(r, {10});
    r.run();
    BOOST_TEST(r.back(0, *all[0]) == cycle(10 + walk + way_up));
}

/* Each walker has a port of its own. */
BOOST_AUTO_TEST_CASE(another_walker_sends_in_the_same_cycle)
{
    walk_unit_params p = marching(2, 2, 7);
    p.walkers = 2;
    unit_rig r(1, p);
    const auto all = ask(r, {10, 10, 10, 10});
    r.run();
    for (uint64_t n = 0; n < 4; ++n)
        BOOST_TEST(r.back(0, *all[n]) == cycle(10 + walk + (n < 2 ? 0 : 7) + way_up));
}

/* One read in flight: the walks take turns, level by level. */
BOOST_AUTO_TEST_CASE(no_more_reads_are_in_flight_than_there_may_be)
{
    unit_rig r(1, marching(3, 1));
    const auto all = ask(r, {10, 10, 10});
    r.run();
    for (uint64_t n = 0; n < 3; ++n) {
        BOOST_TEST(r.back(0, *all[n]) == cycle(10 + (9 + n + 1) * read_time + way_up));
        BOOST_TEST(spent(*all[n], "walk_issue") == cycle((6 + n) * read_time));
    }
    BOOST_TEST(r.memory.most_outstanding == 1u);
    BOOST_TEST(r.dut.stats().march_reads.max() == 1u);
}

/* Two in flight of three walks: 0 and 1 read, then 2 and 0, 1 and 2, 0 and 1, 2 and 0, 1 and 2. */
BOOST_AUTO_TEST_CASE(a_read_that_is_back_lets_the_next_one_leave)
{
    unit_rig r(1, marching(3, 2));
    const auto all = ask(r, {10, 10, 10});
    r.run();
    const uint64_t waits[] = {1, 2, 2};
    for (uint64_t n = 0; n < 3; ++n) {
        BOOST_TEST(spent(*all[n], "walk_issue") == cycle(waits[n] * read_time));
        BOOST_TEST(r.back(0, *all[n]) == cycle(10 + walk + waits[n] * read_time + way_up));
    }
    BOOST_TEST(r.memory.most_outstanding == 2u);
}

/* The lookup of the walk caches ends before a read waits. */
BOOST_AUTO_TEST_CASE(a_read_leaves_in_the_order_of_being_ready)
{
    walk_unit_params p = marching(4, 4, 9);
    p.pwc_cycles = 20;
    p.march_refill = 1;
    unit_rig r(1, p);
    const auto all = ask(r, {10, 10 + read_time + 10}); /* ready 10 cycles before the first's second level */
    r.run();
    BOOST_TEST(spent(*all[0], "walk_cache") == cycle(20));
    BOOST_TEST(spent(*all[1], "walk_cache") == cycle(20));
    BOOST_TEST(spent(*all[0], "walk_issue") == 0u);
    BOOST_TEST(spent(*all[1], "walk_issue") == 0u);
    BOOST_TEST(r.back(0, *all[0]) == cycle(10 + 20 + walk + way_up));
    BOOST_TEST(r.back(0, *all[1]) == cycle(10 + read_time + 10 + 20 + walk + way_up));
}

/* Port 1's range is another 2 MiB region, port 3's another 512 GiB region. */
BOOST_DATA_TEST_CASE(a_batch_is_of_one_group, data::make({12u, 21u, 30u, 57u}), bits)
{
    walk_unit_params p = marching(4);
    p.march_group_bits = bits;
    unit_rig r(4, p);
    const xlat_request &first = r.ask(0, cycle(10), 0), &page = r.ask(0, cycle(10), 1),
                       &gib = r.ask(1, cycle(10)), &far = r.ask(3, cycle(10));
    r.run();
    /* queues in turn: first, gib, far, page */
    BOOST_TEST(r.back(0, first) == cycle(10 + walk + way_up));
    BOOST_TEST(r.back(0, page) == cycle(10 + (bits >= 21 ? 1 : 4) * walk + way_up));
    BOOST_TEST(r.back(1, gib) == cycle(10 + (bits >= 30 ? 1 : 2) * walk + way_up));
    BOOST_TEST(r.back(3, far) == cycle(10 + (bits == 57 ? 1 : bits == 30 ? 2 : 3) * walk + way_up));
}

/* A line of the cache counts as a read in flight until it arrives. */
BOOST_AUTO_TEST_CASE(lines_from_the_cache_take_the_walker_s_turn)
{
    walk_unit_params p = marching(2, 1);
    p.pte_cache_bytes = 4096;
    p.pte_cache_cycles = 5;
    unit_rig r(1, p);
    r.ask(0, cycle(10), 0);
    const xlat_request &a = r.ask(0, cycle(1000), 1), &b = r.ask(0, cycle(1000), 2);
    r.run();
    BOOST_TEST(r.back(0, a) == cycle(1000 + 7 * 5 + way_up));
    BOOST_TEST(r.back(0, b) == cycle(1000 + 8 * 5 + way_up));
    BOOST_TEST(r.dut.stats().pte_cache_hits == 8u);
}

/* The first walk holds its neighbour, so no walker takes it; a far request marches along. */
BOOST_AUTO_TEST_CASE(with_coalescing_a_batch_has_what_no_read_brings)
{
    walk_unit_params p = marching(4);
    p.coalesce = WW_COALESCE_LEAF;
    p.pwc_l2 = 4;
    unit_rig r(1, p);
    r.ask(0, cycle(10), 40); /* makes walks begin at their last step */
    const xlat_request &first = r.ask(0, cycle(1000), 0), &near = r.ask(0, cycle(1000), 1),
                       &far = r.ask(0, cycle(1000), 8);
    r.run();
    for (const xlat_request *q : {&first, &near, &far})
        BOOST_TEST(r.back(0, *q) == cycle(1000 + read_time + way_up));
    BOOST_TEST(r.dut.stats().walks_coalesced == 1u);
    BOOST_TEST(spent(near, "held") == cycle(read_time));
    BOOST_TEST(r.dut.stats().march_batch.max() == 2u);
}

/* A batch of one changes only which walker's read is first of those sent in one cycle, which the state
 * machine would show. */
BOOST_DATA_TEST_CASE(a_batch_of_one_is_a_walker,
                     data::make({1u, 3u}) * data::make({WW_COALESCE_OFF, WW_COALESCE_FULL}) *
                         data::make({0, 1, 2, 3}),
                     walkers, mode, how)
{
    std::vector<std::vector<tick>> back(2);
    for (const bool march : {false, true}) {
        walk_unit_params p = marching(march ? 1 : 0, 1);
        p.walkers = walkers;
        p.coalesce = static_cast<uint8_t>(mode);
        p.march_refill = how == 3 ? 1 : 0;
        p.match_cycles = how == 1 && walkers == 1 ? 9 : 0;
        p.pte_cache_bytes = how == 2 ? 1024 : 0;
        p.pte_cache_merge = how == 2;
        p.pwc_l2 = how;
        unit_rig r(3, p);
        ww_rng random;
        ww_rng_init(&random, 7);
        std::vector<std::pair<unsigned, const xlat_request *>> all;
        for (unsigned n = 0; n < 90; ++n)
            all.emplace_back(n % 3, &r.ask(n % 3, cycle(10 + n * 9), ww_rng_below(&random, 66)));
        r.run();
        for (const auto &[port, q] : all)
            back[march ? 1 : 0].push_back(r.back(port, *q));
    }
    BOOST_TEST(back[0] == back[1], boost::test_tools::per_element());
}

/* One read in flight, and the small line with it: the line is there when the walk needs it, but still waits
 * for the walker's turn. */
BOOST_AUTO_TEST_CASE(a_line_that_was_read_ahead_takes_the_walker_s_turn)
{
    walk_unit_params p = marching(2, 1);
    p.read_ahead = true;
    unit_rig r(1, p, both_tables());
    const auto all = ask(r, {10, 10});
    r.run();
    for (const xlat_request *q : all) {
        BOOST_TEST(r.back(0, *q) == cycle(10 + 10 * read_time + way_up));
        BOOST_TEST(spent(*q, "walk_issue") == cycle(5 * read_time));
        BOOST_TEST(spent(*q, "walk_l1") == 0u);
    }
    BOOST_TEST(r.memory.most_outstanding == 2u);
    BOOST_TEST(r.dut.stats().march_reads.count() == 12u);
    BOOST_TEST(r.dut.stats().march_reads.max() == 1u);
    BOOST_TEST(r.dut.stats().reads_ahead == 2u);
    BOOST_TEST(r.dut.stats().reads_ahead_used == 2u);
}

/* Owners of walkers, batches, and lines that are read ahead: the laws hold, and a repetition has the same
 * result. */
BOOST_DATA_TEST_CASE(storms_of_several_owners_that_read_ahead_end_and_repeat,
                     data::make({0u, 1u, 2u}) *
                         data::make({WW_COALESCE_OFF, WW_COALESCE_LEAF, WW_COALESCE_FULL}) *
                         data::make({0, 1, 2, 3}),
                     steal, mode, how)
{
    walk_unit_params p = marching(5, 2, 1);
    p.walkers = 3;
    p.buffer_entries = 16;
    p.schedule.choose("dws");
    p.schedule.set("dws_owners", 3);
    p.schedule.set("dws_steal", steal);
    p.schedule.set("dws_epoch", 20);
    p.read_ahead = true;
    p.coalesce = static_cast<uint8_t>(mode);
    p.march_refill = how % 2 == 0 ? 1 : 0;
    p.line_reads = how == 1 ? 1 : 0;
    p.pwc_l2 = 2;
    p.pwc_merge = how == 2;
    p.pte_cache_bytes = how == 3 ? 1024 : 0;
    p.pte_cache_merge = how == 3;
    std::vector<std::vector<tick>> back(2);
    std::vector<std::map<std::string, std::string>> said(2);
    for (size_t run = 0; run < 2; ++run) {
        unit_rig r(5, p, both_tables());
        ww_rng random;
        ww_rng_init(&random, 9);
        std::vector<std::pair<unsigned, const xlat_request *>> all;
        for (unsigned n = 0; n < 200; ++n) {
            const uint64_t page = ww_rng_below(&random, 66);
            const auto vmid = static_cast<uint16_t>(ww_rng_below(&random, 4));
            all.emplace_back(n % 5, &r.ask(n % 5, cycle(10 + n * 4), page, vmid));
        }
        r.run();
        for (const auto &[port, q] : all)
            back[run].push_back(r.back(port, *q));
        said[run] = stat_text::of(r.dut.stats());
        BOOST_TEST(r.dut.stats().reads_ahead_used > 0u);
        BOOST_TEST(r.dut.stats().march_reads.max() <= 2u);
        BOOST_TEST(r.dut.stats().march_batch.max() > 1u);
    }
    BOOST_TEST(back[0] == back[1], boost::test_tools::per_element());
    BOOST_TEST((said[0] == said[1]));
}

/* Everything at once: each has its answer, and the laws hold. */
BOOST_DATA_TEST_CASE(storms_of_walks_end,
                     data::make({1u, 3u}) * data::make({1u, 2u, 16u}) *
                         data::make({WW_COALESCE_OFF, WW_COALESCE_LEAF, WW_COALESCE_FULL}) *
                         data::make({0, 1, 2, 3}),
                     walkers, reads, mode, how)
{
    walk_unit_params p = marching(5, reads, how == 1 ? 6 : 1);
    p.walkers = walkers;
    p.buffer_entries = how == 2 ? 2 : 16;
    p.coalesce = static_cast<uint8_t>(mode);
    p.march_group_bits = how == 3 ? 21 : 57;
    p.march_refill = how % 2 == 0 ? 1 : 0;
    p.schedule.choose(how == 1 ? "sjf" : "fcfs");
    p.line_reads = how == 2 ? 1 : 0;
    p.match_cycles = how == 3 ? 4 : 0;
    p.pwc_l2 = p.pwc_l3 = how == 0 ? 4 : 0;
    p.pte_cache_bytes = how == 3 ? 1024 : 0;
    unit_rig r(5, p);
    ww_rng random;
    ww_rng_init(&random, 9);
    for (unsigned n = 0; n < 200; ++n)
        r.ask(n % 5, cycle(10 + n * 4), ww_rng_below(&random, 66));
    r.run();
    for (unsigned port = 0; port < 5; ++port)
        BOOST_TEST(r.asked[port]->proved() == 40u);
    BOOST_TEST(r.dut.stats().march_reads.max() <= std::min(reads, 5u));
    BOOST_TEST(r.memory.most_outstanding <= walkers * std::min(reads, 5u));
    BOOST_TEST(r.dut.stats().march_batch.max() > 1u);
}

BOOST_AUTO_TEST_CASE(more_walks_than_a_unit_has_are_refused)
{
    walk_unit_params p = marching(64);
    p.walkers = 64;
    BOOST_TEST(p.validate() == "");
    p.walkers = 65;
    BOOST_TEST(p.validate() == "march_walks = 64: with walkers = 65 no more than 63, as a walk unit has no "
                               "more than 4096 walks under way");
    p.march_walks = 63;
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_SUITE_END()
