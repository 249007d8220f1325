/* SPDX-License-Identifier: MIT */
/* model/walk_unit_params.cpp - parameters and statistics of the walk unit. */
#include "model/walk_unit.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace walkway
{

void walk_unit_params::visit(param_visitor &v)
{
    v.number("walk_queue_entries", queue_entries,
             {"requests", 1, 65536, "queue of each requester of walks, before the backlog",
              assumed("the backlog stands behind it")});
    v.number("backlog_entries", backlog_entries,
             {"requests", 0, 1u << 20,
              "requests that may wait outside the walk buffer, after their queues; 0: none",
              chosen("room for all of the TLBs' MSHRs, which were raised after seeing BICG")});
    v.number("buffer_entries", buffer_entries,
             {"entries", 1, 4096, "walk buffer: what coalescing can see", paper("[M18] Table I")});
    v.number("walkers", walkers,
             {"walkers", 1, 4096, "independent page-table walkers", paper("[M18] Table I")});
    v.number("fault_entries", fault_entries,
             {"requests", 1, WW_FAULTS_MAX_ENTRIES,
              "fault table: requests that wait for a page to be mapped, with no walker",
              assumed("as many as the walk buffer of [M18] has")});
    v.choice("coalesce", coalesce, {"off", "leaf", "full"},
             {"", 0, 0, "neighbourhood-aware walking: off, level 1 only, every level",
              paper("[M18] section V: the baseline has none")});
    v.choice("schedule", schedule, {"fcfs", "sjf", "batch", "rr_cu"},
             {"", 0, 0, "which buffered request an idle walker takes", paper("[M18] Table I")});
    v.number("pwc_l5", pwc_l5,
             {"entries", 0, 4096, "page-walk cache of level-5 entries (five levels only)", assumed()});
    v.number("pwc_l4", pwc_l4,
             {"entries", 0, 4096, "page-walk cache of level-4 entries (PGD)",
              paper("[M21] Table 1, another machine")});
    v.number("pwc_l3", pwc_l3,
             {"entries", 0, 4096, "page-walk cache of level-3 entries (PUD)",
              paper("[M21] Table 1, another machine")});
    v.number("pwc_l2", pwc_l2,
             {"entries", 0, 4096, "page-walk cache of level-2 entries (PMD)",
              paper("[M21] Table 1, another machine")});
    v.number("step_cache", step_cache,
             {"entries", 0, 4096,
              "hashed page tables: direct-mapped cache of steps, each entry of 32 MiB; a power of two, or 0",
              paper("[P24] Table 1, another machine")});
    v.number("pwc_cycles", pwc_cycles,
             {"cycles", 0, 100000, "page-walk cache lookup, before the first read", assumed()});
    v.number("pte_cache_bytes", pte_cache_bytes,
             {"bytes", 0, 1u << 24, "cache of page-table lines, the comparison of section VI; 0: none",
              paper("[M18] Figure 14: the baseline has none")});
    v.number("pte_cache_ways", pte_cache_ways,
             {"ways", 0, 64, "its associativity; 0: fully associative", assumed()});
    v.number("pte_cache_cycles", pte_cache_cycles,
             {"cycles", 0, 100000, "its lookup, before each read", assumed()});
    v.flag("pte_cache_merge", pte_cache_merge,
           {"", 0, 0, "a read of a line that another walker is reading joins that read",
            assumed("off: the paper says nothing of reads in flight")});
    v.choice("pte_cache_holds", pte_cache_holds, {"all", "inner"},
             {"", 0, 0, "all: lines of every level; inner: not those of the last, which are read past it",
              assumed("a walker visits it for each read")});
    v.number("read_cycles", read_cycles,
             {"cycles", 0, 100000, "from a walker to memory",
              chosen("decides the ideal speed-up; docs/reproduction.md")});
    v.number("reply_cycles", reply_cycles,
             {"cycles", 0, 100000, "from memory back to the walker",
              chosen("decides the ideal speed-up; docs/reproduction.md")});
    v.number(
        "response_cycles", response_cycles,
        {"cycles", 0, 100000,
         "from the end of a walk back to the requester; 0 below TLBs of an IOMMU, which count the way back",
         assumed()});
}

std::string walk_unit_params::validate() const
{
    if ((step_cache & (step_cache - 1)) != 0)
        return "step_cache is not a power of two";
    if (pte_cache_bytes % 64 != 0)
        return "pte_cache_bytes is not a multiple of 64";
    if (pte_cache_merge && pte_cache_bytes == 0)
        return "pte_cache_merge = true without a PTE-line cache (pte_cache_bytes = 0)";
    if (pte_cache_bytes != 0) {
        const ww_pte_cache_cfg cfg = {pte_cache_bytes, pte_cache_ways};
        if (ww_pte_cache_bytes(&cfg) == 0)
            return "pte_cache_ways does not divide pte_cache_bytes / 64 (fully associative: up to 4096 "
                   "lines)";
    }
    return "";
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

namespace
{

struct step_names {
    std::array<std::string, WW_STEPS_MAX + 1> read, read_text, hit, hit_text;
};

/* Of the lines wanted at each step, and of hits in its walk cache; they stay, since statistics keep no copy.
 */
const step_names &names_of(const ww_table_kind &kind)
{
    static std::map<const ww_table_kind *, step_names> known;
    step_names &names = known[&kind];
    for (uint32_t step = 1; names.read[kind.steps].empty() && step <= kind.steps; ++step) {
        const std::string name = kind.step_name[step];
        names.read[step] = "pte_reads_" + name;
        names.read_text[step] = "page-table lines wanted at " + name;
        names.hit[step] = "pwc_hits_" + name;
        names.hit_text[step] = step == kind.direct
                                   ? "lookups that hit the step cache"
                                   : "lookups whose deepest hit was a level-" + name.substr(1) + " entry";
    }
    return names;
}

/* From the first step of a walk to the last. */
template <class F> void each_step(const ww_table_kind &kind, F f)
{
    for (uint32_t left = UINT8_MAX; left != 0; --left)
        for (uint32_t step = 1; step <= kind.steps; ++step)
            if (kind.left[step] == left)
                f(step);
}

} // namespace

void walk_unit_stats::visit(stat_visitor &v) const
{
    v.count("walk_requests", requests, "count", "requests that the walk unit took from its queues");
    v.count("walks_started", walks_started, "count", "walks that a walker began");
    v.count("walks_finished", walks_finished, "count", "walks that a walker brought to a translation");
    v.count(
        "walks_faulted", walks_faulted, "count",
        "walks that met an entry that is absent or malformed, or whose address the table does not translate");
    v.count("walks_refused", walks_refused, "count",
            "walks that ended because memory answered one of their reads with an error: faults too");
    v.count("walks_restarted", walks_restarted, "count",
            "times that a walk began again, since an invalidate covered the line that it read");
    v.count("invalidates", invalidates, "count", "invalidates that began here");
    v.count("walks_coalesced", walks_coalesced, "count",
            "requests served by another walk's line, without a walker");
    v.count("coalesced_faults", coalesced_faults, "count", "the same, where the entry was not present");
    v.count("partial_coalesced", partial_coalesced, "count",
            "times that a waiting request got PL and PA from a line");
    v.count("partial_starts", partial_starts, "count",
            "walks that began at PL/PA, deeper than the page-walk cache");
    v.count("pte_reads", pte_reads, "count", "page-table lines read from memory");
    v.count("pte_cache_hits", pte_cache_hits, "count", "page-table lines found in the PTE-line cache");
    v.count("pte_reads_merged", pte_reads_merged, "count",
            "page-table lines that another walker was reading already, and that came with its read");
    const step_names &names = names_of(*kind);
    each_step(*kind, [&](uint32_t step) {
        v.count(names.read[step].c_str(), steps[step], "count", names.read_text[step].c_str());
    });
    v.count("pwc_lookups", pwc_lookups, "count", "page-walk cache lookups, one per walk");
    v.count("pwc_misses", pwc_hits[0], "count", "lookups that hit no level");
    each_step(*kind, [&](uint32_t step) {
        if (walk_unit_params().walk_cache(*kind, step) != nullptr)
            v.count(names.hit[step].c_str(), pwc_hits[step], "count", names.hit_text[step].c_str());
    });
    v.count("leaf_accesses", leaf_accesses, "count", "level-1 lines wanted");
    v.count("leaf_neighbour_accesses", leaf_neighbour_accesses, "count",
            "level-1 lines wanted that a concurrent access to the neighbourhood could have spared [M18 "
            "Figure 5]");
    v.count("upper_accesses", upper_accesses, "count", "lines of levels 2 and above wanted");
    v.count("upper_neighbour_accesses", upper_neighbour_accesses, "count",
            "the same above the leaf, where the other wanted another entry of the line [M18 Figure 6]");
    v.level("backlog_peak", backlog_peak, "count",
            "most requests that waited outside the walk buffer at once");
    v.count("stall_memory_cycles", stall_memory_cycles, "cycles",
            "cycles in which a page-table read stood outside the full queue of the memory it goes to");
    v.count("walker_busy_ps", walker_busy_ps, "ps", "time that walkers were walking, summed over walkers");
    v.count("cam_reads", cam.reads, "count", "searches of the coalescing CAM");
    v.count("cam_writes", cam.writes, "count", "writes of the coalescing CAM");
    v.hist("walk_latency", walk_latency, "cycles",
           "from the stage above to the translation; its sum is that of the next three, and of "
           "fault_latency");
    v.hist("backlog_latency", backlog_latency, "cycles",
           "of it, outside the full walk buffer: every translation that walk_latency counts");
    v.hist("buffer_latency", buffer_latency, "cycles",
           "of it, in the walk buffer, the time with CL set included: from there until a walker took the "
           "request, or a neighbour's line completed it");
    v.hist("service_latency", service_latency, "cycles",
           "of it, with a walker, from its start to its end: only the translations that had one");
    v.hist("invalidate_latency", invalidate_latency, "cycles",
           "of an invalidate, from its beginning here until the last copy is back: its acknowledgement");
    v.hist("buffer_occupancy", buffer_occupancy, "entries", "entries in the walk buffer, weighted by cycles");
    v.hist("walks_per_read", walks_per_read, "requests",
           "requests whose translation one page-table line brought, the walk's own counted (coalescing on)");
    v.hist("walks_in_flight", walks_in_flight, "walks",
           "requests that the unit has as it takes another from a queue, that one counted: waiting, walking "
           "or parked [H14 Figure 7]");
    v.hist("walk_gap", walk_gap, "cycles",
           "from a request that the unit took to the next one [H14 section 4.2]");
    if (fault_entries != 0)
        visit_faults(v);
}

void walk_unit_stats::visit_faults(stat_visitor &v) const
{
    v.count("faults_parked", faults_parked, "count", "times that a request was put into the fault table");
    v.count("faults_joined", faults_joined, "count", "of those, for a page that another one had led there");
    v.count("faults_sent", faults_sent, "count", "pages handed on to be mapped");
    v.count("faults_refused", faults_refused, "count",
            "parked requests that were answered with the fault, since there is no such page");
    v.count("faults_resumed", faults_resumed, "count", "times that a request left the fault table");
    v.count("faults_left", faults_left, "count",
            "times that a neighbour's line had an absent entry for a buffered request that stayed, since the "
            "fault table was full");
    v.count("pte_cache_dropped", pte_cache_dropped, "count",
            "lines that left the PTE-line cache since an entry of theirs was written");
    v.count("fault_walks", fault_walks, "count", "walks done again after their page had been handled");
    v.count("fault_kept_ps", fault_kept_ps, "ps",
            "time that walkers kept walks that had no room in the fault table, summed over walkers");
    v.count("stall_faults_cycles", stall_faults_cycles, "cycles",
            "cycles in which a fault stood outside the full queue of the pager");
    v.level("fault_table_peak", fault_table_peak, "count", "most entries of the fault table in use at once");
    v.hist(
        "fault_latency", fault_latency, "cycles",
        "of walk_latency, of requests that met an absent entry: kept by their walker or in the fault table");
}

void walk_unit::restart_peaks()
{
    stats_.backlog_peak = backlog_.size();
    stats_.fault_table_peak = faults_ == nullptr ? 0 : ww_faults_used(faults_->table.as<ww_faults>());
}

void walk_unit::visit_energy(stat_visitor &v, tick) const
{
    v.count("cam", ww_cam_energy_pj(&stats_.cam), "pJ", "searches and writes of the coalescing CAM");
}

void walk_unit::laws(law_list &list) const
{
    const walk_unit_stats &s = stats_;
    list.add("every request answered", s.requests, s.walk_latency.count());
    list.add("requests = walks started + coalesced, less walks done again", s.requests + s.fault_walks,
             s.walks_started + s.walks_coalesced + s.coalesced_faults);
    list.add("walks started = finished + faulted + refused", s.walks_started,
             s.walks_finished + s.walks_faulted + s.walks_refused);
    list.add("sum of walk latencies = backlog + buffer + walker + fault (cycles)", s.walk_latency.sum(),
             s.backlog_latency.sum() + s.buffer_latency.sum() + s.service_latency.sum() +
                 s.fault_latency.sum());
    list.add("requests parked for a fault = resumed", s.faults_parked, s.faults_resumed);
    list.add("the fault table has no more entries in use than there are", s.fault_entries,
             std::max<uint64_t>(s.fault_entries, s.fault_table_peak));
    uint64_t steps = 0;
    for (const uint64_t n : s.steps)
        steps += n;
    list.add("page-table reads by level = reads + PTE-line cache hits + merged", steps,
             s.pte_reads + s.pte_cache_hits + s.pte_reads_merged);
    list.add("invalidates begun = acknowledged", s.invalidates, s.invalidate_latency.count());
}

void walk_unit::flows(std::vector<block_flow> &list, tick) const
{
    list.push_back({"walks", stats_.requests, stats_.walk_latency.count(), jobs_.live()});
}

} // namespace walkway
