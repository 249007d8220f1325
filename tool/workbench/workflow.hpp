/* SPDX-License-Identifier: MIT */
/* workbench/workflow.hpp - a study's jobs on a cluster, by Snakemake's workflow (workbench/cluster/). Its
 * folder has sweep.json (the work), NAME.json of each batch, logs/ of jobs, and done/NAME, captured/N.json of
 * those that ended well. */
#ifndef WALKWAY_WORKBENCH_WORKFLOW_HPP
#define WALKWAY_WORKBENCH_WORKFLOW_HPP

#include "run/jobs.hpp"

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

/* Return the resources requested at the first attempt: MiB for a run that took `bytes` (0: unknown), minutes
 * for runs that take `seconds`. */
uint64_t batch_memory_mib(uint64_t bytes);
uint64_t batch_minutes(double seconds);

/* True if the job was killed, or threw what no run throws: probably for lack of memory. */
bool may_do_with_more(const job_result &end);

class workflow
{
public:
    explicit workflow(std::string folder) : folder_(std::move(folder)) {}

    /* Writes the files that the workflow reads. `captures`: names by number. Throws failure(exit_output). */
    void write(const cluster_order &cluster, const std::vector<std::string> &batches,
               const std::map<size_t, std::string> &captures) const;

    /* Runs all; calls `look` some times per second and shows the text that it returns. Throws
     * failure(exit_input) if Snakemake is missing, failure(exit_output) if it met a full disk; its jobs are
     * then cancelled, as they are if `look` throws. */
    void run(const std::string &profile, unsigned parallel, bool quiet,
             const std::function<std::string(double seconds)> &look);

    /* Results of run(): */
    bool failed() const { return failed_; }
    const std::string &why() const { return why_; } /* why jobs were refused, or the last words */
    bool any_began() const;
    bool ended_well(const std::string &batch) const;
    /* Returns the last output of a job's log ("3.log"), and sets how often it began. */
    std::string tale_of(const std::string &log, unsigned &attempts) const;

    /* Returns "begun 3 times: ...". */
    static std::string text_of_tale(const std::string &tale, unsigned attempts);
    /* Throws failure(exit_input): `runs` runs (0: captures) never began. */
    [[noreturn]] void refuse(uint64_t runs) const;

private:
    std::string folder_, why_;
    bool failed_ = false;
};

} // namespace walkway

#endif
