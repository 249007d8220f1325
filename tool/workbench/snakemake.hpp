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
    /* In `folder`, which has sweep.json; what it prints is in snakemake.log there. Throws failure(exit_input)
     * where Snakemake, its workflow or the profile is not there. */
    snakemake(const std::string &folder, const std::string &profile, unsigned jobs);
    /* Asks it to end its jobs, waits for that, and ends by the profile's cluster-cancel what it left. */
    ~snakemake();
    snakemake(const snakemake &) = delete;
    snakemake &operator=(const snakemake &) = delete;

    bool ended();     /* and what it has printed until now is read */
    void interrupt(); /* it takes back what it submitted */
    bool succeeded() const { return status_ == 0; }
    /* Jobs so far that were not taken, and why the last one was not. */
    unsigned refused() const { return refused_; }
    const std::string &why() const { return why_; }
    /* The last error of its log; else its last line. */
    const std::string &last_words() const { return error_.empty() ? last_ : error_; }
    bool no_room() const { return no_room_; } /* it met a full disk */

private:
    void read();
    void take(const std::string &line);
    void cancel();

    int printed_ = -1, copy_ = -1; /* open files: what it prints, and the log */
    off_t read_ = 0, copied_ = 0;  /* of what it prints */
    std::string log_, cancel_, line_, last_, error_, why_;
    std::vector<std::string> jobs_; /* as the cluster names them */
    pid_t child_ = -1;
    int status_ = -1;
    unsigned refused_ = 0;
    bool asked_ = false, no_room_ = false;
};

} // namespace walkway

#endif
