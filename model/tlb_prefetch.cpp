/* SPDX-License-Identifier: MIT */
/* model/tlb_prefetch.cpp - behaviour of the one-ahead prefetcher. */
#include "model/tlb_prefetch.hpp"

#include "model/common/signals.hpp"
#include "translate/tlb_stores.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

miss_limits limits_of(const tlb_prefetch_params &p)
{
    const ww_mshr_cfg pending = p.pending();
    return {p.ports, p.queue_entries, pending.entries, pending.merges, p.hit_cycles, p.response_cycles, 0};
}

uint32_t smallest(const tlb_prefetch_params &p)
{
    return static_cast<uint32_t>(__builtin_ctz(p.page_sizes));
}

/* The stage holds translations that no demand has requested yet. */
stage_policy policy_of(const tlb_prefetch_params &p)
{
    stage_policy policy;
    policy.fills = p.queue_entries;
    policy.passes_victims = policy.passes_fills = true;
    policy.keeps_answers = false;
    policy.moves_hits = true;
    policy.prefetches = true;
    return policy;
}

} // namespace

tlb_prefetch::tlb_prefetch(const sc_core::sc_module_name &name, const clock_domain &clock,
                           const tlb_prefetch_params &p, unsigned requesters, const stage_name &stage)
    : xlat_stage(name, clock, make_tlb_store(p.store()), stage, limits_of(p), policy_of(p), smallest(p),
                 requesters),
      most_in_flight_(p.in_flight), va_bits_(p.va_bits), purpose_(p.pending().entries, purpose::demand),
      account_(names())
{
}

void tlb_prefetch::end_of_elaboration()
{
    xlat_stage::end_of_elaboration();
    account_.close();
}

bool tlb_prefetch::serve(unsigned port, tick now)
{
    const xlat_request &r = up[port]->front();
    const now_request of = {r.va, r.vmid};
    const uint32_t instruction = r.instruction;
    const uint16_t cu = r.cu;
    const uint64_t key = this->key(of);
    const bool under_way = pending_.find(key) != none;
    ww_xlat found = {0, static_cast<uint8_t>(page_shift()), 0};
    const bool hit = store_kind().probe(store(), of.va, of.vmid, &found);
    if (!xlat_stage::serve(port, now))
        return false;
    const uint32_t entry = hit ? none : pending_.find(key); /* a hit joins nothing in flight */
    if (entry != none && !under_way)
        purpose_[entry] = purpose::demand;
    else if (entry != none && purpose_[entry] == purpose::prefetch)
        purpose_[entry] = purpose::wanted;
    prefetch(now_request{ww_page_after(of.va, found.page_shift), of.vmid}, cu, instruction, now);
    return true;
}

/* Prefetches after the demand, but not while the level below is full: later demands would wait for it. */
void tlb_prefetch::prefetch(const now_request &page, uint16_t cu, uint32_t instruction, tick now)
{
    ww_xlat held;
    if (page.va >> va_bits_ != 0) {
        ++prefetched_.no_page;
        return;
    }
    if (store_kind().probe(store(), page.va, page.vmid, &held)) {
        ++prefetched_.held;
        return;
    }
    const uint64_t key = this->key(page);
    if (pending_.find(key) != none) {
        ++prefetched_.asked_for;
        return;
    }
    if (under_way_ >= most_in_flight_ || pending_.full() || !down.can_send()) {
        ++prefetched_.no_room;
        return;
    }
    xlat_request &r = requests_.take();
    r.va = page.va;
    r.vmid = page.vmid;
    r.cu = cu;
    r.instruction = instruction;
    r.access = access_kind::prefetch;
    r.start(now + hit_time_);
    const uint32_t entry = pend({pended::missed, none, key}, r, r, r.mark);
    purpose_[entry] = purpose::prefetch;
    ++under_way_;
    ++prefetched_.prefetches;
    observe(tlb_prefetch_events::prefetch, page.va, under_way_);
}

/* A prefetch is answered. */
void tlb_prefetch::came_back(xlat_request &r, tick at)
{
    r.charge(cause::response, at);
    const tick sum = account_.add(r);
    prefetched_.latency_ps += at - r.issued;
    prefetched_.unaccounted += with_account && sum != at - r.issued;
    requests_.give(r);
}

/* Requests that joined the prefetch become demands. A request of a prefetcher above is a demand here. */
void tlb_prefetch::met_absent(uint32_t entry)
{
    if (purpose_[entry] == purpose::demand)
        return;
    --under_way_;
    ++prefetched_.absent;
    purpose_[entry] = purpose::demand;
}

/* A demand's page is held above. A page that does not begin at the prefetch's address is the page of the miss
 * itself, larger than the prefetch assumed. */
bool tlb_prefetch::keeps(uint32_t entry, const ww_mapping &page)
{
    const purpose asked_for = purpose_[entry];
    if (asked_for == purpose::demand)
        return false;
    --under_way_;
    uint64_t tlb_prefetch_stats::*const became = asked_for == purpose::wanted ? &tlb_prefetch_stats::late
                                                 : (page.va & ww_page_mask(page.xlat.page_shift)) != 0
                                                     ? &tlb_prefetch_stats::same_page
                                                     : &tlb_prefetch_stats::kept;
    ++(prefetched_.*became);
    return became == &tlb_prefetch_stats::kept;
}

void tlb_prefetch::visit(stat_visitor &v, tick until) const
{
    xlat_stage::visit(v, until);
    const tlb_prefetch_stats &s = prefetched_;
    v.count("prefetches", s.prefetches, "count",
            "prefetch walks requested; = kept + late + absent + same_page");
    v.count("kept", s.kept, "count", "of those, entered before a demand access missed the page");
    v.count("late", s.late, "count", "of those, pages that missed while the prefetch was in flight");
    v.count("absent", s.absent, "count", "of those, pages that are not mapped");
    v.count("same_page", s.same_page, "count",
            "of those, addresses that lie in the page of the miss itself, which is larger than the smallest");
    v.count("not_asked_held", s.held, "count", "lookups whose next page was held here already");
    v.count("not_asked_under_way", s.asked_for, "count", "lookups whose next page was under way already");
    v.count("not_asked_room", s.no_room, "count",
            "lookups that began no prefetch since as many as may be were under way, or the level below had "
            "no room");
    v.count("not_asked_end", s.no_page, "count", "lookups behind whose page there is no address");
    v.begin("account", "where the prefetches' time went; the sum is translation_cycles");
    account_.visit(v, {}, s.latency_ps, clock().period());
    v.end();
}

void tlb_prefetch::laws(law_list &list) const
{
    xlat_stage::laws(list);
    const tlb_prefetch_stats &s = prefetched_;
    list.add("prefetches = kept + late + absent + same_page", s.prefetches,
             s.kept + s.late + s.absent + s.same_page);
    list.add("lookups = prefetches + not asked for", stats().lookups,
             s.prefetches + s.held + s.asked_for + s.no_room + s.no_page);
    list.add("prefetches whose causes miss their latency", s.unaccounted, 0);
}

void tlb_prefetch::signals(signal_visitor &visitor) const
{
    xlat_stage::signals(visitor);
    visitor.show([&](auto &v) {
        v.value("prefetching", 13, under_way_, "prefetches under way");
        v.pulse("prefetch", 7, prefetched_.prefetches, "walks asked for ahead");
        v.pulse("keep", 16, prefetched_.kept, "prefetched translations entered");
        v.pulse("late", 7, prefetched_.late, "prefetched pages wanted before they came");
    });
}

} // namespace walkway
