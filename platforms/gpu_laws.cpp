/* SPDX-License-Identifier: MIT */
/* platforms/gpu_laws.cpp - a machine's groups of statistics, and the laws between them. */
#include "platforms/gpu.hpp"

#include "model/os_script.hpp"

#include <algorithm>

namespace walkway
{

void gpu_top::list_blocks(const gpu_machine_params &p, const address_spaces &spaces)
{
    list("gpu", "the GPU as a whole", "compute units and dispatcher", dispatcher, cu);
    groups_.back().activations = "activations_cu";
    list("lds", "the compute units' controllers of local memory, added up", "LDS controllers", lds);
    list("icache", "the instruction caches, added up", "instruction caches", icache);
    list("coalescer", "the coalescers, added up", "coalescers", coalescer);
    for (const made_level &made : path) {
        const level *l = p.path.find(made.section);
        const std::string what = l == nullptr ? "translations without time" : l->plural();
        list(made.section, what + ", added up", what, made.blocks);
    }
    list("os", "the operating system that --events describes", "the operating system", os);
    list("pager", "the block that maps pages while the program runs", "the pager", pager);
    list("driver", "which pages lie in device memory, and which in host memory", "the driver", driver);
    list("copy_engine", "moves pages between device and host memory", "the copy engine", copy_engine);
    list("l1d", "the compute units' data caches, added up", "L1 data caches", l1d);
    list("l2d", "the shared data cache", "the L2 data cache", l2d);
    list("host_link", "the way to host memory", "the link to host memory", host_link);
    list("dram", "main memory", "main memory", dram);
    show_account();
    show_energy();
    facts_ = {{"pages", "pages", "pages mapped before time zero", spaces.pages_at_start()},
              {"table_nodes", "nodes", "page-table nodes, 4 KiB each", spaces.table_nodes()}};
}

/* Shows the energy of main memory and of the walk units. */
void gpu_top::show_energy()
{
    show("energy", "energy of the run", {[this](stat_visitor &v, tick until) {
             for (const class dram *d : dram)
                 d->visit_energy(v, until);
             for (const class walk_unit *w : walk_units) {
                 for (const class dram *d : dram)
                     v.count("walk_reads", w->stats().pte_reads * d->read_and_activate_fj() / 1000, "pJ",
                             "page-table reads, each with one activation and one burst");
                 w->visit_energy(v, until);
             }
         }});
}

void gpu_top::laws_of_units(const gpu_machine_params &p)
{
    equal("cu: memory instructions = coalescer instructions", {"gpu.memory"}, {"coalescer.instructions"});
    if (!lds.empty())
        equal("cu: local instructions = LDS accesses", {"gpu.local"}, {"lds.accesses"});
    if (!icache.empty())
        equal("cu: fetches = instruction cache fetches", {"gpu.fetches"}, {"icache.fetches"});
    const std::string first = path.front().section;
    const std::string asked = p.perfect() ? "lookups" : p.path.find(first)->asked();
    equal(first + ": " + asked + " = translations", {first + "." + asked}, {"coalescer.translations"});
    equal("l1d: lines of the coalescers, less those of faulted pages", {"l1d.reads", "l1d.writes"},
          {"coalescer.lines"}, "coalescer.faults*");
}

/* Every request that a level sends below is looked up or taken there. */
void gpu_top::laws_of_misses(const gpu_machine_params &p)
{
    const auto own = [&](const made_level &made) {
        const level *l = p.path.find(made.section);
        return l != nullptr && l->accounts_for_own();
    };
    const bool joins = std::any_of(path.begin(), path.end(), own); /* without such a level none is retried */
    for (size_t i = 1; i < path.size() && !p.perfect(); ++i) {
        const level &above = *p.path.find(path[i - 1].section), &below = *p.path.find(path[i].section);
        std::vector<stat_term> asks;
        for (const std::string &statistic : above.asks())
            asks.emplace_back(above.section() + "." + statistic);
        if (joins && above.asks_again())
            asks.emplace_back(above.section() + ".retried");
        equal(above.section() + ": misses = " + below.section() + " " + below.asked(), asks,
              {below.section() + "." + below.asked()});
    }
    const std::string infinite = p.infinite_level();
    if (p.rung() == ideal::infinite_tlb && !infinite.empty())
        equal(infinite + ": nothing leaves an infinite TLB", {infinite + ".evictions"}, {});
}

/* Returns the terms of the time in these rows: of all translations, and of the levels' own requests. */
std::vector<stat_term> gpu_top::spent(std::initializer_list<const char *> rows,
                                      const gpu_machine_params &p) const
{
    std::vector<stat_term> terms;
    for (const std::string row : rows) {
        terms.emplace_back("account." + row, clock().period());
        for (const made_level &made : path)
            if (const level *l = p.path.find(made.section); l != nullptr && l->accounts_for_own())
                terms.emplace_back(made.section + ".account." + row, clock().period());
    }
    return terms;
}

/* The time charged to translations equals the time that walk units measure: of busy walkers, of requests in
 * the buffer, and of requests outside it. */
void gpu_top::laws_of_walks(const gpu_machine_params &p)
{
    const tick period = clock().period();
    const std::string walks = path.back().section;
    equal(walks + ": steps of walks = walkers' busy time (ps)", spent({"walk_*"}, p),
          {walks + ".walker_busy_ps"});
    equal(walks + ": buffer + held of the account = walk buffer's occupancy over time (ps)",
          spent({"buffer", "held"}, p), {{walks + ".buffer_occupancy", period}});
    equal(walks + ": backlog of the account = time outside the walk buffer (ps)", spent({"backlog"}, p),
          {{walks + ".backlog_latency", period}});
    if (pager.empty())
        return;
    equal(walks + ": faults handed on = faults that the pager took", {walks + ".faults_sent"},
          {"pager.faults"});
    equal(walks + ": faults of the account = time after absent entries (ps)",
          spent({"fault_queue", "fault_service"}, p), {{walks + ".fault_latency", period}});
}

/* The reads that the L2D or memory receives equal those sent to it. Walkers read main memory directly,
 * through the L2D, or not at all. */
void gpu_top::laws_of_memory(const gpu_machine_params &p)
{
    std::vector<stat_term> into_l2d = {"l1d.read_misses", "l1d.write_fetches"};
    std::vector<stat_term> into_dram = {"l2d.read_misses", "l2d.write_fetches"};
    std::string l2d_reads = "l2d: reads = L1D read misses + lines L1Ds fetch for writes";
    std::string dram_reads =
        "dram: reads + refused reads = L2D read misses + lines the L2D fetches for writes";
    for (const made_level &made : path) {
        const level *l = p.path.find(made.section);
        if (l == nullptr || l->reads().empty())
            continue;
        const bool through_l2d = l->wants().l2d_ports != 0;
        (through_l2d ? into_l2d : into_dram).emplace_back(made.section + "." + l->reads());
        (through_l2d ? l2d_reads : dram_reads) += " + " + made.section + " " + l->reads();
    }
    if (!icache.empty()) {
        into_l2d.emplace_back("icache.misses");
        l2d_reads += " + instruction fetches that miss";
    }
    equal(l2d_reads, {"l2d.reads"}, into_l2d);
    std::vector<stat_term> from_memory = {"dram.reads", "dram.refused_reads"};
    if (!host_link.empty()) {
        from_memory.insert(from_memory.end(), {"host_link.host_reads", "host_link.copied_in"});
        dram_reads = "host_link: reads of host memory, copies into device memory + " + dram_reads;
    }
    if (!copy_engine.empty()) {
        into_dram.emplace_back("copy_engine.reads");
        dram_reads += " + lines copied";
    }
    if (!dram.empty())
        equal(dram_reads, from_memory, into_dram);
}

} // namespace walkway
