/* SPDX-License-Identifier: MIT */
/* platforms/mmu.cpp - wiring of the mmu. Walks read through the L2D, as [H14 section 2.4] has them cached.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ L1 TLB ─ walk unit ─┐
 *             (one per CU) ... └─ L1D ────────────────┴─ L2D ─ DRAM
 */
#include "platforms/mmu.hpp"

namespace walkway
{

mmu_top::mmu_top(const sc_core::sc_module_name &name, const mmu_params &p, memory_world &world,
                 wkt_reader *trace)
    : gpu_top(name, p, world, trace, {p.gpu.cus + p.faults(), 0})
{
    for (unsigned i = 0; i < p.gpu.cus; ++i) {
        walk_unit.push_back(&make<class walk_unit>(numbered("walk_unit", i), clock(), p.walk_unit,
                                                   world.spaces.tables(), p.perfect() ? 0u : 1u));
        walk_unit[i]->belongs_to(*cu[i]);
        if (!p.perfect())
            l1_tlb[i]->down.bind(*walk_unit[i]->up[0]);
        walk_unit[i]->mem.bind(*l2d.up[p.gpu.cus + i]);
    }
    if (p.faults())
        make_pager(p, world, walk_unit, *l2d.up[2 * p.gpu.cus]);

    list_units();
    list("walk_unit", "the compute units' walk units, added up", "walk units", walk_unit);
    list_memory(world.spaces);
    show_energy(walk_unit);

    laws_of_units();
    if (!p.perfect())
        equal("l1_tlb: misses = walk_unit requests", {"l1_tlb.misses"}, {"walk_unit.walk_requests"});
    if (p.rung() == ideal::infinite_tlb)
        equal("l1_tlb: nothing leaves an infinite TLB", {"l1_tlb.evictions"}, {});
    laws_of_walks("walk_unit", true, !p.walk_unit.zero_walk);
}

} // namespace walkway
