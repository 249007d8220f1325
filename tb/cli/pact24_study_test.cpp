/* SPDX-License-Identifier: MIT */
/* PACT'24's figures from made-up results with known ratios: means over the irregular programs alone, misses
 * of the level-2 walk cache, references of a walk, collisions of the design without a step cache; and the
 * machine that each configuration is. */
#include "study/study.hpp"
#include "study/study_plan.hpp"
#include "tb/cli/made_figures.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

using namespace walkway;
using namespace walkway::test;

namespace
{

const study &pact24()
{
    return find_study("pact24");
}

json number(double value)
{
    return {{"value", value}, {"unit", "1"}, {"description", "made up"}};
}

/* 1000 walks. */
json result(double cycles, double latency, double reads, double pwc_hits, double walks = 1000)
{
    return {{"headline", {{"cycles", number(cycles)}, {"walk_latency_mean", number(latency)}}},
            {"statistics",
             {{"walk_unit.walks_finished", number(walks)},
              {"walk_unit.pte_reads", number(reads)},
              {"walk_unit.pte_reads_steps", number((reads - 1000) / 2)},
              {"walk_unit.pwc_lookups", number(1000)},
              {"walk_unit.pwc_hits_l2", number(pwc_hits)},
              {"walk_unit.pte_reads_v1", number(44)},
              {"driver.remote_live_1", number(200)},
              {"driver.remote_live_10", number(50)},
              {"driver.remote_live_cycles", number(walks)},
              {"driver.mapped_cycles", number(10000)},
              {"walk_unit.pwc_hits_steps", number(995)}}}};
}

/* Irregular programs: 1400 cycles with a radix table, of which 40 % of the walks miss; 1000 with a hashed
 * one. The others gain nothing and miss nothing. */
study_results made_up()
{
    study_results all;
    for (const study_program &p : pact24().programs) {
        const bool irregular = p.group == "I";
        for (const study_configuration &c : pact24().configurations)
            all[p.code][c.key] = result(1000, 300, 1010, 995);
        all[p.code]["rpt"] = irregular ? result(1400, 400, 1400, 600) : result(1000, 300, 1004, 996);
        all[p.code]["rpt/64k"] = result(irregular ? 1200 : 1000, 300, 1100, 900, 250);
        all[p.code]["rpt/nha"] = result(irregular ? 1250 : 1000, 300, 1100, 900);
        all[p.code]["hpt/nha"] = result(irregular ? 875 : 1000, 300, 1100, 900);
        all[p.code]["rpt/150"] = result(irregular ? 1300 : 1000, 300, 1400, 900);
        all[p.code]["hpt/150/1.1"] = result(irregular ? 800 : 1000, 300, 1400, 900);
        all[p.code]["rpt/levels-5"] = result(irregular ? 1500 : 1000, 300, 1500, 900);
        all[p.code]["stepless-0.5"] = result(irregular ? 1450 : 1000, 300, 1800, 0);
    }
    return all;
}

figure made(const char *id, const study_results &results)
{
    return test::made(pact24(), id, results);
}

const std::vector<std::string> &changes_of_key(const std::string &key)
{
    for (const study_configuration &c : pact24().configurations)
        if (c.key == key)
            return c.changes;
    throw std::logic_error("no configuration " + key);
}

void same(double ours, double expected)
{
    BOOST_TEST(ours == expected, boost::test_tools::tolerance(1e-9));
}

} // namespace

BOOST_AUTO_TEST_CASE(means_are_those_of_the_irregular_programs_and_of_the_regular_ones_apart)
{
    const figure f = made("13", made_up());
    same(claimed(f, "mean, irregular, FS-HPT"), 1.4);
    same(claimed(f, "mean, regular, FS-HPT"), 1.0);
    same(claimed(f, "FS-HPT of ideal PWC"), 1.0);
    same(claimed(f, "BC"), 1.4);
    same(guarded(f, "NW"), 1.4);
    BOOST_TEST(f.programs.size() == pact24().programs.size());
    same(claimed(made("5", made_up()), "mean, irregular"), 1.4);
}

BOOST_AUTO_TEST_CASE(misses_are_of_the_level_2_cache_and_references_those_of_a_walk)
{
    const figure misses = made("4", made_up());
    same(claimed(misses, "mean, irregular"), 0.4);
    same(claimed(misses, "mean, regular"), 0.004);
    same(claimed(misses, "ATX is irregular"), 0.4);
    const figure f = made("14", made_up());
    same(claimed(f, "mean, irregular, RPT"), 1.4);
    same(claimed(f, "mean, irregular, FS-HPT"), 1.01);
    same(claimed(f, "mean, irregular, PWC hits"), 0.6);
    same(claimed(f, "CC, step cache hits"), 0.995);
    BOOST_TEST(std::abs(guarded(f, "mean, irregular, RPT - 1 - misses")) < 1e-9);
    same(claimed(made("15", made_up()), "mean, irregular, FS-HPT"), 0.75);
}

