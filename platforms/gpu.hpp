/* SPDX-License-Identifier: MIT */
/* platforms/gpu.hpp - what the wirings of machines with a GPU share: dispatcher, compute units, coalescers,
 * L1 TLBs, data caches and main memory, bound to each other; their lists and laws. A machine binds the L1
 * TLBs down to whatever translates, and that to the L2D or to main memory. */
#ifndef WALKWAY_PLATFORMS_GPU_HPP
#define WALKWAY_PLATFORMS_GPU_HPP

#include "model/coalescer.hpp"
#include "model/compute_unit.hpp"
#include "model/copy_engine.hpp"
#include "model/data_cache.hpp"
#include "model/dispatcher.hpp"
#include "model/dram.hpp"
#include "model/driver.hpp"
#include "model/host_link.hpp"
#include "model/icache.hpp"
#include "model/lds.hpp"
#include "model/memory_ways.hpp"
#include "model/pager.hpp"
#include "model/tlb.hpp"
#include "model/tlb_prefetch.hpp"
#include "model/victim_tlb.hpp"
#include "platforms/gpu_params.hpp"
#include "platforms/machine.hpp"
#include "platforms/world.hpp"

namespace walkway
{

class icache_translations;
class invalidator;
class lds_translations;
class os_script;
class perfect_tlb;
class victim_tlb;
class walk_unit;

class gpu_top : public wiring
{
public:
    ~gpu_top() override;

    class dispatcher &dispatcher;
    std::vector<compute_unit *> cu;
    std::vector<class lds *> lds;       /* with lds.banks */
    std::vector<class icache *> icache; /* with icache.entries */
    std::vector<class coalescer *> coalescer;
    std::vector<tlb *> l1_tlb;
    std::vector<tlb_prefetch *> prefetch;         /* with prefetch.entries, below each L1 TLB */
    std::vector<lds_translations *> lds_tx;       /* with lds.translations */
    std::vector<icache_translations *> icache_tx; /* with icache.translations */
    std::vector<victim_tlb *> victim;             /* with victim.entries */
    std::vector<perfect_tlb *> perfect_l1;        /* in their place on the ideal ladder's upper rungs */
    std::vector<data_cache *> l1d;
    data_cache &l2d;                  /* after the L1Ds' its ports for walks, then the instruction caches' */
    std::vector<class dram *> dram;   /* one, unless main memory is somebody else's */
    std::vector<class pager *> pager; /* one, where pages are not all mapped at the start */
    std::vector<class driver *> driver;       /* one each, where device memory is smaller than the program: */
    std::vector<class host_link *> host_link; /* between the L2D and main memory */
    std::vector<class copy_engine *> copy_engine; /* unless pages move in no time */
    std::vector<os_script *> os;                  /* one, where the run has events */

    bool by_itself() const override { return !outside_; }

protected:
    /* Where so many walk units read through. */
    struct walk_ports {
        unsigned l2d, dram;
    };
    gpu_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
            const program_list &all, walk_ports walks);

    /* Where a way to main memory ends: the L2D's is 0, then those of walk units and the pager. */
    memory_socket &memory(unsigned way);

