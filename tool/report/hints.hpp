/* SPDX-License-Identifier: MIT */
/* report/hints.hpp - reasons in a run's result against drawing conclusions from it: sentences for a user who
 * compares machines. docs/use/compare.md defines every hint. */
#ifndef WALKWAY_REPORT_HINTS_HPP
#define WALKWAY_REPORT_HINTS_HPP

#include "run/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* Returns how much of the machine has work: waves at a time of its places, work-groups of a kernel compared
 * with compute units. Empty if that is not counted, or with several programs. */
std::string text_of_occupancy(const json &stats);

/* Returns the hints on one run's stats.json; none for a part of a run, whose waves and pages are not the
 * program's. */
std::vector<std::string> hints_of(const json &stats);
/* Prints each on a line of its own, after "hint: ". */
void print_hints(std::ostream &out, const std::vector<std::string> &hints);

} // namespace walkway

#endif
