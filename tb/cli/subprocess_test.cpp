/* SPDX-License-Identifier: MIT */
/* tb/cli/subprocess_test.cpp - programs that leave processes behind when they end. */
#include "cli/subprocess.hpp"
#include "tb/support/closed_files.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>

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
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO); /* this test may be started with a pipe */
    test::expect_whichever_files_are_closed([] {
        const subprocess_end end = run_subprocess(
            {{"sh", "-c", "test -e /dev/fd/0 && ! test -p /dev/fd/0 && echo out && echo err >&2"}, {}, 0});
        return end.succeeded() && end.out == "out\n" && end.err == "err\n";
    });
}

BOOST_AUTO_TEST_SUITE_END()
