/* SPDX-License-Identifier: MIT */
/* sample/sample_request.hpp - how much of a program a sample is to be. */
#ifndef WALKWAY_SAMPLE_SAMPLE_REQUEST_HPP
#define WALKWAY_SAMPLE_SAMPLE_REQUEST_HPP

#include <cstdint>

namespace walkway
{

struct sample_request {
    uint32_t windows = 60;
    uint64_t measure = 10000; /* pages of 4 KiB, on average: a window's length */
    uint64_t warm_up = 0;     /* likewise, in detail before it; 0: by the waves that are resident */
    uint64_t seed = 1;
};

} // namespace walkway

#endif
