/* SPDX-License-Identifier: MIT */
/* workbench/stored_result.hpp - a run of a results file in the form of its stats.json: headline, statistics,
 * configuration. */
#ifndef WALKWAY_WORKBENCH_STORED_RESULT_HPP
#define WALKWAY_WORKBENCH_STORED_RESULT_HPP

#include "report/explain.hpp"
#include "report/sampled.hpp"
#include "workbench/results_file.hpp"

#include <map>
#include <string>

namespace walkway
{

/* Returns the statistics that begin with `prefix`, without those that the study did not record. */
json stored_statistics(results_file &results, int64_t run, const std::string &prefix = "");
json stored_result(results_file &results, int64_t run);
/* Returns the account of its translations' time; empty if the study did not record it. */
std::vector<cause_share> stored_causes(results_file &results, int64_t run);
/* Returns its tables of places in the program, as places_json(); empty if the study did not ask for any. */
json stored_places(results_file &results, int64_t run);
/* Returns the errors of sampled runs, by run. */
std::map<int64_t, sample_error> stored_errors(results_file &results);

} // namespace walkway

#endif
