/* SPDX-License-Identifier: MIT */
/* tb/cli/fake_platform.cpp - a machine without SystemC that answers by formula, to test the program above it.
 * Its statistics have the real platform's names; settings inject faults. */
#include "platforms/platform.hpp"
#include "trace/wkt.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace walkway
{

namespace
{

struct walks_section {
    uint32_t walkers = 8;
    uint32_t buffer_entries = 256;
    uint64_t pte_cache_bytes = 0;
    uint8_t coalesce = 0;
    unit_groups shared_by;
    void visit(param_visitor &v)
    {
        v.number("walkers", walkers, {"walkers", 1, 4096, "independent page-table walkers", neutral});
        v.number("buffer_entries", buffer_entries, {"entries", 1, 4096, "walk buffer", neutral});
        v.number("pte_cache_bytes", pte_cache_bytes, {"bytes", 0, 1 << 18, "cache of lines", neutral});
        v.groups("shared_by", shared_by, {"units", 1, 250, "units that share it", neutral});
        v.choice("coalesce", coalesce, {"off", "leaf", "full"}, {nullptr, 0, 0, "neighbours", neutral});
    }
};

struct translation_section {
    uint8_t ideal = 0;
    void visit(param_visitor &v)
    {
        v.choice("ideal", ideal, {"off", "perfect_l1"}, {"", 0, 0, "what is assumed away", neutral});
    }
};

struct pages_section {
    uint64_t seed = 1;
    uint8_t size = 0, entries = 0;
    pages_of_buffers of_buffers;
    void visit(param_visitor &v)
    {
        v.number("seed", seed, {"1", 0, UINT64_MAX, "of the layout", neutral});
        v.choice("size", size, {"4k", "64k", "2m"}, {"", 0, 0, "of a page", neutral});
        v.choice("entries", entries, {"512", "1024"}, {"", 0, 0, "of a table", neutral});
        v.pages("of_buffers", of_buffers, {"", 0, 0, "of some buffers", neutral});
    }
};

struct fault_section {
    bool break_law = false;
    bool deadlock = false;
    bool refuse_trace = false;
    bool crash = false, deaf = false;
    uint64_t slow_ms = 0, crash_at_seed = 0;
    void visit(param_visitor &v)
    {
        v.flag("break_law", break_law, {"", 0, 0, "a law does not hold", neutral});
        v.flag("deadlock", deadlock, {"", 0, 0, "the machine is stuck", neutral});
        v.flag("refuse_trace", refuse_trace, {"", 0, 0, "the trace does not fit", neutral});
        v.flag("crash", crash, {"", 0, 0, "the process dies", neutral});
        v.number("crash_at_seed", crash_at_seed,
                 {"1", 0, UINT64_MAX, "as crash where pages.seed is this", neutral});
        v.flag("deaf", deaf, {"", 0, 0, "the run does not stop when asked to", neutral});
        v.number("slow_ms", slow_ms, {"ms", 0, 100000, "host time of a run", neutral});
    }
};

struct numbers {
    uint64_t loads = 0, cycles = 0, wait = 0;
};

struct fake_parameters {
    walks_section walk_unit;
    translation_section translation;
    pages_section pages;
    fault_section fault;
};

struct walks_statistics {
    const numbers &n;
    void visit(stat_visitor &v) const
    {
        histogram latency;
        latency.add(n.wait + 100, n.loads);
        v.count("walks_started", n.loads, "count", "walks begun");
        v.count("walks_finished", n.loads, "count", "walks ended");
        v.count("walks_coalesced", 0, "count", "walks spared");
        v.count("pte_reads", n.wait, "count", "lines read");
        v.count("pwc_lookups", n.loads, "count", "look-ups of the walk caches");
        v.count("pwc_hits_l2", n.loads / 2, "count", "hits of level-2 entries");
        v.count("leaf_accesses", 10, "count", "leaf lines wanted");
        v.count("leaf_neighbour_accesses", 4, "count", "with a neighbour");
        v.count("upper_accesses", 10, "count", "upper lines wanted");
        v.count("upper_neighbour_accesses", 5, "count", "with a neighbour");
        v.hist("walk_latency", latency, "cycles", "of a walk");
    }
};

struct coalescer_statistics {
    const numbers &n;
    void visit(stat_visitor &v) const
    {
        v.count("instructions", n.loads, "count", "memory instructions");
        v.count("translations", n.loads, "count", "translations");
        v.count("answered", n.loads, "count", "translations answered");
    }
};

struct account_statistics {
    const numbers &n;
    void visit(stat_visitor &v) const
    {
        v.count("translation_cycles", n.loads * (n.wait + 100), "cycles", "their latency");
        v.count("lookup", n.loads * 60, "cycles", "TLB lookups");
        v.count("buffer_wait", n.loads * n.wait, "cycles", "waiting for a walker");
        v.count("walk_level_1", n.loads * 40, "cycles", "reading the leaf");
    }
};

struct gpu_statistics {
    const numbers &n;
    void visit(stat_visitor &v) const
    {
        v.count("cycles", n.cycles, "cycles", "of the GPU");
        v.count("instructions", n.loads * 3, "count", "issued");
        v.begin("wave_stall", "waiting");
        v.count("wave_cycles", n.wait * 7 + 100, "cycles", "the sum");
        v.count("translation", n.wait * 7, "cycles", "for a translation");
        v.count("data", 100, "cycles", "for data");
        v.end();
    }
};

struct energy_statistics {
    const numbers &n;
    void visit(stat_visitor &v) const
    {
        v.count("walk_reads", n.wait * 1000, "pJ", "reads of walkers");
        v.count("walk_reads_actual", n.wait * 900, "pJ", "reads of walkers");
        v.count("cam", 10, "pJ", "coalescing CAM");
    }
};

class fake_machine final : public platform
{
public:
    fake_machine(const fake_parameters &p, wkt_reader *trace) : p_(p), info_(*wkt_reader_info(trace)) {}

    run_end run(const progress_fn &progress) override
    {
        if (const char *begun = std::getenv("WALKWAY_FAKE_BEGUN")) /* a line per run that begins */
            std::ofstream(begun, std::ios::app) << "begun\n";
        for (uint64_t ms = 0; ms < p_.fault.slow_ms; ms += 10) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (progress && !progress({ms, p_.fault.slow_ms, ms * 1000, ms}) && !p_.fault.deaf)
                return run_end::stopped;
        }
        if (p_.fault.crash || (p_.fault.crash_at_seed != 0 && p_.fault.crash_at_seed == p_.pages.seed))
            std::abort();
        n_.loads = info_.totals.records[WKT_LOAD];
        n_.wait = p_.translation.ideal != 0
                      ? 0
                      : 4000 / p_.walk_unit.walkers / (1U + p_.walk_unit.coalesce) + p_.pages.seed;
        n_.cycles = 10000 + n_.loads * n_.wait;
        return p_.fault.deadlock ? run_end::deadlock : run_end::complete;
    }
    void visit(stat_visitor &v) const override
    {
        v.group("gpu", "compute units", gpu_statistics{n_});
        v.group("coalescer", "coalescers", coalescer_statistics{n_});
        v.group("walk_unit", "the walk unit", walks_statistics{n_});
        v.group("account", "where the time went", account_statistics{n_});
        v.group("energy", "energy", energy_statistics{n_});
    }
    std::vector<law> laws() const override
    {
        return {{"walk_unit: started = finished", n_.loads, n_.loads + (p_.fault.break_law ? 1 : 0),
                 "request 7 is lost"}};
    }
    uint64_t now_ps() const override { return n_.cycles * 500; }
    uint64_t cycles() const override { return n_.cycles; }
    uint64_t translations() const override { return n_.loads; }
    std::string stuck() const override { return "walk_unit waits for a walker"; }

private:
    fake_parameters p_;
    wkt_info info_;
    numbers n_;
};

class fake_config final : public platform_config
{
public:
    void visit(param_visitor &v) override
    {
        v.section("walk_unit", "the walk unit", p_.walk_unit);
        v.section("translation", "the ideal ladder", p_.translation);
        v.section("pages", "physical pages", p_.pages);
        v.section("fault", "what goes wrong", p_.fault);
    }
    std::string validate() const override
    {
        return p_.walk_unit.buffer_entries < p_.walk_unit.walkers
                   ? "walk_unit.buffer_entries is less than walk_unit.walkers"
                   : "";
    }
    std::unique_ptr<platform> build(const program_list &all) const override
    {
        if (p_.fault.refuse_trace)
            throw std::runtime_error("a work-group is larger than a compute unit");
        return std::make_unique<fake_machine>(p_, all[0]);
    }

private:
    fake_parameters p_;
};

} // namespace

std::unique_ptr<platform_config> make_platform_config(const std::string &)
{
    return std::make_unique<fake_config>();
}

path_fault fault_of_path(const std::string &path)
{
    if (path == "fake")
        return {};
    return {"'" + path + "' is of no kind that there is", path, {"fake"}};
}

} // namespace walkway
