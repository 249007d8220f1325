/* SPDX-License-Identifier: MIT */
/* cli/python.hpp - calls of Python: figures, and reports of studies. */
#ifndef WALKWAY_CLI_PYTHON_HPP
#define WALKWAY_CLI_PYTHON_HPP

#include "support/paths.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Runs a script to its end, isolated from the user's packages and the current folder. Returns its output.
 * The program is $WALKWAY_PYTHON, or Debian's. Throws failure(exit_input) with the last line of its error
 * output. */
std::string run_script(const std::string &script, const std::vector<std::string> &words);

inline std::string run_python(const std::string &name, const std::vector<std::string> &words)
{
    return run_script(python_file(name), words);
}

} // namespace walkway

#endif
