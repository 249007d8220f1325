/* SPDX-License-Identifier: MIT */
/* platforms/array_energy.hpp - energy of the accesses to a machine's arrays, from their geometry and from the
 * statistics that count them. docs/model/energy.md. */
#ifndef WALKWAY_PLATFORMS_ARRAY_ENERGY_HPP
#define WALKWAY_PLATFORMS_ARRAY_ENERGY_HPP

#include "model/common/array.hpp"
#include "platforms/equality.hpp"

#include <array>
#include <vector>

namespace walkway
{

/* Returns the cost by estimate. Throws std::logic_error if the shape is illegal. */
std::array<ww_array_cost, WW_ARRAY_ESTIMATES> costs_of(const hardware_array &a);

/* Shows the group "arrays": a group for each block, in it one for each array; and their sums. */
void show_arrays(stat_visitor &v, const std::vector<hardware_array> &arrays, const stat_values &counted);

/* Returns the law that the shown sum is that of accesses times energies as shown. */
law law_of_arrays(const std::vector<hardware_array> &arrays, const stat_values &shown);

} // namespace walkway

#endif
