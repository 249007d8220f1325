/* SPDX-License-Identifier: MIT */
/* model/xlat_stage.cpp - behaviour of a stage of translation over a store. */
#include "model/xlat_stage.hpp"

#include "model/common/signals.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace walkway
{

void tlb_stats::laws(law_list &list, uint64_t late) const
{
    list.add("lookups = hits + misses + merged", lookups, hits + misses + merged);
    list.add("every request answered", lookups, responses);
    list.add("fills_received = fills_kept + fills_refreshed + fills_passed + fills_refused", fills_received,
             fills_kept + fills_refreshed + fills_passed + fills_refused + late);
    list.add("fills + fills_kept = refreshed + evictions + invalidated + claimed + moved + resident",
             held_at_start + fills + fills_kept,
             refreshed + evictions + invalidated + claimed + moved + resident);
}

void tlb_stats::visit(stat_visitor &v) const
{
    v.count("lookups", lookups, "count", "requests that looked the TLB up; = hits + misses + merged");
    v.count("hits", hits, "count", "lookups that found the translation");
    v.count("misses", misses, "count", "lookups that took an MSHR and went to the level below");
    v.count("merged", merged, "count", "lookups that joined a page already in flight below");
    v.count("retried", retried, "count",
            "of those, lookups that went to the level below after all: the prefetch that they had joined met "
            "an absent page");
    v.count("fills", fills, "count", "translations entered");
    v.count("evictions", evictions, "count", "translations that had to leave for a fill");
    v.count("refreshed", refreshed, "count", "of the fills, those whose page was there already");
    v.count("invalidated", invalidated, "count", "translations that an invalidate dropped");
    v.count("victims_passed", victims_passed, "count",
            "of the evictions, those handed on to the level below");
    v.count("fills_received", fills_received, "count",
            "victims of levels above that arrived; = kept + refreshed + refused");
    v.count("fills_kept", fills_kept, "count", "of those, entered");
    v.count("fills_refreshed", fills_refreshed, "count", "of those, with a page that was there already");
    if (may_pass)
        v.count(
            "fills_passed", fills_passed, "count",
            "of those, without a place here: handed on in their turn, or dropped where no level takes them");
    v.count("fills_refused", fills_refused, "count", "of those, thrown away while an invalidate was open");
    if (may_move)
        v.count("moved", moved, "count", "translations that a hit took out, to be held above");
    if (may_claim)
        v.count("claimed", claimed, "count", "translations dropped because their memory was wanted");
    v.count("fills_dropped", fills_dropped, "count",
            "victims of levels above that found their lane full and never arrived");
    v.count("stall_mshr_cycles", stall_mshr_cycles, "cycles",
            "cycles in which a request waited only for an MSHR, or for room to wait at one");
    v.count("stall_merges_cycles", stall_merges_cycles, "cycles", "of those, for room to wait at one");
    v.count("stall_below_cycles", stall_below_cycles, "cycles",
            "cycles in which a request stood outside the full queue of the level below");
    v.count("responses", responses, "count", "requests answered; = lookups at the end of a run");
}

tlb_causes::tlb_causes(const block &owner, const stage_name &stage)
{
    account_names &names = *owner.names();
    const uint32_t track = names.add_track({&owner, ""});
    queue = names.add(track, stage.name + "_queue",
                      "waiting for a port of the " + stage.title + ", the wire included");
    lookup = names.add(track, stage.name + "_lookup", stage.title + " lookup");
    merged = names.add(track, stage.name + "_merged",
                       "waiting for the same page asked for earlier by the same " + stage.title);
}

xlat_stage::xlat_stage(const sc_core::sc_module_name &name, const clock_domain &clock, stage_store store,
                       const stage_name &stage, const miss_limits &limits, const stage_policy &policy,
                       uint32_t page_shift, unsigned requesters)
    : miss_engine(name, clock, limits, requesters), policy_(policy), causes_(*this, stage),
      page_shift_(page_shift), below_(down),
      held_(std::move(store), policy, clock, {hit_time_, way_up_, link_time_}, below_, page_shift),
      kind_(held_.kind()), store_(held_.store()), lanes_(*this, &down, policy.fills),
      shown_(*this, limits.ports)
{
    for (const auto &port : up) {
        lanes_.serve(*port);
        port->translates(held_);
    }
}

void xlat_stage::probe_time(uint32_t cycles)
{
    hit_time_ += clock().cycles(uint64_t{cycles} * (kind_.probes(store_) - 1));
    held_.hit_takes(hit_time_);
}

void xlat_stage::end_of_elaboration()
{
    passes_to_ = policy_.passes_victims ? fills_below(down) : nullptr;
}

void xlat_stage::visit(stat_visitor &v, tick) const
{
    stats().visit(v);
    if (sharers_ != nullptr)
        v.hist(
            "sharers", sharers_->counts(), "units",
            "compute units that use an entry: n is counted when the nth of them first uses it; the count is "
            "the number of entries with n or more");
    for (size_t vmid = 0; vmid < misses_of_.size(); ++vmid) {
        v.begin("vm_" + std::to_string(vmid), "requests of one VM-ID, of a run with several programs");
        v.count("misses", misses_of_[vmid], "count", "of the misses, those of this VM-ID");
        v.end();
    }
}

tlb_stats xlat_stage::stats() const
{
    tlb_stats all = stats_;
    all.stall_merges_cycles = stall_cycles(stall::place);
    all.stall_mshr_cycles = stall_cycles(stall::mshr) + all.stall_merges_cycles;
    all.stall_below_cycles = below_cycles();
    all.resident = kind_.count(store_);
    all.may_pass = !policy_.keeps_answers;
    all.may_move = policy_.moves_hits;
    all.may_claim = policy_.lent || kind_.claim != nullptr;
    all.fills_received = lanes_.received();
    all.fills_refused += lanes_.refused();
    all.fills_dropped = lanes_.dropped();
    return all;
}

/* Identifies a page of a VM by its number in the smallest size. */
uint64_t xlat_stage::key(const now_request &r) const
{
    return (r.va >> page_shift_) | (uint64_t{r.vmid} << 48);
}

/* Answers every request that waits for the page, not only the oldest. */
void xlat_stage::arrived(xlat_request &r, tick now)
{
    const uint32_t entry = limits_.mshrs == 0 ? none : pending_.find(key(r));
    if (r.fault && r.access == access_kind::prefetch && entry != none) {
        found_absent(r, entry, now);
        return;
    }
    const ww_mapping page = {r.va, r.result, r.vmid};
    const bool fault = r.fault;
    used(r);
    answer(r, now + way_up_);
    if (entry != none) {
        pending_.each_joined(entry, [&](xlat_request *waiter) {
            if (waiter != &r) /* r itself is one if it was retried */
                answer_waiter(*waiter, page.xlat, fault, now);
        });
        pending_.free(entry);
    }
    if (fault || !keeps(entry, page))
        return;
    enter(page);
    held_.each_beside(page, now, [this](const ww_mapping &other) { enter(other); });
}

/* Answers a prefetch of an absent page. The first demand that has joined it is sent down itself; without one
 * all that joined get the fault. */
void xlat_stage::found_absent(xlat_request &prefetch, uint32_t entry, tick now)
{
    answer(prefetch, now + way_up_);
    met_absent(entry);
    xlat_request *first = nullptr;
    pending_.each_joined(entry, [&](xlat_request *waiter) {
        if (first == nullptr && waiter->access != access_kind::prefetch)
            first = waiter;
    });
    if (first != nullptr) {
        ++stats_.retried;
        first->charge(causes_.merged, std::max(first->mark, now));
        pending_.first(entry) = first;
        go_down(*first, first->mark);
        return;
    }
    pending_.each_joined(entry, [&](xlat_request *waiter) { answer_waiter(*waiter, ww_xlat{}, true, now); });
    pending_.free(entry);
}

/* Answers a request that has joined, but not before its own lookup ends, at its mark. */
void xlat_stage::answer_waiter(xlat_request &r, const ww_xlat &page, bool fault, tick now)
{
    r.result = page;
    r.fault = fault;
    used(r);
    if (r.mark < now)
        r.charge(causes_.merged, now);
    answer(r, r.mark + way_up_);
}

/* Counts the compute unit as a user of the page. */
void xlat_stage::used(const xlat_request &r)
{
    if (sharers_ != nullptr && !r.fault && r.access != access_kind::prefetch)
        sharers_->used(r.va, r.result, r.vmid, r.cu);
}

void xlat_stage::answer(xlat_request &r, tick at)
{
    if (r.depth == 0) {
        came_back(r, at - way_up_);
        return;
    }
    ++stats_.responses;
    up[r.leave()]->respond(r, at);
}

/* Enters a page and passes its victims down. If the page has no place here, the caller passes it or not. */
ww_store_result xlat_stage::put(const ww_mapping &page)
{
    const bool passes = passes_to_ != nullptr && !policy_.passes_fills;
    const ww_store_entered entered = held_.enter(page, passes || sharers_ != nullptr || sampled());
    stats_.evictions += entered.victims;
    for (uint32_t gone = 0; sampled() && gone < entered.victims; ++gone)
        shown_.left(held_.victims()[gone].va);
    if (sharers_ != nullptr)
        for (uint32_t gone = 0; gone < entered.victims; ++gone)
            sharers_->left(held_.victims()[gone]);
    if (sharers_ != nullptr && entered.result != WW_STORE_KEPT && entered.result != WW_STORE_REFRESHED)
        sharers_->left(page);
    if (passes)
        for (uint32_t i = 0; i < entered.victims; ++i)
            pass(held_.victims()[i]);
    return static_cast<ww_store_result>(entered.result);
}

void xlat_stage::pass(const ww_mapping &page)
{
    ++stats_.victims_passed;
    passes_to_->fill(page.va, page.vmid, page.xlat, now() + clock().period() + link_time_);
}

void xlat_stage::take_fill(const xlat_post &post)
{
    const ww_mapping page = {post.va, post.page, post.vmid};
    switch (policy_.passes_fills ? WW_STORE_PASSED : put(page)) {
    case WW_STORE_KEPT:
        ++stats_.fills_kept;
        break;
    case WW_STORE_REFRESHED:
        ++stats_.fills_refreshed;
        break;
    case WW_STORE_PASSED:
        ++stats_.fills_passed;
        if (passes_to_ != nullptr)
            pass(page);
        return;
    default:
        ++stats_.fills_refused;
        return;
    }
    observe(tlb_events::fill, post.va, post.page.page_shift);
}

void xlat_stage::drop(const ww_inval_scope &scope)
{
    stats_.invalidated += kind_.invalidate(store_, &scope);
    if (sharers_ != nullptr)
        sharers_->invalidated(scope);
}

void xlat_stage::count_dropped(drop_counts &all) const
{
    all.*held_as() += stats_.invalidated;
    all.fills += lanes_.refused() + overtaken_;
}

/* An invalidate does not touch MSHRs: answers that arrive later are new. */
void xlat_stage::before_lookups(tick now)
{
    if (lanes_.next() <= now)
        lanes_.step(
            now, [this](const ww_inval_scope &scope) { drop(scope); },
            [this](const xlat_post &post) { take_fill(post); });
    lanes_.wake(now);
}

/* A page without a place is not passed down: the level below has it. */
void xlat_stage::enter(const ww_mapping &page)
{
    const ww_store_result result = put(page);
    if (result != WW_STORE_KEPT && result != WW_STORE_REFRESHED)
        return;
    ++stats_.fills;
    stats_.refreshed += result == WW_STORE_REFRESHED;
    observe(tlb_events::fill, page.va, page.xlat.page_shift);
}

/* The request has a port from now on. */
void xlat_stage::start(xlat_request &r, unsigned port, tick now)
{
    r.enter(static_cast<uint8_t>(port));
    r.charge(causes_.queue, now);
    r.charge(causes_.lookup, now + hit_time_);
}

void xlat_stage::hit(xlat_request &r, unsigned port, tick now)
{
    ++stats_.hits;
    stats_.moved += policy_.moves_hits;
    start(r, port, now);
    observe(tlb_events::hit, r.va, r.result.page_shift);
    shown_.looked(r.va, lookup_result::HIT);
    used(r);
    answer(r, now + hit_time_);
}

void xlat_stage::laws(law_list &list) const
{
    stats().laws(list);
    if (!misses_of_.empty())
        list.add("misses = those of all VM-IDs", stats_.misses,
                 std::accumulate(misses_of_.begin(), misses_of_.end(), uint64_t{0}));
}

bool xlat_stage::serve(unsigned port, tick now)
{
    if (!may_look())
        return false;
    xlat_request &r = up[port]->front();
    ww_xlat found;
    if (held_.find({r.va, r.vmid}, &found)) {
        r.result = found;
        hit(r, port, now);
    } else {
        const ticket t = room(key(r));
        if (t.how == pended::stalled)
            return false;
        start(r, port, now);
        pend(t, r, r, r.mark);
        if (t.how == pended::missed) {
            ++stats_.misses;
            if (!misses_of_.empty())
                ++misses_of_[r.vmid];
            observe(tlb_events::miss, r.va, mshrs_used(), &r);
            shown_.looked(r.va, lookup_result::MISS);
        } else {
            ++stats_.merged;
            observe(tlb_events::merge, r.va, mshrs_used());
            shown_.looked(r.va, lookup_result::MERGE);
        }
    }
    ++stats_.lookups;
    up[port]->pop();
    return true;
}

unsigned xlat_stage::debug(xlat_request &r)
{
    return debug_by(held_, r, now());
}

void xlat_stage::claim(uint64_t first, uint64_t bytes)
{
    stats_.claimed += kind_.claim(store_, first, bytes);
}

void xlat_stage::release(uint64_t first, uint64_t bytes)
{
    kind_.release(store_, first, bytes);
}

std::string xlat_stage::waiting() const
{
    if (queued() == 0 && mshrs_used() == 0)
        return lanes_.live() == 0 ? "" : "fills or invalidates are on their way";
    return queue_text("requests") + ", " + std::to_string(unsent()) + " misses wait for the level below" +
           below_text();
}

void xlat_stage::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("queue", 32, queued(), "requests accepted from above, those on the wire counted");
        v.value("stalled", 1, stalled(), "a request waits only for an MSHR");
        v.value("mshrs", 21, mshrs_used(), "pages in flight below");
        v.value("waiters", 21, waiters(), "requests that wait for them");
        v.value("unsent", 32, unsent(), "misses that the level below has no room for");
        v.pulse("hit", 7, stats_.hits, "lookups that found the translation");
        v.pulse("miss", 7, stats_.misses, "lookups that go to the level below");
        v.pulse("merge", 7, stats_.merged, "lookups that join a page in flight");
        v.pulse("fill", 16, stats_.fills, "translations entered");
        v.pulse("evict", 16, stats_.evictions, "translations that had to leave for a fill");
        shown_.show(v);
        shown_.show_victim(v);
    });
}

} // namespace walkway
