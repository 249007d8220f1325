/* SPDX-License-Identifier: MIT */
/* remote_port/iommu_agent.hpp - the translation agent of a Remote-Port session on an IOMMU of this
 * simulation: endpoints' requests go to its ats_req, its invalidates to them. docs/use/remote-port.md.
 *
 *   agent.ats_req.bind(iommu.ats_req[0]);  iommu.ats_inv[0].bind(agent.ats_inv);
 *   port.accesses.bind(iommu.up[0]);       agent.serves(port);
 *
 * A channel is a requester, unless the session has a map (remote_port_map). An invalidate takes no simulated
 * time, however long the peer takes: simulated time stops, for at most `host_seconds` of the host's; without
 * an answer it is refused, so that the IOMMU's own time-out comes. Meanwhile requests are answered without
 * waiting for the time that they take, except where memory makes their walks wait. */
#ifndef WALKWAY_REMOTE_PORT_IOMMU_AGENT_HPP
#define WALKWAY_REMOTE_PORT_IOMMU_AGENT_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "device/access_attributes.hpp"
#include "device/held.hpp"
#include "device/translation_services.hpp"
#include "remote_port/peer.hpp"

#include <chrono>
#include <thread>

namespace walkway
{

template <unsigned BUSWIDTH = 32>
class remote_port_iommu_agent : public sc_core::sc_module,
                                public remote_port_service,
                                protected tlm::tlm_fw_transport_if<>,
                                protected tlm::tlm_bw_transport_if<>
{
public:
    tlm::tlm_initiator_socket<BUSWIDTH> ats_req{"ats_req"};
    tlm::tlm_target_socket<BUSWIDTH> ats_inv{"ats_inv"};

    explicit remote_port_iommu_agent(const sc_core::sc_module_name &name, double host_seconds = 10.0)
        : sc_module(name), host_seconds_(host_seconds)
    {
        ats_req.bind(static_cast<tlm::tlm_bw_transport_if<> &>(*this));
        ats_inv.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
    }
    /* Call before the simulation runs. Without a peer invalidates are refused. The peer outlives the
     * simulation. */
    void serves(remote_port_peer &peer) { peer_ = &peer; }

    bool waits() const override { return true; }
    remote_translation translate(uint32_t stream, uint64_t iova, uint64_t wanted) override
    {
        tlm::tlm_generic_payload p;
        attributes_extension who;
        translation_extension ask;
        who.of.stream_id = stream;
        ask.of.wants = static_cast<uint8_t>(((wanted & WW_RP_ATS_READ) != 0 ? WW_PERM_R : 0) |
                                            ((wanted & WW_RP_ATS_WRITE) != 0 ? WW_PERM_W : 0) |
                                            ((wanted & WW_RP_ATS_EXEC) != 0 ? WW_PERM_X : 0));
        p.set_address(iova);
        const carried who_asks(p, who);
        const carried what_for(p, ask);
        sc_core::sc_time delay;
        ats_req->b_transport(p, delay);
        if (delay != sc_core::SC_ZERO_TIME && holding_ == 0)
            sc_core::wait(delay);
        const uint8_t r = ask.of.rights;
        return {p.is_response_ok() && r != 0, ask.of.pa, ask.of.length,
                ((r & WW_PERM_R) != 0 ? WW_RP_ATS_READ : 0u) | ((r & WW_PERM_W) != 0 ? WW_RP_ATS_WRITE : 0u) |
                    ((r & WW_PERM_X) != 0 ? WW_RP_ATS_EXEC : 0u)};
    }

private:
    struct outcome {
        bool there = false, ok = false;
    };
    void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &) override
    {
        const auto *who = p.get_extension<attributes_extension>();
        const auto *what = p.get_extension<invalidation_extension>();
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        if (who == nullptr || what == nullptr || peer_ == nullptr)
            return;
        const uint64_t bytes = what->of.last_va - what->of.first_va;
        const auto out = std::make_shared<outcome>(); /* the waiter may be gone when the answer comes */
        sc_core::sc_spawn([peer = peer_, out, stream = who->of.stream_id, first = what->of.first_va,
                           length = bytes == UINT64_MAX ? bytes : bytes + 1] {
            out->ok = peer->invalidate(peer->channel_of(stream), first, length);
            out->there = true;
        });
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(host_seconds_);
        const counted holds(holding_);
        while (!out->there && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::microseconds(20));
            sc_core::wait(sc_core::SC_ZERO_TIME);
        }
        if (out->ok)
            p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 0; }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override { return false; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    remote_port_peer *peer_ = nullptr;
    double host_seconds_;
    unsigned holding_ = 0; /* invalidates in progress */
};

} // namespace walkway

#endif
