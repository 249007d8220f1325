/* SPDX-License-Identifier: MIT */
/* model/dram_stats.cpp - statistics, energy, laws and flows of main memory. */
#include "model/dram.hpp"

namespace walkway
{

void dram::visit(stat_visitor &v, tick until) const
{
    const ww_dram_activity a = activity(end_of(until));
    v.count("reads", stats_.reads, "count", "line reads taken");
    v.count("refused_reads", stats_.refused_reads, "count",
            "line reads that were answered with an error, not among the reads: of no memory");
    v.count("writes", stats_.writes, "count", "line writes taken");
    v.count("column_reads", a.reads, "count", "RD commands");
    v.count("column_writes", a.writes, "count", "WR commands");
    v.count("forwards", a.forwards, "count", "reads answered from a channel's write queue");
    v.count("activates", a.acts, "count", "ACT commands");
    v.count("refreshes", a.refreshes, "count", "REF commands");
    v.count("walk_reads", stats_.walk_reads, "count", "of the RD commands, those of page-table reads");
    v.count("walk_activates", stats_.walk_activates, "count",
            "of the ACT commands, those that opened a row for a page-table read");
    v.count("row_hits", a.row_hits, "count",
            "column commands that found their row open for an earlier request");
    v.count("stall_cycles", stats_.stall_cycles, "memory cycles",
            "cycles in which a request waited for room in its channel's queue");
    v.count("queue_cycles", queued_ps_ / clock().period(), "memory cycles",
            "time that requests waited in the input queues for their turn, added up; stalls included");
    v.hist("read_latency", stats_.read_latency, "memory cycles",
           "from the channel's queue to the last data beat");
    v.begin("walk_reads_of", "walk_reads by channel");
    for (size_t c = 0; c < stats_.walk_reads_of.size(); ++c)
        v.count(("channel" + std::to_string(c)).c_str(), stats_.walk_reads_of[c], "count",
                "of walk_reads, those of this channel");
    v.end();
}

void dram::visit_energy(stat_visitor &v, tick until) const
{
    const ww_dram_energy_pj e = energy(end_of(until));
    v.count("dram", e.total, "pJ", "main memory; the sum of the next six");
    v.count("dram_activate", e.act, "pJ", "row activations and precharges");
    v.count("dram_read", e.read, "pJ", "read bursts");
    v.count("dram_write", e.write, "pJ", "write bursts");
    v.count("dram_refresh", e.refresh, "pJ", "refreshes");
    v.count("dram_background_open", e.background_open, "pJ", "standby with a bank open");
    v.count("dram_background_closed", e.background_closed, "pJ", "standby with all banks closed");
    v.count(
        "walk_reads_actual", walk_fj() / 1000, "pJ",
        "walk_reads with the bursts and activations that they caused: a read whose row was open has none");
}

void dram::laws(law_list &list) const
{
    list.add("reads taken = reads served by commands + forwards", stats_.reads,
             reads_served(end_of(list.until())));
}

void dram::flows(std::vector<block_flow> &list, tick until) const
{
    list.push_back({"memory_reads", stats_.reads, reads_served(end_of(until)), reads_.live()});
}

} // namespace walkway
