/* SPDX-License-Identifier: MIT */
/* workbench/sweep_run.hpp - the order of a point's run, and the rows that runs refer to: the same for the
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

/* Makes the run of a point when it is due: a machine is one point's at a time. */
class sweep_run
{
public:
    /* Both must outlive it. */
    sweep_run(study_machines &machines, const sweep_plan &plan);

    study_machines &machines() const { return machines_; }
    const sweep_plan &plan() const { return plan_; }
    std::string key(const planned_point &planned) const;
    json keys() const; /* of all points of the plan */
    run_order order(const planned_point &planned) const;
    /* Runs it and leaves its record in the folder of runs; uses the record of attempt() if that came to its
     * end. Throws as record_of_run. */
    void leave(const planned_point &planned, const std::string &folder, const progress_fn &progress) const;

    /* Runs it to see how long it takes. If it comes to its end, leaves its record for leave(), unless the
     * folder is empty. Returns the bytes of its results. Throws as simulate(). */
    double attempt(const planned_point &planned, const std::string &folder,
                   const progress_fn &progress) const;

private:
    study_machines &machines_;
    const sweep_plan &plan_;
    std::vector<json> bases_; /* by platform */
};

/* Writes the record to a file. Throws failure(exit_output). */
void write_record(const std::string &file, const json &record);

/* A file of results open for runs of a study, locked by this process until it ends. */
struct open_study {
    /* Makes the file if there is none, with the rows of the study, its machines and axes. All three must
     * outlive it. */
    open_study(study_machines &machines, sweep_plan &plan, const sweep_order &order);
    /* Removes the file if this made it and it has neither points nor runs, of any study: records that an
     * earlier sweep left beside it are runs. */
    ~open_study();
    open_study(const open_study &) = delete;
    open_study &operator=(const open_study &) = delete;
    /* Adds the rows of points whose traces are known. */
    void add_points(const std::vector<planned_point> &points);

    study_machines &machines;
    sweep_plan &plan;
    const sweep_order &order;
    const bool made; /* the file; empty until the lock is held */
    const path_lock lock;
    results_file results;
    const std::string folder; /* of runs */
    collector collect;
    sweep_run all;
    const int64_t study; /* its row */

private:
    bool has_rows_of_points() noexcept;
};

/* Prints why points of the plan failed, on stderr: each reason with one of its runs. Returns the first exit
 * code that is not exit_ok. */
exit_code say_what_failed(results_file &results, const sweep_run &all);

} // namespace walkway

#endif
