/* SPDX-License-Identifier: MIT */
/* Victims of a TLB, and fills of the one below: which level passes on what, when it arrives, and what is
 * counted. */
#include "model/tlb.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

tlb_params small(uint32_t entries, uint8_t victims, uint32_t fills)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.hit_cycles = 10;
    p.mshrs = 64;
    p.queue_entries = 64;
    p.victims = victims;
    p.fills = fills;
    return p;
}

constexpr uint8_t drop = 0, pass = 1;

/* An upper level of two entries, or of one, above one of 16, above a responder that takes 100 cycles. */
struct chain {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    tlb upper, lower;
    translations asked{top};

    explicit chain(uint8_t victims = pass, uint32_t fills = 4, uint32_t upper_entries = 2,
                   uint8_t lower_victims = drop)
        : upper("upper", gpu_clock, small(upper_entries, victims, 0), {"l1", "L1 TLB"}, 1),
          lower("lower", gpu_clock, small(1, lower_victims, fills), {"l2", "L2 TLB"}, 1)
    {
        top.down.bind(*upper.up[0]);
        upper.down.bind(*lower.up[0]);
        lower.down.bind(below.up);
        invent(below);
    }
    void look(uint64_t page, tick at)
    {
        asked.ask(page << 12, at);
        sim.run();
        check_laws();
    }
    void check_laws() const
    {
        law_list list(0, false);
        upper.laws(list);
        list.of("lower", "lower");
        lower.laws(list);
        const post_lane &lane = *lower.up[0]->posts();
        list.add("fills sent = received + dropped", lane.sent(), lane.taken() + lane.dropped());
        for (const law &l : list.all())
            BOOST_TEST(l.left == l.right, l.name);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(tlb_victims)

BOOST_AUTO_TEST_CASE(a_victim_is_kept_by_the_level_below_and_found_there_again)
{
    chain c;
    for (uint64_t page = 1; page <= 3; ++page)
        c.look(page, cycle(page * 1000)); /* page 3 evicts page 1 from the upper level */
    BOOST_TEST(c.upper.stats().victims_passed == 1u);
    BOOST_TEST(c.lower.stats().fills_received == 1u);
    BOOST_TEST(c.lower.stats().fills_kept == 1u);
    c.look(1, cycle(5000));
    BOOST_TEST(c.lower.stats().hits == 1u);
    BOOST_TEST(c.below.taken.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_victim_arrives_a_cycle_after_it_left_and_not_when_somebody_looks)
{
    chain c;
    c.look(1, cycle(1000));
    c.look(2, cycle(2000));
    c.asked.ask(3 << 12, cycle(3000));
    const tick filled = cycle(3000 + 10 + 10 + 100 + 1); /* two lookups, the level below, the way up */
    c.sim.run_until(filled + cycle(1));
    BOOST_TEST(c.upper.stats().victims_passed == 1u);
    BOOST_TEST(c.lower.stats().fills_received == 0u);
    BOOST_TEST(c.lower.live() == 1u); /* a fill in flight keeps it live */
    c.sim.run_until(filled + cycle(1) + 1);
    BOOST_TEST(c.lower.stats().fills_received == 1u);
    BOOST_TEST(c.lower.live() == 0u);
}

BOOST_AUTO_TEST_CASE(a_fill_of_a_page_that_is_there_refreshes_it)
{
    chain c(pass, 4, 1);
    c.look(1, cycle(1000)); /* the lower level has page 1, and no place for another */
    c.lower.up[0]->posts()->fill(1 << 12, 0, invented(1 << 12), cycle(2000));
    c.sim.run();
    BOOST_TEST(c.lower.stats().fills_refreshed == 1u);
    BOOST_TEST(c.lower.stats().fills_kept == 0u);
    BOOST_TEST(c.lower.stats().evictions == 0u);
    c.check_laws();
}

BOOST_AUTO_TEST_CASE(an_answer_whose_page_came_as_a_fill_meanwhile_refreshes_it)
{
    chain c;
    c.asked.ask(1 << 12, cycle(100));
    c.lower.up[0]->posts()->fill(1 << 12, 0, invented(1 << 12), cycle(150));
    c.sim.run();
    BOOST_TEST(c.lower.stats().fills_kept == 1u);
    BOOST_TEST(c.lower.stats().refreshed == 1u);
    c.check_laws();
}

/* A message needs a level that passes and one that takes. */
BOOST_DATA_TEST_CASE(a_level_that_may_not_pass_or_has_no_taker_below_emits_nothing,
                     boost::unit_test::data::make({drop, drop, pass}) ^
                         boost::unit_test::data::make({0u, 4u, 0u}),
                     victims, fills)
{
    chain c(victims, fills);
    for (uint64_t page = 1; page <= 6; ++page)
        c.look(page, cycle(page * 1000));
    BOOST_TEST(c.upper.stats().evictions == 4u);
    BOOST_TEST(c.upper.stats().victims_passed == 0u);
    BOOST_TEST(c.lower.up[0]->posts()->sent() == 0u);
}

BOOST_AUTO_TEST_CASE(a_level_above_a_foreign_block_drops_its_victims)
{
    chain c(pass, 4, 2, pass); /* the lower level is above a responder without a lane */
    for (uint64_t page = 1; page <= 6; ++page)
        c.look(page, cycle(page * 1000));
    BOOST_TEST(c.lower.stats().evictions > 0u);
    BOOST_TEST(c.lower.stats().victims_passed == 0u);
}

/* Six answers arrive in one cycle and evict five victims; the lane has room for `fills`. */
BOOST_DATA_TEST_CASE(a_fill_that_finds_its_lane_full_is_dropped_and_one_of_a_lane_is_entered_in_a_cycle,
                     boost::unit_test::data::make({1u, 3u, 5u, 8u}), fills)
{
    chain c(pass, fills, 1);
    for (uint64_t n = 0; n < 5; ++n)
        c.lower.up[0]->posts()->fill((n + 1) << 12, 0, invented((n + 1) << 12), cycle(100));
    const uint64_t room = std::min<uint64_t>(fills, 5);
    for (uint64_t n = 0; n <= room; ++n) {
        c.sim.run_until(cycle(100 + n));
        BOOST_TEST(c.lower.stats().fills_received == n);
    }
    c.sim.run();
    BOOST_TEST(c.lower.stats().fills_dropped == 5 - room);
    c.check_laws();
}

BOOST_AUTO_TEST_CASE(posts_keep_their_order_whatever_their_times_and_the_invalidate_has_a_place_of_its_own)
{
    simulation sim;
    struct idle final : block {
        idle() : block("idle", gpu_clock) {}
        void step(tick) override {}
        std::string waiting() const override { return ""; }
    } owner;
    tick next = never;
    post_lane lane(owner, 1, next);
    lane.fill(1 << 12, 0, invented(1 << 12), cycle(9));
    lane.fill(2 << 12, 0, invented(2 << 12), cycle(9));
    lane.back(cycle(3)); /* after the fill, although its time is earlier */
    BOOST_TEST(lane.dropped() == 1u);
    BOOST_TEST(next == cycle(9));
    BOOST_TEST((lane.front(cycle(8)) == nullptr));
    BOOST_REQUIRE((lane.front(cycle(9)) != nullptr));
    BOOST_TEST(!lane.front(cycle(9))->back);
    lane.pop();
    BOOST_TEST(lane.front(cycle(9))->back);
    lane.fill(3 << 12, 0, invented(3 << 12), cycle(9));
    BOOST_TEST(lane.dropped() == 2u); /* a freed place is available from the next cycle on */
}

BOOST_AUTO_TEST_SUITE_END()
