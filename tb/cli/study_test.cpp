/* SPDX-License-Identifier: MIT */
/* tb/cli/study_test.cpp - MICRO'18's figures from made-up results with known ratios, verdicts and spreads,
 * and the sentences that explain a difference. */
#include "report/comparison.hpp"
#include "report/explain.hpp"
#include "study/study.hpp"
#include "support/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>
#include <sstream>

using namespace walkway;

static json histogram_of(double count, double sum)
{
    return {{"count", count},           {"sum", sum},       {"mean", sum / count},
            {"buckets", json::array()}, {"unit", "cycles"}, {"description", "made up"}};
}

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
        {"walk_unit.walk_latency", histogram_of(50, 50 * latency)},
        {"walk_unit.backlog_latency", histogram_of(50, 30 * latency)},
        {"walk_unit.buffer_latency", histogram_of(50, 10 * latency)},
        {"walk_unit.service_latency", histogram_of(20, 10 * latency)},
        {"l2_tlb.hits", number(3)},
        {"l2_tlb.lookups", number(4)},
        {"model.pages", number(25600)},
        {"energy.walk_reads", number(reads * 1e6, "pJ")},
        {"energy.walk_reads_actual", number(reads * 0.5e6, "pJ")},
        {"energy.cam", number(reads < 100 ? 1e6 : 0, "pJ")},
    };
    return stats;
}

