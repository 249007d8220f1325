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

/* A sample's estimate of a program, and the true value. */
struct sample_check {
    std::string workload, machine;
    double cycles, half_width, whole; /* GPU cycles */
    double off() const { return cycles / whole - 1; }
    bool holds() const { return cycles - half_width <= whole && whole <= cycles + half_width; }
};

/* Returns the plan of the whole runs: of each workload the first machine whose run is by windows (one that
 * the sample itself preferred to run whole needs no check). */
sweep_plan plan_of_checks(const study_machines &machines, const sweep_plan &plan, results_file &results);
/* Returns the completed checks; none if the study is not sampled. */
std::vector<sample_check> checks_in(results_file &results, const study_machines &machines,
                                    const sweep_plan &plan);

/* Returns what a reader of a sampled study's numbers needs to know: which machines were left out and which
 * runs were whole, each with the reason, and how far off the checked runs were. */
std::vector<std::string> sample_notes(results_file &results, const study_machines &machines,
                                      const sweep_plan &plan);

/* Returns "SAMPLED: mvt on apu-micro18 was run whole, too: 1,234,567 cycles +- 4.5 %, whole 1,230,000: off by
 * +0.4 %". */
std::string text_of(const sample_check &check);

} // namespace walkway

#endif
