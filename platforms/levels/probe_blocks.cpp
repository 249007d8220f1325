/* SPDX-License-Identifier: MIT */
/* platforms/levels/probe_blocks.cpp - an instance of the kind probe, and its place on a ring. */
#include "model/tlb.hpp"
#include "model/tlb_probe.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

/* Instances are made in the order of the compute units, which is the order on a ring. */
level_instance make_probe_blocks(const level &l, const level_place &at)
{
    const auto &p = params_of<tlb_probe_params>(l);
    const auto &path = at.top.path;
    auto &made =
        at.top.make<tlb_probe>(at.name, at.top.clock(), p, at.requesters, at.stage_or(tlb_probe::usual()));
    made.looks_at(at.top.level_blocks<tlb>(path[path.size() - 2].section));
    if (p.stops == 0 ? at.nth != 0 : at.nth % p.stops != 0)
        made.stands_behind(*at.top.level_blocks<tlb_probe>(l.section()).back());
    return instance_of(made);
}

} // namespace walkway
