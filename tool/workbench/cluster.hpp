/* SPDX-License-Identifier: MIT */
/* workbench/cluster.hpp - a sweep whose batches run elsewhere: by Snakemake's workflow (workbench/cluster/),
 * which knows clusters, or by another starter of jobs. Only this process writes the file of results, from the
 * records of jobs. */
#ifndef WALKWAY_WORKBENCH_CLUSTER_HPP
#define WALKWAY_WORKBENCH_CLUSTER_HPP

#include "workbench/batches.hpp"
#include "workbench/sweep_run.hpp"
#include "workbench/workflow.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A file of results open for batches of a study. */
class batch_sweep : public open_study
{
public:
    enum class jobs { none, running };
    /* Loads the records beside the file; while jobs run, marks of what they have done stay. */
    batch_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order, jobs there_are);

    sweep_estimate estimate();
    /* Writes the files of all batches of missing runs, in place of earlier ones; workloads still to be
     * captured have none. */
    std::vector<batch> make(const sweep_estimate &estimate, double seconds_each);
    std::vector<size_t> to_capture() const; /* indices in the study */

    /* Runs all on the cluster. Returns as finish(). Throws failure(exit_input) if Snakemake or the cluster is
     * missing, failure(exit_interrupted). */
    exit_code run(const std::vector<batch> &batches, const cluster_order &cluster);

    /* Loads the records; prints how many of the plan's points are done, and why some failed. If all are, and
     * all batches, removes the batches. Returns the first exit code of a failed point, else exit_ok. */
    exit_code finish();

private:
    std::vector<planned_point> points_with_traces() const;
    void load();
    void take_captured();
    uint64_t account();
    exit_code say_captures(const std::vector<size_t> &captures) const;

    const bool running_;
    const std::string place_;
    std::vector<batch> batches_; /* those made here, and those of captured programs */
};

} // namespace walkway

#endif
