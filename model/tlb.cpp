/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - behaviour of a TLB level. */
#include "model/tlb.hpp"

#include "kernels/bits.h"
#include "model/common/signals.hpp"

#include <cstdio>

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

void tlb_stats::laws(law_list &list) const
{
    list.add("lookups = hits + misses + merged", lookups, hits + misses + merged);
    list.add("every request answered", lookups, responses);
    list.add("fills_received = fills_kept + fills_refreshed + fills_refused", fills_received,
             fills_kept + fills_refreshed + fills_refused);
    list.add("fills + fills_kept = refreshed + evictions + invalidated + resident", fills + fills_kept,
             refreshed + evictions + invalidated + resident);
}

void tlb_stats::visit(stat_visitor &v) const
{
    v.count("lookups", lookups, "count", "requests that looked the TLB up; = hits + misses + merged");
    v.count("hits", hits, "count", "lookups that found the translation");
    v.count("misses", misses, "count", "lookups that took an MSHR and went to the level below");
    v.count("merged", merged, "count", "lookups that joined a page already in flight below");
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
    v.count("fills_refused", fills_refused, "count", "of those, thrown away while an invalidate was open");
    v.count("fills_dropped", fills_dropped, "count",
            "victims of levels above that found their lane full and never arrived");
    v.count("stall_mshr_cycles", stall_mshr_cycles, "cycles",
            "cycles in which a request waited only for an MSHR, or for room to wait at one");
    v.count("stall_merges_cycles", stall_merges_cycles, "cycles", "of those, for room to wait at one");
    v.count("stall_below_cycles", stall_below_cycles, "cycles",
            "cycles in which a request stood outside the full queue of the level below");
    v.count("responses", responses, "count", "requests answered; = lookups at the end of a run");
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
} // namespace

uint64_t tlb_params::state_bytes() const
{
    const ww_tlb_cfg cfg = kernel_cfg(*this);
    const ww_mshr_cfg mshr_cfg = mshr_cfg_of(*this);
    return ww_tlb_bytes(&cfg) + ww_mshr_bytes(&mshr_cfg) + (mshrs + merges) * sizeof(xlat_request *) +
           mshrs * sizeof(uint32_t);
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

void tlb_params::structures(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_tlb_cfg cfg = kernel_cfg(*this);
    list.add("entries", ww_tlb_bits(&cfg, &w));
    list.add_mshrs(mshr_cfg_of(*this), w.va - w.page_shift + w.vmid);
}

tlb::tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
         const stage_name &stage, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), down("down", *this, *this),
      params_(p), causes_(*this, stage), mshr_(mshr_cfg_of(p)), answer_of_(p.mshrs, unknown), fills_(clock),
      lanes_(*this, &down, p.fills)
{
    for (const auto &port : up)
        lanes_.serve(*port);
    down.holds(uint64_t{p.ports} * (p.hit_cycles + p.link_cycles));
    const ww_tlb_cfg cfg = kernel_cfg(p);
    tags_ = blob(ww_tlb_bytes(&cfg));
    if (ww_tlb_init(tags_.as<ww_tlb>(), tags_.bytes(), &cfg) != WW_OK || !mshr_.ok())
        fail("/walkway/tlb", std::string(this->name()) + ": " + p.validate());
    const uint32_t sizes = ww_tlb_probes(tags_.as<ww_tlb>());
    hit_time_ = clock.cycles(p.hit_cycles + uint64_t{p.size_probe_cycles} * (sizes - 1));
}

void tlb::end_of_elaboration()
{
    passes_to_ = params_.victims == 0 ? nullptr : fills_below(down);
}

tlb_stats tlb::stats() const
{
    tlb_stats all = stats_;
    all.stall_below_cycles = down.blocked_ps() / clock().period();
    all.resident = ww_tlb_count(tags_.as<ww_tlb>());
    all.fills_received = lanes_.received();
    all.fills_refused = lanes_.refused();
    all.fills_dropped = lanes_.dropped();
    return all;
}

