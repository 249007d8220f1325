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
    struct declared {
        uint64_t value, least;
        std::string word;   /* name of a choice's value */
        std::string needed; /* "section.key", or "section.key=word|word" */
        bool wanted;        /* it has no neutral value */
    };
    std::map<std::string, declared> all;
    std::vector<std::string> in_order; /* names of all, as declared */

    /* Returns the first unmet need of a parameter, or "". Checks the needs of a needed parameter first: no
     * key of an absent store has an effect. */
    std::string unmet(const std::string &parameter) const
    {
        const auto at = all.find(parameter);
        if (at == all.end() || at->second.needed.empty())
            return "";
        const std::string &need = at->second.needed;
        const size_t equals = need.find('=');
        const std::string name = need.substr(0, equals);
        const std::string further = unmet(name);
        if (!further.empty())
            return further;
        const auto other = all.find(name);
        if (other == all.end())
            return "";
        const bool met = equals == std::string::npos
                             ? other->second.value != 0
                             : ('|' + need.substr(equals + 1) + '|').find('|' + other->second.word + '|') !=
                                   std::string::npos;
        return met ? "" : name;
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
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &info) override
    {
        add(key, value, info, value < names.size() ? names[value] : "");
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        add(key, value ? 1 : 0, info);
    }
    void groups(const char *key, unit_groups &, const param_info &info) override { add(key, 1, info); }
    void pages(const char *key, pages_of_buffers &value, const param_info &info) override
    {
        add(key, value.none() ? 0 : 1, info);
    }

private:
    void add(const char *key, uint64_t value, const param_info &info, const std::string &word = "")
    {
        all[section_ + key] = {value, info.min, word, needs_, info.missing == if_missing::fault};
        in_order.push_back(section_ + key);
    }
    std::string section_, needs_;
};

} // namespace

std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter)
{
    reader read;
    visit(read);
    return read.unmet(parameter);
}

std::string text_of_missing(const std::function<void(param_visitor &)> &visit,
                            const std::set<std::string> &given, const std::string &file)
{
    constexpr size_t most = 12;
    reader read;
    visit(read);
    std::vector<std::string> missing;
    for (const std::string &name : read.in_order)
        if (read.all[name].wanted && given.count(name) == 0 && read.unmet(name).empty())
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

std::string text_of_too_small(const std::function<void(param_visitor &)> &visit,
                              const std::function<bool(const std::string &)> &has_effect)
{
    reader read;
    visit(read);
    std::string all;
    for (const std::string &name : read.in_order) {
        const auto &p = read.all[name];
        if (p.value == 0 && p.least != 0 && read.unmet(name).empty() && has_effect(name))
            all += (all.empty() ? "" : "; ") + name + " = 0: at least " + std::to_string(p.least);
    }
    return all;
}

} // namespace walkway
