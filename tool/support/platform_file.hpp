/* SPDX-License-Identifier: MIT */
/* support/platform_file.hpp - a machine file as written: INI, that is sections, `key = value`, # comments,
 * and after a value its origin (value_origin.hpp); its section [machine] has path, extends or both, and text.
 * The reader interprets the keys. */
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
    std::string levels, extends, text; /* `path = ` and so on; empty if not given */
    std::string levels_origin, origin; /* of path, of extends: "file:line" */
    std::string parameters;            /* the number of them that it states, if whole */
    std::vector<setting> settings;     /* without [machine] */
};

/* A file with the files that it extends, which give the values that it does not. */
struct platform_chain {
    std::vector<platform_file> files; /* the last is the file itself */
    std::string levels, text;         /* of the nearest file that gives them */
    std::string origin;               /* of the levels: "file:line" */
    const platform_file &own() const { return files.back(); }
    /* Returns the levels of the nth file: its own, or those of a file that it extends. */
    const std::string &levels_of(size_t n) const;
};

/* Values of each parameter in a file and those that it extends, in the order of their first mention. */
struct platform_values {
    std::vector<setting> now; /* as in the last file that has it */
    /* As in the last file that gives its origin, with the owner's name if it is inherited. */
    std::vector<setting> said;
};

/* All of these throw failure(exit_usage) with file and line. */
platform_file read_platform_file(const std::string &path);
/* The two steps of read_platform_file(), for callers whose file is not named by a command line: reading the
 * text, and parsing it; messages name it by this path. */
std::string text_of_platform_file(const std::string &path);
platform_file parse_platform_file(const std::string &text, const std::string &path);
/* Finds and reads a file that another one extends. */
using base_reader = std::function<platform_file(const std::string &name, const platform_file &from)>;
platform_chain read_platform_chain(const platform_file &own, const base_reader &base);
/* Reads a file whose bases lie beside it. */
platform_chain read_platform_chain(const std::string &path);
std::string beside(const platform_file &file, const std::string &name); /* path of NAME.cfg beside the file */
/* Returns the names of the parameters of a path; called if files of a chain have different ones. */
using names_of_path = std::function<std::vector<std::string>(const std::string &levels)>;
/* Returns the values of a chain, without a base's values of parameters that the path does not have. A file
 * may repeat an inherited value only with an origin of its own. */
platform_values values_of_chain(const platform_chain &chain, const names_of_path &names);
/* Splits "section.key=value" in two. Throws if there is no '='. */
setting split_setting(const std::string &text, const std::string &origin);
/* Splits several. No two may set the same parameter. */
std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin);

} // namespace walkway

#endif
