/* SPDX-License-Identifier: MIT */
/* model/tlb_probe.cpp - behaviour of a stop of the ring on which TLBs probe each other. */
#include "model/tlb_probe.hpp"

#include "model/common/signals.hpp"
#include "model/tlb.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* No MSHRs: misses are already pending in the TLBs above. */
miss_limits limits_of(const tlb_probe_params &p)
{
    return {p.ports, p.queue_entries, 0, 0, p.hit_cycles, p.response_cycles, 0};
}

/* The stop holds pages that neighbours sent until they are requested. Victims from above pass it. */
stage_policy policy_of(const tlb_probe_params &p)
{
    stage_policy policy;
    policy.fills = p.queue_entries;
    policy.passes_victims = policy.passes_fills = true;
    policy.keeps_answers = false;
    policy.moves_hits = true;
    return policy;
}

} // namespace

tlb_probe::tlb_probe(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const tlb_probe_params &p, unsigned requesters, const stage_name &stage)
    : xlat_stage(name, clock, make_tlb_store(p.buffer()), stage, limits_of(p), policy_of(p),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters),
      params_(p), ring_(names()->add(names()->add_track({this, "ring"}), stage.name + "_ring",
                                     "waiting for what neighbours of the " + stage.title + " hold")),
      hop_time_(clock.cycles(p.hop_cycles)),
      look_time_(clock.cycles(p.lookup_cycles)), sides_{side(clock), side(clock)}, account_(names())
{
    if (p.filter_entries != 0)
        filter_ = make_tlb_store(p.filter());
}

void tlb_probe::stands_behind(tlb_probe &stop)
{
    tlb_probe *const other =
        stop.of(direction::right).next == nullptr ? &stop : stop.of(direction::right).next;
    of(direction::left).next = &stop;
    of(direction::right).next = other;
    stop.of(direction::right).next = other->of(direction::left).next = this;
}

/* With an even number of stops, the opposite one is probed in one direction only. A stop below no TLB sends
 * no probes. */
void tlb_probe::end_of_elaboration()
{
    xlat_stage::end_of_elaboration();
    account_.close();
    const auto elsewhere = [&](const tlb *t) {
        return std::none_of(up.begin(), up.end(), [&](const auto &port) {
            return port->source() != nullptr && &port->source()->owner() == t;
        });
    };
    tlbs_.erase(std::remove_if(tlbs_.begin(), tlbs_.end(), elsewhere), tlbs_.end());
    for (tlb *t : tlbs_) {
        runs_after(*t);
        t->shares_ports(*this);
    }
    if (tlbs_.empty())
        return;
    uint32_t others = 0;
    for (tlb_probe *s = of(direction::right).next; s != nullptr && s != this;
         s = s->of(direction::right).next)
        ++others;
    of(direction::right).reach = std::min(params_.hops, (others + 1) / 2);
    of(direction::left).reach = std::min(params_.hops, others / 2);
}

/* Counts only probes from earlier cycles: a TLB may ask before those of this cycle arrive. */
uint32_t tlb_probe::takes_ports(tick now)
{
    if (taken_at_ != now) {
        taken_at_ = now;
        const auto first = static_cast<probe_priority>(params_.priority) == probe_priority::probes;
        taken_ = first ? static_cast<uint32_t>(std::min<uint64_t>(looks_.size(), params_.ports)) : 0;
    }
    return taken_;
}

uint32_t tlb_probe::ports_for_probes(tick now) const
{
    if (static_cast<probe_priority>(params_.priority) == probe_priority::probes)
        return taken_;
    uint32_t left = params_.ports;
    for (const tlb *t : tlbs_)
        left = std::min(left, t->ports_left(now));
    return left;
}

void tlb_probe::step(tick now)
{
    takes_ports(now);
    look(now);
    for (const direction d : {direction::right, direction::left})
        take_messages(d, now);
    xlat_stage::step(now);
    send_messages(now);
    const tick next = now + clock().period();
    if (!looks_.empty())
        wake(next);
    for (const side &s : sides_) {
        wake(s.in.next());
        wake(s.out.next() > now ? s.out.next() : next);
    }
}