BOOST_AUTO_TEST_CASE(a_table_without_a_step_cache_is_compared_by_its_size)
{
    const figure f = made("17", made_up());
    BOOST_REQUIRE(f.bars.size() == 4u);
    same(claimed(f, "mean, irregular, 0.5 %"), 1400.0 / 1450);
    same(claimed(f, "mean, irregular, 4 %"), 1.4);
    same(guarded(f, "1 % / the size before"), 1450.0 / 1000);
    same(f.beside[0].values[0], 0.4); /* 1000 walks, 1800 reads: 400 wanted two more */
    const std::pair<const char *, const char *> sizes[] = {
        {"stepless-0.5", "250"}, {"stepless-1", "500"}, {"stepless-2", "1000"}, {"stepless-4", "2000"}};
    for (const auto &[key, percent] : sizes)
        BOOST_TEST((changes_of_key(key) ==
                    std::vector<std::string>{"address_space.table=hashed_stepless",
                                             std::string("address_space.slots_percent=") + percent}));
}

BOOST_AUTO_TEST_CASE(thresholds_are_compared_with_a_radix_table_that_is_as_short_of_memory)
{
    const figure f = made("16", made_up());
    BOOST_REQUIRE(f.bars.size() == 6u);
    same(claimed(f, "mean, irregular, m = 1.0"), 1.3);
    same(claimed(f, "mean, irregular, m = 1.1"), 1300.0 / 800);
    same(guarded(f, "m = 1.1 / the one before"), 1000.0 / 800);
    same(guarded(f, "m = 1.5 / without oversubscription"), 1.3 / 1.4);
    same(claimed(f, "NW, m = 1.2, victim buffer"), 0.044);
    const std::vector<std::string> &radix = changes_of_key("rpt/150"),
                                   &hashed = changes_of_key("hpt/150/1.3");
    BOOST_TEST(std::count(radix.begin(), radix.end(), "driver.oversubscription=150") == 1);
    BOOST_REQUIRE(hashed.size() == radix.size() + 2);
    BOOST_TEST(std::equal(radix.begin(), radix.end(), hashed.begin()));
    BOOST_TEST(hashed[radix.size()] == "address_space.table=hashed");
    BOOST_TEST(hashed.back() == "driver.m_percent=130");
}

BOOST_AUTO_TEST_CASE(live_remote_mappings_are_counted_where_memory_is_short)
{
    study_results results = made_up();
    results["CC"]["rpt/150"] = result(1000, 300, 1400, 900, 2000);
    same(claimed(made("6", results), "BFS, tenth 10 / tenth 1"), 0.25);
    const figure f = made("7", results);
    same(claimed(f, "highest"), 0.2);
    const auto programs = static_cast<double>(pact24().programs.size());
    same(claimed(f, "mean"), (0.1 * (programs - 1) + 0.2) / programs);
    results.clear();
    BOOST_TEST(std::isnan(claimed(made("7", results), "highest")));
}

BOOST_AUTO_TEST_CASE(large_pages_neighbourhoods_and_five_levels_have_their_own_base)
{
    const figure large = made("18", made_up());
    same(claimed(large, "mean, irregular, FS-HPT"), 1.2); /* over RPT with such pages */
    same(large.beside[0].values[0], 0.25);
    const figure nha = made("19", made_up());
    same(claimed(nha, "mean, irregular, FS-HPT / RPT with NHA"), 1.25);
    same(claimed(nha, "mean, irregular, FS-HPT with NHA"), 1.6);
    same(claimed(nha, "ATX, RPT with NHA"), 1.12);
    same(claimed(nha, "KC, RPT with NHA"), 1.0);
    const figure levels = made("levels", made_up());
    same(levels.bars[0].values[0], 1400.0 / 1500);
    same(levels.bars[1].values[0], 1.5);
}

