/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - behaviour of a TLB level. */
#include "model/tlb.hpp"

#include "kernels/bits.h"

#include <cstdio>

namespace walkway
{

void tlb_params::visit(param_visitor &v)
{
    v.number("entries", entries, {"entries", 1, 1u << 22, "translations held", "[M18] Table I"});
    v.number("ways", ways,
             {"ways", 1, 4096, "associativity; equal to entries: fully associative", "[M18] Table I"});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a page number picks its set", "assumption"});
    v.choice("replace", replace, {"lru", "random"}, {"", 0, 0, "which entry leaves", "assumption"});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from a port to the answer, hit or miss", "[M21] Table 1"});
    v.number("ports", ports, {"lookups a cycle", 1, 64, "lookups that may start in one cycle", "assumption"});
    v.number("mshrs", mshrs,
             {"entries", 1, 1u << 19, "pages that may be in flight below",
              "assumption: one for each lane of each resident wave"});
    v.number("merges", merges,
             {"requests", 1, 1u << 19, "requests that may wait for pages in flight", "assumption"});
    v.number("queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of each requester", "assumption"});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the requester above", "assumption"});
    v.number("link_cycles", link_cycles,
             {"cycles", 0, 100000, "from this level to the one below, for a miss", "assumption"});
    v.number("size_probe_cycles", size_probe_cycles,
             {"cycles", 0, 100000, "more time for each page size beyond the first that has to be probed",
              "assumption"});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of random replacement", "assumption"});
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

void tlb_stats::add(const tlb_stats &o)
{
    lookups += o.lookups;
    hits += o.hits;
    misses += o.misses;
    merged += o.merged;
    fills += o.fills;
    evictions += o.evictions;
    stall_mshr_cycles += o.stall_mshr_cycles;
    responses += o.responses;
}

void tlb_stats::visit(stat_visitor &v) const
{
    v.count("lookups", lookups, "count", "requests that looked the TLB up; = hits + misses + merged");
    v.count("hits", hits, "count", "lookups that found the translation");
    v.count("misses", misses, "count", "lookups that took an MSHR and went to the level below");
    v.count("merged", merged, "count", "lookups that joined a page already in flight below");
    v.count("fills", fills, "count", "translations entered");
    v.count("evictions", evictions, "count", "translations that had to leave for a fill");
    v.count("stall_mshr_cycles", stall_mshr_cycles, "cycles",
            "cycles in which a request waited only for an MSHR");
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
} // namespace

tlb::tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
         const tlb_causes &causes, unsigned requesters, uint32_t wire)
    : block(name, clock), down("down", *this, *this), params_(p), causes_(causes), fills_(clock)
{
    for (unsigned i = 0; i < requesters; ++i)
        up.push_back(std::make_unique<in_port<xlat_protocol>>(("up_" + std::to_string(i)).c_str(), *this,
                                                              *this, p.queue_entries + wire));
    const ww_tlb_cfg cfg = kernel_cfg(p);
    tags_ = blob(ww_tlb_bytes(&cfg));
    const ww_mshr_cfg mshr_cfg = {p.mshrs, p.merges + p.mshrs};
    mshr_ = blob(ww_mshr_bytes(&mshr_cfg));
    if (ww_tlb_init(tags_.as<ww_tlb>(), tags_.bytes(), &cfg) != WW_OK ||
        ww_mshr_init(mshr_.as<ww_mshr>(), mshr_.bytes(), &mshr_cfg) != WW_OK)
        SC_REPORT_FATAL("/walkway/tlb", (std::string(this->name()) + ": " + p.validate()).c_str());
    const uint32_t sizes = ww_tlb_probes(tags_.as<ww_tlb>());
    hit_time_ = clock.cycles(p.hit_cycles + uint64_t{p.size_probe_cycles} * (sizes - 1));
}

/* One page of one VM: the smallest configured size names it. */
uint64_t tlb::key(const xlat_request &r) const
{
    const unsigned shift = static_cast<unsigned>(__builtin_ctz(params_.page_sizes));
    return (r.va >> shift) | (uint64_t{r.vmid} << 48);
}

