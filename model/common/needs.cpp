/* SPDX-License-Identifier: MIT */
/* model/common/needs.cpp - a visitor that remembers what each parameter needs. */
#include "model/common/needs.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace walkway
{

namespace
{

class reader final : public param_visitor
{
public:
    using param_visitor::number;
    std::map<std::string, uint64_t> values;
    std::map<std::string, std::string> needed;
    std::vector<std::string> wanted; /* no value of theirs is neutral */
    std::map<std::string, uint64_t> least;

    /* Of those that this one needs, and "". */
    std::string unmet(const std::string &parameter) const
    {
        const auto need = needed.find(parameter);
        if (need == needed.end() || need->second.empty())
            return "";
        const std::string further = unmet(need->second);
        if (!further.empty())
            return further;
        const auto value = values.find(need->second);
        return value != values.end() && value->second == 0 ? need->second : "";
    }

    void begin(const char *section, const char *) override { section_ = std::string(section) + "."; }
    void end() override
    {
        section_.clear();
        needs_.clear();
    }
    void needs(const char *parameter) override
    {
        const std::string name = parameter;
        needs_ = name.empty() || name.find('.') != std::string::npos ? name : section_ + name;
    }
    void number(const char *key, uint64_t &value, const param_info &info) override { add(key, value, info); }
    void choice(const char *key, uint8_t &value, const choice_names &, const param_info &info) override
    {
        add(key, value, info);
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        add(key, value ? 1 : 0, info);
    }
    void groups(const char *key, unit_groups &, const param_info &info) override { add(key, 1, info); }

private:
    void add(const char *key, uint64_t value, const param_info &info)
    {
        values[section_ + key] = value;
        needed[section_ + key] = needs_;
        if (info.missing == if_missing::fault)
            wanted.push_back(section_ + key);
        least[section_ + key] = info.min;
    }
    std::string section_, needs_;
};

} // namespace

std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter)
{
    reader all;
    visit(all);
    return all.unmet(parameter);
}

std::string text_of_missing(const std::function<void(param_visitor &)> &visit,
                            const std::set<std::string> &given, const std::string &file)
{
    constexpr size_t most = 12;
    reader all;
    visit(all);
    std::vector<std::string> missing;
    for (const std::string &name : all.wanted)
        if (given.count(name) == 0 && all.unmet(name).empty())
            missing.push_back(name);
    if (missing.empty())
        return "";
    std::string names;
    for (size_t i = 0; i < std::min(most, missing.size()); ++i)
        names += (i == 0 ? "" : ", ") + missing[i];
    if (missing.size() > most)
        names += " and " + std::to_string(missing.size() - most) + " more";
    return file + ": has no value for " + names + ", and none is neutral: give " +
           (missing.size() == 1 ? "it" : "them") + ", or extend a machine that has";
}

std::string text_of_too_small(const std::function<void(param_visitor &)> &visit)
{
    reader all;
    visit(all);
    for (const std::string &name : all.wanted)
        if (all.values[name] == 0 && all.least[name] != 0 && all.unmet(name).empty())
            return name + " = 0: at least " + std::to_string(all.least[name]);
    return "";
}

} // namespace walkway
