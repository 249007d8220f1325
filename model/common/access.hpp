/* SPDX-License-Identifier: MIT */
/* model/common/access.hpp - a wave's memory instruction on its way to the coalescer: the payload of the
 * sockets between compute unit and coalescer. The answer comes when the last lane's data have arrived (load,
 * atomic) or been taken (store). */
#ifndef WALKWAY_MODEL_COMMON_ACCESS_HPP
#define WALKWAY_MODEL_COMMON_ACCESS_HPP

#include "kernels/coalescer.h"
#include "model/common/clock.hpp"
#include "model/common/xlat.hpp"

#include <tlm>

namespace walkway
{

struct wave_access {
    ww_coal_in lanes;
    access_kind access;
    uint16_t vmid;
    uint16_t cu;
    uint32_t instruction; /* serial number over all compute units */
    uint32_t owner;       /* the compute unit's: wave and operation */
    uint32_t owner_item;
    tick issued;
    uint32_t local_first, local_bytes; /* its work-group's piece of local memory */
    /* Written by the coalescer: */
    tick translated; /* time at which the last lane's translation arrived */
    uint32_t faults; /* pages without a translation; their lanes got no data */
};

struct access_protocol {
    static constexpr const char *name = "access";
    using tlm_payload_type = wave_access;
    using tlm_phase_type = tlm::tlm_phase;
};

} // namespace walkway

#endif
