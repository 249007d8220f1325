/* SPDX-License-Identifier: MIT */
/* model/start_point.hpp - the start of a run in the middle of a program: the work-groups on compute units,
 * the progress of their waves, and the recent uses in order. inputs/sample finds it without time; docs:
 * docs/use/sampling.md. It has no requests in flight and no open rows of main memory. */
#ifndef WALKWAY_MODEL_START_POINT_HPP
#define WALKWAY_MODEL_START_POINT_HPP

#include <cstdint>
#include <vector>

namespace walkway
{

struct resident_group {
    static constexpr uint32_t wave_ended = UINT32_MAX;
    uint32_t number, unit;
    std::vector<uint32_t> records; /* by wave of the trace: records issued, or wave_ended */
};

/* The latest use of a page or line before the point. */
struct recent_use {
    enum kind : uint8_t { page, line_read, line_written };
    uint64_t va; /* first byte; a page has 4 KiB */
    uint16_t unit;
    uint8_t what; /* enum kind */
    /* Of a line: written while it stayed in the cache that all units share, and not written back since. */
    bool dirty;
};

struct start_point {
    uint32_t launch = 0, next_group = 0;
    uint32_t unit = 0; /* where the next work-group is tried first */
    std::vector<resident_group> resident;
    uint32_t apart_cycles = 0;    /* by which waves on the last compute unit begin after those on the first */
    std::vector<recent_use> used; /* the oldest first */
};

} // namespace walkway

#endif
