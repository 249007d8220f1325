/* SPDX-License-Identifier: MIT */
/* workbench/knees.cpp - finds the steps along an axis that change the time. */
#include "workbench/knees.hpp"

#include "report/causes.hpp"
#include "report/spread.hpp"
#include "report/working_set.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"
#include "workbench/stored_result.hpp"

#include <algorithm>
#include <cmath>

namespace walkway
{

namespace
{

constexpr double same = 0.02; /* a smaller change of the time does not count */

/* The repeats of one point; `row` is the first one, usually the unperturbed one. */
struct place {
    const result_row *row;
    std::vector<double> cycles;
    std::vector<int64_t> repetition; /* of each of the cycles */
};

/* Returns the ratios of cycles of equal perturbations. */
std::vector<double> ratios_of(const place &before, const place &after)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < before.cycles.size(); ++i)
        for (size_t k = 0; k < after.cycles.size(); ++k)
            if (before.repetition[i] == after.repetition[k])
                ratios.push_back(before.cycles[i] / after.cycles[k]);
    return ratios;
}

double median_of(const place &p)
{
    return spread_of(p.cycles).median;
}

std::vector<std::string> values_on(const result_rows &all, const result_row &row, const std::string &axis,
                                   bool on)
{
    std::vector<std::string> values;
    for (size_t i = 0; i < row.at.size(); ++i)
        if ((all.axis_of[i] == axis) == on)
            values.push_back(row.at[i]);
    return values;
}

double gain(const best_line &line, size_t i)
{
    return line.cycles[i] / line.cycles[i + 1];
}

/* True if the step is small, or its range over perturbations includes 1. */
bool is_flat(const best_line &line, size_t i)
{
    const spread s = spread_of(line.gains[i]);
    return std::fabs(gain(line, i) - 1) < same || (s.runs > 1 && s.low <= 1 && s.high >= 1);
}

/* Returns a warning if the axis has a larger effect elsewhere than at the best point. */
std::string text_of_elsewhere(const best_line &line)
{
    const auto [low, high] = std::minmax_element(line.cycles.begin(), line.cycles.end());
    return line.elsewhere - 1 < same || line.elsewhere <= *high / *low
               ? ""
               : "; at other values of the other axes it makes up to " + text_of_real(line.elsewhere, 2) +
                     " times";
}

/* Returns the axis's largest ratio of longest to shortest time, at other values of the other axes. */
double most_elsewhere(const result_rows &all, const std::vector<place> &places, const std::string &axis,
                      const std::vector<std::string> &at_best)
{
    std::map<std::vector<std::string>, std::pair<double, double>> ends;
    for (const place &p : places) {
        const std::vector<std::string> others = values_on(all, *p.row, axis, false);
        const double cycles = median_of(p);
        auto &[low, high] = ends.insert({others, {cycles, cycles}}).first->second;
        low = std::min(low, cycles);
        high = std::max(high, cycles);
    }
    double most = 1;
    for (const auto &[others, range] : ends)
        if (others != at_best)
            most = std::max(most, range.second / range.first);
    return most;
}

/* Returns the points along the axis through the best point. */
best_line line_through(const result_rows &all, const std::vector<place> &places, const place &best,
                       const std::string &axis)
{
    best_line line;
    line.axis = axis;
    const std::vector<std::string> at_best = values_on(all, *best.row, axis, false);
    const place *before = nullptr;
    for (const place &p : places) {
        if (values_on(all, *p.row, axis, false) != at_best)
            continue;
        line.rows.push_back(p.row);
        line.cycles.push_back(median_of(p));
        line.values.push_back(joined(values_on(all, *p.row, axis, true), ","));
        if (before != nullptr)
            line.gains.push_back(ratios_of(*before, p));
        before = &p;
    }
    line.elsewhere = most_elsewhere(all, places, axis, at_best);
    return line;
}

std::string text_of_step(const best_line &line, size_t i)
{
    return line.values[i] + " to " + line.values[i + 1] + ": " + text_of_real(gain(line, i), 2) +
           " times as fast";
}

size_t largest_step(const best_line &line)
{
    size_t largest = 0;
    for (size_t i = 0; i + 1 < line.cycles.size(); ++i)
        if (std::fabs(std::log(gain(line, i))) > std::fabs(std::log(gain(line, largest))))
            largest = i;
    return largest;
}

} // namespace

