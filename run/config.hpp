/* SPDX-License-Identifier: MIT */
/* run/config.hpp - platform files and specifications. A file is INI: sections, `key = value`, # comments; its
 * section [platform] has wiring (or extends) and text. A specification is NAME or PATH, optionally
 * `:key=value,...`. */
#ifndef WALKWAY_RUN_CONFIG_HPP
#define WALKWAY_RUN_CONFIG_HPP

#include "platforms/platform.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct setting {
    std::string name, value;
    std::string origin; /* "file:line" or the option it came from */
};

/* A file as written, before it is applied to a wiring. */
struct platform_file {
    std::string path;
    std::string wiring, extends, text; /* empty where the file does not say */
    std::string origin;                /* of wiring or extends: "file:line" */
    std::string parameters;            /* how many it says it has, when whole */
    std::vector<setting> settings;     /* without [platform] */
};

/* A setting that does not count, because a more special one of the same parameter does, or because the
 * machine leaves that parameter without effect. */
struct overruled_setting {
    setting lost;
    std::string where; /* "the machine sets it itself" */
};

constexpr uint64_t default_memory_limit = uint64_t{4} << 30; /* bytes of the host */

/* A machine ready to be built. */
struct platform_spec {
    std::string label; /* the specification as the user wrote it */
    std::string given; /* its part before the ':' */
    std::string name;  /* of the file, without folder and .cfg */
    std::string text;
    std::string wiring;
    std::unique_ptr<platform_config> config;
    std::vector<overruled_setting> overruled;
    uint64_t memory_limit = default_memory_limit;
    std::map<std::string, std::string> set_by; /* of each parameter that was set: the last setting's origin */

    /* Throws as set_parameter() does. */
    void set(const setting &s);
};

/* All of these throw failure(exit_usage) with file and line. */
platform_file read_platform_file(const std::string &path);
std::string find_platform_file(const std::string &name);
platform_spec load_platform(const std::string &name);

/* Folders searched for NAME.cfg, in order, and the names found there. */
std::vector<std::string> platform_folders();
std::vector<std::string> platform_names();

/* "section.key=value" in two; throws when there is no '='. */
setting split_setting(const std::string &text, const std::string &origin);
/* Several, of which no two are of one parameter. */
std::vector<setting> split_settings(const std::vector<std::string> &texts, const std::string &origin);

} // namespace walkway

#endif
