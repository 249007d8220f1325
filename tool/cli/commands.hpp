/* SPDX-License-Identifier: MIT */
/* cli/commands.hpp - the commands of the program, one file each. */
#ifndef WALKWAY_CLI_COMMANDS_HPP
#define WALKWAY_CLI_COMMANDS_HPP

#include "support/options.hpp"

namespace walkway
{

extern const command_def run_command;
extern const command_def compare_command;
extern const command_def advise_command;
extern const command_def capture_command;
extern const command_def trace_command;
extern const command_def list_command;
extern const command_def reproduce_command;
extern const command_def workloads_command;
extern const command_def walk_command;
extern const command_def sweep_command;
extern const command_def search_command;
extern const command_def results_command;
extern const command_def report_command;
extern const command_def guest_command;
extern const command_def completion_command;

const std::vector<const command_def *> &all_commands();

/* Runs the whole command line, without the program's name. Prints failures and returns the exit code. */
int walkway_main(const std::vector<std::string> &words);

} // namespace walkway

#endif
