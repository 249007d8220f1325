/* SPDX-License-Identifier: MIT */
/* tb/support/blocking_ends.hpp - a target and an initiator with blocking calls only; the rest of the base
 * protocol is left empty. */
#ifndef WW_TB_SUPPORT_BLOCKING_ENDS_HPP
#define WW_TB_SUPPORT_BLOCKING_ENDS_HPP

#include <tlm>

namespace walkway::test
{

struct blocking_target : tlm::tlm_fw_transport_if<> {
    using gp = tlm::tlm_generic_payload;
    tlm::tlm_sync_enum nb_transport_fw(gp &, tlm::tlm_phase &, sc_core::sc_time &) override
    {
        return tlm::TLM_COMPLETED;
    }
    unsigned transport_dbg(gp &) override { return 0; }
    bool get_direct_mem_ptr(gp &, tlm::tlm_dmi &) override { return false; }
};

struct blocking_initiator : tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

} // namespace walkway::test

#endif
