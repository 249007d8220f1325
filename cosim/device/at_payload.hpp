/* SPDX-License-Identifier: MIT */
/* device/at_payload.hpp - checks of every target of four phases on a payload that comes with BEGIN_REQ. */
#ifndef WALKWAY_DEVICE_AT_PAYLOAD_HPP
#define WALKWAY_DEVICE_AT_PAYLOAD_HPP

#include <tlm>

namespace walkway
{

/* Takes a reference to p until release(). Returns false, and sets an error in p, if p has no memory manager
 * or no counted reference. */
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
