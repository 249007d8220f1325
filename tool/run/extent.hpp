/* SPDX-License-Identifier: MIT */
/* run/extent.hpp - the share of a program's launches that is in a trace, or was run, and why not all. The
 * same members are in stats.json (under "trace") and in the output of `trace info --json`. */
#ifndef WALKWAY_RUN_EXTENT_HPP
#define WALKWAY_RUN_EXTENT_HPP

#include "run/part.hpp"

namespace walkway
{

/* Adds "partial", "saved_part", "extent", "lanes_left_out" and, if the options choose one, "part". */
void add_extent(json &trace, const wkt_info &info, const trace_part &part);

/* Returns "12 of 192 work-groups, 1 of 2 launches". */
std::string text_of_extent(const json &trace);

/* For a run that was interrupted, or deadlocked. */
constexpr const char *cut_short = "PARTIAL: the run did not reach the end of the trace";

/* Returns lines, each with its newline: what is missing, first "PARTIAL: ", and what was left out at capture.
 * Empty if all is there. `skip`: --skip as given. */
std::string text_of_missing(const json &trace, const std::string &skip = "");
/* Returns the same for a result, with the file in each line of a program beside, and that it is sampled. */
std::string text_of_missing_in(const json &stats, bool with_sample = true);

} // namespace walkway

#endif
