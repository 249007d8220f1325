/* SPDX-License-Identifier: MIT */
/* workbench/formula.hpp - a number computed from a run's measurements and its machine's parameters,
 * "arrays.area / 1000 + walk_unit.walkers * 300". */
#ifndef WALKWAY_WORKBENCH_FORMULA_HPP
#define WALKWAY_WORKBENCH_FORMULA_HPP

#include "workbench/database.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class formula
{
public:
    /* text: names, numbers, + - * / and parentheses. Throws failure(exit_usage) if it is illegal. */
    formula(database &db, const std::string &text);
    const std::vector<std::string> &names() const { return names_; } /* each once */
    /* Returns the value for a value of each name; NaN if one is NaN, or for a division by 0. SQLite computes
     * it. */
    double of(const std::vector<double> &values) const;

private:
    std::vector<std::string> names_;
    std::unique_ptr<statement> ask_; /* with a parameter per name */
};

} // namespace walkway

#endif
