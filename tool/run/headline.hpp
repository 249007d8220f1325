/* SPDX-License-Identifier: MIT */
/* run/headline.hpp - the few numbers of a run that are asked for first, derived from statistics by path. */
#ifndef WALKWAY_RUN_HEADLINE_HPP
#define WALKWAY_RUN_HEADLINE_HPP

#include "run/statistics.hpp"

namespace walkway
{

/* {"name": {value, unit, description}}. What belongs to a block that this platform leaves out (no statistic
 * of its group) is not there; a block that lacks a statistic which a definition names is a failure. The value
 * of a share or a mean of nothing is null. */
json headline_json(const platform &machine, const json &statistics);
/* The same for a run of `cycles` cycles and `translations` translations. */
struct run_extent {
    uint64_t cycles, translations;
    double seconds;
};
json headline_json(const run_extent &run, const json &statistics);

/* Value of one entry of a result ("headline" of a stats.json); fallback where the platform has no such entry,
 * not a number where it is a share or a mean of nothing. */
double headline_value(const json &stats, const std::string &name, double fallback = 0.0);

} // namespace walkway

#endif
