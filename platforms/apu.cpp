/* SPDX-License-Identifier: MIT */
/* platforms/apu.cpp - wiring of the apu.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ L1 TLB ─┐
 *                              │          ├─ L2 TLB ─ IOMMU (TLBs, walk buffer, walkers) ─┐
 *             (one per CU) ... └─ L1D ────┼─ L2D ────────────────────────────────────────┴─ DRAM
 */
#include "platforms/apu.hpp"

#include "model/perfect_tlb.hpp"

namespace walkway
{

apu_top::apu_top(const sc_core::sc_module_name &name, const apu_params &p, memory_world &world,
                 wkt_reader *trace)
    : wiring(name, clock_domain(p.gpu.clock_ps)),
      dispatcher(make<class dispatcher>("dispatcher", clock(), p.dispatcher, trace)),
      l2_tlb(make<tlb>("l2_tlb", clock(), p.l2_tlb, stage_name{"l2", "L2 TLB"}, p.perfect() ? 0 : p.gpu.cus)),
      iommu(make<class iommu>("iommu", clock(), p.iommu, world.space, world.store)),
      l2d(make<data_cache>("l2d", clock(), p.l2d, world.store, p.gpu.cus + p.iommu.walk_path)),
      dram(make<class dram>("dram", p.dram, world.store, 2u - p.iommu.walk_path))
{
    for (unsigned i = 0; i < p.gpu.cus; ++i)
        bind_unit(i, p, world);
    l2_tlb.down.bind(iommu.up);
    l2d.down.bind(*dram.up[0]);
    iommu.mem.bind(p.iommu.walk_path == 0 ? *dram.up[1] : *l2d.up[p.gpu.cus]);
    lists(world.space);
    laws_between(p);
    dispatcher.check_fit();
}

void apu_top::bind_unit(unsigned i, const apu_params &p, memory_world &world)
{
    const auto named = [i](const char *part) { return std::string(part) + "_" + std::to_string(i); };
    const stage_name l1_stage = {"l1", "L1 TLB"};
    cu.push_back(&make<compute_unit>(named("cu"), clock(), p.cu, i, p.gpu.cus, dispatcher));
    coalescer.push_back(&make<class coalescer>(named("coalescer"), clock(), p.coalescer));
    l1d.push_back(&make<data_cache>(named("l1d"), clock(), p.l1d, world.store, 1u));
    dispatcher.attach_unit(*cu[i]);
    coalescer[i]->belongs_to(*cu[i]);
    cu[i]->mem.bind(coalescer[i]->up);
    coalescer[i]->mem.bind(*l1d[i]->up[0]);
    l1d[i]->down.bind(*l2d.up[i]);
    if (p.perfect()) { /* the ideal ladder's upper rungs: nothing ever asks the L2 TLB */
        perfect_l1.push_back(&make<perfect_tlb>(named("perfect_l1"), clock(), world.space, l1_stage,
                                                p.l1_tlb.queue_entries, p.rung() == ideal::perfect_l1));
        perfect_l1[i]->belongs_to(*cu[i]);
        coalescer[i]->xlat.bind(perfect_l1[i]->up);
        return;
    }
    l1_tlb.push_back(&make<tlb>(named("l1_tlb"), clock(), p.l1_tlb, l1_stage, 1u));
    l1_tlb[i]->belongs_to(*cu[i]);
    coalescer[i]->xlat.bind(*l1_tlb[i]->up[0]);
    l1_tlb[i]->down.bind(*l2_tlb.up[i]);
}

void apu_top::lists(const address_space &space)
{
    list("gpu", "the GPU as a whole", "compute units and dispatcher", dispatcher, cu);
    groups_.back().activations = "activations_cu";
    list("coalescer", "the coalescers, added up", "coalescers", coalescer);
    list("l1_tlb", "the compute units' TLBs, added up", "L1 TLBs", l1_tlb, perfect_l1);
    list("l2_tlb", "the shared TLB", "the L2 TLB", l2_tlb);
    list("iommu", "the IOMMU", "the IOMMU", iommu);
    list("l1d", "the compute units' data caches, added up", "L1 data caches", l1d);
    list("l2d", "the shared data cache", "the L2 data cache", l2d);
    list("dram", "main memory", "main memory", dram);
    show_account();
    show("energy", "energy of the run", {[this](stat_visitor &v, tick until) {
             dram.visit_energy(v, until);
             v.count("walk_reads", iommu.stats().pte_reads * dram.read_and_activate_fj() / 1000, "pJ",
                     "page-table reads, each with one activation and one burst");
             iommu.visit_energy(v, until);
         }});
    facts_ = {{"pages", "pages", "pages mapped before time zero", space.pages()},
              {"table_nodes", "nodes", "page-table nodes, 4 KiB each", space.table_nodes()}};
}

} // namespace walkway
