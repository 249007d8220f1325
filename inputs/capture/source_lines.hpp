/* SPDX-License-Identifier: MIT */
/* capture/source_lines.hpp - the source lines of a kernel's accesses. Oclgrind has clang write them into
 * every module that it compiles; a binary may have none. */
#ifndef WW_CAPTURE_SOURCE_LINES_HPP
#define WW_CAPTURE_SOURCE_LINES_HPP

#include "capture/layout.hpp"
#include "trace/wkt.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace oclgrind
{
class Program;
} // namespace oclgrind

namespace walkway::capture
{

class source_lines
{
    using file_lines = std::map<uint32_t, std::string>;

    std::set<std::string> strings; /* referenced by the lines */
    std::map<std::string, file_lines> included, of_program;
    unsigned long program_uid = 0; /* program whose lines are in `of_program`; 0: none */
    std::vector<wkt_line> lines;

public:
    /* Returns the lines of the kernel laid out last, by ascending pc; valid until the next call. */
    const std::vector<wkt_line> &of(const layout &code, const oclgrind::Program &program);

private:
    void look_at(const oclgrind::Program &program);
    std::string text_of(const std::string &file, uint32_t line);
};

} // namespace walkway::capture

#endif
