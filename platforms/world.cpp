/* SPDX-License-Identifier: MIT */
/* platforms/world.cpp - pages and page tables of a trace. */
#include "platforms/world.hpp"

#include <stdexcept>
#include <string>

namespace walkway
{

std::vector<va_range> ranges_of(const wkt_reader *trace)
{
    std::vector<va_range> ranges;
    if (trace == nullptr)
        return ranges;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        ranges.push_back(va_range{b->base_va, b->bytes});
    }
    return ranges;
}

memory_world::memory_world(const address_space_params &p, const wkt_reader *trace, uint64_t memory_end)
    : spaces(p, ranges_of(trace), store)
{
    if (spaces.table_end() > memory_end)
        throw std::runtime_error("address_space.table_pa: the page table ends at " +
                                 std::to_string(spaces.table_end()) + ", above the " +
                                 std::to_string(memory_end) + " bytes of dram");
}

} // namespace walkway
