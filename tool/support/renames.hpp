/* SPDX-License-Identifier: MIT */
/* support/renames.hpp - former names of parameters and statistics, and their present ones: renames.txt. */
#ifndef WALKWAY_SUPPORT_RENAMES_HPP
#define WALKWAY_SUPPORT_RENAMES_HPP

#include <string>

namespace walkway
{

/* Returns "walk_unit.walkers" for "iommu.walkers"; an unchanged name is returned as it is. */
std::string name_now(const std::string &name);

} // namespace walkway

#endif
