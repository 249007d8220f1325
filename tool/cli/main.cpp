/* SPDX-License-Identifier: MIT */
/* cli/main.cpp - entry points that SystemC needs: it owns main() and calls sc_main(), and it reports defects
 * of the model through its report handler. */
#include "cli/commands.hpp"
#include "support/errors.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <systemc>
#include <unistd.h>

namespace
{

/* Suppresses the copyright notice that SystemC prints before sc_main(): stderr is for our messages. */
const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

/* A fatal report means a broken contract, perhaps with C code on the stack, which cannot be unwound. A report
 * about the trace is from the blocks that read it; it is thrown through sc_start() to the function that runs
 * the machine. */
void report(const sc_core::sc_report &r, const sc_core::sc_actions &actions)
{
    if (std::strcmp(r.get_msg_type(), "/walkway/trace") == 0)
        throw r;
    if (r.get_severity() != sc_core::SC_FATAL) {
        sc_core::sc_report_handler::default_handler(r, actions);
        return;
    }
    std::fprintf(stderr, "walkway: internal error: %s: %s\n", r.get_msg_type(), r.get_msg());
    std::fflush(nullptr);
    _exit(walkway::exit_law);
}

} // namespace

int sc_main(int argc, char *argv[])
{
    sc_core::sc_report_handler::set_handler(report);
    return silence != 0 ? silence : walkway::walkway_main({argv + 1, argv + argc});
}
