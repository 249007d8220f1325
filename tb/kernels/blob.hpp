/* SPDX-License-Identifier: MIT */
/* Storage of a kernel object in tests: aligned, filled with junk (init must not rely on zeroes), guarded by a
 * canary line after its end, and copied as bytes (a snapshot of a kernel is a memcpy). */
#ifndef WW_TB_KERNELS_BLOB_HPP
#define WW_TB_KERNELS_BLOB_HPP

#include "kernels/base.h"

#include <cstring>
#include <vector>

namespace walkway_tb
{

template <class T> class blob
{
public:
    explicit blob(size_t bytes) : bytes_(bytes), lines_(bytes / sizeof(line) + 1, junk()) {}

    operator T *() { return reinterpret_cast<T *>(lines_.data()); }
    operator const T *() const { return reinterpret_cast<const T *>(lines_.data()); }
    T *operator->() { return *this; }
    const T *operator->() const { return *this; }

    size_t bytes() const { return bytes_; }

    bool intact() const { return std::memcmp(&lines_.back(), &canary(), sizeof(line)) == 0; }

    bool same_as(const blob &other) const
    {
        return bytes_ == other.bytes_ && std::memcmp(lines_.data(), other.lines_.data(), bytes_) == 0;
    }

    /* The object's memory from a byte offset, as words, for damaging it. */
    uint64_t *words(uint64_t off) { return reinterpret_cast<uint64_t *>(bytes_at(off)); }
    unsigned char *bytes_at(uint64_t off) { return reinterpret_cast<unsigned char *>(lines_.data()) + off; }

private:
    struct alignas(64) line {
        unsigned char byte[64];
    };

    static line junk()
    {
        line l;
        std::memset(l.byte, 0xa5, sizeof l.byte);
        return l;
    }

    static const line &canary()
    {
        static const line l = junk();
        return l;
    }

    size_t bytes_;
    std::vector<line> lines_;
};

} // namespace walkway_tb

#endif
