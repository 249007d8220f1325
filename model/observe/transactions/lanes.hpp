/* SPDX-License-Identifier: MIT */
/* observe/transactions/lanes.hpp - divides the overlapping intervals of one track among lanes without
 * overlap: each takes the lowest lane whose last interval has ended by then. Intervals may come in any order;
 * in the order of their beginnings the lanes are as few as possible. O(log lanes), by a tree of the lanes'
 * ends. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_LANES_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_LANES_HPP

#include "model/common/clock.hpp"

#include <vector>

namespace walkway
{

class lane_set
{
public:
    /* Returns the lane of [from, to). */
    uint32_t take(tick from, tick to);
    /* Returns the number of lanes ever taken. */
    uint32_t used() const { return used_; }

private:
    void grow();

    std::vector<tick> earliest_ = {0,
                                   0}; /* [1]: the root; of a node, the earliest end below; 0: never taken */
    uint32_t leaves_ = 1;
    uint32_t used_ = 0;
};

} // namespace walkway

#endif
