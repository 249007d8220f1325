/* SPDX-License-Identifier: MIT */
/* platforms/level_blocks.hpp - the blocks of a level: each kind's KIND_blocks.cpp defines make_KIND_blocks(),
 * which makes one instance. The machine binds it. */
#ifndef WALKWAY_PLATFORMS_LEVEL_BLOCKS_HPP
#define WALKWAY_PLATFORMS_LEVEL_BLOCKS_HPP

#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/xlat_stage.hpp"
#include "platforms/gpu.hpp"
#include "platforms/level.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* An instance for the wiring to bind: a port per requester, and its initiator ports; null: it has none. */
struct level_instance {
    block *made;
    in_ports<xlat_protocol> *served;
    std::vector<in_port<xlat_protocol> *> up;
    out_port<xlat_protocol> *down;
    out_port<mem_protocol> *mem;
};

/* The place of an instance. */
struct level_place {
    gpu_top &top;
    const memory_world &world;
    std::string name; /* of the module */
    stage_name stage; /* of the section */
    unsigned nth;     /* index among the level's instances */
    const std::vector<unsigned> &units;
    unsigned requesters;
    uint64_t table_pa; /* address of its table in physical memory, if it needs one */

    size_t programs; /* one address space per program; 0: one program */
    bool own_name;   /* the section's name is not its kind's */

    const stage_name &stage_or(const stage_name &usual) const { return own_name ? stage : usual; }
};

template <class B> level_instance instance_of(B &made)
{
    level_instance i{&made, &made.up, {}, &made.down, nullptr};
    for (const auto &port : made.up)
        i.up.push_back(port.get());
    return i;
}

level_instance make_blocks(const level &l, const level_place &at);

} // namespace walkway

#endif
