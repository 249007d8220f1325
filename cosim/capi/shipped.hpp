/* SPDX-License-Identifier: MIT */
/* capi/shipped.hpp - the machines of platforms/, whose files are part of the library: names work wherever the
 * library is installed, and a shipped file is complete, so it has all parameters of its path, with their
 * ranges. */
#ifndef WALKWAY_CAPI_SHIPPED_HPP
#define WALKWAY_CAPI_SHIPPED_HPP

#include <string>
#include <vector>

namespace walkway
{

struct shipped_platform {
    const char *name, *text;
};

const std::vector<shipped_platform> &shipped_platforms();
std::vector<std::string> shipped_names();
/* Returns null if there is none of this name. */
const shipped_platform *find_shipped(const std::string &name);

} // namespace walkway

#endif
