/* SPDX-License-Identifier: MIT */
/* cli/main.cpp - entry points that libraries ask of the program: SystemC owns main() and calls sc_main(); the
 * kernels leave what happens after a failed assertion to their user. */
#include "cli/commands.hpp"

#include <cstdlib>
#include <systemc>

namespace
{

/* SystemC prints its copyright notice before sc_main() unless told otherwise; stderr belongs to our messages.
 */
const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

} // namespace

int sc_main(int argc, char *argv[])
{
    return silence != 0 ? silence : walkway::walkway_main({argv + 1, argv + argc});
}
