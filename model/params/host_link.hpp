/* SPDX-License-Identifier: MIT */
/* model/params/host_link.hpp - the parameters of the link to host memory. */
#ifndef WALKWAY_MODEL_PARAMS_HOST_LINK_HPP
#define WALKWAY_MODEL_PARAMS_HOST_LINK_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct host_link_params {
    uint32_t mbytes_per_s = 0;     /* of each direction */
    uint32_t latency_ns = 0;       /* from a read until its line begins to arrive, of an idle link */
    uint32_t reads = 0;            /* most in flight */
    uint32_t queue_entries = 0;    /* of each requester */
    uint64_t host_pa = UINT64_MAX; /* the first address of host memory; set by the machine, no parameter */

    void visit(param_visitor &v);
};

} // namespace walkway

#endif
