/* SPDX-License-Identifier: MIT */
/* tb/model/link_peers.hpp - the other ends of a link: one of our own blocks, and foreign masters and memories
 * that use the base protocol's other legal ways. */
#ifndef WW_TB_MODEL_LINK_PEERS_HPP
#define WW_TB_MODEL_LINK_PEERS_HPP

#include "tb/support/requests.hpp"

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;

inline tick arrival_after(const sc_core::sc_time &delay)
{
    return time_scale::here().ticks(sc_core::sc_time_stamp() + delay);
}

/* One of our blocks as requester: sends its requests as soon as its port allows. */
struct sender final : block, initiator_of<mem_protocol> {
    out_port<mem_protocol> down{"down", *this, *this};
    std::deque<gp *> queue;
    std::map<gp *, tick> done;
    std::vector<tick> sent;
    tick delay = 0;
    explicit sender(const sc_core::sc_module_name &n = "sender") : block(n, gpu_clock) {}
    void start(tick at) { wake(at); }
    std::string waiting() const override { return ""; }
    void step(tick now) override
    {
        while (!queue.empty() && down.can_send()) {
            gp &p = *queue.front();
            queue.pop_front();
            sent.push_back(now);
            down.send(p, now + delay);
        }
    }
    void on_response(gp &p, tick at, unsigned) override
    {
        BOOST_TEST(done.count(&p) == 0u);
        done[&p] = at;
    }
};

/* A foreign memory: answers in the manner that the test chooses. */
struct foreign_target final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    enum class manner { completed, updated_begin_resp, end_req_later, granted_from_20_ns_on } how;
    tlm::tlm_target_socket<32> up{"up"};
    sc_core::sc_event later{"later"};
    gp *held = nullptr;
    tick ahead = 0; /* separate calls with END_REQ and BEGIN_RESP are this far ahead */
    unsigned end_responses = 0;
    tick ended = 0;                /* the last END_RESP in a separate call */
    std::map<gp *, tick> arrivals; /* BEGIN_REQ plus its delay */

    SC_HAS_PROCESS(foreign_target);
    explicit foreign_target(manner m, const sc_core::sc_module_name &n = "foreign") : sc_module(n), how(m)
    {
        up.bind(*this);
        SC_METHOD(release);
        sensitive << later;
        dont_initialize();
    }
    void release()
    {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = time_scale::here().time(ahead);
        up->nb_transport_bw(*held, phase, delay);
        phase = tlm::BEGIN_RESP;
        delay = time_scale::here().time(ahead + 5000);
        if (up->nb_transport_bw(*held, phase, delay) == tlm::TLM_COMPLETED)
            ++end_responses;
    }
    tlm::tlm_sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::END_RESP) {
            ++end_responses;
            ended = arrival_after(delay);
            return tlm::TLM_COMPLETED;
        }
        arrivals[&p] = arrival_after(delay);
        if (how == manner::granted_from_20_ns_on) {
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            phase = tlm::END_REQ;
            delay += sc_core::sc_time(20, sc_core::SC_NS);
            return tlm::TLM_UPDATED;
        }
        delay += sc_core::sc_time(10, sc_core::SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        if (how == manner::completed)
            return tlm::TLM_COMPLETED;
        if (how == manner::updated_begin_resp) {
            phase = tlm::BEGIN_RESP;
            return tlm::TLM_UPDATED;
        }
        held = &p;
        later.notify(20, sc_core::SC_NS);
        return tlm::TLM_ACCEPTED;
    }
    void b_transport(gp &, sc_core::sc_time &) override {}
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(gp &) override { return 0; }
};

/* A foreign master: takes the first `accepted` responses with TLM_ACCEPTED, the others with TLM_COMPLETED;
 * END_RESP follows 3 ns later. */
struct foreign_initiator final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<32> down{"down"};
    sc_core::sc_event end{"end"};
    unsigned accepted;
    std::vector<gp *> responses;
    std::map<gp *, tick> granted; /* END_REQ in a separate call, plus its delay */
    gp *open = nullptr;

    SC_HAS_PROCESS(foreign_initiator);
    explicit foreign_initiator(unsigned slow, const sc_core::sc_module_name &n = "foreign")
        : sc_module(n), accepted(slow)
    {
        down.bind(*this);
        SC_METHOD(end_response);
        sensitive << end;
        dont_initialize();
    }
    void end_response()
    {
        gp &p = *open;
        open = nullptr;
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time none;
        down->nb_transport_fw(p, phase, none);
    }
    void ask(gp &p, tick in = 0)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = time_scale::here().time(in);
        down->nb_transport_fw(p, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::END_REQ)
            granted[&p] = arrival_after(delay);
        if (phase != tlm::BEGIN_RESP)
            return tlm::TLM_ACCEPTED;
        BOOST_TEST(open == nullptr, "BEGIN_RESP before END_RESP of the one before");
        responses.push_back(&p);
        if (responses.size() > accepted)
            return tlm::TLM_COMPLETED;
        open = &p;
        end.notify(delay + sc_core::sc_time(3, sc_core::SC_NS));
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

} // namespace walkway::test

#endif
