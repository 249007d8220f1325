/* SPDX-License-Identifier: MIT */
/* What the blocks share: queue of due items, clock, histogram, pools, queue, account, groups of units. */
#include "model/common/due_queue.hpp"
#include "model/common/mem.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/common/unit_groups.hpp"
#include "model/common/xlat.hpp"
#include "tb/support/simulation.hpp"

#include "kernels/bits.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

using namespace walkway;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(due)

/* Times spread over `spread` cycles: almost in order, out of order, and almost never on the same edge. */
BOOST_DATA_TEST_CASE(the_queue_agrees_with_a_multimap_near_and_far,
                     data::make({2, 300, 1023, 1025, 5000, 3000000}), spread)
{
    const clock_domain clock(500);
    due_queue<uint32_t> queue(clock);
    std::multimap<tick, uint32_t> reference; /* equal keys leave in the order of insertion */
    ww_rng random;
    ww_rng_init(&random, static_cast<uint64_t>(spread));
    tick now = 0;
    for (uint32_t n = 0; n < 20000; ++n) {
        if (ww_rng_below(&random, 2) == 0) {
            const tick t =
                now + ww_rng_below(&random, static_cast<uint32_t>(spread)) * 500 + ww_rng_below(&random, 500);
            const tick edge = clock.ceil(t);
            BOOST_REQUIRE_EQUAL(queue.push(t, n), edge);
            reference.emplace(edge, n);
        } else {
            now = reference.empty() ? now : std::max(now, reference.begin()->first);
            uint32_t got = 0;
            const bool have = queue.pop(now, got);
            BOOST_REQUIRE_EQUAL(have, !reference.empty());
            if (have) {
                BOOST_REQUIRE_EQUAL(got, reference.begin()->second);
                reference.erase(reference.begin());
            }
        }
        BOOST_REQUIRE_EQUAL(queue.empty(), reference.empty());
        BOOST_REQUIRE_EQUAL(queue.next(), reference.empty() ? never : reference.begin()->first);
    }
}

BOOST_AUTO_TEST_CASE(nothing_leaves_before_its_edge)
{
    due_queue<int> queue(clock_domain(500));
    int got = 0;
    queue.push(501, 7);
    BOOST_TEST(!queue.pop(999, got));
    BOOST_TEST(queue.pop(1000, got));
    BOOST_TEST(got == 7);
}

BOOST_AUTO_TEST_CASE(entries_of_one_edge_leave_in_the_order_they_came_even_when_others_came_between)
{
    due_queue<int> queue(clock_domain(1));
    int got = 0;
    queue.push(2000, 1);
    queue.push(1500, 0);
    queue.push(2000, 2);
    BOOST_TEST(queue.pop(1500, got));
    queue.push(2000, 3);
    for (int expected = 1; expected <= 3; ++expected) {
        BOOST_TEST(queue.pop(2000, got));
        BOOST_TEST(got == expected);
    }
}

