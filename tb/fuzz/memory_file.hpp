/* SPDX-License-Identifier: MIT */
/* tb/fuzz/memory_file.hpp - a file in memory that has a path, because the readers under test open paths. */
#ifndef WW_TB_FUZZ_MEMORY_FILE_HPP
#define WW_TB_FUZZ_MEMORY_FILE_HPP

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace walkway_fuzz
{

class memory_file
{
public:
    memory_file() : fd_(memfd_create("fuzz", MFD_CLOEXEC))
    {
        if (fd_ < 0)
            std::abort();
        path_ = "/proc/self/fd/" + std::to_string(fd_);
    }
    ~memory_file() { close(fd_); }
    memory_file(const memory_file &) = delete;
    memory_file &operator=(const memory_file &) = delete;

    void write(const void *data, size_t size)
    {
        if (ftruncate(fd_, 0) != 0 || pwrite(fd_, data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
    }
    const std::string &path() const { return path_; }

private:
    int fd_;
    std::string path_;
};

} // namespace walkway_fuzz

#endif
