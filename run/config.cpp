/* SPDX-License-Identifier: MIT */
/* run/config.cpp - platform files through Boost.Program_options, which knows no line numbers: a second look
 * at the file gives each key its line. Nothing is ignored: a key that is unknown, twice there or out of range
 * is an error. */
#include "run/config.hpp"

#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
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

static std::string trimmed(const std::string &text)
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

/* Regular files only: a pipe may never end, a device never. Text only: what is no text is no platform file
 * either, and would be cut off or obeyed where a message quotes it. */
static std::string text_of_file(const std::string &path)
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
        throw failure(exit_usage, path + ": is no platform file: " + std::to_string(size) + " bytes");
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
                                          " is no text; is this a platform file?");
    }
    return text;
}

/* A file that says how many parameters it has is no longer whole with fewer, nor with half a last line: what
 * is lost would be defaults, without a word. */
static void check_whole(const platform_file &file, const std::string &origin, const std::string &contents)
{
    uint64_t promised = 0;
    if (!parse_number(file.parameters, promised))
        throw failure(exit_usage,
                      origin + ": parameters = " + as_written(file.parameters) + ": is not a whole number");
    const size_t lines = static_cast<size_t>(std::count(contents.begin(), contents.end(), '\n'));
    if (contents.back() != '\n')
        throw failure(exit_usage, file.path + ":" + std::to_string(lines + 1) +
                                      ": ends within a line: is the file cut off?");
    if (file.settings.size() != promised)
        throw failure(exit_usage,
                      file.path + ":" + std::to_string(lines) + ": ends after " +
                          std::to_string(file.settings.size()) + " parameters, and " + origin + " says " +
                          std::to_string(promised) +
                          ": is the file cut off? Leave 'parameters' out where it is meant to be a part");
}

platform_file read_platform_file(const std::string &path)
{
    will_read(path, "the platform file");
    std::istringstream contents(text_of_file(path));
    const auto lines = lines_of_keys(contents.str(), path);

    po::options_description known;
    known.add_options()("platform.wiring", po::value<std::string>())("platform.extends",
                                                                     po::value<std::string>())(
        "platform.text", po::value<std::string>())("platform.parameters", po::value<std::string>());
    platform_file file;
    file.path = path;
    std::string promised_at;
    po::parsed_options parsed(&known);
    try {
        parsed = po::parse_config_file(contents, known, true);
    } catch (const po::error &e) {
        throw failure(exit_usage, path + ": " + e.what());
    }
    for (const auto &option : parsed.options) {
        const std::string &name = option.string_key;
        const auto line = lines.find(name);
        const std::string origin =
            path + (line == lines.end() ? "" : ":" + std::to_string(line->second.back()));
        if (line != lines.end() && line->second.size() > 1)
            throw failure(exit_usage, origin + ": '" + as_written(name) +
                                          "' is there a second time, first in line " +
                                          std::to_string(line->second.front()));
        const std::string value = option.value.empty() ? "" : option.value.front();
        if (name == "platform.wiring" || name == "platform.extends") {
            (name == "platform.wiring" ? file.wiring : file.extends) = value;
            file.origin = origin;
        } else if (name == "platform.text")
            file.text = value;
        else if (name == "platform.parameters") {
            file.parameters = value;
            promised_at = origin;
        } else if (name.compare(0, 9, "platform.") == 0)
            throw failure(exit_usage, origin + ": unknown key '" + as_written(name) + "'" +
                                          did_you_mean(name, {"platform.wiring", "platform.extends",
                                                              "platform.text", "platform.parameters"}));
        else
            file.settings.push_back({name, value, origin});
    }
    if (file.wiring.empty() == file.extends.empty())
        throw failure(exit_usage, path + ": [platform] wants one of 'wiring = ...' and 'extends = ...'");
    if (!promised_at.empty())
        check_whole(file, promised_at, contents.str());
    return file;
}

