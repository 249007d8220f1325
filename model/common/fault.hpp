/* SPDX-License-Identifier: MIT */
/* model/common/fault.hpp - a page fault on its way from a walk unit to the pager, and back. The answer says
 * that the page is mapped, and the walk is repeated, or that it does not exist, and the fault is the walk's
 * result. */
#ifndef WALKWAY_MODEL_COMMON_FAULT_HPP
#define WALKWAY_MODEL_COMMON_FAULT_HPP

#include "model/common/clock.hpp"
#include "model/common/xlat.hpp"

#include <tlm>

#include <cstdint>

namespace walkway
{

struct fault_request {
    /* written by the requester */
    uint64_t va; /* of a 4 KiB page */
    uint16_t vmid;
    uint32_t owner; /* a number of the requester's, which the target leaves alone */
    /* written by the target */
    tick taken;   /* begin of its handling */
    bool refused; /* no such page: the fault is the answer */
};

struct fault_protocol {
    static constexpr const char *name = "fault";
    using tlm_payload_type = fault_request;
    using tlm_phase_type = tlm::tlm_phase;
};

} // namespace walkway

#endif
