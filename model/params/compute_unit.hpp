/* SPDX-License-Identifier: MIT */
/* model/params/compute_unit.hpp - the parameters of a compute unit. */
#ifndef WALKWAY_MODEL_PARAMS_COMPUTE_UNIT_HPP
#define WALKWAY_MODEL_PARAMS_COMPUTE_UNIT_HPP

#include "kernels/lds_alloc.h"
#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct compute_unit_params {
    uint8_t wave_lanes = 0; /* 0: 64; else 32, and a wave of 64 lanes runs as two */
    uint32_t simds = 0;
    uint32_t waves_per_simd = 0;
    uint32_t issue_cycles = 0;
    uint32_t memory_issues = 0;
    uint32_t outstanding = 0;
    uint32_t unknown_use = 1;
    uint32_t lds_bytes = 0;
    uint32_t lds_granule = 0;
    uint32_t lds_cycles = 0;
    uint32_t buffer_lines = 0;
    uint32_t line_instructions = 0;

    ww_lds_alloc_cfg local_memory() const;
    void visit(param_visitor &v);
    std::string validate() const;
    uint32_t lanes() const { return wave_lanes == 0 ? 64 : 32; }
};

} // namespace walkway

#endif
