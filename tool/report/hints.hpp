/* SPDX-License-Identifier: MIT */
/* report/hints.hpp - reasons in a run's result against drawing conclusions from it: sentences for a user who
 * compares machines. Every hint is defined in docs/use/compare.md. */
#ifndef WALKWAY_REPORT_HINTS_HPP
#define WALKWAY_REPORT_HINTS_HPP

#include "run/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* Of one run's stats.json; none for a part of a run, whose waves and pages are not the program's. */
/* How much of the machine has work: waves at a time of its places, work-groups of a kernel beside compute
 * units. Empty where that is not counted, or of several programs. */
std::string text_of_occupancy(const json &stats);

std::vector<std::string> hints_of(const json &stats);
/* Each on a line of its own, behind "hint: ". */
void print_hints(std::ostream &out, const std::vector<std::string> &hints);

} // namespace walkway

#endif