std::vector<best_point> best_points(const result_rows &all, size_t cycles)
{
    std::map<std::vector<std::string>, std::vector<place>>
        groups; /* by study, workload, machine; in the order of points */
    for (const result_row &row : all.rows) {
        if (row.status != "done" || !std::isfinite(row.measured[cycles]) || row.measured[cycles] <= 0)
            continue;
        std::vector<place> &places = groups[{std::to_string(row.study), row.workload, row.machine}];
        const auto found = row.repetition == 0
                               ? places.end()
                               : std::find_if(places.begin(), places.end(),
                                              [&](const place &p) { return p.row->at == row.at; });
        if (found == places.end())
            places.push_back({&row, {row.measured[cycles]}, {row.repetition}});
        else {
            found->cycles.push_back(row.measured[cycles]);
            found->repetition.push_back(row.repetition);
        }
    }
    std::vector<best_point> points;
    for (const auto &[group, places] : groups) {
        const place &best =
            *std::min_element(places.begin(), places.end(),
                              [](const place &a, const place &b) { return median_of(a) < median_of(b); });
        best_point point{best.row->workload, best.row->machine, places.front().row, best.row, {}, false};
        const spread whole = spread_of(ratios_of(places.front(), best));
        point.same = whole.runs > 1 && whole.low <= 1 && whole.high >= 1;
        for (const std::string &axis : all.axis_names()) {
            const best_line line = line_through(all, places, best, axis);
            if (line.rows.size() > 1)
                point.lines.push_back(line);
        }
        points.push_back(point);
    }
    return points;
}

std::string text_of_knee(const best_line &line)
{
    const size_t steps = line.cycles.size() - 1;
    size_t flat_from = steps; /* the first of the flat steps at the end */
    while (flat_from > 0 && is_flat(line, flat_from - 1))
        --flat_from;
    if (flat_from == 0)
        return line.axis + ": at the best point makes no difference between " + line.values.front() +
               " and " + line.values.back() + " (less than 2 %, or than its range)" + text_of_elsewhere(line);
    const size_t best =
        static_cast<size_t>(std::min_element(line.cycles.begin(), line.cycles.end()) - line.cycles.begin());
    const std::string last = text_of_step(line, flat_from - 1);
    if (flat_from < steps)
        return line.axis + ": at the best point levels off at " + line.values[flat_from] + " (" + last +
               "; from there to " + line.values.back() + ": no difference)" + text_of_elsewhere(line);
    if (best == steps)
        return line.axis + ": still pays at " + line.values.back() + ", the last value (" + last + ")";
    return line.axis + ": best at " + line.values[best] + " (" + text_of_step(line, largest_step(line)) + ")";
}

std::string cause_of_knee(results_file &results, const best_line &line)
{
    const size_t step = largest_step(line);
    if (is_flat(line, step))
        return "";
    const json before = stored_result(results, line.rows[step]->run),
               after = stored_result(results, line.rows[step + 1]->run);
    const std::string fits = text_of_what_fits(before, after);
    std::vector<cause_factor> factors;
    try {
        factors = walk_factors(before, after);
    } catch (const failure &) { /* a needed statistic was not recorded */
        return fits;
    }
    /* The factors' product is the change of the time; the largest factor in its direction is the cause. */
    const bool faster = gain(line, step) > 1;
    const cause_factor *largest = nullptr;
    for (const cause_factor &f : factors)
        if (std::isfinite(f.times) && f.times > 0 && (f.times < 1) == faster &&
            (largest == nullptr || std::fabs(std::log(f.times)) > std::fabs(std::log(largest->times))))
            largest = &f;
    if (largest == nullptr || std::fabs(largest->times - 1) < same)
        return fits;
    return fits + (fits.empty() ? "" : "; ") + "from " + line.values[step] + " to " + line.values[step + 1] +
           ", " + largest->name + ": " + text_of_real(largest->before, 3) + " -> " +
           text_of_real(largest->after, 3) + " (" + text_of_real(largest->times, 2) +
           " of the time by this alone, " + text_of_real(1 / gain(line, step), 2) + " by all)" +
           (largest->note.empty() ? "" : "; " + largest->note);
}

} // namespace walkway
