/* SPDX-License-Identifier: MIT */
/* report/working_set.hpp - whether what a program uses fits a TLB: what a result shows of it without the
 * trace. The rules are in docs/use/compare.md. */
#ifndef WALKWAY_REPORT_WORKING_SET_HPP
#define WALKWAY_REPORT_WORKING_SET_HPP

#include "run/statistics.hpp"

#include <string>

namespace walkway
{

/* Of two results of one program, stats.json each, whose machines differ by nothing but one TLB: "between 512
 * and 1,024 entries of the L2 TLB the working set of 1,027 pages of a cyclic pattern fits (misses 50.6 -> 0.4
 * % of lookups)". Empty where they differ by more, where nothing comes to fit, or where a result has no such
 * statistics. */
std::string text_of_what_fits(const json &one, const json &other);

/* Of one result: that its last TLB before the walks, too small for the pages, meets them in a cycle. Empty
 * where it does not. */
std::string text_of_cycle(const json &stats);

} // namespace walkway

#endif
