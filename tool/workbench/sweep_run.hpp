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

/* A file of results open for runs of a study on this machine. */
class sweep_session : public open_study
{
public:
    /* Loads the records that an earlier sweep left beside the file. */
    sweep_session(study_machines &machines, sweep_plan &plan, const sweep_order &order);

    /* Returns estimate_sweep() with what is in the file. */
    sweep_estimate estimate();
    /* Captures the plan's programs that have no trace yet; until then, their runs have no keys. The functions
     * below want it to be called before. */
    void capture();
    /* Returns "20 runs, 4 of them kept from before". */
    std::string text_of_kept() const;
    /* Runs those points that are not done; each at most once per session. Throws failure(exit_interrupted),
     * and failure(exit_output) if a result cannot be written. */
    void run(const std::vector<planned_point> &points);
    /* Runs all points of the plan, and then, for a study of sampled runs, the whole ones that check
     * it (workbench/sample_check.hpp). Prints which failed, and returns as say_what_failed(). Throws as
     * run(). */
    exit_code run_all();
    /* Loads the results of runs that ended while estimate_sweep() tried them and that were not run since. */
    void load_tried();

private:
    exit_code run_checks();
    void run(const sweep_run &these, const std::vector<planned_point> &points);

    std::set<std::string> taken_; /* keys of runs that are done, or were started in this session */
};

} // namespace walkway

#endif
