/* SPDX-License-Identifier: MIT */
/* model/common/scheduler.hpp - when which block runs. All blocks of a simulation context share one SystemC
 * process and one event: the wake-ups of the blocks are the leaves of a tree of minima here, and SystemC's
 * kernel gets only the earliest. Blocks of one time run in the order of their construction (but for
 * block::runs_after()). A wake-up costs a few nanoseconds; a timed notification of SystemC costs 25 to 50,
 * and a time step of its kernel some 500 instructions. Results do not depend on the order
 * (tb/platform/order_test). */
#ifndef WALKWAY_MODEL_COMMON_SCHEDULER_HPP
#define WALKWAY_MODEL_COMMON_SCHEDULER_HPP

#include "model/common/time_scale.hpp"

#include <systemc>

#include <memory>
#include <vector>

namespace walkway
{

class block;

class scheduler
{
public:
    /* Returns the scheduler of the current simulation context, which lives as long as one of its blocks. */
    static std::shared_ptr<scheduler> here();
    /* Returns the same, or null if no block has been built. */
    static std::shared_ptr<scheduler> if_any();

    scheduler();
    scheduler(const scheduler &) = delete;
    scheduler &operator=(const scheduler &) = delete;

    uint32_t add(block &b);
    void remove(uint32_t id);
    /* Sets the block's one wake-up to t, unless an earlier one is pending. With a t not after now the block
     * runs in this activation while blocks step, else in the next delta cycle. */
    void schedule(uint32_t id, tick t);
    /* Returns the time of the first wake-up of the other blocks; never: none. */
    tick next_but(uint32_t id) const
    {
        uint64_t least = never;
        for (uint32_t node = leaves_ + id; node != 1; node /= 4)
            least = least_with_others(node, least);
        return time_of(least);
    }
    /* Returns the blocks' time: SystemC's, or later if they have run ahead of it. */
    tick now() const { return running_ ? now_ : now_outside(); }
    bool running() const { return running_; } /* true while a block steps */
    const time_scale &scale() const { return scale_; }
    /* Return the arrival of what a foreign process sends now with this delay, and the delay with which what
     * is sent now arrives at t. */
    tick arrival(const sc_core::sc_time &delay) const;
    sc_core::sc_time delay_to(tick t) const;
    /* Lets blocks run ahead of SystemC's time up to t, exclusive: one activation of the process then serves
     * many cycles, each in its order and time. Required: no foreign process meets the blocks before t; a
     * platform without foreign modules grants it, a slice at a time. */
    void run_ahead(tick t) { ahead_ = t; }
    /* Exchanges the places of two blocks in the order within a time. */
    void swap(uint32_t &a, uint32_t &b);
    /* Returns every block of the simulation context, in the order of construction; null if it has been
     * destroyed. */
    const std::vector<block *> &blocks() const { return blocks_; }

private:
    [[gnu::cold]] tick now_outside() const;
    void serve();
    void run();
    void notify();
    /* A wake-up as one number: the time, then the block, so that the smallest runs next. Times up to 2^64 ps
     * / leaves. */
    uint64_t order(tick t, uint32_t id) const { return t << id_bits_ | id; }
    tick time_of(uint64_t wake_up) const { return wake_up == never ? never : wake_up >> id_bits_; }
    /* Returns the smallest of a wake-up and those of the node's three siblings. */
    uint64_t least_with_others(uint32_t node, uint64_t wake_up) const
    {
        const uint64_t *const tree = tree_.data();
        const uint64_t a = tree[node ^ 1], b = tree[node ^ 2], c = tree[node ^ 3];
        const uint64_t ab = a < b ? a : b;
        const uint64_t abc = ab < c ? ab : c; /* ready before the wake-up, which is the critical path */
        return abc < wake_up ? abc : wake_up;
    }
    uint64_t set(uint32_t id, uint64_t wake_up);
    void lower(uint32_t id, uint64_t wake_up);
    void grow();

    const time_scale scale_ = time_scale::here();
    std::vector<block *> blocks_;
    /* Node 1 is the root; node n has the children 4n ... 4n + 3 and holds their minimum; the leaf of block id
     * is node leaves + id. */
    std::vector<uint64_t> tree_ = {never, never};
    uint32_t leaves_ = 1;  /* a power of 4 */
    uint32_t id_bits_ = 0; /* leaves = 1 << id_bits */
    sc_core::sc_event due_;
    tick notified_ = never;
    tick now_ = 0;
    tick ahead_ = 0;
    bool running_ = false;
};

} // namespace walkway

#endif
