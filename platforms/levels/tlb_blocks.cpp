/* SPDX-License-Identifier: MIT */
/* platforms/levels/tlb_blocks.cpp - an instance of the kind tlb. */
#include "model/tlb.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_tlb_blocks(const level &l, const level_place &at)
{
    auto &made = at.top.make<tlb>(at.name, at.top.clock(), params_of<tlb_params>(l), at.stage, at.requesters);
    if (at.programs != 0)
        made.tell_spaces_apart(at.programs);
    return instance_of(made);
}

} // namespace walkway
