/* SPDX-License-Identifier: MIT */
/* model/victim_tlb.cpp - what a victim TLB is made of. */
#include "model/victim_tlb.hpp"
#include "model/common/set_sizes.hpp"

namespace walkway
{

void victim_params::visit(param_visitor &v)
{
    v.number("entries", entries,
             {"entries", 0, 65536, "translations held; 0: no victim TLB, what leaves an L1 TLB is dropped",
              assumed("off")});
    v.number("ways", ways, {"ways", 0, 4096, "associativity; 0: fully associative", assumed()});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from a port to the answer, hit or miss", assumed()});
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle", assumed()});
    v.number("queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of each compute unit", assumed()});
    v.number("fills", fills,
             {"entries", 1, 4096, "victims of each compute unit that may be on their way here", assumed()});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from an answer of the level below to the L1 TLB", assumed()});
    v.number("link_cycles", link_cycles, {"cycles", 0, 100000, "from here to the L2 TLB", assumed()});
    v.number("shared_by", shared_by,
             {"compute units", 1, 250, "that share one, neighbours by number", assumed()});
    v.choice("victims", victims, {"drop", "pass"},
             {"", 0, 0, "what leaves for another: dropped, or passed on to an L2 TLB that takes fills",
              assumed("docs/victim-tlb.md")});
}

ww_tlb_cfg victim_params::store() const
{
    ww_tlb_cfg cfg = {};
    cfg.ways = ways == 0 ? entries : ways;
    cfg.sets = entries / cfg.ways;
    cfg.page_sizes = page_sizes;
    return cfg;
}

std::string victim_params::validate() const
{
    if (!present())
        return "";
    const std::string sets = ways == 0 ? "" : wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    const ww_tlb_cfg cfg = store();
    return ww_tlb_bytes(&cfg) == 0 ? "a set has more than 64 ways (fully associative: more than 4096 entries)"
                                   : "";
}

void victim_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const ww_tlb_cfg cfg = store();
    add_entries(list, ww_tlb_bits(&cfg, &list.widths), entries, cfg.ways, ports);
}

uint64_t victim_params::state_bytes() const
{
    if (!present())
        return 0;
    const ww_tlb_cfg cfg = store();
    return ww_tlb_bytes(&cfg);
}

namespace
{
stage_store make_store(const victim_params &p)
{
    const ww_tlb_cfg cfg = p.store();
    blob tags(ww_tlb_bytes(&cfg));
    if (ww_tlb_init(tags.as<ww_tlb>(), tags.bytes(), &cfg) != WW_OK)
        fail("/walkway/tlb", "illegal victim TLB: " + p.validate());
    return {&ww_tlb_store, std::move(tags)};
}

/* No MSHRs: what misses is pending in the TLBs above already. */
miss_limits limits_of(const victim_params &p)
{
    return {p.ports, p.queue_entries, 0, 0, p.hit_cycles, p.response_cycles, p.link_cycles};
}

/* It has what was let go above, and only as long as that is not above again. */
stage_policy policy_of(const victim_params &p)
{
    stage_policy policy;
    policy.fills = p.fills;
    policy.passes_victims = p.victims != 0;
    policy.keeps_answers = false;
    policy.moves_hits = true;
    return policy;
}
} // namespace

victim_tlb::victim_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const victim_params &p,
                       unsigned requesters)
    : xlat_stage(name, clock, make_store(p), {"victim", "victim TLB"}, limits_of(p), policy_of(p),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters)
{
}

} // namespace walkway
