/* SPDX-License-Identifier: MIT */
/* observe/output_file.cpp - buffers output, renames the whole file, keeps errors. */
#include "observe/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace walkway
{

/* A part of the host's second-level cache; the model uses the rest. */
static constexpr size_t buffer_bytes = 1 << 16;

std::string behind_links(const std::string &path)
{
    namespace fs = std::filesystem;
    constexpr int most_links = 40; /* the kernel's limit */
    fs::path place = path;
    std::error_code error;
    for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(place, error)); ++i)
        place = place.parent_path() / fs::read_symlink(place, error);
    return place.string();
}

output_file::output_file(const std::string &path)
    : path_(behind_links(path)), temporary_(path_), buffer_(buffer_bytes), at_(buffer_.data()),
      end_(at_ + buffer_.size())
{
    struct stat status {
    };
    if (stat(path_.c_str(), &status) != 0 || S_ISREG(status.st_mode)) /* neither a pipe nor a device */
        temporary_ += ".tmp" + std::to_string(getpid());
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (file_ == nullptr)
        throw file_failure(path_ + ": " + std::strerror(errno));
    std::setvbuf(file_, nullptr, _IONBF, 0); /* buffer_ is used instead */
}

output_file::~output_file()
{
    if (file_ == nullptr)
        return;
    std::fclose(file_);
    discard();
}

void output_file::discard()
{
    if (temporary_ != path_)
        std::remove(temporary_.c_str());
}

void output_file::flush()
{
    const auto used = static_cast<size_t>(at_ - buffer_.data());
    errno = 0;
    if (error_ == 0 && std::fwrite(buffer_.data(), 1, used, file_) != used)
        error_ = errno == 0 ? EIO : errno;
    at_ = buffer_.data();
}

void output_file::put(const std::string &text)
{
    for (size_t at = 0; at < text.size();) {
        char *to = room(1);
        const size_t n = std::min(text.size() - at, static_cast<size_t>(end_ - to));
        std::memcpy(to, text.data() + at, n);
        done(to + n);
        at += n;
    }
}

void output_file::finish()
{
    flush();
    errno = 0;
    if (std::fclose(file_) != 0 && error_ == 0)
        error_ = errno;
    file_ = nullptr;
    if (error_ == 0 && temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0)
        error_ = errno;
    if (error_ != 0) {
        discard();
        throw file_failure(path_ + ": " + std::strerror(error_));
    }
}

} // namespace walkway
