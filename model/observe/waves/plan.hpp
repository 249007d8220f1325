/* SPDX-License-Identifier: MIT */
/* observe/waves/plan.hpp - what a waveform dump shall hold. */
#ifndef WALKWAY_OBSERVE_WAVES_PLAN_HPP
#define WALKWAY_OBSERVE_WAVES_PLAN_HPP

#include "model/common/clock.hpp"
#include "observe/output_file.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A dump of signals, with everything that had to be chosen chosen. */
struct wave_plan {
    std::string file;
    std::string title;               /* what was simulated, for the header; equal runs have equal titles */
    std::vector<std::string> blocks; /* names as in signal_info */
    tick from = 0;                   /* the dump begins here, or waits from here for its trigger */
    tick to = never;                 /* and ends before here */
    tick length = never;             /* or so long after its first time, whichever is earlier */
    std::string trigger;             /* name of a signal; empty: none */
    uint64_t above = 0;              /* the trigger fires when its value is greater */
};

/* The dump could not be made, and why. */
class wave_failure : public file_failure
{
public:
    using file_failure::file_failure;
};

} // namespace walkway

#endif
