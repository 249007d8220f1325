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

/* A setting without effect: a more specific one of the same parameter overrules it, or the machine does. */
struct overruled_setting {
    setting lost;
    std::string where; /* "the machine sets it itself" */
};

constexpr uint64_t default_memory_limit = uint64_t{4} << 30; /* bytes of the host */

/* A machine ready to be built. */
struct platform_spec {
    std::string label; /* the specification as written by the user */
    std::string file;  /* path of the file */
    std::string given; /* its part before the ':'; empty until its file is read */
    std::string name;  /* of the file, without folder and .cfg */
    std::string text;
    std::string levels; /* of its path */
    std::unique_ptr<platform_config> config;
    std::vector<overruled_setting> overruled;
    uint64_t memory_limit = default_memory_limit;
    std::vector<setting> said;                 /* by its files, with the origin of each value */
    std::map<std::string, std::string> set_by; /* of other settings: "file:line", or the option */

    /* Sets a parameter and records its origin in set_by. Throws failure(exit_usage) for an unknown name or a
     * value out of range. */
    void set(const setting &s);
    /* Returns a sentence about missing parameters without a neutral value, besides those given to set() and
     * `others`. */
    std::string missing(std::set<std::string> others = {}) const;
    /* Returns that, or which values contradict each other; empty if nothing is wrong. */
    std::string fault(const std::set<std::string> &others = {}) const;
    /* Returns where a fault was set: "file:line" of the first value it names, in the machine's own file; the
     * label if an option gave one of them, or another file gave all. */
    std::string place_of(const std::string &fault) const;
};

/* Return all parameters in one order: with present values, and with those of the files alone. In both, `from`
 * is the origin that the files state, also of a value that set() changed. */
std::vector<parameter> described_parameters(const platform_spec &spec);
std::vector<parameter> described_files(const platform_spec &spec);

/* Return the path of a machine's file, and the machine. name: NAME or PATH, without ":key=value". Throw
 * failure(exit_usage), with file and line of a fault within a file. */
std::string find_platform_file(const std::string &name);
platform_spec load_platform(const std::string &name);

/* Return the folders searched for NAME.cfg, in order, and the names found there. */
std::vector<std::string> platform_folders();
std::vector<std::string> platform_names();

} // namespace walkway

#endif
