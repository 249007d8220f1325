/* SPDX-License-Identifier: MIT */
/* workbench/pilot.hpp - estimates the time of runs of unknown kinds: one of each kind is begun in its own
 * process. A run that ends soon is a result like any other; for another one, the time is estimated and kept
 * in the cache of programs' traces, so that it is not tried again. */
#ifndef WALKWAY_WORKBENCH_PILOT_HPP
#define WALKWAY_WORKBENCH_PILOT_HPP

#include "run/jobs.hpp"
#include "workbench/results_file.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct pilot_order {
    std::string label;
    std::string key; /* of the run, for the cache; empty: not cached */
    /* Runs it in the child, and leaves its result in its place if it came to its end. Returns the bytes of
     * its results. Progress that returns false stops it. */
    std::function<double(const progress_fn &)> run;
};

struct pilot_end {
    exit_code code;
    /* Of the whole run, from the share of work-groups that ended in time; none: the run itself reports what
     * is wrong. */
    std::optional<run_cost> cost;
};

/* Returns the ends in the order of the pilots. Throws failure(exit_interrupted). */
std::vector<pilot_end> try_runs(const std::vector<pilot_order> &pilots, unsigned parallel);

} // namespace walkway

#endif
