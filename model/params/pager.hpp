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
    uint32_t entries = 0;
    uint32_t queue_entries = 0;
    uint8_t latency = 0; /* enum ww_latency_kind */
    uint32_t mean_cycles = 0;
    uint64_t seed = 1;

    void visit(param_visitor &v);
};

} // namespace walkway

#endif
