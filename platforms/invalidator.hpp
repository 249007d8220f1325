/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.hpp - an invalidate of a whole machine: it begins at every walk unit, and is
 * acknowledged when all have acknowledged it. For a block that changes page tables while they are used. */
#ifndef WALKWAY_PLATFORMS_INVALIDATOR_HPP
#define WALKWAY_PLATFORMS_INVALIDATOR_HPP

#include "model/common/lanes.hpp"

#include <functional>
#include <vector>

namespace walkway
{

class invalidator
{
public:
    /* Of a machine's blocks, those at which one can begin. */
    explicit invalidator(const std::vector<block *> &blocks);
    /* As invalidate_root::invalidate(), for all of them. */
    bool start(const invalidation &what, std::function<void(tick)> acknowledged);
    size_t roots() const { return roots_.size(); }

private:
    void came_back(tick at);

    std::vector<invalidate_root *> roots_;
    size_t away_ = 0; /* that have not acknowledged it */
    std::function<void(tick)> acknowledged_;
};

} // namespace walkway

#endif
