/* SPDX-License-Identifier: MIT */
/* model/common/array.hpp - a memory array of a machine: its geometry, which determines its energy and area
 * (kernels/array_energy.h), and the statistics that count its reads and writes. docs/model/energy.md defines
 * arrays and accesses. */
#ifndef WALKWAY_MODEL_COMMON_ARRAY_HPP
#define WALKWAY_MODEL_COMMON_ARRAY_HPP

#include "kernels/array_energy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct hardware_array {
    std::string block, part; /* "l1_tlb", "entries" */
    uint64_t copies;         /* number in the machine, each of this shape: */
    ww_array_cfg shape;
    std::vector<std::string> reads, writes; /* full names of statistics; their sums are the accesses */
    bool lent = false;                      /* lies in the cells of another array: has no area of its own */
    std::optional<ww_array_cost> stated = std::nullopt; /* stated by a paper; replaces the formula's result */
};

/* Returns an array of `entries` entries that share `bits`. With one set the key is compared in every entry,
 * else in the ways of a set after they are read. */
inline ww_array_cfg array_of(uint64_t entries, uint64_t bits, uint64_t ways, uint64_t key_bits,
                             uint32_t ports)
{
    const auto each = static_cast<uint32_t>((bits + entries - 1) / entries);
    const auto n = static_cast<uint32_t>(entries);
    if (ways != entries)
        return {n, each, 0, static_cast<uint32_t>(ways), each, ports};
    const uint32_t key = key_bits < each ? static_cast<uint32_t>(key_bits) : each;
    return {n, each, key, 1, each - key, ports};
}

} // namespace walkway

#endif
