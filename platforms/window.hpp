/* SPDX-License-Identifier: MIT */
/* platforms/window.hpp - a part of a run: a warm-up that is simulated and not counted, then a measured part.
 * Docs: docs/use/windows.md. */
#ifndef WALKWAY_PLATFORMS_WINDOW_HPP
#define WALKWAY_PLATFORMS_WINDOW_HPP

#include <cstdint>
#include <vector>

namespace walkway
{

#define WALKWAY_WINDOW_UNIT_LIST(X) X(instructions) X(translations) X(cycles) X(groups)

enum class window_unit : uint8_t {
#define X(name) name,
    WALKWAY_WINDOW_UNIT_LIST(X)
#undef X
};

struct window_bound {
    window_unit unit = window_unit::cycles;
    uint64_t count = 0; /* 0: not bounded */
};

/* The window opens when the warm-up is complete, or at once without one, and closes when the measure is full,
 * or with the run without one. */
struct run_window {
    window_bound warm_up, measure;
    bool any() const { return warm_up.count != 0 || measure.count != 0; }
};

/* Counts of what begins and ends, and of what is in flight as counted by its holder. */
struct window_flow {
    const char *name;
    uint64_t begun, ended, inside;
};

/* A moment of a run. All counts are from time zero. */
struct window_edge {
    uint64_t cycles = 0, instructions = 0, translations = 0, groups = 0;
    std::vector<window_flow> flows;
};

struct window_report {
    bool opened = false; /* else the run ended in its warm-up, and the rest is unset */
    bool full = false;   /* closed by the measure; else by the end of the run */
    window_edge open, close;
};

} // namespace walkway

#endif
