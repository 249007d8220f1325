/* SPDX-License-Identifier: MIT */
/* support/names.hpp - lists of names: of things that have one, as text, and searching one. */
#ifndef WALKWAY_SUPPORT_NAMES_HPP
#define WALKWAY_SUPPORT_NAMES_HPP

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

/* Returns "a, b, c". */
std::string joined(const std::vector<std::string> &names, const char *between = ", ");

/* As joined(), but at most `most` names: "a, b and 3 more". */
std::string listed(const std::vector<std::string> &names, size_t most, const char *between = ", ");

inline bool ends_with(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_among(const std::string &name, const std::vector<std::string> &names);

/* Returns the name's index. Throws failure(exit_usage) with `otherwise`, the nearest of them, `then`. */
size_t place_of(const std::string &name, const std::vector<std::string> &names, const std::string &otherwise,
                const std::string &then = "");

/* Appends a name unless it is there. */
void add_once(std::vector<std::string> &names, const std::string &name);

/* Inserts what `all` lacks: each thing behind the one that precedes it in `more`, the first one in front.
 * `same` is true of two that are equal. */
template <class Thing, class Same = std::equal_to<Thing>>
void add_in_order(std::vector<Thing> &all, const std::vector<Thing> &more, const Same &same = {})
{
    auto next = all.begin();
    for (const Thing &one : more) {
        auto found = std::find_if(all.begin(), all.end(), [&](const Thing &a) { return same(a, one); });
        if (found == all.end())
            found = all.insert(next, one);
        next = found + 1;
    }
}

template <class Named> std::vector<std::string> names_of(const std::vector<Named> &all)
{
    std::vector<std::string> names;
    for (const Named &one : all)
        names.push_back(one.name);
    return names;
}

template <class Value> std::vector<std::string> names_of(const std::map<std::string, Value> &all)
{
    std::vector<std::string> names;
    for (const auto &[name, value] : all)
        names.push_back(name);
    return names;
}

} // namespace walkway

#endif
