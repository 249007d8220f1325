/* SPDX-License-Identifier: MIT */
/* model/waves/vcd_writer.cpp - text of a value change dump. */
#include "model/waves/vcd_writer.hpp"

#include "model/common/signals.hpp"

#include <charconv>

namespace walkway
{

namespace
{
/* "00" to "99". */
struct pairs {
    char text[200];
    constexpr pairs() : text()
    {
        for (int i = 0; i < 100; ++i) {
            text[2 * i] = static_cast<char>('0' + i / 10);
            text[2 * i + 1] = static_cast<char>('0' + i % 10);
        }
    }
};
constexpr pairs decimal_pairs;
} // namespace

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
        std::string name_code;
        for (size_t n = codes_.size() + 1; n != 0; n = (n - 1) / 94)
            name_code += static_cast<char>('!' + (n - 1) % 94);
        const std::string tail = (v.bits == 1 ? "" : " ") + name_code + "\n";
        code c{UINT64_MAX >> (64 - v.bits), {}, static_cast<uint8_t>(tail.size()), v.bits == 1};
        tail.copy(c.tail, sizeof c.tail); /* 94^6 variables would fit */
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
        file_.put("$var wire " + std::to_string(v.bits) + " " + name_code + " " + name + range + " $end\n");
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

/* Times of a dump differ in their last digits: those are two lookups each, the ones above are kept. */
void vcd_writer::time(tick at)
{
    static constexpr tick split = 100000000;
    stamp_ = at;
    char *p = file_.room(most_bytes);
    const tick above = at / split;
    auto below = static_cast<uint32_t>(at - above * split);
    if (above == 0) {
        *p++ = '#';
        p = std::to_chars(p, p + 8, below).ptr;
    } else {
        if (above != above_) {
            above_ = above;
            above_text_[0] = '#';
            above_bytes_ = static_cast<size_t>(
                std::to_chars(above_text_ + 1, above_text_ + sizeof above_text_, above).ptr - above_text_);
        }
        std::memcpy(p, above_text_, sizeof above_text_);
        p += above_bytes_;
        for (char *to = p + 8; to != p; below /= 100)
            std::memcpy(to -= 2, decimal_pairs.text + below % 100 * 2, 2);
        p += 8;
    }
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
