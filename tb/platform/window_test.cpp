/* SPDX-License-Identifier: MIT */
/* Windows of a run: one that covers everything is the whole, adjacent ones add up to it, every law holds for
 * each, and a window that never opens is reported. */
#include "tb/platform/apu_rig.hpp"

#include <boost/test/data/test_case.hpp>

#include <algorithm>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Numbers by full name: count, sum and every bucket of a histogram; levels separately. */
class number_list final : public stat_visitor
{
public:
    std::map<std::string, std::vector<uint64_t>> counts;
    std::map<std::string, uint64_t> levels;

    void begin(const std::string &group, const char *) override
    {
        lengths_.push_back(prefix_.size());
        prefix_ += group + ".";
    }
    void end() override
    {
        prefix_.resize(lengths_.back());
        lengths_.pop_back();
    }
    void count(const char *name, uint64_t value, const char *, const char *) override
    {
        counts[prefix_ + name] = {value};
    }
    void level(const char *name, uint64_t value, const char *, const char *) override
    {
        levels[prefix_ + name] = value;
    }
    void real(const char *, double, const char *, const char *) override { BOOST_FAIL("no such statistic"); }
    void hist(const char *name, const histogram &h, const char *, const char *) override
    {
        std::vector<uint64_t> &all = counts[prefix_ + name];
        all = {h.count(), h.sum()};
        for (unsigned i = 0; i < histogram::buckets; ++i)
            all.push_back(h.bucket(i));
        extremes[prefix_ + name] = {h.min(), h.max()};
    }
    std::map<std::string, std::vector<uint64_t>> extremes;

private:
    std::string prefix_;
    std::vector<size_t> lengths_;
};

struct measured {
    run_end end;
    window_report report;
    number_list numbers;
    uint64_t cycles, translations, ps;
};

/* Divergent rows and writes on two launches, with barriers and local memory. */
const trace &mixed_trace()
{
    static const trace t([] {
        trace_spec spec = two_launches(row_major(6, 4, 4, 16384), scatter(4, 6, 2 << 20, 50));
        for (group_spec &g : spec.launches[1].groups)
            for (wave_spec &w : g) {
                w.records.insert(w.records.begin() + 2, record(WKT_BARRIER));
                w.records.insert(w.records.begin() + 1, uniform(WKT_LOCAL_LOAD, 0));
                w.tail = 100;
            }
        return spec;
    }());
    return t;
}

measured run_window_of(const run_window &window, const std::string &settings = "")
{
    simulation sim;
    gpu_machine machine(configured(settings), mixed_trace().reader());
    machine.measure(window);
    measured m;
    m.end = machine.run({});
    m.report = machine.window();
    machine.visit(m.numbers);
    m.cycles = machine.cycles();
    m.translations = machine.translations();
    m.ps = machine.now_ps();
    const std::vector<law> laws = machine.laws();
    for (const law &l : laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    const auto of_window = [](const law &l) { return l.name.compare(0, 8, "window: ") == 0; };
    BOOST_TEST(std::count_if(laws.begin(), laws.end(), of_window) == (m.report.opened ? 4 : 0));
    BOOST_TEST(laws.size() > 25u);
    return m;
}

window_bound bound(window_unit unit, uint64_t count)
{
    window_bound b;
    b.unit = unit;
    b.count = count;
    return b;
}

uint64_t of(const window_edge &e, window_unit unit)
{
    switch (unit) {
    case window_unit::instructions:
        return e.instructions;
    case window_unit::translations:
        return e.translations;
    case window_unit::cycles:
        return e.cycles;
    case window_unit::groups:
        return e.groups;
    }
    return 0;
}

const char *const machines[] = {"",
                                "walk_unit.coalesce=full walk_unit.walk_path=l2d dispatcher.launch_cycles=50",
                                "translation.ideal=perfect_l1", "dram.tck_ps=1100 gpu.cus=2"};

} // namespace

BOOST_AUTO_TEST_SUITE(windows)

BOOST_DATA_TEST_CASE(a_window_of_everything_is_the_whole, data::make(machines), settings)
{
    const measured whole = run_window_of({}, settings);
    BOOST_TEST((whole.end == run_end::complete));
    for (unsigned unit = 0; unit < 4; ++unit) {
        const measured all =
            run_window_of({{}, bound(static_cast<window_unit>(unit), uint64_t{1} << 40)}, settings);
        BOOST_TEST((all.end == run_end::complete));
        BOOST_TEST(all.report.opened);
        BOOST_TEST(!all.report.full);
        BOOST_TEST((all.numbers.counts == whole.numbers.counts));
        BOOST_TEST((all.numbers.levels == whole.numbers.levels));
        BOOST_TEST((all.numbers.extremes == whole.numbers.extremes));
        BOOST_TEST(all.cycles == whole.cycles);
        BOOST_TEST(all.translations == whole.translations);
        BOOST_TEST(all.ps == whole.ps);
    }
}

