/* SPDX-License-Identifier: MIT */
/* device/iommu_device.hpp - an IOMMU for a foreign SystemC platform: TLM-2.0 sockets of any width, base
 * protocol, I/O virtual addresses above, physical ones below. docs/use/co-simulation.md.
 *
 *   up[i]      targets for devices; requester of port i: set_stream(), identify(), or the payload's extension
 *   down[i]    the accesses of port i, forwarded
 *   ats_req[i] translation requests of the devices of port i, which come through up[i] as well
 *   ats_inv[i] invalidates for them; completed when the call has returned and its time has come
 *   pri_req[i], pri_resp[i]  their page requests, and the answers to those
 *   walker     reads page tables, commands and device tables, writes events and interrupt messages
 *   registers  docs/model/iommu-registers.md
 *   interrupt  a wire, high while an interrupt is requested; need not be bound
 *   rst        a wire, active high; need not be bound; reset() is the same
 *
 * ats_*, pri_* need not be bound, and are always loosely timed, as is registers: translation_services.hpp.
 * By the parameter `mode` up, down and walker are loosely timed (b_transport) or in four phases
 * (nb_transport) for the whole run; the other kind of call is answered with an error. */
#ifndef WALKWAY_DEVICE_IOMMU_DEVICE_HPP
#define WALKWAY_DEVICE_IOMMU_DEVICE_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "device/iommu_core.hpp"

