/* SPDX-License-Identifier: MIT */
/* tb/cli/explanations_test.cpp - the sentences that explain a difference, their use of an account, and the
 * median and range of several runs. */
#include "report/comparison.hpp"
#include "report/explain.hpp"
#include "report/spread.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace walkway;

static json number(double value, const char *unit = "count")
{
    return {{"value", value}, {"unit", unit}, {"description", "made up"}};
}

/* A result whose cycles, reads and latency are given; 100 translations, 50 memory instructions. */
static json result(double cycles, double reads, double latency)
{
    json stats = {
        {"program", {}},
        {"trace", {}},
        {"partial", false},
        {"configuration", json::object()},
        {"headline",
         {{"cycles", number(cycles)},
          {"seconds", number(cycles * 1e-6)},
          {"pte_reads", number(reads)},
          {"l2d_hit_rate", number(0.25)},
          {"walk_latency_mean", number(latency)}}},
    };
    stats["statistics"] = {
        {"coalescer.translations", number(100)},
        {"coalescer.answered", number(100)},
        {"coalescer.instructions", number(50)},
        {"account.translation_cycles", number(100 * (latency + 10), "cycles")},
        {"account.buffer", number(100 * latency, "cycles")},
        {"account.l1_lookup", number(1000, "cycles")},
        {"gpu.wave_stall.wave_cycles", number(cycles * 64, "cycles")},
        {"gpu.wave_stall.translation", number(cycles * 64, "cycles")},
        {"walk_unit.leaf_accesses", number(200)},
        {"walk_unit.leaf_neighbour_accesses", number(80)},
        {"walk_unit.upper_accesses", number(10)},
        {"walk_unit.upper_neighbour_accesses", number(5)},
        {"walk_unit.pte_reads", number(reads)},
        {"walk_unit.pwc_lookups", number(40)},
        {"walk_unit.pwc_hits_l2", number(10)},
        {"l2_tlb.hits", number(3)},
        {"l2_tlb.lookups", number(4)},
        {"model.pages", number(25600)},
        {"energy.walk_reads", number(reads * 1e6, "pJ")},
        {"energy.walk_reads_actual", number(reads * 0.5e6, "pJ")},
        {"energy.cam", number(reads < 100 ? 1e6 : 0, "pJ")},
    };
    return stats;
}

static std::string explained(const json &before, const json &after)
{
    std::string text;
    for (const std::string &line : explain_difference(before, "base", after, "other"))
        text += line + "\n";
    return text;
}

BOOST_AUTO_TEST_CASE(explanations_say_where_the_time_went)
{
    const std::string text = explained(result(1000, 100, 200), result(500, 60, 120));
    BOOST_TEST(text.find("other is 2.00 times as fast as base") != std::string::npos, text);
    BOOST_TEST(text.find("130.0 cycles instead of 210.0") != std::string::npos, text);
    BOOST_TEST(text.find("most of it is buffer 200.0 -> 120.0") != std::string::npos, text);
    BOOST_TEST(text.find("l1_lookup") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(explanations_also_fit_what_is_slower_or_the_same)
{
    const std::string slower = explained(result(500, 60, 120), result(1000, 100, 200));
    BOOST_TEST(slower.find("other takes 2.00 times as long as base (speed-up 0.50)") != std::string::npos,
               slower);
    BOOST_TEST(slower.find("most of it is buffer 120.0 -> 200.0") != std::string::npos, slower);
    const std::string same = explained(result(500, 60, 120), result(500, 60, 120));
    BOOST_TEST(same.find("takes as long as base") != std::string::npos, same);
    BOOST_TEST(same.find("most of it") == std::string::npos, same);
}

BOOST_AUTO_TEST_CASE(the_account_leaves_out_its_own_sum)
{
    const std::vector<cause_share> causes = translation_causes(result(1000, 100, 200));
    BOOST_TEST(causes.size() == 2u);
    BOOST_TEST(mean_of(causes, "buffer") == 200.0);
    BOOST_TEST(mean_of(causes, "l1_lookup") == 10.0);
    BOOST_TEST(mean_of(stall_causes(result(1000, 100, 200)), "translation") == 1280.0);
}

BOOST_AUTO_TEST_CASE(a_spread_is_median_and_range_of_the_runs_there_are)
{
    const double none = std::nan("");
    const spread odd = spread_of({3, 1, none, 2});
    BOOST_TEST(odd.median == 2.0);
    BOOST_TEST(odd.low == 1.0);
    BOOST_TEST(odd.high == 3.0);
    BOOST_TEST(odd.runs == 3u);
    BOOST_TEST(spread_of({4, 1, 2, 3}).median == 2.5);
    BOOST_TEST(text_of_spread(odd, 2) == "2.00 (1.00 ... 3.00)");
    BOOST_TEST(text_of_spread(spread_of({1.5}), 2) == "1.50");
    BOOST_TEST(text_of_spread(spread_of({none}), 2) == "-");
    BOOST_TEST(spread_json(spread_of({}))["median"].is_null());
}
