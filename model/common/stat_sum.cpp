/* SPDX-License-Identifier: MIT */
/* model/common/stat_sum.cpp - adds up statistics of equal blocks. */
#include "model/common/stat_sum.hpp"

#include <algorithm>

namespace walkway
{

struct stat_sum::item {
    enum class kind : uint8_t { fresh, group, count, level, real, hist };
    std::string name;
    const char *unit, *text;
    kind what = kind::fresh;
    uint64_t value = 0;
    double number = 0;
    std::unique_ptr<histogram> values;
    std::unique_ptr<node> group;
};

struct stat_sum::node {
    std::vector<item> items;
};

stat_sum::stat_sum() : root_(std::make_unique<node>()), path_{root_.get()} {}
stat_sum::~stat_sum() = default;

stat_sum::item &stat_sum::find(const char *name, const char *unit, const char *text)
{
    std::vector<item> &items = path_.back()->items;
    const auto it =
        std::find_if(items.begin(), items.end(), [name](const item &i) { return i.name == name; });
    if (it != items.end())
        return *it;
    items.emplace_back();
    items.back().name = name;
    items.back().unit = unit;
    items.back().text = text;
    return items.back();
}

void stat_sum::begin(const std::string &group, const char *text)
{
    item &i = find(group.c_str(), "", text);
    i.what = item::kind::group;
    if (i.group == nullptr)
        i.group = std::make_unique<node>();
    path_.push_back(i.group.get());
}

void stat_sum::end()
{
    path_.pop_back();
}

void stat_sum::count(const char *name, uint64_t value, const char *unit, const char *text)
{
    item &i = find(name, unit, text);
    i.what = item::kind::count;
    i.value += value;
}

void stat_sum::level(const char *name, uint64_t value, const char *unit, const char *text)
{
    item &i = find(name, unit, text);
    i.what = item::kind::level;
    i.value = std::max(i.value, value);
}

void stat_sum::real(const char *name, double value, const char *unit, const char *text)
{
    item &i = find(name, unit, text);
    i.what = item::kind::real;
    i.number += value;
}

void stat_sum::hist(const char *name, const histogram &value, const char *unit, const char *text)
{
    item &i = find(name, unit, text);
    i.what = item::kind::hist;
    if (i.values == nullptr)
        i.values = std::make_unique<histogram>(value);
    else
        i.values->add(value);
}

void stat_sum::show(stat_visitor &v) const
{
    show(*root_, v);
}

void stat_sum::show(const node &n, stat_visitor &v)
{
    for (const item &i : n.items) {
        switch (i.what) {
        case item::kind::fresh:
            break;
        case item::kind::group:
            v.begin(i.name, i.text);
            show(*i.group, v);
            v.end();
            break;
        case item::kind::count:
            v.count(i.name.c_str(), i.value, i.unit, i.text);
            break;
        case item::kind::level:
            v.level(i.name.c_str(), i.value, i.unit, i.text);
            break;
        case item::kind::real:
            v.real(i.name.c_str(), i.number, i.unit, i.text);
            break;
        case item::kind::hist:
            v.hist(i.name.c_str(), *i.values, i.unit, i.text);
            break;
        }
    }
}

} // namespace walkway
