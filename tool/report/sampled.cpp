/* SPDX-License-Identifier: MIT */
/* report/sampled.cpp - see sampled.hpp. */
#include "report/sampled.hpp"

#include "run/headline.hpp"
#include "run/sample.hpp"
#include "support/numbers.hpp"

#include <cmath>

namespace walkway
{

bool is_sampled(const json &stats)
{
    return stats.contains("sampled") && !stats.at("sampled").contains("whole");
}

namespace
{

/* A result's windows, from its member "sampled". */
struct sampled_windows {
    sample_plan plan;
    std::vector<double> cycles;
    bool same_as(const sampled_windows &o) const
    {
        const auto same = [](const sample_window &a, const sample_window &b) {
            return a.stratum == b.stratum && a.order == b.order && a.open == b.open;
        };
        return plan.length == o.plan.length && plan.windows.size() == o.plan.windows.size() &&
               std::equal(plan.windows.begin(), plan.windows.end(), o.plan.windows.begin(), same);
    }
};

sampled_windows windows_of(const json &stats)
{
    const json &s = stats.at("sampled");
    sampled_windows all;
    all.plan.length = s.at("length").get<double>();
    for (const json &stratum : s.at("strata"))
        all.plan.strata.push_back(
            {stratum.at("kernel").get<std::string>(), stratum.at("length").get<double>()});
    for (const json &w : s.at("of_windows")) {
        const auto open = w.at(2).get<double>();
        all.plan.windows.push_back({w.at(0).get<uint32_t>(), w.at(1).get<uint32_t>(), open, open, open});
        all.cycles.push_back(w.at(3).get<double>());
    }
    return all;
}

/* Returns the half width of the run's cycles as a share of them; 0 if they are exact. */
double relative_half_width(const json &stats)
{
    if (!is_sampled(stats))
        return 0;
    const json &cycles = stats.at("sampled").at("cycles");
    return cycles.at("half_width").get<double>() / cycles.at("value").get<double>();
}

} // namespace

estimate sampled_speedup(const json &base, const json &other, bool *paired)
{
    const double speedup = speedup_of(base, other);
    bool pairs = is_sampled(base) && is_sampled(other);
    estimate e = {speedup, speedup * std::hypot(relative_half_width(base), relative_half_width(other))};
    if (pairs) {
        const sampled_windows a = windows_of(base), b = windows_of(other);
        pairs = a.same_as(b);
        if (pairs) {
            const estimate ratio = ratio_of(a.plan, a.cycles, b.cycles);
            e = {speedup, speedup * ratio.relative()};
        }
    }
    if (paired != nullptr)
        *paired = pairs;
    return e;
}

std::string text_of_samples(const std::vector<named_result> &results)
{
    std::string text;
    const json &base = results.front().stats;
    for (size_t i = 0; i < results.size(); ++i) {
        const json &stats = results[i].stats;
        if (stats.is_null())
            continue;
        const std::string head = "[" + std::to_string(i + 1) + "] ";
        std::string line = text_of_sample(stats);
        if (i != 0 && (is_sampled(base) || is_sampled(stats))) {
            bool paired = false;
            const estimate e = sampled_speedup(base, stats, &paired);
            line += "Speed-up " + text_of_real(e.value, 3) + " +- " + text_of_real(e.half_width, 3) +
                    (paired ? ", of pairs of windows\n" : "; the two have no windows in common\n");
        }
        for (size_t at = 0; at < line.size();) {
            const size_t end = line.find('\n', at);
            text += head + line.substr(at, end + 1 - at);
            at = end + 1;
        }
    }
    return text;
}

json sampled_speedup_json(const json &base, const json &other)
{
    if (!is_sampled(base) && !is_sampled(other))
        return nullptr;
    bool paired = false;
    const estimate e = sampled_speedup(base, other, &paired);
    return {{"half_width", e.half_width}, {"paired", paired}};
}

} // namespace walkway
