/* SPDX-License-Identifier: MIT */
/* device/at_link.hpp - an initiator of four phases: sends transactions of its own pool, one request at a
 * time, and says when each is answered. The target may answer in any way that the base protocol has: within
 * the call or later, with END_REQ or without, with BEGIN_RESP in the return value or as a call. What it sends
 * of transactions that are not out is ignored. */
#ifndef WALKWAY_DEVICE_AT_LINK_HPP
#define WALKWAY_DEVICE_AT_LINK_HPP

#include "device/at_agenda.hpp"

#include <tlm>

#include <deque>

namespace walkway
{

class at_link final : public tlm::tlm_mm_interface
{
public:
    using payload = tlm::tlm_generic_payload;
    struct transaction final : payload {
        explicit transaction(tlm::tlm_mm_interface *link) : payload(link) {}
        std::function<void()> answered;    /* at the time of its response */
        alignas(8) unsigned char data[64]; /* of transactions without data elsewhere */
        bool owes_end = false;
    };

    explicit at_link(at_agenda &agenda) : agenda_(agenda) {}
    at_link(const at_link &) = delete;
    at_link &operator=(const at_link &) = delete;
    /* on_ready: it has become ready(). */
    void start(tlm::tlm_fw_transport_if<> *to, std::function<void()> on_ready);

    /* With one reference, which is the caller's to give back; not answered yet, without hint or extensions.
     */
    transaction &take();
    /* Now, or after those before it. */
    void send(transaction &t);
    /* What is sent now goes now. */
    bool ready() const
    {
        return queue_.empty() && requesting_ == nullptr && free_at_ <= sc_core::sc_time_stamp();
    }

    size_t out() const { return all_.size() - free_.size(); }

    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, const sc_core::sc_time &delay);

private:
    void free(payload *p) override;
    void pump();
    void request_over(const payload &p, const sc_core::sc_time &delay);
    void response(transaction &t, const sc_core::sc_time &delay);
    void finish(transaction &t);

    at_agenda &agenda_;
    tlm::tlm_fw_transport_if<> *to_ = nullptr;
    std::function<void()> on_ready_;
    std::deque<transaction> all_;
    std::vector<transaction *> free_;
    std::deque<transaction *> queue_;
    std::vector<transaction *> open_;   /* sent, not answered */
    transaction *requesting_ = nullptr; /* BEGIN_REQ without END_REQ */
    sc_core::sc_time free_at_;          /* of the END_REQ before */
};

} // namespace walkway

#endif
