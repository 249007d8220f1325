/* SPDX-License-Identifier: MIT */
/* support/platform_file.cpp - reads the keys of machine files. */
#include "support/platform_file.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace walkway
{

std::string text_of_platform_file(const std::string &path)
{
    return text_of_ini(path, "machine file");
}

/* Refuses a file with another number of parameters than it declares, or without the end of its last line:
 * lost parameters would silently have their defaults. */
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

static setting with_origin(const setting &key)
{
    setting s = key;
    const size_t at = key.value.find('@');
    if (at == std::string::npos)
        return s;
    s.value = trimmed(key.value.substr(0, at));
    s.from = parse_origin(trimmed(key.value.substr(at + 1)), key.origin);
    return s;
}

platform_file read_platform_file(const std::string &path)
{
    will_read(path, "the machine file");
    return parse_platform_file(text_of_platform_file(path), path);
}

/* Refuses the keys of older files: [platform], and a wiring that named code. */
static void refuse_what_was(const setting &key)
{
    if (key.name == "platform.wiring" || key.name == "machine.wiring")
        throw failure(exit_usage,
                      key.origin + ": " + key.name + " = " + as_written(key.value) +
                          ": a machine is a path of levels now: in [machine] write 'path = l1_tlb l2_tlb " +
                          "walk_unit' or the like, or 'extends = " +
                          (key.value == "mmu" ? "mmu-hpca14" : "apu-micro18") + "', which has one");
    if (key.name.compare(0, 9, "platform.") == 0)
        throw failure(exit_usage, key.origin + ": the section [platform] is called [machine] now");
}

platform_file parse_platform_file(const std::string &text, const std::string &path)
{
    platform_file file;
    file.path = path;
    std::string promised_at;
    for (const setting &key : parse_ini(text, path)) {
        refuse_what_was(key);
        if (key.name == "machine.path") {
            file.levels = key.value;
            file.levels_origin = key.origin;
        } else if (key.name == "machine.extends") {
            file.extends = key.value;
            file.origin = key.origin;
        } else if (key.name == "machine.text")
            file.text = key.value;
        else if (key.name == "machine.parameters") {
            file.parameters = key.value;
            promised_at = key.origin;
        } else if (key.name.compare(0, 8, "machine.") == 0)
            throw failure(exit_usage, key.origin + ": unknown key '" + as_written(key.name) + "'" +
                                          did_you_mean(key.name, {"machine.path", "machine.extends",
                                                                  "machine.text", "machine.parameters"}));
        else
            file.settings.push_back(with_origin(key));
    }
    if (file.levels.empty() && file.extends.empty())
        throw failure(exit_usage, path + ": [machine] wants 'path = ...' or 'extends = ...'");
    if (!promised_at.empty())
        check_whole(file, promised_at, text);
    return file;
}

const std::string &platform_chain::levels_of(size_t n) const
{
    while (n > 0 && files[n].levels.empty())
        --n;
    return files[n].levels;
}

platform_chain read_platform_chain(const platform_file &own, const base_reader &base)
{
    constexpr size_t most = 8;
    platform_chain chain;
    chain.files.push_back(own);
    while (!chain.files.front().extends.empty()) {
        if (chain.files.size() > most)
            throw failure(exit_usage, chain.files.front().origin +
                                          ": 'extends' goes round in a circle, or is more than " +
                                          std::to_string(most) + " files deep");
        platform_file below = base(chain.files.front().extends, chain.files.front());
        chain.files.insert(chain.files.begin(), std::move(below));
    }
    for (const platform_file &f : chain.files) {
        chain.origin = f.levels.empty() ? chain.origin : f.levels_origin;
        chain.levels = f.levels.empty() ? chain.levels : f.levels;
        chain.text = f.text.empty() ? chain.text : f.text;
    }
    return chain;
}

std::string beside(const platform_file &file, const std::string &name)
{
    return (std::filesystem::path(file.path).parent_path() / (name + ".cfg")).string();
}

platform_chain read_platform_chain(const std::string &path)
{
    return read_platform_chain(read_platform_file(path),
                               [](const std::string &name, const platform_file &from) {
                                   return read_platform_file(beside(from, name));
                               });
}

namespace
{

/* The last setting of each name. */
struct latest {
    std::vector<setting> all;
    std::map<std::string, size_t> at;

    const setting *find(const std::string &name) const
    {
        const auto found = at.find(name);
        return found == at.end() ? nullptr : &all[found->second];
    }
    void put(const setting &s)
    {
        const auto [place, fresh] = at.emplace(s.name, all.size());
        if (fresh)
            all.push_back(s);
        else
            all[place->second] = s;
    }
};

bool is_level_of(const std::string &word, const std::string &levels)
{
    return (" " + levels + " ").find(" " + word + " ") != std::string::npos;
}

/* True if the value is a level of the file's path that the chain's path lacks. */
bool lost_level(const std::string &value, const std::string &of_file, const std::string &now)
{
    return is_level_of(value, of_file) && !is_level_of(value, now);
}

void refuse_repeated(const setting &s, const setting *inherited)
{
    if (inherited != nullptr && inherited->value == s.value && !s.from)
        throw failure(exit_usage, s.origin + ": " + s.name + " = " + as_written(s.value) + ": " +
                                      inherited->origin +
                                      " has this already: leave it out, or say where it comes from "
                                      "('@ assumed ...')");
}

} // namespace

platform_values values_of_chain(const platform_chain &chain, const names_of_path &names)
{
    latest now, said;
    for (size_t n = 0; n < chain.files.size(); ++n) {
        const platform_file &file = chain.files[n];
        const bool inherited = n + 1 < chain.files.size();
        std::set<std::string> foreign; /* parameters of its path that the chain's path lacks */
        if (chain.levels_of(n) != chain.levels) {
            for (const std::string &name : names(chain.levels_of(n)))
                foreign.insert(name);
            for (const std::string &name : names(chain.levels))
                foreign.erase(name);
        }
        each_or_every_fault<failure>(file.settings, [&](setting s) {
            if (foreign.count(s.name) != 0 ||
                (inherited && lost_level(s.value, chain.levels_of(n), chain.levels)))
                return;
            refuse_repeated(s, now.find(s.name));
            now.put(s);
            if (!s.from)
                return;
            if (s.from->whose.empty() && inherited)
                s.from->whose = std::filesystem::path(file.path).stem().string();
            said.put(s);
        });
    }
    return {now.all, said.all};
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
