/* SPDX-License-Identifier: MIT */
/* study/micro21_reach.cpp - MICRO'21's Figures 13 to 16 and section 6.3.1: what keeping translations gains.
 */
#include "study/micro21_figures.hpp"

#include "study/ten_programs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway::micro21
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

static std::string percent(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find('.') + 2);
    return text;
}

/* A bar of each design, over the baseline under the same variant. */
static std::vector<figure_bar> bars_of(const study_results &results, programs_ref programs, const variant &v,
                                       const std::function<double(const json &, const json &)> &value)
{
    std::vector<figure_bar> bars;
    for (const design &d : designs())
        bars.push_back(ratio_bar(results, programs, d.name, v.key("base"), v.key(d.key), value));
    return bars;
}

static double ratio_of_stat(const json &base, const json &s, const char *path)
{
    const double before = stat_of(base, path), after = stat_of(s, path);
    return before > 0 ? after / before : none;
}

static double walks_ratio(const json &base, const json &s)
{
    return ratio_of_stat(base, s, "walk_unit.walk_requests");
}

static double energy_ratio(const json &base, const json &s)
{
    return ratio_of_stat(base, s, "energy.dram");
}

static std::vector<figure_bar> speedups(const study_results &results, programs_ref programs, const variant &v)
{
    std::vector<figure_bar> bars;
    for (const design &d : designs())
        bars.push_back(speedup_bar(results, programs, (v.text.empty() ? "" : v.text + ": ") + d.name,
                                   v.key("base"), v.key(d.key)));
    return bars;
}

/* Equation 1, the mean of all launches; our code has 8 bytes an instruction. */
figure figure_11(const study_results &results, programs_ref programs)
{
    const auto share_used = [](const json &s) {
        const double kernels = stat_of(s, "icache_tx.kernels"), lines = 256;
        return kernels > 0 ? stat_of(s, "icache_tx.kernel_lines") / kernels / lines : none;
    };
    return {"11",
            "lines of an instruction cache that a kernel uses, by Equation 1, share; code is 8 bytes an "
            "instruction here",
            3,
            {bar_of(results, programs, "mean of its kernels", "icache-aware", share_used)},
            {},
            {}};
}

figure figure_13a(const study_results &results, programs_ref programs)
{
    figure f = {"13a", "speed-up of translations in the instruction cache, by its design", 3, {}, {}, {}};
    f.gains = true;
    for (const icache_design &d : icache_designs()) {
        f.bars.push_back(speedup_bar(results, programs, d.name, "base", d.key));
        const stated paper = stated::between(percent(d.gain) + " %", d.gain - d.away, d.gain + d.away, 0);
        f.claims.push_back(
            {d.name + ", mean gain in %", paper.softly(), 100 * (geometric_mean(f.bars.back().values) - 1)});
    }
    return f;
}

figure figure_16a(const study_results &results, programs_ref programs)
{
    figure f = {"16a", "speed-up by compute units that share an instruction cache, as many lines in all",
                3,     {},
                {},    {}};
    f.gains = true;
    for (const variant &v : sharers())
        for (figure_bar &bar : speedups(results, programs, v)) {
            bar.name = v.text.empty() ? "4 sharers: " + bar.name : bar.name;
            f.bars.push_back(bar);
        }
    return f;
}

/* Bars and claims of Figure 13b, on the machine under a change. */
static void add_13b(figure &f, const study_results &results, programs_ref programs, const variant &v)
{
    const std::string before = v.text.empty() ? "" : v.text + ": ";
    for (const figure_bar &bar : speedups(results, programs, v)) {
        const design &d = designs()[f.bars.size() % designs().size()];
        f.bars.push_back(bar);
        const std::vector<double> low = values_of(bar, programs, {"L"});
        f.claims.push_back({before + d.name + ", gain in %, geometric, of ten",
                            stated::about(percent(d.gain_of_ten), d.gain_of_ten).softly(),
                            gain_mean(bar.values)});
        f.claims.push_back({before + d.name + ", gain in %, geometric, of H, M",
                            stated::about(percent(d.gain_of_seven), d.gain_of_seven).softly(),
                            gain_mean(values_of(bar, programs, those_seven()))});
        f.claims.push_back({before + d.name + ", gain in %, ATX",
                            stated::about(percent(d.gain_of_atax), d.gain_of_atax).softly(),
                            100 * (of(bar, programs, "ATX") - 1)});
        if (low.empty())
            continue;
        f.claims.push_back({before + d.name + ", least of L", stated::over("no degradation", 0.98),
                            *std::min_element(low.begin(), low.end())});
        f.claims.push_back({before + d.name + ", most of L", stated::under("no significant gain", 1.02),
                            *std::max_element(low.begin(), low.end())});
    }
}

