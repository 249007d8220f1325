/* SPDX-License-Identifier: MIT */
/* support/ini_file.cpp - see ini_file.hpp: '#' begins a comment, "[x]" is a prefix of the keys below it. */
#include "support/ini_file.hpp"

#include "support/errors.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace walkway
{

namespace fs = std::filesystem;

std::string trimmed(const std::string &text)
{
    const size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/* Reads regular files only, as a pipe or a device may never end. Refuses control characters: they show that
 * it is another kind of file, and a terminal would obey them in a message that quotes them. */
std::string text_of_ini(const std::string &path, const std::string &what)
{
    constexpr uintmax_t most = uintmax_t{1} << 20;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!error && !fs::is_regular_file(status))
        throw failure(exit_usage, path + ": is no regular file");
    const uintmax_t size = error ? 0 : fs::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    if (error || !in)
        throw failure(exit_usage,
                      path + ": cannot be read: " + (error ? error.message() : std::strerror(errno)));
    if (size > most)
        throw failure(exit_usage, path + ": is no " + what + ": " + std::to_string(size) + " bytes");
    std::string text(size, 0);
    in.read(text.data(), static_cast<std::streamsize>(size));
    if (in.bad() || static_cast<uintmax_t>(in.gcount()) != size)
        throw failure(exit_usage, path + ": cannot be read to its end");
    if (text.compare(0, 3, "\xef\xbb\xbf") == 0) /* a byte-order mark, as some editors write it */
        text.erase(0, 3);
    size_t line = 1;
    for (const char c : text) {
        line += c == '\n' ? 1 : 0;
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f)
            throw failure(exit_usage, path + ":" + std::to_string(line) + ": byte " + std::to_string(byte) +
                                          " is no text; is this a " + what + "?");
    }
    return text;
}

std::vector<setting> parse_ini(const std::string &text, const std::string &path)
{
    std::vector<setting> keys;
    std::map<std::string, size_t> lines;
    std::istringstream in(text);
    std::string line, section;
    for (size_t number = 1; std::getline(in, line); ++number) {
        const std::string origin = path + ":" + std::to_string(number);
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty())
            continue;
        if (line.front() == '[' && line.back() == ']') {
            section = line.substr(1, line.size() - 2);
            continue;
        }
        const size_t equals = line.find('=');
        if (equals == std::string::npos)
            throw failure(exit_usage,
                          origin + ": '" + as_written(line) + "' is neither [section] nor key = value");
        const std::string key = trimmed(line.substr(0, equals));
        const std::string name = section.empty() ? key : section + "." + key;
        const auto [at, fresh] = lines.emplace(name, number);
        if (!fresh)
            throw failure(exit_usage, origin + ": '" + as_written(name) +
                                          "' is there a second time, first in line " +
                                          std::to_string(at->second));
        keys.push_back({name, trimmed(line.substr(equals + 1)), origin});
    }
    return keys;
}

} // namespace walkway
