/* SPDX-License-Identifier: MIT */
/* model/common/scheduler.cpp - the heap of wishes, and the one process. */
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "model/common/scheduler.hpp"

#include "model/common/block.hpp"

#include <algorithm>

namespace walkway
{

std::shared_ptr<scheduler> scheduler::here()
{
    static sc_core::sc_simcontext *context = nullptr;
    static std::weak_ptr<scheduler> last;
    std::shared_ptr<scheduler> s = last.lock();
    if (s == nullptr || context != sc_core::sc_get_curr_simcontext()) {
        s = std::make_shared<scheduler>();
        last = s;
        context = sc_core::sc_get_curr_simcontext();
    }
    return s;
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
    where_.push_back(nowhere);
    return static_cast<uint32_t>(blocks_.size() - 1);
}

void scheduler::remove(uint32_t id)
{
    blocks_[id] = nullptr;
}

void scheduler::up(uint32_t i, const node &n)
{
    while (i != 0) {
        const uint32_t parent = (i - 1) / 2;
        if (!n.before(heap_[parent]))
            break;
        place(i, heap_[parent]);
        i = parent;
    }
    place(i, n);
}

void scheduler::down(uint32_t i, const node &n)
{
    const auto size = static_cast<uint32_t>(heap_.size());
    for (uint32_t child = 2 * i + 1; child < size; child = 2 * i + 1) {
        if (child + 1 < size && heap_[child + 1].before(heap_[child]))
            ++child;
        if (!heap_[child].before(n))
            break;
        place(i, heap_[child]);
        i = child;
    }
    place(i, n);
}

void scheduler::take(uint32_t i)
{
    where_[heap_[i].id] = nowhere;
    const node last = heap_.back();
    heap_.pop_back();
    if (i == heap_.size())
        return;
    if (i != 0 && last.before(heap_[(i - 1) / 2]))
        up(i, last);
    else
        down(i, last);
}

void scheduler::wish(uint32_t id, tick t)
{
    const tick current = now();
    const node n = {t > current ? t : current, id};
    uint32_t i = where_[id];
    if (i == nowhere) {
        i = static_cast<uint32_t>(heap_.size());
        heap_.push_back(n);
        up(i, n);
    } else if (n.at < heap_[i].at) {
        up(i, n);
    }
    if (!running_ && heap_[0].at < notified_)
        notify();
}

/* Tells SystemC of the earliest wish. */
void scheduler::notify()
{
    const tick kernel = simulation_time();
    notified_ = heap_[0].at;
    due_.notify(sc_core::sc_time::from_value(notified_ > kernel ? notified_ - kernel : 0));
}

namespace
{
struct flag_while { /* a block may throw */
    bool &flag;
    explicit flag_while(bool &f) : flag(f) { flag = true; }
    ~flag_while() { flag = false; }
};
} // namespace

/* Everything that is due, wishes for this very time included; then what may be done ahead. */
void scheduler::serve()
{
    const flag_while running(running_);
    now_ = std::max(now_, simulation_time());
    while (!heap_.empty() && (heap_[0].at <= now_ || heap_[0].at < ahead_)) {
        const uint32_t id = heap_[0].id;
        now_ = std::max(now_, heap_[0].at);
        block *const b = blocks_[id];
        /* its node stays, for the wish that most steps end with */
        const tick next = b != nullptr ? b->activate(now_) : never;
        const uint32_t i = where_[id];
        if (next == never)
            take(i);
        else
            down(i, node{std::max(next, now_), id});
    }
}

void scheduler::run()
{
    serve();
    notified_ = never;
    if (!heap_.empty())
        notify();
}

} // namespace walkway
