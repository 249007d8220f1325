/* SPDX-License-Identifier: MIT */
/* platforms/apu21_params.hpp - the parameters of the apu with the numbers of [M21] Table 1. */
#ifndef WALKWAY_PLATFORMS_APU21_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU21_PARAMS_HPP

#include "platforms/apu_params.hpp"

namespace walkway
{

struct apu21_params : apu_params {
    apu21_params();
    void visit(param_visitor &v);
    apu21_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
