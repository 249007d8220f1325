/* SPDX-License-Identifier: MIT */
/* model/params/page_areas.cpp - see model/common/page_areas.hpp. */
#include "model/common/page_areas.hpp"

#include "kernels/addr.h"
#include "kernels/bits.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace walkway
{

namespace
{

uint64_t round_up(uint64_t va, uint32_t shift)
{
    return ww_page_base(va + ww_page_mask(shift), shift);
}

/* Sorts areas, and merges those that touch or overlap. */
void merge(space_ranges &areas)
{
    std::sort(areas.begin(), areas.end(),
              [](const va_range &a, const va_range &b) { return a.base_va < b.base_va; });
    size_t last = 0;
    for (const va_range &a : areas) {
        va_range &before = areas[last];
        if (a.base_va <= before.base_va + before.bytes)
            before.bytes = std::max(before.bytes, a.base_va + a.bytes - before.base_va);
        else
            areas[++last] = a;
    }
    areas.resize(areas.empty() ? 0 : last + 1);
}

} // namespace

page_areas::page_areas(const space_ranges &buffers, const pages_of_buffers &own, uint8_t others)
{
    for (size_t i = 0; i < buffers.size(); ++i) {
        const uint32_t sizes = sizes_of_page(own.of(i, others));
        const auto small = static_cast<uint32_t>(__builtin_ctz(sizes)), large = ww_log2_u64(sizes);
        const uint64_t first = buffers[i].base_va, end = first + buffers[i].bytes;
        first_.push_back(first == end ? first : ww_page_base(first, small));
        if (first == end)
            continue;
        add(small, first_.back(), round_up(end, small));
        if (large != small) /* pages that the buffer fills */
            add(large, round_up(first, large), ww_page_base(end, large));
    }
    for (auto &[shift, areas] : of_)
        merge(areas);
}

void page_areas::add(uint32_t shift, uint64_t first, uint64_t end)
{
    if (first < end)
        of_[shift].push_back({first, end - first});
}

uint8_t page_areas::shift_at(uint64_t va) const
{
    for (const auto &[shift, areas] : of_) {
        const auto behind = std::upper_bound(areas.begin(), areas.end(), va,
                                             [](uint64_t at, const va_range &a) { return at < a.base_va; });
        if (behind != areas.begin() && va - std::prev(behind)->base_va < std::prev(behind)->bytes)
            return static_cast<uint8_t>(shift);
    }
    throw std::logic_error("no buffer has virtual address " + std::to_string(va));
}

uint64_t page_areas::bytes() const
{
    space_ranges all;
    for (const auto &[shift, areas] : of_)
        all.insert(all.end(), areas.begin(), areas.end());
    merge(all);
    uint64_t bytes = 0;
    for (const va_range &a : all)
        bytes += a.bytes;
    return bytes;
}

} // namespace walkway
