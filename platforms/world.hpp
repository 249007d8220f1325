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

/* Returns every buffer of the trace, in the order of its table. */
space_ranges ranges_of(const wkt_reader *trace);
/* Returns the ranges of each address space: those of one program, once per space, or each program's. */
std::vector<space_ranges> ranges_of_all(const program_list &all, uint32_t spaces);

struct memory_world {
    /* Throws std::runtime_error if the page tables end above the memory. */
    memory_world(const address_space_params &p, const program_list &all, uint64_t memory_end);
    /* For an image; null: the trace's addresses are used as they are. */
    std::unique_ptr<image_placement> placement;
    memory_store store;
    address_spaces spaces;
};

} // namespace walkway

#endif
