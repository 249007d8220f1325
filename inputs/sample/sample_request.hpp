/* SPDX-License-Identifier: MIT */
/* sample/sample_request.hpp - the requested size of a sample. */
#ifndef WALKWAY_SAMPLE_SAMPLE_REQUEST_HPP
#define WALKWAY_SAMPLE_SAMPLE_REQUEST_HPP

#include <cstdint>

namespace walkway
{

struct sample_request {
    uint32_t windows = 60;    /* about this many: each stratum has an even number */
    uint64_t measure = 10000; /* mean translations in a window: pages of 4 KiB of each wave instruction */
    uint64_t warm_up = 0;     /* likewise, simulated in detail before it; 0: by the resident waves */
    uint64_t seed = 1;
};

} // namespace walkway

#endif
