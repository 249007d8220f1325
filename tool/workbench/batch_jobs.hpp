/* SPDX-License-Identifier: MIT */
/* workbench/batch_jobs.hpp - the runs of a batch, of a sweep or of a paper's study, in the job that a cluster
 * gave it. */
#ifndef WALKWAY_WORKBENCH_BATCH_JOBS_HPP
#define WALKWAY_WORKBENCH_BATCH_JOBS_HPP

#include "run/jobs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct batch_jobs {
    std::string name;
    std::vector<job> todo;
    size_t wanted = 0; /* with those that are done already */
};

/* Runs what is to do, and says on standard output how much that is. `keep` is notified of how each ended, by
 * its place in `todo` (of a fault: why), and answers whether it may do in a job with more memory or time.
 * Throws failure where one may, after all others (exit_input), where it was interrupted (exit_interrupted),
 * or where nothing can be written (exit_output). */
void run_batch_jobs(
    const batch_jobs &b, unsigned parallel, bool quiet,
    const std::function<bool(size_t k, const job_result &end, const std::string &fault)> &keep);

} // namespace walkway

#endif
