/* SPDX-License-Identifier: MIT */
/* report/numbered.cpp - finds the numbers in names and makes ranges of them. */
#include "report/numbered.hpp"

#include <algorithm>

namespace walkway
{

numbered_name::numbered_name(const std::string &name)
{
    for (size_t i = 0; i < name.size();) {
        const bool number = i > 0 && name[i - 1] == '_' && name[i] >= '0' && name[i] <= '9';
        if (!number) {
            text += name[i++];
            continue;
        }
        unsigned n = 0;
        for (; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i)
            n = n * 10 + static_cast<unsigned>(name[i] - '0');
        numbers.push_back(n);
        text += '*';
    }
}

void name_range::add(const numbered_name &name)
{
    for (size_t i = 0; i < name.numbers.size(); ++i) {
        low_[i] = std::min(low_[i], name.numbers[i]);
        high_[i] = std::max(high_[i], name.numbers[i]);
    }
}

std::string name_range::name() const
{
    std::string out;
    size_t n = 0;
    for (const char c : text_) {
        if (c != '*') {
            out += c;
            continue;
        }
        out += std::to_string(low_[n]);
        if (high_[n] != low_[n])
            out += ".." + std::to_string(high_[n]);
        ++n;
    }
    return out;
}

} // namespace walkway
