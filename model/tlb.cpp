/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - builds a TLB as a stage over its store, and adds the store's statistics and laws. */
#include "model/tlb.hpp"

#include "translate/tlb_stores.hpp"

namespace walkway
{

namespace
{

miss_limits limits_of(const tlb_params &p)
{
    return {p.ports, p.queue_entries, p.mshrs, p.merges, p.hit_cycles, p.response_cycles, p.link_cycles};
}

} // namespace

tlb::tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
         const stage_name &stage, unsigned requesters)
    : xlat_stage(name, clock, make_tlb_store(p.section()), stage, limits_of(p), p.policy(),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters),
      held_in_(p.store.kind())
{
    probe_time(p.size_probe_cycles);
    if (requesters > 1)
        count_sharers();
}

void tlb::visit(stat_visitor &v, tick now) const
{
    xlat_stage::visit(v, now);
    held_in_.visit(store(), v);
}

void tlb::starts_filled()
{
    xlat_stage::starts_filled();
    held_in_.count_from_here(store());
}

void tlb::laws(law_list &list) const
{
    xlat_stage::laws(list);
    for (const law &l : held_in_.laws(store(), stats().evictions))
        list.add(l.name, l.left, l.right);
}

} // namespace walkway
