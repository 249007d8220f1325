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

/* A level that was made. */
struct made_level {
    std::string section;
    std::vector<block *> blocks; /* its instances */
};

class gpu_top : public wiring
{
public:
    /* `p` is resolved. */
    gpu_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
            const program_list &all);
    ~gpu_top() override;

    class dispatcher &dispatcher;
    std::vector<compute_unit *> cu;
    std::vector<class lds *> lds;       /* with lds.banks */
    std::vector<class icache *> icache; /* with icache.entries */
    std::vector<class coalescer *> coalescer;
    std::vector<made_level>
        path; /* those that are there; of the ladder's upper rungs the first and the last */
    std::vector<class walk_unit *> walk_units; /* where it ends */
    std::vector<data_cache *> l1d;
    data_cache &l2d;                    /* after the L1Ds' its ports for the path and the pager, and those of
                                         * instruction caches */
    std::vector<class dram *> dram;     /* one, unless main memory is foreign */
    std::vector<class pager *> pager;   /* one, where pages are not all mapped at the start */
    std::vector<class driver *> driver; /* one each, where device memory is smaller than the program: */
    std::vector<class host_link *> host_link;     /* between the L2D and main memory */
    std::vector<class copy_engine *> copy_engine; /* unless pages move in no time */
    std::vector<os_script *> os;                  /* one, where the run has events */

    /* Of a section, those of this kind of block; none of a level that is not there. */
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
    /* What reads through the L2D and through main memory, beside caches: the walk units and the pager come
     * first, then tables of levels in the path's order. */
    struct path_ports {
        unsigned l2d = 0, memory = 0;
    };
    /* What has asked so far, in the order of its first compute unit. */
    struct asking {
        out_port<xlat_protocol> *down;
        std::vector<unsigned> units;
    };
    static path_ports ports_of(const gpu_machine_params &p);
    /* Where a way to main memory ends: the L2D's is 0, then those of walk units and the pager. */
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
    /* Reaches every holder of translations; for changes of tables and programs. */
    void make_invalidator();
    /* Where pages are mapped as they are touched; the pager writes tables where walks read them. */
    void make_pager(const gpu_machine_params &p, memory_world &world);
    void make_driver(const gpu_machine_params &p, memory_world &world, const program_list &all);
    void make_flushable();
    void flush_caches(const std::vector<pa_range> &ranges, std::function<void(tick)> done);
    /* What an operating system does while the programs run; after the pager. */
    void make_os(const memory_world &world, const program_list &all);

    void list_blocks(const gpu_machine_params &p, const address_spaces &spaces);
    void show_energy();
    void laws_of_units(const gpu_machine_params &p);
    void laws_of_misses(const gpu_machine_params &p);
    void laws_of_walks(const gpu_machine_params &p);
    void laws_of_memory(const gpu_machine_params &p);
    std::vector<stat_term> spent(std::initializer_list<const char *> rows, const gpu_machine_params &p) const;

    std::unique_ptr<invalidator> invalidator_;
    size_t l1ds_to_flush_ = 0; /* before the L2D's turn */
    const std::shared_ptr<const memory_ways> outside_;
    const memory_store &contents_;
    const std::string why_not_in_the_middle_; /* empty: it begins there, too */
    const start_point *from_ = nullptr;       /* null: time zero is the program's beginning */
    path_ports next_;                         /* the next of each that is free */
    uint64_t next_table_ = 0;                 /* where the next level's table lies */
};

/* A machine for a run of these programs: of several each has an address space. Throws std::runtime_error
 * where that cannot be. */
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
    const wkt_reader *trace_;             /* of one program */
    std::unique_ptr<kernel_split> split_; /* null: not counted by kernel */
    std::unique_ptr<place_split> places_; /* null: not counted by place */
    bool ended_ = false;
};

} // namespace walkway

#endif
