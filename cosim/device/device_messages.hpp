/* SPDX-License-Identifier: MIT */
/* device/device_messages.hpp - messages from an IOMMU to devices that have a TLB of their own: invalidates,
 * whose completion is awaited up to a deadline, and answers to page requests. Each is a b_transport of a
 * process of its own, since a device may take its time, and a broken one never returns: a port has at most
 * `calls_at_most` such calls, and a further message is not sent. docs/use/co-simulation.md. */
#ifndef WALKWAY_DEVICE_DEVICE_MESSAGES_HPP
#define WALKWAY_DEVICE_DEVICE_MESSAGES_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "device/access_attributes.hpp"
#include "device/translation_services.hpp"
#include "model/common/pool.hpp"

#include <systemc>

#include <functional>
#include <vector>

namespace walkway
{

class device_messages
{
public:
    using target = tlm::tlm_fw_transport_if<>;
    static constexpr unsigned calls_at_most = 32; /* to a port, of each kind; PCI Express has as many tags */

    struct awaited {
        uint32_t device;
        uint64_t command_pa; /* of the command that requested it */
        sc_core::sc_time deadline;
        uint64_t number;
    };

    /* Call once, at the end of elaboration; null: not bound. late: a device has not completed an invalidate
     * in time. settled: one or more invalidates are no longer open, completed or late; it is called after
     * late. Neither function may be empty. */
    void start(std::vector<target *> invalidates, std::vector<target *> responses,
               std::function<void(const awaited &)> late, std::function<void()> settled);
    bool takes_invalidates(unsigned port) const { return invalidates_[port].to != nullptr; }
    bool takes_responses(unsigned port) const { return responses_[port].to != nullptr; }

    /* Send a message at a time that is not past, from which the deadline counts; they do not wait. If too
     * many calls have not returned, the message is not sent, and respond() returns false. An invalidate that
     * is not sent, or that the device refuses, stays open until its deadline. Required: the port is bound
     * (takes_invalidates(), takes_responses()). */
    void invalidate(unsigned port, const access_attributes &who, const device_invalidation &what,
                    const sc_core::sc_time &at, const sc_core::sc_time &time_out, uint64_t command_pa);
    bool respond(unsigned port, const access_attributes &who, const page_response &what,
                 const sc_core::sc_time &at);

    /* open(): the number of a device's invalidates that are open. */
    bool any_open() const { return !open_.empty(); }
    uint64_t calls() const { return messages_.live(); } /* that have not returned */
    unsigned open(uint32_t device) const;
    void reset(); /* awaits nothing any more, without late or settled; calls in flight return later */

private:
    struct message {
        tlm::tlm_generic_payload p;
        attributes_extension who;
        invalidation_extension invalidates;
        page_response_extension responds;

        void begin(const access_attributes &a, uint64_t address);
        void end();
        ~message() { end(); }
    };
    struct line {
        target *to = nullptr;
        unsigned calls = 0; /* that have not returned */
    };

    class call;

    template <class Done> void send(line &to, message &m, const sc_core::sc_time &at, Done done);
    void completed(uint64_t number);
    void look_at_deadlines();
    void next_deadline();

    std::vector<line> invalidates_, responses_;
    std::function<void(const awaited &)> late_;
    std::function<void()> settled_;
    std::vector<awaited> open_;
    uint64_t numbers_ = 0;
    pool<message> messages_;
    sc_core::sc_event deadline_;
};

} // namespace walkway

#endif
