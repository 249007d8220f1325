/* SPDX-License-Identifier: MIT */
/* tb/cli/subprocess_test.cpp - programs that leave processes behind when they end. */
#include "cli/subprocess.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace walkway;

BOOST_AUTO_TEST_SUITE(subprocesses)

BOOST_AUTO_TEST_CASE(the_group_ends_with_the_program)
{
    const subprocess_end end = run_subprocess({{"sh", "-c", "sleep 1000 & echo $!; exit 3"}, {}, 0});
    BOOST_TEST(end.how == subprocess_end::exited);
    BOOST_TEST(end.code == 3);
    const pid_t left = std::stoi(end.out);
    bool gone = false;
    for (int i = 0; i < 30000 && !gone; ++i) { /* until it is reaped, too */
        gone = kill(left, 0) != 0 && errno == ESRCH;
        usleep(1000);
    }
    BOOST_TEST(gone);
    if (!gone)
        kill(left, SIGKILL);
}

BOOST_AUTO_TEST_CASE(a_process_that_left_the_group_and_writes_on_holds_nothing_up)
{
    const subprocess_end end = run_subprocess({{"sh", "-c", "setsid yes & sleep 0.2"}, {}, 0});
    BOOST_TEST(end.succeeded());
    BOOST_TEST(end.out.compare(0, 4, "y\ny\n") == 0);
}

BOOST_AUTO_TEST_CASE(a_program_has_its_standard_files_if_its_starter_has_closed_some)
{
    for (unsigned closed = 0; closed < 8; ++closed) {
        const pid_t starter = fork();
        BOOST_REQUIRE(starter >= 0);
        if (starter == 0) {
            dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
            for (int file = 0; file < 3; ++file)
                if ((closed >> file & 1) != 0)
                    close(file);
            const subprocess_end end = run_subprocess(
                {{"sh", "-c", "test -e /dev/fd/0 && ! test -p /dev/fd/0 && echo out && echo err >&2"},
                 {},
                 0});
            _exit(end.succeeded() && end.out == "out\n" && end.err == "err\n" ? 0 : 1);
        }
        int status = 0;
        BOOST_REQUIRE(waitpid(starter, &status, 0) == starter);
        BOOST_TEST(status == 0, "closed: " << closed);
    }
}

BOOST_AUTO_TEST_SUITE_END()
