/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.hpp - an invalidate of a whole machine: it begins at every walk unit, and is
 * acknowledged when all have acknowledged it. For blocks that change page tables in use, or own them: one
 * requested while another is open follows it. */
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

    /* blocks: those at which an invalidate begins are taken. all: called as the first one begins; of its
     * blocks, those that drop mappings are counted. */
    explicit invalidator(const std::vector<block *> &blocks, blocks_fn all = nullptr);
    /* As invalidate_root::invalidate(), for all roots; at once, or as soon as earlier ones are
     * acknowledged. */
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
    drop_counts before_; /* at the begin of the first order */
    size_t away_ = 0;    /* roots that have not acknowledged the first order */
    std::deque<order> orders_;
};

} // namespace walkway

#endif