figure figure_13b(const study_results &results, programs_ref programs)
{
    figure f = {"13b", "speed-up of translations kept in idle structures", 3, {}, {}, {}};
    f.gains = true;
    add_13b(f, results, programs, {"", {}});
    return f;
}

figure figure_13b_hashed(const study_results &results, programs_ref programs)
{
    figure f = {"13b-hashed", "the same with hashed indexes, over a baseline with them", 3, {}, {}, {}};
    f.gains = true;
    for (const variant &v : hashed())
        add_13b(f, results, programs, v);
    return f;
}

figure figure_13c(const study_results &results, programs_ref programs)
{
    figure f = {"13c", "energy of main memory, baseline = 1", 3, {}, {}, {}};
    f.bars = bars_of(results, programs, {"", {}}, energy_ratio);
    for (size_t i = 0; i < designs().size(); ++i) {
        const design &d = designs()[i];
        f.claims.push_back(
            {d.name + ", mean of ten",
             stated::about("-" + percent(100 * d.energy_spared) + " %", 1 - d.energy_spared, 0.02).softly(),
             mean_of(f.bars[i])});
    }
    return f;
}

/* Translations that so many compute units asked for, or more. */
static double asked_by(const json &s, uint64_t units)
{
    const char *const sharers = "l2_tlb.sharers"; /* counted as each unit comes to a page */
    return count_below(s, sharers, units + 1) - count_below(s, sharers, units);
}

/* Where the L2 TLB has a place for each page none leaves it, and its pages are those of the whole run. */
figure figure_14a(const study_results &results, programs_ref programs)
{
    const auto shared_by = [&](const char *name, uint64_t units) {
        return bar_of(results, programs, name, "l2-2m", [units](const json &s) {
            const uint64_t all = s.at("configuration").at("gpu.cus").get<uint64_t>();
            const double pages = asked_by(s, 1);
            return stat_of(s, "l2_tlb.evictions") == 0 && pages > 0
                       ? asked_by(s, units == 0 ? all : units) / pages
                       : none;
        });
    };
    const figure_bar all = shared_by("all units", 0);
    figure f = {"14a", "translations that compute units ask for, share of pages", 3, {all}, {}, {}};
    f.beside = {shared_by("two units or more", 2)};
    f.beside_title = "share of pages that some units ask for";
    for (const study_program &p : programs) {
        const bool own = p.code == "GEV" || p.code == "NW" || p.code == "SRAD";
        f.claims.push_back({p.code,
                            own ? stated::under("no significant portion", 0.5)
                                : stated::over("a significant portion", 0.5).softly(),
                            of(all, programs, p.code)});
    }
    return f;
}

static void add_14b(figure &f, const study_results &results, programs_ref programs, const variant &v)
{
    const std::string before = v.text.empty() ? "" : v.text + ": ";
    for (figure_bar &bar : bars_of(results, programs, v, walks_ratio)) {
        const design &d = designs()[f.bars.size() % designs().size()];
        const std::string text = "-" + percent(100 * d.walks_spared) + " %";
        f.claims.push_back({before + d.name + ", mean of H, M",
                            stated::about(text, 1 - d.walks_spared).softly(),
                            arithmetic_mean(values_of(bar, programs, those_seven()))});
        f.claims.push_back({before + d.name + ", mean of ten",
                            stated::about(text, 1 - d.walks_spared).softly(), mean_of(bar)});
        bar.name = before + bar.name;
        f.bars.push_back(bar);
    }
}

figure figure_14b(const study_results &results, programs_ref programs)
{
    figure f = {"14b", "page walks, baseline = 1", 3, {}, {}, {}};
    add_14b(f, results, programs, {"", {}});
    return f;
}

figure figure_14b_hashed(const study_results &results, programs_ref programs)
{
    figure f = {"14b-hashed", "page walks with hashed indexes, baseline with them = 1", 3, {}, {}, {}};
    for (const variant &v : hashed())
        add_14b(f, results, programs, v);
    return f;
}

figure figure_14c(const study_results &results, programs_ref programs)
{
    figure f = {"14c", "speed-up with larger pages, over a baseline with as large ones", 3, {}, {}, {}};
    f.gains = true;
    for (const variant &v : page_sizes())
        for (const figure_bar &bar : speedups(results, programs, v))
            f.bars.push_back(bar);
    return f;
}

