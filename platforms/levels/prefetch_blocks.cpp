/* SPDX-License-Identifier: MIT */
/* platforms/levels/prefetch_blocks.cpp - an instance of the kind prefetch. */
#include "model/tlb_prefetch.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_prefetch_blocks(const level &l, const level_place &at)
{
    return instance_of(at.top.make<tlb_prefetch>(at.name, at.top.clock(), params_of<tlb_prefetch_params>(l),
                                                 at.requesters, at.stage_or(tlb_prefetch::usual())));
}

} // namespace walkway
