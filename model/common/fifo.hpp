/* SPDX-License-Identifier: MIT */
/* model/common/fifo.hpp - a queue in one array that grows to its high-water mark and keeps it: as std::deque,
 * with a third of its instructions. */
#ifndef WALKWAY_MODEL_COMMON_FIFO_HPP
#define WALKWAY_MODEL_COMMON_FIFO_HPP

#include <cstddef>
#include <vector>

namespace walkway
{

template <class T> class fifo
{
public:
    bool empty() const { return head_ == tail_; }
    size_t size() const { return tail_ - head_; }
    T &front() { return ring_[head_ & mask_]; }
    const T &front() const { return ring_[head_ & mask_]; }
    T &operator[](size_t i) { return ring_[(head_ + i) & mask_]; } /* 0: the front */
    const T &operator[](size_t i) const { return ring_[(head_ + i) & mask_]; }
    void push_back(const T &value)
    {
        if (size() == ring_.size())
            grow();
        ring_[tail_++ & mask_] = value;
    }
    void pop_front() { ++head_; }

private:
    [[gnu::noinline]] void grow()
    {
        std::vector<T> wider(ring_.empty() ? 16 : 2 * ring_.size());
        const size_t n = size();
        for (size_t i = 0; i < n; ++i)
            wider[i] = ring_[(head_ + i) & mask_];
        ring_.swap(wider);
        mask_ = ring_.size() - 1;
        head_ = 0;
        tail_ = n;
    }

    std::vector<T> ring_; /* its size is a power of two */
    size_t mask_ = 0;
    size_t head_ = 0, tail_ = 0; /* counters that only grow */
};

} // namespace walkway

#endif
