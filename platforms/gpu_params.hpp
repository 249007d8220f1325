/* SPDX-License-Identifier: MIT */
/* platforms/gpu_params.hpp - parameters that every machine with a GPU has: compute units with coalescer, L1
 * TLB and L1D, what stands below the L1 TLBs and keeps their victims (translations in local memory and in
 * instruction caches, victim TLBs), the shared L2D, main memory, the program's pages, the ideal ladder; and
 * what follows from them. A machine adds what lies between those and its page table. */
#ifndef WALKWAY_PLATFORMS_GPU_PARAMS_HPP
#define WALKWAY_PLATFORMS_GPU_PARAMS_HPP

#include "model/address_space_params.hpp"
#include "model/params/coalescer.hpp"
#include "model/params/compute_unit.hpp"
#include "model/params/copy_engine.hpp"
#include "model/params/data_cache.hpp"
#include "model/params/dispatcher.hpp"
#include "model/params/dram.hpp"
#include "model/params/driver.hpp"
#include "model/params/host_link.hpp"
#include "model/params/icache.hpp"
#include "model/params/lds.hpp"
#include "model/params/pager.hpp"
#include "model/params/tlb.hpp"
#include "model/params/tlb_prefetch.hpp"
#include "model/params/victim_tlb.hpp"
#include "platforms/default_units.hpp"
#include "platforms/machine_params.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct gpu_params {
    uint32_t cus = default_units;
    uint32_t clock_ps = 500;
    void visit(param_visitor &v);
};

/* The ideal ladder: each rung removes one more cost, those below it stay removed. */
enum class ideal : uint8_t { off, unlimited_walkers, zero_walk, infinite_tlb, perfect_l1, none };

struct translation_params {
    uint8_t ideal = 0;
    /* Whether the last TLB before the walks, which becomes infinite, is shared. */
    void visit(param_visitor &v, bool shared_tlb);
};

struct gpu_machine_params {
    gpu_params gpu;
    translation_params translation;
    dispatcher_params dispatcher;
    compute_unit_params cu;
    lds_params lds;
    icache_params icache;
    coalescer_params coalescer;
    tlb_params l1_tlb;
    tlb_prefetch_params prefetch;
    victim_params victim;
    data_cache_params l1d, l2d;
    dram_params dram;
    address_space_params address_space;
    pager_params pager;
    driver_params driver;
    host_link_params host_link;
    copy_engine_params copy_engine;

    ideal rung() const { return static_cast<ideal>(translation.ideal); }
    bool perfect() const { return rung() >= ideal::perfect_l1; } /* nothing is asked below the L1 TLBs */
    /* Are pages mapped while the program runs, by a pager? */
    bool faults() const { return address_space_of_run().mode() != map_mode::all; }
    /* Is device memory smaller than the program? */
    bool driven() const { return driver.present() && !perfect(); }
    /* Compute units of each stage that asks the next level, and how many such stages there are: L1 TLBs and
     * prefetchers, or what stands below them, some of which compute units share. */
    uint32_t last_sharers() const
    {
        return victim.present() ? victim.shared_by : icache.lends() ? icache.shared_by : 1;
    }
    uint32_t last_stages() const { return perfect() ? 0 : (gpu.cus + last_sharers() - 1) / last_sharers(); }
    /* Stages that share a victim TLB; of so many, those of the nth. */
    uint32_t stages_of_victim() const
    {
        return icache.lends() ? victim.shared_by / icache.shared_by : victim.shared_by;
    }
    uint32_t victim_requesters(uint32_t nth, uint32_t stages) const
    {
        const uint32_t first = nth * stages_of_victim(), left = stages - first;
        return left < stages_of_victim() ? left : stages_of_victim();
    }
    /* Several have an address space each, and compute units by dispatcher.shares. */
    void set_programs(size_t count);
    /* Where nothing is asked below the L1 TLBs no walk faults: all pages are mapped. */
    address_space_params address_space_of_run() const;
    uint64_t memory_end() const; /* bytes of dram */
    address_widths widths() const;

protected:
    gpu_machine_params();
    /* Sections above those of the machine, and below. */
    void visit_units(param_visitor &v, bool shared_tlb);
    void visit_memory(param_visitor &v);
    /* From local memory to the L1D's neighbours above: in the order of a request's way. */
    void structures_of_units(structure_list &list) const;
    std::string validate_shared() const;
    /* Does the ladder's rung leave this parameter of the shared sections without effect? */
    bool idealised_shared(const std::string &parameter) const;
    /* What passes on what leaves an L1 TLB, whatever l1_tlb.victims says; "": nothing does. */
    std::string passes_victims() const;
    std::string validate_driver() const;
    std::string validate_together() const;
    /* An L2 TLB, told what it has to hold. */
    tlb_params second_tlb(tlb_params l2_tlb) const;
    /* What blocks have to know of the pages and of each other. */
    void resolve_shared();
    uint32_t page_sizes() const { return address_space.page_sizes(); }
    /* Of the host, without what lies between the L1 TLBs and the page table. */
    uint64_t between_bytes() const; /* what stands below the L1 TLBs, with its queues */
    uint64_t wire_of_last() const;  /* of the stages that ask the next level */
    uint64_t shared_bytes(const std::vector<space_ranges> &of_space, unsigned walk_units) const;
    uint64_t pages_of(const std::vector<space_ranges> &of_space) const;
};

/* What finds fault with a part of a machine; "" where it finds none. */
struct part_check {
    const char *part; /* stands before the sentence; null where the sentence names it */
    std::function<std::string()> fault;
};
/* The first fault, with its part. None behind it is asked: each may rest on what those before it checked. */
std::string first_fault(const std::vector<part_check> &checks);

/* Of the host: queues with room for what is on the wire behind its sender. */
uint64_t queue_bytes(uint64_t ports, uint64_t entries, uint64_t wire);
template <class P> uint64_t wire_of(const P &sender)
{
    return uint64_t{sender.ports} * (uint64_t{sender.hit_cycles} + sender.link_cycles);
}

/* A TLB of which nothing ever leaves: a law of the run. */
void make_infinite(tlb_params &tlb, uint64_t pages);

template <class P> void add_structures(structure_list &list, const char *block, uint64_t count, const P &of)
{
    list.of(block, count);
    of.structures(list);
}

/* Of the ideal ladder's rungs there is no hardware: the parameters count as they are. */
template <class P> structure_list structures_of(P p)
{
    p.translation.ideal = 0;
    p = p.resolved(0);
    structure_list list(p.widths());
    p.structures(list);
    return list;
}

/* Of a wiring with parameters P. */
template <class P, class BASE = machine_params> class params_of_wiring : public BASE
{
public:
    P params;
    void visit(param_visitor &v) override { params.visit(v); }
    /* As they are set, and as the blocks will be made, which have more to go by. */
    std::string validate() const override
    {
        return first_fault({{nullptr, [this] { return params.validate(); }},
                            {nullptr, [this] { return params.resolved(1).validate(); }}});
    }
    std::string overruled_by(const std::string &parameter) const override
    {
        return params.overruled_by(parameter);
    }
    std::vector<hardware_structure> structures() const override { return structures_of(params).all(); }
};

} // namespace walkway

#endif
