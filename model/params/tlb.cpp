/* SPDX-License-Identifier: MIT */
/* model/params/tlb.cpp - the parameters of a TLB level. */
#include "model/params/tlb.hpp"

#include "model/common/pending.hpp"
#include "model/common/set_sizes.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

void tlb_params::visit(param_visitor &v)
{
    v.number("entries", entries, {"entries", 0, 1u << 22, "translations held; 0: there is none"});
    v.needs("entries");
    v.number("ways", ways, {"ways", 1, 4096, "associativity; equal to entries: fully associative"});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a page number picks its set", neutral});
    v.choice("replace", replace, {"lru", "random"}, {"", 0, 0, "which entry leaves", neutral});
    v.number("hit_cycles", hit_cycles, {"cycles", 1, 100000, "from a port to the answer, hit or miss"});
    v.only_timed(one_access);
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle"});
    v.number("mshrs", mshrs, {"entries", 1, 1u << 19, "pages that may be in flight below"});
    v.number("merges", merges, {"requests", 1, 1u << 19, "requests that may wait for pages in flight"});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue of each requester"});
    v.only_timed("");
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the requester above", neutral});
    v.number("link_cycles", link_cycles,
             {"cycles", 0, 100000, "from this level to the one below, for a miss", neutral});
    v.number("size_probe_cycles", size_probe_cycles,
             {"cycles", 0, 100000, "more time for each page size beyond the first that has to be probed",
              neutral});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of random replacement", neutral});
    if (may_pass)
        v.choice("victims", victims, {"drop", "pass"},
                 {"", 0, 0,
                  "what leaves for another: dropped, or passed on to a level below that takes fills",
                  neutral});
    if (may_take)
        v.number("fills", fills,
                 {"entries", 0, 4096,
                  "victims of each requester that may be on their way here; 0: takes none", neutral});
    store.visit(v);
}

std::string tlb_params::validate() const
{
    if (!present())
        return "";
    const std::string sets = wrong_sets("entries / ways", "entries", entries, ways);
    return sets.empty() ? fault_of_store(section()) : sets;
}

tlb_section tlb_params::section() const
{
    return {entries, ways, index, replace, page_sizes, seed, va_bits, pa_bits, store};
}

stage_times tlb_params::times(const clock_domain &clock) const
{
    const auto more = static_cast<uint64_t>(__builtin_popcount(page_sizes)) - 1;
    return {clock.cycles(hit_cycles + more * size_probe_cycles), clock.cycles(response_cycles),
            clock.cycles(link_cycles)};
}

ww_mshr_cfg tlb_params::pending() const
{
    return {mshrs, merges};
}

uint64_t tlb_params::state_bytes() const
{
    return bytes_of_store(section()) + pending_bytes(pending());
}

void tlb_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const address_widths &w = list.widths;
    list.add_entries(bits_of_store(section(), w), entries, ways, ports);
    list.add_mshrs(pending(), w.va - w.page_shift + w.vmid, {".misses"}, {".merged"});
}

} // namespace walkway
