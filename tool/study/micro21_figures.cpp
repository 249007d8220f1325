/* SPDX-License-Identifier: MIT */
/* study/micro21_figures.cpp - MICRO'21's Figures 2 to 5 and Table 2 from results: the machine without its
 * mechanism. Beside them stands what the paper's text states; its sizes of programs are not published, so
 * what hangs on them is soft. */
#include "study/micro21_figures.hpp"

#include "study/ten_programs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway::micro21
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : none;
}

static double walks(const json &stats)
{
    return stat_of(stats, "walk_unit.walk_requests");
}

/* Of threads, as the paper counts: a lane that does not take part counts, too. */
static double thread_instructions(const json &stats)
{
    return stat_of(stats, "gpu.instructions") * 64;
}

/* The paper counts lanes. A lookup that fails is counted as one lane, so this is a bound from above. */
static double l1_hits_of_lanes(const json &stats)
{
    const double failed = stat_of(stats, "l1_tlb.misses") + stat_of(stats, "l1_tlb.merged");
    return 100 * (1 - ratio(failed, stat_of(stats, "coalescer.lanes")));
}

static double hits_of_pages(const json &stats, const char *hits, const char *lookups)
{
    return 100 * ratio(stat_of(stats, hits), stat_of(stats, lookups));
}

static double least(const std::vector<double> &values)
{
    double found = std::numeric_limits<double>::infinity();
    for (const double v : values)
        found = v < found || std::isnan(v) ? v : found;
    return found;
}

static double most(const std::vector<double> &values)
{
    double found = -std::numeric_limits<double>::infinity();
    for (const double v : values)
        found = v > found || std::isnan(v) ? v : found;
    return found;
}

figure table_2(const study_results &results, programs_ref programs)
{
    static const std::map<std::string, std::vector<const char *>> paper = {
        {"ATX", {"63.1", "83.7", "37.68"}},  {"GEV", {"27.8", "75.1", "90.737"}},
        {"MVT", {"29.1", "83.2", "38.76"}},  {"BIC", {"59.1", "83.5", "38.05"}},
        {"GUPS", {"25.1", "46.8", "36.65"}}, {"NW", {"34.6", "94.7", "4.92"}},
        {"BFS", {"54.8", "85.4", "17.23"}},  {"SRAD", {"20.9", "99.9", "0.04"}},
        {"SSSP", {"78.8", "99.8", "0.17"}},  {"PRK", {"81.3", "99.9", "0.16"}}};
    const figure_bar l1 = bar_of(results, programs, "L1 TLB hits, lanes, at most", "base", l1_hits_of_lanes);
    const figure_bar l2 = bar_of(results, programs, "L2 TLB hits", "base", [](const json &s) {
        return hits_of_pages(s, "l2_tlb.hits", "l2_tlb.lookups");
    });
    const figure_bar pki = bar_of(results, programs, "walks per 1000", "base", [](const json &s) {
        return 1000 * ratio(walks(s), thread_instructions(s));
    });
    figure f = {"table-2",
                "hits of TLBs in %, walks per thousand instructions of threads, without the mechanism",
                2,
                {l1, l2, pki},
                {bar_of(results, programs, "L1 TLB hits, pages", "base",
                        [](const json &s) { return hits_of_pages(s, "l1_tlb.hits", "l1_tlb.lookups"); }),
                 bar_of(results, programs, "walks per 1000 of waves", "base",
                        [](const json &s) { return 64000 * ratio(walks(s), thread_instructions(s)); })},
                {}};
    f.beside_title = "the same with a wave's accesses to one page as one, and of instructions of waves";
    for (const study_program &p : programs) {
        const std::vector<const char *> &row = paper.at(p.code);
        const std::vector<std::pair<const char *, const figure_bar *>> values = {
            {", L1 TLB", &l1}, {", L2 TLB", &l2}, {", walks", &pki}};
        for (size_t i = 0; i < values.size(); ++i)
            f.claims.push_back({p.code + values[i].first, stated::about(row[i], std::stod(row[i])).softly(),
                                of(*values[i].second, programs, p.code)});
    }
    f.claims.push_back(
        {"walks, least of H", stated::over("20 or more", 20), least(values_of(pki, programs, {"H"}))});
    f.claims.push_back(
        {"walks, least of M", stated::over("more than 1", 1), least(values_of(pki, programs, {"M"}))});
    f.claims.push_back(
        {"walks, most of L", stated::under("less than 1", 1), most(values_of(pki, programs, {"L"}))});
    return f;
}

