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
    struct declared {
        uint64_t value;
        std::string word;   /* of a choice the value's name */
        std::string needed; /* "section.key", or "section.key=word" */
    };
    std::map<std::string, declared> all;

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
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &) override
    {
        add(key, value, value < names.size() ? names[value] : "");
    }
    void flag(const char *key, bool &value, const param_info &) override { add(key, value ? 1 : 0); }
    void groups(const char *key, unit_groups &, const param_info &) override { add(key, 1); }

private:
    void add(const char *key, uint64_t value, const std::string &word = "")
    {
        all[section_ + key] = {value, word, needs_};
    }
    std::string section_, needs_;
};

} // namespace

/* What the needed one needs in its turn comes first: of a store that is not there no key has an effect. */
std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter)
{
    reader read;
    visit(read);
    std::string unmet;
    auto at = read.all.find(parameter);
    for (size_t left = read.all.size(); left > 0 && at != read.all.end(); --left) {
        const std::string &need = at->second.needed;
        const size_t equals = need.find('=');
        at = read.all.find(need.substr(0, equals));
        if (at == read.all.end())
            break;
        if (equals == std::string::npos ? at->second.value == 0 : at->second.word != need.substr(equals + 1))
            unmet = at->first;
    }
    return unmet;
}

} // namespace walkway
