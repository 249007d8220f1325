/* SPDX-License-Identifier: MIT */
/* run/jobs.hpp - simulations side by side, each in a child process made by fork() before any elaboration. A
 * child reports where it is through shared memory and what it found through files; its exit code is the
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
    std::string label; /* stands before the child's error messages */
    /* Runs in the child; passes on where it is. Its answer is the child's exit code; a failure that it throws
     * is printed. */
    std::function<exit_code(const progress_fn &)> body;
};

struct job_result {
    exit_code code;
    std::string fault; /* when no exit code was left: "ended by signal 11" */
};

/* Called in the parent when a job has ended; the answer false asks for no more to be started. */
using job_end_fn = std::function<bool(size_t job, const job_result &end)>;

/* Results in the order of the jobs. An interrupt reaches the children; jobs not yet started are then not
 * started and answer exit_interrupted. */
std::vector<job_result> run_jobs(const std::vector<job> &jobs, unsigned parallel, bool quiet,
                                 const job_end_fn &ended = {});

/* Prints of each job that left no exit code how it ended. The first code that is not exit_ok, if any. */
exit_code report_ends(const std::vector<job> &jobs, const std::vector<job_result> &ends);

unsigned default_parallel(); /* processors this process may use */

} // namespace walkway

#endif
