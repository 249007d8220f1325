/* SPDX-License-Identifier: MIT */
/* run/path_lock.cpp - locks by flock(). */
#include "run/path_lock.hpp"

#include "support/errors.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace walkway
{

static std::string contents_of(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/* Returns "process 123: walkway run -o x" if the kernel names the holder; else "". */
static std::string holder_of(int file)
{
    struct stat status {
    };
    if (fstat(file, &status) != 0)
        return "";
    char device[64];
    std::snprintf(device, sizeof device, "%02x:%02x:%llu", major(status.st_dev), minor(status.st_dev),
                  static_cast<unsigned long long>(status.st_ino));
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, advice, access, process, place;
        words >> number >> kind >> advice >> access >> process >> place;
        if (kind != "FLOCK" || place != device)
            continue;
        std::string command = contents_of("/proc/" + process + "/cmdline");
        command.erase(0, command.rfind('/', command.find('\0')) + 1); /* omits the program's folder */
        std::replace(command.begin(), command.end(), '\0', ' ');
        if (!command.empty())
            command.pop_back(); /* the end of the last word */
        return "process " + process + (command.empty() ? "" : ": " + as_written(command));
    }
    return "";
}

path_lock::path_lock(const std::string &path, const std::string &does)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return; /* a file system may have no locks */
    const std::string holder = holder_of(file_);
    close(file_);
    throw failure(exit_output,
                  path + ": another walkway " + does + (holder.empty() ? "" : " (" + holder + ")"));
}

path_lock::~path_lock()
{
    if (file_ >= 0)
        close(file_);
}

} // namespace walkway
