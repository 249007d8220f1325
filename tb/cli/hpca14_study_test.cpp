/* SPDX-License-Identifier: MIT */
/* HPCA'14's figures from made-up results with known ratios: a design's share of the ideal, its average over
 * all programs run one after the other, miss rates. */
#include "study/study.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace walkway;

namespace
{

json number(double value)
{
    return {{"value", value}, {"unit", "1"}, {"description", "made up"}};
}

json result(double seconds, double misses, double latency)
{
    return {{"headline",
             {{"cycles", number(seconds * 1e9)},
              {"seconds", number(seconds)},
              {"walk_latency_mean", number(latency)}}},
            {"statistics", {{"l1_tlb.misses", number(misses)}, {"l1_tlb.lookups", number(1000)}}}};
}

/* bfs takes ten times as long as the others. Of the ideal: design 1 a quarter (bfs: a tenth), design 2 a
 * half, design 3 all. */
study_results made_up()
{
    study_results all;
    for (const study_program &p : find_study("hpca14").programs) {
        const double ideal = p.code == "bfs" ? 10 : 1;
        for (const study_configuration &c : find_study("hpca14").configurations)
            all[p.code][c.key] = result(ideal, 100, 50);
        all[p.code]["design-1"] = result(p.code == "bfs" ? 100 : 4, p.code == "nw" ? 670 : 250, 1000);
        all[p.code]["design-1-2m"] = result(ideal, p.code == "gaussian" ? 50 : 1, 1000);
        all[p.code]["design-2"] = result(ideal * 2, 250, 1000);
    }
    return all;
}

figure made(const char *id, const study_results &results)
{
    for (const figure_def &f : find_study("hpca14").figures)
        if (f.id == id)
            return make_figure(find_study("hpca14"), f, results);
    BOOST_FAIL("no figure " << id);
    return {};
}

double claimed(const figure &f, const std::string &text)
{
    for (const figure_claim &c : f.claims)
        if (c.text == text)
            return c.ours;
    BOOST_FAIL("no claim " << text);
    return 0;
}

const auto nearly = boost::test_tools::tolerance(1e-9);

} // namespace

BOOST_AUTO_TEST_SUITE(study_of_hpca14)

BOOST_AUTO_TEST_CASE(averages_are_those_of_all_programs_in_turn)
{
    const figure f = made("6", made_up());
    BOOST_TEST(claimed(f, "all in turn, design 1") == 17.0 / (100 + 7 * 4), nearly);
    BOOST_TEST(claimed(f, "all in turn, design 2") == 0.5, nearly);
    BOOST_TEST(claimed(f, "all in turn, design 3") == 1.0, nearly);
    BOOST_TEST(claimed(f, "bfs, design 1") == 0.1, nearly);
    BOOST_TEST(claimed(f, "bfs, design 2 / design 1") == 5.0, nearly);
    BOOST_TEST(claimed(f, "nw, design 2 / design 1") == 2.0, nearly);
    BOOST_TEST(claimed(f, "walk latency, design 3 of 2") == 0.05, nearly);
    BOOST_TEST(f.bars.at(0).values.at(0) == 0.25, nearly);
}

BOOST_AUTO_TEST_CASE(an_average_without_one_program_is_none)
{
    study_results some = made_up();
    some["nn"].erase("design-3");
    BOOST_TEST(std::isnan(claimed(made("6", some), "all in turn, design 3")));
    BOOST_TEST(claimed(made("6", some), "all in turn, design 2") == 0.5, nearly);
}

BOOST_AUTO_TEST_CASE(miss_rates_are_of_lookups_and_of_large_pages_beside_small_ones)
{
    const figure eight = made("8", made_up()), large = made("section-6.4", made_up());
    BOOST_TEST(claimed(eight, "nw") == 0.67, nearly);
    BOOST_TEST(claimed(eight, "mean") == (7 * 0.25 + 0.67) / 8, nearly);
    BOOST_TEST(claimed(large, "gaussian") == 0.2, nearly);
    BOOST_TEST(claimed(large, "bfs") == 0.004, nearly);
}

BOOST_AUTO_TEST_CASE(other_machines_are_beside_design_3)
{
    study_results all = made_up();
    for (auto &[program, results] : all)
        results["ideal-pwc"] = result(program == "bfs" ? 5 : 1, 100, 50);
    const figure f = made("11", all);
    BOOST_TEST(claimed(f, "bfs, ideal PWC / design 3") == 2.0, nearly);
    BOOST_TEST(claimed(f, "all in turn, ideal PWC / design 3") == 17.0 / 12, nearly);
    BOOST_TEST(claimed(f, "all in turn, shared L2 & PWC / design 3") == 1.0, nearly);
}

BOOST_AUTO_TEST_CASE(its_configurations_name_machines)
{
    BOOST_TEST(names_machines(find_study("hpca14")));
    BOOST_TEST(!names_machines(find_study("micro18")));
}

BOOST_AUTO_TEST_SUITE_END()
