/* SPDX-License-Identifier: MIT */
/* model/lent_stage.cpp - behaviour of translations in memory of another owner. */
#include "model/lent_stage.hpp"

#include "model/common/signals.hpp"

#include <utility>

namespace walkway
{

/* No MSHRs: misses are already pending in the TLBs above. */
static miss_limits limits_of(const lent_params &p)
{
    return {1, p.queue_entries, 0, 0, p.cycles + p.wire_cycles, 1, 0};
}

static stage_policy policy_of(const lent_params &p)
{
    stage_policy policy;
    policy.fills = p.fills;
    policy.passes_victims = true;
    policy.keeps_answers = false;
    policy.moves_hits = p.promotion != 0;
    policy.lent = true;
    return policy;
}

lent_stage::lent_stage(const sc_core::sc_module_name &name, const clock_domain &clock, stage_store store,
                       const stage_name &stage, const lent_params &p, unsigned requesters,
                       memory_owner &owner)
    : xlat_stage(name, clock, std::move(store), stage, limits_of(p), policy_of(p),
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters),
      params_(p), owner_(owner), look_time_(hit_time_),
      skip_time_(clock.cycles(uint64_t{p.skip_cycles} + p.wire_cycles)), room_(uint64_t{p.fills} * requesters)
{
    params_.hit_uses *= store_kind().probes(this->store());
}

/* True if a translation may take the port in this cycle. If translations still owe a use of it, that use
 * takes it instead. */
bool lent_stage::port_free(tick now)
{
    if (used_at_ == now || owner_.has_port(now))
        return false;
    if (owed_ == 0)
        return true;
    --owed_;
    used_at_ = now;
    return false;
}

void lent_stage::use_port(tick now, uint32_t uses)
{
    used_at_ = now;
    owed_ = uses - 1;
    port_uses_ += uses;
}

void lent_stage::step(tick now)
{
    wants_port_ = false;
    owner_changes(now);
    xlat_stage::step(now);
    while (!fills_.empty() && port_free(now)) {
        const xlat_post post = fills_.front();
        fills_.pop_front();
        xlat_stage::take_fill(post);
        use_port(now, params_.fill_uses);
    }
    if (owed_ != 0)
        port_free(now);
    if (wants_port_ || owed_ != 0 || !fills_.empty())
        wake(now + clock().period());
    if (next_change() != never)
        wake(next_change());
}

bool lent_stage::serve(unsigned port, tick now)
{
    if (!may_look())
        return false;
    const bool look = may_hold(up[port]->front().va);
    if (look && !port_free(now)) {
        wants_port_ = true;
        return stalls(stall::other);
    }
    hit_time_ = look ? look_time_ : skip_time_;
    if (look)
        use_port(now, params_.hit_uses);
    else
        ++skipped_;
    return xlat_stage::serve(port, now);
}

/* Queues the fill for the port. Invalidates do not wait for the port. */
void lent_stage::take_fill(const xlat_post &post)
{
    if (fills_.size() == room_)
        ++fills_late_;
    else
        fills_.push_back(post);
}

void lent_stage::drop(const ww_inval_scope &scope)
{
    for (uint64_t n = fills_.size(); n != 0; --n) {
        const xlat_post post = fills_.front();
        fills_.pop_front();
        if (ww_inval_covers(&scope, post.va, post.page.page_shift, post.vmid))
            refuse_fill();
        else
            fills_.push_back(post);
    }
    xlat_stage::drop(scope);
}

void lent_stage::visit(stat_visitor &v, tick until) const
{
    xlat_stage::visit(v, until);
    v.count("fills_late", fills_late_, "count",
            "of the fills received, those that found no place to wait for the port, and went nowhere");
    v.count("skipped", skipped_, "count",
            "of the lookups, those that needed no port: the mode said that nothing was here");
    v.count("port_uses", port_uses_, "cycles", "cycles of the port that translations took");
    v.count("stall_port_cycles", stall_cycles(stall::other), "cycles",
            "cycles in which a lookup waited only for the port");
}

void lent_stage::laws(law_list &list) const
{
    stats().laws(list, fills_late_);
}

std::string lent_stage::waiting() const
{
    const std::string above = xlat_stage::waiting();
    if (fills_.empty())
        return above;
    return (above.empty() ? "" : above + ", ") + std::to_string(fills_.size()) + " fills wait for the port";
}

void lent_stage::signals(signal_visitor &visitor) const
{
    xlat_stage::signals(visitor);
    visitor.value("fills", 16, fills_.size(), "victims of levels above that wait for the port");
    visitor.pulse("claim", 12, claimed(), "translations dropped because their memory was wanted");
}

} // namespace walkway
