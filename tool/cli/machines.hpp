/* SPDX-License-Identifier: MIT */
/* cli/machines.hpp - machines and traces on the command line of `run` and `compare`: a machine may be given
 * with -p or among the words, in any order. */
#ifndef WALKWAY_CLI_MACHINES_HPP
#define WALKWAY_CLI_MACHINES_HPP

#include "support/options.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct command_words {
    std::vector<std::string> machines; /* those of -p first */
    std::vector<std::string> others;   /* traces, or unknown words */
};

command_words sort_words(const arguments &args);

/* -p, for both commands. */
option_def platform_option_def();

} // namespace walkway

#endif
