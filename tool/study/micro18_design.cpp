/* SPDX-License-Identifier: MIT */
/* study/micro18_design.cpp - MICRO'18's Figures 12 to 14 and Table III: other walkers, buffers and caches,
 * and the power. */
#include "study/micro18_figures.hpp"

#include "run/headline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

figure figure_12(const study_results &results, programs_ref programs)
{
    std::vector<figure_bar> bars = {
        speedup_bar(results, programs, "4 walkers", "walkers-4-off", "walkers-4-full"),
        speedup_bar(results, programs, "8", "off", "full"),
        speedup_bar(results, programs, "16", "walkers-16-off", "walkers-16-full"),
        speedup_bar(results, programs, "32", "walkers-32-off", "walkers-32-full"),
    };
    const std::pair<const char *, const char *> baselines[] = {
        {"4", "walkers-4-off"}, {"8", "off"}, {"16", "walkers-16-off"}, {"32", "walkers-32-off"}};
    std::vector<figure_bar> beside;
    for (const auto &b : baselines)
        beside.push_back(
            bar_of(results, programs, std::string("walk cache, off, ") + b.first, b.second, walk_cache_hits));
    for (const auto &b : baselines)
        beside.push_back(
            bar_of(results, programs, std::string("L2 TLB, off, ") + b.first, b.second, l2_tlb_hits));
    const double at_8 = of(bars[1], programs, "MVT"), at_32 = of(bars[3], programs, "MVT");
    double rising = 0;
    for (size_t i = 0; i < programs.size(); ++i)
        if (programs[i].code != "MVT")
            rising += std::isnan(bars[3].values[i] / bars[1].values[i]) ? none
                      : bars[3].values[i] > bars[1].values[i]           ? 1
                                                                        : 0;
    figure f = {"12",
                "speed-up of full coalescing over the baseline with as many walkers",
                2,
                bars,
                beside,
                {{"mean, 32 walkers", stated::about("around 1.3", 1.3), mean_of(bars[3])},
                 {"mean at 32 / mean at 8", stated::under("falls", 1.0), mean_of(bars[3]) / mean_of(bars[1])},
                 {"MVT at 32 / MVT at 8", stated::over("MVT rises", 1.0), at_32 / at_8},
                 {"others that rise from 8 to 32", stated::under("none but MVT", 0.5), rising}},
                {{"mean, 32 walkers", mean_of(bars[3]), 1.15, 1.45}}};
    f.beside_title = "hit rates of the page-walk cache of level-2 entries and of the L2 TLB, by walkers";
    return f;
}

figure figure_13(const study_results &results, programs_ref programs)
{
    std::vector<figure_bar> bars = {
        speedup_bar(results, programs, "128 entries", "buffer-128-off", "buffer-128-full"),
        speedup_bar(results, programs, "256", "off", "full"),
        speedup_bar(results, programs, "512", "buffer-512-off", "buffer-512-full"),
    };
    return {"13",
            "speed-up of full coalescing over the baseline with as large a walk buffer",
            2,
            bars,
            {},
            {{"mean at 512 / mean at 128", stated::over("larger ones see more", 1.0),
              mean_of(bars[2]) / mean_of(bars[0])}}};
}

figure figure_14(const study_results &results, programs_ref programs)
{
    static const std::pair<const char *, const char *> sizes[] = {
        {"1.5 KB", "1536"}, {"4 KB", "4096"}, {"8 KB", "8192"}, {"16 KB", "16384"}};
    std::vector<figure_bar> bars;
    double best = 0, best_merging = 0;
    for (const auto &size : sizes) {
        bars.push_back(speedup_bar(results, programs, size.first + std::string(" cache"), "off",
                                   std::string("pte-cache-") + size.second));
        best = std::max(best, mean_of(bars.back()));
    }
    for (const auto &size : sizes) {
        bars.push_back(speedup_bar(results, programs, size.first + std::string(", merging reads"), "off",
                                   std::string("pte-cache-merge-") + size.second));
        best_merging = std::max(best_merging, mean_of(bars.back()));
    }
    bars.push_back(speedup_bar(results, programs, "full coalescing", "off", "full"));
    const double full = mean_of(bars.back());
    figure f = {
        "14",
        "speed-up of a cache of page-table lines, and of full coalescing",
        2,
        bars,
        {},
        {{"mean, full / best cache", stated::over("significantly higher", 1.0), full / best},
         {"the same, reads merging", stated::over("significantly higher", 1.0), full / best_merging}}};
    f.bars_are_rows = true;
    return f;
}

namespace
{

/* Energy of page walks in a run, and its time. What their reads cost is a question of definition
 * (docs/energy.md). */
using reads_pj = double (*)(const stat_view &);

double by_the_read(const stat_view &stats)
{
    return stats.value("energy.walk_reads");
}

double as_it_happened(const stat_view &stats)
{
    return stats.value("energy.walk_reads_actual");
}

/* PAPER[M18 section VI]: an access of the CAM takes 40 to 200 times less energy than one of DRAM; 0.196 nJ by
 * 40 and 0.041 nJ by 200 are both about 8 nJ. */
double at_8_nj(const stat_view &stats)
{
    return stats.value("walk_unit.pte_reads") * 8000;
}

struct walk_energy {
    double pj, seconds;
    walk_energy(const json &run, reads_pj reads) : seconds(headline_value(run, "seconds"))
    {
        const stat_view stats(run.at("statistics"));
        pj = reads(stats) + stats.value("energy.cam");
    }
    double mw() const { return pj * 1e-12 / seconds * 1e3; }
};

/* Average power of page walks without coalescing, less that with it, the CAM's own included. */
template <reads_pj reads> double saved_mw(const json &base, const json &full)
{
    const walk_energy before(base, reads), after(full, reads);
    return before.seconds > 0 && after.seconds > 0 ? before.mw() - after.mw() : none;
}

/* The energy that it saves, over the time of the coalesced run: a walker that is faster reads more often, so
 * this is more than the difference of the powers. */
double saved_energy_mw(const json &base, const json &full)
{
    const walk_energy before(base, by_the_read), after(full, by_the_read);
    return after.seconds > 0 ? (before.pj - after.pj) * 1e-12 / after.seconds * 1e3 : none;
}

} // namespace

figure table_3(const study_results &results, programs_ref programs)
{
    static const char *const paper[][2] = {
        {"MVT", "27.69"}, {"ATX", "36.86"}, {"NW", "358.19"}, {"BIC", "24.81"}, {"GEV", "70.00"}};
    const auto bar = [&](const char *name, const std::function<double(const json &, const json &)> &value) {
        figure_bar made = ratio_bar(results, programs, name, "off", "full", value);
        made.ratio = false; /* a difference */
        return made;
    };
    const figure_bar saved = bar("saved power, mW", saved_mw<by_the_read>);
    figure f = {"III",
                "power of page walks saved by full coalescing",
                2,
                {saved, bar("activations as they happened", saved_mw<as_it_happened>),
                 bar("8 nJ a read", saved_mw<at_8_nj>), bar("saved energy / time, mW", saved_energy_mw)},
                {},
                {}};
    for (const auto &row : paper)
        f.claims.push_back({row[0], stated::about(row[1], std::stod(row[1])), of(saved, programs, row[0])});
    f.claims.push_back({"mean", stated::about("103.51", 103.51), mean_of(saved)});
    return f;
}

} // namespace walkway
