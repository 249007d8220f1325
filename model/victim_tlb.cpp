/* SPDX-License-Identifier: MIT */
/* model/victim_tlb.cpp - what a victim TLB is made of. */
#include "model/victim_tlb.hpp"

#include "translate/tlb_stores.hpp"

namespace walkway
{

namespace
{

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
    : xlat_stage(name, clock, make_tlb_store(p.store()), {"victim", "victim TLB"}, limits_of(p), policy_of(p),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters)
{
}

} // namespace walkway
