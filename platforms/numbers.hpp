/* SPDX-License-Identifier: MIT */
/* platforms/numbers.hpp - the numbers of a machine: which value a parameter has there by default, and where
 * it comes from. Blocks know those of one machine only. */
#ifndef WALKWAY_PLATFORMS_NUMBERS_HPP
#define WALKWAY_PLATFORMS_NUMBERS_HPP

#include "model/common/params.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct machine_number {
    const char *name, *value; /* as a .cfg file has them: "cu.wave_lanes", "32" */
    param_source source;
};
using machine_numbers = std::vector<machine_number>;
/* A machine that differs from another in these rows. */
machine_numbers numbers_over(machine_numbers base, const machine_numbers &rows);
using visit_fn = std::function<void(param_visitor &)>;

/* Gives the visited parameters the table's values. Throws std::logic_error where a row is no parameter, or no
 * value of it. */
void set_numbers(const machine_numbers &numbers, const visit_fn &visit);

/* A visit in which the table's parameters have its sources. What another machine's paper states, or was
 * chosen for it, is an assumption for the others. */
void visit_numbers(param_visitor &to, const machine_numbers &numbers, const visit_fn &visit);

} // namespace walkway

#endif
