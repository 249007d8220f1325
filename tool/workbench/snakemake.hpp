/* SPDX-License-Identifier: MIT */
/* workbench/snakemake.hpp - Snakemake's process, which submits jobs and watches them. */
#ifndef WALKWAY_WORKBENCH_SNAKEMAKE_HPP
#define WALKWAY_WORKBENCH_SNAKEMAKE_HPP

#include <string>
#include <sys/types.h>
#include <vector>

namespace walkway
{

class snakemake
{
public:
    /* Starts it in `folder`, which has sweep.json; its output goes to snakemake.log there. Throws
     * failure(exit_input) if Snakemake, its workflow or the profile is missing. */
    snakemake(const std::string &folder, const std::string &profile, unsigned jobs);
    /* Requests the end of its jobs, waits for it, and cancels what is left by the profile's
     * cluster-cancel. */
    ~snakemake();
    snakemake(const snakemake &) = delete;
    snakemake &operator=(const snakemake &) = delete;

    bool ended();     /* true: it has ended, and its output so far is read */
    void interrupt(); /* makes it cancel its jobs */
    bool succeeded() const { return status_ == 0; }
    /* Return how many jobs were refused so far, and why the last one was. */
    unsigned refused() const { return refused_; }
    const std::string &why() const { return why_; }
    /* Returns the last error of its log; else its last line. */
    const std::string &last_words() const { return error_.empty() ? last_ : error_; }
    bool no_room() const { return no_room_; } /* it met a full disk */

private:
    void read();
    void take(const std::string &line);
    void cancel();

    int printed_ = -1, copy_ = -1; /* open files: its output, and the log */
    off_t read_ = 0, copied_ = 0;  /* of its output */
    std::string log_, cancel_, line_, last_, error_, why_;
    std::vector<std::string> jobs_; /* by the cluster's names */
    pid_t child_ = -1;
    int status_ = -1;
    unsigned refused_ = 0;
    bool asked_ = false, no_room_ = false;
};

} // namespace walkway

#endif
