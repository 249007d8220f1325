/* SPDX-License-Identifier: MIT */
/* platforms/path_fault.cpp - what a path may be, by itself: a program whose machines are others has its own.
 */
#include "platforms/level.hpp"
#include "platforms/machine_params.hpp"

#include <iterator>
#include <set>
#include <sstream>

namespace walkway
{

/* Sections of what else a machine has, and groups of statistics. */
static bool is_reserved(const std::string &section)
{
    static const std::set<std::string> names = {
        "account", "address_space", "arrays",  "coalescer", "copy_engine", "cu",     "dispatcher",
        "dram",    "driver",        "energy",  "gpu",       "host_link",   "icache", "l1d",
        "l2d",     "lds",           "machine", "model",     "os",          "pager",  "translation"};
    return names.count(section) != 0;
}

static bool is_name(const std::string &word)
{
    return word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
           word.find_first_of("0123456789_") != 0;
}

/* What a level's name ends with. */
static std::string all_kinds()
{
    std::string all;
    for (const std::string &kind : level_kinds())
        all += (all.empty() ? "" : " | ") + kind;
    return all;
}

path_fault fault_of_path(const std::string &text)
{
    std::istringstream in(text);
    const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    if (words.empty())
        return {"has no level", "", {}};
    std::set<std::string> seen;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (is_reserved(word) || !is_name(word))
            return {"'" + word + "' cannot be a level's name", "", {}};
        const std::string kind = kind_of_section(word);
        if (kind.empty())
            return {"'" + word + "' is of no kind that there is: " + all_kinds(),
                    word.substr(word.rfind('_') + 1), level_kinds()};
        if (!seen.insert(word).second)
            return {"'" + word + "' is there twice", "", {}};
        const bool ends = make_level(kind, word)->ends_path();
        if (ends && i + 1 < words.size())
            return {"'" + word + "' is not last: behind it nothing is asked", "", {}};
        if (!ends && i + 1 == words.size())
            return {"ends with '" + word + "', and what a path ends with is a walk_unit", "", {}};
    }
    return {};
}

} // namespace walkway
