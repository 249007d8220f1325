/* SPDX-License-Identifier: MIT */
/* model/params/pager.hpp - the parameters of the pager. */
#ifndef WALKWAY_MODEL_PARAMS_PAGER_HPP
#define WALKWAY_MODEL_PARAMS_PAGER_HPP

#include "kernels/latency.h"
#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct pager_params {
    uint32_t entries = 64;
    uint32_t queue_entries = 16;
    uint8_t latency = WW_LATENCY_EXPONENTIAL;
    uint32_t mean_cycles = 5000;
    uint64_t seed = 1;

    void visit(param_visitor &v);
};

} // namespace walkway

#endif
