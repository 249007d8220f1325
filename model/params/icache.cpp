/* SPDX-License-Identifier: MIT */
/* model/params/icache.cpp - the parameters of an instruction cache, and of translations in it. */
#include "model/params/icache.hpp"

#include "model/common/set_sizes.hpp"

namespace walkway
{

void icache_params::visit(param_visitor &v)
{
    v.number(
        "entries", entries,
        {"lines", 0, 1u << 20, "lines of 64 bytes; 0: no instruction cache, a fetch takes no time", neutral});
    v.needs("entries");
    v.number("ways", ways, {"ways", 1, 64, "associativity"});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a line number picks its set", neutral});
    v.number("hit_cycles", hit_cycles, {"cycles", 1, 100000, "from a port to the answer, hit or miss"});
    v.number("ports", ports, {"lines per cycle", 1, 64, "fetches that may start in one cycle"});
    v.number("mshrs", mshrs, {"entries", 1, 4096, "lines that may be in flight below"});
    v.number("merges", merges, {"fetches", 1, 65536, "fetches that may wait for lines in flight"});
    v.number("queue_entries", queue_entries, {"fetches", 1, 65536, "input queue of each compute unit"});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the compute unit", neutral});
    v.number("link_cycles", link_cycles, {"cycles", 0, 100000, "from here to the L2D", neutral});
    v.number("shared_by", shared_by, {"compute units", 1, 8, "that share one, neighbours by number"});
    v.number("code_pa", code_pa,
             {"bytes", 0, uint64_t{1} << 50,
              "physical address of the kernels' code, a multiple of 64 below the page tables and the data"});
}

data_cache_params icache_params::as_cache() const
{
    data_cache_params p;
    p.bytes = uint64_t{entries} * WW_LINE_BYTES;
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
        return "";
    const std::string sets = wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    if (code_pa % WW_LINE_BYTES != 0)
        return "code_pa is not a multiple of 64";
    return "";
}

void icache_params::structures(structure_list &list) const
{
    if (!present())
        return;
    as_cache().structures(list, {{".fetches"}, {".hits"}, {".fills"}, {".misses"}, {".merged"}});
}

void icache_tx_params::visit(param_visitor &v)
{
    v.needs("icache.entries");
    lent.visit(v);
    v.choice(
        "design", design, {"one", "naive", "aware", "flush"},
        {"", 0, 0,
         "translations of a line, and which contents are evicted: one; eight, the older; eight, instructions "
         "come first; and another kernel begins without instructions"});
    v.choice("mismatch", mismatch, {"count", "rebase", "bypass"},
             {"", 0, 0,
              "what a fill with another base than its line's does: is passed on, but the last of "
              "mismatch_limit such "
              "fills sets the base anew; sets it anew; is passed on"});
    v.number("mismatch_limit", mismatch_limit,
             {"fills", 1, 255, "of mismatch = count: the fill that sets the line's base anew"});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a page number picks its line", neutral});
}

ww_icache_tx_cfg icache_tx_params::store() const
{
    return {entries, ways, design, mismatch, static_cast<uint8_t>(mismatch_limit), index, lent.page_sizes};
}

uint64_t icache_tx_params::state_bytes() const
{
    const ww_icache_tx_cfg cfg = store();
    return present() ? ww_icache_tx_bytes(&cfg) : 0;
}

std::string icache_tx_params::validate() const
{
    const ww_icache_tx_cfg cfg = store();
    return present() && entries != 0 && ww_icache_tx_bytes(&cfg) == 0
               ? "translations need 32 to 4096 lines (icache.entries) in 1, 2, 4 or 8 ways"
               : "";
}

void icache_tx_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const ww_icache_tx_cfg cfg = store();
    const uint64_t bits = ww_icache_tx_bits(&cfg);
    list.add("tags_and_translations", bits);
    list.add_array("translations", array_of(entries, bits, 1, 0, ports), {".port_uses"}, {}).lent = true;
}

} // namespace walkway