/* One page of one VM: the smallest configured size names it. */
uint64_t tlb::key(const xlat_request &r) const
{
    const unsigned shift = static_cast<unsigned>(__builtin_ctz(params_.page_sizes));
    return (r.va >> shift) | (uint64_t{r.vmid} << 48);
}

/* Everybody who waits is answered now, for the time at which the answer is here; until then others may join.
 */
void tlb::on_response(xlat_request &r, tick at, unsigned)
{
    /* What is here by now would only grow old: MSHRs are used again while the host's caches know them. */
    commit(now());
    const uint32_t entry = mshr_.find(key(r));
    const tick due = clock().ceil(at);
    answer_of_[entry] = known_.put(known{due, ww_mapping{r.va, r.result, r.vmid}, entry, r.fault});
    fills_.push(due, answer_of_[entry]);
    r.charge(cause::response, due);
    const tick way_up = clock().cycles(params_.response_cycles);
    answer(r, due + way_up);
    mshr_.each_joined(entry, [&](xlat_request *waiter) {
        join(*waiter, entry);
        answer(*waiter, waiter->mark + way_up);
    });
    if (stalled_since_ != never || observed() || passes_to_ != nullptr)
        wake(due);
}

/* Takes the known answer of an entry. */
void tlb::join(xlat_request &r, uint32_t entry)
{
    const known &k = known_[answer_of_[entry]];
    r.result = k.page.xlat;
    r.fault = k.fault;
    if (r.mark < k.at) /* else its own lookup is still under way and ends at its mark */
        r.charge(causes_.merged, k.at);
}

void tlb::answer(xlat_request &r, tick at)
{
    ++stats_.responses;
    up[r.leave()]->respond(r, at);
}

/* False: the page was there already. */
bool tlb::enter(const ww_mapping &page)
{
    ww_mapping victim;
    const ww_store_entered entered =
        ww_tlb_insert(tags_.as<ww_tlb>(), &page, passes_to_ == nullptr ? nullptr : &victim);
    stats_.evictions += entered.victims;
    if (entered.victims != 0 && passes_to_ != nullptr)
        pass(victim);
    return entered.result == WW_STORE_KEPT;
}

/* A level that passes victims wakes whenever it enters something: this is the victim's time. */
void tlb::pass(const ww_mapping &victim)
{
    ++stats_.victims_passed;
    passes_to_->fill(victim.va, victim.vmid, victim.xlat, now() + clock().cycles(1 + params_.link_cycles));
}

/* After the cycle's answers, before its lookups. */
void tlb::serve_lanes(tick now)
{
    lanes_.step(
        now, [this](const ww_inval_scope &s) { drop(s); },
        [this](const xlat_post &p) {
            ++(enter(ww_mapping{p.va, p.page, p.vmid}) ? stats_.fills_kept : stats_.fills_refreshed);
            observe(tlb_events::fill, p.va, p.page.page_shift);
        });
}

/* Answers that come later are new: MSHRs stay. */
void tlb::drop(const ww_inval_scope &scope)
{
    stats_.invalidated += ww_tlb_invalidate(tags_.as<ww_tlb>(), &scope);
}

/* Enters the answers that are here by then. */
void tlb::commit(tick until)
{
    for (uint32_t number = 0; fills_.pop(until, number);) {
        const known k = known_.take(number);
        if (!k.fault) {
            ++stats_.fills;
            stats_.refreshed += enter(k.page) ? 0 : 1;
            observe(tlb_events::fill, k.page.va, k.page.xlat.page_shift);
        }
        answer_of_[k.entry] = unknown;
        mshr_.free(k.entry);
    }
}

