/* SPDX-License-Identifier: MIT */
/* platforms/gpu_params.hpp - the parameters of a machine: compute units with coalescer and L1D, the path of
 * levels that translate, the shared L2D, main memory, the program's pages, the ideal ladder; and derived
 * values. */
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
    uint8_t infinite = 0; /* index among the path's levels that can hold everything */
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

    /* Required: a path without fault. */
    explicit gpu_machine_params(const std::string &path);
    void visit(param_visitor &v);
    std::string validate() const;
    /* Returns the parameter whose value leaves this one without effect; "" if none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    /* Returns an estimate of the host's bytes for a trace with these buffers. */
    uint64_t memory_bytes(const std::vector<space_ranges> &of_space) const;
    /* Returns levels for translation without time, set up for these pages and widths and for each other. */
    level_path path_now(uint32_t page_sizes, const address_widths &of) const;
    /* Returns the same parameters with the pages and the neighbours' values passed to the blocks and the
     * ideal ladder's rung applied. */
    gpu_machine_params resolved(uint64_t pages) const;

    ideal rung() const { return static_cast<ideal>(translation.ideal); }
    bool perfect() const { return rung() >= ideal::perfect_l1; } /* no requests go below the first level */
    /* True if a pager maps pages while the program runs. */
    bool faults() const { return address_space_of_run().mode() != map_mode::all; }
    /* True if device memory is smaller than the program. */
    bool driven() const { return driver.present() && !perfect(); }
    /* Returns why this machine's state in the middle of a program follows only from a run from the beginning;
     * "" if it can begin there. */
    std::string why_not_in_the_middle() const;
    /* Returns the TLB that holds everything on the ladder's rung of that name; "" if there is none. */
    std::string infinite_level() const;
    /* Sets the number of programs. Several have an address space each, and compute units by
     * dispatcher.shares. */
    void set_programs(size_t count);
    /* Sets the number of buffers of the only program. Throws std::runtime_error if address_space.buffer_pages
     * names another one. */
    void set_buffers(size_t count);
    /* Returns the address space's parameters; all pages are mapped if no requests go below the first level,
     * as no walk faults then. */
    address_space_params address_space_of_run() const;
    uint64_t memory_end() const; /* bytes of dram */
    uint64_t frames_end() const; /* end of the part in which translations and their tables can lie */
    address_widths widths() const;
    /* Return the bytes carved out for a table of table_bytes, and for all tables. Tables of levels lie in the
     * last frames of memory, in whole frames of the largest page size that hold no page. */
    uint64_t carved_bytes(uint64_t table_bytes) const;
    uint64_t carved_bytes() const;

private:
    /* Passes the machine's facts, and those of a program of `pages` pages, to the levels. */
    void know(uint64_t pages);
    std::string validate_known() const;
    std::string validate_driver() const;
    std::string validate_together() const;
    std::vector<level *> lasting_levels() const; /* that remain on the ladder's rung */
    uint64_t pages_of(const std::vector<space_ranges> &of_space) const;
    uint64_t path_bytes() const; /* bytes of the host: the path's levels, with their queues */
};

/* A check of a part of a machine; returns "" or a fault. */
struct part_check {
    const char *part; /* precedes the sentence; null if the sentence names it */
    std::function<std::string()> fault;
};
/* Returns the first fault, with its part. Later checks are not called: each may depend on the ones before. */
std::string first_fault(const std::vector<part_check> &checks);

template <class P> void add_structures(structure_list &list, const char *block, uint64_t count, const P &of)
{
    list.of(block, count);
    of.structures(list);
}

/* Returns the structures without the ideal ladder's rung, which has no hardware. */
structure_list structures_of(gpu_machine_params p);

/* For callers that build blocks from the parameters, or only read them. */
template <class BASE = machine_params> class gpu_params_as : public BASE
{
public:
    explicit gpu_params_as(const std::string &path) : params(path) {}
    gpu_machine_params params;
    const gpu_machine_params *gpu() const override { return &params; }
    void visit(param_visitor &v) override { params.visit(v); }
    /* Checks the parameters as set, and as resolved for the blocks. */
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
