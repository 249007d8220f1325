/* SPDX-License-Identifier: MIT */
/* model/common/due_queue.hpp - a block's future: a ring in the order of its times. Answers are told of nearly
 * in the order in which they come, so a push looks from the ring's end for its place: it costs as much as
 * there are later entries (none mostly, a few tens at worst; tlm_utils::peq_* look from the other end, past
 * all that is pending). Entries of one edge leave in the order of their insertion. A timing wheel had less to
 * move and eight times the bytes, and the host's caches decide. Allocates only while it grows to its
 * high-water mark. */
#ifndef WALKWAY_MODEL_COMMON_DUE_QUEUE_HPP
#define WALKWAY_MODEL_COMMON_DUE_QUEUE_HPP

#include "model/common/clock.hpp"

#include <cstddef>
#include <vector>

namespace walkway
{

template <class T> class due_queue
{
public:
    explicit due_queue(const clock_domain &clock) : clock_(clock), ring_(16), mask_(15) {}

    /* Due at the first clock edge at or after t. Returns that edge. */
    tick push(tick t, const T &value)
    {
        const tick due = clock_.ceil(t);
        if (tail_ - head_ == ring_.size())
            grow();
        size_t place = tail_++;
        for (; place != head_ && ring_[(place - 1) & mask_].due > due; --place)
            ring_[place & mask_] = ring_[(place - 1) & mask_];
        ring_[place & mask_] = entry{due, value};
        return due;
    }

    /* Takes the next entry due at or before now; false when there is none. */
    bool pop(tick now, T &value)
    {
        const entry &first = ring_[head_ & mask_];
        if (head_ == tail_ || first.due > now)
            return false;
        value = first.value;
        ++head_;
        return true;
    }

    /* Edge of the next entry, or never. */
    tick next() const { return head_ == tail_ ? never : ring_[head_ & mask_].due; }
    bool empty() const { return head_ == tail_; }

private:
    struct entry {
        tick due;
        T value;
    };

    [[gnu::noinline]] void grow()
    {
        std::vector<entry> wider(2 * ring_.size());
        const size_t n = tail_ - head_;
        for (size_t i = 0; i < n; ++i)
            wider[i] = ring_[(head_ + i) & mask_];
        ring_.swap(wider);
        mask_ = ring_.size() - 1;
        head_ = 0;
        tail_ = n;
    }

    clock_domain clock_;
    std::vector<entry> ring_; /* a power of two of places */
    size_t mask_;
    size_t head_ = 0, tail_ = 0; /* counted on and on */
};

} // namespace walkway

#endif
