/* SPDX-License-Identifier: MIT */
/* workbench/sweep.hpp - all points of a study into one file of results. What is done is never done again: a
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
    std::ostream &out = std::cout; /* for what is done, missing, failed */
    bool runs_nothing = false;     /* only what is kept is wanted: programs need not be there */
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
    std::vector<uint64_t> left_out;     /* by constraint */
    std::vector<workload_trace> traces; /* of workloads that are one program */
    std::string sampled;                /* of keys, of a study of sampled runs */

    /* The traces that a run needs; the first one is the workload's. */
    std::vector<const workload_trace *> traces_of(const study_workload &w, size_t place) const;
    /* True if all of them are there. */
    bool has_traces(const study_file &study, size_t workload) const;
    /* A text that identifies the work of a point on any machine: the trace's checksum, programs beside it,
     * events, window. Behind the configuration it is the run's key. */
    std::string work(const study_file &study, const point &p) const;
    std::string key(const study_file &study, const point &p, const planned_point &planned) const
    {
        return planned.configuration + "-" + work(study, p);
    }
};

/* Without points, and no trace known. */
sweep_plan empty_plan(const study_file &study);

/* Opens the trace at this path and returns the path and its checksum. Throws failure(exit_input) if it
 * cannot. */
workload_trace whole_trace(const std::string &path);

/* Checks everything that can be wrong before the first run: programs, traces, each point's machine. Throws
 * failure. Captures nothing. */
sweep_plan plan_sweep(study_machines &machines, const sweep_order &order);

/* Of a plan only some points, by the numbers of --dry-run: "3,7-9". Throws failure(exit_usage) for a number
 * that no point has. */
void keep_points(sweep_plan &plan, const std::string &numbers);

/* What is known of runs that were done. */
struct known_runs {
    std::set<std::string> done; /* keys */
    std::map<std::string, cost_of_work> costs;
    double bytes_per_run = 0;
};
/* Of the file of results; nothing where there is none yet. */
known_runs runs_known_in(const std::string &results);

/* What a run takes. */
struct kind_of_run {
    uint64_t runs = 0; /* to do */
    double seconds = 0, bytes = 0;
    uint64_t memory_bytes = 0; /* the most at a time; 0: not known */
};

/* What is left to do, and what it will take. */
struct sweep_estimate {
    uint64_t runs = 0, kept = 0, distinct = 0; /* to do; there from before; both */
    uint64_t unknown = 0;                      /* of those to do: of programs that are not captured yet */
    double seconds = 0, bytes = 0;             /* of those whose trace is known: */
    std::vector<planned_point> missing;        /* the first of each run, in the order of the plan */
    std::map<std::pair<size_t, size_t>, kind_of_run> kinds; /* by kind_of() */
};
/* Runs of one kind are taken to last equally long: those of a workload on the machines of one specification;
 * the first machine stands for all. */
std::pair<size_t, size_t> kind_of(const study_file &study, const point &p);
/* Tries one run of each kind without a known time. A run that ends meanwhile is kept for the sweep, search or
 * batches, in the order's file of results if there is one. */
sweep_estimate estimate_sweep(study_machines &machines, const sweep_plan &plan, const known_runs &known,
                              const sweep_order &order);
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

    /* "20 runs, 4 of them kept from before" */
    std::string text_of_kept() const;
    /* Those points that are not done; each at most once a session. Throws failure(exit_interrupted), and
     * failure(exit_output) where a result cannot be written. */
    void run(const std::vector<planned_point> &points);
    /* All points of the plan, and then, of a study of sampled runs, the whole ones that it is checked by
     * (workbench/sample_check.hpp). Says which failed, and answers as say_failed(). Throws as run(). */
    exit_code run_all();
    /* Loads the results of runs that ended while estimate_sweep() tried them and that were not run since. */
    void load_tried();
    results_file &results();
    /* Prints why points of the study failed, on stderr. Answers the first exit code that is not exit_ok. */
    exit_code say_failed();

private:
    exit_code run_checks();
    struct parts;
    std::unique_ptr<parts> parts_;
};

/* All points of the plan. The first exit code that is not exit_ok. Throws as sweep_session. */
exit_code run_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order);

} // namespace walkway

#endif
