/* SPDX-License-Identifier: MIT */
/* workbench/search.hpp - the best machines of a study without running all: workbench/searcher.hpp chooses the
 * next to run from the results of those before. The runs are a sweep's, in the same file. */
#ifndef WALKWAY_WORKBENCH_SEARCH_HPP
#define WALKWAY_WORKBENCH_SEARCH_HPP

#include "report/table.hpp"
#include "workbench/sweep_run.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A value to be minimised, or maximised. */
struct objective {
    std::string text; /* as requested */
    /* Added up: names of headlines, statistics, figures of histograms (results_rows.hpp). */
    std::vector<std::string> metrics;
    bool highest;
};

constexpr size_t most_objectives = 4; /* with more, nearly every machine is best at something */

/* Parses "cycles,bits", "walk_unit.walk_latency.p99", "l2_tlb_hit_rate:highest",
 * "l1_tlb.hits+l2_tlb.hits:highest", "energy". Throws failure(exit_usage) for a value that no machine of the
 * study has or its `record` leaves out, with the nearest name. */
std::vector<objective> objectives_of(study_machines &machines, const std::string &text);

struct search_order {
    std::vector<objective> objectives;
    uint64_t budget; /* distinct runs, including those in the file */
    uint64_t seed;   /* of the choice */
    uint64_t batch;  /* machines chosen at a time; the choice depends on it */
};

/* A machine of the study: its platform and axes. It is run on every workload, with every perturbation. */
struct tried_machine {
    uint64_t number; /* of its first point */
    /* By objective: geometric mean over workloads of the median over perturbations; empty: a run failed,
     * or has no such value. */
    std::vector<double> values;
    bool best; /* no other one is as good in all and better in one */
};

struct search_result {
    std::vector<tried_machine> tried; /* in the order of choosing */
    uint64_t runs, machines;          /* distinct runs of those tried; machines of the study */
    std::string chosen_by;            /* "Optuna 3.1.0" */
    exit_code code;                   /* the first that is not exit_ok */
    uint64_t known; /* those at the end of `tried` that were not chosen, as the file has their runs */
};

/* Throws as the session. */
search_result run_search(sweep_session &session, const search_order &order);

/* Returns the best ones, by the first objective. */
table table_of_best(const study_machines &machines, const search_order &order, const search_result &result);

} // namespace walkway

#endif
