/* SPDX-License-Identifier: MIT */
/* A run reported in steps: where they end, what is left for the last, and that they keep no machine
 * running. */
#include "tb/platform/apu_rig.hpp"

#include "platforms/equality.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const trace &mixed_trace()
{
    static const trace t(two_launches(row_major(6, 4, 4, 16384), scatter(4, 6, 2 << 20, 50)));
    return t;
}

struct told {
    window_edge from, to;
    std::map<std::string, uint64_t> counted;
    std::vector<uint64_t> signals;
};

step_plan plan_of(window_unit unit, uint64_t count, std::vector<told> &rows,
                  const std::vector<std::string> &signals = {})
{
    return {{unit, count}, {"gpu", "l1_tlb", "dram"}, signals, [&rows](const run_step &s) {
                stat_values values;
                s.counted(values);
                rows.push_back({s.from, s.to, values.all, s.signals});
            }};
}

} // namespace

BOOST_AUTO_TEST_SUITE(steps)

BOOST_AUTO_TEST_CASE(steps_in_cycles_are_equally_long_and_the_rest_is_the_last)
{
    simulation sim;
    gpu_machine machine(configured(""), mixed_trace().reader());
    std::vector<told> rows;
    machine.tell_steps(plan_of(window_unit::cycles, 1000, rows));
    BOOST_TEST((machine.run({}) == run_end::complete));
    BOOST_TEST_REQUIRE(rows.size() > 2u);
    for (size_t n = 0; n < rows.size(); ++n) {
        BOOST_TEST(rows[n].from.cycles == 1000 * n);
        BOOST_TEST((n + 1 == rows.size() || rows[n].to.cycles == 1000 * (n + 1)));
    }
    BOOST_TEST(rows.back().to.cycles == machine.cycles());
    BOOST_TEST(rows.size() == (machine.cycles() + 999) / 1000);
    stat_values whole;
    machine.visit(whole);
    for (const char *name :
         {"gpu.cycles", "gpu.instructions", "l1_tlb.hits", "dram.reads", "dram.row_hits"}) {
        uint64_t sum = 0;
        for (const told &row : rows)
            sum += row.counted.at(name);
        BOOST_TEST(sum == whole.all.at(name), name);
    }
}

/* Compares an edge inside a run with the end of a shorter run, for two lengths of steps. */
BOOST_AUTO_TEST_CASE(an_edge_counts_with_all_that_happens_at_it)
{
    for (const uint64_t every : {uint64_t{1}, uint64_t{7}}) {
        simulation sim;
        gpu_machine machine(configured(""), mixed_trace().reader());
        run_window window;
        window.measure = {window_unit::cycles, 2100};
        machine.measure(window);
        std::vector<told> rows;
        machine.tell_steps(plan_of(window_unit::cycles, every, rows));
        BOOST_TEST((machine.run({}) == run_end::measured));
        BOOST_TEST_REQUIRE(rows.size() == 2100 / every);
        /* the last step ends as the window closes; an edge before it is the sum of the steps until then */
        uint64_t instructions = 0;
        for (const told &row : rows)
            instructions += row.to.instructions - row.from.instructions;
        BOOST_TEST(instructions == machine.window().close.instructions);
        BOOST_TEST(rows.back().to.cycles == 2100u);
        simulation again;
        gpu_machine shorter(configured(""), mixed_trace().reader());
        window.measure.count = 1400;
        shorter.measure(window);
        BOOST_TEST((shorter.run({}) == run_end::measured));
        BOOST_TEST(rows[1400 / every - 1].to.instructions == shorter.window().close.instructions);
        BOOST_TEST(rows[1400 / every - 1].to.translations == shorter.window().close.translations);
    }
}

BOOST_AUTO_TEST_CASE(a_step_in_counts_ends_with_the_first_edge_that_reaches_a_multiple)
{
    simulation sim;
    gpu_machine machine(configured(""), mixed_trace().reader());
    std::vector<told> rows;
    machine.tell_steps(plan_of(window_unit::translations, 100, rows));
    BOOST_TEST((machine.run({}) == run_end::complete));
    BOOST_TEST_REQUIRE(rows.size() > 2u);
    uint64_t last = 0;
    for (size_t n = 0; n + 1 < rows.size(); ++n) {
        const uint64_t here = rows[n].to.translations;
        BOOST_TEST(here / 100 > last / 100);
        BOOST_TEST(here % 100 < 40u); /* as many as one cycle may answer */
        BOOST_TEST(here / 100 - last / 100 == 1u);
        last = here;
    }
    BOOST_TEST(rows.back().to.translations == machine.translations());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_stuck_is_not_kept_going)
{
    for (const window_unit unit : {window_unit::cycles, window_unit::translations}) {
        simulation sim;
        gpu_machine machine(configured(""), mixed_trace().reader());
        std::vector<told> rows;
        machine.tell_steps(plan_of(unit, 10, rows));
        machine.top().dispatcher.halt();
        BOOST_TEST((machine.run({}) == run_end::deadlock));
        BOOST_TEST_REQUIRE(!rows.empty());
        BOOST_TEST(rows.back().to.groups == 0u);
    }
}

BOOST_AUTO_TEST_CASE(an_interrupt_leaves_no_step_without_time_behind_another)
{
    static const trace endless(row_major(64, 4000, 4, 16384));
    simulation sim;
    gpu_machine machine(configured(""), endless.reader());
    std::vector<told> rows;
    machine.tell_steps(plan_of(window_unit::cycles, 100, rows));
    unsigned asked = 0;
    BOOST_TEST((machine.run([&](const run_progress &) { return ++asked < 2; }) == run_end::stopped));
    BOOST_TEST_REQUIRE(rows.size() > 1u);
    for (const told &row : rows)
        BOOST_TEST(row.to.cycles > row.from.cycles);
    BOOST_TEST(rows.back().to.cycles == machine.cycles());
}

BOOST_AUTO_TEST_SUITE_END()
