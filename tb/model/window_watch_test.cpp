/* SPDX-License-Identifier: MIT */
/* Stopping at a moment, snapshots of statistics, and the contents of histograms since a moment. */
#include "model/common/snapshot.hpp"
#include "model/window_watch.hpp"

#include "tb/support/simulation.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Counts its activations: one per `pause` cycles of its own clock, `times` in all. */
class counter final : public block
{
public:
    counter(const char *name, const clock_domain &clock, uint64_t pause, unsigned times)
        : block(name, clock), pause_(pause), left_(times)
    {
    }
    std::string waiting() const override { return ""; }
    uint64_t count = 0;

private:
    void start_of_simulation() override { wake(clock().cycles(pause_)); }
    void step(tick now) override
    {
        ++count;
        if (--left_ != 0)
            wake(now + clock().cycles(pause_));
    }
    uint64_t pause_;
    unsigned left_;
};

void run(bool ahead)
{
    const tick here = simulation_time();
    scheduler::here()->run_ahead(ahead ? here + cycle(100000) : 0);
    sc_core::sc_start(sc_core::sc_time::from_value(cycle(100000)));
    scheduler::here()->run_ahead(0);
}

/* Each condition stops by itself, in their order, and forgetting one keeps the other. */
void stops_for_two(bool ahead)
{
    simulation sim;
    counter slow("slow", clock_domain(800), 7, 100), fast("fast", gpu_clock, 3, 1000);
    window_watch w("w", gpu_clock);
    w.stop_when([&] { return fast.count; }, 9);
    w.stop_when([&] { return slow.count; }, 2, window_watch::step_of_run);
    run(ahead);
    BOOST_TEST(w.reached(window_watch::step_of_run));
    BOOST_TEST(!w.reached());
    BOOST_TEST(w.now() == 11500u); /* slow's second activation is at 11200 */
    run(ahead);
    BOOST_TEST(w.reached());
    BOOST_TEST(w.now() == 13500u);
    w.stop_when([&] { return fast.count; }, 12, window_watch::step_of_run);
    w.forget(window_watch::step_of_run);
    run(ahead);
    BOOST_TEST(!w.reached(window_watch::step_of_run));
    BOOST_TEST(fast.count > 12u);
}

/* With blocks that run ahead of SystemC's time, and without. */
void stops_where_the_count_is_reached(bool ahead)
{
    simulation sim;
    counter slow("slow", clock_domain(800), 7, 100), fast("fast", gpu_clock, 3, 1000);
    window_watch w("w", gpu_clock);
    const auto both = [&] { return slow.count + fast.count; };
    w.stop_when(both, 5);
    run(ahead);
    BOOST_TEST(w.reached());
    BOOST_TEST(w.waiting().empty());
    /* three of fast by 9 cycles = 4500 ps, one of slow at 5600; the fourth of fast at 6000 */
    BOOST_TEST(w.now() == 6000u);
    BOOST_TEST(both() == 5u);
    w.stop_at(cycle(300));
    BOOST_TEST(!w.reached());
    run(ahead);
    BOOST_TEST(w.reached());
    BOOST_TEST(w.now() == cycle(300));
    BOOST_TEST(fast.count == 100u); /* everything of that very time has happened */
    BOOST_TEST(slow.count == cycle(300) / 5600);
    /* already reached: stops at once */
    w.stop_when(both, 1);
    run(ahead);
    BOOST_TEST(w.reached());
    BOOST_TEST(w.now() == cycle(300));
}

void ends_with_the_others(bool ahead)
{
    simulation sim;
    counter c("c", gpu_clock, 3, 10);
    window_watch w("w", gpu_clock);
    w.stop_when([&] { return c.count; }, 11);
    run(ahead);
    BOOST_TEST(!w.reached());
    BOOST_TEST(c.count == 10u);
    BOOST_TEST(!sc_core::sc_pending_activity());
    BOOST_TEST(w.activations() <= 11u); /* it checks only when another block ran */
}

} // namespace

