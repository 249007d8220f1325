/* SPDX-License-Identifier: MIT */
/* support/ini_file.cpp - through Boost.Program_options, which knows no line numbers: a second look at the
 * file gives each key its line. */
#include "support/ini_file.hpp"

#include "support/errors.hpp"

#include <boost/program_options.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace walkway
{

namespace fs = std::filesystem;
namespace po = boost::program_options;

std::string trimmed(const std::string &text)
{
    const size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/* Line of each key, with the same rules as Boost's parser: '#' starts a comment, "[x]" prefixes what follows.
 */
static std::map<std::string, std::vector<size_t>> lines_of_keys(const std::string &contents,
                                                                const std::string &path)
{
    std::map<std::string, std::vector<size_t>> lines;
    std::istringstream in(contents);
    std::string line, section;
    for (size_t number = 1; std::getline(in, line); ++number) {
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty())
            continue;
        if (line.front() == '[' && line.back() == ']') {
            section = line.substr(1, line.size() - 2);
            continue;
        }
        const size_t equals = line.find('=');
        if (equals == std::string::npos)
            throw failure(exit_usage, path + ":" + std::to_string(number) + ": '" + as_written(line) +
                                          "' is neither [section] nor key = value");
        const std::string key = trimmed(line.substr(0, equals));
        lines[section.empty() ? key : section + "." + key].push_back(number);
    }
    return lines;
}

/* Regular files only: a pipe may never end, a device never. Text only: what is no text is none of ours
 * either, and would be cut off or obeyed where a message quotes it. */
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
    if (text.compare(0, 3, "\xef\xbb\xbf") == 0) /* the byte-order mark that some editors write */
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
    const auto lines = lines_of_keys(text, path);
    std::istringstream contents(text);
    const po::options_description known;
    po::parsed_options parsed(&known);
    try {
        parsed = po::parse_config_file(contents, known, true);
    } catch (const po::error &e) {
        throw failure(exit_usage, path + ": " + e.what());
    }
    std::vector<setting> keys;
    for (const auto &option : parsed.options) {
        const std::string &name = option.string_key;
        const auto line = lines.find(name);
        const std::string origin =
            path + (line == lines.end() ? "" : ":" + std::to_string(line->second.back()));
        if (line != lines.end() && line->second.size() > 1)
            throw failure(exit_usage, origin + ": '" + as_written(name) +
                                          "' is there a second time, first in line " +
                                          std::to_string(line->second.front()));
        keys.push_back({name, option.value.empty() ? "" : option.value.front(), origin});
    }
    return keys;
}

} // namespace walkway
