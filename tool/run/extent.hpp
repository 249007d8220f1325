/* SPDX-License-Identifier: MIT */
/* run/extent.hpp - which share of a program's launches is in a trace, or was run; and why not all. The
 * same members stand in stats.json (under "trace") and in what `trace info --json` prints. */
#ifndef WALKWAY_RUN_EXTENT_HPP
#define WALKWAY_RUN_EXTENT_HPP

#include "run/part.hpp"

namespace walkway
{

/* Adds "partial", "saved_part", "extent", "lanes_left_out" and, where the options choose one, "part". */
void add_extent(json &trace, const wkt_info &info, const trace_part &part);

/* "12 of 192 work-groups, 1 of 2 launches" */
std::string text_of_extent(const json &trace);

/* Of a run that was interrupted, or got stuck. */
constexpr const char *cut_short = "PARTIAL: the run did not reach the end of the trace";

/* Lines, each with its end: what is missing, "PARTIAL: " first, and what was left out at capture. Empty where
 * everything is there. `skip`: --skip as given. */
std::string text_of_missing(const json &trace, const std::string &skip = "");
/* The same of a result, and that it is sampled. */
std::string text_of_missing_in(const json &stats, bool with_sample = true);

} // namespace walkway

#endif
