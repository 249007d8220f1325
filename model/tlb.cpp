/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - what a TLB level is made of. */
#include "model/tlb.hpp"

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
    : xlat_stage(name, clock, p.make_store(), stage, limits_of(p), p.policy(),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters),
      compressed_(p.compressed() ? static_cast<const ww_tlbc *>(store()) : nullptr)
{
    probe_time(p.size_probe_cycles);
    if (requesters > 1)
        count_sharers();
}

void tlb::visit(stat_visitor &v, tick now) const
{
    xlat_stage::visit(v, now);
    if (compressed_ == nullptr)
        return;
    const ww_tlbc_counts &c = compressed_->counts;
    v.count("kept_compressed", c.compressed, "count", "entries kept two to a slot");
    v.count("kept_plain", c.plain, "count", "entries kept one to a slot");
    v.count("failures", c.failures, "count", "entries that did not compress");
    v.count("rebases", c.rebases, "count", "times that a set's compressed entries left for new bases");
    v.count("rebased", c.rebased, "count", "of the evictions, entries that left by it");
    v.level("slots", uint64_t{compressed_->cfg.sets} * compressed_->cfg.ways, "slots",
            "slots, of an entry or two each");
    v.level("slots_used", ww_tlbc_slots_used(compressed_), "slots",
            "slots in use; entries held / slots used is the effective gain");
    v.level("held", compressed_->live, "entries", "entries held");
}

/* Whatever is kept plain did not compress, but for refreshes that stayed where they were. */
void tlb::laws(law_list &list) const
{
    xlat_stage::laws(list);
    if (compressed_ != nullptr)
        list.add("evictions = displaced + rebased", stats().evictions,
                 compressed_->counts.displaced + compressed_->counts.rebased);
}

} // namespace walkway
