/* SPDX-License-Identifier: MIT */
/* model/params/data_cache.cpp - the parameters of a data cache. */
#include "model/params/data_cache.hpp"

#include "model/common/set_sizes.hpp"

namespace walkway
{

void data_cache_params::visit(param_visitor &v)
{
    v.number("bytes", bytes, {"bytes", 64, uint64_t{1} << 30, "capacity"});
    v.number("ways", ways, {"ways", 1, 64, "associativity"});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a line number picks its set", neutral});
    v.choice("write", write, {"through", "back"},
             {"", 0, 0,
              "through: no allocation, the level below sees every write; back: allocate, write back later"});
    v.choice("write_miss", write_miss, {"validate", "fetch"},
             {"", 0, 0, "write-back: a missing line is entered by its byte mask, or read from below first",
              neutral});
    v.number("hit_cycles", hit_cycles, {"cycles", 1, 100000, "from a port to the answer, hit or miss"});
    v.number("ports", ports, {"lines per cycle", 1, 64, "accesses that may start in one cycle"});
    v.number("mshrs", mshrs, {"entries", 1, 1u << 19, "lines that may be in flight below"});
    v.number("merges", merges, {"accesses", 1, 1u << 19, "accesses that may wait for lines in flight"});
    v.number("write_entries", write_entries,
             {"writes", 1, 65536,
              "through: writes passed down and not answered; back: write-backs not answered, before a "
              "write miss has to wait"});
    v.number("queue_entries", queue_entries, {"accesses", 1, 65536, "input queue of each requester"});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the requester above", neutral});
    v.number("link_cycles", link_cycles, {"cycles", 0, 100000, "from this level to the one below", neutral});
}

std::string data_cache_params::validate() const
{
    const std::string sets = wrong_sets("bytes / 64 / ways", "bytes", bytes, uint64_t{WW_LINE_BYTES} * ways);
    const ww_dcache_cfg cfg = tags();
    if (!sets.empty() || ww_dcache_bytes(&cfg) != 0)
        return sets;
    return "bytes / 64 / ways is over " + std::to_string(WW_DCACHE_MAX_SETS) +
           " sets: ways = " + std::to_string(bytes / WW_LINE_BYTES / WW_DCACHE_MAX_SETS) +
           " would be at the bound";
}

void data_cache_params::structures(structure_list &list) const
{
    structures(list, {{".reads", ".writes"},
                      {".read_hits"},
                      {".fills", ".write_hits"},
                      {".read_misses", ".write_fetches"},
                      {".read_merged", ".write_merged"}});
}

void data_cache_params::structures(structure_list &list, const cache_accesses &of) const
{
    const ww_dcache_cfg cfg = tags();
    const uint64_t lines = bytes / WW_LINE_BYTES, bits = ww_dcache_bits(&cfg, &list.widths);
    list.add_array("tags", bits, array_of(lines, bits, ways, list.widths.pa, ports), of.looked_up,
                   {".fills"});
    list.add_array("data", {static_cast<uint32_t>(lines), 8 * WW_LINE_BYTES, 0, 1, 8 * WW_LINE_BYTES, ports},
                   of.hits, of.entered);
    list.add_mshrs(pending(), list.widths.pa - ww_name_bits(WW_LINE_BYTES), of.missed, of.joined);
}

ww_dcache_cfg data_cache_params::tags() const
{
    return {static_cast<uint32_t>(bytes / WW_LINE_BYTES / ways), ways, WW_LINE_BYTES, index, write};
}

ww_mshr_cfg data_cache_params::pending() const
{
    return {mshrs, merges};
}

} // namespace walkway
