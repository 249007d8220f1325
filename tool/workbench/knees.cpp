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

/* Returns the ratios of cycles of equal perturbations. */
std::vector<double> ratios_of(const measured_point &before, const measured_point &after)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < before.cycles.size(); ++i)
        for (size_t k = 0; k < after.cycles.size(); ++k)
            if (before.repetition[i] == after.repetition[k])
                ratios.push_back(before.cycles[i] / after.cycles[k]);
    return ratios;
}

double median_of(const measured_point &p)
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

/* True if two values' times differ little, or the range of their ratio over perturbations includes 1. */
bool is_same(const best_line &line, size_t i, size_t k)
{
    const spread s = spread_of(ratios_of(line.points[i], line.points[k]));
    return std::fabs(line.cycles[i] / line.cycles[k] - 1) < same || (s.runs > 1 && s.low <= 1 && s.high >= 1);
}

/* Returns the first value from which on none differs from another: many small steps may be a large one. */
size_t flat_from(const best_line &line)
{
    size_t from = line.cycles.size() - 1;
    for (size_t slowest = from, fastest = from; from > 0; --from) {
        slowest = line.cycles[from - 1] > line.cycles[slowest] ? from - 1 : slowest;
        fastest = line.cycles[from - 1] < line.cycles[fastest] ? from - 1 : fastest;
        if (!is_same(line, slowest, fastest))
            break;
    }
    return from;
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
double most_elsewhere(const result_rows &all, const std::vector<measured_point> &places,
                      const std::string &axis, const std::vector<std::string> &at_best)
{
    std::map<std::vector<std::string>, std::pair<double, double>> ends;
    for (const measured_point &p : places) {
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
best_line line_through(const result_rows &all, const std::vector<measured_point> &places,
                       const measured_point &best, const std::string &axis)
{
    best_line line;
    line.axis = axis;
    const std::vector<std::string> at_best = values_on(all, *best.row, axis, false);
    for (const measured_point &p : places) {
        if (values_on(all, *p.row, axis, false) != at_best)
            continue;
        line.points.push_back(p);
        line.cycles.push_back(median_of(p));
        line.values.push_back(joined(values_on(all, *p.row, axis, true), ","));
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

/* The points of a study's workload on a machine, in the order of the study. */
class group_of_points
{
public:
    /* Rows come by repetition, and within it in the order of points; some repetitions may lack a point, so
     * that a new one belongs behind the one before it in this repetition. */
    void add(const result_row &row, size_t cycles)
    {
        if (row.repetition != repetition_)
            next_ = row.repetition == 0 ? points_.size() : 0;
        repetition_ = row.repetition;
        auto at = row.repetition == 0 ? points_.end()
                                      : std::find_if(points_.begin(), points_.end(),
                                                     [&](const auto &p) { return p.row->at == row.at; });
        if (at == points_.end())
            at = points_.insert(points_.begin() + static_cast<std::ptrdiff_t>(next_), {&row, {}, {}});
        next_ = static_cast<size_t>(at - points_.begin()) + 1;
        if (row.status != "done" || !std::isfinite(row.measured[cycles]) || row.measured[cycles] <= 0)
            return;
        if (at->cycles.empty())
            at->row = &row;
        at->cycles.push_back(row.measured[cycles]);
        at->repetition.push_back(row.repetition);
    }

    std::vector<measured_point> measured() const
    {
        std::vector<measured_point> all;
        for (const measured_point &p : points_)
            if (!p.cycles.empty())
                all.push_back(p);
        return all;
    }

private:
    std::vector<measured_point> points_;
    int64_t repetition_ = 0;
    size_t next_ = 0;
};

} // namespace

std::vector<best_point> best_points(const result_rows &all, size_t cycles)
{
    std::map<std::vector<std::string>, group_of_points> groups; /* by study, workload, machine */
    for (const result_row &row : all.rows)
        if (row.run != 0)
            groups[{std::to_string(row.study), row.workload, row.machine}].add(row, cycles);
    std::vector<best_point> points;
    for (const auto &[names, group] : groups) {
        const std::vector<measured_point> places = group.measured();
        if (places.empty())
            continue;
        const measured_point &best =
            *std::min_element(places.begin(), places.end(),
                              [](const auto &a, const auto &b) { return median_of(a) < median_of(b); });
        best_point point{best.row->workload, best.row->machine, places.front().row, best.row, {}, false};
        const spread whole = spread_of(ratios_of(places.front(), best));
        point.same = whole.runs > 1 && whole.low <= 1 && whole.high >= 1;
        for (const std::string &axis : all.axis_names()) {
            const best_line line = line_through(all, places, best, axis);
            if (line.points.size() > 1)
                point.lines.push_back(line);
        }
        points.push_back(point);
    }
    return points;
}

std::string text_of_knee(const best_line &line)
{
    const size_t steps = line.cycles.size() - 1;
    const size_t flat = flat_from(line);
    if (flat == 0)
        return line.axis + ": at the best point makes no difference between " + line.values.front() +
               " and " + line.values.back() + " (less than 2 %, or than its range)" + text_of_elsewhere(line);
    const size_t best =
        static_cast<size_t>(std::min_element(line.cycles.begin(), line.cycles.end()) - line.cycles.begin());
    const std::string last = text_of_step(line, flat - 1);
    if (flat < steps)
        return line.axis + ": at the best point levels off at " + line.values[flat] + " (" + last +
               "; from there to " + line.values.back() + ": no difference)" + text_of_elsewhere(line);
    if (best == steps)
        return line.axis + ": still pays at " + line.values.back() + ", the last value (" + last + ")";
    return line.axis + ": best at " + line.values[best] + " (" + text_of_step(line, largest_step(line)) + ")";
}

std::string cause_of_knee(results_file &results, const best_line &line)
{
    const size_t step = largest_step(line);
    if (is_same(line, step, step + 1))
        return "";
    const json before = stored_result(results, line.points[step].row->run),
               after = stored_result(results, line.points[step + 1].row->run);
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
        if (usable(f.times) && (f.times < 1) == faster &&
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
