/* SPDX-License-Identifier: MIT */
/* platforms/default_units.hpp - compute units of the default machine, for code that names it and builds none:
 * a captured program sees this number. */
#ifndef WALKWAY_PLATFORMS_DEFAULT_UNITS_HPP
#define WALKWAY_PLATFORMS_DEFAULT_UNITS_HPP

namespace walkway
{

constexpr unsigned default_units = 8, most_units = 250;

} // namespace walkway

#endif
