/* SPDX-License-Identifier: MIT */
/* study/pact24_figures.cpp - see pact24_figures.hpp. */
#include "study/pact24_figures.hpp"

#include "run/headline.hpp"
#include "support/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway::pact24
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double mean_in(const figure_bar &bar, programs_ref programs, const char *group)
{
    return arithmetic_mean(values_of(bar, programs, {group}));
}

double pwc_misses(const json &stats)
{
    return 1 - share(stats, "walk_unit.pwc_hits_l2", "walk_unit.pwc_lookups");
}

double step_cache_hits(const json &stats)
{
    return share(stats, "walk_unit.pwc_hits_steps", "walk_unit.pwc_lookups");
}

double references(const json &stats)
{
    return share(stats, "walk_unit.pte_reads", "walk_unit.walks_finished");
}

/* Without a step cache: of walks, those whose home slot is another region's. */
double collisions(const json &stats)
{
    return share(stats, "walk_unit.pte_reads_steps", "walk_unit.walks_finished");
}

/* Of walks, those that found their entry in the victim buffer. */
double victim_accesses(const json &stats)
{
    return share(stats, "walk_unit.pte_reads_v1", "walk_unit.walks_finished");
}

double latency(const json &before, const json &after)
{
    return headline_value(after, "walk_latency_mean", none) /
           headline_value(before, "walk_latency_mean", none);
}

/* Speed-up of a key over another, as the paper prints it. */
figure_bar over(const study_results &results, programs_ref programs, const char *name,
                const std::string &base, const std::string &key)
{
    return speedup_bar(results, programs, name, base, key);
}

} // namespace

const std::vector<table_size> &table_sizes()
{
    static const std::vector<table_size> all = {
        {"stepless-0.5", "0.5 %", "250", 0.978, 0.05},
        {"stepless-1", "1 %", "500", 1.10, 0.05},
        {"stepless-2", "2 %", "1000", 1.19, 0.05},
        {"stepless-4", "4 %", "2000", 1.244, 0.05},
    };
    return all;
}

const std::vector<threshold> &thresholds()
{
    static const std::vector<threshold> all = {
        {"hpt/150/1.0", "m = 1.0", "100", 1.117}, {"hpt/150/1.1", "m = 1.1", "110", 1.177},
        {"hpt/150/1.2", "m = 1.2", "120", 1.215}, {"hpt/150/1.3", "m = 1.3", "130", 1.253},
        {"hpt/150/1.4", "m = 1.4", "140", 1.266}, {"hpt/150/1.5", "m = 1.5", "150", 1.278},
    };
    return all;
}

figure figure_4(const study_results &results, programs_ref programs)
{
    const figure_bar misses = bar_of(results, programs, "PWC misses", "rpt", pwc_misses);
    const double irregular = mean_in(misses, programs, "I"), regular = mean_in(misses, programs, "R");
    figure f = {"4",
                "miss rate of the level-2 page-walk cache",
                3,
                {misses},
                {},
                {{"mean, irregular", stated::about("33.8 %", 0.338, 0.15), irregular},
                 {"mean, regular", stated::between("0.4 %", 0, 0.02, 0), regular}},
                {{"mean, irregular", irregular, 0.28, 0.42}, {"mean, regular", regular, 0, 0.02}}};
    for (const study_program &p : programs)
        if (p.group == "I")
            f.claims.push_back(
                {p.code + " is irregular", stated::over("over 20 %", 0.2), of(misses, programs, p.code)});
    return f;
}

figure figure_5(const study_results &results, programs_ref programs)
{
    const figure_bar ideal = over(results, programs, "ideal PWC", "rpt", "ideal");
    return {"5", "speed-up of an ideal page-walk cache over four-level RPT",
            3,   {ideal},
            {},  {{"mean, irregular", stated::about("29 %", 1.29, 0.05), mean_in(ideal, programs, "I")}}};
}

