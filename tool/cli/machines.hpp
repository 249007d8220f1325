/* SPDX-License-Identifier: MIT */
/* cli/machines.hpp - machines and traces on the command line of `run`, `compare` and `advise`: a machine may
 * be given with -p or among the words, in any order. */
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

/* Returns the words by kind. A machine is ":CHANGES", a .cfg file, or a shipped machine's name that is no
 * existing file, with or without ":CHANGES"; "gen:..." is none. */
command_words sort_words(const arguments &args);

/* Returns -p, --platform MACHINE, which may be repeated: of run, compare and advise. */
option_def platform_option_def();

} // namespace walkway

#endif
