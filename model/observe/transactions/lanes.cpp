/* SPDX-License-Identifier: MIT */
/* observe/transactions/lanes.cpp - a tree of minima; the leaf of lane n is at leaves_ + n. */
#include "observe/transactions/lanes.hpp"

#include <algorithm>

namespace walkway
{

void lane_set::grow()
{
    std::vector<tick> twice(size_t{leaves_} * 4, 0);
    std::copy(earliest_.begin() + leaves_, earliest_.end(), twice.begin() + leaves_ * 2);
    leaves_ *= 2;
    for (size_t i = leaves_; i-- > 1;)
        twice[i] = std::min(twice[2 * i], twice[2 * i + 1]);
    earliest_ = std::move(twice);
}

uint32_t lane_set::take(tick from, tick to)
{
    if (earliest_[1] > from)
        grow();
    size_t at = 1;
    while (at < leaves_)
        at = earliest_[2 * at] <= from ? 2 * at : 2 * at + 1;
    const auto lane = static_cast<uint32_t>(at - leaves_);
    earliest_[at] = to;
    for (at /= 2; at != 0; at /= 2)
        earliest_[at] = std::min(earliest_[2 * at], earliest_[2 * at + 1]);
    used_ = std::max(used_, lane + 1);
    return lane;
}

} // namespace walkway
