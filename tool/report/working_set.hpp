/* SPDX-License-Identifier: MIT */
/* report/working_set.hpp - whether a program's working set fits a TLB, as far as a result shows it without
 * the trace. docs/use/compare.md has the rules. */
#ifndef WALKWAY_REPORT_WORKING_SET_HPP
#define WALKWAY_REPORT_WORKING_SET_HPP

#include "run/statistics.hpp"

#include <string>

namespace walkway
{

/* For two results of one program, stats.json each, whose machines differ only in one TLB: returns "between
 * 512 and 1,024 entries of the L2 TLB the working set of 1,027 pages of a cyclic pattern fits (misses 50.6 ->
 * 0.4 % of lookups)". Empty if they differ in more, if nothing begins to fit, or if a result has no such
 * statistics. */
std::string text_of_what_fits(const json &one, const json &other);

/* For one result: returns that its last TLB before the walks, too small for the pages, is accessed by them in
 * a cycle. Empty if not. */
std::string text_of_cycle(const json &stats);

} // namespace walkway

#endif
