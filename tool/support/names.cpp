/* SPDX-License-Identifier: MIT */
/* support/names.cpp - see names.hpp. */
#include "support/names.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"

#include <algorithm>

namespace walkway
{

std::string joined(const std::vector<std::string> &names, const char *between)
{
    std::string text;
    for (const std::string &name : names)
        text += (&name == &names.front() ? "" : between) + name;
    return text;
}

std::string listed(const std::vector<std::string> &names, size_t most, const char *between)
{
    if (names.size() <= most)
        return joined(names, between);
    return joined({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most)}, between) + " and " +
           std::to_string(names.size() - most) + " more";
}

bool is_among(const std::string &name, const std::vector<std::string> &names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

size_t place_of(const std::string &name, const std::vector<std::string> &names, const std::string &otherwise,
                const std::string &then)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw failure(exit_usage, otherwise + did_you_mean(name, names) + then);
    return static_cast<size_t>(found - names.begin());
}

void add_once(std::vector<std::string> &names, const std::string &name)
{
    if (!is_among(name, names))
        names.push_back(name);
}

} // namespace walkway
