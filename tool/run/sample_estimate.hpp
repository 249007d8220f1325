/* SPDX-License-Identifier: MIT */
/* run/sample_estimate.hpp - estimates of a whole from its windows, with half widths. docs/use/sampling.md. */
#ifndef WALKWAY_RUN_SAMPLE_ESTIMATE_HPP
#define WALKWAY_RUN_SAMPLE_ESTIMATE_HPP

#include "run/statistics.hpp"
#include "sample/sample_plan.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* An estimate of a count of the whole, and half the width of its 95 % interval. */
struct estimate {
    double value = 0, half_width = 0;
    double relative() const { return value == 0 ? 0 : half_width / value; }
};

/* No interval is narrower than this share, as the state at a window's beginning is one that a machine could
 * have, not the one that it has. */
constexpr double least_half_width = 0.02;

/* Returns the weights of windows: their values times these add up to the whole's. */
std::vector<double> window_weights(const sample_plan &plan);
/* Returns an estimate from each window's count; neighbours within a stratum show how much windows differ. */
estimate estimate_of(const sample_plan &plan, const std::vector<double> &counted);

/* The error of a run's estimate by windows. The root of the sum of the squares is half the width of its 95 %
 * interval, as a share of the estimate, if that is at least `least`. */
struct sample_error {
    std::string windows; /* equal for equal windows; empty: the run is exact */
    double least = 0;
    std::vector<double> of_windows;
};

sample_error error_of(const sample_plan &plan, const std::vector<double> &counted);
json json_of(const sample_error &error); /* windows, least, of_windows */
/* Returns the half width of the ratio of two runs' counts, as a share of it. What runs of the same windows
 * have in common is no difference between them. */
double half_width_of_ratio(const sample_error &a, const sample_error &b);
/* True if the runs have the same windows. */
bool are_pairs(const sample_error &a, const sample_error &b);
/* Returns how windows of the two orders of waves differ; empty if they agree. */
std::string orders_differ(const sample_plan &plan, const std::vector<double> &counted);

} // namespace walkway

#endif
