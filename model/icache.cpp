/* SPDX-License-Identifier: MIT */
/* model/icache.cpp - statistics, laws and signals of an instruction cache. */
#include "model/icache.hpp"

#include "model/common/set_sizes.hpp"
#include "model/common/signals.hpp"

namespace walkway
{

void icache::visit(stat_visitor &v, tick) const
{
    const data_cache_stats s = stats();
    v.count("fetches", s.reads, "count", "lines asked for; = hits + misses + merged");
    v.count("hits", s.read_hits, "count", "fetches that found their line");
    v.count("misses", s.read_misses, "count", "fetches that went to the L2D");
    v.count("merged", s.read_merged, "count", "fetches of a line already in flight");
    v.count("fills", s.fills, "count", "lines entered");
    v.count("stall_cycles", s.stall_cycles, "cycles",
            "cycles in which a fetch waited only for an MSHR, or room to wait at one");
    v.count("stall_merges_cycles", s.stall_merges_cycles, "cycles", "of those, for room to wait at an MSHR");
    v.count("stall_below_cycles", s.stall_below_cycles, "cycles",
            "cycles in which a miss stood outside the full queue of the L2D");
    v.count("queue_cycles", s.queue_cycles, "cycles",
            "time that fetches waited in the input queues for a port, added up; stalls included");
    v.count("responses", s.responses, "count", "fetches answered; = fetches at the end of a run");
}

void icache::laws(law_list &list) const
{
    const data_cache_stats s = stats();
    list.add("fetches = hits + misses + merged", s.reads, s.read_hits + s.read_misses + s.read_merged);
    list.add("every fetch answered", s.reads, s.responses);
    list.add("nothing is written", s.writes, 0);
}

void icache::signals(signal_visitor &v) const
{
    signals_of_reads(v);
}

} // namespace walkway
