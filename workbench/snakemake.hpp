/* SPDX-License-Identifier: MIT */
/* workbench/snakemake.hpp - Snakemake's process, which submits jobs and watches them. */
#ifndef WALKWAY_WORKBENCH_SNAKEMAKE_HPP
#define WALKWAY_WORKBENCH_SNAKEMAKE_HPP

#include <string>
#include <sys/types.h>

namespace walkway
{

class snakemake
{
public:
    /* In `folder`, which has sweep.json; what it prints is in snakemake.log there. Throws failure(exit_input)
     * where Snakemake, its workflow or the profile is not there. */
    snakemake(const std::string &folder, const std::string &profile, unsigned jobs);
    /* Asks it to end its jobs, and waits for that. */
    ~snakemake();
    snakemake(const snakemake &) = delete;
    snakemake &operator=(const snakemake &) = delete;

    bool ended();
    void interrupt(); /* it takes back what it submitted */
    bool succeeded() const { return status_ == 0; }
    /* Jobs so far that were not taken, and why the last one was not. */
    unsigned refused();
    const std::string &why() const { return why_; }
    std::string last_words() const; /* the last error of its log; else its last line */

private:
    std::string log_, why_, before_; /* a line of its log */
    pid_t child_ = -1;
    int status_ = -1;
    long read_ = 0; /* of the log */
    unsigned refused_ = 0;
    bool asked_ = false;
};

} // namespace walkway

#endif