figure figure_2(const study_results &results, programs_ref programs)
{
    figure f = {"2", "page walks with larger L2 TLBs, 512 entries = 1", 2, {}, {}, {}};
    for (const tlb_size &size : tlb_sizes())
        f.bars.push_back(
            ratio_bar(results, programs, size.name, "base", size.key,
                      [](const json &base, const json &s) { return ratio(walks(s), walks(base)); }));
    for (figure_bar &bar : f.bars)
        bar.ratio = false; /* may be nought */
    const figure_bar &largest = f.bars[tlb_sizes().size() - 2];
    f.claims = {{"2 M, mean of ten", stated::about("0.15 (-85 %)", 0.15).softly(), mean_of(largest)},
                {"2 M, mean of H, M", stated::about("0.15 (-85 %)", 0.15).softly(),
                 arithmetic_mean(values_of(largest, programs, those_seven()))},
                {"2 M, least of L", stated::over("no benefit", 0.9).softly(),
                 least(values_of(largest, programs, {"L"}))}};
    return f;
}

figure figure_3(const study_results &results, programs_ref programs)
{
    figure f = {"3", "speed-up of larger L2 TLBs over 512 entries", 3, {}, {}, {}};
    f.gains = true;
    for (const tlb_size &size : tlb_sizes()) {
        f.bars.push_back(speedup_bar(results, programs, size.name, "base", size.key));
        const auto &stated_gain = size.key == "l2-8k" ? "14.7" : size.key == "l2-2m" ? "50.1" : "";
        if (*stated_gain != 0)
            f.claims.push_back({size.name + ", gain in %, geometric",
                                stated::about(stated_gain, std::stod(stated_gain)).softly(),
                                gain_mean(f.bars.back().values)});
    }
    return f;
}

/* Idle cycles between two uses of a port, over the whole run, `ports` of them. */
static figure_bar idle_bar(const study_results &results, programs_ref programs, const char *group,
                           const std::function<double(const json &)> &ports,
                           const std::function<double(const json &)> &uses)
{
    return bar_of(results, programs, std::string(group) + ": idle cycles a use", "base", [&](const json &s) {
        return ratio(stat_of(s, "gpu.cycles") * ports(s) - uses(s), uses(s));
    });
}

static double configured(const json &stats, const char *key)
{
    return stats.at("configuration").value(key, none);
}

static double lds_asked(const json &stats, const char *field)
{
    const stat_view view(stats.at("statistics"));
    return view.has("gpu.group_lds_bytes") ? view.of_histogram("gpu.group_lds_bytes", field) : none;
}

figure figure_4(const study_results &results, programs_ref programs)
{
    figure f = {"4",
                "idle cycles between uses of a compute unit's local memory, mean of the run",
                0,
                {idle_bar(
                    results, programs, "LDS", [](const json &s) { return configured(s, "gpu.cus"); },
                    [](const json &s) { return stat_of(s, "lds.bank_cycles"); })},
                {},
                {}};
    f.beside = {
        bar_of(results, programs, "bytes, mean", "base", [](const json &s) { return lds_asked(s, "mean"); }),
        bar_of(results, programs, "bytes, most", "base", [](const json &s) { return lds_asked(s, "max"); })};
    f.beside_title = "local memory that a work-group asks for (4a, there of 54 programs on a GPU)";
    const std::vector<double> &idle = f.bars.front().values;
    const auto used = std::count_if(idle.begin(), idle.end(), [](double v) { return !std::isnan(v); });
    f.claims = {{"programs that use it", stated::about("4 applications", 4, 0).softly(),
                 results.empty() ? none : static_cast<double>(used)}};
    return f;
}

figure figure_5(const study_results &results, programs_ref programs)
{
    const auto caches = [](const json &s) {
        return ratio(configured(s, "gpu.cus"), configured(s, "icache.shared_by"));
    };
    figure f = {"5",
                "idle cycles between fetches at an instruction cache, mean of the run",
                1,
                {idle_bar(results, programs, "I-cache", caches,
                          [](const json &s) { return stat_of(s, "icache.fetches"); })},
                {bar_of(results, programs, "utilisation, whole run", "base",
                        [&](const json &s) {
                            const double lines = configured(s, "icache.entries") * caches(s);
                            return 100 * std::min(1.0, ratio(stat_of(s, "icache.misses"), lines));
                        })},
                {}};
    f.beside_title = "Equation 1 in %, of all kernels' misses together: no kernel's is more";
    std::vector<double> idle = f.bars.front().values;
    std::sort(idle.begin(), idle.end());
    f.claims = {{"median of the programs", stated::between("around 10 to 20", 10, 20).softly(),
                 idle.empty() ? none : (idle[(idle.size() - 1) / 2] + idle[idle.size() / 2]) / 2}};
    return f;
}

} // namespace walkway::micro21
