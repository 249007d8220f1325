/* SPDX-License-Identifier: MIT */
/* platforms/gpu_params.hpp - the parameters of a machine: compute units with coalescer and L1D, the path of
 * levels that translate, the shared L2D, main memory, the program's pages, the ideal ladder; and what follows
 * from them. */
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
#include "platforms/default_units.hpp"
#include "platforms/level_path.hpp"
#include "platforms/machine_params.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct gpu_params {
    uint32_t cus = 0;
    uint32_t clock_ps = 0;
    void visit(param_visitor &v);
};

struct translation_params {
    uint8_t ideal = 0;
    uint8_t infinite = 0; /* of the path's levels that can hold everything */
    void visit(param_visitor &v, const std::vector<const char *> &levels);
};

struct gpu_machine_params {
    gpu_params gpu;
    translation_params translation;
    dispatcher_params dispatcher;
    compute_unit_params cu;
    lds_params lds;
    icache_params icache;
    coalescer_params coalescer;
    level_path path;
    data_cache_params l1d, l2d;
    dram_params dram;
    address_space_params address_space;
    pager_params pager;
    driver_params driver;
    host_link_params host_link;
    copy_engine_params copy_engine;

    /* Of a path without fault. */
    explicit gpu_machine_params(const std::string &path);
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<space_ranges> &of_space) const;
    /* Levels for translation without time: they know these pages and widths, and stand together. */
    level_path path_now(uint32_t page_sizes, const address_widths &of) const;
    /* The same with the pages and the neighbours carried to the blocks and the ideal ladder's rung applied.
     */
    gpu_machine_params resolved(uint64_t pages) const;

    ideal rung() const { return static_cast<ideal>(translation.ideal); }
    bool perfect() const { return rung() >= ideal::perfect_l1; } /* nothing is asked below the first level */
    /* True if a pager maps pages while the program runs. */
    bool faults() const { return address_space_of_run().mode() != map_mode::all; }
    /* True if device memory is smaller than the program. */
    bool driven() const { return driver.present() && !perfect(); }
    /* Why only a run from the beginning says what this machine holds in the middle of a program; "": it
     * begins there, too. */
    std::string why_not_in_the_middle() const;
    /* The TLB that holds everything on the ladder's rung of that name; "": none. */
    std::string infinite_level() const;
    /* Several have an address space each, and compute units by dispatcher.shares. */
    void set_programs(size_t count);
    /* Of the one program. Throws std::runtime_error where address_space.buffer_pages names another. */
    void set_buffers(size_t count);
    /* Where nothing is asked below the first level no walk faults: all pages are mapped. */
    address_space_params address_space_of_run() const;
    uint64_t memory_end() const; /* bytes of dram */
    uint64_t frames_end() const; /* of the part of it that translations and their tables can lie in */
    address_widths widths() const;
    /* Tables of levels lie in the last frames of memory, whole frames of the largest page size that hold no
     * page. Bytes carved out for a table of table_bytes, and for all tables. */
    uint64_t carved_bytes(uint64_t table_bytes) const;
    uint64_t carved_bytes() const;

private:
    /* Lets the levels know their machine and a program of `pages` pages. */
    void know(uint64_t pages);
    std::string validate_known() const;
    std::string validate_driver() const;
    std::string validate_together() const;
    std::vector<level *> lasting_levels() const; /* that stay on the ladder's rung */
    uint64_t pages_of(const std::vector<space_ranges> &of_space) const;
    uint64_t path_bytes() const; /* of the host: the path's levels, with their queues */
};

/* A check of a part of a machine; returns "" or a fault. */
struct part_check {
    const char *part; /* stands before the sentence; null where the sentence names it */
    std::function<std::string()> fault;
};
/* The first fault, with its part. None behind it is asked: each may rest on what those before it checked. */
std::string first_fault(const std::vector<part_check> &checks);

template <class P> void add_structures(structure_list &list, const char *block, uint64_t count, const P &of)
{
    list.of(block, count);
    of.structures(list);
}

/* Of the ideal ladder's rungs there is no hardware: the parameters count as they are. */
structure_list structures_of(gpu_machine_params p);

/* For callers that build blocks from the parameters, or none. */
template <class BASE = machine_params> class gpu_params_as : public BASE
{
public:
    explicit gpu_params_as(const std::string &path) : params(path) {}
    gpu_machine_params params;
    const gpu_machine_params *gpu() const override { return &params; }
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
