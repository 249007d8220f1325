/* SPDX-License-Identifier: MIT */
/* observe/waves/plan.hpp - contents of a waveform dump. */
#ifndef WALKWAY_OBSERVE_WAVES_PLAN_HPP
#define WALKWAY_OBSERVE_WAVES_PLAN_HPP

#include "model/common/clock.hpp"
#include "observe/output_file.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A dump of signals, fully resolved. */
struct wave_plan {
    std::string file;
    std::string title;               /* what was simulated, for the header; equal runs have equal titles */
    std::vector<std::string> blocks; /* names as in signal_info */
    tick from = 0;                   /* the dump begins here, or waits for its trigger from here on */
    tick to = never;                 /* the dump ends before here, */
    tick length = never;             /* or this long after its first time, if earlier */
    std::string trigger;             /* name of a signal; empty: none */
    uint64_t above = 0;              /* the trigger fires when its value is above this */
};

/* The dump could not be made; what() says why. */
class wave_failure : public file_failure
{
public:
    using file_failure::file_failure;
};

} // namespace walkway

#endif
