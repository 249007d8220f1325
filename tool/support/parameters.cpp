/* SPDX-License-Identifier: MIT */
/* support/parameters.cpp - two visitors: one lists parameters, one sets them. */
#include "support/parameters.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <limits>
#include <unordered_map>

namespace walkway
{

namespace
{

std::string join(const std::string &section, const char *key)
{
    return section.empty() ? key : section + "." + key;
}

std::string range_of_groups(uint64_t min, uint64_t max)
{
    return std::to_string(min) + " ... " + std::to_string(max) + " | all | groups such as 0 1 | 2 3";
}

std::string range_of_pages()
{
    std::string sizes;
    for (const char *name : page_names())
        sizes += std::string(sizes.empty() ? "" : ", ") + name;
    return "none | sizes by buffer such as 0:64k+2-5:2m, of " + sizes;
}

class lister final : public param_visitor
{
public:
    using param_visitor::number;

    void begin(const char *section, const char *text) override
    {
        section_ = section;
        text_ = text;
        only_timed_.clear();
    }
    void end() override { begin("", ""); }
    void only_timed(const char *why) override { only_timed_ = why; }
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        add(parameter::kind::number, key, info, value, std::to_string(value));
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &info) override
    {
        add(parameter::kind::choice, key, info, value, value < names.size() ? names[value] : "?");
        list.back().choices.assign(names.begin(), names.end());
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        add(parameter::kind::flag, key, info, value ? 1 : 0, value ? "true" : "false");
        list.back().choices = {"false", "true"};
    }
    void groups(const char *key, unit_groups &value, const param_info &info) override
    {
        add(parameter::kind::groups, key, info, value.number(), value.text());
    }
    void pages(const char *key, pages_of_buffers &value, const param_info &info) override
    {
        add(parameter::kind::pages, key, info, 0, value.text());
    }

    std::vector<parameter> list;

private:
    void add(parameter::kind what, const char *key, const param_info &info, uint64_t number,
             const std::string &value)
    {
        list.push_back({what,
                        section_,
                        text_,
                        key,
                        join(section_, key),
                        value,
                        number,
                        or_empty(info.unit),
                        or_empty(info.text),
                        {origin_kind::assumed, "", "no file says it"},
                        info.min,
                        info.max,
                        {},
                        only_timed_});
    }
    static const char *or_empty(const char *text) { return text == nullptr ? "" : text; }

    std::string section_, text_, only_timed_;
};

class setter final : public param_visitor
{
public:
    using param_visitor::number;

    explicit setter(const std::vector<setting> &settings) : said(settings.size()), settings_(settings)
    {
        for (size_t i = 0; i < settings.size(); ++i)
            left_.emplace(settings[i].name, i);
    }
    void begin(const char *section, const char *) override { section_ = section; }
    void end() override { section_.clear(); }
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        if (!is_it(key))
            return;
        uint64_t wanted = 0;
        const number_kind kind = read_number(one().value, wanted);
        const std::string range = std::to_string(info.min) + " ... " + std::to_string(info.max);
        if (kind == number_kind::none)
            refuse("is not a whole number" + did_you_mean_number(one().value), range);
        else if (kind == number_kind::too_large || wanted < info.min || wanted > info.max)
            refuse("is outside the range", range);
        else
            value = wanted;
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &) override
    {
        if (!is_it(key))
            return;
        const std::vector<std::string> valid(names.begin(), names.end());
        for (size_t i = 0; i < valid.size(); ++i) {
            if (one().value == valid[i]) {
                value = static_cast<uint8_t>(i);
                return;
            }
        }
        std::string all;
        for (const std::string &v : valid)
            all += (all.empty() ? "" : " | ") + v;
        refuse("is none of the choices" + did_you_mean_choice(one().value, valid), all);
    }
    void flag(const char *key, bool &value, const param_info &) override
    {
        if (!is_it(key))
            return;
        const std::string &text = one().value;
        if (text == "true" || text == "on" || text == "yes" || text == "1")
            value = true;
        else if (text == "false" || text == "off" || text == "no" || text == "0")
            value = false;
        else
            refuse("is neither true nor false", "true | false");
    }
    void groups(const char *key, unit_groups &value, const param_info &info) override
    {
        if (!is_it(key))
            return;
        unit_groups wanted;
        const std::string wrong = wanted.read(one().value);
        if (!wrong.empty())
            refuse(wrong, range_of_groups(info.min, info.max));
        else if (wanted.number() > info.max)
            refuse("is outside the range", range_of_groups(info.min, info.max));
        else
            value = wanted;
    }
    void pages(const char *key, pages_of_buffers &value, const param_info &) override
    {
        if (!is_it(key))
            return;
        const std::string wrong = value.read(one().value);
        if (!wrong.empty())
            refuse(wrong, range_of_pages());
    }

    /* left(): indices of the settings that no parameter took, by name. said: the error of each setting, or
     * empty. */
    const std::unordered_map<std::string, size_t> &left() const { return left_; }
    std::vector<std::string> said;

private:
    const setting &one() const { return settings_[now_]; }
    bool is_it(const char *key)
    {
        const auto at = left_.find(join(section_, key));
        if (at == left_.end())
            return false;
        now_ = at->second;
        left_.erase(at);
        return true;
    }
    void refuse(const std::string &why, const std::string &range)
    {
        said[now_] = one().origin + ": " + one().name + " = " + as_written(one().value) + ": " + why +
                     "; valid: " + range;
    }

    const std::vector<setting> &settings_;
    std::unordered_map<std::string, size_t> left_;
    size_t now_ = 0;
    std::string section_;
};

} // namespace

std::string parameter::range() const
{
    if (what == kind::number) {
        if (max == std::numeric_limits<uint64_t>::max())
            return std::to_string(min) + " ...";
        return std::to_string(min) + " ... " + std::to_string(max);
    }
    if (what == kind::groups)
        return range_of_groups(min, max);
    if (what == kind::pages)
        return range_of_pages();
    std::string all;
    for (const std::string &c : choices)
        all += (all.empty() ? "" : " | ") + c;
    return all;
}

std::vector<parameter> list_parameters(const visit_fn &visit)
{
    lister visitor;
    visit(visitor);
    return visitor.list;
}

std::vector<std::string> parameter_names(const visit_fn &visit)
{
    std::vector<std::string> names;
    for (const parameter &p : list_parameters(visit))
        names.push_back(p.name);
    return names;
}

/* Suggests a similar name; if there is none, one similar to the key alone, as a level of another machine may
 * have another section. */
static std::string elsewhere(const std::string &name, const std::vector<std::string> &names)
{
    const std::string near = did_you_mean(name, names);
    const size_t dot = name.find('.');
    return near.empty() && dot != std::string::npos ? did_you_mean(name.substr(dot + 1), names) : near;
}

void set_parameters(const visit_fn &visit, const std::vector<setting> &settings, const std::string &lister)
{
    setter visitor(settings);
    visit(visitor);
    for (const auto &[name, i] : visitor.left())
        visitor.said[i] = settings[i].origin + ": unknown parameter '" + as_written(name) + "'" +
                          elsewhere(name, parameter_names(visit)) + lister;
    each_or_every_fault<failure>(visitor.said, [](const std::string &fault) {
        if (!fault.empty())
            throw failure(exit_usage, fault);
    });
}

void set_parameter(const visit_fn &visit, const std::string &name, const std::string &value,
                   const std::string &origin, const std::string &lister)
{
    set_parameters(visit, {{name, value, origin}}, lister);
}

} // namespace walkway
