/* SPDX-License-Identifier: MIT */
/* model/icache.cpp - parameters and statistics of an instruction cache. */
#include "model/icache.hpp"

#include "model/common/set_sizes.hpp"
#include "model/common/signals.hpp"

namespace walkway
{

void icache_params::visit(param_visitor &v)
{
    v.number("entries", entries,
             {"lines", 0, 1u << 20, "lines of 64 bytes; 0: no instruction cache, a fetch takes no time",
              assumed("off")});
    v.number("ways", ways, {"ways", 1, 64, "associativity", paper("[M21] Table 1, another machine")});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a line number picks its set", assumed()});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from a port to the answer, hit or miss",
              paper("[M21] Table 1, another machine")});
    v.number("ports", ports, {"lines per cycle", 1, 64, "fetches that may start in one cycle", assumed()});
    v.number("mshrs", mshrs, {"entries", 1, 4096, "lines that may be in flight below", assumed()});
    v.number("merges", merges, {"fetches", 1, 65536, "fetches that may wait for lines in flight", assumed()});
    v.number("queue_entries", queue_entries,
             {"fetches", 1, 65536, "input queue of each compute unit", assumed()});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the compute unit", assumed()});
    v.number("link_cycles", link_cycles, {"cycles", 0, 100000, "from here to the L2D", assumed()});
    v.number("shared_by", shared_by,
             {"compute units", 1, 8, "that share one, neighbours by number",
              paper("[M21] Table 1, another machine")});
    v.number("code_pa", code_pa,
             {"bytes", 0, uint64_t{1} << 50,
              "physical address of the kernels' code, a multiple of 64 below the page tables and the data",
              assumed()});
    if (!may_lend)
        return;
    tx.visit(v, paper("[M21] Table 1, another machine"));
    v.choice("design", design, {"one", "naive", "aware", "flush"},
             {"", 0, 0,
              "translations of a line and who gives way: one; eight, whoever is older; eight, instructions "
              "come first; and another kernel begins without instructions",
              paper("[M21] Figure 13a, another machine")});
    v.choice(
        "mismatch", mismatch, {"count", "rebase", "bypass"},
        {"", 0, 0,
         "a fill whose base is not its line's: passed on, the last of so many rebases; rebases; passed on",
         assumed("docs/icache-translations.md")});
    v.number("mismatch_limit", mismatch_limit,
             {"fills", 1, 255, "of mismatch = count: the fill that sets the line's base anew", assumed()});
    v.choice("tx_index", tx_index, {"modulo", "xor"},
             {"", 0, 0, "how a page number picks its line", assumed()});
}

/* Is it one of those that without translations have no effect? */
bool icache_params::of_translations(const std::string &parameter)
{
    for (const char *key :
         {"icache.translations", "icache.tx_", "icache.promotion", "icache.design", "icache.mismatch"})
        if (parameter.compare(0, std::string(key).size(), key) == 0)
            return true;
    return false;
}

ww_icache_tx_cfg icache_params::tx_store() const
{
    return {entries, ways, design, mismatch, static_cast<uint8_t>(mismatch_limit), tx_index, tx.page_sizes};
}

uint64_t icache_params::tx_state_bytes() const
{
    const ww_icache_tx_cfg cfg = tx_store();
    return lends() ? ww_icache_tx_bytes(&cfg) : 0;
}

data_cache_params icache_params::as_cache() const
{
    data_cache_params p;
    p.bytes = uint64_t{entries} * line_bytes;
    p.ways = ways;
    p.index = index;
    p.write = WW_WRITE_THROUGH;
    p.hit_cycles = hit_cycles;
    p.ports = ports;
    p.mshrs = mshrs;
    p.merges = merges;
    p.write_entries = 1;
    p.queue_entries = queue_entries;
    p.response_cycles = response_cycles;
    p.link_cycles = link_cycles;
    return p;
}

std::string icache_params::validate() const
{
    if (!present())
        return lends() ? "translations need an instruction cache: set entries" : "";
    const std::string sets = wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    if (code_pa % line_bytes != 0)
        return "code_pa is not a multiple of 64";
    if (!lends())
        return "";
    if (index != WW_INDEX_MODULO)
        return "with translations its lines of instructions are found by modulo only (index)";
    const ww_icache_tx_cfg store = tx_store();
    return ww_icache_tx_bytes(&store) == 0
               ? "translations need 32 to 4096 lines (entries) in 1, 2, 4 or 8 ways"
               : "";
}

void icache_params::structures(structure_list &list) const
{
    if (!present())
        return;
    if (lends()) {
        const ww_icache_tx_cfg cfg = tx_store();
        const uint64_t bits = ww_icache_tx_bits(&cfg);
        list.add("tags_and_translations", bits);
        list.add_array("translations", array_of(entries, bits, 1, 0, ports), {"_tx.port_uses"}, {}).lent =
            true;
    }
    as_cache().structures(list, {".fetches"}, {".hits"}, {".fills"});
}

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