/* Segments and lines that are lent at the end of the run. */
static double entries_gained(const json &stats)
{
    const auto held = [&stats](const char *opened, const char *claimed) {
        const double lent = stat_of(stats, opened);
        return std::isnan(lent) ? 0 : lent - stat_of(stats, claimed);
    };
    return 3 * held("lds_tx.opened", "lds_tx.segments_claimed") +
           8 * held("icache_tx.opened", "icache_tx.lines_claimed");
}

figure figure_15(const study_results &results, programs_ref programs)
{
    figure f = {"15", "translations that there is room for beside the TLBs, at the end of the run", 0, {}, {},
                {}};
    for (const design &d : designs()) {
        f.bars.push_back(bar_of(results, programs, d.name, d.key, entries_gained));
        const std::vector<double> &values = f.bars.back().values;
        if (!values.empty())
            f.claims.push_back({d.name + ", most",
                                stated::between(percent(d.entries / 1024) + " K at most", 0, d.entries, 0),
                                *std::max_element(values.begin(), values.end())});
    }
    return f;
}

figure figure_16b(const study_results &results, programs_ref programs)
{
    figure f = {"16b", "speed-up with longer wires to what keeps translations", 3, {}, {}, {}};
    f.gains = true;
    f.bars = speedups(results, programs, {"", {}});
    for (const std::string &cycles : wires())
        for (const design &d : designs())
            f.bars.push_back(speedup_bar(results, programs, d.name + " + " + cycles, "base",
                                         "wire-" + cycles + "/" + d.key));
    return f;
}

/* The paper's averages are geometric means of gains in percent; beside them stands how often the table is
 * hit, and what it does to cache and memory. */
figure figure_16c(const study_results &results, programs_ref programs)
{
    figure f = {"16c", "speed-up of a table of translations in memory, and of what keeps translations",
                3,     {},
                {},    {}};
    f.gains = true;
    f.bars = {speedup_bar(results, programs, "DUCATI", "base", "ducati/base"),
              speedup_bar(results, programs, "both", "base", "both"),
              speedup_bar(results, programs, "both and DUCATI", "base", "ducati/both")};
    const auto share = [](const char *hits, const char *of_all) {
        return [hits, of_all](const json &s) {
            const double all = stat_of(s, of_all);
            return all > 0 ? 100 * stat_of(s, hits) / all : none;
        };
    };
    f.beside = {bar_of(results, programs, "look-ups that it answers", "ducati/base",
                       share("memory_tlb.hits", "memory_tlb.lookups")),
                bar_of(results, programs, "L2D reads that are its", "ducati/base",
                       share("memory_tlb.line_reads", "l2d.reads")),
                ratio_bar(results, programs, "reads of DRAM, without = 100", "base", "ducati/base",
                          [](const json &base, const json &s) {
                              return 100 * ratio_of_stat(base, s, "dram.reads");
                          })};
    f.beside.back().ratio = false;
    f.beside_title = "what the table alone does, in %";
    f.claims = {{"DUCATI, gain in %, geometric, of ten", stated::about("4.9", 4.9).softly(),
                 gain_mean(f.bars[0].values)},
                {"both and DUCATI, gain in %, geometric, of ten", stated::about("40.7", 40.7).softly(),
                 gain_mean(f.bars[2].values)}};
    return f;
}

figure section_631(const study_results &results, programs_ref programs)
{
    figure f = {"section-6.3.1", "speed-up of segments of 64 bytes over those of 32", 3, {}, {}, {}};
    f.bars = {speedup_bar(results, programs, "64 bytes", "lds", "segments-64")};
    f.claims = {
        {"geometric mean", stated::about("no improvement", 1, 0.02), geometric_mean(f.bars[0].values)}};
    return f;
}

figure sensitivity(const study_results &results, programs_ref programs)
{
    figure f = {"13b-sensitivity", "how far it hangs on what the paper does not say", 2, {}, {}, {}};
    f.bars_are_rows = f.gains = true;
    for (const variant &v : sensitivity_variants()) {
        const std::string text = v.text.empty() ? "as shipped" : v.text;
        f.bars.push_back(speedup_bar(results, programs, text + ": baseline", "base", v.key("base")));
        for (figure_bar &bar : speedups(results, programs, v)) {
            bar.name = v.text.empty() ? text + ": " + bar.name : bar.name;
            f.bars.push_back(bar);
        }
        for (figure_bar &bar : bars_of(results, programs, v, walks_ratio)) {
            bar.name = text + ": walks, " + bar.name;
            f.bars.push_back(bar);
        }
    }
    return f;
}

} // namespace walkway::micro21
