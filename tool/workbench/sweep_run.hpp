/* SPDX-License-Identifier: MIT */
/* workbench/sweep_run.hpp - what a point's run is given, and the rows that runs refer to: the same for the
 * jobs of this machine and for batches on others. */
#ifndef WALKWAY_WORKBENCH_SWEEP_RUN_HPP
#define WALKWAY_WORKBENCH_SWEEP_RUN_HPP

#include "run/path_lock.hpp"
#include "workbench/collector.hpp"
#include "workbench/run_record.hpp"
#include "workbench/sweep.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* The run of a point, made when its turn comes: a machine is one point's at a time. */
class sweep_run
{
public:
    /* Both outlive it. */
    sweep_run(study_machines &machines, const sweep_plan &plan);

    study_machines &machines() const { return machines_; }
    const sweep_plan &plan() const { return plan_; }
    std::string key(const planned_point &planned) const;
    run_order order(const planned_point &planned) const;
    /* Runs it and leaves its record in the folder of runs; where it came to its end when it was tried, that
     * is its record. Throws as record_of_run. */
    void leave(const planned_point &planned, const std::string &folder, const progress_fn &progress) const;

    /* Runs it to see how long it takes. Where it comes to its end its record is left for leave(), unless the
     * folder is empty. Answers how many bytes of results it makes. Throws as simulate(). */
    double attempt(const planned_point &planned, const std::string &folder,
                   const progress_fn &progress) const;

private:
    study_machines &machines_;
    const sweep_plan &plan_;
    std::vector<json> bases_; /* by platform */
};

/* The record as a file. Throws failure(exit_output). */
void write_record(const std::string &file, const json &record);

/* A file of results that is open for runs of a study, and this process's alone until it ends. */
struct open_study {
    /* Makes the file where there is none, with the rows of the study, its machines and axes. All three
     * outlive it. */
    open_study(study_machines &machines, sweep_plan &plan, const sweep_order &order);
    /* The rows of points whose traces are known. */
    void add_points(const std::vector<planned_point> &points);

    study_machines &machines;
    sweep_plan &plan;
    const sweep_order &order;
    const path_lock lock;
    results_file results;
    const std::string folder; /* of runs */
    collector collect;
    sweep_run all;
    const int64_t study; /* its row */
};

/* Why points of the plan failed, on stderr: each reason with one of its runs. Answers the first exit code
 * that is not exit_ok. */
exit_code say_what_failed(results_file &results, const sweep_run &all);

} // namespace walkway

#endif
