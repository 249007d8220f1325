/* SPDX-License-Identifier: MIT */
/* run/headline.hpp - the few most important numbers of a run, derived from statistics by path. */
#ifndef WALKWAY_RUN_HEADLINE_HPP
#define WALKWAY_RUN_HEADLINE_HPP

#include "run/statistics.hpp"

namespace walkway
{

/* Returns {"name": {value, unit, description}}. Entries of a block that this platform lacks (no statistic of
 * its group) are absent; a block that lacks a statistic named by a definition is a failure. The value of a
 * share or a mean of nothing is null. */
json headline_json(const platform &machine, const json &statistics);
/* The same for a run of `cycles` cycles and `translations` translations. */
struct run_extent {
    uint64_t cycles, translations;
    double seconds;
};
json headline_json(const run_extent &run, const json &statistics);

/* Returns the value of one entry of a result ("headline" of a stats.json); fallback if the platform has no
 * such entry; NaN for a share or a mean of nothing. */
double headline_value(const json &stats, const std::string &name, double fallback = 0.0);

} // namespace walkway

#endif