/* The paper draws BFS alone, over time. */
figure figure_6(const study_results &results, programs_ref programs)
{
    figure f = {"6", "live remote mappings, on average in each tenth of the run", 0, {}, {}, {}, {}};
    for (int tenth = 1; tenth <= 10; ++tenth) {
        const std::string number = std::to_string(tenth);
        f.bars.push_back(bar_of(results, programs, "tenth " + number, "rpt/150", [number](const json &stats) {
            return stat_of(stats, ("driver.remote_live_" + number).c_str());
        }));
    }
    const auto bfs = [&](size_t tenth) { return of(f.bars[tenth - 1], programs, "BFS"); };
    f.claims = {{"BFS, tenth 10 / tenth 1", stated::under("decreases", 1.0), bfs(10) / bfs(1)}};
    return f;
}

figure figure_7(const study_results &results, programs_ref programs)
{
    const figure_bar live = bar_of(results, programs, "of mapped pages", "rpt/150", [](const json &stats) {
        return share(stats, "driver.remote_live_cycles", "driver.mapped_cycles");
    });
    const std::vector<double> &all = live.values;
    const bool any = std::any_of(all.begin(), all.end(), [](double v) { return !std::isnan(v); });
    const double most = any ? *std::max_element(all.begin(), all.end(),
                                                [](double a, double b) { return std::isnan(a) || a < b; })
                            : none;
    figure f = {"7",
                "share of live remote mappings in all mappings, on average over the run",
                4,
                {live},
                {bar_of(results, programs, "mappings used", "rpt/150",
                        [](const json &stats) { return stat_of(stats, "driver.remote_used"); })},
                {{"highest", stated::between("0 % to 20 %", 0, 0.2, 0), most},
                 {"mean", stated::about("0.16 %", 0.0016, 0.5), arithmetic_mean(all)}}};
    f.beside_title = "mappings of host memory that were used";
    return f;
}

figure figure_13(const study_results &results, programs_ref programs)
{
    const figure_bar hpt = over(results, programs, "FS-HPT", "rpt", "hpt"),
                     ideal = over(results, programs, "ideal PWC", "rpt", "ideal");
    const double mean = mean_in(hpt, programs, "I"), regular = mean_in(hpt, programs, "R");
    figure f = {"13",
                "speed-up over four-level RPT",
                3,
                {hpt, ideal},
                {bar_of(results, programs, "PWC misses", "rpt", pwc_misses)},
                {{"mean, irregular, FS-HPT", stated::about("27.8 %", 1.278, 0.05), mean},
                 {"FS-HPT of ideal PWC", stated::about("comparable", 1.0, 0.03),
                  mean / mean_in(ideal, programs, "I")},
                 {"mean, regular, FS-HPT", stated::about("comparable", 1.0, 0.03), regular}},
                {{"mean, irregular, FS-HPT", mean, 1.22, 1.40},
                 {"mean, regular, FS-HPT", regular, 0.98, 1.03},
                 {"ATX", of(hpt, programs, "ATX"), 1.25, 1.48},
                 {"GEV", of(hpt, programs, "GEV"), 1.20, 1.38},
                 {"MVT", of(hpt, programs, "MVT"), 1.25, 1.55},
                 {"NW", of(hpt, programs, "NW"), 1.28, 1.45}}};
    f.beside_title = "miss rate of the level-2 page-walk cache";
    const std::pair<const char *, double> gains[] = {{"BC", 15.8},  {"SP", 18.3},  {"ATX", 35.4},
                                                     {"GEV", 26.6}, {"MVT", 34.9}, {"BFS", 35.8}};
    for (const auto &[code, percent] : gains)
        f.claims.push_back({code, stated::about(text_of_real(percent, 1) + " %", 1 + percent / 100, 0.05),
                            of(hpt, programs, code)});
    return f;
}

