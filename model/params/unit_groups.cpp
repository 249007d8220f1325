/* SPDX-License-Identifier: MIT */
/* model/params/unit_groups.cpp - see model/common/unit_groups.hpp. */
#include "model/common/unit_groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

namespace walkway
{

constexpr unsigned most_units_named = 1u << 16;

static bool is_number(const std::string &word)
{
    return !word.empty() && word.size() <= 5 && word.find_first_not_of("0123456789") == std::string::npos &&
           std::stoul(word) < most_units_named;
}

std::string unit_groups::read(const std::string &text)
{
    if (text == "all" || is_number(text)) {
        if (text != "all" && std::stoul(text) == 0)
            return "an instance has one compute unit or more";
        by_ = text == "all" ? all : static_cast<uint32_t>(std::stoul(text));
        lists_.clear();
        return "";
    }
    std::vector<units> lists(1);
    std::set<unsigned> named;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word == "|") {
            lists.emplace_back();
            continue;
        }
        if (!is_number(word))
            return "is neither a number, nor 'all', nor groups of units such as '0 1 | 2 3'";
        const auto unit = static_cast<unsigned>(std::stoul(word));
        if (!named.insert(unit).second)
            return "names compute unit " + word + " twice";
        lists.back().push_back(unit);
    }
    for (units &group : lists) {
        if (group.empty())
            return "has a group without a compute unit";
        std::sort(group.begin(), group.end());
    }
    lists_ = std::move(lists);
    by_ = all;
    return "";
}

std::string unit_groups::text() const
{
    if (lists_.empty())
        return by_ == all ? "all" : std::to_string(by_);
    std::string text;
    for (const units &group : lists_) {
        text += text.empty() ? "" : " |";
        for (const unsigned unit : group)
            text += (text.empty() ? "" : " ") + std::to_string(unit);
    }
    return text;
}

std::string unit_groups::validate(unsigned count) const
{
    std::set<unsigned> named;
    for (const units &group : lists_)
        named.insert(group.begin(), group.end());
    for (const unsigned unit : named)
        if (unit >= count)
            return "names compute unit " + std::to_string(unit) + ", and gpu.cus = " + std::to_string(count);
    for (unsigned unit = 0; !lists_.empty() && unit < count; ++unit)
        if (named.count(unit) == 0)
            return "leaves out compute unit " + std::to_string(unit) +
                   " of gpu.cus = " + std::to_string(count);
    return "";
}

std::vector<unit_groups::units> unit_groups::of(unsigned count) const
{
    std::vector<units> groups;
    for (units group : lists_) {
        group.erase(std::lower_bound(group.begin(), group.end(), count), group.end());
        if (!group.empty())
            groups.push_back(std::move(group));
    }
    if (!lists_.empty())
        return groups;
    const unsigned by = by_ == all ? count : by_;
    for (unsigned unit = 0; unit < count; ++unit) {
        if (unit % by == 0)
            groups.emplace_back();
        groups.back().push_back(unit);
    }
    return groups;
}

std::string torn(const std::vector<unit_groups::units> &above, const std::vector<unit_groups::units> &below)
{
    std::map<unsigned, size_t> group_of;
    for (size_t n = 0; n < below.size(); ++n)
        for (const unsigned unit : below[n])
            group_of[unit] = n;
    for (const unit_groups::units &group : above)
        for (const unsigned unit : group)
            if (group_of.at(unit) != group_of.at(group.front()))
                return "compute units " + std::to_string(group.front()) + " and " + std::to_string(unit) +
                       " share an instance above, and not here";
    return "";
}

} // namespace walkway
