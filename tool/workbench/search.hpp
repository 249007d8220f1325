/* SPDX-License-Identifier: MIT */
/* workbench/search.hpp - the best machines of a study without running all: which to run next is chosen by
 * workbench/searcher.hpp from what those before were found to do. The runs are a sweep's, in the same file.
 */
#ifndef WALKWAY_WORKBENCH_SEARCH_HPP
#define WALKWAY_WORKBENCH_SEARCH_HPP

#include "report/table.hpp"
#include "workbench/sweep.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* What is to be low, or high. */
struct objective {
    std::string text; /* as it was asked for */
    std::vector<std::string>
        metrics; /* added up: names of headlines, statistics, figures of histograms (results_rows.hpp) */
    bool highest;
};

constexpr size_t most_objectives = 4; /* with more nearly every machine is best at something */

/* "cycles,bits", "walk_unit.walk_latency.p99", "l2_tlb_hit_rate:highest", "l1_tlb.hits+l2_tlb.hits:highest",
 * "energy". Throws failure(exit_usage) for what no machine of the study has or its `record` leaves out, with
 * the nearest name. */
std::vector<objective> objectives_of(study_machines &machines, const std::string &text);

struct search_order {
    std::vector<objective> objectives;
    uint64_t budget; /* distinct runs, those counted that are there already */
    uint64_t seed;   /* of the choice */
    uint64_t batch;  /* machines that are chosen at a time; the choice depends on it */
};

/* A machine of the study: its platform and axes. It is run on every workload, with every perturbation. */
struct tried_machine {
    uint64_t number;            /* of its first point */
    std::vector<double> values; /* by objective, over workloads the geometric mean, over perturbations the
                                   median; empty: a run failed, or has no such value */
    bool best;                  /* no other one is as good in all and better in one */
};

struct search_result {
    std::vector<tried_machine> tried; /* in the order of choosing */
    uint64_t runs, machines;          /* distinct runs of those tried; machines of the study */
    std::string chosen_by;            /* "Optuna 3.1.0" */
    exit_code code;                   /* the first that is not exit_ok */
    uint64_t known; /* of `tried` those that were not chosen, at its end: the file has their runs */
};

/* Throws failure(exit_usage) where the budget is less than one machine's runs; else as sweep_session. */
search_result run_search(study_machines &machines, sweep_plan &plan, const sweep_order &sweep,
                         const search_order &order);

/* The best ones, by the first objective. */
table table_of_best(const study_machines &machines, const search_order &order, const search_result &result);

} // namespace walkway

#endif
