/* SPDX-License-Identifier: MIT */
/* run/generator.hpp - synthetic traces on the command line: "gen:PATTERN,key=value,..." wherever a trace may
 * be named. Keys, units, ranges and defaults are those of generate/generate.h. */
#ifndef WALKWAY_RUN_GENERATOR_HPP
#define WALKWAY_RUN_GENERATOR_HPP

#include "run/parameters.hpp"
#include "run/trace_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

/* True if it starts with "gen:". A file of such a name needs a folder before it: "./gen:x". */
bool is_generator(const std::string &trace);

/* Opens a generated trace. Throws failure(exit_usage) that names the nearest pattern or key, or the range. */
trace_file open_generator(const std::string &specification);

/* Returns the parameters of a pattern, with their defaults. */
std::vector<parameter> generator_parameters(uint8_t pattern);

} // namespace walkway

#endif