BOOST_AUTO_TEST_CASE(an_entry_may_be_pushed_for_the_edge_that_is_being_emptied)
{
    due_queue<int> queue(clock_domain(500));
    int got = 0;
    queue.push(5000, 1);
    BOOST_TEST(queue.pop(5000, got));
    queue.push(5000, 2);
    BOOST_TEST(queue.pop(5000, got));
    BOOST_TEST(got == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(clocks)

/* A picosecond before, at and after random edges, up to two hours of simulated time. */
BOOST_DATA_TEST_CASE(a_clock_finds_its_edges_to_the_picosecond,
                     data::make({1, 3, 499, 500, 625, 1250, 99999}), length)
{
    const tick p = static_cast<tick>(length);
    const clock_domain clock(p);
    ww_rng random;
    ww_rng_init(&random, p);
    for (unsigned n = 0; n < 20000; ++n) {
        const uint64_t edge = ww_rng_next(&random) % (uint64_t{7200} * 1000000000000 / p) + 1;
        const tick t = edge * p;
        BOOST_REQUIRE_MESSAGE(clock.floor_cycle(t) == edge && clock.ceil_cycle(t) == edge,
                              "at edge " << edge << " of " << p << " ps");
        BOOST_REQUIRE_MESSAGE(clock.floor_cycle(t - 1) == edge - 1 &&
                                  clock.ceil(t - 1) == (p == 1 ? t - 1 : t),
                              "a picosecond before edge " << edge << " of " << p << " ps");
        if (p > 1)
            BOOST_REQUIRE_MESSAGE(clock.floor_cycle(t + 1) == edge && clock.ceil(t + 1) == t + p,
                                  "a picosecond after edge " << edge << " of " << p << " ps");
    }
    BOOST_TEST(clock.ceil(0) == 0u);
    BOOST_TEST(clock.cycles(7) == 7 * p);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(histograms)

BOOST_AUTO_TEST_CASE(every_value_lies_in_the_bucket_that_claims_it)
{
    for (unsigned i = 0; i < histogram::buckets; ++i)
        BOOST_TEST(histogram::bucket_of(histogram::bucket_low(i)) == i);
    for (unsigned i = 0; i + 1 < histogram::buckets; ++i)
        BOOST_TEST(histogram::bucket_of(histogram::bucket_low(i + 1) - 1) == i);
    BOOST_TEST(histogram::bucket_of(UINT64_MAX) == histogram::buckets - 1);
}

BOOST_AUTO_TEST_CASE(small_values_have_exact_quantiles_and_large_ones_are_at_most_an_eighth_too_high)
{
    histogram small, large;
    for (uint64_t v = 1; v <= 10; ++v)
        small.add(v);
    BOOST_TEST(small.quantile(0.5) == 5u);
    BOOST_TEST(small.quantile(0.9) == 9u);
    BOOST_TEST(small.quantile(1.0) == 10u);
    BOOST_TEST(small.quantile(0.0) == 1u);
    BOOST_TEST(small.mean() == 5.5);
    std::vector<uint64_t> values;
    ww_rng random;
    ww_rng_init(&random, 3);
    for (unsigned n = 0; n < 9999; ++n) {
        values.push_back(ww_rng_next(&random) >> ww_rng_below(&random, 50));
        large.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
        const uint64_t exact = values[static_cast<size_t>(std::max(0.0, q * 9999 - 1))];
        BOOST_TEST(large.quantile(q) >= exact);
        BOOST_TEST(static_cast<double>(large.quantile(q)) <= static_cast<double>(exact) * 1.126 + 1);
    }
    BOOST_TEST(large.quantile(1.0) == large.max());
    BOOST_TEST(large.min() == values.front());
}

BOOST_AUTO_TEST_CASE(an_empty_histogram_answers_zero)
{
    const histogram none;
    BOOST_TEST(none.quantile(0.5) == 0u);
    BOOST_TEST(none.min() == 0u);
    BOOST_TEST(none.mean() == 0.0);
}

BOOST_AUTO_TEST_CASE(two_histograms_added_are_one_of_all_their_values)
{
    histogram a, b, both;
    for (uint64_t v = 0; v < 5000; v += 7) {
        (v % 3 == 0 ? a : b).add(v, 2);
        both.add(v);
        both.add(v);
    }
    a.add(b);
    BOOST_TEST(a.count() == both.count());
    BOOST_TEST(a.sum() == both.sum());
    BOOST_TEST(a.min() == both.min());
    BOOST_TEST(a.max() == both.max());
    for (unsigned i = 0; i < histogram::buckets; ++i)
        BOOST_TEST(a.bucket(i) == both.bucket(i));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(pools)

BOOST_AUTO_TEST_CASE(a_pool_uses_what_came_back_and_counts_what_did_not)
{
    pool<int> p;
    int &a = p.take();
    int &b = p.take();
    BOOST_TEST(&a != &b);
    p.give(a);
    BOOST_TEST(&p.take() == &a);
    BOOST_TEST(p.live() == 2u);
    BOOST_TEST(p.high_water() == 2u);
}

BOOST_AUTO_TEST_CASE(a_slot_table_gives_a_number_that_leads_back)
{
    slot_table<int> t;
    const uint32_t a = t.put(10);
    const uint32_t b = t.put(20);
    BOOST_TEST(a != b);
    t[b] = 21;
    BOOST_TEST(t.take(a) == 10);
    BOOST_TEST(t.put(30) == a);
    BOOST_TEST(t.take(b) == 21);
    BOOST_TEST(t.live() == 1u);
}

BOOST_AUTO_TEST_CASE(a_blob_is_aligned_to_a_line_and_large_enough)
{
    blob b(65);
    BOOST_TEST(reinterpret_cast<uintptr_t>(b.as<char>()) % 64 == 0u);
    BOOST_TEST(b.bytes() == 128u);
    BOOST_TEST(blob().bytes() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(account)

namespace
{
constexpr cause here{1}, there{2}, elsewhere{3};

std::vector<std::pair<cause, tick>> segments_of(const xlat_request &r)
{
    std::vector<std::pair<cause, tick>> all;
    r.each_segment([&](cause c, tick ps) { all.emplace_back(c, ps); });
    return all;
}
} // namespace

BOOST_AUTO_TEST_CASE(a_segment_longer_than_32_bits_is_kept_to_the_picosecond)
{
    xlat_request r{};
    r.start(1000);
    r.charge(here, 1500);
    const tick ten_ms = 10000000007;
    r.charge(there, 1500 + ten_ms);
    r.charge_part(there, 5); /* continues */
    r.charge_part(there, UINT32_MAX - 1);
    BOOST_TEST(r.spent(there) == ten_ms + 5 + UINT32_MAX - 1);
    BOOST_TEST(r.spent(here) == 500u);
    BOOST_TEST(segments_of(r).size() == 2u);
    BOOST_TEST(r.mark == 1500 + ten_ms + 5 + UINT32_MAX - 1);
}

BOOST_AUTO_TEST_CASE(segments_of_any_length_follow_each_other_each_in_two_parts)
{
    const cause order[] = {here, there, elsewhere, here, there, cause::response};
    const tick length[] = {7, UINT32_MAX, tick{UINT32_MAX} + 1, tick{1} << 50, 1, (tick{1} << 40) + 3};
    for (unsigned before = 0; before <= xlat_request::places; ++before) { /* short ones before them */
        xlat_request r{};
        r.start(100);
        std::vector<std::pair<cause, tick>> expected;
        for (unsigned i = 0; i < before; ++i) {
            expected.emplace_back(cause{static_cast<uint16_t>(10 + i)}, 1);
            r.charge_part(expected.back().first, 1);
        }
        for (unsigned i = 0; i < 6; ++i) {
            for (const tick part : {length[i] / 3, length[i] - length[i] / 3})
                r.charge_part(order[i], part);
            expected.emplace_back(order[i], length[i]);
        }
        BOOST_TEST((segments_of(r) == expected), "after " << before);
    }
}

BOOST_AUTO_TEST_CASE(a_memory_access_that_goes_deeper_than_its_way_back_holds_is_refused)
{
    test::simulation sim;
    mem_ext way;
    for (uint8_t port = 0; port < way.route.size(); ++port)
        way.enter(port);
    BOOST_CHECK_THROW(way.enter(9), sc_core::sc_report);
    for (auto port = static_cast<uint8_t>(way.route.size()); port-- != 0;)
        BOOST_TEST(way.leave() == port);
}

BOOST_AUTO_TEST_CASE(no_cause_is_registered_after_the_simulation_has_started)
{
    test::simulation sim;
    const auto names = account_names::here();
    names->add(account_names::no_track, "early", "before");
    sim.run();
    BOOST_CHECK_EXCEPTION(names->add(account_names::no_track, "late", "after"), sc_core::sc_report,
                          [](const sc_core::sc_report &r) {
                              return std::string(r.get_msg()).find("the cause late is registered after") == 0;
                          });
}

BOOST_AUTO_TEST_CASE(an_account_holds_as_many_segments_as_its_way_has_and_begins_anew)
{
    xlat_request r{};
    for (const unsigned many : {40u, 3u, 1000u, xlat_request::places, xlat_request::places + 1, 25u}) {
        std::vector<std::pair<cause, tick>> expected;
        r.start(0);
        for (unsigned i = 0; i < many; ++i) {
            expected.emplace_back(i % 2 == 0 ? here : there, 10 + i);
            r.charge_part(expected.back().first, 9 + i);
            r.charge_part(expected.back().first, 1); /* continues */
        }
        BOOST_TEST((segments_of(r) == expected), many << " segments");
    }
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    BOOST_CHECK_THROW(r.charge(here, 1), sc_core::sc_report); /* backwards in time */
}

BOOST_AUTO_TEST_CASE(the_way_back_is_as_deep_as_the_way_there)
{
    xlat_request r{};
    for (unsigned deep = 0; deep < 300; deep = deep < 8 ? deep + 1 : deep * 3) {
        r.start(0);
        for (unsigned round = 0; round < 2; ++round) { /* half the way back, then forward again */
            for (unsigned i = round * deep / 2; i < deep; ++i)
                r.enter(static_cast<uint8_t>(i * 7 + deep));
            for (unsigned i = deep; i-- > (round == 0 ? deep / 2 : 0);)
                BOOST_TEST(unsigned{r.leave()} == (i * 7 + deep) % 256);
        }
        BOOST_TEST(unsigned{r.depth} == 0u);
        for (unsigned i = 0; i < 6; ++i)
            r.enter(1); /* its next use must not see these */
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(groups_of_a_machine_name_only_units_that_it_has)
{
    using groups = std::vector<unit_groups::units>;
    unit_groups lists;
    BOOST_REQUIRE(lists.read("4 0 | 1 5 | 2 3").empty());
    BOOST_TEST((lists.of(6) == groups{{0, 4}, {1, 5}, {2, 3}}));
    BOOST_TEST((lists.of(5) == groups{{0, 4}, {1}, {2, 3}})); /* validate() refuses it */
    BOOST_TEST((lists.of(2) == groups{{0}, {1}}));
    BOOST_TEST((unit_groups(2).of(3) == groups{{0, 1}, {2}}));
    BOOST_TEST((unit_groups(unit_groups::all).of(3) == groups{{0, 1, 2}}));
}
