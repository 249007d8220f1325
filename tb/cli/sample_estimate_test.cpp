/* SPDX-License-Identifier: MIT */
/* tb/cli/sample_estimate_test.cpp - estimates from windows: weighted sums, intervals that contain the truth,
 * ratios of pairs, and different orders of waves. */
#include "run/sample_estimate.hpp"

#include "run/sample_windows.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <random>

using namespace walkway;

namespace
{

/* Two kernels, 60 and 40 % of the program, with windows of a hundredth of it. */
sample_plan two_strata(uint32_t first, uint32_t second)
{
    sample_plan plan;
    plan.length = 0.01;
    plan.strata = {{"a", 0.6}, {"b", 0.4}};
    for (uint32_t s = 0; s < 2; ++s)
        for (uint32_t i = 0; i < (s == 0 ? first : second); ++i)
            plan.windows.push_back({s, i % wave_orders, 0, 0, 0});
    return plan;
}

/* Cycles of each window: those of its stratum with noise; `of_second_order` scales windows of the second
 * order. */
std::vector<double> drawn(const sample_plan &plan, std::mt19937_64 &random, double noise,
                          double of_second_order = 1)
{
    std::normal_distribution<double> one(1, noise);
    std::vector<double> all;
    for (const sample_window &w : plan.windows)
        all.push_back((w.stratum == 0 ? 1000 : 3000) * one(random) * (w.order == 1 ? of_second_order : 1));
    return all;
}

constexpr double truth = 60 * 1000 + 40 * 3000;

} // namespace

BOOST_AUTO_TEST_SUITE(sample_estimates)

BOOST_AUTO_TEST_CASE(a_window_stands_for_its_share_of_the_stratum)
{
    const sample_plan plan = two_strata(4, 8);
    const std::vector<double> weights = window_weights(plan);
    BOOST_TEST(std::abs(weights[0] - 15) < 1e-9);
    BOOST_TEST(std::abs(weights[4] - 5) < 1e-9);
    std::vector<double> counted(12, 10.0);
    BOOST_TEST(std::abs(estimate_of(plan, counted).value - 1000) < 1e-9);
    double sum = 0;
    for (size_t i = 0; i < 12; ++i)
        sum += weights[i] * counted[i];
    BOOST_TEST(std::abs(sum - 1000) < 1e-9);
    BOOST_TEST(std::abs(estimate_of(plan, counted).half_width - 20) < 1e-9); /* it is at least 2 % */
}

BOOST_AUTO_TEST_CASE(intervals_hold_the_truth)
{
    const sample_plan plan = two_strata(36, 24);
    std::mt19937_64 random(5);
    unsigned held = 0;
    double widths = 0;
    constexpr unsigned runs = 1000;
    for (unsigned i = 0; i < runs; ++i) {
        const estimate e = estimate_of(plan, drawn(plan, random, 0.25));
        held += std::abs(e.value - truth) <= e.half_width ? 1 : 0;
        widths += e.relative() / runs;
    }
    BOOST_TEST(held >= 920u);
    BOOST_TEST(held <= 980u); /* intervals are not wider than necessary */
    BOOST_TEST(widths > 0.04);
    BOOST_TEST(widths < 0.10);
}

/* Variation that both runs share is not a difference between them. */
BOOST_AUTO_TEST_CASE(ratios_are_of_pairs)
{
    const sample_plan plan = two_strata(36, 24);
    std::mt19937_64 random(6);
    const std::vector<double> base = drawn(plan, random, 0.5);
    const sample_error of_base = error_of(plan, base);
    std::normal_distribution<double> little(1, 0.1);
    unsigned held = 0;
    for (unsigned i = 0; i < 200; ++i) {
        std::vector<double> other = base;
        for (double &v : other)
            v *= 0.8 * little(random);
        const double ratio = estimate_of(plan, other).value / estimate_of(plan, base).value;
        const double half_width = half_width_of_ratio(of_base, error_of(plan, other));
        held += std::abs(ratio - 0.8) <= half_width * ratio ? 1 : 0;
        BOOST_TEST(half_width < estimate_of(plan, base).relative() / 2);
    }
    BOOST_TEST(held >= 180u);
    BOOST_TEST(held < 200u); /* intervals are not wider than necessary */
    BOOST_TEST(half_width_of_ratio(of_base, of_base) == 0.02);
    BOOST_TEST(half_width_of_ratio(error_of(plan, std::vector<double>(60, 0.0)), {}) == 0.02);
}

