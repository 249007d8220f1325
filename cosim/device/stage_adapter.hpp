/* SPDX-License-Identifier: MIT */
/* device/stage_adapter.hpp - puts a chain of translation stages (model/xlat_stage.hpp: TLBs, a walk unit)
 * into a foreign platform of four phases: accesses with virtual addresses come in above, are translated by
 * the stage, and go on below with physical ones. docs/use/co-simulation.md gives the order and what is
 * refused. MODEL: no time of its own except to the next edge of its clock. Not offered: blocking calls,
 * direct memory. */
#ifndef WALKWAY_DEVICE_STAGE_ADAPTER_HPP
#define WALKWAY_DEVICE_STAGE_ADAPTER_HPP

#include "device/at_link.hpp"
#include "device/burst.hpp"
#include "model/common/due_queue.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/pool.hpp"
#include "model/common/xlat.hpp"

namespace walkway
{

struct stage_adapter_stats {
    uint64_t accesses = 0;     /* taken: END_REQ given */
    uint64_t translations = 0; /* requests to the stage, one for each page of an access */
    uint64_t faults = 0;       /* accesses refused for want of a translation, */
    uint64_t no_right = 0;     /* of the rights that they need, */
    uint64_t illegal = 0;      /* or because they cannot be translated (device/burst.hpp) */
    uint64_t again = 0;        /* accesses translated again after an invalidate */
    void visit(stat_visitor &v) const;
};

/* All except the sockets. */
class stage_accesses : public block,
                       public initiator_of<xlat_protocol>,
                       protected tlm::tlm_fw_transport_if<>,
                       protected tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;

    out_port<xlat_protocol> xlat; /* to the first stage */

    const stage_adapter_stats &stats() const { return stats_; }
    void visit(stat_visitor &v, tick) const override { stats_.visit(v); }
    uint64_t live() const override { return accesses_.live(); }
    std::string waiting() const override;

protected:
    /* `accesses`: most accesses between END_REQ and END_RESP, at least 1. */
    stage_accesses(const sc_core::sc_module_name &name, const clock_domain &clock, uint32_t accesses);
    void start(tlm::tlm_bw_transport_if<> *above, tlm::tlm_fw_transport_if<> *below);

private:
    struct access : xlat_request {
        payload *p;
        at_link::transaction *part;
        burst pages;
        uint64_t notices;   /* invalidates that came before its first page was known */
        uint8_t needs;      /* enum ww_perm bits */
        uint8_t generation; /* of the requester's turn (model/common/lanes.hpp) */
        bool ready, begun;  /* its next part may be sent; one has been sent */
    };

    tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
    void b_transport(payload &p, sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(payload &p, tlm::tlm_dmi &dmi) override;
    unsigned transport_dbg(payload &p) override;
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void on_response(xlat_request &r, tick at, unsigned port) override;
    void step(tick now) override;

    void admit();
    void ask(tick now);
    void found(access &a);
    void refuse(access &a, tlm::tlm_response_status status);
    void go_on();
    bool old(access &a);
    void send_part(access &a);
    void part_answered(access &a);
    void answered(access &a);
    void respond();
    void end();

    uint32_t most_;
    at_agenda agenda_;
    at_link down_;
    tlm::tlm_bw_transport_if<> *above_ = nullptr;
    tlm::tlm_fw_transport_if<> *below_ = nullptr;
    turn_lane turn_;
    pool<access> accesses_;
    due_queue<access *> arrivals_, translated_;
    std::deque<access *> held_; /* arrived, and not yet given END_REQ */
    std::deque<access *> asks_; /* those that need the translation of their next page */
    std::deque<access *> order_;
    std::deque<access *> answers_;
    access *answering_ = nullptr; /* BEGIN_RESP without END_RESP */
    uint32_t under_way_ = 0;
    uint64_t notices_ = 0;
    stage_adapter_stats stats_;
};

template <unsigned BUSWIDTH = 32> class stage_adapter final : public stage_accesses
{
public:
    tlm::tlm_target_socket<BUSWIDTH> up{"up"};        /* virtual addresses */
    tlm::tlm_initiator_socket<BUSWIDTH> down{"down"}; /* physical ones */

    stage_adapter(const sc_core::sc_module_name &name, const clock_domain &clock, uint32_t accesses = 64)
        : stage_accesses(name, clock, accesses)
    {
        up.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
        down.bind(static_cast<tlm::tlm_bw_transport_if<> &>(*this));
    }

private:
    void end_of_elaboration() override { start(up.operator->(), down.operator->()); }
};

} // namespace walkway

#endif
