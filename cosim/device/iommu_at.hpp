/* SPDX-License-Identifier: MIT */
/* device/iommu_at.hpp - the IOMMU in four phases: accesses of each port from BEGIN_REQ to END_RESP, with the
 * translation, the registers and the commands of iommu_core. docs/use/co-simulation.md gives the order and
 * the bounds. One process performs the walks, one after the other, and another the commands' accesses. */
#ifndef WALKWAY_DEVICE_IOMMU_AT_HPP
#define WALKWAY_DEVICE_IOMMU_AT_HPP

#include "device/at_link.hpp"
#include "device/iommu_core.hpp"

namespace walkway
{

class iommu_at
{
public:
    using payload = tlm::tlm_generic_payload;

    iommu_at(iommu_core &core, unsigned ports);
    void start(); /* call at the end of elaboration */

    tlm::tlm_sync_enum nb_transport_fw(unsigned port, payload &p, const tlm::tlm_phase &phase,
                                       const sc_core::sc_time &delay);
    /* From below; the port after the last one is the walker's. */
    tlm::tlm_sync_enum nb_transport_bw(unsigned port, payload &p, tlm::tlm_phase &phase,
                                       const sc_core::sc_time &delay);

    /* Transfers 1 to 64 bytes through the walker's socket, not before *at; waits, and sets *at to the time of
     * the response and *status. Returns true if the response is OK; only then a read has filled bytes. */
    bool transfer(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at,
                  tlm::tlm_response_status *status);
    /* Call after a change of held state: accesses not yet forwarded are translated again. */
    void changed();
    /* Ends accesses not yet forwarded with an error response. */
    void refuse_all();
    /* Waits until memory has answered all accesses forwarded so far. */
    void drain();
    size_t held() const { return walker_.out(); } /* transactions of the walker in flight */

private:
    enum class doing : uint8_t {
        arriving,
        asking,
        taken,
        looking,
        walking,
        ready,
        at_memory,
        next_part,
        refused,
        answering,
        ending,
        ended /* an earlier scheduled time may still come */
    };
    struct access {
        payload *p;
        at_link::transaction *part;
        burst pages;
        device_access who;
        sc_core::sc_time due; /* end of what it is doing */
        uint64_t number;      /* in the order of forwarding */
        unsigned port;
        doing now;
        bool passes, split, asks; /* unchanged; across pages; for a translation */
        device_message message;   /* an interrupt that is forwarded as another one */
        device_answer got;        /* of an access for a translation */
    };
    struct port_state {
        explicit port_state(at_agenda &agenda) : down(agenda) {}
        at_link down;
        std::deque<access *> asked; /* BEGIN_REQ, no END_REQ yet */
        std::deque<access *> order; /* not, or not completely, forwarded */
        std::deque<access *> answers;
        access *answering = nullptr; /* BEGIN_RESP without END_RESP */
        uint32_t under_way = 0;      /* accesses from END_REQ to END_RESP */
        sc_core::sc_time free_at;    /* earliest time of the next request */
    };
    class of_walk;
    class reading;

    static std::vector<const iommu_at *> walkers_of(const payload &p);
    tick now() const;
    void later(access &a, doing what, const sc_core::sc_time &due);
    void wake(access &a);
    void admit(unsigned port);
    void look(access &a);
    void look_up(access &a);
    void found(access &a, const device_answer &x);
    void answer(access &a);
    void ask_again(unsigned port);
    void walk_all();
    void go_on(unsigned port);
    void send_part(access &a);
    void part_answered(access &a);
    void respond(unsigned port);
    void over(access &a, const sc_core::sc_time &delay);
    void end(access &a);
    void leave_order(access &a);
    bool more(const access &a) const { return !a.passes && a.pages.more(); }

    iommu_core &core_;
    at_agenda agenda_;
    std::deque<port_state> ports_;
    at_link walker_;
    pool<access> accesses_;
    std::deque<access *> misses_;
    access *walking_ = nullptr;
    bool restart_ = false; /* the translations of walking_'s other pages are stale */
    std::vector<access *> at_memory_;
    uint64_t gone_on_ = 0;
    sc_core::sc_event missed_, read_, answered_;
};

} // namespace walkway

#endif
