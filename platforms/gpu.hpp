/* SPDX-License-Identifier: MIT */
/* platforms/gpu.hpp - the wiring of a machine: dispatcher, compute units, coalescers, the path of levels that
 * translate, data caches and main memory, bound to each other; their lists and laws.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ path: level ─ level ─ ... ─ walk unit ─┐
 *             (one per CU) ... └─ L1D ── L2D ────────────────────────────┴─ DRAM
 */
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
#include "model/walk_unit.hpp"
#include "platforms/gpu_params.hpp"
#include "platforms/machine.hpp"
#include "platforms/world.hpp"

namespace walkway
{

class invalidator;
class kernel_split;
class place_split;
class os_script;
struct level_instance;

/* A level with its blocks. */
struct made_level {
    std::string section;
    std::vector<block *> blocks; /* its instances */
};

class gpu_top : public wiring
{
public:
    /* `p` must be resolved(). */
    gpu_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
            const program_list &all);
    ~gpu_top() override;

    class dispatcher &dispatcher;
    std::vector<compute_unit *> cu;
    std::vector<class lds *> lds;       /* with lds.banks */
    std::vector<class icache *> icache; /* with icache.entries */
    std::vector<class coalescer *> coalescer;
    std::vector<made_level> path; /* those present; of the ladder's upper rungs only the first and the last */
    std::vector<class walk_unit *> walk_units; /* the end of the path */
    std::vector<data_cache *> l1d;
    data_cache &l2d;                          /* ports: L1Ds, the path and pager, then instruction caches */
    std::vector<class dram *> dram;           /* one, unless main memory is foreign */
    std::vector<class pager *> pager;         /* one, if not all pages are mapped at the start */
    std::vector<class driver *> driver;       /* one each, if device memory is smaller than the program: */
    std::vector<class host_link *> host_link; /* between the L2D and main memory */
    std::vector<class copy_engine *> copy_engine; /* unless moving pages takes no time */
    std::vector<os_script *> os;                  /* one, if the run has events */

    /* Returns the blocks of this kind in a section; none if the level is absent. */
    template <class B> std::vector<B *> level_blocks(const std::string &section) const
    {
        std::vector<B *> all;
        for (const made_level &l : path)
            for (block *b : l.blocks)
                if (B *of = l.section == section ? dynamic_cast<B *>(b) : nullptr)
                    all.push_back(of);
        return all;
    }

    bool by_itself() const override { return !outside_; }
    void start_at(const start_point &point) override;

private:
    /* Number of readers through the L2D and through main memory besides caches: first the walk units and the
     * pager, then tables of levels in the path's order. */
    struct path_ports {
        unsigned l2d = 0, memory = 0;
    };
    /* A port that sends requests down the path, with its compute units in order. */
    struct asking {
        out_port<xlat_protocol> *down;
        std::vector<unsigned> units;
    };
    static path_ports ports_of(const gpu_machine_params &p);
    /* Returns the end of a way to main memory: way 0 is the L2D's, then come those of walk units and the
     * pager. */
    memory_socket &memory(unsigned way);
    static std::string numbered(const char *part, unsigned i)
    {
        return std::string(part) + "_" + std::to_string(i);
    }

    void start_of_simulation() override;
    void hand_tables_out();
    void fill_now(const start_point &point);
    void make_unit(unsigned i, const gpu_machine_params &p, memory_world &world);
    void make_icaches(const gpu_machine_params &p, memory_world &world, const program_list &all);
    void make_path(const gpu_machine_params &p, memory_world &world, size_t programs);
    void make_perfect(const level &first, const gpu_machine_params &p, const memory_world &world,
                      std::vector<asking> &above);
    void make_level(const level &l, const gpu_machine_params &p, const memory_world &world, size_t programs,
                    std::vector<asking> &above);
    void bind_memory(const level &l, const level_instance &made);
    /* Connects every holder of translations, for changes of tables and programs. */
    void make_invalidator();
    /* For pages that are mapped at their first use. The pager writes tables where walks read them. */
    void make_pager(const gpu_machine_params &p, memory_world &world);
    void make_driver(const gpu_machine_params &p, memory_world &world, const program_list &all);
    void make_flushable();
    void flush_caches(const std::vector<pa_range> &ranges, std::function<void(tick)> done);
    /* Makes the operating system's actions during the run. Required: after make_pager(). */
    void make_os(const memory_world &world, const program_list &all);

    void list_blocks(const gpu_machine_params &p, const address_spaces &spaces);
    void show_energy();
    void laws_of_units(const gpu_machine_params &p);
    void laws_of_misses(const gpu_machine_params &p);
    void laws_of_walks(const gpu_machine_params &p);
    void laws_of_memory(const gpu_machine_params &p);
    std::vector<stat_term> spent(std::initializer_list<const char *> rows, const gpu_machine_params &p) const;

    std::unique_ptr<invalidator> invalidator_;
    size_t l1ds_to_flush_ = 0; /* left to flush before the L2D */
    const std::shared_ptr<const memory_ways> outside_;
    const memory_store &contents_;
    const std::string why_not_in_the_middle_; /* empty: the machine can begin in the middle */
    const start_point *from_ = nullptr;       /* null: the run begins with the program */
    path_ports next_;                         /* next free port of each */
    uint64_t next_table_ = 0;                 /* address of the next level's table */
};

/* A machine for a run of these programs; with several, each has an address space. Throws std::runtime_error
 * if that is impossible. */
class gpu_machine final : public machine
{
public:
    gpu_machine(const gpu_machine_params &p, const program_list &all);
    gpu_top &top() { return static_cast<gpu_top &>(machine::top()); }
    ~gpu_machine() override;
    std::vector<os_event_result> events() const override;
    run_end run(const progress_fn &progress) override;
    void split_by_kernel() override;
    std::vector<kernel_part> kernels() const override;
    void split_by(place_kind what) override;
    std::vector<place_part> places(place_kind what) const override;

private:
    const size_t programs_;
    const wkt_reader *trace_;             /* for one program */
    std::unique_ptr<kernel_split> split_; /* null: statistics are not split by kernel */
    std::unique_ptr<place_split> places_; /* null: statistics are not split by place */
    bool ended_ = false;
};

} // namespace walkway

#endif
