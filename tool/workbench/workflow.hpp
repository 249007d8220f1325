/* SPDX-License-Identifier: MIT */
/* workbench/workflow.hpp - a study's jobs on a cluster, by Snakemake's workflow (workbench/cluster/). Its
 * folder has sweep.json (the work), NAME.json of each batch, logs/ of jobs, and done/NAME, captured/N.json of
 * those that ended well. */
#ifndef WALKWAY_WORKBENCH_WORKFLOW_HPP
#define WALKWAY_WORKBENCH_WORKFLOW_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct cluster_order {
    std::string profile;            /* a Snakemake profile: an installed one, a folder, or a name */
    std::vector<std::string> words; /* of the command line, for jobs: sweep, study, --output, --set, ... */
    std::vector<std::string> capture_words; /* further words, for captures */
    double batch_seconds;
};

/* Time of a batch in seconds. */
constexpr uint64_t default_batch_seconds = 300, most_batch_seconds = 7 * 24 * 3600;

/* Writes the files that the workflow reads. `captures`: names by number. Throws failure(exit_output). */
void write_workflow(const std::string &folder, const cluster_order &cluster,
                    const std::vector<std::string> &batches, const std::map<size_t, std::string> &captures);

struct workflow_end {
    bool failed;
    std::string why; /* why jobs were refused, or Snakemake's last words */
};
/* Runs all; calls `look` some times per second and shows the text that it returns. Throws failure(exit_input)
 * if Snakemake, its workflow or the profile is missing, failure(exit_output) if it met a full disk; its jobs
 * are then cancelled, as they are if `look` throws. */
workflow_end run_workflow(const std::string &folder, const std::string &profile, unsigned jobs, bool quiet,
                          const std::function<std::string(double seconds)> &look);

bool any_job_began(const std::string &folder);
/* What a job's log ("3.log") says: how often it began, and "begun 3 times: " with the last output. */
struct job_tale {
    unsigned attempts;
    std::string text;
};
job_tale tale_of(const std::string &folder, const std::string &log);

} // namespace walkway

#endif
