/* SPDX-License-Identifier: MIT */
/* tb/support/foreign_memory.hpp - a foreign memory below a block of ours: it has no clock, its times are
 * between our clock edges, and it answers each transaction in one of the ways that the protocol permits. */
#ifndef WW_TB_SUPPORT_FOREIGN_MEMORY_HPP
#define WW_TB_SUPPORT_FOREIGN_MEMORY_HPP

#include "tb/support/requests.hpp"

#include <set>

namespace walkway::test
{

class foreign_memory final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>
{
public:
    using gp = tlm::tlm_generic_payload;
    enum way : unsigned {
        completed,    /* answered in the call with BEGIN_REQ */
        updated,      /* BEGIN_RESP in the return value, END_RESP later */
        granted,      /* END_REQ in the return value, BEGIN_RESP later */
        granted_late, /* END_REQ later, BEGIN_RESP later still */
        implied,      /* BEGIN_RESP later, which implies END_REQ */
        ways
    };
    tlm::tlm_target_socket<32> up{"up"};
    way only = ways;                    /* `ways`: a random one per transaction */
    uint64_t latency = 20, jitter = 20; /* in cycles of our clock; fractions are possible */
    tick closed_until = 0;              /* sends no END_REQ before */
    std::function<void(gp &)> answer;
    std::function<unsigned(gp &)> on_debug;
    uint64_t taken[ways] = {};
    tick ahead = 0;      /* the most that requesters were ahead of SystemC's time */
    uint64_t waited = 0; /* responses that waited for the END_RESP of an earlier one */

    SC_HAS_PROCESS(foreign_memory);
    explicit foreign_memory(const sc_core::sc_module_name &name = "foreign_memory",
                            const clock_domain & = gpu_clock, uint32_t = 0) /* as in responder */
        : sc_module(name)
    {
        up.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
        SC_METHOD(act);
        sensitive << due_;
        dont_initialize();
        ww_rng_init(&random_, 7);
    }

private:
    using phase_of = std::pair<gp *, tlm::tlm_phase_enum>;

    static sc_core::sc_time ps(tick t) { return time_scale::here().time(t); }
    tick some(tick most) { return ww_rng_below(&random_, static_cast<uint32_t>(most + 1)); }

    tlm::tlm_sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::END_RESP) {
            BOOST_TEST(open_ == &p);
            close();
            return some(1) != 0 ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
        ahead = std::max(ahead, scheduler::here()->now() - simulation_time());
        const tick took = latency * period + some(jitter * period);
        const tick now = simulation_time();
        way how = only != ways ? only : static_cast<way>(some(ways - 1));
        how = now < closed_until ? granted_late : how == updated && open_ != nullptr ? completed : how;
        ++taken[how];
        if (how == completed || how == updated) {
            answer(p);
            delay += ps(took);
            phase = tlm::BEGIN_RESP;
            if (how == completed)
                return tlm::TLM_COMPLETED;
            p.acquire();
            open_ = &p;
            return tlm::TLM_UPDATED;
        }
        p.acquire();
        const tick grant = (now < closed_until ? closed_until - now : 0) + some(8 * period);
        if (how == granted_late)
            later(delay + ps(grant), {&p, tlm::END_REQ});
        later(delay + ps(how == granted_late ? grant + took : took), {&p, tlm::BEGIN_RESP});
        if (how != granted)
            return tlm::TLM_ACCEPTED;
        delay += ps(some(2 * period));
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void later(const sc_core::sc_time &delay, phase_of what)
    {
        queue_.insert({sc_core::sc_time_stamp() + delay, what});
        due_.notify(queue_.begin()->first - sc_core::sc_time_stamp());
    }
    void act()
    {
        while (!queue_.empty() && queue_.begin()->first <= sc_core::sc_time_stamp()) {
            const phase_of next = queue_.begin()->second;
            queue_.erase(queue_.begin());
            if (next.second == tlm::END_REQ) {
                tlm::tlm_phase phase = tlm::END_REQ;
                sc_core::sc_time none;
                up->nb_transport_bw(*next.first, phase, none);
            } else if (open_ != nullptr) {
                ++waited;
                waiting_.push_back(next.first);
            } else {
                respond(*next.first);
            }
        }
        if (!queue_.empty())
            due_.notify(queue_.begin()->first - sc_core::sc_time_stamp());
    }
    void respond(gp &p)
    {
        answer(p);
        open_ = &p;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = ps(some(4 * period));
        const tlm::tlm_sync_enum status = up->nb_transport_bw(p, phase, delay);
        if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            close();
    }
    void close()
    {
        gp *p = open_;
        open_ = nullptr;
        p->release();
        if (waiting_.empty())
            return;
        later(sc_core::SC_ZERO_TIME, {waiting_.front(), tlm::BEGIN_RESP}); /* not within this call */
        waiting_.pop_front();
    }
    void b_transport(gp &p, sc_core::sc_time &delay) override
    {
        answer(p);
        delay += ps(latency * period);
    }
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(gp &p) override { return on_debug ? on_debug(p) : 0; }

    sc_core::sc_event due_{"due"};
    std::multimap<sc_core::sc_time, phase_of> queue_;
    std::deque<gp *> waiting_;
    gp *open_ = nullptr; /* BEGIN_RESP without END_RESP */
    ww_rng random_;
};

} // namespace walkway::test

#endif
