/* SPDX-License-Identifier: MIT */
/* tb/cli/child_process_test.cpp - a started program has all its standard files, whichever of them its starter
 * has closed. */
#include "support/child_process.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    for (unsigned closed = 0; closed < 8; ++closed)
        for (const bool own : {false, true}) { /* its errors go where its starter's do */
            const pid_t starter = fork();
            BOOST_REQUIRE(starter >= 0);
            if (starter == 0) {
                for (int file = 0; file < 3; ++file)
                    if ((closed >> file & 1) != 0)
                        close(file);
                int pipe[2];
                if (pipe2(pipe, O_CLOEXEC) != 0)
                    _exit(2);
                const std::string program = "test -e /dev/fd/0 && test -e /dev/fd/2 && echo written";
                const pid_t child = start_child({"sh", "-c", program}, {-1, pipe[1], own ? 2 : -1}, 0);
                char text[8] = {};
                const bool right = exit_code(child) == 0 && read(pipe[0], text, 8) == 8;
                _exit(right && std::string(text, 8) == "written\n" ? 0 : 1);
            }
            BOOST_TEST(exit_code(starter) == 0, "closed: " << closed << ", own: " << own);
        }
}
