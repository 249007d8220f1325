/* SPDX-License-Identifier: MIT */
/* platforms/levels/walk_unit_blocks.cpp - an instance of the kind walk_unit. */
#include "model/walk_unit.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_walk_unit_blocks(const level &l, const level_place &at)
{
    auto &made = at.top.make<walk_unit>(at.name, at.top.clock(), params_of<walk_unit_params>(l),
                                        at.world.spaces.tables(), at.requesters);
    if (at.programs != 0)
        made.tell_spaces_apart(at.programs);
    level_instance i{&made, &made.up, {}, nullptr, &made.mem};
    for (const auto &port : made.up)
        i.up.push_back(port.get());
    return i;
}

} // namespace walkway
