/* SPDX-License-Identifier: MIT */
/* sample/recent_uses.hpp - which pages and lines a program has used, and when last: what a TLB or a cache
 * that replaces the least recently used one would hold. Memory: about 700 bytes for each page of 4 KiB that
 * was touched, and 4 more for each compute unit. */
#ifndef WALKWAY_SAMPLE_RECENT_USES_HPP
#define WALKWAY_SAMPLE_RECENT_USES_HPP

#include "kernels/coalescer.h"
#include "model/start_point.hpp"

#include <array>
#include <cstddef>
#include <unordered_map>

namespace walkway
{

/* The most that are kept of a point: at least twice what the largest store of a machine holds. */
struct recent_limits {
    size_t pages, lines;   /* pages: of all compute units together */
    uint32_t shared_lines; /* of the cache for all units, which has written lines until they have to leave */
};

class recent_uses
{
public:
    recent_uses(unsigned units, const recent_limits &limits) : units_(units), limits_(limits) {}
    /* What follows is used by the next access. Throws std::runtime_error behind 2^32 of them. */
    void next();
    void access(const ww_coal_out &to, unsigned unit, bool written);
    /* 4 KiB-aligned. */
    void page(uint64_t va, unsigned unit);
    void line(uint64_t va, unsigned unit, bool written);
    /* The latest of each, the oldest first; of one access pages before lines, by address. */
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
