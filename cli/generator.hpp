/* SPDX-License-Identifier: MIT */
/* cli/generator.hpp - synthetic traces on the command line: "gen:PATTERN,key=value,..." wherever a trace may
 * be named. Keys, units, ranges and defaults are those of generate/generate.h. */
#ifndef WALKWAY_CLI_GENERATOR_HPP
#define WALKWAY_CLI_GENERATOR_HPP

#include "cli/statistics.hpp"
#include "cli/table.hpp"
#include "cli/trace_file.hpp"

#include <iosfwd>
#include <string>

namespace walkway
{

/* Starts with "gen:". A file of such a name is reached by a folder before it: "./gen:x". */
bool is_generator(const std::string &trace);

/* Throws failure(exit_usage) that names the nearest pattern or key, or the range. */
trace_file open_generator(const std::string &specification);

void print_generators(std::ostream &out);
table generators_table(); /* their parameters */
json generators_json();

} // namespace walkway

#endif
