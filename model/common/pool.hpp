/* SPDX-License-Identifier: MIT */
/* model/common/pool.hpp - objects that are reused: nothing allocates after warm-up, and objects that were not
 * given back are counted (a law at the end of a run). */
#ifndef WALKWAY_MODEL_COMMON_POOL_HPP
#define WALKWAY_MODEL_COMMON_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace walkway
{

template <class T> class pool
{
public:
    T &take()
    {
        ++live_;
        if (free_.empty()) {
            all_.emplace_back();
            return all_.back();
        }
        T *p = free_.back();
        free_.pop_back();
        return *p;
    }
    void give(T &object)
    {
        --live_;
        free_.push_back(&object);
    }
    uint64_t live() const { return live_; }
    uint64_t high_water() const { return all_.size(); }
    /* Calls f for every object ever made, taken or not. */
    template <class F> void each(F f)
    {
        for (T &object : all_)
            f(object);
    }

private:
    std::deque<T> all_; /* addresses stay valid */
    std::vector<T *> free_;
    uint64_t live_ = 0;
};

/* Numbered places for things in flight: a kernel holds the number where it cannot hold a pointer. */
template <class T> class slot_table
{
public:
    uint32_t put(const T &value)
    {
        if (free_.empty()) {
            values_.push_back(value);
            return static_cast<uint32_t>(values_.size() - 1);
        }
        const uint32_t idx = free_.back();
        free_.pop_back();
        values_[idx] = value;
        return idx;
    }
    T take(uint32_t idx)
    {
        free_.push_back(idx);
        return values_[idx];
    }
    T &operator[](uint32_t idx) { return values_[idx]; }
    uint64_t live() const { return values_.size() - free_.size(); }

private:
    std::vector<T> values_;
    std::vector<uint32_t> free_;
};

/* Storage of a kernel's blob: 64-byte aligned, sized by the kernel. */
class blob
{
public:
    explicit blob(size_t bytes = 0) : storage_(bytes == 0 ? 0 : (bytes + 63) / 64) {}
    template <class K> K *as() { return reinterpret_cast<K *>(storage_.data()); }
    template <class K> const K *as() const { return reinterpret_cast<const K *>(storage_.data()); }
    size_t bytes() const { return storage_.size() * 64; }

private:
    struct alignas(64) line {
        unsigned char byte[64];
    };
    std::vector<line> storage_;
};

} // namespace walkway

#endif