static study_results all_results()
{
    study_results results;
    const study &s = find_study("micro18");
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
    const study &s = find_study("micro18");
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

BOOST_AUTO_TEST_CASE(figures_of_every_study_need_only_what_exists)
{
    for (const study *s : studies()) {
        std::set<std::string> keys, used, ids, groups;
        for (const study_configuration &c : s->configurations)
            BOOST_TEST(keys.insert(c.key).second, s->name + ": " + c.key + " is there twice");
        for (const study_program &p : s->programs)
            groups.insert(p.group);
        for (const figure_def &f : s->figures) {
            BOOST_TEST(ids.insert(f.id).second, s->name + ": figure " + f.id + " is there twice");
            for (const std::string &group : f.groups)
                BOOST_TEST(groups.count(group) == 1u, s->name + ": no program of " + group);
            for (const std::string &key : f.configurations) {
                BOOST_TEST(keys.count(key) == 1u, s->name + ": " + key);
                used.insert(key);
            }
        }
        BOOST_TEST(used.size() == keys.size(), s->name + ": a configuration that no figure needs");
        for (const study_program &p : s->programs)
            for (const study_scale &scale : s->scales)
                BOOST_TEST(p.arguments.count(scale.name) == 1u, s->name + ": " + p.code + " " + scale.name);
    }
}

BOOST_AUTO_TEST_CASE(a_study_is_found_by_its_name)
{
    for (const study *s : studies())
        BOOST_TEST(&find_study(s->name) == s);
    BOOST_CHECK_EXCEPTION(find_study("mirco18"), failure, [](const failure &e) {
        const std::string text = e.what();
        return e.code() == exit_usage && text.find("did you mean 'micro18'") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(gains_are_averaged_in_percent_with_a_floor)
{
    BOOST_TEST(gain_mean({1.1, 1.4}) == 20.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(gain_mean({1.1, 0.9}) == 1.0, boost::test_tools::tolerance(1e-9)); /* 10 and 0.1 */
    BOOST_TEST(std::isnan(gain_mean({1.1, std::nan("")})));
    figure f = {"table-2", "made up", 2, {{"s", {1.1, 1.4}, true, true}, {"r", {1.1, 1.4}, true}}, {}, {}};
    f.programs = {"A", "B"};
    f.gains = true;
    std::ostringstream text;
    print_report(text, find_study("micro18"), {"full", {}, 2, 0, {}}, {{f}}, false);
    BOOST_TEST(text.str().find("Table 2: made up") != std::string::npos, text.str());
    BOOST_TEST(text.str().find("gains, %, geometric  20.0") != std::string::npos, text.str());
    BOOST_TEST(text.str().find("soft") == std::string::npos, text.str());
    const json bars = report_json(find_study("micro18"), {"full", {}, 2, 0, {}}, {{f}})["figures"][0]["bars"];
    BOOST_TEST(bars[0]["gain_mean_percent"].get<double>() == 20.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(!bars[1].contains("gain_mean_percent"), "a ratio that is no speed-up");
}

/* Of a single run. */
static std::string verdict(const figure &f, const std::string &text)
{
    const figure_claim &c = claim(f, text);
    return verdict_of(c.paper, spread_of({c.ours}));
}

BOOST_AUTO_TEST_CASE(speedups_ratios_and_fractions_are_what_they_say)
{
    const study_results results = all_results();
    BOOST_TEST(claim(made("9", results), "mean, full").ours == 2.0);
    BOOST_TEST(claim(made("10", results), "mean, full").ours == 0.6);
    BOOST_TEST(claim(made("11", results), "mean, full").ours == 0.6);
    BOOST_TEST(claim(made("12", results), "mean, 32 walkers").ours == 1.25);
    BOOST_TEST(claim(made("13", results), "mean at 512 / mean at 128").ours == 1.0);
    BOOST_TEST(claim(made("14", results), "mean, full / best cache").ours == 2.0);
    BOOST_TEST(claim(made("5", results), "mean").ours == 0.4);
    BOOST_TEST(made("6", results).bars[0].values[0] == 0.5);
    BOOST_TEST(claim(made("II", results), "NW").ours == 100.0);
}

BOOST_AUTO_TEST_CASE(what_the_paper_states_is_matched_or_missed)
{
    const study_results results = all_results();
    BOOST_TEST(verdict(made("9", results), "mean, full") == "missed", "2.0 is not within 10 % of 1.7");
    BOOST_TEST(verdict(made("10", results), "mean, full") == "matched");
    BOOST_TEST(verdict(made("12", results), "mean, 32 walkers") == "matched");
    BOOST_TEST(verdict(made("12", results), "MVT at 32 / MVT at 8") == "missed");
    BOOST_TEST(verdict(made("5", results), "MVT") == "missed");
    BOOST_TEST(verdict(made("9", results), "leaf's share of the gain: ATX") == "missed",
               "leaf gains nothing");
    BOOST_TEST(verdict(made("II", results), "NW") == "missed");
    BOOST_TEST(verdict(made("II", results), "MVT") == "missed");
    BOOST_TEST(claim(made("II-regular", results), "LUD").paper.text == "1.2");
    BOOST_TEST(claim(made("II", results), "ATX").paper.text == "64.06");
}

BOOST_AUTO_TEST_CASE(the_rule_of_a_verdict_is_a_tenth_or_our_range)
{
    const stated paper = stated::about("around 1.7", 1.7);
    BOOST_TEST(verdict_of(paper, spread_of({1.54})) == "matched");
    BOOST_TEST(verdict_of(paper, spread_of({1.52})) == "missed");
    BOOST_TEST(verdict_of(paper, spread_of({1.88})) == "missed");
    BOOST_TEST(verdict_of(paper, spread_of({1.4, 1.4, 1.71})) == "matched", "it lies in the range");
    BOOST_TEST(verdict_of(paper, spread_of({1.4, 1.4, 1.69})) == "missed");
    BOOST_TEST(verdict_of(paper, spread_of({})) == "");
    BOOST_TEST(verdict_of(stated::over("more", 1), spread_of({0.9, 0.99, 1.2})) == "missed",
               "a range does not turn around what the median says");
    BOOST_TEST(verdict_of(stated::under("less", 1), spread_of({0.99})) == "matched");
    const stated between = stated::between("3 to 4", 3, 4);
    BOOST_TEST(verdict_of(between, spread_of({2.7})) == "matched");
    BOOST_TEST(verdict_of(between, spread_of({2.69})) == "missed");
    BOOST_TEST(verdict_of(between, spread_of({4.41})) == "missed");
    BOOST_TEST(verdict_of(stated::between("equal", 0.4, 0.6, 0), spread_of({0.61})) == "missed");
    BOOST_TEST(verdict_of(paper.softly(), spread_of({1.52})) == "soft", "hangs on what is not given");
    BOOST_TEST(verdict_of(paper.softly(), spread_of({1.54})) == "matched");
}

BOOST_AUTO_TEST_CASE(programs_that_exchange_roles_are_missed)
{
    study_results results = all_results();
    for (const char *code : {"ATX", "BIC"})
        results[code]["leaf"] = result(520, 80, 150); /* nearly all of the gain */
    for (const char *code : {"NW", "GEV"})
        results[code]["leaf"] = result(900, 80, 150);
    const std::string gev = "leaf's share: GEV less ATX, BIC";
    BOOST_TEST(verdict(made("9", results), "leaf's share of the gain: BIC") == "matched");
    BOOST_TEST(verdict(made("9", results), gev) == "matched");
    std::swap(results["GEV"]["leaf"], results["BIC"]["leaf"]);
    BOOST_TEST(verdict(made("9", results), "leaf's share of the gain: BIC") == "missed");
    BOOST_TEST(verdict(made("9", results), gev) == "missed");
}

BOOST_AUTO_TEST_CASE(a_second_outlier_of_figure_5_is_counted)
{
    study_results results = all_results();
    const std::string text = "others under half of the mean";
    results["MVT"]["off"]["statistics"]["walk_unit.leaf_neighbour_accesses"] = number(0);
    BOOST_TEST(claim(made("5", results), text).ours == 0.0);
    BOOST_TEST(verdict(made("5", results), text) == "matched");
    results["NW"]["off"]["statistics"]["walk_unit.leaf_neighbour_accesses"] = number(2);
    BOOST_TEST(claim(made("5", results), text).ours == 1.0);
    BOOST_TEST(verdict(made("5", results), text) == "missed");
}

BOOST_AUTO_TEST_CASE(beside_the_bars_stand_hit_rates_and_the_parts_of_the_latency)
{
    const study_results results = all_results();
    const figure nine = made("9", results);
    BOOST_TEST(nine.beside[0].values[0] == 0.25);
    BOOST_TEST(nine.beside[3].values[0] == 0.25);
    const figure eleven = made("11", results);
    BOOST_REQUIRE(eleven.beside.size() == 6u);
    BOOST_TEST(eleven.beside[0].values[0] == 120.0, "3/5 of 200 cycles");
    BOOST_TEST(eleven.beside[1].values[0] == 40.0);
    BOOST_TEST(eleven.beside[2].values[0] == 40.0, "a cycle count a walk, also of those without a walker");
    BOOST_TEST(made("12", results).beside[4].values[0] == 0.75);
}

BOOST_AUTO_TEST_CASE(the_regular_programs_have_figures_of_their_own)
{
    study_results results = all_results();
    results["HOT"]["full"] = result(1030, 100, 200);
    const figure f = made("9-regular", results);
    BOOST_TEST((f.programs == std::vector<std::string>{"SSP", "LUD", "CLR", "BCK", "HOT"}));
    BOOST_TEST(f.bars[0].values.size() == f.programs.size());
    BOOST_TEST(claim(f, "least of the five, leaf").ours == 1.0);
    BOOST_TEST(verdict(f, "least of the five, leaf") == "matched");
    BOOST_TEST(claim(f, "least of the five, full").ours == 1000.0 / 1030.0);
    BOOST_TEST(verdict(f, "least of the five, full") == "missed");
    BOOST_TEST((made("9", results).programs == std::vector<std::string>{"MVT", "ATX", "NW", "BIC", "GEV"}));
    results["SSP"].erase("full");
    BOOST_TEST(std::isnan(claim(made("9-regular", results), "least of the five, full").ours));
}

BOOST_AUTO_TEST_CASE(sensitivity_is_over_a_baseline_with_the_same_change)
{
    study_results results = all_results();
    for (const char *design : {"off", "leaf", "full"})
        for (auto &program : results)
            program.second[std::string("walk_unit.pwc_l2=64/") + design] =
                result(design == std::string("off") ? 3000 : 1000, 100, 200);
    const figure f = made("9-sensitivity", results);
    const auto bar = [&](const std::string &name) {
        for (const figure_bar &b : f.bars)
            if (b.name == name)
                return b.values[0];
        BOOST_FAIL("no bar " + name);
        return 0.0;
    };
    BOOST_TEST(bar("walk_unit.pwc_l2=64: leaf") == 3.0);
    BOOST_TEST(bar("walk_unit.pwc_l2=64: ideal") == 3.0, "of the machine as shipped: 1000 cycles");
    BOOST_TEST(bar("walk_unit.pwc_l2=64: walk cache, off") == 0.25);
    BOOST_TEST(bar("as shipped: full") == 2.0);
    BOOST_TEST(bar("l2d.index=xor: full") == 1.0);
}

BOOST_AUTO_TEST_CASE(saved_power_is_a_difference_of_powers_and_saved_energy_is_over_the_shorter_time)
{
    /* 100 reads of 1e6 pJ in 1 ms: 100 mW; 60 of them and 1e6 pJ of CAM in 0.5 ms: 122 mW. */
    const figure f = made("III", all_results());
    BOOST_TEST(claim(f, "mean").ours == -22.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(f.bars[0].values[0] == -22.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(f.bars[3].values[0] == 78.0, boost::test_tools::tolerance(1e-9));
    /* half of the reads' energy: 50 mW; 31e6 pJ in 0.5 ms: 62 mW */
    BOOST_TEST(f.bars[1].values[0] == -12.0, boost::test_tools::tolerance(1e-9));
    /* at 8 nJ: 0.8 uJ in 1 ms, 0.48 and 1 uJ in 0.5 ms */
    BOOST_TEST(f.bars[2].values[0] == 0.8 - 2.96, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(missing_results_show_as_missing)
{
    study_results results = all_results();
    results["NW"].erase("full");
    const figure f = made("9", results);
    BOOST_TEST(std::isnan(f.guards[3].ours), f.guards[3].text);
    BOOST_TEST(std::isnan(claim(f, "mean, full").ours));
    const report_head head{"full", {}, 90, 1, {}};
    std::ostringstream text;
    print_report(text, find_study("micro18"), head, {{f}}, true);
    BOOST_TEST(text.str().find("1 WITHOUT RESULT") != std::string::npos);
    BOOST_TEST(text.str().find("| NW | 1.00 | - | 1.00 |") != std::string::npos);
    const json j = report_json(find_study("micro18"), head, {{f}});
    BOOST_TEST(j["figures"][0]["bars"][1]["values"]["NW"].is_null());
    std::ostringstream csv;
    report_table(j).print_csv(csv);
    BOOST_TEST(csv.str().find("," + j["figures"][0]["bars"][1]["name"].get<std::string>() + ",NW,,,\n") !=
               std::string::npos);
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

BOOST_AUTO_TEST_CASE(numbers_of_several_runs_are_medians_and_means_are_of_one_run_each)
{
    std::vector<study_results> results(3, all_results());
    results[1]["NW"]["full"] = result(400, 60, 120);
    results[2]["NW"]["full"] = result(625, 60, 120);
    figure_samples samples;
    for (const study_results &r : results)
        samples.push_back(made("9", r));
    const report_head head{"full", {}, 60, 0, {"a + 1", "b - 1"}};
    std::ostringstream text;
    print_report(text, find_study("micro18"), head, {samples}, false);
    BOOST_TEST(text.str().find("NW              1.00 (1.00 ... 1.00)  2.00 (1.60 ... 2.50)") !=
                   std::string::npos,
               text.str());
    BOOST_TEST(text.str().find("2.00 (1.92 ... 2.10)") != std::string::npos, "means of five");
    BOOST_TEST(text.str().find("perturbation 2: b - 1") != std::string::npos);
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
        BOOST_TEST((line.size() <= 100u || line.find("  ") == std::string::npos), line); /* tables */
    const json report = report_json(find_study("micro18"), head, {samples});
    std::ostringstream csv;
    report_table(report).print_csv(csv);
    const json full = report["figures"][0]["bars"][1];
    const auto name = full["name"].get<std::string>();
    BOOST_TEST(csv.str().find("figure,kind,name,program,value,low,high\n") == 0u);
    BOOST_TEST(csv.str().find("\n9,value," + name + ",NW,2.0,1.6,2.5\n") != std::string::npos, csv.str());
    BOOST_TEST(csv.str().find("\n9,value," + name + ",arithmetic_mean,2.0,1.92,2.1") != std::string::npos);
    BOOST_TEST(csv.str().find("\n9,paper,") != std::string::npos);
    BOOST_TEST(full["values"]["NW"]["high"] == 2.5);
    BOOST_TEST(full["values"]["NW"]["runs"] == 3);
    BOOST_TEST(full["arithmetic_mean"]["low"].get<double>() == 1.92, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(guard_bands_are_called_ours_and_speak_of_the_paper_s_sizes)
{
    const figure_samples samples = {made("9", all_results())};
    for (const char *scale : {"full", "quarter"}) {
        std::ostringstream text;
        print_report(text, find_study("micro18"), {scale, {}, 20, 0, {}}, {samples}, false);
        const bool full = scale == std::string("full");
        BOOST_TEST((text.str().find("guard bands, ours") != std::string::npos) == full);
        BOOST_TEST((text.str().find("missed") != std::string::npos) == full);
        const json j = report_json(find_study("micro18"), {scale, {}, 20, 0, {}}, {samples})["figures"][0];
        BOOST_TEST(j.contains("guard_bands") == full);
        BOOST_TEST(j["claims"][0].contains("verdict") == full);
    }
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
