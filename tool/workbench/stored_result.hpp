/* SPDX-License-Identifier: MIT */
/* workbench/stored_result.hpp - a run of a results file as stats.json had it: headline, statistics,
 * configuration. */
#ifndef WALKWAY_WORKBENCH_STORED_RESULT_HPP
#define WALKWAY_WORKBENCH_STORED_RESULT_HPP

#include "report/explain.hpp"
#include "workbench/results_file.hpp"

#include <string>

namespace walkway
{

/* Of the statistics those that begin with `prefix`. What the study did not record is not there. */
json stored_statistics(results_file &results, int64_t run, const std::string &prefix = "");
json stored_result(results_file &results, int64_t run);
/* The account of its translations' time; empty where the study did not record it. */
std::vector<cause_share> stored_causes(results_file &results, int64_t run);

} // namespace walkway

#endif
