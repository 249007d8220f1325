/* SPDX-License-Identifier: MIT */
/* model/params/coalescer.hpp - the parameters of a coalescer. */
#ifndef WALKWAY_MODEL_PARAMS_COALESCER_HPP
#define WALKWAY_MODEL_PARAMS_COALESCER_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct coalescer_params {
    uint32_t lanes_per_cycle = 0;
    uint32_t pages_per_cycle = 0;
    uint32_t lines_per_cycle = 0;
    uint32_t instructions = 0;
    uint32_t window = 0;
    uint32_t queue_entries = 0;
    uint32_t response_cycles = 0;
    uint32_t wave_lanes = 64; /* this and the next two are set by the platform, not parameters */
    uint32_t va_bits = 48;
    uint8_t page_shift = 12;

    void visit(param_visitor &v);
};

} // namespace walkway

#endif