/* Runs once per cycle, after the TLBs' own steps. */
void tlb_probe::look(tick now)
{
    if (looked_at_ == now)
        return;
    looked_at_ = now;
    for (uint32_t ports = ports_for_probes(now); ports != 0 && !looks_.empty(); --ports) {
        const message probe = looks_.front();
        looks_.pop_front();
        --messages_;
        probes_.port_wait_cycles += clock().floor_cycle(now - probe.since) - 1;
        ++probes_.looked;
        const now_request of = {probe.page.va, probe.page.vmid};
        ww_xlat page{};
        const bool found = !invalidating() && std::any_of(tlbs_.begin(), tlbs_.end(),
                                                          [&](const tlb *t) { return t->holds(of, &page); });
        probes_.looked_found += found;
        probes_.looked_pending +=
            !found && std::any_of(tlbs_.begin(), tlbs_.end(), [&](const tlb *t) { return t->waits_for(of); });
        answer_probe(probe, found ? &page : nullptr, now + look_time_);
    }
}

void tlb_probe::answer_probe(const message &probe, const ww_xlat *page, tick at)
{
    message m = probe;
    m.kind = message_kind::answer;
    m.to = probe.to == direction::right ? direction::left : direction::right;
    m.to_go = probe.away;
    m.found = page != nullptr;
    if (m.found)
        m.page.xlat = *page;
    m.invalidates = invalidates_;
    send_on(m.to, m, at);
}

void tlb_probe::send_on(direction to, const message &m, tick at)
{
    ++messages_;
    of(to).out.push(at, m);
}

void tlb_probe::send_round(message m, tick at)
{
    for (const direction d : {direction::right, direction::left}) {
        m.to = d;
        m.to_go = of(d).reach;
        if (m.to_go != 0)
            send_on(d, m, at);
    }
}

/* Sends one message per cycle and direction. */
void tlb_probe::send_messages(tick now)
{
    for (side &s : sides_) {
        message m;
        if (s.sent_at == now || !s.out.pop(now, m))
            continue;
        s.sent_at = now;
        --messages_;
        ++probes_.hops;
        ++s.next->messages_;
        s.next->wake(s.next->of(m.to).in.push(now + hop_time_, m));
    }
}

void tlb_probe::take_messages(direction to, tick now)
{
    for (message m; of(to).in.pop(now, m);) {
        --messages_;
        take(to, m, now);
    }
}

/* A message with stops left is sent on at once. */
void tlb_probe::take(direction to, message m, tick now)
{
    --m.to_go;
    ++m.away;
    if (m.to_go != 0)
        send_on(to, m, now);
    if (m.kind == message_kind::answer) {
        if (m.to_go == 0)
            take_answer(m, now);
        return;
    }
    if (m.kind == message_kind::copy) {
        const bool fresh = m.invalidates >= invalidates_;
        ++(fresh ? probes_.copies_taken : probes_.copies_overtaken);
        if (fresh)
            enter(m.page);
        return;
    }
    if (params_.filter_entries != 0) {
        ww_xlat nothing{};
        filter_.kind->take(filter_.storage.as<void>(), region(m.page.va), m.page.vmid, &nothing);
    }
    if (looks_.size() == params_.waits) {
        ++probes_.turned_away;
        answer_probe(m, nullptr, now);
        return;
    }
    m.since = now;
    looks_.push_back(m);
    ++messages_;
}

/* A page found before an invalidate that has since passed here may be stale, and is not taken. */
void tlb_probe::take_answer(const message &m, tick now)
{
    asking &a = misses_[m.miss];
    const bool fresh = m.found && m.invalidates >= invalidates_;
    ++probes_.answers;
    probes_.overtaken += m.found && !fresh;
    --a.due;
    a.any = a.any || fresh;
    if (a.waits != nullptr && (fresh || (a.due == 0 && !a.below))) {
        xlat_request &r = *a.waits;
        a.waits = nullptr;
        r.charge(ring_, now);
        if (fresh) {
            ++probes_.found;
            counted().hits += !a.below;
            observe(tlb_probe_events::found, r.va, m.away);
            r.result = m.page.xlat;
            answer(r, now + way_up_);
        } else {
            ++probes_.nothing;
            ++counted().misses;
            go_down(r, now);
        }
    }
    if (a.due == 0 && !a.any && params_.filter_entries != 0) {
        const ww_mapping nobody_has = {region(m.page.va), {0, WW_PAGE_4K, 0}, m.page.vmid};
        filter_.kind->insert(filter_.storage.as<void>(), &nobody_has, nullptr);
    }
    end_if_done(m.miss);
}

