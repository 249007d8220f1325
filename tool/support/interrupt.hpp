/* SPDX-License-Identifier: MIT */
/* support/interrupt.hpp - SIGINT and SIGTERM ask the work to stop at its next convenient point; a second one
 * ends the program at once. */
#ifndef WALKWAY_SUPPORT_INTERRUPT_HPP
#define WALKWAY_SUPPORT_INTERRUPT_HPP

namespace walkway
{

void watch_interrupts();
void expect_interrupts_of_parent(); /* of a job's process: what its parent passes on does not count twice */
bool is_job();                      /* this is such a process */
bool interrupted();
/* A reader that goes away is an error of the file, not the end of the run. */
void keep_broken_pipes();

} // namespace walkway

#endif
