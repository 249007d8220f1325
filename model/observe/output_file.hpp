/* SPDX-License-Identifier: MIT */
/* observe/output_file.hpp - a file that is whole or absent, also while a simulation runs: it has a temporary
 * name beside its own until finish(). Pipes and devices are written directly; of a link, its target is
 * written. The buffer is fixed; finish() reports a disk error, so that the simulation need not check. */
#ifndef WALKWAY_OBSERVE_OUTPUT_FILE_HPP
#define WALKWAY_OBSERVE_OUTPUT_FILE_HPP

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace walkway
{

/* The file could not be made. The simulation is unaffected. */
class file_failure : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/* Returns the target of a link, which need not exist, or the path itself. (A rename onto the link would leave
 * its target unchanged.) */
std::string behind_links(const std::string &path);

class output_file
{
public:
    /* Opens the file; throws file_failure. */
    explicit output_file(const std::string &path);
    ~output_file(); /* without finish() no file is left */
    output_file(const output_file &) = delete;
    output_file &operator=(const output_file &) = delete;

    void put(const std::string &text);
    /* Returns room for `bytes` more; done() sets the end of the text written there. Required: bytes is less
     * than the buffer's size. */
    char *room(size_t bytes)
    {
        if (static_cast<size_t>(end_ - at_) < bytes)
            flush();
        return at_;
    }
    void done(char *end) { at_ = end; }
    /* Gives the file its name. Throws file_failure, and then leaves no file. */
    void finish();
    bool failed() const { return error_ != 0; }

private:
    void flush();
    void discard();

    std::string path_, temporary_;
    std::FILE *file_ = nullptr;
    int error_ = 0;
    std::vector<char> buffer_;
    char *at_, *end_; /* the free part of the buffer */
};

} // namespace walkway

#endif
