/* SPDX-License-Identifier: MIT */
/* tb/bench/hpt_map.cpp - the driver's HPT map alone: steps that regions need, by load factor, and mappings
 * that leave the table, by the threshold m. docs/results/drivers.md has the output. */
#include "kernels/table/hpt_map.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>
#include <vector>

void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

namespace
{

constexpr uint64_t region_bytes = uint64_t{1} << 21;

struct map {
    ww_hptmap *h;
    explicit map(const ww_hptmap_cfg &c)
    {
        const size_t bytes = ww_hptmap_bytes(&c);
        h = static_cast<ww_hptmap *>(std::aligned_alloc(64, bytes));
        if (bytes == 0 || h == nullptr || ww_hptmap_init(h, bytes, &c) != WW_OK)
            throw std::bad_alloc();
    }
    ~map() { std::free(h); }
    map(const map &) = delete;
    map &operator=(const map &) = delete;
    const ww_hptmap_counts &counts() const { return *ww_hptmap_so_far(h); }
};

/* Maps a region at a random place in each 64 MiB. */
void steps(uint32_t slots, uint32_t stride)
{
    std::printf(
        "%u slots, stride %u; regions by the step of their slot, in %%, and those that found all eight "
        "taken\n",
        slots, stride);
    std::printf("%6s %9s", "load", "regions");
    for (int s = 0; s < 8; ++s)
        std::printf(" %7d", s);
    std::printf(" %9s\n", "overflow");
    for (const double load : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0}) {
        const auto n = static_cast<uint32_t>(load * slots);
        map m({slots, stride, 512, slots, n});
        std::mt19937_64 random(1);
        ww_hptmap_done did;
        for (uint32_t r = 0; r < n; ++r) {
            ww_hptmap_region(m.h, r, (uint64_t{r} << 26) + random() % 32 * region_bytes);
            ww_hptmap_map(m.h, r, 0, 1, false, &did);
        }
        std::printf("%6.1f %9u", load, n);
        for (const uint64_t at : m.counts().at_step)
            std::printf(" %7.3f", 100.0 * static_cast<double>(at) / n);
        std::printf(" %9llu\n",
                    static_cast<unsigned long long>(m.counts().evicted_neighbour + m.counts().refused));
    }
}

/* A program has 1.5 times as many pages as device memory has frames: it touches regions in a sweep or at
 * random, 16 pages per fault. Remote mappings are used in place. */
void thresholds(bool sweep)
{
    constexpr uint32_t regions = 1536, frames = 1024 * 512, faults = 200000;
    std::printf(
        "150 %% of device memory, %s: by m, accesses in the victim buffer in %%, regions that left the "
        "table, above the threshold\n",
        sweep ? "in turn" : "at random");
    for (const uint32_t m_percent : {100u, 110u, 120u, 130u, 140u, 150u}) {
        const auto slots = static_cast<uint32_t>(ww_hptmap_slots_for(uint64_t{regions} * 512, 10));
        map m({slots, 1021, frames, static_cast<uint32_t>(ww_hptmap_threshold(frames, m_percent)), regions});
        for (uint32_t r = 0; r < regions; ++r)
            ww_hptmap_region(m.h, r, (uint64_t{1} << 40) + r * region_bytes);
        std::mt19937_64 random(2);
        uint64_t in_victim = 0, used = 0;
        for (uint32_t i = 0; i < faults; ++i) {
            const uint32_t r = sweep ? i / 32 % regions : static_cast<uint32_t>(random() % regions);
            const uint32_t page = sweep ? i % 32 * 16 : static_cast<uint32_t>(random() % 32 * 16);
            ++used;
            if (ww_hptmap_page_of(m.h, r, page) != WW_HPTMAP_PAGE_UNTOUCHED) {
                in_victim += ww_hptmap_home_of(m.h, r) == WW_HPTMAP_VICTIM;
                ww_hptmap_used(m.h, r);
                continue;
            }
            ww_hptmap_done did;
            const bool fits = ww_hptmap_frames_lacking(m.h, r, page, 16) == 0;
            ww_hptmap_map(m.h, r, page, 16, fits, &did); /* the rest stays in host memory */
        }
        const ww_hptmap_counts &c = m.counts();
        std::printf("%5.1f %9.3f %9llu %9llu\n", m_percent / 100.0,
                    100.0 * static_cast<double>(in_victim) / static_cast<double>(used),
                    static_cast<unsigned long long>(c.evicted_remote),
                    static_cast<unsigned long long>(c.over_threshold));
    }
}

} // namespace

int main()
{
    steps(102400, 1021);
    thresholds(true);
    thresholds(false);
}
