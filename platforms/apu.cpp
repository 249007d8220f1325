/* SPDX-License-Identifier: MIT */
/* platforms/apu.cpp - wiring of the apu.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ L1 TLB ─┐
 *                              │          ├─ L2 TLB ─ IOMMU TLB ─ walk unit ──────────────┐
 *             (one per CU) ... └─ L1D ────┼─ L2D ────────────────────────────────────────┴─ DRAM
 *
 * Between L1 TLBs and the L2 TLB: what gpu_between.cpp binds. With memory_tlb.entries a table in memory
 * stands between the L2 TLB and that of the IOMMU, read through the L2D.
 */
#include "platforms/apu.hpp"

namespace walkway
{

apu_top::apu_top(const sc_core::sc_module_name &name, const apu_params &p, memory_world &world,
                 const program_list &all)
    : gpu_top(name, p, world, all, memory_ports(p)),
      l2_tlb(make<tlb>("l2_tlb", clock(), p.l2_tlb, stage_name{"l2", "L2 TLB"}, p.last_stages())),
      walk_unit(make<class walk_unit>("walk_unit", clock(), p.walk_unit, world.spaces.tables(), 1u))
{
    if (all.several())
        l2_tlb.tell_spaces_apart(all.size());
    const std::vector<xlat_stage *> above = bind_between(p);
    for (unsigned i = 0; i < above.size(); ++i)
        above[i]->down.bind(*l2_tlb.up[i]);
    bind_memory_tlb(p);
    bind_walk_unit(p);
    walk_unit.mem.bind(p.walk_unit.walk_path == 0 ? memory(1) : *l2d.up[p.gpu.cus]);

    make_invalidator({&walk_unit});
    if (p.faults())
        make_pager(p, world, {&walk_unit}, p.walk_unit.walk_path == 0 ? memory(2) : *l2d.up[p.gpu.cus + 1]);
    make_os(world, all);

    list_units();
    list("l2_tlb", "the shared TLB", "the L2 TLB", l2_tlb);
    list("memory_tlb", "the table of translations in memory", "the table in memory", memory_tlb);
    list("iommu_tlb", "the TLBs of the IOMMU", "the IOMMU's TLBs", iommu_tlb);
    list("walk_unit", "the walk unit of the IOMMU", "the walk unit", walk_unit);
    list_memory(world.spaces);
    show_energy(std::vector<class walk_unit *>{&walk_unit});

    laws_of_units();
    if (!p.perfect())
        law_of_misses(laws_between(), "l2_tlb");
    if (p.rung() == ideal::infinite_tlb)
        equal("l2_tlb: nothing leaves an infinite TLB", {"l2_tlb.evictions"}, {});
    std::string last = "l2_tlb";
    if (!memory_tlb.empty()) {
        law_of_misses("l2_tlb", "memory_tlb");
        last = "memory_tlb";
    }
    if (!iommu_tlb.empty()) {
        law_of_misses(last, "iommu_tlb", "requests");
        equal("iommu_tlb: misses = walk_unit walk_requests", {"iommu_tlb.tlb_misses"},
              {"walk_unit.walk_requests"});
    } else {
        law_of_misses(last, "walk_unit", "walk_requests");
    }
    laws_of_walks("walk_unit", p.walk_unit.walk_path != 0, !p.walk_unit.zero_walk,
                  memory_tlb.empty() ? "" : "memory_tlb.line_reads");
}

gpu_top::walk_ports apu_top::memory_ports(const apu_params &p)
{
    const unsigned ports = p.faults() ? 2 : 1; /* the pager's, too */
    const unsigned table = p.has_memory_tlb() ? 1 : 0;
    return p.walk_unit.walk_path == 0 ? walk_ports{table, ports} : walk_ports{ports + table, 0};
}

/* Its port of the L2D is the last one of those for walks. */
void apu_top::bind_memory_tlb(const apu_params &p)
{
    if (!p.has_memory_tlb())
        return;
    memory_tlb.push_back(&make<class memory_tlb>("memory_tlb", clock(), p.memory_tlb, 1u));
    l2_tlb.down.bind(*memory_tlb[0]->up[0]);
    memory_tlb[0]->mem.bind(*l2d.up[p.gpu.cus + memory_ports(p).l2d - 1]);
}

void apu_top::bind_walk_unit(const apu_params &p)
{
    out_port<xlat_protocol> &above = memory_tlb.empty() ? l2_tlb.down : memory_tlb[0]->down;
    if (!p.iommu_tlb.present()) {
        above.bind(*walk_unit.up[0]);
        return;
    }
    iommu_tlb.push_back(&make<class iommu_tlb>("iommu_tlb", clock(), p.iommu_tlb, 1u));
    above.bind(*iommu_tlb[0]->up[0]);
    iommu_tlb[0]->down.bind(*walk_unit.up[0]);
}

} // namespace walkway
