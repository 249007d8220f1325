/* SPDX-License-Identifier: MIT */
/* cli/listing.hpp - parameters as a table, as JSON and as a complete platform file; statistics before any
 * run. */
#ifndef WALKWAY_CLI_LISTING_HPP
#define WALKWAY_CLI_LISTING_HPP

#include "cli/config.hpp"
#include "cli/parameters.hpp"
#include "cli/statistics.hpp"

#include <iosfwd>

namespace walkway
{

/* `fresh` are the wiring's defaults, in the same order. */
void print_parameters(std::ostream &out, const std::vector<parameter> &now,
                      const std::vector<parameter> &fresh);
json parameters_json(const std::vector<parameter> &now, const std::vector<parameter> &fresh);
void print_cfg(std::ostream &out, const platform_spec &spec);

/* Builds the machine on a trace of one load and asks it, without running. */
json statistics_of_idle_machine(const platform_spec &spec);

} // namespace walkway

#endif
