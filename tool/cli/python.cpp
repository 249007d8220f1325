/* SPDX-License-Identifier: MIT */
/* cli/python.cpp - see python.hpp. */
#include "cli/python.hpp"

#include "cli/subprocess.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

namespace walkway
{

std::string run_script(const std::string &script, const std::vector<std::string> &words)
{
    const std::string python = python_program();
    std::vector<std::string> command = {python, "-I", "-B", script};
    command.insert(command.end(), words.begin(), words.end());
    const subprocess_end end = run_subprocess({command, {}, 0});
    if (end.succeeded())
        return end.out;
    std::string said = end.err;
    while (!said.empty() && said.back() == '\n')
        said.pop_back();
    said = said.substr(said.find_last_of('\n') + 1);
    if (end.how == subprocess_end::not_started)
        said = python + " cannot be started: install python3 and python3-matplotlib, and then: " +
               (words.empty() ? "/usr/bin/python3 " + script : "the command again");
    throw failure(exit_input, said.empty() ? text_of_end(end) : said);
}

} // namespace walkway
