/* SPDX-License-Identifier: MIT */
/* cli/interrupt.hpp - SIGINT and SIGTERM ask the work to stop at its next convenient point; a third one ends
 * the program at once. */
#ifndef WALKWAY_CLI_INTERRUPT_HPP
#define WALKWAY_CLI_INTERRUPT_HPP

namespace walkway
{

void watch_interrupts();
bool interrupted();

} // namespace walkway

#endif
