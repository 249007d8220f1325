/* SPDX-License-Identifier: MIT */
/* support/interrupt.cpp - the signal handler only counts. */
#include "support/interrupt.hpp"

#include "support/errors.hpp"

#include <csignal>
#include <unistd.h>

namespace walkway
{

/* A terminal's signal reaches a job's process directly and once more from its parent, which passes on what it
 * got: the parent's does not count as a second one. When the parent ends at a second, the kernel ends its
 * jobs (run/jobs.cpp). */
static volatile std::sig_atomic_t asked_by_user = 0, asked_by_parent = 0, of_job = 0;

extern "C" {
static void count_signal(int, siginfo_t *info, void *)
{
    if (of_job != 0 && info->si_code == SI_USER && info->si_pid == getppid() && asked_by_parent == 0) {
        asked_by_parent = 1;
        return;
    }
    asked_by_user = asked_by_user + 1;
    if (asked_by_user >= 2)
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
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    signal(SIGCHLD, SIG_DFL); /* whoever started us may ignore it, and our jobs' ends would be lost */
}

void expect_interrupts_of_parent()
{
    of_job = 1;
}

bool is_job()
{
    return of_job != 0;
}

bool interrupted()
{
    return asked_by_user != 0 || asked_by_parent != 0;
}

} // namespace walkway
