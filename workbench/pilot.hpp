/* SPDX-License-Identifier: MIT */
/* workbench/pilot.hpp - how a run of which nothing is known would go: a short try, in a process of its own.
 */
#ifndef WALKWAY_WORKBENCH_PILOT_HPP
#define WALKWAY_WORKBENCH_PILOT_HPP

#include "run/jobs.hpp"
#include "run/simulate.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct pilot_order {
    std::string label;
    std::function<platform_spec *()> machine; /* made when its turn comes */
    std::string trace;
    std::vector<std::string> record; /* patterns of the statistics that the run keeps */
    company with = {};
    run_scope scope = {};
};

struct pilot_end {
    exit_code code;
    bool known = false;        /* else the run itself will say what is wrong */
    double seconds = 0;        /* of the whole run, by the share of work-groups that ended within two */
    double bytes = 0;          /* of its results */
    uint64_t memory_bytes = 0; /* the most so far */
};

/* In the order of the pilots. Throws failure(exit_interrupted). */
std::vector<pilot_end> try_runs(const std::vector<pilot_order> &pilots, unsigned parallel);

} // namespace walkway

#endif
