/* SPDX-License-Identifier: MIT */
/* model/waves/vcd_writer.cpp - text of a value change dump. */
#include "model/waves/vcd_writer.hpp"

#include "model/common/signals.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace walkway
{

static std::vector<std::string> parts_of(const std::string &name)
{
    std::vector<std::string> parts;
    size_t from = 0;
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', from)) {
        parts.push_back(name.substr(from, dot - from));
        from = dot + 1;
    }
    parts.push_back(name.substr(from));
    return parts;
}

vcd_writer::vcd_writer(const std::string &path) : path_(path), temporary_(path), buffer_(1 << 20)
{
    struct stat status {
    };
    if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) /* else a pipe or a device */
        temporary_ += ".tmp" + std::to_string(getpid());
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (file_ == nullptr)
        throw wave_failure(temporary_ + ": " + std::strerror(errno));
    std::setvbuf(file_, nullptr, _IONBF, 0); /* the buffer is here */
}

vcd_writer::~vcd_writer()
{
    if (file_ == nullptr)
        return;
    std::fclose(file_);
    discard();
}

void vcd_writer::discard()
{
    if (temporary_ != path_)
        std::remove(temporary_.c_str());
}

void vcd_writer::flush()
{
    errno = 0;
    if (error_ == 0 && std::fwrite(buffer_.data(), 1, used_, file_) != used_)
        error_ = errno == 0 ? EIO : errno;
    used_ = 0;
}

void vcd_writer::put(const std::string &text)
{
    for (size_t at = 0; at < text.size();) {
        room(1);
        const size_t n = std::min(text.size() - at, buffer_.size() - used_);
        std::memcpy(buffer_.data() + used_, text.data() + at, n);
        used_ += n;
        at += n;
    }
}

void vcd_writer::header(const std::string &title, const std::vector<vcd_variable> &variables)
{
    put("$comment\n    " + title + "\n$end\n$timescale 1 ps $end\n");
    std::vector<std::string> open;
    for (const vcd_variable &v : variables) {
        code c{};
        for (size_t n = codes_.size() + 1; n != 0; n = (n - 1) / 94)
            c.text[c.length++] = static_cast<char>('!' + (n - 1) % 94);
        c.bits = static_cast<uint8_t>(v.bits);
        codes_.push_back(c);

        std::vector<std::string> scopes = parts_of(v.name);
        const std::string name = scopes.back();
        scopes.pop_back();
        size_t same = 0;
        while (same < open.size() && same < scopes.size() && open[same] == scopes[same])
            ++same;
        for (size_t i = open.size(); i > same; --i)
            put("$upscope $end\n");
        for (size_t i = same; i < scopes.size(); ++i)
            put("$scope module " + scopes[i] + " $end\n");
        open = scopes;
        const std::string range = v.bits == 1 ? "" : " [" + std::to_string(v.bits - 1) + ":0]";
        put("$var wire " + std::to_string(v.bits) + " " + std::string(c.text, c.length) + " " + name + range +
            " $end\n");
    }
    for (size_t i = 0; i < open.size(); ++i)
        put("$upscope $end\n");
    put("$enddefinitions $end\n");
}

void vcd_writer::begin(tick at, const std::vector<uint64_t> &values)
{
    time(at);
    put("$dumpvars\n");
    for (size_t i = 0; i < values.size(); ++i)
        change(i, values[i]);
    put("$end\n");
}

void vcd_writer::time(tick at)
{
    stamp_ = at;
    room(32);
    char *p = buffer_.data() + used_;
    *p++ = '#';
    p = std::to_chars(p, p + 24, at).ptr;
    *p++ = '\n';
    used_ = static_cast<size_t>(p - buffer_.data());
}

/* Leading zeros may be left out: readers extend with zero, or with X where the first digit is X. */
void vcd_writer::change(size_t variable, uint64_t value)
{
    const code &c = codes_[variable];
    room(80);
    char *p = buffer_.data() + used_;
    if (c.bits == 1) {
        *p++ = value == unknown ? 'x' : static_cast<char>('0' + (value & 1));
    } else {
        *p++ = 'b';
        if (value == unknown) {
            *p++ = 'x';
        } else {
            if (c.bits < 64)
                value &= (uint64_t{1} << c.bits) - 1;
            static constexpr char four[] =
                "0000000100100011010001010110011110001001101010111100110111101111...";
            const unsigned digits = value == 0 ? 1 : 64U - static_cast<unsigned>(__builtin_clzll(value));
            unsigned shift = (digits - 1) / 4 * 4;
            const unsigned first = digits - shift; /* of the topmost four, 1 to 4 are wanted */
            std::memcpy(p, four + (value >> shift) * 4 + (4 - first), 4);
            p += first;
            while (shift != 0) {
                shift -= 4;
                std::memcpy(p, four + (value >> shift & 15) * 4, 4);
                p += 4;
            }
        }
        *p++ = ' ';
    }
    std::memcpy(p, c.text, sizeof c.text);
    p += c.length;
    *p++ = '\n';
    used_ = static_cast<size_t>(p - buffer_.data());
}

void vcd_writer::finish(tick end)
{
    if (end != stamp_)
        time(end);
    flush();
    errno = 0;
    if (std::fclose(file_) != 0 && error_ == 0)
        error_ = errno;
    file_ = nullptr;
    if (error_ == 0 && temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0)
        error_ = errno;
    if (error_ != 0) {
        discard();
        throw wave_failure(path_ + ": " + std::strerror(error_));
    }
}

} // namespace walkway
