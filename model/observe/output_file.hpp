/* SPDX-License-Identifier: MIT */
/* observe/output_file.hpp - a file that is whole or absent, also while a simulation runs: it has a
 * temporary name beside its own until finish(). Pipes and devices are written as they are, and of a link the
 * file to which it leads. The buffer is fixed; a disk error is kept and reported by finish(), so that the
 * simulation need not check. */
#ifndef WALKWAY_OBSERVE_OUTPUT_FILE_HPP
#define WALKWAY_OBSERVE_OUTPUT_FILE_HPP

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace walkway
{

/* The file could not be made; the simulation is not touched by it. */
class file_failure : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/* Where a link leads, the file there or not yet: a rename in place of the link would leave that file as it
 * is. Else the path itself. */
std::string behind_links(const std::string &path);

class output_file
{
public:
    /* Opens the file; throws file_failure. */
    explicit output_file(const std::string &path);
    ~output_file(); /* without finish() nothing is left behind */
    output_file(const output_file &) = delete;
    output_file &operator=(const output_file &) = delete;

    void put(const std::string &text);
    /* Returns room for `bytes` more, less than the buffer's size; the text written there ends at done(). */
    char *room(size_t bytes)
    {
        if (static_cast<size_t>(end_ - at_) < bytes)
            flush();
        return at_;
    }
    void done(char *end) { at_ = end; }
    /* The file gets its name. Throws file_failure, then nothing is there. */
    void finish();
    bool failed() const { return error_ != 0; }

private:
    void flush();
    void discard();

    std::string path_, temporary_;
    std::FILE *file_ = nullptr;
    int error_ = 0;
    std::vector<char> buffer_;
    char *at_, *end_; /* what is free of it */
};

} // namespace walkway

#endif
