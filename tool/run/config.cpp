/* SPDX-License-Identifier: MIT */
/* run/config.cpp - reads machine files into the parameters of a machine. Nothing is ignored: a key that is
 * unknown, repeated or out of range is an error. */
#include "run/config.hpp"

#include "model/common/needs.hpp"
#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <cctype>
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
        std::error_code ignored; /* a folder of the search path that does not exist has no machines */
        for (const auto &entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".cfg")
                names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/* Suggests a machine file of the same folder. */
static std::string nearest_file(const std::string &name)
{
    const fs::path folder = fs::path(name).has_parent_path() ? fs::path(name).parent_path() : fs::path(".");
    std::vector<std::string> names;
    std::error_code ignored; /* a missing folder has no files */
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
        std::error_code error; /* no machine has a name too long for a file */
        if (fs::exists(candidate, error))
            return candidate.string();
    }
    throw failure(exit_usage, "unknown machine '" + as_written(name) + "'" +
                                  did_you_mean(name, platform_names()) +
                                  "; 'walkway list machines' has them all");
}

void platform_spec::set(const setting &s)
{
    set_parameters(*config, {s}, given.empty() ? "" : " -p " + as_written(given));
    set_by[s.name] = s.origin;
}

std::string platform_spec::missing(std::set<std::string> others) const
{
    for (const setting &s : said)
        others.insert(s.name);
    for (const auto &one : set_by)
        others.insert(one.first);
    return text_of_missing([this](param_visitor &v) { config->visit(v); }, others, file);
}

std::string platform_spec::fault(const std::set<std::string> &others) const
{
    const std::string none = missing(others);
    return none.empty() ? config->validate() : none;
}

/* Returns the words of a sentence that may be names of parameters: "section.key"; if it begins with
 * "section:", also each word with "section." before it. */
static std::vector<std::string> names_in(const std::string &sentence)
{
    std::vector<std::string> words;
    std::string section, word;
    for (const char c : sentence + " ") {
        if (std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
            c == '_' || c == '.') {
            word += c;
            continue;
        }
        if (words.empty() && c == ':' && word.find('.') == std::string::npos)
            section = word + ".";
        words.push_back(word);
        if (!section.empty())
            words.push_back(section + word);
        word.clear();
    }
    return words;
}

std::string platform_spec::place_of(const std::string &fault) const
{
    const auto in_file = [this](const std::string &origin) { return origin.rfind(file + ":", 0) == 0; };
    std::string place;
    for (const std::string &named : names_in(fault)) {
        const auto set = set_by.find(named);
        if (set != set_by.end() && !in_file(set->second))
            return label;
        const auto of =
            std::find_if(said.begin(), said.end(), [&](const setting &s) { return s.name == named; });
        const std::string origin = set != set_by.end() ? set->second : of != said.end() ? of->origin : "";
        if (place.empty() && in_file(origin))
            place = origin;
    }
    return place.empty() ? label : place;
}

static std::vector<parameter> described(const platform_spec &spec, platform_config &config)
{
    std::map<std::string, const value_origin *> origins;
    for (const setting &s : spec.said)
        origins[s.name] = &*s.from;
    std::vector<parameter> list = list_parameters(config);
    for (parameter &p : list)
        if (const auto at = origins.find(p.name); at != origins.end())
            p.from = *at->second;
    return list;
}

std::vector<parameter> described_parameters(const platform_spec &spec)
{
    return described(spec, *spec.config);
}

std::vector<parameter> described_files(const platform_spec &spec)
{
    const std::unique_ptr<platform_config> files = make_platform_config(spec.levels);
    set_parameters(*files, spec.said);
    return described(spec, *files);
}

/* Reads the base beside the file, or from the folders of machines. */
static platform_file base_of(const std::string &name, const platform_file &from)
{
    std::error_code error; /* no machine has a name too long for a file */
    if (fs::exists(beside(from, name), error))
        return read_platform_file(beside(from, name));
    try {
        return read_platform_file(find_platform_file(name));
    } catch (const failure &e) {
        throw failure(exit_usage, from.origin + ": extends: " + e.what());
    }
}

static std::unique_ptr<platform_config> config_of(const std::string &levels, const std::string &origin)
{
    const path_fault fault = fault_of_path(levels);
    if (!fault.why.empty())
        throw failure(exit_usage,
                      origin + ": path " + as_written(fault.why) + did_you_mean(fault.word, fault.valid));
    return make_platform_config(levels);
}

platform_spec load_platform(const std::string &name)
{
    platform_spec spec;
    spec.label = name;
    const std::string path = spec.file = find_platform_file(name);
    spec.name = fs::path(path).stem().string();
    const platform_chain chain = read_platform_chain(read_platform_file(path), base_of);
    spec.levels = chain.levels;
    spec.text = chain.own().text;
    spec.config = config_of(spec.levels, chain.origin);
    const platform_values values = values_of_chain(chain, [&chain](const std::string &levels) {
        return parameter_names(*config_of(levels, chain.origin));
    });
    set_parameters(*spec.config, values.now);
    spec.said = values.said;
    for (const setting &s : values.now)
        if (!s.from)
            spec.set_by[s.name] = s.origin;
    const std::string missing = spec.missing();
    if (!missing.empty())
        throw failure(exit_usage, missing);
    spec.given = name; /* from here on, messages may suggest listing it */
    return spec;
}

} // namespace walkway