void tlb::on_response(xlat_request &r, tick at, unsigned)
{
    wake(fills_.push(at, &r));
}

void tlb::answer(xlat_request &r, tick at)
{
    ++stats_.responses;
    up[r.leave()]->respond(r, at);
}

void tlb::fill(xlat_request &r, tick now)
{
    ww_mshr *mshr = mshr_.as<ww_mshr>();
    r.charge(cause::response, now);
    if (!r.fault) {
        ww_tlb_victim victim;
        ++stats_.fills;
        if (ww_tlb_insert(tags_.as<ww_tlb>(), r.va, r.vmid, &r.result, &victim))
            ++stats_.evictions;
        observe(event_kind::tlb_fill, r.va, r.result.page_shift);
    }
    const tick way_up = clock().cycles(params_.response_cycles);
    const uint32_t entry = ww_mshr_find(mshr, key(r));
    for (uint32_t w = ww_mshr_pop(mshr, entry); w != WW_MSHR_NONE; w = ww_mshr_pop(mshr, entry)) {
        xlat_request &waiter = *waiters_.take(w);
        if (&waiter != &r) {
            waiter.result = r.result;
            waiter.fault = r.fault;
            if (waiter.mark < now) /* else its own lookup is still under way and ends at its mark */
                waiter.charge(causes_.merged, now);
        }
        answer(waiter, waiter.mark + way_up);
    }
    ww_mshr_free(mshr, entry);
}

/* The oldest request of a port, if it is here; false when nothing could be done. */
bool tlb::serve(unsigned port, tick now)
{
    ww_mshr *mshr = mshr_.as<ww_mshr>();
    xlat_request &r = up[port]->front();
    const uint64_t k = key(r);
    ww_xlat found;
    if (ww_tlb_lookup(tags_.as<ww_tlb>(), r.va, r.vmid, &found) == WW_TLB_HIT) {
        ++stats_.hits;
        r.result = found;
        r.enter(static_cast<uint8_t>(port));
        r.charge(causes_.queue, now);
        r.charge(causes_.lookup, now + hit_time_);
        observe(event_kind::tlb_hit, r.va, found.page_shift);
        answer(r, now + hit_time_);
    } else {
        uint32_t entry = ww_mshr_find(mshr, k);
        const bool merge = entry != WW_MSHR_NONE;
        if (merge ? mshr->waiting - mshr->count >= params_.merges : ww_mshr_full(mshr))
            return false;
        if (!merge)
            entry = ww_mshr_alloc(mshr, k);
        ww_mshr_add(mshr, entry, waiters_.put(&r));
        r.enter(static_cast<uint8_t>(port));
        r.charge(causes_.queue, now);
        r.charge(causes_.lookup, now + hit_time_);
        observe(merge ? event_kind::tlb_merge : event_kind::tlb_miss, r.va, ww_mshr_count(mshr));
        if (merge) {
            ++stats_.merged;
        } else {
            ++stats_.misses;
            misses_.push_back(&r);
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
    xlat_request *r = nullptr;
    while (fills_.pop(now, r))
        fill(*r, now);
    wake(fills_.next());

    const unsigned ports = static_cast<unsigned>(up.size());
    if (stalled_since_ != never) {
        stats_.stall_mshr_cycles += (now - stalled_since_) / clock().period();
        stalled_since_ = never;
    }
    if (served_at_ != now) {
        served_at_ = now;
        served_ = 0;
    }
    unsigned idle = 0; /* ports in a row that had nothing */
    bool stalled = false;
    while (served_ < params_.ports && idle < ports) {
        if (up[next_port_]->ready(now) && !stalled) {
            if (serve(next_port_, now)) {
                ++served_;
                idle = 0;
            } else {
                stalled = true;
                break;
            }
        } else {
            ++idle;
        }
        next_port_ = next_port_ + 1 == ports ? 0 : next_port_ + 1;
    }
    send_misses(now);
    if (stalled) {
        stalled_since_ = now; /* until a fill frees an MSHR: fills wake us */
        return;
    }
    for (const auto &port : up) {
        const tick next = port->next();
        if (next != never)
            wake(next > now ? next : now + clock().period());
    }
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

} // namespace walkway
