/* SPDX-License-Identifier: MIT */
/* platforms/path_fault.cpp - checks a path. It is a file of its own, so that a program with other machines
 * can replace it. */
#include "platforms/gpu_params.hpp"

#include <iterator>
#include <set>
#include <sstream>

namespace walkway
{

/* Collects the sections of other parts of a machine, and the groups of statistics without blocks. */
struct other_sections final : param_visitor {
    std::set<std::string> names = {"account", "arrays", "energy", "machine", "model", "os"};
    using param_visitor::number;
    void begin(const char *section, const char *) override { names.insert(section); }
    void end() override {}
    void number(const char *, uint64_t &, const param_info &) override {}
    void choice(const char *, uint8_t &, const choice_names &, const param_info &) override {}
    void flag(const char *, bool &, const param_info &) override {}
};

static bool is_reserved(const std::string &section)
{
    static const std::set<std::string> names = [] {
        other_sections all;
        gpu_machine_params("").visit(all);
        return all.names;
    }();
    return names.count(section) != 0;
}

static bool is_name(const std::string &word)
{
    return word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
           word.find_first_of("0123456789_") != 0;
}

/* Returns the suffixes that a level's name can have. */
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
