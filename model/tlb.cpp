/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - what a TLB level is made of. */
#include "model/tlb.hpp"

#include "kernels/bits.h"

namespace walkway
{

void tlb_params::visit(param_visitor &v)
{
    v.number("entries", entries, {"entries", 1, 1u << 22, "translations held", paper("[M18] Table I")});
    v.number("ways", ways,
             {"ways", 1, 4096, "associativity; equal to entries: fully associative", paper("[M18] Table I")});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a page number picks its set", assumed()});
    v.choice("replace", replace, {"lru", "random"}, {"", 0, 0, "which entry leaves", assumed()});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from a port to the answer, hit or miss",
              paper("[M21] Table 1, another machine")});
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle", assumed()});
    v.number("mshrs", mshrs,
             {"entries", 1, 1u << 19, "pages that may be in flight below",
              chosen("raised after seeing BICG wait for them; one for each lane of each resident wave")});
    v.number("merges", merges,
             {"requests", 1, 1u << 19, "requests that may wait for pages in flight",
              chosen("L2: raised with its MSHRs after seeing BICG")});
    v.number("queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of each requester", assumed()});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the requester above", assumed()});
    v.number("link_cycles", link_cycles,
             {"cycles", 0, 100000, "from this level to the one below, for a miss", assumed()});
    v.number("size_probe_cycles", size_probe_cycles,
             {"cycles", 0, 100000, "more time for each page size beyond the first that has to be probed",
              assumed()});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of random replacement", assumed()});
    if (may_pass)
        v.choice("victims", victims, {"drop", "pass"},
                 {"", 0, 0,
                  "what leaves for another: dropped, or passed on to a level below that takes fills",
                  assumed("docs/tlb.md")});
    if (may_take)
        v.number("fills", fills,
                 {"entries", 0, 4096,
                  "victims of each requester that may be on their way here; 0: takes none",
                  assumed("docs/tlb.md")});
}

std::string tlb_params::validate() const
{
    if (entries % ways != 0)
        return "entries is not a multiple of ways";
    if (!ww_is_pow2(entries / ways))
        return "entries / ways is not a power of two";
    if (ways > 64 && ways != entries)
        return "more than 64 ways only when fully associative";
    return "";
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
ww_mshr_cfg mshr_cfg_of(const tlb_params &p)
{
    return {p.mshrs, p.merges};
}

stage_store make_store(const tlb_params &p)
{
    const ww_tlb_cfg cfg = kernel_cfg(p);
    blob tags(ww_tlb_bytes(&cfg));
    if (ww_tlb_init(tags.as<ww_tlb>(), tags.bytes(), &cfg) != WW_OK)
        fail("/walkway/tlb", "illegal TLB: " + p.validate());
    return {&ww_tlb_store, std::move(tags)};
}

miss_limits limits_of(const tlb_params &p)
{
    return {p.ports, p.queue_entries, p.mshrs, p.merges, p.hit_cycles, p.response_cycles, p.link_cycles};
}
} // namespace

uint64_t tlb_params::state_bytes() const
{
    const ww_tlb_cfg cfg = kernel_cfg(*this);
    return ww_tlb_bytes(&cfg) + pending_bytes(mshr_cfg_of(*this));
}

void tlb_params::structures(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_tlb_cfg cfg = kernel_cfg(*this);
    list.add("entries", ww_tlb_bits(&cfg, &w));
    list.add_mshrs(mshr_cfg_of(*this), w.va - w.page_shift + w.vmid);
}

tlb::tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
         const stage_name &stage, unsigned requesters)
    : xlat_stage(name, clock, make_store(p), stage, limits_of(p), {p.fills, p.victims != 0},
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters)
{
    probe_time(p.size_probe_cycles);
}

} // namespace walkway