std::vector<std::string> platform_folders()
{
    std::vector<std::string> folders = split_path_list(environment("WALKWAY_PLATFORMS"));
    for (const std::string &folder : data_folders("platforms"))
        folders.push_back(folder);
    return folders;
}

std::vector<std::string> platform_names()
{
    std::vector<std::string> names;
    for (const std::string &folder : platform_folders()) {
        std::error_code ignored; /* a folder of the search path that does not exist has no platforms */
        for (const auto &entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".cfg")
                names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/* Among the platform files of the same folder. */
static std::string nearest_file(const std::string &name)
{
    const fs::path folder = fs::path(name).has_parent_path() ? fs::path(name).parent_path() : fs::path(".");
    std::vector<std::string> names;
    std::error_code ignored; /* a folder that is not there has no files */
    for (const auto &entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".cfg")
            names.push_back((fs::path(name).parent_path() / entry.path().filename()).string());
    std::sort(names.begin(), names.end());
    return did_you_mean(name, names);
}

std::string find_platform_file(const std::string &name)
{
    const bool is_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".cfg";
    if (is_path) {
        std::error_code error;
        if (!fs::exists(name, error))
            throw failure(exit_usage, as_written(name) + ": no such platform file" + nearest_file(name));
        return name;
    }
    for (const std::string &folder : platform_folders()) {
        const fs::path candidate = fs::path(folder) / (name + ".cfg");
        std::error_code error; /* a name too long for a file is no platform's */
        if (fs::exists(candidate, error))
            return candidate.string();
    }
    throw failure(exit_usage, "unknown platform '" + as_written(name) + "'" +
                                  did_you_mean(name, platform_names()) +
                                  "; 'walkway list platforms' has them all");
}

void platform_spec::set(const setting &s)
{
    set_parameter(*config, s.name, s.value, s.origin);
    set_by[s.name] = s.origin;
}

/* The wiring's defaults, then the file that is extended, then this one. */
static void apply_file(const std::string &path, const std::string &from, platform_spec &spec, unsigned depth)
{
    if (depth > 8)
        throw failure(exit_usage, from + ": 'extends' goes round in a circle, or is more than 8 files deep");
    const platform_file file = read_platform_file(path);
    if (!file.extends.empty()) {
        const fs::path beside = fs::path(path).parent_path() / (file.extends + ".cfg");
        std::error_code error;
        std::string base = beside.string();
        if (!fs::exists(beside, error)) {
            try {
                base = find_platform_file(file.extends);
            } catch (const failure &e) {
                throw failure(exit_usage, file.origin + ": extends: " + e.what());
            }
        }
        apply_file(base, file.origin, spec, depth + 1);
    } else {
        spec.wiring = file.wiring;
        spec.config = make_platform_config(file.wiring);
        if (spec.config == nullptr)
            throw failure(exit_usage, file.origin + ": unknown wiring '" + as_written(file.wiring) + "'" +
                                          did_you_mean(file.wiring, platform_wirings()));
    }
    spec.text = file.text;
    for (const setting &s : file.settings)
        spec.set(s);
}

platform_spec load_platform(const std::string &name)
{
    platform_spec spec;
    spec.label = spec.given = name;
    const std::string path = find_platform_file(name);
    spec.name = fs::path(path).stem().string();
    apply_file(path, path, spec, 0);
    return spec;
}

setting split_setting(const std::string &text, const std::string &origin)
{
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw failure(exit_usage, origin + " '" + as_written(text) + "': wants section.key=value");
    return {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)), origin};
}

std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin)
{
    std::vector<setting> all;
    for (const std::string &text : texts) {
        const setting s = split_setting(text, origin);
        for (const setting &before : all)
            if (before.name == s.name)
                throw failure(exit_usage, origin + ": '" + as_written(s.name) +
                                              "' is there a second time, first as " +
                                              as_written(before.value));
        all.push_back(s);
    }
    return all;
}

} // namespace walkway
