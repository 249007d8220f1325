/* SPDX-License-Identifier: MIT */
/* platforms/equality.cpp - statistics by name, and sums of them. */
#include "platforms/equality.hpp"

#include <stdexcept>

namespace walkway
{

void stat_values::begin(const std::string &group, const char *)
{
    prefix_ += group + ".";
}

void stat_values::end()
{
    const size_t dot = prefix_.rfind('.', prefix_.size() - 2);
    prefix_.resize(dot == std::string::npos ? 0 : dot + 1);
}

void stat_values::count(const char *name, uint64_t value, const char *, const char *)
{
    all[prefix_ + name] = value;
}

void stat_values::real(const char *, double, const char *, const char *) {} /* no law uses real numbers */

void stat_values::hist(const char *name, const histogram &value, const char *, const char *)
{
    all[prefix_ + name] = value.sum();
}

uint64_t stat_values::sum(const std::vector<stat_term> &terms) const
{
    uint64_t total = 0;
    for (const stat_term &t : terms) {
        const bool every = t.name.back() == '*';
        const std::string name = every ? t.name.substr(0, t.name.size() - 1) : t.name;
        auto it = all.lower_bound(name);
        if (it == all.end() || (every ? it->first.compare(0, name.size(), name) != 0 : it->first != name))
            throw std::logic_error("a law names the statistic '" + t.name + "', which is not there");
        do
            total += it->second * t.times;
        while (every && ++it != all.end() && it->first.compare(0, name.size(), name) == 0);
    }
    return total;
}

law stat_values::judge(const equality &e) const
{
    const uint64_t left = sum(e.left);
    const bool said = e.unless.empty() || sum({e.unless.c_str()}) == 0;
    return {e.text, left, said ? sum(e.right) : left, ""};
}

} // namespace walkway
