/* SPDX-License-Identifier: MIT */
/* model/iommu_tlb.cpp - behaviour of an IOMMU's TLBs. */
#include "model/iommu_tlb.hpp"

#include "model/common/signals.hpp"

namespace walkway
{

void iommu_tlb_stats::visit(stat_visitor &v) const
{
    v.count("requests", requests, "count", "requests that looked the IOMMU's TLBs up");
    v.count("tlb1_hits", tlb1_hits, "count", "hits in the first TLB");
    v.count("tlb2_hits", tlb2_hits, "count", "misses in the first that hit in the second TLB");
    v.count("tlb_misses", tlb_misses, "count", "requests that need a walk");
    v.count("stall_backlog_cycles", stall_backlog_cycles, "cycles",
            "cycles in which a miss stood outside the full queue of the walk unit, and no lookup started");
    v.count("invalidated", invalidated, "count", "entries of both TLBs that an invalidate dropped");
    v.count("responses", responses, "count", "requests answered; = requests at the end of a run");
}

iommu_tlb::causes::causes(const block &owner, const stage_name &stage)
{
    account_names &names = *owner.names();
    const uint32_t track = names.add_track({&owner, ""});
    queue = names.add(track, stage.name + "_queue",
                      "on the link to the " + stage.title + " and waiting for a port of its TLBs");
    lookup = names.add(track, stage.name + "_lookup", stage.title + " TLB lookup");
}

iommu_tlb::iommu_tlb(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const iommu_tlb_params &p, unsigned requesters, const stage_name &stage)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), down("down", *this, *this),
      params_(p), causes_(*this, stage), below_(down),
      held_(p.first(clock), p.second(clock), clock, clock.cycles(p.response_cycles), below_), answers_(clock),
      lanes_(*this, &down, 0), shown_(*this, p.ports)
{
    if (!p.present())
        fail("/walkway/iommu_tlb", std::string(this->name()) + ": neither TLB has an entry");
    down.holds(p.holds());
    for (const auto &port : up) {
        lanes_.serve(*port);
        port->translates(held_);
    }
}

iommu_tlb_stats iommu_tlb::stats() const
{
    iommu_tlb_stats all = stats_;
    all.stall_backlog_cycles = down.blocked_ps() / clock().period();
    return all;
}

void iommu_tlb::laws(law_list &list) const
{
    const iommu_tlb_stats &s = stats_;
    list.add("requests = hits + misses", s.requests, s.tlb1_hits + s.tlb2_hits + s.tlb_misses);
    list.add("every request answered", s.requests, s.responses);
}

bool iommu_tlb::look_up(unsigned port, tick now)
{
    if (!down.can_send())
        return false;
    xlat_request &r = up[port]->front();
    up[port]->pop();
    ++stats_.requests;
    r.charge(causes_.queue, now);
    ww_xlat found;
    const array_pair_translator::hit where = held_.find({r.va, r.vmid}, &found);
    const tick at = held_.looked_up(where, now);
    r.charge(causes_.lookup, at);
    shown_.looked(r.va, where == array_pair_translator::miss ? lookup_result::MISS : lookup_result::HIT);
    if (where == array_pair_translator::miss) {
        ++stats_.tlb_misses;
        r.enter(static_cast<uint8_t>(port));
        down.send(r, at);
        return true;
    }
    ++(where == array_pair_translator::first ? stats_.tlb1_hits : stats_.tlb2_hits);
    r.result = found;
    r.fault = false;
    ++stats_.responses;
    up[port]->respond(r, at + clock().cycles(params_.response_cycles));
    return true;
}

/* Runs after the walk unit, which may answer in no time, so that lookups find the answers of their cycle. */
void iommu_tlb::end_of_elaboration()
{
    if (down.target() != nullptr)
        runs_after(down.target()->owner());
}

void iommu_tlb::on_response(xlat_request &r, tick at, unsigned)
{
    wake(answers_.push(at, &r));
}

void iommu_tlb::enter(const ww_mapping &page)
{
    left_.clear();
    held_.enter(page, sampled() ? &left_ : nullptr);
    for (const ww_mapping &gone : left_)
        shown_.left(gone.va);
}

void iommu_tlb::take_answers(tick now)
{
    for (xlat_request *r = nullptr; answers_.pop(now, r);) {
        if (!r->fault)
            enter(ww_mapping{r->va, r->result, r->vmid});
        ++stats_.responses;
        up[r->leave()]->respond(*r, now + clock().cycles(params_.response_cycles));
    }
}

void iommu_tlb::step(tick now)
{
    take_answers(now);
    if (lanes_.next() <= now)
        lanes_.step(
            now, [this](const ww_inval_scope &s) { stats_.invalidated += held_.drop(s); },
            [](const xlat_post &) {});
    up.serve(now, params_.ports, [&](unsigned port) { return look_up(port, now); });
    const tick next = up.next();
    if (next != never && down.can_send()) /* otherwise END_REQ wakes this block */
        wake(next > now ? next : now + clock().period());
    wake(answers_.next());
    lanes_.wake(now);
}

unsigned iommu_tlb::debug(xlat_request &r)
{
    return debug_by(held_, r, now());
}

size_t iommu_tlb::queued() const
{
    size_t n = 0;
    for (const auto &port : up)
        n += port->size();
    return n;
}

std::string iommu_tlb::waiting() const
{
    if (queued() == 0)
        return "";
    return std::to_string(queued()) + " requests queued" +
           (down.can_send() ? "" : ", the walk unit has no room");
}

void iommu_tlb::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("queue", 32, queued(), "requests accepted from above, those on the wire counted");
        v.pulse("hit_1", 8, stats_.tlb1_hits, "lookups that hit the first level");
        v.pulse("hit_2", 8, stats_.tlb2_hits, "lookups that hit the second level");
        v.pulse("miss", 8, stats_.tlb_misses, "lookups that need a walk");
        shown_.show(v);
        shown_.show_victim(v);
    });
}

} // namespace walkway
