/* SPDX-License-Identifier: MIT */
/* tb/cli/study_test.cpp - MICRO'18's figures from made-up results with known ratios, and the sentences that
 * explain a difference. */
#include "cli/comparison.hpp"
#include "cli/explain.hpp"
#include "cli/study.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>
#include <sstream>

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
        {"configuration", {}},
        {"headline",
         {{"cycles", number(cycles)},
          {"seconds", number(cycles * 1e-6)},
          {"pte_reads", number(reads)},
          {"walk_latency_mean", number(latency)}}},
    };
    stats["statistics"] = {
        {"coalescer.translations", number(100)},
        {"coalescer.instructions", number(50)},
        {"account.translation_cycles", number(100 * (latency + 10), "cycles")},
        {"account.buffer", number(100 * latency, "cycles")},
        {"account.l1_lookup", number(1000, "cycles")},
        {"gpu.wave_stall.wave_cycles", number(cycles * 64, "cycles")},
        {"gpu.wave_stall.translation", number(cycles * 64, "cycles")},
        {"iommu.leaf_accesses", number(200)},
        {"iommu.leaf_neighbour_accesses", number(80)},
        {"iommu.upper_accesses", number(10)},
        {"iommu.upper_neighbour_accesses", number(5)},
        {"energy.walk_reads", number(reads * 1e6, "pJ")},
        {"energy.cam", number(reads < 100 ? 1e6 : 0, "pJ")},
    };
    return stats;
}

static study_results all_results()
{
    study_results results;
    const study &s = micro18_study();
    for (const study_program &p : s.programs)
        for (const study_configuration &c : s.configurations)
            results[p.code][c.key] = result(1000, 100, 200);
    for (const study_program &p : s.programs) {
        results[p.code]["full"] = result(500, 60, 120);
        results[p.code]["walkers-32-full"] = result(800, 60, 120);
    }
    return results;
}

static figure made(const std::string &id, const study_results &results)
{
    const study &s = micro18_study();
    for (const figure_def &f : s.figures)
        if (f.id == id)
            return make_figure(s, f, results);
    BOOST_FAIL("no figure " + id);
    return {};
}

static const figure_claim &claim(const figure &f, const std::string &text)
{
    for (const figure_claim &c : f.claims)
        if (c.text == text)
            return c;
    BOOST_FAIL("no claim " + text);
    return f.claims.front();
}

BOOST_AUTO_TEST_CASE(figures_need_only_configurations_that_exist)
{
    const study &s = micro18_study();
    std::set<std::string> keys, used;
    for (const study_configuration &c : s.configurations)
        BOOST_TEST(keys.insert(c.key).second, c.key + " is there twice");
    for (const figure_def &f : s.figures)
        for (const std::string &key : f.configurations) {
            BOOST_TEST(keys.count(key) == 1u, key);
            used.insert(key);
        }
    BOOST_TEST(used.size() == keys.size(), "a configuration that no figure needs");
    for (const study_program &p : s.programs)
        for (const study_scale &scale : s.scales)
            BOOST_TEST(p.arguments.count(scale.name) == 1u, p.code + " " + scale.name);
}

BOOST_AUTO_TEST_CASE(speedups_ratios_and_fractions_are_what_they_say)
{
    const study_results results = all_results();
    BOOST_TEST(claim(made("9", results), "mean, full").ours == 2.0);
    BOOST_TEST(!claim(made("9", results), "mean, full").in_band());
    BOOST_TEST(claim(made("9", results), "GEV, full").in_band());
    BOOST_TEST(claim(made("9", results), "MVT, leaf").ours == 1.0);
    BOOST_TEST(claim(made("10", results), "mean, full").ours == 0.6);
    BOOST_TEST(claim(made("11", results), "mean, full").ours == 0.6);
    BOOST_TEST(claim(made("12", results), "mean, 32 walkers").ours == 1.25);
    BOOST_TEST(!claim(made("12", results), "MVT at 32 / MVT at 8").in_band());
    BOOST_TEST(claim(made("13", results), "mean at 512 / mean at 128").ours == 1.0);
    BOOST_TEST(claim(made("14", results), "mean, full / best cache").ours == 2.0);
    BOOST_TEST(claim(made("5", results), "mean").ours == 0.4);
    BOOST_TEST(made("6", results).bars[0].values[0] == 0.5);
}

BOOST_AUTO_TEST_CASE(the_regular_programs_have_figures_of_their_own)
{
    study_results results = all_results();
    results["HOT"]["full"] = result(1030, 100, 200);
    const figure f = made("9-regular", results);
    BOOST_TEST((f.programs == std::vector<std::string>{"SSP", "LUD", "CLR", "BCK", "HOT"}));
    BOOST_TEST(f.bars[0].values.size() == f.programs.size());
    BOOST_TEST(claim(f, "least of the five, leaf").ours == 1.0);
    BOOST_TEST(claim(f, "least of the five, leaf").in_band());
    BOOST_TEST(claim(f, "least of the five, full").ours == 1000.0 / 1030.0);
    BOOST_TEST(!claim(f, "least of the five, full").in_band());
    BOOST_TEST((made("9", results).programs == std::vector<std::string>{"MVT", "ATX", "NW", "BIC", "GEV"}));
    results["SSP"].erase("full");
    BOOST_TEST(std::isnan(claim(made("9-regular", results), "least of the five, full").ours));
}

BOOST_AUTO_TEST_CASE(saved_power_is_a_difference_of_powers_and_saved_energy_is_over_the_shorter_time)
{
    /* 100 reads of 1e6 pJ in 1 ms: 100 mW; 60 of them and 1e6 pJ of CAM in 0.5 ms: 122 mW. */
    const figure f = made("III", all_results());
    BOOST_TEST(claim(f, "mean").ours == -22.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(f.bars[0].values[0] == -22.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(f.bars[1].values[0] == 78.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(missing_results_show_as_missing)
{
    study_results results = all_results();
    results["NW"].erase("full");
    const figure f = made("9", results);
    BOOST_TEST(std::isnan(claim(f, "NW, full").ours));
    BOOST_TEST(std::isnan(claim(f, "mean, full").ours));
    const report_head head{"full", {}, 90, 1};
    std::ostringstream text;
    print_report(text, micro18_study(), head, {f}, true);
    BOOST_TEST(text.str().find("1 WITHOUT RESULT") != std::string::npos);
    BOOST_TEST(text.str().find("| NW | 1.000 | - | 1.000 |") != std::string::npos);
    const json j = report_json(micro18_study(), head, {f});
    BOOST_TEST(j["figures"][0]["bars"][1]["values"]["NW"].is_null());
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