void tlb_probe::end_if_done(uint32_t miss)
{
    const asking &a = misses_[miss];
    if (a.waits == nullptr && a.due == 0 && !a.below)
        misses_.take(miss);
}

bool tlb_probe::may_ask(const xlat_request &r)
{
    ww_xlat nothing{};
    if (of(direction::right).reach == 0)
        ++probes_.not_alone;
    else if (params_.filter_entries != 0 &&
             filter_.kind->lookup(filter_.storage.as<void>(), region(r.va), r.vmid, &nothing))
        ++probes_.not_filter;
    else if (misses_.live() == params_.in_flight)
        ++probes_.not_room;
    else
        return true;
    return false;
}

bool tlb_probe::serve(unsigned port, tick now)
{
    if (!may_look())
        return false;
    xlat_request &r = up[port]->front();
    ww_xlat sent{};
    const bool ahead = holds({r.va, r.vmid}, &sent);
    probes_.ahead += ahead;
    if (ahead || !may_ask(r))
        return xlat_stage::serve(port, now);
    ask(r, port, now);
    ++counted().lookups;
    up[port]->pop();
    return true;
}

void tlb_probe::ask(xlat_request &r, unsigned port, tick now)
{
    start(r, port, now);
    const uint32_t due = of(direction::right).reach + of(direction::left).reach;
    const uint32_t miss = misses_.put({&r, due, params_.asks_beside(), false});
    ++probes_.probed;
    probes_.asked += due;
    observe(tlb_probe_events::probe, r.va, misses_.live());
    message m{};
    m.kind = message_kind::probe;
    m.miss = miss;
    m.page = {r.va, {}, r.vmid};
    send_round(m, r.mark);
    if (!params_.asks_beside())
        return;
    xlat_request &own = requests_.take();
    own.va = r.va;
    own.vmid = r.vmid;
    own.cu = r.cu;
    own.instruction = r.instruction;
    own.access = r.access;
    own.owner = miss;
    own.start(r.mark);
    ++counted().misses;
    pend(room(0), own, own, r.mark); /* room() ignores its key, since there are no MSHRs */
}

/* The level below has answered a request sent along with probes: this answers the miss, unless a neighbour
 * has. */
void tlb_probe::came_back(xlat_request &own, tick at)
{
    const uint32_t miss = own.owner;
    asking &a = misses_[miss];
    a.below = false;
    if (a.waits != nullptr) {
        xlat_request &r = *a.waits;
        a.waits = nullptr;
        r.result = own.result;
        r.fault = own.fault;
        own.each_segment([&](cause c, tick ps) { r.charge_part(c, ps); });
        ++(a.due == 0 ? probes_.nothing : probes_.beaten);
        answer(r, at + way_up_);
    } else {
        own.charge(cause::response, at);
        const tick sum = account_.add(own);
        ++probes_.in_vain;
        probes_.latency_ps += at - own.issued;
        probes_.unaccounted += with_account && sum != at - own.issued;
    }
    requests_.give(own);
    end_if_done(miss);
}

/* An answer of the level below is held above, not here. Stops with entries send copies to neighbours. */
bool tlb_probe::keeps(uint32_t, const ww_mapping &page)
{
    if (params_.entries != 0) {
        message m{};
        m.kind = message_kind::copy;
        m.page = page;
        m.invalidates = invalidates_;
        send_round(m, now());
        probes_.copies += of(direction::right).reach + of(direction::left).reach;
    }
    return false;
}

void tlb_probe::drop(const ww_inval_scope &scope)
{
    ++invalidates_;
    xlat_stage::drop(scope);
}

