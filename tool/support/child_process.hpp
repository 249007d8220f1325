/* SPDX-License-Identifier: MIT */
/* support/child_process.hpp - starts a program that the caller supervises. */
#ifndef WALKWAY_SUPPORT_CHILD_PROCESS_HPP
#define WALKWAY_SUPPORT_CHILD_PROCESS_HPP

#include <string>
#include <sys/types.h>
#include <vector>

namespace walkway
{

/* Open files for its standard ones; -1: /dev/null. */
struct standard_files {
    int in, out, err;
};

/* Makes these the standard files of this process, of which its starter may have closed some. Calls only what
 * a signal handler may call, for use between fork and exec. */
void take_standard_files(const standard_files &files);

/* Starts a program in a process group of its own, since its caller passes interrupts on. The first word is a
 * path, or a name in $PATH; a program that cannot be started ends with 127. `at_death`: the signal sent to it
 * when this process ends; 0: none. Returns a negative number, with errno, if the process cannot be made. */
pid_t start_child(const std::vector<std::string> &words, const standard_files &files, int at_death);

} // namespace walkway

#endif
