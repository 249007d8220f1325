/* SPDX-License-Identifier: MIT */
/* workbench/study_cluster.hpp - a paper's study whose captures and runs are jobs of a cluster, by the same
 * workflow as a sweep's. */
#ifndef WALKWAY_WORKBENCH_STUDY_CLUSTER_HPP
#define WALKWAY_WORKBENCH_STUDY_CLUSTER_HPP

#include "study/study_plan.hpp"
#include "workbench/workflow.hpp"

namespace walkway
{

/* In place of capture_all(): a job for each program that is to be captured, and waits for all. Throws
 * failure(exit_input) where one fails, or the cluster or Snakemake is not there; failure(exit_interrupted).
 */
void capture_on_cluster(const study &s, const study_order &o, const cluster_order &cluster);

/* In place of run_missing(): batches of what is missing. A run that fails is said on stderr; answers the
 * first exit code that is not exit_ok. Throws failure(exit_input) where runs never began, as above. */
exit_code run_on_cluster(std::vector<planned_run> &runs, const study_order &o, const cluster_order &cluster);

} // namespace walkway

#endif
