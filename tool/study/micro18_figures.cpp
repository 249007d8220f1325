/* SPDX-License-Identifier: MIT */
/* study/micro18_figures.cpp - MICRO'18's Figures 5 to 11 and Table II from results. Beside them stands what
 * the paper's text states and nothing else: single bars are not in the text. */
#include "study/micro18_figures.hpp"

#include "report/comparison.hpp"
#include "run/headline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();
static constexpr double unbounded = std::numeric_limits<double>::infinity();

/* The program's buffers, in pages. */
figure table_2(const study_results &results, programs_ref programs)
{
    static const std::map<std::string, double> paper = {
        {"MVT", 128.14}, {"ATX", 64.06}, {"NW", 531.82}, {"BIC", 128.11}, {"GEV", 128.06},
        {"SSP", 104.32}, {"LUD", 1.2},   {"CLR", 26.68}, {"BCK", 108.03}, {"HOT", 12.02}};
    const figure_bar bar = bar_of(results, programs, "MB", "off", [](const json &s) {
        const stat_view view(s.at("statistics"));
        return view.has_group("model") ? view.value("model.pages") * 4096 / 1048576 : none;
    });
    figure f = {programs.front().group == "regular" ? "II-regular" : "II",
                "memory of the programs' buffers, MB of 2^20 bytes",
                2,
                {bar},
                {},
                {}};
    for (const study_program &p : programs) {
        const double stated_mb = paper.at(p.code);
        std::string text = std::to_string(stated_mb);
        text.erase(text.find('.') + (p.code == "LUD" ? 2 : 3));
        f.claims.push_back({p.code, stated::about(text, stated_mb, 0.01), of(bar, programs, p.code)});
    }
    return f;
}

figure figure_5(const study_results &results, programs_ref programs)
{
    const figure_bar bar = bar_of(results, programs, "fraction", "off", [](const json &s) {
        return share(s, "walk_unit.leaf_neighbour_accesses", "walk_unit.leaf_accesses");
    });
    const double mean = mean_of(bar);
    double outliers = std::isnan(mean) ? none : 0;
    for (size_t i = 0; i < programs.size(); ++i)
        if (programs[i].code != "MVT" && bar.values[i] < mean / 2)
            outliers += 1;
    return {"5",
            "fraction of leaf accesses with a neighbour among the concurrent walks",
            2,
            {bar},
            {},
            {{"mean", stated::about("around 0.4", 0.4), mean},
             {"MVT", stated::under("only a small number", 0.05), of(bar, programs, "MVT")},
             {"others under half of the mean", stated::under("none but MVT", 0.5), outliers}}};
}

figure figure_6(const study_results &results, programs_ref programs)
{
    const figure_bar bar = bar_of(results, programs, "fraction", "off", [](const json &s) {
        return share(s, "walk_unit.upper_neighbour_accesses", "walk_unit.upper_accesses");
    });
    return {"6", "the same at the upper levels, walks of the very same entry left out", 2, {bar}, {}, {}};
}

/* The three bars of Figure 9, a program each. */
static std::vector<figure_bar> speedups(const study_results &results, programs_ref programs)
{
    return {speedup_bar(results, programs, "leaf", "off", "leaf"),
            speedup_bar(results, programs, "full", "off", "full"),
            speedup_bar(results, programs, "ideal", "off", "ideal")};
}

/* How much of the gain of full coalescing the leaf alone brings. */
static double leaf_share(double leaf, double full)
{
    return (leaf - 1) / (full - 1);
}

static void claim_shares(figure &f, programs_ref programs, const figure_bar &leaf, const figure_bar &full)
{
    const auto share_of = [&](const char *code) {
        return leaf_share(of(leaf, programs, code), of(full, programs, code));
    };
    const double least = std::min(share_of("ATX"), share_of("BIC"));
    const std::string name = "leaf's share of the gain: ";
    f.claims.push_back({name + "ATX", stated::over("most", 0.5), share_of("ATX")});
    f.claims.push_back({name + "BIC", stated::over("most", 0.5), share_of("BIC")});
    for (const char *code : {"NW", "GEV"})
        f.claims.push_back({std::string("leaf's share: ") + code + " less ATX, BIC",
                            stated::under("much from above", 0), share_of(code) - least});
    f.claims.push_back({name + "mean", stated::between("almost equal", 0.4, 0.6, 0),
                        leaf_share(mean_of(leaf), mean_of(full))});
}

