/* SPDX-License-Identifier: MIT */
/* workbench/constraint.hpp - conditions on parameters: "walk_unit.walkers * 8 <= l2_tlb.entries and
 * walk_unit.coalesce
 * != off". Numbers, parameters and their choices; + - * / %, comparisons, not, and, or, parentheses. Whole
 * numbers of 64 bits with sign; what overflows or divides by nought is an error. */
#ifndef WALKWAY_WORKBENCH_CONSTRAINT_HPP
#define WALKWAY_WORKBENCH_CONSTRAINT_HPP

#include "run/parameters.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Of a machine with these parameters. `origin` stands before messages. Throws failure(exit_usage) for what is
 * no condition, for parameters that are none (with the nearest name), and for words that are no choice of the
 * parameter that they are compared with. */
bool satisfied(const std::string &expression, const std::string &origin,
               const std::vector<parameter> &parameters);

} // namespace walkway

#endif