std::string tlb_probe::waiting() const
{
    const std::string above = xlat_stage::waiting();
    if (misses_.live() == 0 && messages_ == 0)
        return above;
    return (above.empty() ? "" : above + ", ") + std::to_string(misses_.live()) + " misses ask neighbours, " +
           std::to_string(messages_) + " messages are on the ring";
}

void tlb_probe::visit(stat_visitor &v, tick until) const
{
    xlat_stage::visit(v, until);
    const tlb_probe_stats &s = probes_;
    v.count("probed", s.probed, "count", "misses that asked neighbours; = found + nothing + beaten");
    v.count("found", s.found, "count", "of those, answered by a neighbour");
    v.count("nothing", s.nothing, "count", "of those, no neighbour had the page");
    v.count("beaten", s.beaten, "count",
            "of those, answered by the level below, asked at the same time, before the last neighbour");
    v.count("ahead", s.ahead, "count", "lookups that found what a neighbour had sent ahead");
    v.count("not_asked_alone", s.not_alone, "count", "lookups that asked no neighbour since there is none");
    v.count("not_asked_filter", s.not_filter, "count",
            "lookups that asked no neighbour since none had anything in that region");
    v.count("not_asked_room", s.not_room, "count",
            "lookups that asked no neighbour since as many as may were asking");
    v.count("stops_asked", s.asked, "count", "neighbours that were asked; = stop_answers");
    v.count("stop_answers", s.answers, "count",
            "answers of neighbours that came back, with a page or without");
    v.count("overtaken", s.overtaken, "count",
            "of those, with a page that was not taken: an invalidate had passed meanwhile");
    v.count("probe_lookups", s.looked, "count", "lookups of neighbours' probes in TLBs above a stop");
    v.count("probe_hits", s.looked_found, "count", "of those, that found the page");
    v.count("probe_pending", s.looked_pending, "count",
            "of those that did not, that met a TLB which waits for that page itself");
    v.count("turned_away", s.turned_away, "count", "probes that found as many waiting for a port as may");
    v.count("port_wait_cycles", s.port_wait_cycles, "cycles", "cycles that probes waited for a port");
    v.count("copies", s.copies, "count", "translations sent ahead, one for each neighbour");
    v.count("copies_taken", s.copies_taken, "count", "translations sent ahead that came; = fills");
    v.count("copies_overtaken", s.copies_overtaken, "count",
            "translations sent ahead that were thrown away: an invalidate had passed meanwhile");
    v.count("hops", s.hops, "count", "messages that went from one stop to the next");
    v.count("in_vain", s.in_vain, "count",
            "requests to the level below whose miss a neighbour had answered when they came back");
    v.begin("account", "where the time of requests in vain went; the sum is translation_cycles");
    account_.visit(v, {}, s.latency_ps, clock().period());
    v.end();
}

void tlb_probe::laws(law_list &list) const
{
    xlat_stage::laws(list);
    const tlb_probe_stats &s = probes_;
    list.add("lookups = ahead + probed + not asked", stats().lookups,
             s.ahead + s.probed + s.not_alone + s.not_filter + s.not_room);
    list.add("probed = found + nothing + beaten", s.probed, s.found + s.nothing + s.beaten);
    list.add("stops_asked = stop_answers", s.asked, s.answers);
    list.add("copies_taken = fills", s.copies_taken, stats().fills);
    list.add("requests in vain whose causes miss their latency", s.unaccounted, 0);
}

void tlb_probe::signals(signal_visitor &visitor) const
{
    xlat_stage::signals(visitor);
    visitor.show([&](auto &v) {
        v.value("asking", 13, misses_.live(), "misses that are asking neighbours");
        v.value("waits", 13, looks_.size(), "probes that wait for a port");
        v.value("messages", 16, messages_, "messages here, or on the way here");
        v.pulse("probe", 7, probes_.probed, "misses that ask neighbours");
        v.pulse("found", 7, probes_.found, "misses that a neighbour has answered");
        v.pulse("look", 7, probes_.looked, "lookups of neighbours' probes");
    });
}

} // namespace walkway
