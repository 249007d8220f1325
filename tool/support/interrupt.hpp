/* SPDX-License-Identifier: MIT */
/* support/interrupt.hpp - SIGINT and SIGTERM request a stop at the work's next convenient point; a second one
 * ends the program at once. */
#ifndef WALKWAY_SUPPORT_INTERRUPT_HPP
#define WALKWAY_SUPPORT_INTERRUPT_HPP

namespace walkway
{

void watch_interrupts();
/* For a job's process: signals that its parent passes on do not count twice. */
void expect_interrupts_of_parent();
bool is_job(); /* true in such a process */
bool interrupted();
/* Makes a closed pipe an error of the file, not the end of the run. */
void keep_broken_pipes();

} // namespace walkway

#endif
