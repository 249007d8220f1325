/* SPDX-License-Identifier: MIT */
/* support/renames.hpp - names that parameters and statistics had, and what they are called now: renames.txt.
 */
#ifndef WALKWAY_SUPPORT_RENAMES_HPP
#define WALKWAY_SUPPORT_RENAMES_HPP

#include <string>

namespace walkway
{

/* "walk_unit.walkers" for "iommu.walkers"; a name that was not changed is its own. */
std::string name_now(const std::string &name);

} // namespace walkway

#endif
