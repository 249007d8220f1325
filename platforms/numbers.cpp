/* SPDX-License-Identifier: MIT */
/* platforms/numbers.cpp - two visitors over a machine's table of numbers. */
#include "platforms/numbers.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace walkway
{

namespace
{

class table_visitor : public param_visitor
{
public:
    explicit table_visitor(const machine_numbers &numbers) : numbers_(numbers) {}
    using param_visitor::number;
    /* A file is read key by key, with a visit each: its rows are searched in their section alone. */
    void begin(const char *section, const char *) override
    {
        const std::string prefix = std::string(section) + ".";
        rows_.clear();
        for (const machine_number &n : numbers_)
            if (std::strncmp(n.name, prefix.c_str(), prefix.size()) == 0)
                rows_.emplace_back(n.name + prefix.size(), &n);
    }
    void end() override { rows_.clear(); }

protected:
    const machine_number *row(const char *key) const
    {
        for (const auto &[name, n] : rows_)
            if (std::strcmp(name, key) == 0)
                return n;
        return nullptr;
    }
    const machine_numbers &numbers_;

private:
    std::vector<std::pair<const char *, const machine_number *>> rows_; /* of the section, by key */
};

[[noreturn]] void refuse(const machine_number &n, const char *why)
{
    throw std::logic_error(std::string(n.name) + " = " + n.value + " in a machine's table: " + why);
}

class setter final : public table_visitor
{
public:
    using table_visitor::table_visitor;
    size_t used = 0;

    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        if (const machine_number *n = found(key)) {
            char *end = nullptr;
            value = std::strtoull(n->value, &end, 10);
            if (end == n->value || *end != 0 || value < info.min || value > info.max)
                refuse(*n, "out of range");
        }
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &) override
    {
        if (const machine_number *n = found(key)) {
            const auto is = [n](const char *name) { return std::strcmp(name, n->value) == 0; };
            const auto at = std::find_if(names.begin(), names.end(), is);
            if (at == names.end())
                refuse(*n, "no such choice");
            value = static_cast<uint8_t>(at - names.begin());
        }
    }
    void flag(const char *key, bool &value, const param_info &) override
    {
        if (const machine_number *n = found(key))
            value = std::strcmp(n->value, "true") == 0;
    }

private:
    const machine_number *found(const char *key)
    {
        const machine_number *n = row(key);
        used += n != nullptr ? 1 : 0;
        return n;
    }
};

class sourced final : public table_visitor
{
public:
    sourced(param_visitor &to, const machine_numbers &numbers) : table_visitor(numbers), to_(to) {}
    void begin(const char *section, const char *text) override
    {
        table_visitor::begin(section, text);
        to_.begin(section, text);
    }
    void end() override
    {
        table_visitor::end();
        to_.end();
    }
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        to_.number(key, value, here(key, info));
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &info) override
    {
        to_.choice(key, value, names, here(key, info));
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        to_.flag(key, value, here(key, info));
    }

private:
    param_info here(const char *key, param_info info) const
    {
        if (const machine_number *n = row(key))
            info.source = n->source;
        else if (info.source.origin != param_origin::assumed)
            info.source = assumed("as apu-micro18 has it");
        return info;
    }
    param_visitor &to_;
};

} // namespace

machine_numbers numbers_over(machine_numbers base, const machine_numbers &rows)
{
    for (const machine_number &row : rows) {
        const auto same = [&row](const machine_number &n) { return std::strcmp(n.name, row.name) == 0; };
        const auto at = std::find_if(base.begin(), base.end(), same);
        if (at == base.end())
            base.push_back(row);
        else
            *at = row;
    }
    return base;
}

void set_numbers(const machine_numbers &numbers, const visit_fn &visit)
{
    setter set(numbers);
    visit(set);
    if (set.used != numbers.size())
        throw std::logic_error("a machine's table has " + std::to_string(numbers.size()) + " rows, and " +
                               std::to_string(set.used) + " of them name one of its parameters each");
}

void visit_numbers(param_visitor &to, const machine_numbers &numbers, const visit_fn &visit)
{
    sourced visitor(to, numbers);
    visit(visitor);
}

} // namespace walkway
