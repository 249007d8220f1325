/* SPDX-License-Identifier: MIT */
/* cli/input.cpp - traces from files and from programs. */
#include "cli/input.hpp"

#include "cli/errors.hpp"

namespace walkway
{

void capture_program(const std::vector<std::string> &, const std::string &, bool)
{
    throw failure(exit_input, "this program was built without capture: give it a trace");
}

std::string trace_of_program(const std::vector<std::string> &, bool, bool)
{
    throw failure(exit_input, "this program was built without capture: give it a trace");
}

std::string input_trace(const arguments &args, const std::vector<std::string> &files)
{
    if (args.has_program) {
        if (!files.empty())
            throw failure(exit_usage, "give a trace or a program, not both");
        if (args.program.empty())
            throw failure(exit_usage, "'--' wants a program after it");
        return trace_of_program(args.program, !args.has("no-cache"), args.has("quiet"));
    }
    if (files.size() != 1)
        throw failure(exit_usage, files.empty() ? "give a trace, or a program after '--'"
                                                : "give one trace; this is one too many: " + files[1]);
    return files.front();
}

} // namespace walkway
