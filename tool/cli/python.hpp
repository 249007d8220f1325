/* SPDX-License-Identifier: MIT */
/* cli/python.hpp - what is done in Python: figures, and reports of studies. */
#ifndef WALKWAY_CLI_PYTHON_HPP
#define WALKWAY_CLI_PYTHON_HPP

#include "support/paths.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A script to its end, isolated: neither the user's packages nor the folder it is started in. Answers what it
 * printed. The program is $WALKWAY_PYTHON, or Debian's. Throws failure(exit_input) with its last line of
 * complaint. */
std::string run_script(const std::string &script, const std::vector<std::string> &words);

inline std::string run_python(const std::string &name, const std::vector<std::string> &words)
{
    return run_script(python_file(name), words);
}

} // namespace walkway

#endif
