/* SPDX-License-Identifier: MIT */
/* platforms/world.hpp - what blocks refer to and no block owns: the contents of memory, and the program's
 * pages, laid out for a trace's buffers. */
#ifndef WALKWAY_PLATFORMS_WORLD_HPP
#define WALKWAY_PLATFORMS_WORLD_HPP

#include "model/address_space.hpp"
#include "model/memory_store.hpp"
#include "model/program_list.hpp"
#include "trace/wkt.h"

#include <memory>
#include <vector>

namespace walkway
{

/* Every buffer of the trace, in the order of its table. */
space_ranges ranges_of(const wkt_reader *trace);
/* Of each address space: those of one program as often as there are spaces, or each program's. */
std::vector<space_ranges> ranges_of_all(const program_list &all, uint32_t spaces);

struct memory_world {
    /* Throws std::runtime_error where the page tables end above the memory. */
    memory_world(const address_space_params &p, const program_list &all, uint64_t memory_end);
    std::unique_ptr<image_placement>
        placement; /* in an image; null: the trace's addresses are those of pages */
    memory_store store;
    address_spaces spaces;
};

} // namespace walkway

#endif
