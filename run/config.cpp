/* SPDX-License-Identifier: MIT */
/* run/config.cpp - from machine files to the parameters of a wiring. Nothing is ignored: a key that is
 * unknown, twice there or out of range is an error. */
#include "run/config.hpp"

#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

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

/* Among the machine files of the same folder. */
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
            throw failure(exit_usage, as_written(name) + ": no such machine file" + nearest_file(name));
        return name;
    }
    for (const std::string &folder : platform_folders()) {
        const fs::path candidate = fs::path(folder) / (name + ".cfg");
        std::error_code error; /* a name too long for a file is no platform's */
        if (fs::exists(candidate, error))
            return candidate.string();
    }
    throw failure(exit_usage, "unknown machine '" + as_written(name) + "'" +
                                  did_you_mean(name, platform_names()) +
                                  "; 'walkway list machines' has them all");
}

void platform_spec::set(const setting &s)
{
    set_parameter(*config, s.name, s.value, s.origin, given.empty() ? "" : " -p " + as_written(given));
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
    each_or_every_fault<failure>(file.settings, [&spec](const setting &s) { spec.set(s); });
}

platform_spec load_platform(const std::string &name)
{
    platform_spec spec;
    spec.label = name;
    const std::string path = find_platform_file(name);
    spec.name = fs::path(path).stem().string();
    apply_file(path, path, spec, 0);
    spec.given = name; /* from here on it can be listed */
    return spec;
}

} // namespace walkway
