/* SPDX-License-Identifier: MIT */
/* run/config.hpp - specifications of platforms: NAME or PATH of a file (support/platform_file.hpp),
 * optionally `:key=value,...`. */
#ifndef WALKWAY_RUN_CONFIG_HPP
#define WALKWAY_RUN_CONFIG_HPP

#include "platforms/platform.hpp"
#include "run/parameters.hpp"
#include "support/platform_file.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

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
    std::string file;  /* the path that was read */
    std::string given; /* its part before the ':'; empty until its file is read */
    std::string name;  /* of the file, without folder and .cfg */
    std::string text;
    std::string levels; /* of its path */
    std::unique_ptr<platform_config> config;
    std::vector<overruled_setting> overruled;
    uint64_t memory_limit = default_memory_limit;
    std::vector<setting> said;                 /* by its files, with where each value comes from */
    std::map<std::string, std::string> set_by; /* of what was set otherwise: "file:line", or the option */

    /* Throws as set_parameter() does. */
    void set(const setting &s);
    /* A sentence on what is missing and has no neutral value, beside the parameters given to set() and
     * `others`. */
    std::string missing(std::set<std::string> others = {}) const;
    /* That, or which values contradict each other; empty: nothing is wrong with them together. */
    std::string fault(const std::set<std::string> &others = {}) const;
    /* Where that is said: "file:line" of the first value it names, in the machine's own file; the label where
     * an option gave one of them, or another file all. */
    std::string place_of(const std::string &fault) const;
};

/* Of a machine, or of what its files say with an origin; where each value comes from is that. */
std::vector<parameter> described_parameters(const platform_spec &spec);
std::vector<parameter> described_files(const platform_spec &spec);

/* All of these throw failure(exit_usage) with file and line. */
std::string find_platform_file(const std::string &name);
platform_spec load_platform(const std::string &name);

/* Folders searched for NAME.cfg, in order, and the names found there. */
std::vector<std::string> platform_folders();
std::vector<std::string> platform_names();

} // namespace walkway

#endif
