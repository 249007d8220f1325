/* SPDX-License-Identifier: MIT */
/* run/result_levels.cpp - finds levels by the groups of their statistics. */
#include "run/result_levels.hpp"

#include <algorithm>
#include <sstream>

namespace walkway
{

result_levels::result_levels(const json &statistics)
{
    std::string last; /* a group's statistics are contiguous */
    for (const auto &item : statistics.items()) {
        const std::string group = item.key().substr(0, item.key().find('.'));
        if (group == last)
            continue;
        last = group;
        const std::string kind = kind_of_section(group);
        if (!kind.empty() && find(group) == nullptr)
            all_.push_back(make_level(kind, group));
    }
}

result_levels result_levels::of(const json &result)
{
    result_levels levels(result.at("statistics"));
    const auto machine = result.find("platform");
    if (machine == result.end() || !machine->contains("path"))
        return levels;
    std::istringstream words(machine->at("path").get<std::string>());
    std::vector<std::unique_ptr<level>> in_order;
    for (std::string section; words >> section;) {
        const auto at = std::find_if(levels.all_.begin(), levels.all_.end(),
                                     [&](const auto &l) { return l != nullptr && l->section() == section; });
        if (at != levels.all_.end())
            in_order.push_back(std::move(*at));
    }
    if (!in_order.empty()) /* the path of older results names a wiring, no levels */
        levels.all_ = std::move(in_order);
    return levels;
}

const level *result_levels::find(const std::string &section) const
{
    for (const auto &l : all_)
        if (l->section() == section)
            return l.get();
    return nullptr;
}

std::vector<const level *> result_levels::tlbs() const
{
    std::vector<const level *> some;
    for (const auto &l : all_)
        if (l->may_be_infinite())
            some.push_back(l.get());
    return some;
}

std::string result_levels::walks() const
{
    for (const auto &l : all_)
        if (l->ends_path())
            return l->section();
    return "walk_unit";
}

unsigned instances_of(const std::string &section, const json &configuration)
{
    const auto units = configuration.find("gpu.cus"), by = configuration.find(section + ".shared_by");
    const unsigned cus = units == configuration.end() ? 1 : units->get<unsigned>();
    unit_groups groups;
    if (by != configuration.end())
        groups.read(by->is_string() ? by->get<std::string>() : by->dump());
    return groups.validate(cus).empty() ? static_cast<unsigned>(groups.of(cus).size()) : cus;
}

std::string one_or_each(const level &l, const json &configuration)
{
    return (instances_of(l.section(), configuration) == 1 ? "the " : "each ") + l.reach().name;
}

} // namespace walkway
