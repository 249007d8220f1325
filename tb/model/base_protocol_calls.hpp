/* SPDX-License-Identifier: MIT */
/* tb/model/base_protocol_calls.hpp - modules that break the rules of calls without phases: waiting in them
 * (15), direct memory (19, 20, 22), debug access (23). */
#ifndef WW_TB_MODEL_BASE_PROTOCOL_CALLS_HPP
#define WW_TB_MODEL_BASE_PROTOCOL_CALLS_HPP

#include "tb/model/base_protocol_peers.hpp"

#include <tuple>

namespace walkway::test::breaking
{

struct memory_with_a_pointer : memory {
    unsigned char bytes[4096] = {};
    void serve(gp &p) override
    {
        memory::serve(p);
        p.set_dmi_allowed(true);
    }
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &dmi) override
    {
        dmi.set_dmi_ptr(bytes);
        dmi.set_end_address(bridge::offset + 4095);
        dmi.allow_read_write();
        return true;
    }
    unsigned transport_dbg(gp &p) override { return p.get_data_length(); }
};

/* ---- Rule 15 ---- */

struct waits_in_debug : memory {
    unsigned transport_dbg(gp &) override
    {
        sc_core::wait(ns(1));
        return 64;
    }
};
struct waits_in_direct : memory {
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override
    {
        sc_core::wait(sc_core::SC_ZERO_TIME);
        return false;
    }
};
struct waits_in_nb : memory {
    tlm::tlm_sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &, sc_core::sc_time &delay) override
    {
        sc_core::wait(ns(1));
        serve(p);
        delay += ns(1);
        return tlm::TLM_COMPLETED;
    }
};

/* ---- Rules 20, 22, 23 ---- */

struct ends_before_it_starts : memory_with_a_pointer {
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        memory_with_a_pointer::get_direct_mem_ptr(p, dmi);
        dmi.set_start_address(p.get_address());
        dmi.set_end_address(p.get_address() - 1);
        return true;
    }
};
struct grants_another_range : memory_with_a_pointer {
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        memory_with_a_pointer::get_direct_mem_ptr(p, dmi);
        dmi.set_end_address(p.get_address() - 1); /* an exclusive end */
        return true;
    }
};
struct refuses_another_range : memory {
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        dmi.set_start_address(p.get_address() + 1);
        return false;
    }
};
struct grants_no_pointer : memory_with_a_pointer {
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        memory_with_a_pointer::get_direct_mem_ptr(p, dmi);
        dmi.set_dmi_ptr(nullptr);
        return true;
    }
};
struct grants_writes_only : memory_with_a_pointer {
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        memory_with_a_pointer::get_direct_mem_ptr(p, dmi);
        dmi.allow_write();
        dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_WRITE);
        return true;
    }
};
struct hints_and_refuses : memory_with_a_pointer {
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override { return false; }
};
struct debugs_too_much : memory {
    unsigned transport_dbg(gp &p) override { return p.get_data_length() + 1; }
};

/* ---- The call that breaks the rule ---- */

template <unsigned RULE, class T> struct in_call {
    static constexpr unsigned rule = RULE;
    using bench = exchange<master, bridge, T>;
};
template <unsigned RULE, class T> struct in_debug : in_call<RULE, T> {
    template <class X> static void call(X &t, gp &p) { t.from.down->transport_dbg(p); }
};
template <unsigned RULE, class T> struct in_direct : in_call<RULE, T> {
    template <class X> static void call(X &t, gp &p)
    {
        tlm::tlm_dmi dmi;
        t.from.down->get_direct_mem_ptr(p, dmi);
    }
};
struct in_nb : in_call<15, waits_in_nb> {
    template <class X> static void call(X &t, gp &p) { t.from.call(p, tlm::BEGIN_REQ, 2); }
};
struct in_dirty_descriptor : in_call<19, memory_with_a_pointer> {
    template <class X> static void call(X &t, gp &p)
    {
        tlm::tlm_dmi dmi;
        dmi.set_end_address(7); /* left over from an earlier call */
        t.from.down->get_direct_mem_ptr(p, dmi);
    }
};
struct in_hint : in_call<22, hints_and_refuses> {
    template <class X> static void call(X &t, gp &p)
    {
        tlm::tlm_dmi dmi;
        sc_core::sc_time delay = ns(1);
        t.from.down->b_transport(p, delay);
        t.from.down->get_direct_mem_ptr(p, dmi);
    }
};

using breakers_in_calls =
    std::tuple<in_debug<15, waits_in_debug>, in_direct<15, waits_in_direct>, in_nb, in_dirty_descriptor,
               in_direct<20, ends_before_it_starts>, in_direct<20, grants_another_range>,
               in_direct<20, refuses_another_range>, in_direct<20, grants_no_pointer>,
               in_direct<20, grants_writes_only>, in_hint, in_debug<23, debugs_too_much>>;

} // namespace walkway::test::breaking

#endif
