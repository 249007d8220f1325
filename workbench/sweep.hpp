/* SPDX-License-Identifier: MIT */
/* workbench/sweep.hpp - all points of a study into one file of results. What is done is never done again: a
 * run's key is its configuration, the model and its trace. */
#ifndef WALKWAY_WORKBENCH_SWEEP_HPP
#define WALKWAY_WORKBENCH_SWEEP_HPP

#include "run/jobs.hpp"
#include "workbench/points.hpp"
#include "workbench/results_file.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct sweep_order {
    std::string results; /* the file; empty: none yet (--dry-run) */
    unsigned parallel;
    bool quiet;
};

/* A point that is wanted. */
struct planned_point {
    uint64_t number;
    std::string configuration; /* run_key() of its machine; the trace's checksum makes it the run's key */
};

struct workload_trace {
    std::string path, checksum; /* empty: a program that is not captured yet */
};

struct sweep_plan {
    std::vector<planned_point> points;
    std::vector<uint64_t> left_out; /* by constraint */
    std::vector<workload_trace> traces;
    std::string key(const point &p, const planned_point &planned) const;
};

/* Checks everything that can be wrong before the first run: programs, traces, each point's machine. Throws
 * failure. Captures nothing. */
sweep_plan plan_sweep(study_machines &machines, const sweep_order &order);

/* Of a plan only some points, by the numbers of --dry-run: "3,7-9". Throws failure(exit_usage) for a number
 * that no point has. */
void keep_points(sweep_plan &plan, const std::string &numbers);

/* What is left to do, and what it will take. */
struct sweep_estimate {
    uint64_t runs, kept, distinct; /* to do; there from before; both */
    uint64_t unknown;              /* of those to do: of programs that are not captured yet */
    double seconds, bytes;         /* of those whose trace is known */
};
sweep_estimate estimate_sweep(study_machines &machines, const sweep_plan &plan, const sweep_order &order);
std::string text_of_estimate(const sweep_estimate &estimate, unsigned parallel);

/* A file of results that is open for runs of a study, and this process's alone until it ends. */
class sweep_session
{
public:
    /* Makes the file where there is none, loads what an earlier sweep left beside it, and captures the plan's
     * programs. All three outlive it. */
    sweep_session(study_machines &machines, sweep_plan &plan, const sweep_order &order);
    ~sweep_session();
    sweep_session(const sweep_session &) = delete;
    sweep_session &operator=(const sweep_session &) = delete;

    /* Those points that are not done; each at most once a session. Throws failure(exit_interrupted), and
     * failure(exit_output) where a result cannot be written. */
    void run(const std::vector<planned_point> &points);
    results_file &results();
    /* Prints why points of the study failed, on stderr. Answers the first exit code that is not exit_ok. */
    exit_code say_failed();

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

/* All points of the plan. The first exit code that is not exit_ok. Throws as sweep_session. */
exit_code run_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order);

} // namespace walkway

#endif
