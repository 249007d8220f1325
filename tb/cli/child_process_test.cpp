/* SPDX-License-Identifier: MIT */
/* tb/cli/child_process_test.cpp - a started program has all its standard files, whichever of them its starter
 * has closed. */
#include "support/child_process.hpp"
#include "tb/support/closed_files.hpp"

#include <fcntl.h>

using namespace walkway;

namespace
{

int exit_code(pid_t process)
{
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_program_has_its_standard_files_if_its_starter_has_closed_some)
{
    for (const bool own : {false, true}) /* its errors go where its starter's do */
        test::expect_whichever_files_are_closed([own] {
            int pipe[2];
            if (pipe2(pipe, O_CLOEXEC) != 0)
                return false;
            const std::string program = "test -e /dev/fd/0 && test -e /dev/fd/2 && echo written";
            const pid_t child = start_child({"sh", "-c", program}, {-1, pipe[1], own ? 2 : -1}, 0);
            char text[8] = {};
            return exit_code(child) == 0 && read(pipe[0], text, 8) == 8 &&
                   std::string(text, 8) == "written\n";
        });
}
