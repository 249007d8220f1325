/* SPDX-License-Identifier: MIT */
/* model/common/set_sizes.hpp - sizes of set-associative arrays: a power of two of sets. */
#ifndef WALKWAY_MODEL_COMMON_SET_SIZES_HPP
#define WALKWAY_MODEL_COMMON_SET_SIZES_HPP

#include <cstdint>
#include <string>

namespace walkway
{

/* Returns an empty string if `size`, the value of parameter `name`, is a power of two of sets of `set` each;
 * else a complaint with the nearest sizes that are. `sets` names the division: "entries / ways". Required:
 * size is above zero. */
inline std::string wrong_sets(const char *sets, const char *name, uint64_t size, uint64_t set)
{
    uint64_t above = set;
    while (above < size)
        above *= 2;
    if (above == size)
        return "";
    const std::string below = above > set ? std::to_string(above / 2) + " or " : "";
    return std::string(sets) + " is not a power of two: " + name + " = " + below + std::to_string(above) +
           " would be";
}

} // namespace walkway

#endif
