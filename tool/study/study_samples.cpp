/* SPDX-License-Identifier: MIT */
/* study/study_samples.cpp - spreads over a figure's samples, and the report as JSON. */
#include "study/study_samples.hpp"

#include "run/simulate.hpp"

#include <cmath>

namespace walkway
{

spread spread_over(const figure_samples &samples, const std::function<double(const figure &)> &value)
{
    std::vector<double> values;
    for (const figure &f : samples)
        values.push_back(value(f));
    return spread_of(values);
}

bar_spreads spreads_of(const figure_samples &samples, std::vector<figure_bar> figure::*part, size_t index)
{
    const auto bar = [=](const figure &f) -> const figure_bar & { return (f.*part)[index]; };
    bar_spreads all;
    for (size_t p = 0; p < samples.front().programs.size(); ++p)
        all.programs.push_back(spread_over(samples, [&](const figure &f) { return bar(f).values[p]; }));
    all.mean = spread_over(samples, [&](const figure &f) { return arithmetic_mean(bar(f).values); });
    all.geometric_mean = spread_over(samples, [&](const figure &f) { return geometric_mean(bar(f).values); });
    all.gain_mean = spread_over(samples, [&](const figure &f) { return gain_mean(bar(f).values); });
    return all;
}

bool in_band(const figure_guard &guard, const spread &ours)
{
    return ours.median >= guard.low && ours.median <= guard.high;
}

/* A number of a single run, a spread of several. */
static json value_json(const spread &s, size_t samples)
{
    return samples < 2 ? number_or_null(s.median) : spread_json(s);
}

static json bars_json(const figure_samples &samples, std::vector<figure_bar> figure::*part)
{
    const figure &f = samples.front();
    json bars = json::array();
    for (size_t b = 0; b < (f.*part).size(); ++b) {
        const bar_spreads all = spreads_of(samples, part, b);
        json values = json::object();
        for (size_t p = 0; p < f.programs.size(); ++p)
            values[f.programs[p]] = value_json(all.programs[p], samples.size());
        json bar = {{"name", (f.*part)[b].name},
                    {"values", values},
                    {"arithmetic_mean", value_json(all.mean, samples.size())}};
        if ((f.*part)[b].ratio)
            bar["geometric_mean"] = value_json(all.geometric_mean, samples.size());
        if (f.gains && (f.*part)[b].speedup)
            bar["gain_mean_percent"] = value_json(all.gain_mean, samples.size());
        bars.push_back(bar);
    }
    return bars;
}

static json claims_json(const figure_samples &samples, bool judged)
{
    json claims = json::array();
    for (size_t i = 0; i < samples.front().claims.size(); ++i) {
        const figure_claim &c = samples.front().claims[i];
        const spread ours = spread_over(samples, [i](const figure &g) { return g.claims[i].ours; });
        json entry = {{"text", c.text}, {"paper", c.paper.text}, {"ours", value_json(ours, samples.size())}};
        if (judged) {
            entry["rule"] = c.paper.rule();
            entry["verdict"] = verdict_of(c.paper, ours);
        }
        claims.push_back(entry);
    }
    return claims;
}

static json guards_json(const figure_samples &samples)
{
    json guards = json::array();
    for (size_t i = 0; i < samples.front().guards.size(); ++i) {
        const figure_guard &g = samples.front().guards[i];
        const spread ours = spread_over(samples, [i](const figure &s) { return s.guards[i].ours; });
        guards.push_back({{"text", g.text},
                          {"ours", value_json(ours, samples.size())},
                          {"low", number_or_null(g.low)},
                          {"high", number_or_null(g.high)},
                          {"in_band", in_band(g, ours)}});
    }
    return guards;
}

json report_json(const study &s, const report_head &head, const std::vector<figure_samples> &figures)
{
    const bool judged = is_judged(s, head);
    json programs = json::array();
    for (const study_program &p : s.programs)
        programs.push_back({{"code", p.code}, {"command", text_of_arguments(p, head.scale)}});
    json list = json::array();
    for (const figure_samples &samples : figures) {
        json entry = {{"id", samples.front().id},
                      {"title", samples.front().title},
                      {"bars", bars_json(samples, &figure::bars)},
                      {"beside", bars_json(samples, &figure::beside)},
                      {"claims", claims_json(samples, judged)}};
        if (judged)
            entry["guard_bands"] = guards_json(samples);
        list.push_back(entry);
    }
    return {{"schema_version", 2},
            {"program", program_json()},
            {"study", s.name},
            {"platform", platform_of(s, head)},
            {"scale", head.scale},
            {"changes", head.changes},
            {"perturbations", head.perturbations},
            {"programs", programs},
            {"programs_left_out", head.programs_left_out},
            {"windows", head.windows},
            {"missing", head.missing},
            {"figures", list}};
}

} // namespace walkway
