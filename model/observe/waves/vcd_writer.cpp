/* SPDX-License-Identifier: MIT */
/* observe/waves/vcd_writer.cpp - text of a value change dump. */
#include "observe/waves/vcd_writer.hpp"

#include "model/common/signals.hpp"

#include <charconv>
#include <cstring>

namespace walkway
{

namespace
{

constexpr size_t most_bytes = 80;      /* of a change: 'b', 64 digits, a tail; a time takes less */
constexpr size_t tail_bytes = 8;       /* of a change, after its digits, at most */
constexpr size_t at_once = 64;         /* changes per room() */
constexpr tick time_split = 100000000; /* a time's last eight digits */

/* Writes eight characters, the lowest byte first. */
void put_eight(char *to, uint64_t text)
{
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        text = __builtin_bswap64(text);
    std::memcpy(to, &text, sizeof text);
}

/* Writes eight binary digits: the product has a copy of the byte at every ninth bit, so that the top bits of
 * its bytes are the bits of the byte, the highest first. */
void put_byte(char *to, uint64_t byte)
{
    put_eight(to, (byte * 0x8040201008040201U & 0x8080808080808080U) >> 7 | 0x3030303030303030U);
}

/* Leaves out leading zeros: readers extend with zero, or with X if the first digit is X. */
char *put_digits(char *p, uint64_t value)
{
    const auto zeros = static_cast<unsigned>(__builtin_clzll(value | 1));
    char *const end = p + (64 - zeros);
    value <<= zeros;
    put_byte(p, value >> 56);
    while ((p += 8) < end)
        put_byte(p, (value <<= 8) >> 56);
    return end;
}

/* Writes the eight decimal digits of n < 10^8. Splits n into numbers of four digits, then two, then one, side
 * by side in a word. The multiplications and shifts are divisions, exact in their range. */
void put_decimal(char *to, uint64_t n)
{
    const uint64_t fours = n / 10000 | n % 10000 << 32;
    const uint64_t hundreds = fours * 10486 >> 20 & 0x7F0000007FU;
    const uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    const uint64_t tens = twos * 103 >> 10 & 0xF000F000F000FU;
    put_eight(to, (tens | (twos - tens * 10) << 8) | 0x3030303030303030U);
}

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
        const std::string zero = (v.bits == 1 ? "0" : "b0 ") + name_code + "\n";
        code c{UINT64_MAX >> (64 - v.bits),
               {},
               static_cast<uint8_t>(zero.size()),
               static_cast<uint8_t>(v.bits == 1 ? 0 : 1)};
        zero.copy(c.zero, sizeof c.zero); /* 94^6 variables would fit */
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
    file_.done(put_time(file_.room(most_bytes), at));
    file_.put("$dumpvars\n");
    for (size_t i = 0; i < values.size(); ++i) {
        const vcd_change c = {static_cast<uint32_t>(i), values[i]};
        file_.done(put_changes(file_.room(most_bytes), &c, &c + 1));
    }
    file_.put("$end\n");
}

/* Most times of a dump differ in their last digits: the text of the upper ones is kept. */
inline char *vcd_writer::put_time(char *p, tick at)
{
    stamp_ = at;
    if (at < time_split) {
        *p++ = '#';
        p = std::to_chars(p, p + 8, at).ptr;
    } else {
        if (at - above_ >= time_split) {
            above_ = at - at % time_split;
            above_text_[0] = '#';
            above_bytes_ = static_cast<size_t>(
                std::to_chars(above_text_ + 1, above_text_ + sizeof above_text_, at / time_split).ptr -
                above_text_);
        }
        std::memcpy(p, above_text_, sizeof above_text_);
        p += above_bytes_;
        put_decimal(p, at - above_);
        p += 8;
    }
    *p++ = '\n';
    return p;
}

inline char *vcd_writer::put_changes(char *p, const vcd_change *first, const vcd_change *last) const
{
    const code *const codes = codes_.data();
    for (; first != last; ++first) {
        const code &c = codes[first->variable];
        const uint64_t value = first->value;
        std::memcpy(p, c.zero, sizeof c.zero);
        p += c.digit;
        if (value < 2) { /* most are pulses */
            *p = static_cast<char>('0' + value);
            p += c.zero_bytes - c.digit;
            continue;
        }
        if (value == unknown)
            *p++ = 'x';
        else
            p = put_digits(p, value & c.mask);
        std::memcpy(p, c.zero + c.digit + 1, tail_bytes);
        p += c.zero_bytes - c.digit - 1;
    }
    return p;
}

void vcd_writer::changes(tick at, const vcd_change *first, size_t count)
{
    if (count == 0)
        return;
    const vcd_change *const last = first + count;
    char *p = put_time(file_.room((at_once + 1) * most_bytes), at);
    for (; static_cast<size_t>(last - first) > at_once; first += at_once) {
        file_.done(put_changes(p, first, first + at_once));
        p = file_.room(at_once * most_bytes);
    }
    file_.done(put_changes(p, first, last));
}

void vcd_writer::finish(tick end)
{
    if (end != stamp_)
        file_.done(put_time(file_.room(most_bytes), end));
    file_.finish();
}

} // namespace walkway
