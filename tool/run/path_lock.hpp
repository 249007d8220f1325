/* SPDX-License-Identifier: MIT */
/* run/path_lock.hpp - a folder or file of one process at a time, and of its jobs. The lock is on it itself:
 * nothing stays behind, however the process ends. */
#ifndef WALKWAY_RUN_PATH_LOCK_HPP
#define WALKWAY_RUN_PATH_LOCK_HPP

#include <string>

namespace walkway
{

class path_lock
{
public:
    /* Until this object and the jobs of its process have ended. Throws failure(exit_output) that names the
     * process that holds it: "PATH: another walkway DOES (process ...)". */
    path_lock(const std::string &path, const std::string &does);
    ~path_lock();
    path_lock(const path_lock &) = delete;
    path_lock &operator=(const path_lock &) = delete;

private:
    int file_;
};

} // namespace walkway

#endif
