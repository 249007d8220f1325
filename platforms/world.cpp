/* SPDX-License-Identifier: MIT */
/* platforms/world.cpp - pages and page tables of a trace. */
#include "platforms/world.hpp"

#include <stdexcept>
#include <string>
#include <utility>

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

/* Refuses parameters that conflict with an image. */
static void refuse_image(const address_space_params &p, const program_list &all)
{
    const auto refuse = [](const std::string &why) { throw std::runtime_error("--memory: " + why); };
    if (p.spaces != 1)
        refuse("an image has one page table, and there are " + std::to_string(p.spaces) + " address spaces");
    if (p.mode() != map_mode::all)
        refuse("the image's table maps what it maps; address_space.map is for pages that are laid out");
    if (!p.buffer_pages.none())
        refuse(
            "the image's pages have the sizes that they have; address_space.buffer_pages is for pages that "
            "are laid out");
    if (!all.events().empty())
        refuse("events are of pages that are laid out");
    if (p.image->end() > p.data_pa + p.memory_bytes)
        refuse("the image ends at " + std::to_string(p.image->end()) + ", above the " +
               std::to_string(p.data_pa + p.memory_bytes) +
               " bytes of address_space.data_pa + memory_bytes (memory_bytes makes room, and dram.row_bits "
               "where main memory is too small)");
}

/* Returns the placement of the program in the image's pages. Null if there is no image, or the program was
 * recorded in it and keeps its addresses. */
static std::unique_ptr<image_placement> placed_in_image(const address_space_params &p,
                                                        const program_list &all)
{
    if (p.image == nullptr)
        return nullptr;
    refuse_image(p, all);
    if (p.image->recorded())
        return nullptr;
    std::vector<std::pair<uint64_t, uint64_t>> buffers;
    for (const va_range &r : ranges_of(all[0]))
        buffers.emplace_back(r.base_va, r.bytes);
    return std::make_unique<image_placement>(*p.image, buffers);
}

static address_spaces spaces_of(const address_space_params &p, const program_list &all,
                                const image_placement *placement, memory_store &store)
{
    if (p.image != nullptr)
        return {p, placement != nullptr ? placement->pages() : p.image->pages() / p.image->tables(), store};
    return {p, ranges_of_all(all, p.spaces), store};
}

memory_world::memory_world(const address_space_params &p, const program_list &all, uint64_t memory_end)
    : placement(placed_in_image(p, all)), spaces(spaces_of(p, all, placement.get(), store))
{
    if (p.image == nullptr && spaces.table_end() > memory_end)
        throw std::runtime_error("address_space.table_pa: the page table ends at " +
                                 std::to_string(spaces.table_end()) + ", above the " +
                                 std::to_string(memory_end) + " bytes of dram");
}

} // namespace walkway
