/* SPDX-License-Identifier: MIT */
/* run/trace_file.cpp - opens and saves traces. */
#include "run/trace_file.hpp"

#include "run/generator.hpp"
#include "support/read_files.hpp"

#include <cinttypes>
#include <cstdio>
#include <filesystem>

namespace walkway
{

trace_file open_trace(const std::string &path)
{
    if (is_generator(path))
        return open_generator(path);
    will_read(path, "the trace");
    wkt_reader *reader = nullptr;
    wkt_error error{};
    if (wkt_open(path.c_str(), &reader, &error) == WKT_OK)
        return trace_file(reader);
    std::error_code none;
    if (std::filesystem::exists(path + "/kernelslist.g", none))
        throw failure(exit_input, std::string(error.text) +
                                      "; 'walkway trace import-accelsim' makes one of its "
                                      "kernelslist.g");
    throw failure(exit_input, error.text[0] != 0 ? error.text : path + ": cannot be opened as a trace");
}

void save_trace(wkt_reader *trace, const std::string &path)
{
    wkt_error error{};
    if (wkt_reader_save(trace, path.c_str(), 0, &error) == WKT_OK)
        return;
    throw failure(error.output ? exit_output : exit_input, error.text);
}

std::string text_of_checksum(uint64_t checksum)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, checksum);
    return text;
}

} // namespace walkway
