/* SPDX-License-Identifier: MIT */
/* model/waves/vcd_writer.cpp - text of a value change dump. */
#include "model/waves/vcd_writer.hpp"

#include "model/common/signals.hpp"

#include <charconv>
#include <cstring>

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

void vcd_writer::header(const std::string &title, const std::vector<vcd_variable> &variables)
{
    file_.put("$comment\n    " + title + "\n$end\n$timescale 1 ps $end\n");
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
            file_.put("$upscope $end\n");
        for (size_t i = same; i < scopes.size(); ++i)
            file_.put("$scope module " + scopes[i] + " $end\n");
        open = scopes;
        const std::string range = v.bits == 1 ? "" : " [" + std::to_string(v.bits - 1) + ":0]";
        file_.put("$var wire " + std::to_string(v.bits) + " " + std::string(c.text, c.length) + " " + name +
                  range + " $end\n");
    }
    for (size_t i = 0; i < open.size(); ++i)
        file_.put("$upscope $end\n");
    file_.put("$enddefinitions $end\n");
}

void vcd_writer::begin(tick at, const std::vector<uint64_t> &values)
{
    time(at);
    file_.put("$dumpvars\n");
    for (size_t i = 0; i < values.size(); ++i)
        change(i, values[i]);
    file_.put("$end\n");
}

void vcd_writer::time(tick at)
{
    stamp_ = at;
    char *p = file_.room(32);
    *p++ = '#';
    p = std::to_chars(p, p + 24, at).ptr;
    *p++ = '\n';
    file_.done(p);
}

/* Leading zeros may be left out: readers extend with zero, or with X where the first digit is X. */
void vcd_writer::change(size_t variable, uint64_t value)
{
    const code &c = codes_[variable];
    char *p = file_.room(80);
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
    file_.done(p);
}

void vcd_writer::finish(tick end)
{
    if (end != stamp_)
        time(end);
    file_.finish();
}

} // namespace walkway
