/* SPDX-License-Identifier: MIT */
/* platforms/levels/victim_blocks.cpp - makes an instance of a level of the kind `victim`. */
#include "model/victim_tlb.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_victim_blocks(const level &l, const level_place &at)
{
    return instance_of(at.top.make<victim_tlb>(at.name, at.top.clock(), params_of<victim_params>(l),
                                               at.requesters, at.stage_or(victim_tlb::usual())));
}

} // namespace walkway