BOOST_DATA_TEST_CASE(three_windows_add_up_to_the_whole, data::make(machines) * data::xrange(4), settings,
                     unit)
{
    const auto u = static_cast<window_unit>(unit);
    const measured whole = run_window_of({{}, bound(u, uint64_t{1} << 40)}, settings);
    const uint64_t all = of(whole.report.close, u), first = all / 3, second = all / 4;
    const measured part[] = {run_window_of({{}, bound(u, first)}, settings),
                             run_window_of({bound(u, first), bound(u, second)}, settings),
                             run_window_of({bound(u, first + second), {}}, settings)};
    BOOST_TEST((part[0].end == run_end::measured));
    BOOST_TEST((part[1].end == run_end::measured));
    BOOST_TEST((part[2].end == run_end::complete));
    BOOST_TEST(part[1].report.full);
    for (const auto &n : whole.numbers.counts) {
        /* the simulator's own work: at an edge it stops and begins again */
        if (n.first.rfind("model.activations", 0) == 0)
            continue;
        for (size_t i = 0; i < n.second.size(); ++i) {
            uint64_t sum = 0;
            for (const measured &m : part)
                sum += m.numbers.counts.at(n.first)[i];
            BOOST_TEST(sum == n.second[i], n.first << ": " << sum << " is not " << n.second[i]);
        }
    }
    uint64_t cycles = 0, translations = 0, ps = 0;
    for (const measured &m : part) {
        cycles += m.cycles;
        translations += m.translations;
        ps += m.ps;
        BOOST_TEST(m.numbers.counts.at("gpu.cycles")[0] == m.cycles);
    }
    BOOST_TEST(cycles == whole.cycles);
    BOOST_TEST(translations == whole.translations);
    BOOST_TEST(ps == whole.ps);
    /* the edges are where they were requested, and equal from both sides */
    for (unsigned edge = 0; edge < 2; ++edge) {
        const window_edge &closed = part[edge].report.close, &opened = part[edge + 1].report.open;
        for (unsigned other = 0; other < 4; ++other)
            BOOST_TEST(of(closed, static_cast<window_unit>(other)) ==
                       of(opened, static_cast<window_unit>(other)));
        for (size_t f = 0; f < closed.flows.size(); ++f)
            BOOST_TEST(closed.flows[f].inside == opened.flows[f].inside);
    }
    if (u == window_unit::cycles) {
        BOOST_TEST(part[0].cycles == first);
        BOOST_TEST(part[1].cycles == second);
    }
    BOOST_TEST(of(part[0].report.close, u) >= first);
    BOOST_TEST(of(part[1].report.close, u) >= first + second);
}

/* A window in the middle begins and ends with waves and translations in flight, so the laws have something to
 * balance. */
BOOST_AUTO_TEST_CASE(something_is_in_flight_at_the_edges)
{
    const uint64_t cycles = run_window_of({}).cycles;
    const measured m =
        run_window_of({bound(window_unit::cycles, cycles / 3), bound(window_unit::cycles, cycles / 3)});
    BOOST_TEST(m.report.open.flows.size() == 4u);
    for (const window_flow &f : m.report.open.flows)
        if (std::string(f.name) != "memory_reads")
            BOOST_TEST(f.inside > 0u, f.name);
}

BOOST_AUTO_TEST_CASE(a_warm_up_without_end_leaves_nothing_to_measure)
{
    const measured m = run_window_of({bound(window_unit::groups, 1000), {}});
    BOOST_TEST((m.end == run_end::complete));
    BOOST_TEST(!m.report.opened);
    /* nor does one whose warm-up ends with the last work-group */
    const uint64_t groups = run_window_of({}).numbers.counts.at("gpu.groups")[0];
    BOOST_TEST(!run_window_of({bound(window_unit::groups, groups), {}}).report.opened);
    BOOST_TEST((run_window_of({{}, bound(window_unit::groups, groups)}).end == run_end::complete));
}

/* Nothing is dispatched: the machine is stuck, in its warm-up or in its window. */
BOOST_AUTO_TEST_CASE(a_machine_that_is_stuck_has_a_window_that_makes_sense)
{
    for (const bool warm_up : {false, true}) {
        simulation sim;
        gpu_machine machine(configured(""), mixed_trace().reader());
        run_window window;
        (warm_up ? window.warm_up : window.measure) = bound(window_unit::groups, 1);
        machine.measure(window);
        machine.top().dispatcher.halt();
        BOOST_TEST((machine.run({}) == run_end::deadlock));
        const window_report report = machine.window();
        BOOST_TEST(report.opened == !warm_up);
        BOOST_TEST(!report.full);
        BOOST_TEST(report.close.groups - report.open.groups == 0u);
        number_list numbers;
        machine.visit(numbers);
        BOOST_TEST(numbers.counts.at("gpu.groups")[0] == 0u);
        BOOST_TEST(!machine.stuck().empty());
    }
}

/* Stopped at the first query: a warm-up that is cut leaves a window of length zero. */
BOOST_AUTO_TEST_CASE(a_window_may_be_stopped)
{
    static const trace endless(row_major(64, 4000, 4, 16384));
    for (const bool warm_up : {false, true}) {
        simulation sim;
        gpu_machine machine(configured(""), endless.reader());
        run_window window;
        (warm_up ? window.warm_up : window.measure) = bound(window_unit::cycles, uint64_t{1} << 40);
        machine.measure(window);
        BOOST_TEST((machine.run([](const run_progress &) { return false; }) == run_end::stopped));
        const window_report report = machine.window();
        BOOST_TEST(report.opened);
        BOOST_TEST(!report.full);
        BOOST_TEST((machine.cycles() == 0) == warm_up);
        BOOST_TEST(machine.cycles() == report.close.cycles - report.open.cycles);
        BOOST_TEST(machine.translations() == report.close.translations - report.open.translations);
    }
}

BOOST_AUTO_TEST_SUITE_END()
