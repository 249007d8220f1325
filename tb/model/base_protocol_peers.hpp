/* SPDX-License-Identifier: MIT */
/* tb/model/base_protocol_peers.hpp - a master, a bridge and a memory that keep the base protocol's rules.
 * Modules that break a rule override one of their steps. All do one exchange: a write and a read, passed
 * on by the bridge at another address, with END_REQ, BEGIN_RESP and END_RESP each 5 ns after the previous
 * phase. */
#ifndef WW_TB_MODEL_BASE_PROTOCOL_PEERS_HPP
#define WW_TB_MODEL_BASE_PROTOCOL_PEERS_HPP

#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/requests.hpp"

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;

inline sc_core::sc_time ns(double n)
{
    return sc_core::sc_time(n, sc_core::SC_NS);
}

struct master : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<32> down{"down"};
    mem_pool pool;
    explicit master(const sc_core::sc_module_name &n = "master") : sc_module(n) { down.bind(*this); }

    tlm::tlm_sync_enum call(gp &p, tlm::tlm_phase phase, double delay = 0)
    {
        sc_core::sc_time d = ns(delay);
        return down->nb_transport_fw(p, phase, d);
    }
    virtual gp &make(bool write, uint64_t pa)
    {
        mem_line &line = write ? pool.write_data(pa) : pool.read(pa);
        line.data.fill(write ? 0x11 : 0);
        return line;
    }
    virtual void send(gp &p) { call(p, tlm::BEGIN_REQ, 2); }
    virtual void end(gp &p)
    {
        call(p, tlm::END_RESP);
        p.release();
    }
    tlm::tlm_sync_enum nb_transport_bw(gp &, tlm::tlm_phase &, sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/* Passes everything on, at an address higher by `offset`. */
struct bridge : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
    static constexpr uint64_t offset = 1 << 20;
    tlm::tlm_target_socket<32> up{"up"};
    tlm::tlm_initiator_socket<32> down{"down"};
    explicit bridge(const sc_core::sc_module_name &n = "bridge") : sc_module(n)
    {
        up.bind(*this);
        down.bind(*this);
    }
    virtual void handing_down(gp &p) { p.set_address(p.get_address() + offset); }
    virtual void handing_up(gp &p) { p.set_address(p.get_address() - offset); }

    tlm::tlm_sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        const bool request = phase == tlm::BEGIN_REQ;
        if (request)
            handing_down(p);
        const tlm::tlm_sync_enum status = down->nb_transport_fw(p, phase, delay);
        if (request &&
            (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)))
            handing_up(p);
        return status;
    }
    tlm::tlm_sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::BEGIN_RESP)
            handing_up(p);
        return up->nb_transport_bw(p, phase, delay);
    }
    void b_transport(gp &p, sc_core::sc_time &delay) override
    {
        handing_down(p);
        down->b_transport(p, delay);
        handing_up(p);
    }
    unsigned transport_dbg(gp &p) override
    {
        handing_down(p);
        const unsigned bytes = down->transport_dbg(p);
        handing_up(p);
        return bytes;
    }
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        handing_down(p);
        const bool granted = down->get_direct_mem_ptr(p, dmi);
        handing_up(p);
        return granted;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        up->invalidate_direct_mem_ptr(first, last);
    }
};

struct memory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    tlm::tlm_target_socket<32> up{"up"};
    explicit memory(const sc_core::sc_module_name &n = "memory") : sc_module(n) { up.bind(*this); }

    tlm::tlm_sync_enum call(gp &p, tlm::tlm_phase phase, double delay = 0)
    {
        sc_core::sc_time d = ns(delay);
        return up->nb_transport_bw(p, phase, d);
    }
    virtual void serve(gp &p)
    {
        if (p.is_read())
            std::memset(p.get_data_ptr(), 0x22, p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    virtual void grant(gp &p) { call(p, tlm::END_REQ); }
    virtual void answer(gp &p)
    {
        serve(p);
        call(p, tlm::BEGIN_RESP, 1);
    }
    tlm::tlm_sync_enum nb_transport_fw(gp &, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        return phase == tlm::END_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    void b_transport(gp &p, sc_core::sc_time &delay) override
    {
        delay += ns(10);
        serve(p);
    }
    unsigned transport_dbg(gp &p) override
    {
        serve(p);
        return p.get_data_length();
    }
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override { return false; }
};

template <class M, class B, class T> struct exchange {
    simulation sim;
    M from;
    B between;
    T to;
    base_protocol rules;

    exchange()
    {
        base_protocol::interposed = true;
        rules.bind(from.down, between.up);
        rules.bind(between.down, to.up);
    }
    void pass() { sc_core::sc_start(ns(5)); }
    void run()
    {
        pass();
        gp &a = from.make(true, 0), &b = from.make(false, 64);
        for (gp *p : {&a, &b}) {
            from.send(*p);
            pass();
            to.grant(*p);
            pass();
        }
        for (gp *p : {&a, &b}) {
            to.answer(*p);
            pass();
            from.end(*p);
            pass();
        }
        rules.finish();
    }
    void block()
    {
        pass();
        for (const bool write : {true, false}) {
            gp &p = from.make(write, 0);
            sc_core::sc_time delay = ns(1);
            from.down->b_transport(p, delay);
            p.release();
        }
        rules.finish();
    }
    /* Runs one transaction from its request to its end. */
    void whole(gp &p)
    {
        from.send(p);
        pass();
        to.grant(p);
        pass();
        to.answer(p);
        pass();
        from.end(p);
    }
    /* Requires that exactly this rule was reported, once. */
    void names(unsigned rule)
    {
        BOOST_TEST(rules.violations().size() == 1u);
        for (const auto &v : rules.violations())
            BOOST_TEST(v.rule == rule, v.rule << " instead of " << rule << ": " << v.what);
        rules.forget();
    }
};

} // namespace walkway::test

#endif
