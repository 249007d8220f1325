/* SPDX-License-Identifier: MIT */
/* model/params/dispatcher.hpp - the parameters of the dispatcher. */
#ifndef WALKWAY_MODEL_PARAMS_DISPATCHER_HPP
#define WALKWAY_MODEL_PARAMS_DISPATCHER_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

enum class on_switch : uint8_t { keep, flush };

struct dispatcher_params {
    uint8_t policy = 0; /* 0 round robin, 1 compact */
    uint8_t space = 0;  /* of a work-group: 0 by its launch, 1 by itself */
    uint32_t dispatch_cycles = 0;
    uint32_t launch_cycles = 0;
    uint32_t spread_cycles = 0;
    uint32_t shares = 1;
    bool again = true;
    uint8_t on_switch = 0; /* enum on_switch */
    uint32_t spaces = 1;   /* set by the platform from the address spaces, not a parameter */

    void visit(param_visitor &v);
    enum on_switch at_switch() const { return static_cast<enum on_switch>(on_switch); }
};

} // namespace walkway

#endif
