/* SPDX-License-Identifier: MIT */
/* cli/interrupt.cpp - the signal handler only counts. */
#include "cli/interrupt.hpp"

#include "cli/errors.hpp"

#include <csignal>
#include <unistd.h>

namespace walkway
{

static volatile std::sig_atomic_t signals_seen = 0;

/* The third and not the second: a child of an interrupted command line gets one from the terminal and one
 * from its parent. */
extern "C" {
static void count_signal(int)
{
    signals_seen = signals_seen + 1;
    if (signals_seen >= 3)
        _exit(exit_interrupted);
}
}

void watch_interrupts()
{
    struct sigaction action {
    };
    action.sa_handler = count_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted()
{
    return signals_seen != 0;
}

} // namespace walkway