figure figure_14(const study_results &results, programs_ref programs)
{
    const figure_bar rpt = bar_of(results, programs, "RPT", "rpt", references),
                     hpt = bar_of(results, programs, "FS-HPT", "hpt", references),
                     ideal = bar_of(results, programs, "ideal PWC", "ideal", references),
                     misses = bar_of(results, programs, "PWC misses", "rpt", pwc_misses),
                     steps = bar_of(results, programs, "step cache hits", "hpt", step_cache_hits);
    figure f = {
        "14",
        "memory references of a page-table walk",
        3,
        {rpt, hpt, ideal},
        {misses, steps},
        {{"mean, irregular, RPT", stated::about("1.35", 1.35, 0.05), mean_in(rpt, programs, "I")},
         {"mean, irregular, FS-HPT", stated::about("1.01", 1.01, 0.01), mean_in(hpt, programs, "I")},
         {"mean, irregular, PWC hits", stated::about("65 %", 0.65), 1 - mean_in(misses, programs, "I")}},
        {{"mean, irregular, FS-HPT", mean_in(hpt, programs, "I"), 1.0, 1.02},
         {"mean, irregular, RPT - 1 - misses",
          mean_in(rpt, programs, "I") - 1 - mean_in(misses, programs, "I"), -0.01, 0.01}}};
    f.beside_title = "misses of the level-2 page-walk cache, hits of the step cache";
    for (size_t i = 0; i < programs.size(); ++i)
        f.claims.push_back(
            {programs[i].code + ", step cache hits", stated::over("over 99 %", 0.99), steps.values[i]});
    return f;
}

figure figure_15(const study_results &results, programs_ref programs)
{
    const figure_bar hpt = ratio_bar(results, programs, "FS-HPT", "rpt", "hpt", latency),
                     ideal = ratio_bar(results, programs, "ideal PWC", "rpt", "ideal", latency);
    const double mean = mean_in(hpt, programs, "I");
    return {"15",
            "mean latency of a walk, its time in the queue included, RPT = 1",
            3,
            {hpt, ideal},
            {},
            {{"mean, irregular, FS-HPT", stated::about("22.2 % less", 0.778, 0.05), mean},
             {"mean, irregular, ideal PWC", stated::about("23.5 % less", 0.765, 0.05),
              mean_in(ideal, programs, "I")}},
            {{"mean, irregular, FS-HPT", mean, 0.65, 0.85}}};
}

figure figure_16(const study_results &results, programs_ref programs)
{
    figure f = {"16", "speed-up over RPT with 150 % oversubscription, by m of the load factor's threshold",
                3,    {},
                {},   {},
                {}};
    double before = 0;
    for (const threshold &m : thresholds()) {
        f.bars.push_back(over(results, programs, m.text, "rpt/150", m.key));
        f.beside.push_back(bar_of(results, programs, m.text, m.key, victim_accesses));
        const double mean = mean_in(f.bars.back(), programs, "I");
        f.claims.push_back({std::string("mean, irregular, ") + m.text,
                            stated::about(text_of_real((m.stated - 1) * 100, 1) + " %", m.stated, 0.05),
                            mean});
        if (before > 0)
            f.guards.push_back({std::string(m.text) + " / the one before", mean / before, 1.0, 1.5});
        before = mean;
    }
    const double roomy = mean_in(over(results, programs, "FS-HPT", "rpt", "hpt"), programs, "I");
    f.guards.push_back({"m = 1.5 / without oversubscription", before / roomy, 0.97, 1.03});
    f.claims.push_back({"NW, m = 1.2", stated::about("11 %", 1.11, 0.05), of(f.bars[2], programs, "NW")});
    f.claims.push_back(
        {"NW, m = 1.2, victim buffer", stated::about("4.4 %", 0.044, 0.5), of(f.beside[2], programs, "NW")});
    for (const char *code : {"GEV", "SYK", "BFS", "SP"})
        f.claims.push_back({std::string(code) + ", m = 1.2, victim buffer", stated::over("over 1 %", 0.01),
                            of(f.beside[2], programs, code)});
    f.beside_title = "share of walks that find their entry in the victim buffer";
    return f;
}

