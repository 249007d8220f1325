/* SPDX-License-Identifier: MIT */
/* support/platform_file.hpp - a machine file as it is written: INI, that is sections, `key = value`, #
 * comments, behind a value its origin (value_origin.hpp); its section [machine] has path, extends or both,
 * and text. What the keys mean is the reader's. */
#ifndef WALKWAY_SUPPORT_PLATFORM_FILE_HPP
#define WALKWAY_SUPPORT_PLATFORM_FILE_HPP

#include "support/ini_file.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

/* A file as written, before it is applied to a path's levels. */
struct platform_file {
    std::string path;
    std::string levels, extends, text; /* `path = ` and the like; empty where the file does not say */
    std::string origin;                /* of path or extends: "file:line" */
    std::string parameters;            /* how many it says it has, when whole */
    std::vector<setting> settings;     /* without [machine] */
};

/* A file with what it extends, which says what it does not say itself. */
struct platform_chain {
    std::vector<platform_file> files; /* the last is the file itself */
    std::string levels, text;         /* the nearest that is said */
    std::string origin;               /* of the levels: "file:line" */
    const platform_file &own() const { return files.back(); }
    /* Of the nth file: its own, or that of what it extends. */
    const std::string &levels_of(size_t n) const;
};

/* What a file and those that it extends say of each parameter, in the order of the first that names it. */
struct platform_values {
    std::vector<setting> now; /* as the last file has it that has it */
    std::vector<setting>
        said; /* as the last that says where it comes from; whose it is, where it is inherited */
};

/* All of these throw failure(exit_usage) with file and line. */
platform_file read_platform_file(const std::string &path);
/* The two steps of read_platform_file(), for callers whose file is not named by a command line: the file's
 * text, and what it says; messages name it as a file of this path. */
std::string text_of_platform_file(const std::string &path);
platform_file parse_platform_file(const std::string &text, const std::string &path);
/* `base` finds and reads a file that another one extends. */
using base_reader = std::function<platform_file(const std::string &name, const platform_file &from)>;
platform_chain read_platform_chain(const platform_file &own, const base_reader &base);
/* Of a file whose bases lie beside it. */
platform_chain read_platform_chain(const std::string &path);
std::string beside(const platform_file &file, const std::string &name); /* the path of NAME.cfg there */
/* Names of the parameters of a path; asked where files of a chain differ in theirs. */
using names_of_path = std::function<std::vector<std::string>(const std::string &levels)>;
/* What a base says of parameters that the path does not have is left out. What a file inherits it may
 * repeat only with an origin of its own. */
platform_values values_of_chain(const platform_chain &chain, const names_of_path &names);
/* "section.key=value" in two; throws when there is no '='. */
setting split_setting(const std::string &text, const std::string &origin);
/* Splits several; no two may set the same parameter. */
std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin);

} // namespace walkway

#endif
