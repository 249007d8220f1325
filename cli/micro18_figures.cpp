/* SPDX-License-Identifier: MIT */
/* cli/micro18_figures.cpp - MICRO'18's figures and table from results, with the values that the paper's text
 * states. The single bars are not in the text. The bands say what counts as reproduced. */
#include "cli/micro18_figures.hpp"

#include "cli/comparison.hpp"
#include "cli/headline.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();
static constexpr double unbounded = std::numeric_limits<double>::infinity();

static const json *find(const study_results &results, const std::string &program, const std::string &key)
{
    const auto by_program = results.find(program);
    if (by_program == results.end())
        return nullptr;
    const auto by_key = by_program->second.find(key);
    return by_key == by_program->second.end() ? nullptr : &by_key->second;
}

/* One value a program from the results of two configurations. */
static figure_bar bar_of(const study_results &results, programs_ref programs, const std::string &name,
                         const std::string &base_key, const std::string &key,
                         const std::function<double(const json &base, const json &other)> &value)
{
    figure_bar bar{name, {}};
    for (const study_program &p : programs) {
        const json *base = find(results, p.code, base_key);
        const json *other = find(results, p.code, key);
        bar.values.push_back(base == nullptr || other == nullptr ? none : value(*base, *other));
    }
    return bar;
}

static figure_bar speedup_bar(const study_results &results, programs_ref programs, const std::string &name,
                              const std::string &base_key, const std::string &key)
{
    return bar_of(results, programs, name, base_key, key, speedup_of);
}

static double of(const figure_bar &bar, programs_ref programs, const std::string &code)
{
    for (size_t i = 0; i < programs.size(); ++i)
        if (programs[i].code == code)
            return bar.values[i];
    return none;
}

static double mean_of(const figure_bar &bar)
{
    return arithmetic_mean(bar.values);
}

static figure_claim claim(const std::string &text, const std::string &paper, double ours)
{
    return {text, paper, ours, 1, 0};
}

static double share(const json &stats, const char *part, const char *whole)
{
    const stat_view view(stats.at("statistics"));
    const double divisor = view.value(whole);
    return divisor > 0 ? view.value(part) / divisor : none;
}

figure figure_5(const study_results &results, programs_ref programs)
{
    const figure_bar bar =
        bar_of(results, programs, "fraction", "off", "off", [](const json &, const json &s) {
            return share(s, "iommu.leaf_neighbour_accesses", "iommu.leaf_accesses");
        });
    return {"5",
            "fraction of leaf accesses with a neighbour among the concurrent walks",
            3,
            false,
            {bar},
            {claim("mean", "about 0.4", mean_of(bar)), claim("MVT", "near none", of(bar, programs, "MVT"))}};
}

figure figure_6(const study_results &results, programs_ref programs)
{
    const figure_bar bar =
        bar_of(results, programs, "fraction", "off", "off", [](const json &, const json &s) {
            return share(s, "iommu.upper_neighbour_accesses", "iommu.upper_accesses");
        });
    return {"6", "the same at the upper levels, walks of the very same entry left out", 3, false, {bar}, {}};
}

/* The three bars of Figure 9, a program each. */
static std::vector<figure_bar> speedups(const study_results &results, programs_ref programs)
{
    return {speedup_bar(results, programs, "leaf", "off", "leaf"),
            speedup_bar(results, programs, "full", "off", "full"),
            speedup_bar(results, programs, "ideal", "off", "ideal")};
}

figure figure_9(const study_results &results, programs_ref programs)
{
    const std::vector<figure_bar> bars = speedups(results, programs);
    const figure_bar &leaf = bars[0], &full = bars[1], &ideal = bars[2];
    return {"9",
            "speed-up of coalescing at the leaf, at every level, and of ideal translation",
            3,
            true,
            bars,
            {{"mean, full", "1.7", mean_of(full), 1.5, 1.85},
             {"MVT, full", "", of(full, programs, "MVT"), 1.1, 1.3},
             {"ATX, full", "", of(full, programs, "ATX"), 1.6, 2.1},
             {"NW, full", "", of(full, programs, "NW"), 1.1, 1.45},
             {"BIC, full", "", of(full, programs, "BIC"), 1.7, 2.3},
             {"GEV, full", "2.3", of(full, programs, "GEV"), 1.9, 2.3},
             {"MVT, leaf", "", of(leaf, programs, "MVT"), 0.98, 1.02},
             {"mean, ideal", "3 to 4", mean_of(ideal), 2.5, 4.5}}};
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
    return {"9-regular",
            "the same for the regular programs",
            3,
            true,
            bars,
            {{"least of the five, leaf", "not hurt", least(bars[0]), 0.98, unbounded},
             {"least of the five, full", "not hurt", least(bars[1]), 0.98, unbounded},
             {"mean, full", "", mean_of(bars[1]), 0.98, 1.05},
             {"mean, ideal", "very little", mean_of(bars[2]), 1, 1.15}}};
}

