/* SPDX-License-Identifier: MIT */
/* sample/recent_uses.hpp - the pages and lines that a program has used, and the last use of each: the
 * contents of a TLB or a cache with LRU replacement. Memory: about 700 bytes for each page of 4 KiB that was
 * touched, and 4 more for each compute unit. */
#ifndef WALKWAY_SAMPLE_RECENT_USES_HPP
#define WALKWAY_SAMPLE_RECENT_USES_HPP

#include "kernels/coalescer.h"
#include "model/start_point.hpp"

#include <array>
#include <cstddef>
#include <unordered_map>

namespace walkway
{

/* Most uses kept at a point: at least twice the entries of a machine's largest store. */
struct recent_limits {
    size_t pages, lines;   /* pages: of all compute units together */
    uint32_t shared_lines; /* of the cache for all units, which keeps written lines until eviction */
};

class recent_uses
{
public:
    recent_uses(unsigned units, const recent_limits &limits) : units_(units), limits_(limits) {}
    /* Begins the next access. Throws std::runtime_error after 2^32 of them. */
    void next();
    void access(const ww_coal_out &to, unsigned unit, bool written);
    /* Required: va is 4 KiB-aligned. */
    void page(uint64_t va, unsigned unit);
    void line(uint64_t va, unsigned unit, bool written);
    /* Returns the latest use of each, oldest first; within one access pages before lines, by address. */
    std::vector<recent_use> latest() const;

private:
    static constexpr unsigned lines_of_page = 64;
    struct used_page {
        std::array<uint32_t, lines_of_page> at{}; /* 0: never */
        std::array<uint16_t, lines_of_page> by{};
        std::array<uint32_t, lines_of_page> fills{}; /* of the shared cache, at its latest use */
        uint64_t last_written = 0, dirty = 0;
        std::vector<uint32_t> page_at; /* by unit */
    };
    used_page &of(uint64_t va);
    bool is_held(const used_page &p, unsigned line) const;

    unsigned units_;
    recent_limits limits_;
    uint32_t now_ = 0, fills_ = 0;
    uint64_t last_ = UINT64_MAX;
    used_page *last_page_ = nullptr;
    std::unordered_map<uint64_t, used_page> pages_;
};

} // namespace walkway

#endif
