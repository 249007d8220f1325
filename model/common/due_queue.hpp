/* SPDX-License-Identifier: MIT */
/* model/common/due_queue.hpp - a block's future: a ring in the order of its times. Answers become known
 * nearly in the order of their times, so a push searches its place from the ring's end: it costs as much as
 * there are later entries (none mostly, a few tens at worst; tlm_utils::peq_* search from the other end, past
 * all that is pending). Entries of one edge leave in the order of insertion. Allocates only while it grows to
 * its high-water mark. */
#ifndef WALKWAY_MODEL_COMMON_DUE_QUEUE_HPP
#define WALKWAY_MODEL_COMMON_DUE_QUEUE_HPP

#include "model/common/clock.hpp"
#include "model/common/fifo.hpp"

#include <cstddef>

namespace walkway
{

template <class T> class due_queue
{
public:
    explicit due_queue(const clock_domain &clock) : clock_(clock) {}

    /* Enters a value due at the first clock edge at or after t. Returns that edge. */
    tick push(tick t, const T &value)
    {
        const tick due = clock_.ceil(t);
        ring_.push_back(entry{due, value});
        size_t place = ring_.size() - 1;
        if (place == 0 || ring_[place - 1].due <= due)
            return due;
        for (; place != 0 && ring_[place - 1].due > due; --place)
            ring_[place] = ring_[place - 1];
        ring_[place] = entry{due, value};
        return due;
    }

    /* Takes the next entry due at or before now. Returns false if there is none. */
    bool pop(tick now, T &value)
    {
        if (ring_.empty() || ring_.front().due > now)
            return false;
        value = ring_.front().value;
        ring_.pop_front();
        return true;
    }

    /* Returns the edge of the next entry, or never. */
    tick next() const { return ring_.empty() ? never : ring_.front().due; }
    bool empty() const { return ring_.empty(); }

private:
    struct entry {
        tick due;
        T value;
    };

    clock_domain clock_;
    fifo<entry> ring_;
};

} // namespace walkway

#endif
