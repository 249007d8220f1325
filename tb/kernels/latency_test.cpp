/* SPDX-License-Identifier: MIT */
/* Tests drawn latencies: their mean, range and shape, and that a seed determines them. */
#include <boost/test/unit_test.hpp>

#include "kernels/latency.h"

#include <algorithm>
#include <vector>

namespace
{

constexpr unsigned draws = 200000;

std::vector<uint64_t> drawn(ww_latency_kind kind, uint32_t mean, uint64_t seed = 1)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<uint64_t> all;
    for (unsigned i = 0; i < draws; ++i)
        all.push_back(ww_latency_draw(&random, kind, mean));
    return all;
}

double mean_of(const std::vector<uint64_t> &all)
{
    double sum = 0;
    for (const uint64_t v : all)
        sum += static_cast<double>(v);
    return sum / static_cast<double>(all.size());
}

/* Returns the share of draws below the bound. */
double below(const std::vector<uint64_t> &all, uint64_t bound)
{
    const auto n = std::count_if(all.begin(), all.end(), [&](uint64_t v) { return v < bound; });
    return static_cast<double>(n) / draws;
}

} // namespace

BOOST_AUTO_TEST_SUITE(latency)

BOOST_AUTO_TEST_CASE(the_mean_is_the_one_asked_for)
{
    for (const uint32_t mean : {100u, 5000u, WW_LATENCY_MEAN_MAX})
        for (const auto kind : {WW_LATENCY_CONSTANT, WW_LATENCY_UNIFORM, WW_LATENCY_EXPONENTIAL})
            BOOST_TEST(mean_of(drawn(kind, mean)) == mean, boost::test_tools::tolerance(.01));
}

BOOST_AUTO_TEST_CASE(a_constant_is_constant_and_draws_nothing)
{
    ww_rng random;
    ww_rng_init(&random, 7);
    BOOST_TEST(ww_latency_draw(&random, WW_LATENCY_CONSTANT, 42) == 42u);
    BOOST_TEST(random.state == 7u);
}

BOOST_AUTO_TEST_CASE(a_uniform_one_reaches_from_nothing_to_twice_the_mean)
{
    const auto all = drawn(WW_LATENCY_UNIFORM, 10);
    BOOST_TEST(*std::min_element(all.begin(), all.end()) == 0u);
    BOOST_TEST(*std::max_element(all.begin(), all.end()) == 20u);
    BOOST_TEST(below(all, 5) == 5. / 21, boost::test_tools::tolerance(.03));
}

/* Piecewise linear: half of the draws are below 2/3 of the mean, a quarter above 4/3, an eighth above twice
 * the mean. */
BOOST_AUTO_TEST_CASE(an_exponential_one_halves_with_every_two_thirds_of_the_mean)
{
    const auto all = drawn(WW_LATENCY_EXPONENTIAL, 3000);
    BOOST_TEST(1 - below(all, 2000 + 0) == .5, boost::test_tools::tolerance(.02));
    BOOST_TEST(1 - below(all, 4000) == .25, boost::test_tools::tolerance(.03));
    BOOST_TEST(1 - below(all, 6000) == .125, boost::test_tools::tolerance(.05));
    BOOST_TEST(1 - below(all, 1000) == .75, boost::test_tools::tolerance(.02));
    BOOST_TEST(*std::max_element(all.begin(), all.end()) <= 42u * 3000 + 3000);
}

BOOST_AUTO_TEST_CASE(a_seed_says_all)
{
    BOOST_TEST((drawn(WW_LATENCY_EXPONENTIAL, 5000, 3) == drawn(WW_LATENCY_EXPONENTIAL, 5000, 3)));
    BOOST_TEST((drawn(WW_LATENCY_EXPONENTIAL, 5000, 3) != drawn(WW_LATENCY_EXPONENTIAL, 5000, 4)));
}

BOOST_AUTO_TEST_CASE(no_mean_takes_no_time)
{
    for (const auto kind : {WW_LATENCY_CONSTANT, WW_LATENCY_UNIFORM, WW_LATENCY_EXPONENTIAL})
        BOOST_TEST(mean_of(drawn(kind, 0)) == 0.);
}

BOOST_AUTO_TEST_SUITE_END()
