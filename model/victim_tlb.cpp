/* SPDX-License-Identifier: MIT */
/* model/victim_tlb.cpp - builds a victim TLB. */
#include "model/victim_tlb.hpp"

#include "translate/tlb_stores.hpp"

namespace walkway
{

namespace
{

/* No MSHRs: misses are already pending in the TLBs above. */
miss_limits limits_of(const victim_params &p)
{
    return {p.ports, p.queue_entries, 0, 0, p.hit_cycles, p.response_cycles, p.link_cycles};
}

} // namespace

victim_tlb::victim_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const victim_params &p,
                       unsigned requesters, const stage_name &stage)
    : xlat_stage(name, clock, make_tlb_store(p.store()), stage, limits_of(p), p.policy(),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters)
{
}

} // namespace walkway
