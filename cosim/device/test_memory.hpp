/* SPDX-License-Identifier: MIT */
/* device/test_memory.hpp - bytes behind sockets of the base protocol, for examples and for tests of foreign
 * modules: blocking calls, four phases (END_REQ in the return value, BEGIN_RESP after the latency, one at a
 * time per socket), debug access and direct memory. An access outside of it is an address error. */
#ifndef WALKWAY_DEVICE_TEST_MEMORY_HPP
#define WALKWAY_DEVICE_TEST_MEMORY_HPP

#include "device/at_agenda.hpp"

#include <tlm>

#include <cstring>
#include <deque>
#include <memory>

namespace walkway
{

template <unsigned BUSWIDTH = 32> class test_memory : public sc_core::sc_module
{
public:
    using payload = tlm::tlm_generic_payload;
    sc_core::sc_vector<tlm::tlm_target_socket<BUSWIDTH>> up;
    std::vector<unsigned char> bytes; /* from address 0 on */
    sc_core::sc_time latency;         /* of each access; accesses do not wait for each other */
    uint64_t accesses = 0;            /* without debug access */

    test_memory(const sc_core::sc_module_name &name, uint64_t size, const sc_core::sc_time &l,
                unsigned sockets = 1)
        : sc_module(name), up("up", sockets), bytes(size), latency(l)
    {
        for (auto &socket : up) {
            sides_.push_back(std::make_unique<side>(*this, socket));
            socket.bind(*sides_.back());
        }
    }
    /* Writes or reads 8 bytes, little-endian. Throws std::out_of_range outside the memory. */
    void put(uint64_t at, uint64_t word) { std::memcpy(&bytes.at(at + 7) - 7, &word, 8); }
    uint64_t get(uint64_t at) const
    {
        uint64_t word;
        std::memcpy(&word, &bytes.at(at + 7) - 7, 8);
        return word;
    }

protected:
    /* Performs an access. Returns its response status. */
    virtual tlm::tlm_response_status serve(payload &p)
    {
        const uint64_t at = p.get_address(), n = p.get_data_length(), width = p.get_streaming_width();
        if (n == 0 || width == 0 || p.get_data_ptr() == nullptr)
            return tlm::TLM_GENERIC_ERROR_RESPONSE;
        const unsigned char *enables = p.get_byte_enable_ptr();
        if (enables != nullptr && p.get_byte_enable_length() == 0)
            return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        const uint64_t span = width < n ? width : n;
        if (span > bytes.size() || at > bytes.size() - span)
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        for (uint64_t i = 0; i < n && p.get_command() != tlm::TLM_IGNORE_COMMAND; ++i) {
            if (enables != nullptr && enables[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
                continue;
            unsigned char &here = bytes[at + i % width], &there = p.get_data_ptr()[i];
            (p.is_read() ? there : here) = p.is_read() ? here : there;
        }
        return tlm::TLM_OK_RESPONSE;
    }
    virtual void block(payload &p, sc_core::sc_time &delay)
    {
        ++accesses;
        delay += latency;
        p.set_response_status(serve(p));
    }
    virtual unsigned debug(payload &p)
    {
        p.set_response_status(serve(p));
        return p.is_response_ok() ? p.get_data_length() : 0;
    }
    virtual bool direct(payload &p, tlm::tlm_dmi &dmi)
    {
        const bool here = p.get_address() < bytes.size();
        dmi.set_start_address(here ? 0 : bytes.size());
        dmi.set_end_address(here ? bytes.size() - 1 : UINT64_MAX);
        if (!here)
            return false;
        dmi.set_dmi_ptr(bytes.data());
        dmi.allow_read_write();
        dmi.set_read_latency(latency);
        dmi.set_write_latency(latency);
        return true;
    }
    /* Sends the response of a transaction in phases, when it is due. */
    virtual void respond(unsigned socket, payload &p) { sides_[socket]->respond(p); }

private:
    struct side final : tlm::tlm_fw_transport_if<> {
        side(test_memory &m, tlm::tlm_target_socket<BUSWIDTH> &s)
            : memory(m), socket(s), number(static_cast<unsigned>(m.sides_.size()))
        {
        }
        void b_transport(payload &p, sc_core::sc_time &delay) override { memory.block(p, delay); }
        unsigned transport_dbg(payload &p) override { return memory.debug(p); }
        bool get_direct_mem_ptr(payload &p, tlm::tlm_dmi &dmi) override { return memory.direct(p, dmi); }
        tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase,
                                           sc_core::sc_time &delay) override
        {
            if (phase == tlm::END_RESP) {
                close();
                return tlm::TLM_COMPLETED;
            }
            p.acquire();
            sc_core::sc_time took = delay;
            memory.block(p, took);
            memory.agenda_.at(sc_core::sc_time_stamp() + took, [this, &p] { memory.respond(number, p); });
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        void respond(payload &p)
        {
            if (open != nullptr) {
                waiting.push_back(&p);
                return;
            }
            open = &p;
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time none;
            const tlm::tlm_sync_enum status = socket->nb_transport_bw(p, phase, none);
            if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
                memory.agenda_.at(sc_core::sc_time_stamp() + none, [this] { close(); });
        }
        void close()
        {
            if (open == nullptr)
                return;
            open->release();
            open = nullptr;
            if (waiting.empty())
                return;
            payload &next = *waiting.front();
            waiting.pop_front();
            memory.agenda_.at(sc_core::sc_time_stamp(), [this, &next] { respond(next); });
        }
        test_memory &memory;
        tlm::tlm_target_socket<BUSWIDTH> &socket;
        unsigned number;
        payload *open = nullptr; /* BEGIN_RESP without END_RESP */
        std::deque<payload *> waiting;
    };
    void end_of_elaboration() override { agenda_.start(); }

    at_agenda agenda_;
    std::vector<std::unique_ptr<side>> sides_;
};

} // namespace walkway

#endif
