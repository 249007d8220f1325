/* SPDX-License-Identifier: MIT */
/* model/start_point.hpp - where a run begins in the middle of a program: the work-groups on compute units,
 * how far their waves are, and what was used before, in its order. inputs/sample finds it without time; docs:
 * docs/use/sampling.md. Not stated: what is in flight, open rows of main memory. */
#ifndef WALKWAY_MODEL_START_POINT_HPP
#define WALKWAY_MODEL_START_POINT_HPP

#include <cstdint>
#include <vector>

namespace walkway
{

struct resident_group {
    static constexpr uint32_t wave_ended = UINT32_MAX;
    uint32_t number, unit;
    std::vector<uint32_t> records; /* by wave of the trace: those that it has issued, or wave_ended */
};

/* The latest use of something before the point. */
struct recent_use {
    enum kind : uint8_t { page, line_read, line_written };
    uint64_t va; /* its first byte; a page has 4 KiB */
    uint16_t unit;
    uint8_t what; /* enum kind */
    bool dirty; /* of a line: written while it stayed in a cache for all units, and not written back since */
};

struct start_point {
    uint32_t launch = 0, next_group = 0;
    uint32_t unit = 0; /* where the next work-group is tried first */
    std::vector<resident_group> resident;
    std::vector<recent_use> used; /* the oldest first */
};

} // namespace walkway

#endif
