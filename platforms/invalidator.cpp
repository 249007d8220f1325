/* SPDX-License-Identifier: MIT */
/* platforms/invalidator.cpp - one invalidate at several walk units. */
#include "platforms/invalidator.hpp"

#include "model/common/fail.hpp"

#include <utility>

namespace walkway
{

invalidator::invalidator(const std::vector<block *> &blocks)
{
    for (block *b : blocks)
        if (auto *root = dynamic_cast<invalidate_root *>(b))
            roots_.push_back(root);
    if (roots_.empty())
        fail("/walkway/invalidator", "no block at which an invalidate could begin");
}

bool invalidator::start(const invalidation &what, std::function<void(tick)> acknowledged)
{
    if (away_ != 0)
        return false;
    away_ = roots_.size();
    acknowledged_ = std::move(acknowledged);
    for (invalidate_root *root : roots_)
        if (!root->invalidate(what, [this](tick at) { came_back(at); }))
            fail("/walkway/invalidator", "another invalidate is open at a walk unit");
    return true;
}

/* It may begin the next one. */
void invalidator::came_back(tick at)
{
    if (--away_ != 0)
        return;
    const std::function<void(tick)> done = std::move(acknowledged_);
    acknowledged_ = nullptr;
    if (done)
        done(at);
}

} // namespace walkway
