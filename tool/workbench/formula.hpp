/* SPDX-License-Identifier: MIT */
/* workbench/formula.hpp - a number of a run that is made of others: of what it measured and of its machine's
 * parameters, "arrays.area / 1000 + walk_unit.walkers * 300". */
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
    /* Names, numbers, + - * / and parentheses. Throws failure(exit_usage) for what is none. */
    formula(database &db, const std::string &text);
    const std::vector<std::string> &names() const { return names_; } /* each once */
    /* Of a value for each name; not a number where one is, or where nought divides. SQLite computes it. */
    double of(const std::vector<double> &values) const;

private:
    std::vector<std::string> names_;
    std::unique_ptr<statement> ask_; /* with a parameter for each name */
};

} // namespace walkway

#endif
