/* SPDX-License-Identifier: MIT */
/* model/walk_scheduler.hpp - the scheduler of a walk unit (kernels/walk/walk_sched.h), and the requests that
 * wait outside the walk buffer: in one queue, or in one per queue of the scheduler. */
#ifndef WALKWAY_MODEL_WALK_SCHEDULER_HPP
#define WALKWAY_MODEL_WALK_SCHEDULER_HPP

#include "kernels/walk/walk_sched.h"
#include "model/common/fifo.hpp"
#include "model/common/kernel_blob.hpp"

#include <cstdint>
#include <vector>

namespace walkway
{

class walk_scheduler
{
public:
    walk_scheduler(const ww_sched_kind &kind, const ww_sched_cfg &cfg)
        : kind_(kind), state_(kernel_blob(kind.bytes, kind.init, cfg)),
          queues_(ok() && kind.queues != nullptr ? kind.queues(state()) : 1)
    {
    }
    bool ok() const { return state_.bytes() != 0; }
    const ww_sched_kind &kind() const { return kind_; }
    uint64_t stat(uint32_t i) const { return kind_.stat(state(), i); }

    ww_sched_pick pick(const ww_sched_view &v) const { return kind_.pick(state(), &v); }
    void took(const ww_wbuf_entry &e, uint32_t walker)
    {
        if (kind_.took != nullptr)
            kind_.took(state_.as<void>(), &e, walker);
    }
    void arrived(uint16_t vmid)
    {
        if (kind_.arrived != nullptr)
            kind_.arrived(state_.as<void>(), vmid);
    }
    void entered(uint16_t vmid)
    {
        if (kind_.entered != nullptr)
            kind_.entered(state_.as<void>(), vmid);
    }
    void left(uint16_t vmid)
    {
        if (kind_.left != nullptr)
            kind_.left(state_.as<void>(), vmid);
    }

    uint32_t queue_of(uint16_t vmid) const
    {
        return kind_.queue_of == nullptr ? 0 : kind_.queue_of(state(), vmid);
    }
    /* True if the buffer has room for a request of this queue. */
    bool room(uint32_t queue, const ww_wbuf &buffer) const
    {
        return kind_.room == nullptr ? !ww_wbuf_full(&buffer) : kind_.room(state(), queue);
    }
    std::vector<fifo<uint32_t>> &queues() { return queues_; }
    size_t waiting() const
    {
        size_t all = 0;
        for (const fifo<uint32_t> &queue : queues_)
            all += queue.size();
        return all;
    }

private:
    const void *state() const { return state_.as<void>(); }

    const ww_sched_kind &kind_;
    blob state_;
    std::vector<fifo<uint32_t>> queues_; /* jobs outside the buffer */
};

} // namespace walkway

#endif
