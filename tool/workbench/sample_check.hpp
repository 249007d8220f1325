/* SPDX-License-Identifier: MIT */
/* workbench/sample_check.hpp - the error of a study's sampled runs: one machine of each program is also run
 * whole. Whole runs are rows of the file of results that belong to no point of the study. */
#ifndef WALKWAY_WORKBENCH_SAMPLE_CHECK_HPP
#define WALKWAY_WORKBENCH_SAMPLE_CHECK_HPP

#include "workbench/sweep.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Returns the plan of the whole runs: of each workload the first machine whose run is by windows (one that
 * the sample itself preferred to run whole needs no check). */
sweep_plan plan_of_checks(const study_machines &machines, const sweep_plan &plan, results_file &results);

/* Returns what a reader of a sampled study's numbers needs to know: which machines were left out and which
 * runs were whole, each with the reason, and how far off the checked runs were. */
std::vector<std::string> sample_notes(results_file &results, const study_machines &machines,
                                      const sweep_plan &plan);

} // namespace walkway

#endif