BOOST_AUTO_TEST_CASE(runs_of_other_windows_or_exact_ones_are_no_pairs)
{
    sample_plan plan = two_strata(36, 24);
    std::mt19937_64 random(8);
    const std::vector<double> counted = drawn(plan, random, 0.5);
    const sample_error one = error_of(plan, counted);
    const double alone = estimate_of(plan, counted).relative();
    BOOST_TEST(are_pairs(one, one));
    BOOST_TEST(std::abs(half_width_of_ratio(one, {}) - alone) < 1e-12);
    BOOST_TEST(std::abs(half_width_of_ratio({}, one) - alone) < 1e-12);
    BOOST_TEST(half_width_of_ratio({}, {}) == 0);
    BOOST_TEST(!are_pairs({}, {}));
    for (sample_window &w : plan.windows)
        w.open = 0.5; /* the same number of windows, elsewhere */
    const sample_error other = error_of(plan, counted);
    BOOST_TEST(!are_pairs(one, other));
    BOOST_TEST(std::abs(half_width_of_ratio(one, other) - std::sqrt(2) * alone) < 1e-12);
}

BOOST_AUTO_TEST_CASE(orders_that_differ_are_seen_and_equal_ones_are_not)
{
    const sample_plan plan = two_strata(36, 24);
    std::mt19937_64 random(7);
    unsigned alarms = 0, seen = 0, one_stratum = 0;
    for (unsigned i = 0; i < 200; ++i) {
        alarms += orders_differ(plan, drawn(plan, random, 0.25)).empty() ? 0 : 1;
        seen += orders_differ(plan, drawn(plan, random, 0.25, 1.5)).empty() ? 0 : 1;
        std::vector<double> counted =
            drawn(plan, random, 0.05); /* one kernel is slower, the other one faster */
        for (size_t w = 0; w < counted.size(); ++w)
            if (plan.windows[w].order == 1)
                counted[w] *= plan.windows[w].stratum == 0 ? 1.4 : 0.8;
        const std::string says = orders_differ(plan, counted);
        one_stratum += says.rfind("a: ", 0) == 0 ? 1 : 0;
    }
    BOOST_TEST(alarms <= 20u);
    BOOST_TEST(seen >= 195u);
    BOOST_TEST(one_stratum >= 195u);
}

BOOST_AUTO_TEST_CASE(a_window_s_file_is_read_whole_or_refused)
{
    const temporary_folder folder;
    const std::string path = folder.path() + "/window";
    window_result w;
    w.cycles = 3;
    w.picoseconds = 4;
    w.laws = {{"law", 5, 5, "story", true}};
    write_window(path, w);
    const window_result again = read_window(path);
    BOOST_TEST(again.cycles == 3u);
    BOOST_TEST(again.picoseconds == 4u);
    BOOST_TEST(again.laws.at(0).right == 5u);
    BOOST_TEST(again.laws.at(0).applies);
    const std::string none(8, '\0'), name("\1\0\0\0\0\0\0\0x", 9);
    const std::string four = std::string("\4") + std::string(7 + 32, '\0');
    for (const std::string &bytes : {none, four + none + none + none + none + name + name + none, four}) {
        std::ofstream(path, std::ios::binary) << bytes;
        BOOST_CHECK_EXCEPTION(read_window(path), failure,
                              [](const failure &e) { return e.code() == exit_law; });
    }
}

BOOST_AUTO_TEST_SUITE_END()
