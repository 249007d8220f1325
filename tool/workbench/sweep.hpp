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
    std::string configuration; /* run_key() of its machine */
    std::string key = {};      /* of its run: that and its work; empty until its traces are known */
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
    /* Sets the keys of points whose traces are known. */
    void take_keys(const study_file &study);
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
    std::map<std::string, run_cost> costs;
};
known_runs runs_known_in(results_file &results);
/* Returns those in a file of results; none if there is no file yet. */
known_runs runs_known_in(const std::string &path);

struct kind_of_run {
    uint64_t runs = 0; /* to do */
    run_cost each = {};
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

} // namespace walkway

#endif