static figure normalised(const study_results &results, programs_ref programs, const std::string &id,
                         const std::string &title, const std::string &headline, const std::string &paper)
{
    const auto ratio = [&](const json &base, const json &other) { return ratio_of(base, other, headline); };
    const figure_bar leaf = bar_of(results, programs, "leaf", "off", "leaf", ratio);
    const figure_bar full = bar_of(results, programs, "full", "off", "full", ratio);
    return {id, title, 3, true, {leaf, full}, {{"mean, full", paper, mean_of(full), 0.55, 0.70}}};
}

figure figure_10(const study_results &results, programs_ref programs)
{
    return normalised(results, programs, "10", "page-table reads, baseline = 1", "pte_reads", "0.63 (-37 %)");
}

figure figure_11(const study_results &results, programs_ref programs)
{
    return normalised(results, programs, "11", "walk latency, baseline = 1", "walk_latency_mean",
                      "0.62 (-38 %)");
}

figure figure_12(const study_results &results, programs_ref programs)
{
    std::vector<figure_bar> bars = {
        speedup_bar(results, programs, "4 walkers", "walkers-4-off", "walkers-4-full"),
        speedup_bar(results, programs, "8", "off", "full"),
        speedup_bar(results, programs, "16", "walkers-16-off", "walkers-16-full"),
        speedup_bar(results, programs, "32", "walkers-32-off", "walkers-32-full"),
    };
    const double at_8 = of(bars[1], programs, "MVT"), at_32 = of(bars[3], programs, "MVT");
    return {"12",
            "speed-up of full coalescing over the baseline with as many walkers",
            3,
            true,
            bars,
            {{"mean, 32 walkers", "about 1.3", mean_of(bars[3]), 1.15, 1.45},
             {"mean at 32 / mean at 8", "below 1", mean_of(bars[3]) / mean_of(bars[1]), 0.0, 1.0},
             {"MVT at 32 / MVT at 8", "over 1", at_32 / at_8, 1.0, unbounded}}};
}

figure figure_13(const study_results &results, programs_ref programs)
{
    std::vector<figure_bar> bars = {
        speedup_bar(results, programs, "128 entries", "buffer-128-off", "buffer-128-full"),
        speedup_bar(results, programs, "256", "off", "full"),
        speedup_bar(results, programs, "512", "buffer-512-off", "buffer-512-full"),
    };
    return {
        "13", "speed-up of full coalescing over the baseline with as large a walk buffer",
        3,    true,
        bars, {{"mean at 512 / mean at 128", "over 1", mean_of(bars[2]) / mean_of(bars[0]), 1.0, unbounded}}};
}

figure figure_14(const study_results &results, programs_ref programs)
{
    std::vector<figure_bar> bars = {
        speedup_bar(results, programs, "1.5 KB cache", "off", "pte-cache-1536"),
        speedup_bar(results, programs, "4 KB", "off", "pte-cache-4096"),
        speedup_bar(results, programs, "8 KB", "off", "pte-cache-8192"),
        speedup_bar(results, programs, "16 KB", "off", "pte-cache-16384"),
        speedup_bar(results, programs, "full coalescing", "off", "full"),
    };
    double best = 0;
    for (size_t i = 0; i < 4; ++i)
        best = std::max(best, mean_of(bars[i]));
    return {"14", "speed-up of a cache of page-table lines, and of full coalescing",
            3,    true,
            bars, {{"mean, full / best cache", "over 1", mean_of(bars[4]) / best, 1.0, unbounded}}};
}

/* Energy of page walks in a run, and its time. */
struct walk_energy {
    double pj, seconds;
    explicit walk_energy(const json &run) : seconds(headline_value(run, "seconds"))
    {
        const stat_view stats(run.at("statistics"));
        pj = stats.value("energy.walk_reads") + stats.value("energy.cam");
    }
    double mw() const { return pj * 1e-12 / seconds * 1e3; }
};

/* Average power of page walks without coalescing, less that with it, the CAM's own included. */
static double saved_mw(const json &base, const json &full)
{
    const walk_energy before(base), after(full);
    return before.seconds > 0 && after.seconds > 0 ? before.mw() - after.mw() : none;
}

/* The energy that it saves, over the time of the coalesced run: a walker that is faster reads more often, so
 * this is more than the difference of the powers. */
static double saved_energy_mw(const json &base, const json &full)
{
    const walk_energy before(base), after(full);
    return after.seconds > 0 ? (before.pj - after.pj) * 1e-12 / after.seconds * 1e3 : none;
}

figure table_3(const study_results &results, programs_ref programs)
{
    static const char *const paper[][2] = {
        {"MVT", "27.69"}, {"ATX", "36.86"}, {"NW", "358.19"}, {"BIC", "24.81"}, {"GEV", "70.00"}};
    const figure_bar bar = bar_of(results, programs, "saved power, mW", "off", "full", saved_mw);
    const figure_bar energy =
        bar_of(results, programs, "saved energy / time, mW", "off", "full", saved_energy_mw);
    figure f = {"III", "power of page walks saved by full coalescing", 2, false, {bar, energy}, {}};
    for (const auto &row : paper)
        f.claims.push_back(claim(row[0], row[1], of(bar, programs, row[0])));
    f.claims.push_back(claim("mean", "103.51", mean_of(bar)));
    return f;
}

} // namespace walkway
