/* SPDX-License-Identifier: MIT */
/* support/interrupt.cpp - the signal handler counts requests; the second one ends the process. */
#include "support/interrupt.hpp"

#include "support/errors.hpp"
#include "support/stop_requests.hpp"

#include <csignal>
#include <unistd.h>

namespace walkway
{

/* A job's parent passes its signals on. If the second one ends the parent, the kernel ends its jobs
 * (run/jobs.cpp). */
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

/* With a handler, the call that raises the signal fails with an errno. SIG_IGN would have the same effect,
 * but started programs would inherit it. */
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
    signal(SIGCHLD, SIG_DFL); /* if ignored, as inherited from a parent, the exit codes of jobs are lost */
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