/* The oldest request of a port; false when nothing could be done. */
bool tlb::serve(unsigned port, tick now)
{
    xlat_request &r = up[port]->front();
    ww_xlat found;
    if (ww_tlb_lookup(tags_.as<ww_tlb>(), r.va, r.vmid, &found) == WW_TLB_HIT) {
        ++stats_.hits;
        r.result = found;
        r.enter(static_cast<uint8_t>(port));
        r.charge(causes_.queue, now);
        r.charge(causes_.lookup, now + hit_time_);
        observe(tlb_events::hit, r.va, found.page_shift);
        answer(r, now + hit_time_);
    } else {
        const uint64_t k = key(r);
        const uint32_t entry = mshr_.find(k);
        const bool merge = entry != mshr_.none;
        if (merge ? mshr_.no_place() : mshr_.full()) {
            at_merges_ = merge;
            return false;
        }
        if (merge)
            mshr_.join(entry, &r); /* who joins a known answer takes up room */
        else
            mshr_.miss(k, &r);
        r.enter(static_cast<uint8_t>(port));
        r.charge(causes_.queue, now);
        r.charge(causes_.lookup, now + hit_time_);
        observe(merge ? tlb_events::merge : tlb_events::miss, r.va, mshr_.count());
        if (!merge) {
            ++stats_.misses;
            misses_.push_back(&r);
        } else {
            ++stats_.merged;
            if (answer_of_[entry] != unknown) {
                join(r, entry);
                answer(r, r.mark + clock().cycles(params_.response_cycles));
            }
        }
    }
    ++stats_.lookups;
    up[port]->pop();
    return true;
}

void tlb::send_misses(tick now)
{
    const tick soonest = now + clock().period();
    while (!misses_.empty() && down.can_send()) {
        xlat_request &r = *misses_.front();
        misses_.pop_front();
        down.send(r, (r.mark > soonest ? r.mark : soonest) + clock().cycles(params_.link_cycles));
    }
}

void tlb::step(tick now)
{
    commit(now);
    if (lanes_.next() <= now)
        serve_lanes(now);
    if (stalled_since_ != never) {
        const uint64_t cycles = clock().floor_cycle(now - stalled_since_);
        stats_.stall_mshr_cycles += cycles;
        stats_.stall_merges_cycles += at_merges_ ? cycles : 0;
        stalled_since_ = never;
    }
    if (!up.serve(now, params_.ports, [&](unsigned port) { return serve(port, now); }))
        stalled_since_ = now;
    send_misses(now);
    /* A stalled port waits for a fill; without one in sight, on_response() wakes us. */
    const tick next = stalled_since_ != never ? fills_.next() : up.next();
    if (next != never)
        wake(next > now ? next : now + clock().period());
    if (observed() || passes_to_ != nullptr)
        wake(fills_.next());
    lanes_.wake(now);
}

unsigned tlb::debug(xlat_request &r)
{
    if (ww_tlb_probe(tags_.as<ww_tlb>(), r.va, r.vmid, &r.result)) {
        r.fault = false;
        return 1;
    }
    return down->transport_dbg(r);
}

std::string tlb::waiting() const
{
    uint64_t queued = 0;
    for (const auto &port : up)
        queued += port->size();
    const uint32_t used = mshrs_used();
    if (queued == 0 && used == 0)
        return "";
    return std::to_string(queued) + " requests queued, " + std::to_string(used) + " of " +
           std::to_string(params_.mshrs) + " MSHRs in use, " + std::to_string(misses_.size()) +
           " misses wait for the level below" + (down.can_send() ? "" : " (blocked)");
}

void tlb::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        uint64_t queued = 0;
        for (const auto &port : up)
            queued += port->size();
        v.value("queue", 32, queued, "requests accepted from above, those on the wire counted");
        v.value("stalled", 1, stalled_since_ != never, "a request waits only for an MSHR");
        v.value("mshrs", 21, mshr_.count(), "pages in flight below");
        v.value("waiters", 21, mshr_.waiting(), "requests that wait for them");
        v.value("unsent", 32, misses_.size(), "misses that the level below has no room for");
        v.pulse("hit", 7, stats_.hits, "lookups that found the translation");
        v.pulse("miss", 7, stats_.misses, "lookups that go to the level below");
        v.pulse("merge", 7, stats_.merged, "lookups that join a page in flight");
        v.pulse("fill", 16, stats_.fills, "translations entered");
        v.pulse("evict", 16, stats_.evictions, "translations that had to leave for a fill");
    });
}

} // namespace walkway
