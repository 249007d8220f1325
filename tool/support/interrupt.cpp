/* SPDX-License-Identifier: MIT */
/* support/interrupt.cpp - the signal handler only counts. */
#include "support/interrupt.hpp"

#include "support/errors.hpp"
#include "support/stop_requests.hpp"

#include <csignal>
#include <unistd.h>

namespace walkway
{

/* A job's parent passes on what it got. When it ends at a second, the kernel ends its jobs (run/jobs.cpp). */
static stop_requests asked;
static bool of_job = false;

extern "C" {
static void count_signal(int, siginfo_t *info, void *)
{
    if (asked.received(*info) >= 2)
        _exit(exit_interrupted);
}

static void only_fail(int) {}
}

/* The call that meets the signal fails then, and says why. Not SIG_IGN, which programs that are started would
 * inherit. */
static void make_failure(int signal_number)
{
    struct sigaction action {
    };
    action.sa_handler = only_fail;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal_number, &action, nullptr);
}

void keep_broken_pipes()
{
    make_failure(SIGPIPE);
}

void watch_interrupts()
{
    make_failure(SIGXFSZ); /* ulimit -f */
    struct sigaction action {
    };
    action.sa_sigaction = count_signal;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    signal(SIGCHLD, SIG_DFL); /* our parent may ignore it, and our jobs' ends would be lost */
}

void expect_interrupts_of_parent()
{
    of_job = true;
    asked.expect_from(getppid());
}

bool is_job()
{
    return of_job;
}

bool interrupted()
{
    return asked.requests() != 0;
}

} // namespace walkway
