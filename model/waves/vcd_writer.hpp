/* SPDX-License-Identifier: MIT */
/* model/waves/vcd_writer.hpp - a value change dump (IEEE 1364, section 18) of two- and four-state words:
 * names with dots become scopes, unknown values X, one time unit is 1 ps. Streams; what is written depends on
 * nothing but the calls. A change is some 15 bytes and there are millions: eight digits at a time. */
#ifndef WALKWAY_MODEL_WAVES_VCD_WRITER_HPP
#define WALKWAY_MODEL_WAVES_VCD_WRITER_HPP

#include "model/common/clock.hpp"
#include "model/common/output_file.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace walkway
{

struct vcd_variable {
    std::string name; /* "top.iommu.walker_0.level" */
    unsigned bits;    /* 1 .. 64 */
};

class vcd_writer
{
public:
    static constexpr uint64_t unknown = UINT64_MAX;

    /* Opens the file; throws file_failure. */
    explicit vcd_writer(const std::string &path) : file_(path) {}

    /* Names that share their first parts stand together. */
    void header(const std::string &title, const std::vector<vcd_variable> &variables);
    /* From here on, all values at once, then changes; times only grow. */
    void begin(tick at, const std::vector<uint64_t> &values);
    void time(tick at);
    void change(size_t variable, uint64_t value)
    {
        const code &c = codes_[variable];
        char *p = file_.room(most_bytes);
        if (c.scalar) {
            *p++ = value == unknown ? 'x' : static_cast<char>('0' + (value & 1));
        } else {
            *p++ = 'b';
            if (value == unknown)
                *p++ = 'x';
            else
                p = put_digits(p, value & c.mask);
        }
        std::memcpy(p, c.tail, sizeof c.tail);
        file_.done(p + c.tail_bytes);
    }
    /* No more values; `end` is the last time shown. Throws file_failure. */
    void finish(tick end);
    bool failed() const { return file_.failed(); }

private:
    static constexpr size_t most_bytes = 80; /* of a change: 'b', 64 digits, a tail; less than a time */

    struct code {
        uint64_t mask;
        char tail[8]; /* what follows the value: identifier and line end, after a space if not scalar */
        uint8_t tail_bytes;
        bool scalar;
    };

    /* Eight binary digits: the product has a copy of the byte at every ninth bit, so that the top bit of each
     * of its bytes is another one of the byte's, the highest first in memory. */
    static void put_byte(char *to, uint64_t byte)
    {
        uint64_t text = (byte * 0x8040201008040201U & 0x8080808080808080U) >> 7 | 0x3030303030303030U;
        if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
            text = __builtin_bswap64(text);
        std::memcpy(to, &text, sizeof text);
    }
    /* Leading zeros may be left out: readers extend with zero, or with X where the first digit is X. */
    static char *put_digits(char *p, uint64_t value)
    {
        const auto zeros = static_cast<unsigned>(__builtin_clzll(value | 1));
        char *const end = p + (64 - zeros);
        value <<= zeros;
        for (; p < end; p += 8, value <<= 8)
            put_byte(p, value >> 56);
        return end;
    }

    output_file file_;
    tick stamp_ = never; /* the last time written */
    tick above_ = 0;     /* its digits but the last eight, as a number, and as text after '#' */
    char above_text_[16] = {};
    size_t above_bytes_ = 0;
    std::vector<code> codes_;
};

} // namespace walkway

#endif
