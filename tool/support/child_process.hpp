/* SPDX-License-Identifier: MIT */
/* support/child_process.hpp - a program that is started and looked after by its caller. */
#ifndef WALKWAY_SUPPORT_CHILD_PROCESS_HPP
#define WALKWAY_SUPPORT_CHILD_PROCESS_HPP

#include <string>
#include <sys/types.h>
#include <vector>

namespace walkway
{

/* Open files, as its standard ones; -1: /dev/null. */
struct standard_files {
    int in, out, err;
};

/* In a process group of its own, since an interrupt is its caller's to pass on. The first word is a path, or
 * a name in $PATH; what cannot be started ends with 127. `at_death`: the signal that it gets when this
 * process ends; 0: none. Negative, and errno says why: there is no such process. */
pid_t start_child(const std::vector<std::string> &words, const standard_files &files, int at_death);

} // namespace walkway

#endif
