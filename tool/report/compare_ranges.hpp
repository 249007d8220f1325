/* SPDX-License-Identifier: MIT */
/* report/compare_ranges.hpp - a comparison repeated under perturbations: median and range of its ratios. */
#ifndef WALKWAY_REPORT_COMPARE_RANGES_HPP
#define WALKWAY_REPORT_COMPARE_RANGES_HPP

#include "report/comparison.hpp"
#include "run/perturbation.hpp"

#include <iosfwd>
#include <vector>

namespace walkway
{

/* The same machines under one perturbation. */
struct perturbed_comparison {
    std::vector<nudge> nudges;
    std::vector<named_result> results; /* the baseline first */
};

/* Returns, per machine, true if the range of its speed-up includes 1: then the difference is noise and has no
 * causes. False for the first, and without perturbations. */
std::vector<bool> no_difference(const std::vector<perturbed_comparison> &all);

/* Prints the ranges. Each ratio is of a machine and the baseline under the same perturbation; a pair with a
 * failed run is ignored. */
void print_ranges(std::ostream &out, const std::vector<perturbed_comparison> &all);

/* Returns, per machine, its ratios by name: {"speedup": {"median", "low", "high", "runs"}, ...}. */
std::vector<json> ranges_of_ratios(const std::vector<perturbed_comparison> &all);

/* Adds "perturbations" to the comparison, and "ranges" to each of its configurations. */
void add_ranges(json &comparison, const std::vector<perturbed_comparison> &all);

} // namespace walkway

#endif
