/* SPDX-License-Identifier: MIT */
/* model/common/wheel.hpp - a block's future: a timing wheel with one slot a clock edge. Push and pop are O(1)
 * whatever is pending (tlm_utils::peq_* insert linearly); entries of one edge leave in the order of their
 * insertion. Entries beyond the horizon wait in a heap. Allocates only while it grows to its high-water mark.
 */
#ifndef WALKWAY_MODEL_COMMON_WHEEL_HPP
#define WALKWAY_MODEL_COMMON_WHEEL_HPP

#include "model/common/clock.hpp"

#include <array>
#include <queue>
#include <vector>

namespace walkway
{

template <class T> class event_wheel
{
public:
    explicit event_wheel(const clock_domain &clock) : clock_(clock) { lists_.fill(list{nil, nil}); }

    /* Due at the first clock edge at or after t, which is not before the last popped edge. Returns that edge.
     */
    tick push(tick t, const T &value)
    {
        const uint64_t cycle = clock_.ceil_cycle(t);
        if (cycle - base_ < slots)
            insert(cycle, value);
        else
            push_far(cycle, value);
        if (size_++ == 0 || cycle < first_)
            first_ = cycle;
        return clock_.cycles(cycle);
    }

    /* Takes the next entry due at or before now; false when there is none. */
    bool pop(tick now, T &value)
    {
        if (size_ == 0 || clock_.cycles(first_) > now)
            return false;
        if (base_ != first_)
            advance(first_);
        const uint64_t slot = first_ % slots;
        list &l = lists_[slot];
        const uint32_t idx = l.head;
        value = nodes_[idx].value;
        l.head = nodes_[idx].next;
        nodes_[idx].next = free_;
        free_ = idx;
        --size_;
        if (l.head == nil) {
            words_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
            if (size_ != 0)
                first_ = first_cycle();
        }
        return true;
    }

    /* Edge of the next entry, or never. */
    tick next() const { return size_ == 0 ? never : clock_.cycles(first_); }
    bool empty() const { return size_ == 0; }

private:
    static constexpr uint64_t slots = 1024;
    static constexpr uint32_t nil = UINT32_MAX;
    struct node {
        T value;
        uint32_t next;
    };
    struct list {
        uint32_t head, tail;
    };
    struct far_entry {
        uint64_t cycle;
        uint64_t seq;
        T value;
        bool operator<(const far_entry &o) const
        {
            return cycle != o.cycle ? cycle > o.cycle
                                    : seq > o.seq; /* std::priority_queue: the smallest on top */
        }
    };

    void insert(uint64_t cycle, const T &value)
    {
        if (free_ == nil)
            grow();
        const uint32_t idx = free_;
        free_ = nodes_[idx].next;
        nodes_[idx].value = value;
        nodes_[idx].next = nil;
        const uint64_t slot = cycle % slots;
        list &l = lists_[slot];
        if (l.head == nil) {
            l.head = idx;
            words_[slot / 64] |= uint64_t{1} << (slot % 64);
        } else {
            nodes_[l.tail].next = idx;
        }
        l.tail = idx;
    }

    [[gnu::noinline]] void grow()
    {
        free_ = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back(node{T{}, nil});
    }

    uint64_t first_cycle() const
    {
        const uint64_t start = base_ % slots;
        uint64_t word = start / 64;
        uint64_t bits = words_[word] & (~uint64_t{0} << (start % 64));
        for (uint64_t i = 0; i <= slots / 64; ++i) {
            if (bits != 0) {
                const uint64_t slot = word * 64 + static_cast<uint64_t>(__builtin_ctzll(bits));
                return base_ + (slot - start) % slots;
            }
            word = (word + 1) % (slots / 64);
            bits = words_[word];
        }
        return far_.top().cycle;
    }

    /* The horizon moves to the edge being popped; far entries that come inside it join the wheel, before
     * anything that is pushed later for the same edge. */
    void advance(uint64_t cycle)
    {
        base_ = cycle;
        if (!far_.empty())
            bring_in();
    }

    [[gnu::noinline]] void push_far(uint64_t cycle, const T &value)
    {
        far_.push(far_entry{cycle, far_seq_++, value});
    }

    [[gnu::noinline]] void bring_in()
    {
        while (!far_.empty() && far_.top().cycle - base_ < slots) {
            insert(far_.top().cycle, far_.top().value);
            far_.pop();
        }
    }

    clock_domain clock_;
    std::array<list, slots> lists_;
    std::array<uint64_t, slots / 64> words_{};
    std::vector<node> nodes_;
    std::priority_queue<far_entry> far_;
    uint64_t far_seq_ = 0;
    uint64_t base_ = 0;
    uint64_t first_ = 0; /* cycle of the next entry, while there is one */
    uint64_t size_ = 0;
    uint32_t free_ = nil;
};

} // namespace walkway

#endif
