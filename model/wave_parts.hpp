/* SPDX-License-Identifier: MIT */
/* model/wave_parts.hpp - a wave of the trace on compute units with fewer lanes: a wave of 64 lanes becomes
 * two of 32, lanes 0 to 31 and lanes 32 to 63, each with its own records. A half without work-items does not
 * exist. */
#ifndef WALKWAY_MODEL_WAVE_PARTS_HPP
#define WALKWAY_MODEL_WAVE_PARTS_HPP

#include "model/start_point.hpp"
#include "trace/wkt.h"

#include <cstring>

namespace walkway
{

enum class lane_part : uint8_t { whole, lower, upper };

constexpr uint32_t lower_lanes = 0xffffffff;

/* True if a machine of machine_lanes lanes runs this part of a wave with these work-items. */
inline bool has_part(lane_part part, uint64_t lanes, uint32_t machine_lanes)
{
    if (machine_lanes != 32)
        return part == lane_part::whole;
    if (part == lane_part::whole)
        return false;
    return (part == lane_part::lower ? lanes & lower_lanes : lanes >> 32) != 0;
}

/* Reduces a record to the lanes of a part, from lane 0 on. Returns false if none of them is active. */
inline bool take_part(lane_part part, wkt_record &r)
{
    if (part == lane_part::upper) {
        r.mask >>= 32;
        std::memmove(r.va, r.va + 32, 32 * sizeof r.va[0]);
    } else if (part == lane_part::lower) {
        r.mask &= lower_lanes;
    }
    return r.mask != 0;
}

/* Returns the machine waves of a trace's wave with these work-items. */
inline uint32_t machine_waves(uint64_t lanes, uint32_t machine_lanes)
{
    if (machine_lanes != 32)
        return 1;
    return (has_part(lane_part::lower, lanes, machine_lanes) ? 1u : 0u) +
           (has_part(lane_part::upper, lanes, machine_lanes) ? 1u : 0u);
}

/* Returns the machine waves of a trace's group; with `from`, those that have not ended there. */
inline uint32_t machine_waves(wkt_group *g, uint32_t machine_lanes, const resident_group *from = nullptr)
{
    if (machine_lanes != 32 && from == nullptr)
        return wkt_group_waves(g);
    uint32_t waves = 0;
    for (uint32_t n = 0; n < wkt_group_waves(g); ++n) {
        if (from != nullptr && from->records[n] == resident_group::wave_ended)
            continue;
        wkt_cursor c;
        wkt_cursor_start(g, n, &c);
        waves += machine_waves(c.lanes, machine_lanes);
    }
    return waves;
}

} // namespace walkway

#endif
