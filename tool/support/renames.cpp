/* SPDX-License-Identifier: MIT */
/* support/renames.cpp - see renames.hpp; CMake embeds the table from renames.txt. */
#include "support/renames.hpp"

#include <sstream>
#include <utility>
#include <vector>

namespace walkway
{

static const char *const table_text =
#include "renames.inc"
    ;

/* Reads pairs of an old and a new name. Drops the '*' of names that end in ".*", which are prefixes. */
static std::vector<std::pair<std::string, std::string>> read_table()
{
    std::vector<std::pair<std::string, std::string>> rows;
    std::istringstream lines(table_text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string before, now;
        if (!(words >> before >> now) || before[0] == '#')
            continue;
        for (std::string *name : {&before, &now})
            if (name->back() == '*')
                name->pop_back();
        rows.emplace_back(before, now);
    }
    return rows;
}

std::string name_now(const std::string &name)
{
    static const auto rows = read_table();
    static const std::string arrays = "arrays."; /* "arrays.BLOCK...": costs of a block's arrays */
    if (name.compare(0, arrays.size(), arrays) == 0)
        return arrays + name_now(name.substr(arrays.size()));
    for (const auto &[before, now] : rows)
        if (name.compare(0, before.size(), before) == 0 &&
            (before.back() == '.' || name.size() == before.size() || name[before.size()] == '.'))
            return now + name.substr(before.size());
    return name;
}

} // namespace walkway
