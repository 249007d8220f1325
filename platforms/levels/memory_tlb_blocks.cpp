/* SPDX-License-Identifier: MIT */
/* platforms/levels/memory_tlb_blocks.cpp - an instance of the kind memory_tlb. */
#include "model/memory_tlb.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_memory_tlb_blocks(const level &l, const level_place &at)
{
    memory_tlb_params p = params_of<memory_tlb_params>(l);
    p.table_pa = at.table_pa;
    auto &made =
        at.top.make<memory_tlb>(at.name, at.top.clock(), p, at.requesters, at.stage_or(memory_tlb::usual()));
    level_instance i = instance_of(made);
    i.mem = &made.mem;
    return i;
}

} // namespace walkway
