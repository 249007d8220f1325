/* SPDX-License-Identifier: MIT */
/* capture/address_map.hpp - from Oclgrind's addresses (buffer number in bits [63:48], offset below) to the
 * 48-bit virtual addresses of the trace. Each buffer gets a range of its own, in the order of allocation,
 * never reused: 64 KiB aligned, 2 MiB aligned from 2 MiB on. The first range starts at 4 GiB. Deterministic.
 * Thread-safety: buffers are added and removed between launches only. */
#ifndef WW_CAPTURE_ADDRESS_MAP_HPP
#define WW_CAPTURE_ADDRESS_MAP_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace walkway::capture
{

constexpr unsigned oclgrind_offset_bits = 48;

struct mapped_buffer {
    uint64_t base_va, bytes;
    uint32_t number; /* in the trace's table */
};

/* The buffers of one Oclgrind memory. */
class address_map
{
    std::vector<mapped_buffer> buffers; /* by Oclgrind's number */

public:
    /* Adds a buffer, in place of one with the same number of Oclgrind's. A buffer of 0 bytes is none. */
    void add(uint64_t address, const mapped_buffer &b)
    {
        size_t i = address >> oclgrind_offset_bits;
        if (buffers.size() <= i)
            buffers.resize(i + 1);
        buffers[i] = b;
    }

    /* Removes the buffer of this address and sets b to it. Returns false if there is none. */
    bool remove(uint64_t address, mapped_buffer &b)
    {
        size_t i = address >> oclgrind_offset_bits;
        if (i >= buffers.size() || buffers[i].bytes == 0)
            return false;
        b = buffers[i];
        buffers[i] = {};
        return true;
    }

    /* Sets va to the trace's address. Returns false if the access is not inside one buffer. */
    bool translate(uint64_t address, uint32_t bytes, uint64_t &va) const
    {
        size_t i = address >> oclgrind_offset_bits;
        uint64_t offset = address & ((uint64_t(1) << oclgrind_offset_bits) - 1);
        if (i >= buffers.size() || offset >= buffers[i].bytes || bytes > buffers[i].bytes - offset)
            return false;
        va = buffers[i].base_va + offset;
        return true;
    }
};

/* Allocates the ranges of buffers. */
class va_allocator
{
    uint64_t next = uint64_t(1) << 32;

public:
    /* Returns the first address of a new range. Check exhausted() afterwards. 0 bytes take no room. */
    uint64_t take(uint64_t bytes)
    {
        constexpr uint64_t small = uint64_t(64) << 10, large = uint64_t(2) << 20;
        uint64_t align = bytes >= large ? large : small;
        uint64_t base = (next + align - 1) / align * align;
        next = bytes >> 48 != 0 ? uint64_t(1) << 48 : (base + bytes + small - 1) / small * small;
        return base;
    }
    /* True if a range reaches the last 64 KiB below 2^48, or beyond: the trace has no addresses for it. */
    bool exhausted() const { return next >> 48 != 0; }
};

} // namespace walkway::capture

#endif
