/* SPDX-License-Identifier: MIT */
/* support/nearest.cpp - computes the edit distance with three rolling rows. */
#include "support/nearest.hpp"

#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/options.hpp"
#include "support/renames.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <fnmatch.h>
#include <memory>

namespace walkway
{

size_t edit_distance(const std::string &a, const std::string &b)
{
    std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/* "walkers" for "walk_unit.walkers" is a missing section, not a spelling mistake. */
static bool is_tail_of(const std::string &tail, const std::string &name)
{
    return name.size() > tail.size() + 1 && ends_with(name, "." + tail);
}

std::string nearest_name(const std::string &wrong, const std::vector<std::string> &valid)
{
    std::string best;
    size_t best_distance = wrong.size() / 2 + 1;
    if (std::find(valid.begin(), valid.end(), wrong) != valid.end())
        return ""; /* the name is valid: something else is wrong */
    for (const std::string &name : valid) {
        const size_t distance = is_tail_of(wrong, name) ? 1 : edit_distance(wrong, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

std::string did_you_mean(const std::string &wrong, const std::vector<std::string> &valid)
{
    const std::string now = name_now(wrong);
    if (now != wrong && std::find(valid.begin(), valid.end(), now) != valid.end())
        return " (it is called '" + now + "' now)";
    const std::string name = nearest_name(now, valid);
    return name.empty() ? "" : " (did you mean '" + name + "'?)";
}

std::string readable_name(const std::string &name)
{
    if (name.rfind("_Z", 0) != 0)
        return name;
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text != nullptr ? text.get() : name;
}

std::string readable_names(const std::string &text)
{
    const auto in_name = [&](size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '$');
    };
    std::string all;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (in_name(end))
            ++end;
        end += end == at;
        all += readable_name(text.substr(at, end - at));
        at = end;
    }
    return all;
}

/* Returns the text in lower case, without ' ', '-', '_'; a number also without its unit of bytes. */
static std::string plain_spelling(const std::string &text)
{
    std::string plain;
    for (const char c : text)
        if (c != ' ' && c != '-' && c != '_')
            plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (plain.empty() || plain[0] < '0' || plain[0] > '9')
        return plain;
    for (const char *const tail : {"bytes", "b", "i"}) {
        const size_t size = std::string(tail).size();
        if (plain.size() > size && ends_with(plain, tail))
            plain.resize(plain.size() - size);
    }
    return plain;
}

std::string did_you_mean_choice(const std::string &wrong, const std::vector<std::string> &valid)
{
    for (const std::string &name : valid)
        if (plain_spelling(wrong) == plain_spelling(name))
            return " (did you mean '" + name + "'?)";
    return did_you_mean(wrong, valid);
}

/* Searches the whole names first, then their parts between dots. */
static std::string near_any(const std::string &pattern, const std::vector<std::string> &names)
{
    const std::string whole = did_you_mean(pattern, names);
    if (!whole.empty())
        return whole;
    std::vector<std::string> parts;
    for (const std::string &name : names)
        for (const std::string &part : split(name, '.'))
            parts.push_back(part);
    return did_you_mean(pattern, parts);
}

std::vector<bool> meant(const std::vector<std::string> &patterns, const std::vector<std::string> &names,
                        const std::string &what)
{
    std::vector<bool> taken(names.size(), patterns.empty());
    for (const std::string &pattern : patterns) {
        const bool glob = pattern.find_first_of("*?[") != std::string::npos;
        bool any = false;
        for (size_t i = 0; i < names.size(); ++i) {
            const bool fits = glob ? fnmatch(pattern.c_str(), names[i].c_str(), 0) == 0
                                   : names[i].find(pattern) != std::string::npos;
            taken[i] = taken[i] || fits;
            any = any || fits;
        }
        if (!any)
            throw failure(exit_usage,
                          what + " is called '" + as_written(pattern) + "'" + near_any(pattern, names));
    }
    return taken;
}

} // namespace walkway
