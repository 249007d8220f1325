/* SPDX-License-Identifier: MIT */
/* report/sampled.hpp - comparisons of results that are estimates: windows of one program on two machines are
 * pairs, and their common variation is not a difference. docs/use/sampling.md. */
#ifndef WALKWAY_REPORT_SAMPLED_HPP
#define WALKWAY_REPORT_SAMPLED_HPP

#include "report/comparison.hpp"
#include "run/sample_estimate.hpp"

namespace walkway
{

/* True if the result was estimated from windows; false if it is of a whole run. */
bool is_sampled(const json &stats);
/* Returns the error of a result's cycles; of a whole run, none. */
sample_error error_of(const json &stats);
/* Returns speedup_of() with its half width, by pairs if both have the same windows. */
estimate sampled_speedup(const json &base, const json &other);
/* Returns a line for each result requested by --sample; empty if none was. */
std::string text_of_samples(const std::vector<named_result> &results);
/* Returns its members, of a result compared with a baseline; null if neither is sampled. */
json sampled_speedup_json(const json &base, const json &other);

} // namespace walkway

#endif