BOOST_AUTO_TEST_SUITE(watch)

BOOST_AUTO_TEST_CASE(it_stops_where_the_count_is_reached)
{
    stops_where_the_count_is_reached(false);
    stops_where_the_count_is_reached(true);
}

BOOST_AUTO_TEST_CASE(it_waits_for_two_moments_each_by_itself)
{
    stops_for_two(false);
    stops_for_two(true);
}

BOOST_AUTO_TEST_CASE(a_count_that_is_not_reached_does_not_keep_the_simulation_alive)
{
    ends_with_the_others(false);
    ends_with_the_others(true);
}

BOOST_AUTO_TEST_SUITE_END()

namespace
{

/* What a visitor was shown last, on one line. */
class line final : public stat_visitor
{
public:
    std::string text;
    uint64_t low = 0, high = 0;
    void begin(const std::string &group, const char *) override { text += group + "{"; }
    void end() override { text += "}"; }
    void count(const char *name, uint64_t value, const char *, const char *) override
    {
        text += std::string(name) + "=" + std::to_string(value) + " ";
    }
    void real(const char *name, double value, const char *, const char *) override
    {
        text += std::string(name) + "~" + std::to_string(static_cast<int>(value)) + " ";
    }
    void hist(const char *name, const histogram &value, const char *, const char *) override
    {
        text +=
            std::string(name) + "#" + std::to_string(value.count()) + "/" + std::to_string(value.sum()) + " ";
        low = value.min();
        high = value.max();
    }
};

stat_snapshot snapshot_of(uint64_t count, const histogram &h, const char *name = "n")
{
    stat_snapshot s;
    s.begin("g", "");
    s.count(name, count, "1", "");
    s.level("top", count, "1", "");
    s.real("r", static_cast<double>(count), "1", "");
    s.hist("h", h, "1", "");
    s.end();
    return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(snapshots)

BOOST_AUTO_TEST_CASE(counts_are_differences_and_levels_are_not)
{
    histogram h;
    h.add(100, 2);
    const stat_snapshot first = snapshot_of(10, h);
    h.add(7);
    const stat_snapshot second = snapshot_of(15, h);
    line l;
    second.since(first, l);
    BOOST_TEST(l.text == "g{n=5 top=15 r~15 h#1/7 }");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_refused)
{
    line l;
    const histogram h;
    BOOST_CHECK_THROW(snapshot_of(1, h).since(snapshot_of(1, h, "m"), l), std::logic_error);
    BOOST_CHECK_THROW(snapshot_of(1, h).since(stat_snapshot(), l), std::logic_error);
    BOOST_CHECK_THROW(snapshot_of(1, h).since(snapshot_of(2, h), l), std::logic_error);
}

BOOST_AUTO_TEST_CASE(extremes_after_a_moment_are_exact_or_edges_of_their_buckets)
{
    histogram h;
    const histogram empty = h;
    h.add(5);
    h.add(1000);
    BOOST_TEST(h.since(empty).min() == 5u);
    BOOST_TEST(h.since(empty).max() == 1000u);
    const histogram then = h;
    BOOST_TEST(h.since(then).count() == 0u);
    BOOST_TEST(h.since(then).max() == 0u);
    h.add(100); /* neither the smallest nor the largest: 96 ... 103 */
    BOOST_TEST(h.since(then).min() == 96u);
    BOOST_TEST(h.since(then).max() == 103u);
    BOOST_TEST(h.since(then).quantile(0.5) == 103u);
    h.add(3);
    h.add(5000);
    BOOST_TEST(h.since(then).min() == 3u);
    BOOST_TEST(h.since(then).max() == 5000u);
    BOOST_TEST(h.since(then).sum() == 5103u);
    histogram top;
    top.add(1000);
    const histogram before = top;
    top.add(990); /* shares the bucket of the largest: no more than the largest sample */
    BOOST_TEST(top.since(before).max() == 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
