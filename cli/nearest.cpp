/* SPDX-License-Identifier: MIT */
/* cli/nearest.cpp - edit distance by three rolling rows. */
#include "cli/nearest.hpp"

#include <algorithm>

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

/* "walkers" for "iommu.walkers" is a missing section, not a spelling mistake. */
static bool is_tail_of(const std::string &tail, const std::string &name)
{
    return name.size() > tail.size() + 1 && name[name.size() - tail.size() - 1] == '.' &&
           name.compare(name.size() - tail.size(), tail.size(), tail) == 0;
}

std::string nearest_name(const std::string &wrong, const std::vector<std::string> &valid)
{
    std::string best;
    size_t best_distance = wrong.size() / 2 + 1;
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
    const std::string name = nearest_name(wrong, valid);
    return name.empty() ? "" : " (did you mean '" + name + "'?)";
}

} // namespace walkway
