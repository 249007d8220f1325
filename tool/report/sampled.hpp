/* SPDX-License-Identifier: MIT */
/* report/sampled.hpp - results that are estimates beside each other: windows of one program on two machines
 * are pairs, and what they have in common is no difference. docs/use/sampling.md. */
#ifndef WALKWAY_REPORT_SAMPLED_HPP
#define WALKWAY_REPORT_SAMPLED_HPP

#include "report/comparison.hpp"
#include "run/sample_estimate.hpp"

namespace walkway
{

/* Was it estimated from windows? Else it is of a whole run. */
bool is_sampled(const json &stats);
/* speedup_of() with its half width: of pairs where both have the same windows. */
estimate sampled_speedup(const json &base, const json &other, bool *paired = nullptr);
/* A line for each result that --sample asked for; empty where none was. */
std::string text_of_samples(const std::vector<named_result> &results);
/* Its members, of a result beside a baseline; null where neither is sampled. */
json sampled_speedup_json(const json &base, const json &other);

} // namespace walkway

#endif
