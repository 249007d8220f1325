/* SPDX-License-Identifier: MIT */
/* HPCA'14's figures from made-up results with known ratios: a design's share of the ideal, its average over
 * all programs run one after the other, miss rates. */
#include "study/study.hpp"
#include "tb/cli/made_figures.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace walkway;
using namespace walkway::test;

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
    return test::made(find_study("hpca14"), id, results);
}

double of_program(const figure_bar &bar, const std::string &code)
{
    const std::vector<study_program> &all = find_study("hpca14").programs;
    for (size_t i = 0; i < all.size(); ++i)
        if (all[i].code == code)
            return bar.values.at(i);
    BOOST_FAIL("no program " << code);
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

/* bfs takes 9 times the cycles of any other: the average leans on it. */
BOOST_AUTO_TEST_CASE(operations_are_per_thousand_cycles_of_a_compute_unit_and_add_up_in_turn)
{
    study_results all = made_up();
    for (auto &[program, results] : all)
        for (const char *key : {"ideal", "design-1"}) {
            json &r = results[key];
            r["configuration"] = {{"gpu.cus", 16}};
            r["statistics"]["gpu.cycles"] = number(program == "bfs" ? 9000 : 1000);
            r["statistics"]["gpu.local_lanes"] = number(program == "bfs" ? 0 : 1600);
            r["statistics"]["coalescer.lanes"] = number(3200);
            r["statistics"]["coalescer.lines"] = number(program == "bfs" ? 800 : 400);
        }
    const figure f = made("4", all);
    BOOST_TEST(f.bars.at(0).values.at(0) == 100.0, nearly);
    BOOST_TEST(of_program(f.bars.at(1), "bfs") == 3200 / (9 * 16.0), nearly);
    BOOST_TEST(claimed(f, "all in turn, scratchpad lane instructions") == 7 * 1600 / (16 * 16.0), nearly);
    BOOST_TEST(claimed(f, "all in turn, global lane instructions") == 8 * 3200 / (16 * 16.0), nearly);
    BOOST_TEST(claimed(f, "all in turn, global accesses") == (800 + 7 * 400) / (16 * 16.0), nearly);
    BOOST_TEST(claimed(f, "all in turn, accesses of global lane instructions") == 3600.0 / (8 * 3200),
               nearly);
    BOOST_TEST(claimed(f, "all in turn, L1 TLB misses") == (7 * 250 + 670) / (16 * 16.0), nearly);
    BOOST_TEST(claimed(f, "most L1 TLB misses") == 670 / 16.0, nearly);
    all["nn"].erase("ideal");
    BOOST_TEST(std::isnan(claimed(made("4", all), "all in turn, global accesses")));
}

json histogram_of(std::vector<std::pair<unsigned, double>> buckets)
{
    json h = {{"count", 0.0}, {"sum", 0.0}, {"max", 0}, {"buckets", json::array()}};
    for (const auto &[value, n] : buckets) {
        h["count"] = h["count"].get<double>() + n;
        h["sum"] = h["sum"].get<double>() + n * value;
        h["max"] = value;
        h["buckets"].push_back({value, n});
    }
    h["mean"] = h["sum"].get<double>() / h["count"].get<double>();
    return h;
}

BOOST_AUTO_TEST_CASE(bursts_are_of_all_walks_and_a_gap_that_may_be_over_500_is_none_within)
{
    study_results all = made_up();
    for (auto &[program, results] : all) {
        json &s = results["design-1"]["statistics"];
        s["walk_unit.walks_in_flight"] =
            histogram_of({{1, program == "nw" ? 60 : 10}, {101, program == "nw" ? 140 : 10}});
        s["walk_unit.walk_gap"] = histogram_of({{1, 80}, {448, 10}, {480, 7}, {512, 3}});
    }
    const figure f = made("7", all);
    BOOST_TEST(claimed(f, "worst program, average") == 71.0, nearly);
    BOOST_TEST(claimed(f, "worst program, maximum") == 101.0, nearly);
    BOOST_TEST(claimed(f, "all in turn, average") == (60 + 140 * 101 + 7 * (10 + 1010)) / 340.0, nearly);
    BOOST_TEST(claimed(f, "all in turn, within 500 cycles of the one before") == 0.9, nearly);
}

/* Ten entries: two of one unit, three of three, five of all 16. */
BOOST_AUTO_TEST_CASE(sharers_are_entries_by_the_number_of_their_units)
{
    study_results all = made_up();
    for (auto &[program, results] : all) {
        std::vector<std::pair<unsigned, double>> buckets = {{1, 10}, {2, 8}, {3, 8}};
        for (unsigned n = 4; n <= 16; ++n)
            buckets.emplace_back(n, 5);
        results["shared-l2-pwc"]["statistics"]["l2_tlb.sharers"] =
            histogram_of(program == "nn" ? std::vector<std::pair<unsigned, double>>{{1, 7}} : buckets);
    }
    const figure f = made("10", all);
    BOOST_TEST(claimed(f, "nn") == 1.0, nearly);
    BOOST_TEST(claimed(f, "most in a program, of 16") == (2 + 3 * 3 + 5 * 16) / 10.0, nearly);
    const double shares[] = {0.2, 0.3, 0, 0, 0.5};
    for (size_t i = 0; i < 5; ++i)
        BOOST_TEST(of_program(f.beside.at(i), "bfs") == shares[i], nearly);
    BOOST_TEST(of_program(f.beside.at(0), "nn") == 1.0, nearly);
}

/* bfs, ten of 17 seconds, is twice as fast. */
BOOST_AUTO_TEST_CASE(what_a_prefetcher_gains_is_of_all_programs_in_turn)
{
    study_results all = made_up();
    for (auto &[program, results] : all) {
        json &s = (results["design-3-ahead"] = result(program == "bfs" ? 5 : 1, 100, 50))["statistics"];
        s["prefetch.lookups"] = number(200);
        s["prefetch.hits"] = number(50);
        s["prefetch.merged"] = number(20);
    }
    const figure f = made("section-6.3", all);
    BOOST_TEST(claimed(f, "all in turn") == 17.0 / 12, nearly);
    BOOST_TEST(of_program(f.bars.at(0), "bfs") == 2.0, nearly);
    BOOST_TEST(of_program(f.beside.at(0), "nn") == 0.25, nearly);
    BOOST_TEST(of_program(f.beside.at(1), "nn") == 0.1, nearly);
}

BOOST_AUTO_TEST_CASE(its_configurations_name_machines)
{
    BOOST_TEST(names_machines(find_study("hpca14")));
    BOOST_TEST(!names_machines(find_study("micro18")));
}

/* Design 2 has L1 TLBs only. bfs takes 9 times the energy of any other: the average leans on it, that of
 * areas does not. */
BOOST_AUTO_TEST_CASE(energy_and_area_are_of_tlbs_and_walk_cache_beside_design_2)
{
    study_results all = made_up();
    for (auto &[program, results] : all) {
        const double size = program == "bfs" ? 9 : 1;
        const auto set = [&r = results](const char *key, const char *array, double energy, double area) {
            for (const char *estimate : {"", "_low", "_high"}) {
                const double by = *estimate == 0 ? 1 : estimate[1] == 'l' ? 0.5 : 2;
                json &s = r[key]["statistics"];
                s["arrays." + std::string(array) + ".energy" + estimate] = number(energy * by);
                s["arrays." + std::string(array) + ".area" + estimate] = number(area * by);
            }
        };
        set("design-2", "l1_tlb.entries", 100 * size, 1000);
        set("design-2", "walk_unit.walk_buffer", 5000, 5000); /* is not counted */
        set("design-3", "l1_tlb.entries", 50 * size, 500);
        set("design-3", "walk_unit.pte_cache", program == "bfs" ? 90 : 30, 200);
        set("shared-l2", "l1_tlb.entries", 50 * size, 500);
        set("shared-l2", "l2_tlb.entries", 150 * size, 400);
        set("shared-l2-pwc", "l1_tlb.entries", 25 * size, 250);
        set("shared-l2-pwc", "l2_tlb.entries", 75 * size, 200);
        set("shared-l2-pwc", "walk_unit.pte_cache", 25 * size, 200);
        set("shared-l2-associative", "l1_tlb.entries", 50 * size, 500);
        set("shared-l2-associative", "l2_tlb.entries", 250 * size, 600);
        set("shared-l2-pwc-associative", "l1_tlb.entries", 25 * size, 250);
        set("shared-l2-pwc-associative", "l2_tlb.entries", 95 * size, 300);
    }
    const figure f = made("12", all);
    BOOST_TEST(of_program(f.bars.at(0), "bfs") == 0.6, nearly);
    BOOST_TEST(of_program(f.bars.at(0), "nw") == 0.8, nearly);
    BOOST_TEST(of_program(f.bars.at(1), "nw") == 0.8, nearly); /* low of low */
    BOOST_TEST(of_program(f.beside.at(0), "nw") == 0.7, nearly);
    BOOST_TEST(claimed(f, "all in turn, design 3") == (540 + 7 * 80) / 1600.0, nearly);
    BOOST_TEST(claimed(f, "all in turn, shared L2 & PWC") == 1.25, nearly);
    BOOST_TEST(claimed(f, "all in turn, shared L2 / shared L2 & PWC") == 1.6, nearly);
    BOOST_TEST(claimed(f, "all in turn, associative shared L2 & PWC") == 1.2, nearly);
    BOOST_TEST(claimed(f, "all in turn, associative shared L2 / the same & PWC") == 2.5, nearly);
    BOOST_TEST(claimed(f, "area, associative shared L2") == 1.1, nearly);
    BOOST_TEST(claimed(f, "area, associative shared L2 & PWC") == 0.55, nearly);
    BOOST_TEST(claimed(f, "area, design 3") == 0.7, nearly);
    BOOST_TEST(claimed(f, "area, shared L2") == 0.9, nearly);
    BOOST_TEST(claimed(f, "area, shared L2 & PWC") == 0.65, nearly);
    BOOST_TEST(claimed(f, "area, shared L2 & PWC / design 3") == 0.65 / 0.7, nearly);
    BOOST_TEST(claimed(f, "area, shared L2 & PWC / shared L2") == 0.65 / 0.9, nearly);
    all["nw"]["design-2"]["statistics"]["arrays.l1_tlb.entries.energy_low"] = number(100);
    BOOST_TEST(of_program(made("12", all).bars.at(1), "nw") == 0.4, nearly);
    all["nn"].erase("design-3");
    BOOST_TEST(std::isnan(claimed(made("12", all), "all in turn, design 3")));
}

BOOST_AUTO_TEST_SUITE_END()
