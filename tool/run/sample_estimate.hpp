/* SPDX-License-Identifier: MIT */
/* run/sample_estimate.hpp - what windows say of a whole: estimate and half width. docs/use/sampling.md. */
#ifndef WALKWAY_RUN_SAMPLE_ESTIMATE_HPP
#define WALKWAY_RUN_SAMPLE_ESTIMATE_HPP

#include "sample/sample_plan.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Of something that is counted: the whole's, and half the width of the interval that holds 95 of 100. */
struct estimate {
    double value = 0, half_width = 0;
    double relative() const { return value == 0 ? 0 : half_width / value; }
};

/* The state at a window's beginning is one that a machine could have, not the one that it has: no interval is
 * narrower than this share. */
constexpr double least_half_width = 0.02;

/* What a window stands for: its values times this add up to the whole's. */
std::vector<double> window_weights(const sample_plan &plan);
/* From what each window counted; neighbours within a stratum say how much windows differ. */
estimate estimate_of(const sample_plan &plan, const std::vector<double> &counted);
/* Of two things counted in the same windows: the first by the second. */
estimate ratio_of(const sample_plan &plan, const std::vector<double> &above,
                  const std::vector<double> &below);
/* Do windows of the two orders of waves say the same? Empty, or what they say. */
std::string orders_differ(const sample_plan &plan, const std::vector<double> &counted);

} // namespace walkway

#endif
