/* SPDX-License-Identifier: MIT */
/* sample/recent_uses.hpp - which pages and lines a program has used, and when last: what a TLB or a cache that
 * replaces the least recently used one would hold. Memory: about 350 bytes for each page of 4 KiB that was
 * touched, and 8 more for each compute unit. */
#ifndef WALKWAY_SAMPLE_RECENT_USES_HPP
#define WALKWAY_SAMPLE_RECENT_USES_HPP

#include "model/start_point.hpp"

#include <array>
#include <cstddef>
#include <unordered_map>

namespace walkway
{

/* The most that are kept of a point: at least twice what the largest store of a machine holds. */
struct recent_limits {
    size_t pages, lines; /* pages: of all compute units together */
};

class recent_uses
{
public:
    explicit recent_uses(unsigned units) : units_(units) {}
    /* 4 KiB-aligned. */
    void page(uint64_t va, unsigned unit);
    void line(uint64_t va, unsigned unit, bool written);
    /* The latest of each, the oldest first. */
    std::vector<recent_use> latest(const recent_limits &limits) const;

private:
    static constexpr unsigned lines_of_page = 64;
    struct used_page {
        std::array<uint32_t, lines_of_page> at{}; /* 0: never */
        std::array<uint16_t, lines_of_page> by{};
        uint64_t written = 0;
        std::vector<uint32_t> page_at; /* by unit */
    };
    used_page &of(uint64_t va);
    uint32_t tick();

    unsigned units_;
    uint32_t now_ = 0;
    uint64_t last_ = UINT64_MAX;
    used_page *last_page_ = nullptr;
    std::unordered_map<uint64_t, used_page> pages_;
};

} // namespace walkway

#endif
