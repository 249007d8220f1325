/* SPDX-License-Identifier: MIT */
/* cli/trace_file.cpp - opening a trace. */
#include "cli/trace_file.hpp"

#include "cli/generator.hpp"

#include <cinttypes>
#include <cstdio>

namespace walkway
{

trace_file open_trace(const std::string &path)
{
    if (is_generator(path))
        return open_generator(path);
    wkt_reader *reader = nullptr;
    wkt_error error{};
    if (wkt_open(path.c_str(), &reader, &error) != WKT_OK)
        throw failure(exit_input, error.text[0] != 0 ? error.text : path + ": cannot be opened as a trace");
    return trace_file(reader);
}

std::string text_of_checksum(uint64_t checksum)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, checksum);
    return text;
}

} // namespace walkway
