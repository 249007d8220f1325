/* SPDX-License-Identifier: MIT */
/* model/perfect_tlb.hpp - a rung of the ideal ladder that replaces an L1 TLB: it holds every translation and
 * answers any number of requests after `cycles` (1: a perfect L1; 0: no translation at all). */
#ifndef WALKWAY_MODEL_PERFECT_TLB_HPP
#define WALKWAY_MODEL_PERFECT_TLB_HPP

#include "model/address_space.hpp"
#include "model/common/link.hpp"
#include "model/common/lookups.hpp"
#include "model/common/signals.hpp"
#include "model/common/xlat.hpp"
#include "model/port_translator.hpp"
#include "model/tlb.hpp"

namespace walkway
{

class perfect_tlb final : public block, public target_of<xlat_protocol>
{
public:
    in_ports<xlat_protocol> up;

    perfect_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const address_spaces &spaces,
                const stage_name &stage, uint32_t queue_entries, uint32_t cycles, unsigned requesters = 1)
        : block(name, clock), up(*this, *this, requesters, queue_entries), all_(spaces, clock.cycles(cycles)),
          causes_(*this, stage)
    {
        for (const auto &port : up)
            port->translates(all_);
    }
    const tlb_stats &stats() const { return stats_; }
    void visit(stat_visitor &v, tick) const override { stats_.visit(v); }
    void laws(law_list &list) const override { stats_.laws(list); }
    std::string waiting() const override
    {
        size_t n = 0;
        for (const auto &port : up)
            n += port->size();
        return n == 0 ? "" : std::to_string(n) + " requests queued";
    }
    void signals(signal_visitor &v) const override
    {
        v.pulse("hit", 8, stats_.hits, "translations answered");
        shown_.show(v);
    }

private:
    void step(tick now) override
    {
        const tick at = now + all_.time;
        for (const auto &port : up)
            while (port->ready(now)) {
                xlat_request &r = port->front();
                port->pop();
                ++stats_.lookups;
                ++stats_.hits;
                ++stats_.responses;
                r.charge(causes_.queue, now);
                r.charge(causes_.lookup, at);
                debug(r);
                shown_.looked(r.va, lookup_result::HIT);
                port->respond(r, at);
            }
        wake(up.next());
    }
    unsigned debug(xlat_request &r) override { return debug_by(all_, r, now()); }

    struct every_page final : translator {
        every_page(const address_spaces &all, tick answers_after) : spaces(all), time(answers_after) {}
        now_answer translate_now(const now_request &r, tick t, now_how) override
        {
            now_answer a = {};
            a.fault = !spaces[r.vmid].translate(r.va, &a.xlat);
            a.at = t + time;
            return a;
        }
        void forget_now(const ww_inval_scope &) override {}
        const address_spaces &spaces;
        tick time;
    };
    every_page all_;
    tlb_causes causes_;
    tlb_stats stats_;
    cycle_lookups shown_{*this};
};

} // namespace walkway

#endif
