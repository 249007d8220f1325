/* SPDX-License-Identifier: MIT */
/* run/path_lock.hpp - reserves a folder or file for one process at a time, and its jobs. The lock is on the
 * path itself: nothing is left, however the process ends. */
#ifndef WALKWAY_RUN_PATH_LOCK_HPP
#define WALKWAY_RUN_PATH_LOCK_HPP

#include <string>

namespace walkway
{

class path_lock
{
public:
    /* Locks an existing path until this object and the jobs of its process have ended; does not wait. What
     * cannot be opened or locked at all is not locked. Throws failure(exit_output) if another process holds
     * it: "PATH: another walkway DOES (process ...)". */
    path_lock(const std::string &path, const std::string &does);
    ~path_lock();
    path_lock(const path_lock &) = delete;
    path_lock &operator=(const path_lock &) = delete;

private:
    int file_;
};

} // namespace walkway

#endif
