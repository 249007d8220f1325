/* SPDX-License-Identifier: MIT */
/* workbench/knees.hpp - the value of each axis up to which it pays, and which rate of the machine stops
 * changing there. The other axes stay as at the workload's best point. */
#ifndef WALKWAY_WORKBENCH_KNEES_HPP
#define WALKWAY_WORKBENCH_KNEES_HPP

#include "workbench/results_rows.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* The repeats of one point. */
struct measured_point {
    const result_row *row; /* the first that is done, usually the unperturbed one */
    std::vector<double> cycles;
    std::vector<int64_t> repetition; /* of each of the cycles */
};

/* A study's workload on a platform: its first point, its best, and the lines along each axis through the
 * best. */
struct best_line {
    std::string axis;                   /* "walk_unit.walkers", or parameters that move together */
    std::vector<measured_point> points; /* in the order of the study */
    std::vector<double> cycles;         /* of each, the median over repeats */
    std::vector<std::string> values;    /* "8"; of parameters that move together "8,32" */
    /* The largest effect of the axis at other values of the other axes: longest time over shortest. */
    double elsewhere = 1;
};
struct best_point {
    std::string workload, machine;
    const result_row *first, *best;
    std::vector<best_line> lines;
    bool same; /* the first and the best are equal: the range of their ratio over perturbations includes 1 */
};

/* Required: metric number `cycles` of `all` is "cycles". */
std::vector<best_point> best_points(const result_rows &all, size_t cycles);

/* Returns "walk_unit.walkers: at the best point levels off at 8 (4 to 8: 1.90 times as fast; from there to
 * 64: no difference)", "...: still pays at 64, the last value (...)", or that it makes no difference, or has
 * its best value before the last. Required: the line has at least two values. */
std::string text_of_knee(const best_line &line);

/* Returns the step of the line that changes most, and its largest cause by walkway compare's factors; empty
 * if that is no difference, or the study did not record the needed statistics. */
std::string cause_of_knee(results_file &results, const best_line &line);

} // namespace walkway

#endif