namespace walkway
{

template <unsigned BUSWIDTH = 32> class iommu_device : public sc_core::sc_module
{
public:
    using payload = tlm::tlm_generic_payload;
    using up_socket = tlm::tlm_target_socket<BUSWIDTH>;
    using down_socket = tlm::tlm_initiator_socket<BUSWIDTH>;
    using service_target =
        tlm::tlm_target_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using service_initiator =
        tlm::tlm_initiator_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    sc_core::sc_vector<up_socket> up;
    sc_core::sc_vector<down_socket> down;
    sc_core::sc_vector<service_target> ats_req, pri_req;
    sc_core::sc_vector<service_initiator> ats_inv, pri_resp;
    down_socket walker{"walker"};
    up_socket registers{"registers"};
    sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{
        "interrupt"};
    sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst{"rst"};

    explicit iommu_device(const sc_core::sc_module_name &name, unsigned ports = 1,
                          const iommu_device_params &p = iommu_device_params())
        : sc_module(name), up("up", ports), down("down", ports), ats_req("ats_req", ports),
          pri_req("pri_req", ports), ats_inv("ats_inv", ports), pri_resp("pri_resp", ports), core_(ports, p),
          register_side_(core_), walker_side_(core_, ports, false)
    {
        for (unsigned i = 0; i < ports; ++i) {
            sides_.push_back(std::make_unique<device_side>(core_, i));
            memories_.push_back(std::make_unique<memory_side>(core_, i, true));
            up[i].bind(*sides_.back());
            down[i].bind(*memories_.back());
            requests_.push_back(std::make_unique<service_side>(core_, i, false));
            ats_req[i].bind(*requests_.back());
            requests_.push_back(std::make_unique<service_side>(core_, i, true));
            pri_req[i].bind(*requests_.back());
            ats_inv[i].bind(walker_side_);
            pri_resp[i].bind(walker_side_);
        }
        walker.bind(walker_side_);
        registers.bind(register_side_);
    }

    void set_stream(unsigned port, uint32_t stream_id) { core_.set_stream(port, stream_id); }
    void identify(iommu_core::identify_fn hook) { core_.identify(std::move(hook)); }
    void observe(bool on) { core_.observe(on); }
    void reset() { core_.reset(); }
    const iommu_device_stats &stats() const { return core_.stats(); }
    const iommu_core &core() const { return core_; }

private:
    struct device_side final : tlm::tlm_fw_transport_if<> {
        device_side(iommu_core &c, unsigned n) : core(c), port(n) {}
        void b_transport(payload &p, sc_core::sc_time &delay) override { core.b_transport(port, p, delay); }
        tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase,
                                           sc_core::sc_time &delay) override
        {
            return core.nb_transport_fw(port, p, phase, delay);
        }
        unsigned transport_dbg(payload &p) override { return core.transport_dbg(port, p); }
        bool get_direct_mem_ptr(payload &p, tlm::tlm_dmi &dmi) override
        {
            return core.get_direct_mem_ptr(port, p, dmi);
        }
        iommu_core &core;
        unsigned port;
    };
    /* Requests for translations, or for pages. */
    struct service_side final : tlm::tlm_fw_transport_if<> {
        service_side(iommu_core &c, unsigned n, bool for_pages) : core(c), port(n), pages(for_pages) {}
        void b_transport(payload &p, sc_core::sc_time &delay) override
        {
            if (pages)
                core.request_page(port, p, delay);
            else
                core.request_translation(port, p, delay);
        }
        tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &, sc_core::sc_time &) override
        {
            core.wrong_call(p, (pages ? "pri_req_" : "ats_req_") + std::to_string(port),
                            "nb_transport_fw is refused, since it is loosely timed in both modes");
            return tlm::TLM_COMPLETED;
        }
        unsigned transport_dbg(payload &p) override
        {
            if (!pages)
                core.request_debug(port, p);
            return 0;
        }
        bool get_direct_mem_ptr(payload &, tlm::tlm_dmi &) override { return false; }
        iommu_core &core;
        unsigned port;
        bool pages;
    };
    /* The answers from below. */
    struct memory_side final : tlm::tlm_bw_transport_if<> {
        memory_side(iommu_core &c, unsigned n, bool tells) : core(c), port(n), data(tells) {}
        tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase,
                                           sc_core::sc_time &delay) override
        {
            return core.nb_transport_bw(port, p, phase, delay);
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
        {
            if (data)
                core.memory_revokes(port, first, last);
        }
        iommu_core &core;
        unsigned port;
        bool data;
    };
    struct register_side final : tlm::tlm_fw_transport_if<> {
        explicit register_side(iommu_core &c) : core(c) {}
        /* Accesses of others up to here have happened: a head or a tail has its present value. */
        void b_transport(payload &p, sc_core::sc_time &delay) override
        {
            if (may_wait_here()) {
                sc_core::wait(delay);
                delay = sc_core::SC_ZERO_TIME;
            }
            core.register_access(p);
        }
        tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &) override
        {
            if (phase == tlm::BEGIN_REQ)
                core.register_access(p);
            return tlm::TLM_COMPLETED;
        }
        unsigned transport_dbg(payload &p) override { return core.register_debug(p); }
        bool get_direct_mem_ptr(payload &, tlm::tlm_dmi &) override { return false; }
        iommu_core &core;
    };

    void end_of_elaboration() override
    {
        iommu_neighbours n;
        n.name = name();
        for (unsigned i = 0; i < up.size(); ++i) {
            n.up.push_back(up[i].operator->());
            n.down.push_back(down[i].operator->());
        }
        for (unsigned i = 0; i < up.size(); ++i) {
            n.ats_inv.push_back(ats_inv[i].size() != 0 ? ats_inv[i].operator->() : nullptr);
            n.pri_resp.push_back(pri_resp[i].size() != 0 ? pri_resp[i].operator->() : nullptr);
        }
        n.walker = walker.operator->();
        if (interrupt.size() != 0)
            n.interrupt = [this](bool level) { interrupt->write(level); };
        core_.start(std::move(n));
        if (rst.size() == 0)
            return;
        sc_core::sc_spawn_options how;
        how.spawn_method();
        how.dont_initialize();
        how.set_sensitivity(&rst->value_changed_event());
        sc_core::sc_spawn(
            [this] {
                if (rst->read())
                    core_.reset();
            },
            "reset", &how);
    }

    iommu_core core_;
    register_side register_side_;
    memory_side walker_side_;
    std::vector<std::unique_ptr<device_side>> sides_;
    std::vector<std::unique_ptr<memory_side>> memories_;
    std::vector<std::unique_ptr<service_side>> requests_;
};

} // namespace walkway

#endif
