/* SPDX-License-Identifier: MIT */
/* device/at_requester.hpp - an initiator of four phases for examples and tests of foreign modules: send() at
 * any time; requests go one after the other as the target takes them, and a function receives each answer.
 * Transactions are its own, with a memory manager; any way to answer is supported. */
#ifndef WALKWAY_DEVICE_AT_REQUESTER_HPP
#define WALKWAY_DEVICE_AT_REQUESTER_HPP

#include "device/at_link.hpp"

namespace walkway
{

template <unsigned BUSWIDTH = 32>
class at_requester : public sc_core::sc_module, protected tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;
    /* Called at the time of the response; the payload is valid during the call only. */
    using answer_fn = std::function<void(const payload &)>;

    tlm::tlm_initiator_socket<BUSWIDTH> out{"out"};

    explicit at_requester(const sc_core::sc_module_name &name) : sc_module(name), link_(agenda_)
    {
        out.bind(static_cast<tlm::tlm_bw_transport_if<> &>(*this));
    }

    /* Required: after the end of elaboration; `data` stays valid until the answer. */
    void send(tlm::tlm_command command, uint64_t address, void *data, unsigned bytes, answer_fn answer)
    {
        at_link::transaction &t = link_.take();
        t.set_command(command);
        t.set_address(address);
        t.set_data_ptr(static_cast<unsigned char *>(data));
        t.set_data_length(bytes);
        t.set_streaming_width(bytes);
        t.set_byte_enable_ptr(nullptr);
        t.answered = [&t, answer = std::move(answer)] { answer(t); };
        link_.send(t);
        t.release();
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        return link_.nb_transport_bw(p, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void end_of_elaboration() override
    {
        link_.start(out.operator->(), {});
        agenda_.start();
    }

    at_agenda agenda_;
    at_link link_;
};

} // namespace walkway

#endif
