/* SPDX-License-Identifier: MIT */
/* platforms/world.cpp - pages and page tables of a trace. */
#include "platforms/world.hpp"

#include <stdexcept>
#include <string>

namespace walkway
{

space_ranges ranges_of(const wkt_reader *trace)
{
    space_ranges ranges;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        ranges.push_back(va_range{b->base_va, b->bytes});
    }
    return ranges;
}

std::vector<space_ranges> ranges_of_all(const program_list &all, uint32_t spaces)
{
    std::vector<space_ranges> of_space;
    for (const wkt_reader *trace : all)
        of_space.insert(of_space.end(), all.several() ? 1 : spaces, ranges_of(trace));
    return of_space;
}

memory_world::memory_world(const address_space_params &p, const program_list &all, uint64_t memory_end)
    : spaces(p, ranges_of_all(all, p.spaces), store)
{
    if (spaces.table_end() > memory_end)
        throw std::runtime_error("address_space.table_pa: the page table ends at " +
                                 std::to_string(spaces.table_end()) + ", above the " +
                                 std::to_string(memory_end) + " bytes of dram");
}

} // namespace walkway
