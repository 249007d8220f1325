/* SPDX-License-Identifier: MIT */
/* workbench/sweep.hpp - all points of a study into one file of results. Completed runs are never repeated: a
 * run's key is its configuration, the model and its trace. */
#ifndef WALKWAY_WORKBENCH_SWEEP_HPP
#define WALKWAY_WORKBENCH_SWEEP_HPP

#include "run/jobs.hpp"
#include "workbench/points.hpp"
#include "workbench/results_file.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

struct sweep_order {
    std::string results; /* the file; empty: none yet (--dry-run) */
    unsigned parallel;
    bool quiet;
    std::ostream &out = std::cout; /* for points done, missing, failed */
    bool runs_nothing = false;     /* uses only kept results: programs need not exist */
};

/* A requested point. */
struct planned_point {
    uint64_t number;
    std::string configuration; /* run_key() of its machine; with the trace's checksum, the run's key */
};

struct workload_trace {
    std::string path, checksum; /* empty: a program not captured yet */
};

struct sweep_plan {
    std::vector<planned_point> points;
    std::vector<uint64_t> left_out;     /* by constraint */
    std::vector<workload_trace> traces; /* of workloads with one program */
    std::string sampled;                /* part of keys, for a study of sampled runs */
    /* Of such a study: a line for each reason why machines cannot be sampled, which have no points. */
    std::vector<std::string> not_sampled = {};

    /* Returns the traces that a run needs; the workload's first. */
    std::vector<const workload_trace *> traces_of(const study_workload &w, size_t place) const;
    /* True if all of them are known. */
    bool has_traces(const study_file &study, size_t workload) const;
    /* Returns a text that identifies the work of a point on any machine: the trace's checksum, programs
     * beside it, events, window. After the configuration, it makes the run's key. */
    std::string work(const study_file &study, const point &p) const;
    std::string key(const study_file &study, const point &p, const planned_point &planned) const
    {
        return planned.configuration + "-" + work(study, p);
    }
};

/* Returns a plan without points and known traces. */
sweep_plan empty_plan(const study_file &study);

/* Opens the trace at this path and returns the path and its checksum. Throws failure(exit_input) if it
 * cannot. */
workload_trace whole_trace(const std::string &path);

/* Checks all that can be wrong before the first run: programs, traces, each point's machine. Throws failure.
 * Captures nothing. */
sweep_plan plan_sweep(study_machines &machines, const sweep_order &order);

/* Keeps only some points of a plan, by the numbers of --dry-run: "3,7-9". Throws failure(exit_usage) for a
 * number without a point. */
void keep_points(sweep_plan &plan, const std::string &numbers);

/* Knowledge of completed runs. */
struct known_runs {
    std::set<std::string> done; /* keys */
    std::map<std::string, cost_of_work> costs;
    double bytes_per_run = 0;
};
known_runs runs_known_in(results_file &results);
/* Returns those in a file of results; none if there is no file yet. */
known_runs runs_known_in(const std::string &path);

/* Cost of a kind of runs. */
struct kind_of_run {
    uint64_t runs = 0; /* to do */
    double seconds = 0, bytes = 0;
    uint64_t memory_bytes = 0; /* the most at a time; 0: unknown */
};

/* The remaining runs and their cost. */
struct sweep_estimate {
    uint64_t runs = 0, kept = 0, distinct = 0; /* to do; kept from before; both */
    uint64_t unknown = 0;                      /* of those to do: runs of programs not captured yet */
    double seconds = 0, bytes = 0;             /* of those with known traces: */
    std::vector<planned_point> missing;        /* the first point of each run, in the order of the plan */
    std::map<std::pair<size_t, size_t>, kind_of_run> kinds; /* by kind_of() */
};
/* Returns the kind of a point. Runs of one kind are assumed to last equally long: those of a workload on the
 * machines of one specification; the first machine represents all. */
std::pair<size_t, size_t> kind_of(const study_file &study, const point &p);
/* Tries one run of each kind without a known time. A run that ends meanwhile is kept for the sweep, search or
 * batches, beside the order's file of results if there is one: its lock must be held. */
sweep_estimate estimate_sweep(study_machines &machines, const sweep_plan &plan, const known_runs &known,
                              const sweep_order &order);
std::string text_of_estimate(const sweep_estimate &estimate, unsigned parallel);

/* A file of results open for runs of a study, locked by this process until it ends. */
class sweep_session
{
public:
    /* Makes the file if there is none, and loads the records that an earlier sweep left beside it. All three
     * must outlive it. */
    sweep_session(study_machines &machines, sweep_plan &plan, const sweep_order &order);
    ~sweep_session();
    sweep_session(const sweep_session &) = delete;
    sweep_session &operator=(const sweep_session &) = delete;

    /* Returns estimate_sweep() with what is in the file. */
    sweep_estimate estimate() const;
    study_machines &machines() const;
    const sweep_plan &plan() const;
    const sweep_order &order() const;
    /* Captures the plan's programs that have no trace yet; until then, their runs have no keys. The functions
     * below want it to be called before. */
    void capture();
    /* Returns "20 runs, 4 of them kept from before". */
    std::string text_of_kept() const;
    /* Runs those points that are not done; each at most once per session. Throws failure(exit_interrupted),
     * and failure(exit_output) if a result cannot be written. */
    void run(const std::vector<planned_point> &points);
    /* Runs all points of the plan, and then, for a study of sampled runs, the whole ones that check
     * it (workbench/sample_check.hpp). Prints which failed, and returns as say_failed(). Throws as run(). */
    exit_code run_all();
    /* Loads the results of runs that ended while estimate_sweep() tried them and that were not run since. */
    void load_tried();
    results_file &results();
    /* Prints why points of the study failed, on stderr. Returns the first exit code that is not exit_ok. */
    exit_code say_failed();

private:
    exit_code run_checks();
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace walkway

#endif
