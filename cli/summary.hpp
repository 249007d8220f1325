/* SPDX-License-Identifier: MIT */
/* cli/summary.hpp - a run's result for people. */
#ifndef WALKWAY_CLI_SUMMARY_HPP
#define WALKWAY_CLI_SUMMARY_HPP

#include "cli/simulate.hpp"

#include <iosfwd>

namespace walkway
{

void print_summary(std::ostream &out, const simulation &result, const std::string &label);

} // namespace walkway

#endif
