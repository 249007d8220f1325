/* SPDX-License-Identifier: MIT */
/* workbench/pilot.hpp - estimates how long runs of unknown kinds take: one of each kind is begun in its own
 * process. A run that ends soon is a result like any other; for one that does not, the time is estimated and
 * kept in the cache of programs' traces, so that it is not tried again. */
#ifndef WALKWAY_WORKBENCH_PILOT_HPP
#define WALKWAY_WORKBENCH_PILOT_HPP

#include "run/jobs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct pilot_order {
    std::string label;
    std::string key; /* of the run, for the cache; empty: none */
    /* Runs it in the child, and leaves its result where that belongs when it came to its end. Answers how
     * many bytes of results it makes. Progress that answers false stops it. */
    std::function<double(const progress_fn &)> run;
};

struct pilot_end {
    exit_code code;
    bool known = false;        /* else the run itself will say what is wrong */
    double seconds = 0;        /* of the whole run, by the share of work-groups that ended in time */
    double bytes = 0;          /* of its results */
    uint64_t memory_bytes = 0; /* the most so far */
};

/* In the order of the pilots. Throws failure(exit_interrupted). */
std::vector<pilot_end> try_runs(const std::vector<pilot_order> &pilots, unsigned parallel);

} // namespace walkway

#endif
