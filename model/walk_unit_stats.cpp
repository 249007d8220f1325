/* SPDX-License-Identifier: MIT */
/* model/walk_unit_stats.cpp - statistics and laws of the walk unit. */
#include "model/walk_unit.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace walkway
{

/* Names and texts must last, since statistics keep no copy. */
static const char *lasting(const std::string &text)
{
    static std::set<std::string> known;
    return known.insert(text).first->c_str();
}

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
    v.count(
        "walks_restarted", walks_restarted, "count",
        "times that a walk began again, since an invalidate covered the line that it read or was to read");
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
    each_step(*kind, [&](uint32_t step) {
        const std::string name = kind->step_name[step];
        v.count(lasting("pte_reads_" + name), steps[step], "count",
                lasting("page-table lines wanted at " + name));
    });
    v.count("pwc_lookups", pwc_lookups, "count", "page-walk cache lookups, one per walk");
    v.count("pwc_misses", pwc_hits[0], "count", "lookups that hit no level");
    each_step(*kind, [&](uint32_t step) {
        const std::string name = kind->step_name[step];
        if (walk_unit_params().walk_cache(*kind, step) != nullptr)
            v.count(lasting("pwc_hits_" + name), pwc_hits[step], "count",
                    step == kind->direct
                        ? "lookups that hit the step cache"
                        : lasting("lookups whose deepest hit was a level-" + name.substr(1) + " entry"));
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
    if (march_walks != 0) {
        v.hist("march_batch", march_batch, "walks", "walks that a batch had from its begin to its end");
        v.hist("march_reads", march_reads, "reads",
               "reads in flight of the walker that sends one, that one counted");
        v.count("march_busy_ps", march_busy_ps, "ps",
                "time that walkers had a batch, summed over walkers; walker_busy_ps sums over its walks");
    }
    v.count("reads_ahead", reads_ahead, "count", "page-table lines wanted ahead of the one before them");
    v.count("reads_ahead_used", reads_ahead_used, "count", "of those, that their walks then wanted");
    if (fault_entries == 0)
        return;
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

void walk_unit::visit(stat_visitor &v, tick until) const
{
    totals(until).visit(v);
    const ww_sched_kind &kind = scheduler_.kind();
    for (uint32_t i = 0; i < kind.stat_count; ++i)
        v.count(kind.stats[i].name, scheduler_.stat(i), "count", kind.stats[i].text);
    for (size_t vmid = 0; vmid < of_space_.size(); ++vmid) {
        v.begin("vm_" + std::to_string(vmid), "walks of one VM-ID, of a run with several programs");
        v.count("walks", of_space_[vmid].walks, "count", "walks that a walker took from the walk buffer");
        v.count("others", of_space_[vmid].others, "count",
                "walks of other VM-IDs that walkers took while these waited, added up over these");
        v.count("latency_ps", of_space_[vmid].latency_ps, "ps", "of walk_latency, this VM-ID's, added up");
        v.end();
    }
}

void walk_unit::restart_peaks()
{
    stats_.backlog_peak = scheduler_.waiting();
    stats_.fault_table_peak = faults_ == nullptr ? 0 : faults_->used();
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
    const uint64_t steps = std::accumulate(std::begin(s.steps), std::end(s.steps), uint64_t{0});
    list.add("page-table reads by level = reads + PTE-line cache hits + merged", steps,
             s.pte_reads + s.pte_cache_hits + s.pte_reads_merged);
    if (s.march_walks != 0) {
        list.add("walks started = walks of batches", s.walks_started, s.march_batch.sum());
        list.add(
            "page-table reads by level = reads that marching walkers sent, and reads ahead that no walk used",
            steps, s.march_reads.count() + s.reads_ahead - s.reads_ahead_used);
    }
    if (!of_space_.empty())
        list.add("walks of all VM-IDs = walks started - done again", s.walks_started - s.fault_walks,
                 std::accumulate(of_space_.begin(), of_space_.end(), uint64_t{0},
                                 [](uint64_t sum, const space_stats &one) { return sum + one.walks; }));
    if (scheduler_.kind().walk_stats != 0) {
        uint64_t taken = s.fault_walks;
        for (uint32_t i = 0; i < scheduler_.kind().walk_stats; ++i)
            taken += scheduler_.stat(i);
        list.add("walks started = taken by the scheduler's rules + done again", s.walks_started, taken);
    }
    list.add("invalidates begun = acknowledged", s.invalidates, s.invalidate_latency.count());
}

void walk_unit::flows(std::vector<block_flow> &list, tick) const
{
    list.push_back({"walks", stats_.requests, stats_.walk_latency.count(), jobs_.live()});
}

} // namespace walkway
