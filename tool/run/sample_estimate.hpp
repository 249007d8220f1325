/* SPDX-License-Identifier: MIT */
/* run/sample_estimate.hpp - estimates of a whole from its windows, with half widths. docs/use/sampling.md. */
#ifndef WALKWAY_RUN_SAMPLE_ESTIMATE_HPP
#define WALKWAY_RUN_SAMPLE_ESTIMATE_HPP

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
/* Returns the ratio of two counts of the same windows. */
estimate ratio_of(const sample_plan &plan, const std::vector<double> &above,
                  const std::vector<double> &below);
/* Returns how windows of the two orders of waves differ; empty if they agree. */
std::string orders_differ(const sample_plan &plan, const std::vector<double> &counted);

} // namespace walkway

#endif
