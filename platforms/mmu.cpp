/* SPDX-License-Identifier: MIT */
/* platforms/mmu.cpp - wiring of the mmu. Walks read through the L2D, as [H14 section 2.4] has them cached.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ L1 TLB ─ walk unit ─┐
 *             (one per CU) ... └─ L1D ────────────────┴─ L2D ─ DRAM
 *
 * A walk unit has one compute unit or several (walk_unit.shared_by); in front of one for all there may be an
 * L2 TLB (l2_tlb.entries). Below the L1 TLBs: what gpu_between.cpp binds.
 */
#include "platforms/mmu.hpp"

namespace walkway
{

mmu_top::mmu_top(const sc_core::sc_module_name &name, const mmu_params &p, memory_world &world,
                 const program_list &all)
    : gpu_top(name, p, world, all, {p.walk_units() + p.faults(), 0})
{
    if (p.l2_tlb.present() && !p.perfect())
        l2_tlb.push_back(
            &make<tlb>("l2_tlb", clock(), p.l2_tlb, stage_name{"l2", "L2 TLB"}, p.last_stages()));
    if (all.several() && !l2_tlb.empty())
        l2_tlb[0]->tell_spaces_apart(all.size());
    for (unsigned n = 0; n < p.walk_units(); ++n) {
        const unsigned above = p.perfect() ? 0u : l2_tlb.empty() ? p.asking(n) : 1u;
        walk_unit.push_back(&make<class walk_unit>(numbered("walk_unit", n), clock(), p.walk_unit,
                                                   world.spaces.tables(), above));
        if (p.walk_unit.shared_by == 1)
            walk_unit[n]->belongs_to(*cu[n]);
        walk_unit[n]->mem.bind(*l2d.up[p.gpu.cus + n]);
    }
    if (!p.perfect())
        bind_walk_units(p);
    make_invalidator(walk_unit);
    if (p.faults())
        make_pager(p, world, walk_unit, *l2d.up[p.gpu.cus + p.walk_units()]);
    make_os(world, all);

    list_units();
    list("l2_tlb", "the shared TLB", "the L2 TLB", l2_tlb);
    list("walk_unit", "the walk units, added up", "walk units", walk_unit);
    list_memory(world.spaces);
    show_energy(walk_unit);

    laws_of_units();
    laws_of_misses(p);
    laws_of_walks("walk_unit", true, !p.walk_unit.zero_walk);
}

void mmu_top::bind_walk_units(const mmu_params &p)
{
    const std::vector<xlat_stage *> above = bind_between(p);
    const unsigned share = p.stages_of_walk_unit();
    for (unsigned i = 0; i < above.size(); ++i)
        if (l2_tlb.empty())
            above[i]->down.bind(*walk_unit[i / share]->up[i % share]);
        else
            above[i]->down.bind(*l2_tlb[0]->up[i]);
    if (!l2_tlb.empty())
        l2_tlb[0]->down.bind(*walk_unit[0]->up[0]);
}

void mmu_top::laws_of_misses(const mmu_params &p)
{
    if (p.perfect())
        return;
    std::string last = laws_between();
    if (!l2_tlb.empty()) {
        law_of_misses(last, "l2_tlb");
        last = "l2_tlb";
    }
    law_of_misses(last, "walk_unit", "walk_requests");
    if (p.rung() == ideal::infinite_tlb)
        equal("l1_tlb: nothing leaves an infinite TLB", {"l1_tlb.evictions"}, {});
}

} // namespace walkway
