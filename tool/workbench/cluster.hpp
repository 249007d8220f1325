/* SPDX-License-Identifier: MIT */
/* workbench/cluster.hpp - a sweep whose batches run elsewhere: by Snakemake's workflow (workbench/cluster/),
 * which knows clusters, or by another starter of jobs. This process alone writes the file of results,
 * from what the jobs leave. */
#ifndef WALKWAY_WORKBENCH_CLUSTER_HPP
#define WALKWAY_WORKBENCH_CLUSTER_HPP

#include "workbench/batches.hpp"
#include "workbench/workflow.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* A file of results that is open for batches, and this process's alone until it ends. */
class batch_sweep
{
public:
    enum class jobs { none, running };
    /* Makes the file where there is none and loads what is left beside it; while jobs run, marks stay of what
     * they have done. All three outlive it. */
    batch_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order, jobs there_are);
    ~batch_sweep();
    batch_sweep(const batch_sweep &) = delete;
    batch_sweep &operator=(const batch_sweep &) = delete;

    sweep_estimate estimate();
    /* The files of all batches of what is missing, in place of those there were; workloads that are still to
     * be captured have none. */
    std::vector<batch> make(const sweep_estimate &estimate, double seconds_each);
    std::vector<size_t> to_capture() const; /* places in the study */

    /* All of it on the cluster. Throws failure(exit_input) where Snakemake or the cluster is not there,
     * failure(exit_interrupted); answers as finish(). */
    exit_code run(const std::vector<batch> &batches, const cluster_order &cluster);

    /* Loads what there is; prints how many points are done, and why some failed. The first exit code of a
     * failed point, else exit_ok. */
    exit_code finish();

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace walkway

#endif
