/* SPDX-License-Identifier: MIT */
/* support/platform_file.hpp - a machine file as it is written: INI, that is sections, `key = value`, #
 * comments, behind a value its origin (value_origin.hpp); its section [platform] has wiring, extends or both,
 * and text. What the keys mean is the reader's. */
#ifndef WALKWAY_SUPPORT_PLATFORM_FILE_HPP
#define WALKWAY_SUPPORT_PLATFORM_FILE_HPP

#include "support/ini_file.hpp"

#include <functional>
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

/* A file with what it extends, which says what it does not say itself. */
struct platform_chain {
    std::vector<platform_file> files; /* the last is the file itself */
    std::string wiring, text;         /* the nearest that is said */
    const platform_file &own() const { return files.back(); }
    /* Of the nth file: its own, or that of what it extends. */
    const std::string &wiring_of(size_t n) const;
};

/* What such settings are given to. */
class platform_settings
{
public:
    virtual ~platform_settings() = default;
    /* Names of the parameters of a wiring; throws failure(exit_usage) where there is no such wiring. */
    virtual std::vector<std::string> names_of(const std::string &wiring, const std::string &place) = 0;
    virtual void set(const setting &s) = 0;
};

/* All of these throw failure(exit_usage) with file and line. */
platform_file read_platform_file(const std::string &path);
/* The two steps of that, for who reads no file of his command line: the file's text, and what it says;
 * messages name it as a file of this path. */
std::string text_of_platform_file(const std::string &path);
platform_file parse_platform_file(const std::string &text, const std::string &path);
/* `base` finds and reads a file that another one extends. */
using base_reader = std::function<platform_file(const std::string &name, const platform_file &from)>;
platform_chain read_platform_chain(const platform_file &own, const base_reader &base);
/* The settings of all of them, the base's first. Those of a base that the wiring has no parameters for are
 * left out. What a file inherits it may repeat only with an origin of its own. */
void apply_platform_chain(const platform_chain &chain, platform_settings &to);
/* "section.key=value" in two; throws when there is no '='. */
setting split_setting(const std::string &text, const std::string &origin);
/* Several, of which no two are of one parameter. */
std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin);

} // namespace walkway

#endif
