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

/* Only reading finds damage. Of the other faults a message names the file, up to its 160th byte. */
static bool is_of_output(const wkt_error &error, const std::string &path)
{
    for (const int damage : {WKT_E_FORMAT, WKT_E_TRUNCATED, WKT_E_CHECKSUM, WKT_E_VERSION, WKT_E_STOPPED})
        if (error.code == damage)
            return false;
    const std::string text = error.text;
    for (const std::string &file : {path, path + ".partial"}) {
        const std::string named = file.substr(0, 160) + ": ";
        if (text.compare(0, named.size(), named) == 0)
            return true;
    }
    return false;
}

void save_trace(wkt_reader *trace, const std::string &path)
{
    wkt_error error{};
    if (wkt_reader_save(trace, path.c_str(), 0, &error) == WKT_OK)
        return;
    throw failure(is_of_output(error, path) ? exit_output : exit_input, error.text);
}

std::string text_of_checksum(uint64_t checksum)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, checksum);
    return text;
}

} // namespace walkway
