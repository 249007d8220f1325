/* SPDX-License-Identifier: MIT */
/* platforms/buffer_map.cpp - see buffer_map.hpp. */
#include "platforms/buffer_map.hpp"

#include <algorithm>

namespace walkway
{

buffer_map::buffer_map(const wkt_reader *trace, uint8_t page_shift)
    : trace_(trace), page_bytes_(uint64_t{1} << page_shift)
{
    look_at(0);
}

void buffer_map::look_at(uint32_t launch)
{
    launch_ = launch;
    ranges_.clear();
    for (uint32_t i = 0; i < buffers(); ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace_, i);
        if (b->bytes != 0 && b->first_launch <= launch && launch < b->end_launch)
            ranges_.push_back({b->base_va, b->base_va + b->bytes, i});
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const range &a, const range &b) { return a.base_va < b.base_va; });
}

uint32_t buffer_map::find(uint64_t page_va) const
{
    const auto at = std::partition_point(ranges_.begin(), ranges_.end(),
                                         [page_va](const range &r) { return r.end_va <= page_va; });
    return at != ranges_.end() && at->base_va < page_va + page_bytes_ ? at->buffer : buffers();
}

} // namespace walkway
