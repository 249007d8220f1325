/* SPDX-License-Identifier: MIT */
/* study/bars.cpp - bars of figures from results. */
#include "study/bars.hpp"

#include "report/comparison.hpp"
#include "run/headline.hpp"

#include <algorithm>
#include <limits>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

static const json *find(const study_results &results, const std::string &program, const std::string &key)
{
    const auto by_program = results.find(program);
    if (by_program == results.end())
        return nullptr;
    const auto by_key = by_program->second.find(key);
    return by_key == by_program->second.end() ? nullptr : &by_key->second;
}

figure_bar ratio_bar(const study_results &results, programs_ref programs, const std::string &name,
                     const std::string &base_key, const std::string &key,
                     const std::function<double(const json &base, const json &other)> &value)
{
    figure_bar bar{name, {}, true};
    for (const study_program &p : programs) {
        const json *base = find(results, p.code, base_key);
        const json *other = find(results, p.code, key);
        bar.values.push_back(base == nullptr || other == nullptr ? none : value(*base, *other));
    }
    return bar;
}

figure_bar bar_of(const study_results &results, programs_ref programs, const std::string &name,
                  const std::string &key, const std::function<double(const json &)> &value)
{
    figure_bar bar = ratio_bar(results, programs, name, key, key,
                               [&](const json &, const json &stats) { return value(stats); });
    bar.ratio = false;
    return bar;
}

figure_bar speedup_bar(const study_results &results, programs_ref programs, const std::string &name,
                       const std::string &base_key, const std::string &key)
{
    figure_bar bar = ratio_bar(results, programs, name, base_key, key, speedup_of);
    bar.speedup = true;
    return bar;
}

std::vector<double> values_of(const figure_bar &bar, programs_ref programs,
                              const std::vector<std::string> &groups)
{
    std::vector<double> values;
    for (size_t i = 0; i < programs.size(); ++i)
        if (std::find(groups.begin(), groups.end(), programs[i].group) != groups.end())
            values.push_back(bar.values[i]);
    return values;
}

double of(const figure_bar &bar, programs_ref programs, const std::string &code)
{
    for (size_t i = 0; i < programs.size(); ++i)
        if (programs[i].code == code)
            return bar.values[i];
    return none;
}

double mean_of(const figure_bar &bar)
{
    return arithmetic_mean(bar.values);
}

double share(const json &stats, const char *part, const char *whole)
{
    const stat_view view(stats.at("statistics"));
    const std::string group = std::string(part).substr(0, std::string(part).find('.'));
    if (!view.has_group(group))
        return none;
    const double divisor = view.value(whole);
    return divisor > 0 ? view.value(part) / divisor : none;
}

double stat_of(const json &stats, const char *path)
{
    const stat_view view(stats.at("statistics"));
    return view.has(path) ? view.value(path) : none;
}

double count_below(const json &stats, const char *histogram, uint64_t edge)
{
    const auto found = stats.at("statistics").find(histogram);
    if (found == stats.at("statistics").end())
        return none;
    double n = 0;
    for (const json &bucket : found->at("buckets"))
        n += bucket.at(0).get<uint64_t>() < edge ? bucket.at(1).get<double>() : 0;
    return n;
}

double walk_cache_hits(const json &stats)
{
    return share(stats, "walk_unit.pwc_hits_l2", "walk_unit.pwc_lookups");
}

double l2_tlb_hits(const json &stats)
{
    return share(stats, "l2_tlb.hits", "l2_tlb.lookups");
}

double l2d_hits(const json &stats)
{
    return headline_value(stats, "l2d_hit_rate", none);
}

} // namespace walkway
