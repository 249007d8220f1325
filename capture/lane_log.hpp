/* SPDX-License-Identifier: MIT */
/* capture/lane_log.hpp - what one work-item did since the last barrier, as bytes: the segments it ran and,
 * for each access in them, how far the address moved since the site's last. One to three bytes an entry in a
 * loop. Memory: grows to the longest stretch between barriers and is kept for the next work-group. */
#ifndef WW_CAPTURE_LANE_LOG_HPP
#define WW_CAPTURE_LANE_LOG_HPP

#include <cstdint>
#include <cstdlib>
#include <new>

namespace walkway::capture
{

/* Differences modulo 2^64; the sign goes to bit 0. */
inline uint64_t zigzag(uint64_t v)
{
    return (v << 1) ^ (0 - (v >> 63));
}

inline uint64_t unzigzag(uint64_t v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

inline uint64_t get_varint(const uint8_t *&at)
{
    uint64_t v = *at++;
    if (v < 0x80)
        return v;
    v &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        uint64_t byte = *at++;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
}

class lane_log
{
    uint8_t *first = nullptr, *at = nullptr, *last = nullptr;

public:
    lane_log() = default;
    lane_log(lane_log &&o) noexcept : first(o.first), at(o.at), last(o.last)
    {
        o.first = o.at = o.last = nullptr;
    }
    lane_log(const lane_log &) = delete;
    lane_log &operator=(const lane_log &) = delete;
    lane_log &operator=(lane_log &&) = delete;
    ~lane_log() { std::free(first); }

    const uint8_t *begin() const { return first; }
    const uint8_t *end() const { return at; }
    void clear() { at = first; }

    void put(uint64_t v)
    {
        if (last - at < 10)
            grow();
        while (v >= 0x80) {
            *at++ = uint8_t(v | 0x80);
            v >>= 7;
        }
        *at++ = uint8_t(v);
    }

private:
    void grow()
    {
        size_t used = size_t(at - first), size = first ? 2 * size_t(last - first) : 128;
        auto *larger = static_cast<uint8_t *>(std::realloc(first, size));
        if (!larger)
            throw std::bad_alloc();
        first = larger;
        at = larger + used;
        last = larger + size;
    }
};

} // namespace walkway::capture

#endif