BOOST_AUTO_TEST_CASE(designs_are_settings_of_one_machine)
{
    using list = std::vector<std::string>;
    BOOST_TEST(pact24().platform == "dgpu-pact24");
    BOOST_TEST((changes_of_key("rpt") == list{}));
    BOOST_TEST((changes_of_key("hpt") == list{"address_space.table=hashed"}));
    BOOST_TEST((changes_of_key("hpt/nha") == list{"address_space.table=hashed", "walk_unit.coalesce=full"}));
    BOOST_TEST((changes_of_key("ideal/64k") == list{"walk_unit.pwc_l2=4096", "address_space.page=64k"}));
    for (const figure_def &f : pact24().figures)
        for (const std::string &key : f.configurations)
            changes_of_key(key);
}

/* Smaller programs come with smaller caches: said in the head, below --set and below the configuration. */
BOOST_AUTO_TEST_CASE(what_a_scale_changes_is_named_and_loses_to_set)
{
    study_order o{};
    o.scale = &pact24().scales.front();
    BOOST_TEST(o.scale->name == "demo");
    using list = std::vector<std::string>;
    BOOST_TEST((changes_of(o) ==
                list{"walk_unit.pwc_l2=2, by --scale demo", "walk_unit.step_cache=2, by --scale demo"}));
    o.changes.set = {"walk_unit.pwc_l2=5"};
    BOOST_TEST((changes_of(o) == list{"walk_unit.pwc_l2=5", "walk_unit.step_cache=2, by --scale demo"}));
    for (const study_configuration &c : pact24().configurations) {
        const list changes = changes_of(o, c).study;
        BOOST_TEST(std::equal(c.changes.begin(), c.changes.end(), changes.begin()));
        BOOST_TEST(changes.size() == c.changes.size() + 1, c.key); /* --set names the other */
        BOOST_TEST(changes.back() == "walk_unit.step_cache=2");
    }
    o.changes.set = {};
    BOOST_TEST((changes_of(o, {"ideal", changes_of_key("ideal")}).study ==
                list{"walk_unit.pwc_l2=4096", "walk_unit.step_cache=2"}));
    o.scale = &pact24().scales.back();
    BOOST_TEST(changes_of(o).empty());
    BOOST_TEST(changes_of(o, {"rpt", {}}).study.empty());
}

/* Of each program the full size's trace, and of it a window that a run takes. */
BOOST_AUTO_TEST_CASE(the_scale_of_windows_counts_a_part_of_each_full_program)
{
    study_order o{};
    for (const study_scale &scale : pact24().scales)
        if (scale.name == "windows")
            o.scale = &scale;
    BOOST_REQUIRE(o.scale != nullptr);
    BOOST_TEST(changes_of(o).empty());
    for (const study_program &p : pact24().programs) {
        BOOST_TEST_INFO_SCOPE(p.code);
        BOOST_TEST((p.arguments.at("windows") == p.arguments.at("full")));
        const scope_texts window = window_of(o, p);
        BOOST_TEST(window.empty() == (p.code == "KC"), "which is whole");
        if (window.empty())
            continue;
        BOOST_TEST(make_scope(window).window.measure.count == 300000u);
        BOOST_TEST(make_scope(window).window.warm_up.count == 50000u);
        BOOST_TEST(window.kernels.empty() == (p.code != "NW" && p.workload.rfind("graphbig", 0) != 0));
    }
    /* What an order says replaces that part of it, not the launches. */
    o.window.measure = "7translations";
    const study_program &nw = pact24().programs[6];
    BOOST_TEST(text_of_scope(window_of(o, nw)) ==
               "--kernels 480-511 --warm-up 50000translations --measure 7translations");
    o.window = {};
    o.scale = &pact24().scales.back();
    BOOST_TEST(o.scale->name == "full");
    for (const study_program &p : pact24().programs)
        BOOST_TEST(window_of(o, p).empty(), p.code);
}

/* A window is no whole run: its numbers are not held against the paper's. */
BOOST_AUTO_TEST_CASE(windows_are_not_judged)
{
    const std::vector<figure_samples> figures = {{made("13", made_up())}};
    const auto judged = [&figures](const report_head &head) {
        const json claim = report_json(pact24(), head, figures).at("figures").at(0).at("claims").at(0);
        return claim.contains("verdict") && !claim.at("verdict").is_null();
    };
    BOOST_TEST(judged({"full", {}, 1, 0}));
    BOOST_TEST(!judged({"windows", {}, 1, 0}));
    report_head window = {"full", {}, 1, 0};
    window.windows["NW"] = "--measure 5cycles";
    BOOST_TEST(!judged(window));
    std::ostringstream out;
    print_report(out, pact24(), window, figures, false);
    BOOST_TEST(out.str().find("missed") == std::string::npos);
    BOOST_TEST(out.str().find("PARTIAL: a window of 1 program") != std::string::npos);
}
