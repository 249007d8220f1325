/* SPDX-License-Identifier: MIT */
/* run/waves.hpp - the options of `walkway run` for a waveform dump. */
#ifndef WALKWAY_RUN_WAVES_HPP
#define WALKWAY_RUN_WAVES_HPP

#include "platforms/platform.hpp"
#include "support/options.hpp"

namespace walkway
{

/* A time as given. Its unit may be a cycle, which only the machine knows. */
struct dump_time {
    std::string text; /* empty: not given */
    double number = 0;
    uint64_t unit_ps = 0; /* 0: cycles */
    uint64_t ps(uint64_t cycle_ps) const;
};

struct wave_options {
    std::string file; /* empty: no dump */
    dump_time from, to, length;
    std::vector<std::string> globs; /* empty: all blocks */
    std::string trigger;
    uint64_t above = 0;
};

/* Parses an option's text. Throws failure(exit_usage). */
dump_time parse_time(const std::string &option, const std::string &text);

/* Both throw failure(exit_usage): text that cannot be parsed; signals or times that this machine does not
 * have. */
wave_options wave_options_of(const arguments &args);
wave_plan wave_plan_of(const wave_options &options, const platform &machine, const std::string &title);

std::vector<option_def> wave_option_defs();

} // namespace walkway

#endif
