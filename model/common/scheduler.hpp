/* SPDX-License-Identifier: MIT */
/* model/common/scheduler.hpp - when which block runs. All blocks of a simulation context share one SystemC
 * process and one event: the wishes of the blocks stand in a heap here, and the kernel hears only of the
 * earliest. Blocks of one time run in the order of their construction. A wish costs a few nanoseconds; a
 * timed notification of SystemC's own costs 25 to 50, and a time step of its kernel some 500 instructions.
 * Results do not depend on the order (tb/platform/order_test).
 */
#ifndef WALKWAY_MODEL_COMMON_SCHEDULER_HPP
#define WALKWAY_MODEL_COMMON_SCHEDULER_HPP

#include "model/common/clock.hpp"

#include <systemc>

#include <memory>
#include <vector>

namespace walkway
{

class block;

/* Picoseconds since time zero, for who is no block. */
inline tick simulation_time()
{
    return sc_core::sc_time_stamp().value();
}

class scheduler
{
public:
    /* The scheduler of the current simulation context; it lives as long as one of its blocks. */
    static std::shared_ptr<scheduler> here();

    scheduler();
    scheduler(const scheduler &) = delete;
    scheduler &operator=(const scheduler &) = delete;

    uint32_t add(block &b);
    void remove(uint32_t id);
    /* Runs the block at t, or in the next delta cycle when t is not after now. A later wish of the same block
     * is forgotten. */
    void wish(uint32_t id, tick t);
    /* The blocks' time: SystemC's, or later where they ran ahead of it. */
    tick now() const
    {
        if (running_)
            return now_;
        const tick kernel = simulation_time();
        return kernel > now_ ? kernel : now_;
    }
    /* Up to t (not t itself) blocks may run ahead of SystemC's time: one activation of the process then
     * serves many cycles, each in its order and time. Only where no process of somebody else meets the blocks
     * before t: a platform that is all ours grants it, a slice at a time. */
    void run_ahead(tick t) { ahead_ = t; }

private:
    static constexpr uint32_t nowhere = UINT32_MAX;
    struct node {
        tick at;
        uint32_t id;
        bool before(const node &o) const { return at != o.at ? at < o.at : id < o.id; }
    };

    void serve();
    void run();
    void notify();
    void place(uint32_t i, const node &n)
    {
        heap_[i] = n;
        where_[n.id] = i;
    }
    void up(uint32_t i, const node &n);
    void down(uint32_t i, const node &n);
    void take(uint32_t i);

    std::vector<block *> blocks_;
    std::vector<node> heap_;      /* binary, the earliest first */
    std::vector<uint32_t> where_; /* a block's place in the heap */
    sc_core::sc_event due_;
    tick notified_ = never;
    tick now_ = 0;
    tick ahead_ = 0;
    bool running_ = false;
};

} // namespace walkway

#endif
