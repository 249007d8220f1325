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
    v.choice("store", store, {"plain", "compressed"},
             {"", 0, 0, "an entry in each place, or two in some: docs/compressed-tlb.md", neutral});
    v.needs("store");
    v.number("compressed_ways", compressed_ways,
             {"ways", 0, WW_TLBC_MAX_WAYS - 1,
              "of a compressed store, those ways of a set that hold two entries"});
    v.number("rebase_after", rebase_after,
             {"entries", 1, 65535,
              "entries that do not compress until a set's compressed ones leave and its bases are set anew"});
}

namespace
{

ww_tlbc_cfg compressed_cfg(const tlb_params &p)
{
    ww_tlbc_cfg cfg = {};
    cfg.sets = p.entries / p.ways;
    cfg.ways = p.ways;
    cfg.compressed_ways = p.compressed_ways;
    cfg.va_bits = p.va_bits;
    cfg.pa_bits = p.pa_bits;
    cfg.page_sizes = p.page_sizes;
    cfg.rebase_after = static_cast<uint16_t>(p.rebase_after);
    cfg.index = p.index;
    return cfg;
}

std::string validate_compressed(const tlb_params &p)
{
    if (p.ways > WW_TLBC_MAX_WAYS)
        return "a compressed store has at most " + std::to_string(WW_TLBC_MAX_WAYS) + " ways";
    if (p.compressed_ways >= p.ways)
        return "compressed_ways leaves no way for an entry that does not compress";
    if (p.replace != WW_REPLACE_LRU)
        return "a compressed store knows no replacement but lru";
    const ww_tlbc_cfg cfg = compressed_cfg(p);
    return ww_tlbc_bytes(&cfg) == 0 ? "tag and frame do not fit a slot of 64 bits: more sets, or less memory"
                                    : "";
}

} // namespace

std::string tlb_params::validate() const
{
    if (!present())
        return "";
    const std::string sets = wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    if (ways > 64 && ways != entries)
        return "more than 64 ways only when fully associative";
    return compressed() ? validate_compressed(*this) : "";
}

namespace
{

ww_tlb_cfg kernel_cfg(const tlb_params &p)
{
    ww_tlb_cfg cfg = {};
    cfg.sets = p.entries / p.ways;
    cfg.ways = p.ways;
    cfg.index = p.index;
    cfg.replace = p.replace;
    cfg.page_sizes = p.page_sizes;
    cfg.seed = p.seed;
    return cfg;
}

uint64_t store_bytes(const tlb_params &p)
{
    const ww_tlb_cfg plain = kernel_cfg(p);
    const ww_tlbc_cfg compressed = compressed_cfg(p);
    return p.compressed() ? ww_tlbc_bytes(&compressed) : ww_tlb_bytes(&plain);
}

} // namespace

stage_times tlb_params::times(const clock_domain &clock) const
{
    const auto more = static_cast<uint64_t>(__builtin_popcount(page_sizes)) - 1;
    return {clock.cycles(hit_cycles + more * size_probe_cycles), clock.cycles(response_cycles),
            clock.cycles(link_cycles)};
}

stage_store tlb_params::make_store() const
{
    return compressed() ? make_tlb_store(compressed_cfg(*this)) : make_tlb_store(kernel_cfg(*this));
}

ww_mshr_cfg tlb_params::pending() const
{
    return {mshrs, merges};
}

uint64_t tlb_params::state_bytes() const
{
    return store_bytes(*this) + pending_bytes(pending());
}

void tlb_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const address_widths &w = list.widths;
    const ww_tlb_cfg plain = kernel_cfg(*this);
    uint64_t bits = ww_tlb_bits(&plain, &w);
    if (compressed()) {
        stage_store made = make_store();
        bits = made.kind->bits(made.storage.as<void>(), &w);
    }
    list.add_entries(bits, entries, ways, ports);
    list.add_mshrs(pending(), w.va - w.page_shift + w.vmid);
}

} // namespace walkway
