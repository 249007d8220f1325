/* SPDX-License-Identifier: MIT */
/* platforms/run_steps.hpp - a run, or its window, in steps of equal length, with counts for each. The last
 * step is the remainder. Docs: docs/use/series.md. */
#ifndef WALKWAY_PLATFORMS_RUN_STEPS_HPP
#define WALKWAY_PLATFORMS_RUN_STEPS_HPP

#include "model/common/stats.hpp"
#include "platforms/window.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

/* From one edge to the next. */
struct run_step {
    const window_edge &from, &to;
    const std::function<void(stat_visitor &)> &counted; /* shows the plan's statistics, of this step alone */
    const std::vector<uint64_t> &signals;               /* in the plan's order, at the step's end */
};

struct step_plan {
    window_bound every;
    std::vector<std::string> groups;  /* groups of statistics: "l1_tlb" */
    std::vector<std::string> signals; /* their names */
    std::function<void(const run_step &)> row;
};

} // namespace walkway

#endif
