/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.cpp - sends each invalidate to all walk units. */
#include "platforms/invalidator.hpp"

#include "model/common/fail.hpp"

#include <utility>

namespace walkway
{

invalidator::invalidator(const std::vector<block *> &blocks, blocks_fn all) : all_(std::move(all))
{
    for (block *b : blocks)
        if (auto *root = dynamic_cast<invalidate_root *>(b))
            roots_.push_back(root);
    if (roots_.empty())
        fail("/walkway/invalidator", "no block at which an invalidate could begin");
}

drop_counts invalidator::so_far() const
{
    drop_counts all;
    for (const drop_counter *c : counters_)
        c->count_dropped(all);
    return all;
}

void invalidator::start(const invalidation &what, acknowledged_fn acknowledged)
{
    orders_.push_back({what, std::move(acknowledged)});
    if (orders_.size() == 1)
        begin();
}

void invalidator::begin()
{
    if (all_ && counters_.empty())
        for (block *b : all_())
            if (const auto *counter = dynamic_cast<const drop_counter *>(b))
                counters_.push_back(counter);
    before_ = so_far();
    away_ = roots_.size();
    for (invalidate_root *root : roots_)
        if (!root->invalidate(orders_.front().what, [this](tick at) { came_back(at); }))
            fail("/walkway/invalidator", "an invalidate that is not this machine's is open at a walk unit");
}

/* `acknowledged` may call start() for another invalidate. */
void invalidator::came_back(tick at)
{
    if (--away_ != 0)
        return;
    const acknowledged_fn done = std::move(orders_.front().acknowledged);
    orders_.pop_front();
    if (done)
        done(at, so_far() - before_);
    if (away_ == 0 && !orders_.empty())
        begin();
}

} // namespace walkway
