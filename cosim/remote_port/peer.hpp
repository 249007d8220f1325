/* SPDX-License-Identifier: MIT */
/* remote_port/peer.hpp - one side of a Remote-Port session as a SystemC module. Towards an emulator that
 * serves translations it is an endpoint: its devices' accesses go out, translate() requests translations,
 * invalidations come in. Towards SystemC endpoints it is the translation agent: a remote_port_service answers
 * their requests, and invalidate() invalidates theirs. A channel (`dev`) is a stream id. Loosely timed; the
 * host's thread (remote_port/link.hpp) wakes the simulation by async_request_update(). While a request of
 * ours waits, the peer's are served. */
#ifndef WALKWAY_REMOTE_PORT_PEER_HPP
#define WALKWAY_REMOTE_PORT_PEER_HPP

#include "remote_port/link.hpp"
#include "remote_port/session.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace walkway
{

struct remote_translation {
    bool ok;          /* false: there is none, and the rest is meaningless */
    uint64_t pa;      /* of that IOVA */
    uint64_t length;  /* bytes from there for which it is valid */
    uint64_t granted; /* WW_RP_ATS_READ, _WRITE, _EXEC */
};

/* The peer's requests to this side. They take no simulated time, unless waits() is true for translate(). The
 * default has no translations and ignores invalidations and interrupts. */
class remote_port_service
{
public:
    virtual ~remote_port_service() = default;
    /* True if translate() may wait: then it is called in a process of the peer's, one request after the
     * other. */
    virtual bool waits() const { return false; }
    virtual remote_translation translate(uint32_t stream, uint64_t iova, uint64_t wanted)
    {
        (void)stream, (void)iova, (void)wanted;
        return {false, 0, 0, 0};
    }
    /* An invalidate of the peer's translation agent. Returns true if no mapping in it is held any more. */
    virtual bool invalidate(uint32_t stream, uint64_t iova, uint64_t length)
    {
        (void)stream, (void)iova, (void)length;
        return true;
    }
    virtual void interrupt(uint32_t stream, uint32_t line, bool value)
    {
        (void)stream, (void)line, (void)value;
    }
    /* The session has ended. */
    virtual void ended(const std::string &why) { (void)why; }
};

/* The requester of a peer's packet. */
struct remote_requester {
    uint32_t channel;
    bool access;        /* false: a translation request, without the members below */
    uint64_t master_id; /* from the peer */
    bool secure;
};
/* Maps a packet to its requester (stream id) here, and a requester to the channel of its invalidates. Without
 * it a channel is a requester; needed for peers that have a device's accesses and translations in different
 * channels, or several devices in one. */
struct remote_port_map {
    std::function<uint32_t(const remote_requester &)> requester;
    std::function<uint32_t(uint32_t requester)> channel;
};

class remote_port_peer : public sc_core::sc_module
{
public:
    SC_HAS_PROCESS(remote_port_peer);
    static constexpr size_t most_translations = 4096; /* most that wait, if the service does */
    static constexpr size_t most_access_bytes = size_t{64}
                                                << 20; /* most that wait; a peer that sends more is cut off */

    /* Connects, waiting up to `seconds`. Throws std::runtime_error with the reason. */
    remote_port_peer(const sc_core::sc_module_name &name, const remote_port_place &place,
                     remote_port_service &service, double seconds = 30.0);
    ~remote_port_peer() override;

    /* Accesses of the peer, as from a device or processor of this simulation; their attributes_extension has
     * requester and address type. An unbound port answers them with an address error. */
    tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> accesses;

    /* For SC_THREADs only; each waits for the response. With an ended session: not ok, a generic error. */
    void access(uint32_t stream, tlm::tlm_generic_payload &p, bool physical = false);
    remote_translation translate(uint32_t stream, uint64_t iova, uint64_t wanted);
    bool invalidate(uint32_t stream, uint64_t iova, uint64_t length);
    bool interrupt(uint32_t stream, uint32_t line, bool value);
    bool sync(uint32_t stream);

    /* Call before the simulation runs. Either function may be empty. */
    void map(remote_port_map m) { map_ = std::move(m); }
    uint32_t channel_of(uint32_t requester) const
    {
        return map_.channel ? map_.channel(requester) : requester;
    }

    bool greeted() const { return session_.greeted; }
    const sc_core::sc_event &greeting() const { return greeting_; }
    const std::string &ended() const { return ended_; }

private:
    /* A request of ours. Its waiter may be gone when the answer comes (a process that is killed or reset
     * leaves its stack), so both own it. */
    struct request {
        sc_core::sc_event done;
        std::vector<uint8_t> bytes; /* hold the answer's data */
        ww_rp_packet answer{};
        bool there = false;
    };
    using request_ptr = std::shared_ptr<request>;
    class arrivals;     /* woken by the host's thread */
    struct dmi_refused; /* for the initiator's backward interface */

    void arrived();
    void serve_accesses();
    void serve_translations();
    void answer_translation(const ww_rp_packet &p);
    void take(std::vector<uint8_t> &&bytes);
    void serve(const ww_rp_packet &p, std::vector<uint8_t> &&bytes);
    void answer_access(const ww_rp_packet &p);
    void send(const ww_rp_packet &p);
    void end(const std::string &why);
    request_ptr ask(ww_rp_packet &p);
    uint64_t now_ns() const;
    uint32_t requester_of(const ww_rp_packet &p) const;

    remote_port_map map_;
    remote_port_service &service_;
    std::unique_ptr<arrivals> arrivals_;
    std::unique_ptr<dmi_refused> backward_;
    ww_rp_session session_;
    sc_core::sc_event greeting_, accessed_, asked_;
    std::deque<std::vector<uint8_t>> accesses_; /* of the peer, in order */
    size_t access_bytes_ = 0;                   /* bytes of these */
    std::deque<ww_rp_packet> translations_;
    bool initialized_ = false;
    std::string ended_;
    std::vector<request_ptr> waiting_; /* by tag, until the answer comes; null: free */
    std::unique_ptr<remote_port_link> link_;
};

} // namespace walkway

#endif
