/* SPDX-License-Identifier: MIT */
/* model/common/scheduler.cpp - the tree of wake-ups, and the one process. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "model/common/scheduler.hpp"

#include "model/common/block.hpp"
#include "model/common/per_context.hpp"

#include <algorithm>

namespace walkway
{

std::shared_ptr<scheduler> scheduler::here()
{
    return per_context<scheduler>();
}

std::shared_ptr<scheduler> scheduler::if_any()
{
    return per_context<scheduler>(false);
}

scheduler::scheduler()
{
    sc_core::sc_spawn_options how;
    how.spawn_method();
    how.dont_initialize();
    how.set_sensitivity(&due_);
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("walkway_scheduler"), &how);
}

uint32_t scheduler::add(block &b)
{
    blocks_.push_back(&b);
    if (blocks_.size() > leaves_)
        grow();
    return static_cast<uint32_t>(blocks_.size() - 1);
}

void scheduler::remove(uint32_t id)
{
    blocks_[id] = nullptr;
}

/* Quadruples the leaves; wake-ups keep their times. */
void scheduler::grow()
{
    std::vector<tick> wake_ups;
    for (uint32_t id = 0; id < leaves_; ++id)
        wake_ups.push_back(time_of(tree_[leaves_ + id]));
    leaves_ *= 4;
    id_bits_ += 2;
    tree_.assign(size_t{2} * leaves_, never);
    for (uint32_t id = 0; id < wake_ups.size(); ++id)
        if (wake_ups[id] != never)
            set(id, order(wake_ups[id], id));
}

/* Always updates up to the root: a loop of one length costs less than an unpredictable branch. Returns the
 * first of all wake-ups: the caller needs it at once, and reading it from memory would take a few cycles of
 * the host. */
uint64_t scheduler::set(uint32_t id, uint64_t wake_up)
{
    uint64_t *const tree = tree_.data();
    uint32_t node = leaves_ + id;
    tree[node] = wake_up;
    for (; node != 1; node /= 4) {
        wake_up = least_with_others(node, wake_up);
        tree[node / 4] = wake_up;
    }
    return wake_up;
}

/* Sets an earlier wake-up; a later one has no effect. Needs no comparison with siblings: each node above
 * already holds their minimum. */
void scheduler::lower(uint32_t id, uint64_t wake_up)
{
    uint64_t *const tree = tree_.data();
    for (uint32_t node = leaves_ + id; node != 0; node /= 4)
        tree[node] = wake_up < tree[node] ? wake_up : tree[node];
}

void scheduler::swap(uint32_t &a, uint32_t &b)
{
    const tick of_a = time_of(tree_[leaves_ + a]), of_b = time_of(tree_[leaves_ + b]);
    std::swap(blocks_[a], blocks_[b]);
    std::swap(a, b);
    set(a, of_a == never ? never : order(of_a, a));
    set(b, of_b == never ? never : order(of_b, b));
}

tick scheduler::now_outside() const
{
    return std::max(scale_.ticks(sc_core::sc_time_stamp()), now_);
}

/* Exact to SystemC's resolution: a process may run between two ticks, and then neither its time nor its delay
 * alone is a whole tick. Where blocks run ahead of SystemC's time there is no such process. */
tick scheduler::arrival(const sc_core::sc_time &delay) const
{
    const sc_core::sc_time &here = sc_core::sc_time_stamp();
    return now() == scale_.ticks(here) ? scale_.ticks(here + delay) : now() + scale_.ticks(delay);
}

sc_core::sc_time scheduler::delay_to(tick t) const
{
    const sc_core::sc_time &here = sc_core::sc_time_stamp();
    if (t <= now())
        return sc_core::SC_ZERO_TIME;
    return now() == scale_.ticks(here) ? scale_.time(t) - here : scale_.time(t - now());
}

void scheduler::schedule(uint32_t id, tick t)
{
    const tick current = now();
    lower(id, order(t > current ? t : current, id));
    if (!running_ && time_of(tree_[1]) < notified_)
        notify();
}

/* Notifies SystemC of the earliest wake-up. */
void scheduler::notify()
{
    notified_ = time_of(tree_[1]);
    const sc_core::sc_time at = scale_.time(notified_), &here = sc_core::sc_time_stamp();
    due_.notify(at > here ? at - here : sc_core::SC_ZERO_TIME);
}

namespace
{
struct flag_while { /* resets the flag also if a block throws */
    bool &flag;
    explicit flag_while(bool &f) : flag(f) { flag = true; }
    ~flag_while() { flag = false; }
};
} // namespace

/* Runs all blocks that are due, also those woken for this very time, then those that may run ahead. */
void scheduler::serve()
{
    const flag_while running(running_);
    now_ = std::max(now_, scale_.ticks(sc_core::sc_time_stamp()));
    for (uint64_t first = tree_[1];;) {
        const tick at = time_of(first);
        if (at > now_ && (at >= ahead_ || at == never))
            return;
        now_ = std::max(now_, at);
        const auto id = static_cast<uint32_t>(first & (leaves_ - 1));
        block *const b = blocks_[id];
        /* the leaf is not cleared: most steps end with a new wake-up */
        const tick next = b != nullptr ? b->activate(now_) : never;
        first = set(id, next == never ? never : order(std::max(next, now_), id));
    }
}

void scheduler::run()
{
    serve();
    notified_ = never;
    if (tree_[1] != never)
        notify();
}

} // namespace walkway
