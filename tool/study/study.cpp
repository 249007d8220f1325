/* SPDX-License-Identifier: MIT */
/* study/study.cpp - figures from results, and verdicts on what a paper states. */
#include "study/study.hpp"

#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

static constexpr double unbounded = std::numeric_limits<double>::infinity();

#define X(name) const study &name##_study();
#include "studies.inc"
#undef X

bool names_machines(const study &s)
{
    return std::any_of(s.configurations.begin(), s.configurations.end(),
                       [](const study_configuration &c) { return !c.platform.empty(); });
}

const std::vector<const study *> &studies()
{
    static const std::vector<const study *> all = {
#define X(name) &name##_study(),
#include "studies.inc"
#undef X
    };
    return all;
}

const study &find_study(const std::string &name)
{
    std::vector<std::string> names;
    std::string list;
    for (const study *s : studies()) {
        if (s->name == name)
            return *s;
        names.push_back(s->name);
        list += (list.empty() ? "" : ", ") + s->name;
    }
    throw failure(exit_usage, "reproduce " + name + ": there are " + list + did_you_mean(name, names));
}

bool figure_def::shows(const study_program &p) const
{
    return std::find(groups.begin(), groups.end(), p.group) != groups.end();
}

bool figure_def::needs(const study_program &p) const
{
    return shows(p) || std::find(also.begin(), also.end(), p.group) != also.end();
}

double arithmetic_mean(const std::vector<double> &values)
{
    double sum = 0;
    for (const double v : values)
        sum += v;
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : sum / static_cast<double>(values.size());
}

double geometric_mean(const std::vector<double> &values)
{
    double sum = 0;
    for (const double v : values)
        sum += std::log(v);
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : std::exp(sum / static_cast<double>(values.size()));
}

double gain_mean(const std::vector<double> &speedups)
{
    std::vector<double> gains;
    for (const double v : speedups)
        gains.push_back(std::isnan(v) ? v : std::max(100 * (v - 1), 0.1));
    return geometric_mean(gains);
}

stated stated::about(const std::string &text, double value, double tolerance)
{
    return {text, value, value, tolerance};
}

stated stated::between(const std::string &text, double low, double high, double tolerance)
{
    return {text, low, high, tolerance};
}

stated stated::over(const std::string &text, double value)
{
    return {text, value, unbounded, 0};
}

stated stated::under(const std::string &text, double value)
{
    return {text, -unbounded, value, 0};
}

stated stated::softly() const
{
    stated s = *this;
    s.soft = true;
    return s;
}

std::string stated::rule() const
{
    if (std::isinf(high))
        return "over " + text_of_real(low, 2);
    if (std::isinf(low))
        return "under " + text_of_real(high, 2);
    if (tolerance > 0)
        return "within " + text_of_real(100 * tolerance, 0) + " %";
    return text_of_real(low, 2) + " to " + text_of_real(high, 2);
}

std::string verdict_of(const stated &paper, const spread &ours)
{
    if (ours.runs == 0)
        return "";
    const auto margin = [&](double bound) {
        return std::isinf(bound) ? 0 : paper.tolerance * std::fabs(bound);
    };
    const bool near =
        ours.median >= paper.low - margin(paper.low) && ours.median <= paper.high + margin(paper.high);
    /* a range that only touches "over 1" does not say so */
    const bool inside = paper.tolerance > 0 && ours.low <= paper.high && ours.high >= paper.low;
    return near || inside ? "matched" : paper.soft ? "soft" : "missed";
}

figure make_figure(const study &s, const figure_def &f, const study_results &results)
{
    std::vector<study_program> programs;
    for (const study_program &p : s.programs)
        if (f.shows(p))
            programs.push_back(p);
    figure made = f.make(results, programs);
    for (const study_program &p : programs)
        made.programs.push_back(p.code);
    return made;
}

} // namespace walkway
