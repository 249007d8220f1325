/* SPDX-License-Identifier: MIT */
/* tb/model/base_protocol_order.hpp - modules that legally leave phases out, and modules that break the base
 * protocol's rules of order and time (1 to 4). */
#ifndef WW_TB_MODEL_BASE_PROTOCOL_ORDER_HPP
#define WW_TB_MODEL_BASE_PROTOCOL_ORDER_HPP

#include "tb/model/base_protocol_peers.hpp"

namespace walkway::test::breaking
{

using tlm::BEGIN_REQ, tlm::BEGIN_RESP, tlm::END_REQ, tlm::END_RESP;
using tlm::TLM_ACCEPTED, tlm::TLM_COMPLETED, tlm::TLM_UPDATED;
using sync_enum = tlm::tlm_sync_enum;

/* A module that breaks RULE, between two that keep all rules. */
template <unsigned RULE, class M> struct by_master {
    static constexpr unsigned rule = RULE;
    using bench = exchange<M, bridge, memory>;
};
template <unsigned RULE, class B, class T = memory> struct by_bridge {
    static constexpr unsigned rule = RULE;
    using bench = exchange<master, B, T>;
};
template <unsigned RULE, class T> struct by_memory {
    static constexpr unsigned rule = RULE;
    using bench = exchange<master, bridge, T>;
};

/* ---- Legal exchanges that leave phases out ---- */

struct memory_that_completes_at_once : memory {
    sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &, sc_core::sc_time &delay) override
    {
        delay += ns(7);
        serve(p);
        return TLM_COMPLETED;
    }
    void grant(gp &) override {}
    void answer(gp &) override {}
};
struct memory_that_grants_at_once : memory {
    sync_enum nb_transport_fw(gp &, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase == END_RESP)
            return TLM_ACCEPTED;
        phase = END_REQ;
        return TLM_UPDATED;
    }
    void grant(gp &) override {}
};
struct memory_that_responds_without_a_grant : memory {
    void grant(gp &p) override { memory::answer(p); }
    void answer(gp &) override {}
};
struct master_without_end : master { /* END_RESP is the return value, or COMPLETED */
    bool updates = false;
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase != BEGIN_RESP)
            return TLM_ACCEPTED;
        p.release();
        phase = END_RESP;
        updates = !updates;
        return updates ? TLM_UPDATED : TLM_COMPLETED;
    }
    void end(gp &) override {}
};
struct master_of_completed : master {
    void end(gp &p) override { p.release(); }
};

/* ---- Rule 1: order of phases ---- */

struct grants_twice : memory {
    void grant(gp &p) override
    {
        memory::grant(p);
        if (p.is_read())
            memory::grant(p);
    }
};
struct grants_after_the_answer : memory {
    void answer(gp &p) override
    {
        memory::answer(p);
        if (p.is_read())
            call(p, END_REQ, 1);
    }
};
struct answers_twice : memory {
    void answer(gp &p) override
    {
        memory::answer(p);
        if (p.is_read())
            memory::answer(p);
    }
};
struct sends_begin_req_back : memory {
    void grant(gp &p) override
    {
        memory::grant(p);
        if (p.is_read())
            call(p, BEGIN_REQ);
    }
};
template <unsigned PHASE> struct updates_to : memory {
    sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase != BEGIN_REQ || p.is_write())
            return memory::nb_transport_fw(p, phase, delay);
        phase = static_cast<tlm::tlm_phase_enum>(PHASE);
        return TLM_UPDATED;
    }
};
struct updates_end_resp : memory {
    sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        return phase == END_RESP && p.is_read() ? TLM_UPDATED : TLM_ACCEPTED;
    }
};
struct sends_again : master {
    void send(gp &p) override
    {
        master::send(p);
        if (p.is_read())
            call(p, BEGIN_REQ, 2);
    }
};
struct ends_before_the_response : master {
    void send(gp &p) override
    {
        master::send(p);
        if (p.is_read())
            call(p, END_RESP, 2);
    }
};
struct sends_end_req_forward : master {
    void send(gp &p) override
    {
        master::send(p);
        if (p.is_read())
            call(p, END_REQ, 2);
    }
};
struct completes_end_req : master {
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        return phase == END_REQ && p.is_read() ? TLM_COMPLETED : TLM_ACCEPTED;
    }
};
struct updates_begin_resp_to_end_req : master {
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase != BEGIN_RESP || p.is_write())
            return TLM_ACCEPTED;
        phase = END_REQ;
        return TLM_UPDATED;
    }
};

/* ---- Rules 2, 3 and 4: exclusion, time ---- */

struct sends_before_the_grant : master {
    gp *first = nullptr;
    gp &make(bool write, uint64_t pa) override
    {
        gp &p = master::make(write, pa);
        if (first != nullptr) { /* sends both at once */
            master::send(*first);
            master::send(p);
        }
        first = &p;
        return p;
    }
    void send(gp &) override {}
};
struct answers_before_the_end : memory {
    gp *first = nullptr;
    void grant(gp &p) override
    {
        memory::grant(p);
        if (first != nullptr)
            memory::answer(*first), memory::answer(p);
        first = &p;
    }
    void answer(gp &) override {}
};
struct grants_before_the_request_arrives : memory {
    sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase != BEGIN_REQ || p.is_write())
            return memory::nb_transport_fw(p, phase, delay);
        delay = sc_core::SC_ZERO_TIME; /* the master annotated 2 ns */
        phase = END_REQ;
        return TLM_UPDATED;
    }
    void grant(gp &p) override
    {
        if (p.is_write())
            memory::grant(p);
    }
};
struct ends_before_the_response_arrives : master {
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase != BEGIN_RESP || p.is_write())
            return TLM_ACCEPTED;
        p.release();
        delay = sc_core::SC_ZERO_TIME; /* the memory annotated 1 ns */
        return TLM_COMPLETED;
    }
    void end(gp &p) override
    {
        if (p.is_write())
            master::end(p);
    }
};

} // namespace walkway::test::breaking

#endif
