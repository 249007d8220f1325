/* SPDX-License-Identifier: MIT */
/* device/params_file.cpp - see params_file.hpp. */
#include "device/params_file.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace walkway
{

namespace
{

std::string trimmed(const std::string &text)
{
    const size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/* Letters to be inserted, deleted or replaced. (support/nearest.hpp lies above, with the program.) */
size_t distance(const std::string &a, const std::string &b)
{
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t before = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = before + (a[i - 1] != b[j - 1]);
            before = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return row.back();
}

class section_reader final : public param_visitor
{
public:
    section_reader(const std::string &path, const std::string &section) : path_(path)
    {
        std::ifstream in(path);
        if (!in)
            throw std::runtime_error(path + ": cannot be read");
        std::string line, now;
        bool there = false;
        for (unsigned number = 1; std::getline(in, line); ++number) {
            line = trimmed(line.substr(0, line.find('#')));
            if (!line.empty() && line.front() == '[' && line.back() == ']') {
                now = trimmed(line.substr(1, line.size() - 2));
                there = there || now == section;
            } else if (!line.empty() && now == section) {
                take(line, number);
            }
        }
        if (!there)
            throw std::runtime_error(path + ": has no section [" + section + "]");
    }

    void begin(const char *, const char *) override {}
    void end() override {}
    using param_visitor::number;
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        const entry *e = find(key);
        if (e == nullptr)
            return;
        const bool digits = !e->value.empty() && e->value.size() <= 19 &&
                            e->value.find_first_not_of("0123456789") == std::string::npos;
        const uint64_t said = digits ? std::stoull(e->value) : 0;
        if (!digits || said < info.min || said > info.max)
            wrong(e->line, std::string(key) + " = " + e->value + ": valid: " + std::to_string(info.min) +
                               " ... " + std::to_string(info.max) + " " + info.unit);
        value = said;
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &) override
    {
        const entry *e = find(key);
        if (e == nullptr)
            return;
        std::string valid;
        for (size_t i = 0; i < names.size(); ++i) {
            if (e->value == names[i]) {
                value = static_cast<uint8_t>(i);
                return;
            }
            valid += std::string(i == 0 ? "" : " | ") + names[i];
        }
        wrong(e->line, std::string(key) + " = " + e->value + ": valid: " + valid);
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        uint8_t of = value;
        choice(key, of, {"false", "true"}, info);
        value = of != 0;
    }

    /* Has every key been asked for? */
    void finish() const
    {
        for (const auto &[key, e] : entries_) {
            const auto nearer = [&key = key](const std::string &a, const std::string &b) {
                return distance(key, a) < distance(key, b);
            };
            if (std::find(known_.begin(), known_.end(), key) == known_.end())
                wrong(e.line, "there is no '" + key + "' (did you mean '" +
                                  *std::min_element(known_.begin(), known_.end(), nearer) + "'?)");
        }
    }
    [[noreturn]] void wrong(unsigned line, const std::string &what) const
    {
        throw std::runtime_error(path_ + ":" + std::to_string(line) + ": " + what);
    }

private:
    struct entry {
        std::string value;
        unsigned line;
    };
    void take(const std::string &line, unsigned number)
    {
        const size_t equals = line.find('=');
        if (equals == std::string::npos)
            wrong(number, "'" + line + "' is neither [section] nor key = value");
        const std::string key = trimmed(line.substr(0, equals));
        const auto [at, fresh] = entries_.insert({key, {trimmed(line.substr(equals + 1)), number}});
        if (!fresh)
            wrong(number, "'" + key + "' is there already, in line " + std::to_string(at->second.line));
    }
    const entry *find(const char *key)
    {
        known_.push_back(key);
        const auto e = entries_.find(key);
        return e == entries_.end() ? nullptr : &e->second;
    }

    std::string path_;
    std::map<std::string, entry> entries_;
    std::vector<std::string> known_;
};

} // namespace

iommu_device_params read_iommu_params(const std::string &path, const std::string &section)
{
    section_reader file(path, section);
    iommu_device_params p;
    p.visit(file);
    file.finish();
    if (const std::string together = p.validate(); !together.empty())
        throw std::runtime_error(path + ": [" + section + "]: " + together);
    return p;
}

} // namespace walkway