figure figure_17(const study_results &results, programs_ref programs)
{
    figure f = {
        "17", "speed-up over RPT of the design without a step cache, by the size of its table", 3, {}, {}, {},
        {}};
    double before = 0;
    for (const table_size &size : table_sizes()) {
        f.bars.push_back(over(results, programs, size.text, "rpt", size.key));
        f.beside.push_back(bar_of(results, programs, size.text, size.key, collisions));
        const double mean = mean_in(f.bars.back(), programs, "I");
        f.claims.push_back(
            {std::string("mean, irregular, ") + size.text,
             stated::about(text_of_real((size.stated - 1) * 100, 1) + " %", size.stated, size.tolerance),
             mean});
        if (before > 0)
            f.guards.push_back({std::string(size.text) + " / the size before", mean / before, 1.0, 1.3});
        before = mean;
    }
    f.beside_title = "share of walks that found another region in the home slot";
    return f;
}

figure figure_18(const study_results &results, programs_ref programs)
{
    const figure_bar hpt = over(results, programs, "FS-HPT", "rpt/64k", "hpt/64k"),
                     ideal = over(results, programs, "ideal PWC", "rpt/64k", "ideal/64k");
    figure f = {
        "18",
        "speed-up over RPT, pages of 64 KiB",
        3,
        {hpt, ideal},
        {},
        {{"mean, irregular, FS-HPT", stated::about("24.5 %", 1.245, 0.05), mean_in(hpt, programs, "I")}}};
    f.beside = {
        ratio_bar(results, programs, "RPT", "rpt", "rpt/64k", [](const json &small, const json &large) {
            const double walks = stat_of(small, "walk_unit.walks_finished");
            return walks > 0 ? stat_of(large, "walk_unit.walks_finished") / walks : none;
        })};
    f.beside_title = "walks, of those with pages of 4 KiB";
    return f;
}

figure figure_19(const study_results &results, programs_ref programs)
{
    const figure_bar rpt = over(results, programs, "RPT with NHA", "rpt", "rpt/nha"),
                     hpt = over(results, programs, "FS-HPT", "rpt", "hpt"),
                     both = over(results, programs, "FS-HPT with NHA", "rpt", "hpt/nha"),
                     ideal = over(results, programs, "ideal PWC with NHA", "rpt", "ideal/nha");
    const auto mean = [&](const figure_bar &bar) { return mean_in(bar, programs, "I"); };
    figure f = {"19",
                "speed-up over RPT, with neighbourhood-aware walking and without",
                3,
                {rpt, hpt, both, ideal},
                {},
                {{"mean, irregular, FS-HPT / RPT with NHA", stated::about("5.8 %", 1.058, 0.05),
                  mean(hpt) / mean(rpt)},
                 {"mean, irregular, FS-HPT with NHA", stated::about("61.7 %", 1.617, 0.1), mean(both)},
                 {"mean, irregular, FS-HPT / ideal PWC, both with NHA", stated::about("near", 1.0, 0.03),
                  mean(both) / mean(ideal)}},
                {}};
    for (const char *code : {"ATX", "GEV", "MVT"}) {
        f.claims.push_back({std::string(code) + ", RPT with NHA", stated::about("no speedup", 1.0, 0.05),
                            of(rpt, programs, code)});
        f.guards.push_back({std::string(code) + ", RPT with NHA", of(rpt, programs, code), 0.95, 1.05});
    }
    for (const char *code : {"CC", "KC"})
        f.claims.push_back(
            {std::string(code) + ", RPT with NHA", stated::over("a speedup", 1.0), of(rpt, programs, code)});
    return f;
}

/* The paper expects it of five levels and shows no number. */
figure five_levels(const study_results &results, programs_ref programs)
{
    figure f = {"levels",
                "five-level RPT and FS-HPT over it; no figure of the paper's",
                3,
                {over(results, programs, "five levels over four", "rpt", "rpt/levels-5"),
                 over(results, programs, "FS-HPT over five levels", "rpt/levels-5", "hpt")},
                {bar_of(results, programs, "five levels", "rpt/levels-5", references)},
                {}};
    f.beside_title = "memory references of a walk";
    return f;
}

} // namespace walkway::pact24
