/* SPDX-License-Identifier: MIT */
/* capi/shipped.hpp - the machines of platforms/, their files being part of the library: names work wherever
 * it is, and a shipped file is whole, so it says what parameters its path has, with their ranges. */
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
/* Null when there is none of this name. */
const shipped_platform *find_shipped(const std::string &name);

} // namespace walkway

#endif
