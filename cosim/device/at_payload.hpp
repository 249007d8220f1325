/* SPDX-License-Identifier: MIT */
/* device/at_payload.hpp - what every target of four phases asks of a payload that comes with BEGIN_REQ. */
#ifndef WALKWAY_DEVICE_AT_PAYLOAD_HPP
#define WALKWAY_DEVICE_AT_PAYLOAD_HPP

#include <tlm>

namespace walkway
{

/* Takes p until release(); false, with an error in it, where it would not be kept for us: it has no memory
 * manager, or no reference is counted. */
inline bool acquired(tlm::tlm_generic_payload &p)
{
    if (!p.has_mm() || p.get_ref_count() < 1) {
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return false;
    }
    p.acquire();
    return true;
}

} // namespace walkway

#endif
