/* SPDX-License-Identifier: MIT */
/* tb/model/base_protocol_contents.hpp - modules that break the rules on a transaction's owner, contents and
 * path (5 to 13). */
#ifndef WW_TB_MODEL_BASE_PROTOCOL_CONTENTS_HPP
#define WW_TB_MODEL_BASE_PROTOCOL_CONTENTS_HPP

#include "tb/model/base_protocol_order.hpp"

namespace walkway::test::breaking
{

/* ---- Rules 5, 6 and 7: the owner of a transaction ---- */

struct has_no_memory_manager : master {
    gp plain;
    unsigned char bytes[64] = {};
    gp &make(bool write, uint64_t pa) override
    {
        if (write)
            return master::make(write, pa);
        plain.set_read();
        plain.set_address(pa);
        plain.set_data_ptr(bytes);
        plain.set_data_length(64);
        plain.set_streaming_width(64);
        return plain;
    }
    void end(gp &p) override { p.has_mm() ? master::end(p) : void(call(p, END_RESP)); }
};
struct holds_no_reference final : master, tlm::tlm_mm_interface {
    gp plain{this};
    unsigned char bytes[64] = {};
    void free(gp *p) override { p->reset(); }
    gp &make(bool write, uint64_t pa) override
    {
        if (write)
            return master::make(write, pa);
        plain.set_data_ptr(bytes);
        plain.set_data_length(64);
        plain.set_streaming_width(64);
        plain.set_read();
        return plain;
    }
    void end(gp &p) override { p.is_write() ? master::end(p) : void(call(p, END_RESP)); }
};
struct gives_back_too_early : master {
    void send(gp &p) override
    {
        master::send(p);
        if (p.is_read())
            p.release();
    }
    void end(gp &p) override
    {
        if (p.is_write())
            master::end(p);
    }
};
struct gives_back_before_end_resp : master {
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase == BEGIN_RESP && p.is_read())
            p.release();
        return TLM_ACCEPTED;
    }
    void end(gp &p) override
    {
        if (p.is_write())
            master::end(p);
    }
};
struct never_gives_back : master { /* as if END_RESP returned by an unexpected path */
    void end(gp &p) override { p.is_write() ? master::end(p) : void(call(p, END_RESP)); }
};
struct keeps_a_reference : memory {
    void answer(gp &p) override
    {
        if (p.is_read())
            p.acquire();
        memory::answer(p);
    }
};
struct sends_anew_before_the_end : master {
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
    {
        if (phase == BEGIN_RESP && p.is_read())
            call(p, BEGIN_REQ, 1);
        return TLM_ACCEPTED;
    }
};

/* ---- Rule 8: how a transaction begins ---- */

template <unsigned N> struct begins_wrong : master {
    static inline unsigned char enable[1] = {TLM_BYTE_ENABLED};
    gp &make(bool write, uint64_t pa) override
    {
        gp &p = master::make(write, pa);
        if (write)
            return p;
        switch (N) {
        case 0:
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            break;
        case 1:
            p.set_dmi_allowed(true);
            break;
        case 2:
            p.set_data_length(0);
            break;
        case 3:
            p.set_streaming_width(0);
            break;
        case 4:
            p.set_data_ptr(nullptr);
            break;
        case 5:
            p.set_byte_enable_ptr(enable);
            p.set_byte_enable_length(0);
            break;
        default:
            p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
        }
        return p;
    }
};
struct careful_memory : memory { /* for transactions without data */
    void serve(gp &p) override { p.set_response_status(tlm::TLM_OK_RESPONSE); }
};
template <unsigned N> struct begins_wrongly {
    static constexpr unsigned rule = 8;
    using bench = exchange<begins_wrong<N>, bridge, careful_memory>;
};

/* ---- Rules 9 to 12: what may change ---- */

