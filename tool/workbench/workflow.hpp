/* SPDX-License-Identifier: MIT */
/* workbench/workflow.hpp - a study's jobs on a cluster, by Snakemake's workflow (workbench/cluster/). In its
 * folder are sweep.json (what there is), NAME.json of each batch, logs/ of jobs, and
 * done/NAME, captured/N.json of those that ended well. */
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
    std::string profile;            /* a Snakemake profile: one that is installed, a folder, or a name */
    std::vector<std::string> words; /* of the command line, for jobs: sweep, study, --output, --set, ... */
    std::vector<std::string> capture_words; /* more of them, for those that capture */
    double batch_seconds;
};

/* What a batch is to take, in seconds. */
constexpr uint64_t default_batch_seconds = 300, most_batch_seconds = 7 * 24 * 3600;

/* Resources requested at the first attempt: MiB for a run that took `bytes` (0: not known), minutes for runs
 * that take `seconds`. */
uint64_t batch_memory_mib(uint64_t bytes);
uint64_t batch_minutes(double seconds);

/* It was killed, or threw what no run throws: memory, as far as can be known. */
bool may_do_with_more(const job_result &end);

class workflow
{
public:
    explicit workflow(std::string folder) : folder_(std::move(folder)) {}

    /* What the workflow reads. `captures` by number: their names. Throws failure(exit_output). */
    void write(const cluster_order &cluster, const std::vector<std::string> &batches,
               const std::map<size_t, std::string> &captures) const;

    /* All of it; `look` is called some times a second and answers what to show. Throws failure(exit_input)
     * where Snakemake is not there, failure(exit_output) where it met a full disk: its jobs are cancelled
     * then, as they are where `look` throws. */
    void run(const std::string &profile, unsigned parallel, bool quiet,
             const std::function<std::string(double seconds)> &look);

    /* Of run(): */
    bool failed() const { return failed_; }
    const std::string &why() const { return why_; } /* the cluster took no job, or Snakemake's last words */
    bool any_began() const;
    bool ended_well(const std::string &batch) const;
    /* Of a job's log ("3.log"): what it said at last, and how often it began. */
    std::string tale_of(const std::string &log, unsigned &attempts) const;

    /* "begun 3 times: ..." */
    static std::string text_of_tale(const std::string &tale, unsigned attempts);
    /* Throws failure(exit_input): `runs` runs (0: captures) never began. */
    [[noreturn]] void refuse(uint64_t runs) const;

private:
    std::string folder_, why_;
    bool failed_ = false;
};

} // namespace walkway

#endif
