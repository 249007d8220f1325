/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.hpp - an invalidate of a whole machine: it begins at every walk unit, and is
 * acknowledged when all have acknowledged it. For blocks that change page tables, or whose tables they are,
 * while they are used: what one wants while another's is open comes after it. */
#ifndef WALKWAY_PLATFORMS_INVALIDATOR_HPP
#define WALKWAY_PLATFORMS_INVALIDATOR_HPP

#include "model/common/lanes.hpp"
#include "model/dropped.hpp"

#include <deque>
#include <functional>
#include <vector>

namespace walkway
{

class invalidator
{
public:
    using blocks_fn = std::function<std::vector<block *>()>;

    /* Of these blocks, those at which one can begin; of the others, which are asked for as the first one
     * begins, those that drop what it names. */
    explicit invalidator(const std::vector<block *> &blocks, blocks_fn all = nullptr);
    /* As invalidate_root::invalidate(), for all of them; at once, or as soon as those before are
     * acknowledged.
     */
    void start(const invalidation &what, acknowledged_fn acknowledged);
    size_t roots() const { return roots_.size(); }

private:
    struct order {
        invalidation what;
        acknowledged_fn acknowledged;
    };
    void begin();
    void came_back(tick at);
    drop_counts so_far() const;

    std::vector<invalidate_root *> roots_;
    blocks_fn all_;
    std::vector<const drop_counter *> counters_;
    drop_counts before_; /* when the first order began */
    size_t away_ = 0;    /* that have not acknowledged the first order */
    std::deque<order> orders_;
};

} // namespace walkway

#endif
