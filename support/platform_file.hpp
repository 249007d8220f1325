/* SPDX-License-Identifier: MIT */
/* support/platform_file.hpp - a machine file as it is written: INI, that is sections, `key = value`, #
 * comments; its section [platform] has wiring (or extends) and text. What the keys mean is the reader's. */
#ifndef WALKWAY_SUPPORT_PLATFORM_FILE_HPP
#define WALKWAY_SUPPORT_PLATFORM_FILE_HPP

#include "support/ini_file.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A file as written, before it is applied to a wiring. */
struct platform_file {
    std::string path;
    std::string wiring, extends, text; /* empty where the file does not say */
    std::string origin;                /* of wiring or extends: "file:line" */
    std::string parameters;            /* how many it says it has, when whole */
    std::vector<setting> settings;     /* without [platform] */
};

/* All of these throw failure(exit_usage) with file and line. */
platform_file read_platform_file(const std::string &path);
/* The two steps of that, for who reads no file of his command line: the file's text, and what it says;
 * messages name it as a file of this path. */
std::string text_of_platform_file(const std::string &path);
platform_file parse_platform_file(const std::string &text, const std::string &path);
/* "section.key=value" in two; throws when there is no '='. */
setting split_setting(const std::string &text, const std::string &origin);
/* Several, of which no two are of one parameter. */
std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin);

} // namespace walkway

#endif