    static std::string numbered(const char *part, unsigned i)
    {
        return std::string(part) + "_" + std::to_string(i);
    }
    /* Of all that holds translations, for who changes tables or programs. */
    void make_invalidator(const std::vector<walk_unit *> &units);
    /* Where pages are mapped as they are touched; the pager writes tables where walks read them. */
    void make_pager(const gpu_machine_params &p, memory_world &world, const std::vector<walk_unit *> &units,
                    memory_socket &to);
    /* What an operating system does while the programs run; after the pager. */
    void make_os(const memory_world &world, const program_list &all);
    void list_units();
    void list_memory(const address_spaces &spaces);
    /* Energy of memory and of the walk units' reads, which are the group `walks`. */
    template <class W> void show_energy(const std::vector<W *> &walks)
    {
        show("energy", "energy of the run", {[this, walks](stat_visitor &v, tick until) {
                 for (const class dram *d : dram)
                     d->visit_energy(v, until);
                 for (const W *w : walks) {
                     for (const class dram *d : dram)
                         v.count("walk_reads", w->stats().pte_reads * d->read_and_activate_fj() / 1000, "pJ",
                                 "page-table reads, each with one activation and one burst");
                     w->visit_energy(v, until);
                 }
             }});
    }
    /* Makes and binds what keeps the victims of L1 TLBs. The stages that ask the next level: of
     * p.last_sharers() compute units each. */
    std::vector<xlat_stage *> bind_between(const gpu_machine_params &p);
    /* What misses in one of these levels is looked up in the next that there is; the last one's group. */
    std::string laws_between();
    void laws_of_units();
    /* What the stages of a group ask of the level below. */
    std::vector<stat_term> asked_by(const std::string &stage) const;
    /* All that the units ask for is looked up in this group, or taken by it: its statistic. */
    void law_of_misses(const std::string &above, const std::string &below, const char *looked_up = "lookups");
    /* Between the group `walks` and where its walk units read; table_reads: the statistic of another reader
     * of translations through the L2D. */
    void laws_of_walks(const std::string &walks, bool through_l2d, bool reads,
                       const std::string &table_reads = "");

private:
    void start_of_simulation() override;
    void make_driver(const gpu_machine_params &p, memory_world &world, const program_list &all);
    void make_flushable();
    void flush_caches(const std::vector<pa_range> &ranges, std::function<void(tick)> done);
    void make_unit(unsigned i, const gpu_machine_params &p, memory_world &world);
    void bind_lds_tx(const gpu_machine_params &p, std::vector<xlat_stage *> &above);
    void bind_icache_tx(const gpu_machine_params &p, std::vector<xlat_stage *> &above);
    void bind_victims(const gpu_machine_params &p, std::vector<xlat_stage *> &above);
    void tell_spaces_apart(size_t spaces);
    void make_icaches(const gpu_machine_params &p, memory_world &world, const program_list &all,
                      unsigned first_port);

    std::unique_ptr<invalidator> invalidator_;
    size_t l1ds_to_flush_ = 0; /* before the L2D's turn */
    const std::shared_ptr<const memory_ways> outside_;
    const memory_store &contents_;
};

std::vector<os_event_result> events_of(const gpu_top &top);

/* Of a run of these programs: of several each has an address space. Throws std::runtime_error where that
 * cannot be.
 */
template <class P> P for_programs(P p, const program_list &all)
{
    p.set_programs(all.size());
    p.address_space.image = all.image();
    return p;
}

/* A machine of parameters P and wiring T. */
template <class P, class T> class gpu_machine final : public machine
{
public:
    gpu_machine(const P &p, const program_list &all) : machine(parts_of(p, all)) {}
    T &top() { return static_cast<T &>(machine::top()); }
    std::vector<os_event_result> events() const override
    {
        return events_of(static_cast<const gpu_top &>(machine::top()));
    }

private:
    static parts parts_of(const P &of_one, const program_list &all)
    {
        const P p = for_programs(of_one, all);
        auto world = std::make_shared<memory_world>(p.address_space_of_run(), all, p.memory_end());
        auto top = std::make_unique<T>("top", p.resolved(world->spaces.pages()), *world, all);
        if (p.rung() == ideal::off)
            top->has_arrays(structures_of(p).arrays());
        return {std::move(world), std::move(top)};
    }
};

template <class P, class T> class gpu_config final : public params_of_wiring<P, platform_config>
{
public:
    uint64_t memory_bytes(const program_list &all) const override
    {
        const P p = for_programs(this->params, all);
        return p.memory_bytes(ranges_of_all(all, p.address_space.spaces));
    }
    std::unique_ptr<platform> build(const program_list &all) const override
    {
        return std::make_unique<gpu_machine<P, T>>(this->params, all);
    }
};

} // namespace walkway

#endif
