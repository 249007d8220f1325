/* SPDX-License-Identifier: MIT */
/* observe/waves/vcd_writer.hpp - a value change dump (IEEE 1364, section 18) of two- and four-state words:
 * names with dots become scopes, unknown values X, one time unit is 1 ps. Streams; the output depends only on
 * the calls. A change is some 15 bytes and there are millions, so eight digits are written at a time. */
#ifndef WALKWAY_OBSERVE_WAVES_VCD_WRITER_HPP
#define WALKWAY_OBSERVE_WAVES_VCD_WRITER_HPP

#include "model/common/clock.hpp"
#include "observe/output_file.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct vcd_variable {
    std::string name; /* "top.walk_unit.walker_0.level" */
    unsigned bits;    /* 1 .. 64 */
};

struct vcd_change {
    uint32_t variable;
    uint64_t value;
};

class vcd_writer
{
public:
    static constexpr uint64_t unknown = UINT64_MAX;

    /* Opens the file; throws file_failure. */
    explicit vcd_writer(const std::string &path) : file_(path) {}

    /* Writes the header. Names with common first parts stand together. */
    void header(const std::string &title, const std::vector<vcd_variable> &variables);
    /* Begin with all values at once, then write changes. Required: times increase. */
    void begin(tick at, const std::vector<uint64_t> &values);
    void changes(tick at, const vcd_change *first, size_t count);
    /* Ends the dump; `end` is the last time shown. Throws file_failure. */
    void finish(tick end);
    bool failed() const { return file_.failed(); }

private:
    struct code {
        uint64_t mask;
        char zero[16]; /* the line of a change to 0: "b0 !", and of a scalar "0!" */
        uint8_t zero_bytes;
        uint8_t digit; /* index of its 0 */
    };
    char *put_time(char *p, tick at);
    char *put_changes(char *p, const vcd_change *first, const vcd_change *last) const;

    output_file file_;
    tick stamp_ = never; /* the last time written */
    tick above_ = 0;     /* stamp_ with its last eight digits 0; its text: '#' and the digits before those */
    char above_text_[16] = {};
    size_t above_bytes_ = 0;
    std::vector<code> codes_;
};

} // namespace walkway

#endif
