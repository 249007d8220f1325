/* SPDX-License-Identifier: MIT */
/* platforms/needs.cpp - a visitor that remembers what each parameter needs. */
#include "platforms/needs.hpp"

#include <map>

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
    void number(const char *key, uint64_t &value, const param_info &) override { add(key, value); }
    void choice(const char *key, uint8_t &value, const choice_names &, const param_info &) override
    {
        add(key, value);
    }
    void flag(const char *key, bool &value, const param_info &) override { add(key, value ? 1 : 0); }
    void groups(const char *key, unit_groups &, const param_info &) override { add(key, 1); }

private:
    void add(const char *key, uint64_t value)
    {
        values[section_ + key] = value;
        needed[section_ + key] = needs_;
    }
    std::string section_, needs_;
};

} // namespace

std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter)
{
    reader all;
    visit(all);
    const auto need = all.needed.find(parameter);
    if (need == all.needed.end() || need->second.empty())
        return "";
    const auto value = all.values.find(need->second);
    return value != all.values.end() && value->second == 0 ? need->second : "";
}

} // namespace walkway
