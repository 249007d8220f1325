/* SPDX-License-Identifier: MIT */
/* device/at_link.hpp - an initiator of four phases: sends transactions of its own pool, one request at a
 * time, and reports the answer of each. The target may answer in any way of the base protocol: within the
 * call or later, with END_REQ or without, with BEGIN_RESP in the return value or as a call. Its calls for
 * transactions that are not in flight are ignored. */
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
        std::function<void()> answered;    /* called at the time of its response */
        alignas(8) unsigned char data[64]; /* for transactions without data elsewhere */
        bool owes_end = false;
    };

    explicit at_link(at_agenda &agenda) : agenda_(agenda) {}
    at_link(const at_link &) = delete;
    at_link &operator=(const at_link &) = delete;
    /* Connects to the target. on_ready: called when it has become ready(). */
    void start(tlm::tlm_fw_transport_if<> *to, std::function<void()> on_ready);

    /* Returns a transaction with one reference, which the caller must release; without response, hint or
     * extensions. */
    transaction &take();
    /* Sends the transaction now, or after those before it. */
    void send(transaction &t);
    /* True if send() would send at once. */
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
    sc_core::sc_time free_at_;          /* end of the previous END_REQ's delay */
};

} // namespace walkway

#endif
