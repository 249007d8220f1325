/* SPDX-License-Identifier: MIT */
/* model/params/walk_unit.cpp - the parameters of a walk unit. */
#include "model/params/walk_unit.hpp"

#include "kernels/cam_energy.h"
#include "kernels/walk/fault_table.h"
#include "kernels/walk/pte_cache.h"
#include "model/common/set_sizes.hpp"

#include <cstring>
#include <utility>

namespace walkway
{

void walk_unit_params::visit(param_visitor &v)
{
    v.only_timed(one_access);
    v.number("walk_queue_entries", queue_entries,
             {"requests", 1, 65536, "queue of each requester of walks, before the backlog"});
    v.number("backlog_entries", backlog_entries,
             {"requests", 0, 1u << 20,
              "requests that may wait outside the walk buffer, after their queues; 0: none", neutral});
    v.number("buffer_entries", buffer_entries, {"entries", 1, 4096, "walk buffer: what coalescing can see"});
    v.number("walkers", walkers, {"walkers", 1, 4096, "independent page-table walkers"});
    v.needs("address_space.map");
    v.number("fault_entries", fault_entries,
             {"requests", 1, WW_FAULTS_MAX_ENTRIES,
              "fault table: requests that wait for a page to be mapped, with no walker"});
    v.needs("");
    v.choice("coalesce", coalesce, {"off", "leaf", "full"},
             {"", 0, 0, "neighbourhood-aware walking: off, level 1 only, every level", neutral});
    schedule.visit(v);
    v.number("march_walks", march_walks,
             {"walks", 0, WW_MARCH_MAX_WALKS,
              "marching page walks: the most that a walker takes on as a batch; 0: one walk, no batch",
              neutral});
    v.needs("march_walks");
    v.number("march_reads", march_reads,
             {"reads", 1, WW_MARCH_MAX_WALKS,
              "of a walker's batch, in flight at a time; no fewer than march_walks: all"});
    v.number("march_issue_cycles", march_issue_cycles,
             {"cycles", 0, 100000,
              "between two reads of a walker, if one is in flight; 0: any number at once", neutral});
    v.number("march_group_bits", march_group_bits,
             {"bits", WW_PAGE_4K, WW_WALK_VA_BITS_MAX,
              "walks of a batch have a VM and the address above these bits in common; 57: the VM alone"});
    v.choice("march_refill", march_refill, {"batch", "walk"},
             {"", 0, 0, "batch: a walker takes walks again when its last is over; walk: whenever one is",
              neutral});
    v.needs("");
    v.only_timed("");
    v.number("pwc_l5", pwc_l5,
             {"entries", 0, 4096, "page-walk cache of level-5 entries (five levels only)", neutral});
    v.number("pwc_l4", pwc_l4, {"entries", 0, 4096, "page-walk cache of level-4 entries (PGD)", neutral});
    v.number("pwc_l3", pwc_l3, {"entries", 0, 4096, "page-walk cache of level-3 entries (PUD)", neutral});
    v.number("pwc_l2", pwc_l2, {"entries", 0, 4096, "page-walk cache of level-2 entries (PMD)", neutral});
    v.number(
        "pwc_ways", pwc_ways,
        {"ways", 0, 4096,
         "associativity of each of these; 1: direct-mapped, 0 or no fewer than entries: fully associative",
         neutral});
    v.choice("pwc_index", pwc_index, {"modulo", "xor"},
             {"", 0, 0, "how a prefix of the virtual address picks its set of them", neutral});
    v.only_timed(one_access);
    v.flag("pwc_merge", pwc_merge,
           {"", 0, 0,
            "a read before a walk's last, of a line that another walker is reading, joins that read",
            neutral});
    v.only_timed("");
    v.flag("pwc_ideal", pwc_ideal,
           {"", 0, 0,
            "every walk starts at its last read, as if the walk caches held all there is, never seen or not",
            neutral});
    v.only_timed(one_access);
    v.number("step_cache", step_cache,
             {"entries", 0, 4096,
              "hashed page tables: direct-mapped cache of steps, each entry of 32 MiB; a power of two, or 0",
              neutral});
    v.only_timed("");
    v.number("pwc_cycles", pwc_cycles,
             {"cycles", 0, 100000, "page-walk cache lookup, before the first read", neutral});
    v.number(
        "pte_cache_bytes", pte_cache_bytes,
        {"bytes", 0, 1u << 24, "cache of page-table lines, the comparison of section VI; 0: none", neutral});
    v.number("pte_cache_ways", pte_cache_ways,
             {"ways", 0, 64, "its associativity; 0: fully associative", neutral});
    v.number("pte_cache_cycles", pte_cache_cycles,
             {"cycles", 0, 100000, "its lookup, before each read", neutral});
    v.only_timed(one_access);
    v.flag("pte_cache_merge", pte_cache_merge,
           {"", 0, 0, "a read of a line that another walker is reading joins that read", neutral});
    v.only_timed("");
    v.choice("pte_cache_holds", pte_cache_holds, {"all", "inner"},
             {"", 0, 0, "all: lines of every level; inner: not those of the last, which are read past it",
              neutral});
    v.number("read_cycles", read_cycles, {"cycles", 0, 100000, "from a walker to memory", neutral});
    v.number("reply_cycles", reply_cycles, {"cycles", 0, 100000, "from memory back to the walker", neutral});
    v.needs("translation.ideal");
    v.number("ideal_read_cycles", ideal_read_cycles,
             {"cycles", 0, 100000, "of the ideal ladder from zero_walk on: a read of a walk", neutral});
    v.needs("");
    v.number(
        "response_cycles", response_cycles,
        {"cycles", 0, 100000,
         "from the end of a walk back to the requester; 0 below TLBs of an IOMMU, which count the way back",
         neutral});
    v.only_timed(one_access);
    v.choice("line_reads", line_reads, {"together", "in_turn"},
             {"", 0, 0,
              "in_turn: a read of a line that another walker is reading leaves when that line is here",
              neutral});
    v.needs("address_space.table=nvidia_v2|nvidia_v3|hashed|hashed_stepless");
    v.flag("read_ahead", read_ahead,
           {"", 0, 0,
            "a walker that reads an entry reads at the same time the one that it would read next if this one "
            "says nothing: the small table beside a big one (nvidia), the step table after a home slot, the "
            "victim buffer's root after what has no slot (hashed)",
            neutral});
    v.needs("");
    v.only_timed("");
    v.number("match_cycles", match_cycles,
             {"cycles", 0, 100000,
              "the walkers' state machine, for each line that comes: it goes on with one walk at a time; 0: "
              "with all",
              neutral});
    v.only_timed(one_access);
    v.choice("walk_path", walk_path, {"dram", "l2d"},
             {"", 0, 0, "what walkers read through: memory at once, or the L2 data cache", neutral});
}

std::string walk_unit_params::validate() const
{
    const std::string unfit = schedule.fault(walkers, buffer_entries);
    if (!unfit.empty())
        return unfit;
    if ((step_cache & (step_cache - 1)) != 0)
        return "step_cache is not a power of two";
    const std::pair<const char *, uint32_t> caches[] = {
        {"pwc_l5", pwc_l5}, {"pwc_l4", pwc_l4}, {"pwc_l3", pwc_l3}, {"pwc_l2", pwc_l2}};
    for (const auto &[name, entries] : caches) {
        if (pwc_ways == 0 || entries <= pwc_ways)
            continue;
        if (pwc_ways > WW_ASSOC_SCAN_WAYS)
            return "pwc_ways = " + std::to_string(pwc_ways) + ": a set of " + name + " has no more than " +
                   std::to_string(WW_ASSOC_SCAN_WAYS) + " ways (0: fully associative)";
        const std::string wrong =
            wrong_sets((std::string(name) + " / pwc_ways").c_str(), name, entries, pwc_ways);
        if (!wrong.empty())
            return wrong;
    }
    if (pte_cache_bytes % 64 != 0)
        return "pte_cache_bytes is not a multiple of 64";
    if (pte_cache_merge && pte_cache_bytes == 0)
        return "pte_cache_merge = true without a PTE-line cache (pte_cache_bytes = 0)";
    if (pte_cache_merge && pwc_merge)
        return "pwc_merge has no effect with pte_cache_merge = true: reads before a walk's last join already";
    if (pte_cache_merge && line_reads != 0 && pte_cache_holds == 0)
        return "line_reads = in_turn has no effect with pte_cache_merge = true and "
               "pte_cache_holds = all: every read of a line that is being read joins that read";
    if (pte_cache_bytes != 0) {
        const ww_pte_cache_cfg cfg = {pte_cache_bytes, pte_cache_ways};
        if (ww_pte_cache_bytes(&cfg) == 0)
            return "pte_cache_ways does not divide pte_cache_bytes / 64 (fully associative: up to 4096 "
                   "lines)";
    }
    if (places() > WW_MARCH_MAX_PLACES)
        return "march_walks = " + std::to_string(march_walks) +
               ": with walkers = " + std::to_string(walkers) + " no more than " +
               std::to_string(WW_MARCH_MAX_PLACES / walkers) + ", as a walk unit has no more than " +
               std::to_string(WW_MARCH_MAX_PLACES) + " walks under way";
    return "";
}

ww_march_cfg walk_unit_params::march() const
{
    return {walkers, march_walks, march_reads, static_cast<uint8_t>(march_group_bits), march_refill != 0};
}

const uint32_t *walk_unit_params::walk_cache(const ww_table_kind &kind, uint32_t step) const
{
    const std::pair<const char *, const uint32_t *> by_name[] = {
        {"l5", &pwc_l5}, {"l4", &pwc_l4}, {"l3", &pwc_l3}, {"l2", &pwc_l2}};
    for (const auto &[name, entries] : by_name)
        if (std::strcmp(kind.step_name[step], name) == 0)
            return entries;
    return step == kind.direct ? &step_cache : nullptr;
}

uint64_t walk_unit_params::state_bytes() const
{
    const ww_wbuf_cfg buffer = {buffer_entries, &ww_radix4}; /* the same bytes for every kind of table */
    const ww_pwst_cfg pwst = {places(), coalesce, &ww_radix4};
    const ww_sched_cfg scheduled = schedule.cfg(walkers, buffer_entries);
    const ww_march_cfg batches = march();
    return ww_wbuf_bytes(&buffer) + ww_pwst_bytes(&pwst) + ww_faults_bytes(fault_entries) +
           schedule.kind().bytes(&scheduled) + (march_walks == 0 ? 0 : ww_march_bytes(&batches));
}

void walk_unit_params::structures(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_wbuf_cfg buffer = {buffer_entries, w.kind};
    const uint64_t waiting = ww_wbuf_bits(&buffer);
    list.add_array("walk_buffer", waiting, array_of(buffer_entries, waiting, 1, 0, 1),
                   {".walks_started", ".walks_coalesced"}, {".walk_requests"});
    /* A walker holds its request, and how far it is. */
    const uint64_t held = walkers * (ww_table_vpn_bits(w.kind) + w.vmid + ww_table_walk_bits(w.kind));
    list.add_array("walkers", held, array_of(walkers, held, 1, 0, 1), {".walks_finished", ".pte_reads"},
                   {".walks_started", ".pte_reads"});
    if (coalesce != WW_COALESCE_OFF)
        add_coalescing(list);
    const ww_sched_cfg scheduled = schedule.cfg(walkers, buffer_entries);
    if (schedule.kind().bits != nullptr)
        list.add("scheduler", schedule.kind().bits(&scheduled));
    if (march_walks != 0) {
        const ww_march_cfg batches = march();
        const uint64_t bits = ww_march_bits(&batches, w.kind);
        list.add_array("march", bits, array_of(places(), bits, 1, 0, 1), {".walks_finished", ".pte_reads"},
                       {".walks_started", ".pte_reads"});
    }
    if (fault_entries != 0) {
        const uint64_t bits = ww_faults_bits(fault_entries, ww_table_vpn_bits(w.kind), w.vmid);
        list.add_array("fault_table", bits,
                       array_of(fault_entries, bits, fault_entries, ww_table_vpn_bits(w.kind) + w.vmid, 1),
                       {".faults_parked", ".faults_resumed"}, {".faults_parked"});
    }
    add_caches(list);
}

/* [M18] synthesised this array and states its cost. */
void walk_unit_params::add_coalescing(structure_list &list) const
{
    const uint32_t entries = buffer_entries + places();
    const uint64_t bits = ww_pwst_extra_bits(list.widths.kind, buffer_entries, places());
    list.add("coalescing", bits);
    list.add_array("coalescing", array_of(entries, bits, entries, bits, 1), {".cam_reads"}, {".cam_writes"})
        .stated = ww_array_cost{1000 * WW_CAM_READ_PJ, 1000 * WW_CAM_WRITE_PJ, WW_CAM_AREA_UM2};
}

/* Page-walk caches: a lookup searches all levels at once; each entry read is filled into its level's
 * cache. */
void walk_unit_params::add_caches(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_pwc_cfg pwc = walk_caches(w.kind);
    for (uint32_t step = 1; step <= w.kind->steps; ++step) {
        const uint64_t bits = ww_pwc_bits(&pwc, step, &w);
        if (bits == 0)
            continue;
        const uint32_t entries = pwc.entries[step], ways = ww_pwc_ways(&pwc, step);
        list.add_array(std::string("pwc_") + w.kind->step_name[step], bits,
                       array_of(entries, bits, ways, ww_pwc_tag_bits(&pwc, step, &w), 1), {".pwc_lookups"},
                       {std::string(".pte_reads_") + w.kind->step_name[step]});
    }
    if (pte_cache_bytes == 0)
        return;
    const ww_pte_cache_cfg cfg = {pte_cache_bytes, pte_cache_ways};
    const uint32_t lines = pte_cache_bytes / WW_PTE_LINE_BYTES, line_bits = 8 * WW_PTE_LINE_BYTES;
    const uint32_t ways = pte_cache_ways == 0 ? lines : pte_cache_ways;
    const uint64_t bits = ww_pte_cache_bits(&cfg, &w);
    ww_array_cfg shape = array_of(lines, bits, ways, bits / lines - line_bits, 1);
    if (ways != lines) /* reads the tags of all ways, and the line of one */
        shape.read_bits = shape.entry_bits - line_bits + line_bits / ways;
    list.add_array("pte_cache", bits, shape, {".pte_cache_hits", ".pte_reads", ".pte_reads_merged"},
                   {".pte_reads"});
}

ww_pwc_cfg walk_unit_params::walk_caches(const ww_table_kind *kind) const
{
    ww_pwc_cfg cfg = {};
    cfg.kind = kind;
    if (pwc_ideal) /* an ideal walk cache is never looked up */
        return cfg;
    cfg.ways = pwc_ways;
    cfg.index = pwc_index;
    for (uint32_t step = 1; step <= kind->steps; ++step)
        if (walk_cache(*kind, step) != nullptr)
            cfg.entries[step] = *walk_cache(*kind, step);
    return cfg;
}

struct walk_caches walk_unit_params::caches(const ww_table_kind *kind) const
{
    return {walk_caches(kind), {pte_cache_bytes, pte_cache_ways}, pte_cache_holds != 0, zero_walk, pwc_ideal};
}

walk_times walk_unit_params::times(const clock_domain &clock) const
{
    return {clock.cycles(pwc_cycles),
            clock.cycles(pte_cache_cycles),
            clock.cycles(read_cycles),
            clock.cycles(reply_cycles),
            clock.cycles(response_cycles),
            clock.cycles(ideal_read_cycles),
            clock.cycles(zero_walk ? 0 : match_cycles)};
}

} // namespace walkway