figure figure_9(const study_results &results, programs_ref programs)
{
    const std::vector<figure_bar> bars = speedups(results, programs);
    const figure_bar &leaf = bars[0], &full = bars[1], &ideal = bars[2];
    figure f = {"9",
                "speed-up of coalescing at the leaf, at every level, and of ideal translation",
                2,
                bars,
                {bar_of(results, programs, "walk cache, off", "off", walk_cache_hits),
                 bar_of(results, programs, "walk cache, full", "full", walk_cache_hits),
                 bar_of(results, programs, "L2D, off", "off", l2d_hits),
                 bar_of(results, programs, "L2D, ideal", "ideal", l2d_hits)},
                {{"mean, full", stated::about("around 1.7", 1.7), mean_of(full)},
                 {"GEV, full", stated::about("2.3", 2.3), of(full, programs, "GEV")}}};
    f.beside_title = "hit rates of the page-walk cache of level-2 entries and of the L2 data cache";
    claim_shares(f, programs, leaf, full);
    for (const study_program &p : programs)
        f.claims.push_back(
            {p.code + ", ideal", stated::between("3 to 4 (Figure 3)", 3, 4), of(ideal, programs, p.code)});
    f.guards = {{"mean, full", mean_of(full), 1.5, 1.85},
                {"MVT, full", of(full, programs, "MVT"), 1.1, 1.3},
                {"ATX, full", of(full, programs, "ATX"), 1.6, 2.1},
                {"NW, full", of(full, programs, "NW"), 1.1, 1.45},
                {"BIC, full", of(full, programs, "BIC"), 1.7, 2.3},
                {"GEV, full", of(full, programs, "GEV"), 1.9, 2.3},
                {"MVT, leaf", of(leaf, programs, "MVT"), 0.98, 1.02},
                {"mean, ideal", mean_of(ideal), 2.5, 4.5}};
    return f;
}

figure figure_9_regular(const study_results &results, programs_ref programs)
{
    const std::vector<figure_bar> bars = speedups(results, programs);
    const auto least = [](const figure_bar &bar) {
        double value = unbounded;
        for (const double v : bar.values)
            value = v < value || std::isnan(v) ? v : value;
        return value;
    };
    const double ideal = mean_of(bars[2]);
    return {"9-regular",
            "the same for the regular programs",
            3,
            bars,
            {},
            {{"least of the five, leaf", stated::over("not hurt", 0.98), least(bars[0])},
             {"least of the five, full", stated::over("not hurt", 0.98), least(bars[1])},
             {"mean, ideal", stated::under("very little", 1.15), ideal}},
            {{"mean, full", mean_of(bars[1]), 0.98, 1.05}, {"mean, ideal", ideal, 1, 1.15}}};
}

static figure normalised(const study_results &results, programs_ref programs, const std::string &id,
                         const std::string &title, const std::string &headline, const stated &paper)
{
    const auto ratio = [&](const json &base, const json &other) { return ratio_of(base, other, headline); };
    const figure_bar leaf = ratio_bar(results, programs, "leaf", "off", "leaf", ratio);
    const figure_bar full = ratio_bar(results, programs, "full", "off", "full", ratio);
    return {id,
            title,
            2,
            {leaf, full},
            {},
            {{"mean, full", paper, mean_of(full)}},
            {{"mean, full", mean_of(full), 0.55, 0.70}}};
}

figure figure_10(const study_results &results, programs_ref programs)
{
    figure f = normalised(results, programs, "10", "page-table reads, baseline = 1", "pte_reads",
                          stated::about("0.63 (-37 %)", 0.63));
    const double spared_by_leaf = 1 - mean_of(f.bars[0]), spared = 1 - mean_of(f.bars[1]);
    f.claims.push_back({"leaf's share of the reads spared", stated::between("almost equal", 0.4, 0.6, 0),
                        spared_by_leaf / spared});
    return f;
}

/* A part of the walks' latency in cycles a walk, also of those that did not have it. */
static figure_bar part_of_latency(const study_results &results, programs_ref programs,
                                  const std::string &name, const std::string &key, const std::string &part)
{
    return bar_of(results, programs, name, key, [&](const json &stats) {
        const stat_view view(stats.at("statistics"));
        const double walks = view.of_histogram("walk_unit.walk_latency", "count");
        return walks > 0 ? view.of_histogram("walk_unit." + part, "sum") / walks : none;
    });
}

figure figure_11(const study_results &results, programs_ref programs)
{
    figure f = normalised(results, programs, "11", "walk latency, baseline = 1", "walk_latency_mean",
                          stated::about("0.62 (-38 %)", 0.62));
    f.beside_title = "cycles a walk waits in the backlog and in the walk buffer, and takes with a walker";
    for (const std::string key : {"off", "full"}) {
        f.beside.push_back(part_of_latency(results, programs, key + ": backlog", key, "backlog_latency"));
        f.beside.push_back(part_of_latency(results, programs, key + ": buffer", key, "buffer_latency"));
        f.beside.push_back(part_of_latency(results, programs, key + ": walker", key, "service_latency"));
    }
    return f;
}

} // namespace walkway
