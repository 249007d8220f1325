/* SPDX-License-Identifier: MIT */
/* report/summary.hpp - a run's result for people: one screen, which always names what is wrong; and several
 * runs in one table. */
#ifndef WALKWAY_REPORT_SUMMARY_HPP
#define WALKWAY_REPORT_SUMMARY_HPP

#include "report/comparison.hpp"
#include "report/table.hpp"
#include "run/simulate.hpp"

#include <iosfwd>

namespace walkway
{

size_t laws_that_hold(const json &laws); /* number of them, in a result */

enum class laws_shown { broken, all };

void print_summary(std::ostream &out, const simulation &result, const std::string &label, laws_shown laws);
/* Prints one row per run, and below it the laws that do not hold and what is missing, by row. Results may be
 * null. */
void print_runs(std::ostream &out, const std::vector<named_result> &runs, laws_shown laws);

/* Returns one row per run, with unformatted numbers: the headline, cycles by cause, laws. `relative`: also
 * relative to the first; `ranges`: of each run, the spreads of its ratios by name
 * (report/compare_ranges.hpp), or empty. */
table results_table(const std::vector<named_result> &runs, bool relative,
                    const std::vector<json> &ranges = {});

} // namespace walkway

#endif