struct says_nothing : memory {
    void serve(gp &p) override
    {
        if (p.is_write())
            memory::serve(p);
    }
};
struct refuses_reads : memory {
    void serve(gp &p) override
    {
        memory::serve(p);
        if (p.is_read())
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
};
struct says_ok_itself : bridge {
    void handing_up(gp &p) override
    {
        bridge::handing_up(p);
        if (p.is_read())
            p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};
struct changes_what_was_read : bridge {
    void handing_up(gp &p) override
    {
        bridge::handing_up(p);
        if (p.is_read())
            p.get_data_ptr()[3] = 0x77;
    }
};
/* Changes the N-th attribute that no module may change: data and byte enables of the write, others of the
 * read. */
template <unsigned N> void change(gp &p)
{
    static unsigned char other[64];
    if ((N >= 6) != p.is_write())
        return;
    switch (N) {
    case 0:
        p.set_command(tlm::TLM_IGNORE_COMMAND);
        break;
    case 1:
        p.set_data_ptr(other);
        break;
    case 2:
        p.set_data_length(32);
        break;
    case 3:
        p.set_byte_enable_ptr(other);
        break;
    case 4:
        p.set_byte_enable_length(8);
        break;
    case 5:
        p.set_streaming_width(32);
        break;
    case 6:
        p.get_data_ptr()[5] = 0x77;
        break;
    default:
        p.get_byte_enable_ptr()[7] = TLM_BYTE_ENABLED;
    }
}
struct enables_of_its_own : master { /* the pool's are shared and constant */
    std::array<unsigned char, 64> enables{};
    gp &make(bool write, uint64_t pa) override
    {
        gp &p = master::make(write, pa);
        if (write)
            p.set_byte_enable_ptr(enables.data());
        return p;
    }
};
template <unsigned N> struct bridge_that_changes : bridge {
    void handing_down(gp &p) override
    {
        bridge::handing_down(p);
        change<N>(p);
    }
};
template <unsigned N> struct memory_that_changes : memory {
    void serve(gp &p) override
    {
        memory::serve(p);
        change<N>(p);
    }
};
template <unsigned N> struct master_that_changes : enables_of_its_own {
    void send(gp &p) override
    {
        master::send(p);
        change<N>(p);
    }
};
template <unsigned N> struct changed_by_bridge {
    static constexpr unsigned rule = 11;
    using bench = exchange<enables_of_its_own, bridge_that_changes<N>, memory>;
};
template <unsigned N> struct changed_by_memory {
    static constexpr unsigned rule = 11;
    using bench = exchange<enables_of_its_own, bridge, memory_that_changes<N>>;
};
struct leaves_its_own_address : bridge {
    void handing_up(gp &p) override
    {
        if (p.is_write())
            bridge::handing_up(p);
    }
};
struct moves_the_address : memory {
    void serve(gp &p) override
    {
        memory::serve(p);
        if (p.is_read())
            p.set_address(p.get_address() + 8);
    }
};

/* ---- Rule 13: the return path ---- */

struct acknowledges_early : bridge {
    sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        const bool early = phase == BEGIN_REQ && p.is_read();
        const sync_enum status = bridge::nb_transport_fw(p, phase, delay);
        if (early) {
            handing_up(p);
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            tlm::tlm_phase answer = BEGIN_RESP;
            up->nb_transport_bw(p, answer, delay);
        }
        return status;
    }
    sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        return phase == BEGIN_RESP && p.is_read() ? TLM_COMPLETED : bridge::nb_transport_bw(p, phase, delay);
    }
};
struct by_early_bridge {
    static constexpr unsigned rule = 13;
    using bench = exchange<master_without_end, acknowledges_early, memory>;
};

/* A memory with two sockets that answers through the other one. */
struct answers_elsewhere : memory {
    tlm::tlm_target_socket<32> other{"other"};
    explicit answers_elsewhere(const sc_core::sc_module_name &n) : memory(n)
    {
        other.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
    }
    void call_other(gp &p, tlm::tlm_phase phase)
    {
        sc_core::sc_time delay = ns(2);
        other->nb_transport_bw(p, phase, delay);
    }
};

/* ---- Without phases ---- */

struct takes_time_back : memory {
    void b_transport(gp &p, sc_core::sc_time &delay) override
    {
        serve(p);
        if (p.is_read())
            delay = sc_core::SC_ZERO_TIME;
    }
};

} // namespace walkway::test::breaking

#endif
