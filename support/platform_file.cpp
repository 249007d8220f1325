/* SPDX-License-Identifier: MIT */
/* support/platform_file.cpp - what the keys of a machine file are. */
#include "support/platform_file.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/read_files.hpp"

#include <algorithm>

namespace walkway
{

std::string text_of_platform_file(const std::string &path)
{
    return text_of_ini(path, "machine file");
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
    will_read(path, "the machine file");
    return parse_platform_file(text_of_platform_file(path), path);
}

platform_file parse_platform_file(const std::string &text, const std::string &path)
{
    platform_file file;
    file.path = path;
    std::string promised_at;
    for (const setting &key : parse_ini(text, path)) {
        if (key.name == "platform.wiring" || key.name == "platform.extends") {
            (key.name == "platform.wiring" ? file.wiring : file.extends) = key.value;
            file.origin = key.origin;
        } else if (key.name == "platform.text")
            file.text = key.value;
        else if (key.name == "platform.parameters") {
            file.parameters = key.value;
            promised_at = key.origin;
        } else if (key.name.compare(0, 9, "platform.") == 0)
            throw failure(exit_usage, key.origin + ": unknown key '" + as_written(key.name) + "'" +
                                          did_you_mean(key.name, {"platform.wiring", "platform.extends",
                                                                  "platform.text", "platform.parameters"}));
        else
            file.settings.push_back(key);
    }
    if (file.wiring.empty() == file.extends.empty())
        throw failure(exit_usage, path + ": [platform] wants one of 'wiring = ...' and 'extends = ...'");
    if (!promised_at.empty())
        check_whole(file, promised_at, text);
    return file;
}

setting split_setting(const std::string &text, const std::string &origin)
{
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw failure(exit_usage, origin + " '" + as_written(text) + "': wants section.key=value");
    const std::string value = trimmed(text.substr(equals + 1));
    const size_t comma = value.find(','), more = value.find('=');
    if (comma != std::string::npos && more != std::string::npos && comma < more)
        throw failure(exit_usage, origin + " '" + as_written(text) + "': is more than one setting; write " +
                                      "each on its own: " + origin + " " +
                                      as_written(text.substr(0, equals)) + "=" +
                                      as_written(value.substr(0, comma)) + " " + origin + " " +
                                      as_written(trimmed(value.substr(comma + 1))));
    return {trimmed(text.substr(0, equals)), value, origin};
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
