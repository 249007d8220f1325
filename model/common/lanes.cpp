/* SPDX-License-Identifier: MIT */
/* model/common/lanes.cpp - posts down, and invalidates in both directions. */
#include "model/common/lanes.hpp"

#include "model/common/fail.hpp"

#include <algorithm>

namespace walkway
{

void post_lane::push(const xlat_post &post, tick at)
{
    last_due_ = std::max(owner_.clock().ceil(at), last_due_);
    ring_.push_back(entry{post, last_due_});
    next_ = std::min(next_, last_due_);
    owner_.wake(last_due_);
}

void post_lane::fill(uint64_t va, uint16_t vmid, const ww_xlat &page, tick at)
{
    ++sent_;
    if (inside_ + (freed_at_ == owner_.now() ? freed_ : 0) >= fills_) {
        ++dropped_;
        return;
    }
    ++inside_;
    push(xlat_post{va, page, vmid, false}, at);
}

/* Only one invalidate is open at a time, so its place is free. */
void post_lane::back(tick at)
{
    push(xlat_post{0, ww_xlat{}, 0, true}, at);
}

const xlat_post *post_lane::front(tick now) const
{
    return next() <= now && !ring_.empty() ? &ring_.front().post : nullptr;
}

void post_lane::pop()
{
    if (!ring_.front().post.back) {
        const tick current = owner_.now();
        freed_ = freed_at_ == current ? freed_ + 1 : 1;
        freed_at_ = current;
        --inside_;
        ++taken_;
    }
    ring_.pop_front();
}

post_lane *fills_below(const asking_end &down)
{
    const serving_end *to = down.target();
    post_lane *posts = to == nullptr ? nullptr : to->posts();
    return posts != nullptr && posts->takes_fills() ? posts : nullptr;
}

stage_lanes::stage_lanes(block &owner, asking_end *down, uint32_t fills)
    : owner_(owner), down_(down), fills_(fills)
{
    if (down != nullptr)
        down->notices(*this);
}

void stage_lanes::serve(serving_end &up)
{
    lanes_.push_back(lane{&up, std::make_unique<post_lane>(owner_, fills_, next_)});
    up.sinks(*lanes_.back().posts);
}

bool stage_lanes::start(const ww_inval_scope &scope, std::function<void(tick)> done)
{
    if (state_.open || out_at_ != never)
        return false;
    done_ = std::move(done);
    on_invalidate(scope, owner_.now());
    return true;
}

void stage_lanes::on_invalidate(const ww_inval_scope &scope, tick at)
{
    if (out_at_ != never || state_.open)
        fail("/walkway/invalidate", std::string(owner_.name()) + ": a second invalidate while one is open");
    scope_ = scope;
    out_at_ = owner_.clock().ceil(at);
    next_ = std::min(next_, out_at_);
    owner_.wake(out_at_);
}

/* Sends a copy up every port, after its answers; unbound ports and foreign blocks count as back at once. */
void stage_lanes::go_out(tick now)
{
    out_at_ = never;
    const uint32_t copies = static_cast<uint32_t>(lanes_.size()) + own_copies_;
    if (copies == 0) {
        leave(now);
        return;
    }
    ww_inval_init(&state_, copies);
    ww_inval_out(&state_, &scope_);
    for (lane &l : lanes_) {
        const asking_end *above = l.up->source();
        notice_taker *taker = above == nullptr ? nullptr : above->noticed();
        if (taker == nullptr)
            l.posts->back(now);
        else
            taker->on_invalidate(scope_, std::max(now + owner_.clock().period(), l.up->last_answer()));
    }
}

/* The last copy ends the refusal of fills here and is sent on down, after the fills. */
void stage_lanes::came_back(tick now)
{
    if (ww_inval_back(&state_))
        leave(now);
}

/* Sends the invalidate down. Where it began, it is acknowledged, and the next one may begin. */
void stage_lanes::leave(tick now)
{
    if (down_ != nullptr && down_->target() != nullptr && down_->target()->posts() != nullptr) {
        down_->target()->posts()->back(now + owner_.clock().period());
        return;
    }
    const std::function<void(tick)> done = std::move(done_);
    done_ = nullptr;
    if (done)
        done(now);
}

const xlat_post *stage_lanes::ready(lane &l, tick now)
{
    const xlat_post *post = l.posts->front(now);
    if (post == nullptr || post->back)
        return post;
    if (l.sunk_at == now)
        return nullptr;
    l.sunk_at = now;
    return post;
}

void stage_lanes::look_ahead()
{
    next_ = out_at_;
    for (const lane &l : lanes_)
        next_ = std::min(next_, l.posts->next());
}

uint64_t stage_lanes::received() const
{
    uint64_t n = 0;
    for (const lane &l : lanes_)
        n += l.posts->taken();
    return n;
}

uint64_t stage_lanes::dropped() const
{
    uint64_t n = 0;
    for (const lane &l : lanes_)
        n += l.posts->dropped();
    return n;
}

uint64_t stage_lanes::live() const
{
    uint64_t n = state_.open || out_at_ != never ? 1 : 0;
    for (const lane &l : lanes_)
        n += l.posts->size();
    return n;
}

turn_lane::turn_lane(block &owner, asking_end &down) : owner_(owner), down_(down)
{
    ww_turn_init(&turn_);
    down.notices(*this);
}

void turn_lane::on_invalidate(const ww_inval_scope &, tick at)
{
    arrives_ = owner_.clock().ceil(at);
    next_ = std::min(next_, arrives_);
    owner_.wake(arrives_);
}

void turn_lane::ended()
{
    if (ww_turn_ready(&turn_))
        owner_.wake(next_ = due());
}

/* The invalidate also waits for accesses whose end is known but not reached. */
void turn_lane::step(tick now)
{
    if (arrives_ <= now) {
        arrives_ = never;
        ww_turn_out(&turn_);
    }
    next_ = arrives_;
    if (!ww_turn_ready(&turn_))
        return;
    if (due() > now) {
        owner_.wake(next_ = due());
        return;
    }
    ww_turn_back(&turn_);
    down_.target()->posts()->back(now + owner_.clock().period());
}

} // namespace walkway
