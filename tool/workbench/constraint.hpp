/* SPDX-License-Identifier: MIT */
/* workbench/constraint.hpp - conditions on parameters: "walk_unit.walkers * 8 <= l2_tlb.entries and
 * walk_unit.coalesce != off". Numbers, parameters and their choices (of lists those of one word: "all",
 * "none"); + - * / %, comparisons, not, and, or, parentheses. Signed whole numbers of 64 bits; overflow and
 * division by 0 are errors. */
#ifndef WALKWAY_WORKBENCH_CONSTRAINT_HPP
#define WALKWAY_WORKBENCH_CONSTRAINT_HPP

#include "run/parameters.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* True if a machine with these parameters satisfies the condition. `origin` precedes messages. Throws
 * failure(exit_usage) for an illegal condition, for unknown parameters (with the nearest name), and for words
 * that are no choice of the parameter they are compared with. */
bool satisfied(const std::string &expression, const std::string &origin,
               const std::vector<parameter> &parameters);

} // namespace walkway

#endif
