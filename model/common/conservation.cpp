/* SPDX-License-Identifier: MIT */
/* model/common/conservation.cpp - adds up the laws of equal blocks. */
#include "model/common/conservation.hpp"

#include <algorithm>

namespace walkway
{

void law_list::add_to(const std::string &subject, const std::string &text, uint64_t left, uint64_t right,
                      const std::string &story)
{
    const std::string name = subject + ": " + text;
    auto it = std::find_if(entries_.begin(), entries_.end(),
                           [&name](const entry &e) { return e.sum.name == name; });
    if (it == entries_.end())
        it = entries_.insert(it, entry{law{name, 0, 0, ""}, false});
    if (it->broken)
        return;
    if (left != right) {
        it->broken = true;
        it->sum.left = left;
        it->sum.right = right;
        it->sum.story = story.empty() && !member_.empty() ? "in " + member_ : story;
        return;
    }
    it->sum.left += left;
    it->sum.right += right;
}

std::vector<law> law_list::all() const
{
    std::vector<law> laws;
    for (const entry &e : entries_)
        laws.push_back(e.sum);
    return laws;
}

} // namespace walkway
