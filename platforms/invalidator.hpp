/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.hpp - an invalidate of a whole machine: it begins at every walk unit, and is
 * acknowledged when all have acknowledged it. For blocks that change page tables, or whose tables they are,
 * while they are used: what one wants while another's is open comes after it. */
#ifndef WALKWAY_PLATFORMS_INVALIDATOR_HPP
#define WALKWAY_PLATFORMS_INVALIDATOR_HPP

#include "model/common/lanes.hpp"

#include <deque>
#include <functional>
#include <vector>

namespace walkway
{

class invalidator
{
public:
    /* Of a machine's blocks, those at which one can begin. */
    explicit invalidator(const std::vector<block *> &blocks);
    /* As invalidate_root::invalidate(), for all of them; at once, or as soon as those before are
     * acknowledged.
     */
    void start(const invalidation &what, std::function<void(tick)> acknowledged);
    size_t roots() const { return roots_.size(); }

private:
    struct order {
        invalidation what;
        std::function<void(tick)> acknowledged;
    };
    void begin();
    void came_back(tick at);

    std::vector<invalidate_root *> roots_;
    size_t away_ = 0; /* that have not acknowledged the first order */
    std::deque<order> orders_;
};

} // namespace walkway

#endif
