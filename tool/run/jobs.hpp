/* SPDX-License-Identifier: MIT */
/* run/jobs.hpp - simulations in parallel, each in a child process made by fork() before any elaboration. A
 * child reports its progress through shared memory and its results through files; its exit code is the
 * job's. */
#ifndef WALKWAY_RUN_JOBS_HPP
#define WALKWAY_RUN_JOBS_HPP

#include "platforms/platform.hpp"
#include "support/errors.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct job {
    std::string label; /* precedes the child's error messages */
    /* Runs in the child and reports its progress. Returns the child's exit code; a failure that it throws is
     * printed. */
    std::function<exit_code(const progress_fn &)> body;
};

struct job_result {
    exit_code code;
    std::string fault; /* set if there was no exit code: "ended by signal 11" */
};

/* Called in the parent when a job has ended. Returns false to start no more jobs. */
using job_end_fn = std::function<bool(size_t job, const job_result &end)>;

/* Runs the jobs. Returns results in their order. An interrupt reaches the children; jobs not yet started are
 * then not started and have exit_interrupted. */
std::vector<job_result> run_jobs(const std::vector<job> &jobs, unsigned parallel, bool quiet,
                                 const job_end_fn &ended = {});

/* Prints the end of each job without an exit code. Returns the first code that is not exit_ok, if any. */
exit_code report_ends(const std::vector<job> &jobs, const std::vector<job_result> &ends);

unsigned default_parallel(); /* processors available to this process */

} // namespace walkway

#endif
