/* SPDX-License-Identifier: MIT */
/* platforms/dgpu_params.hpp - the parameters of the mmu, one walk unit for all behind an L2 TLB, with the
 * numbers of [P24] Table 1. */
#ifndef WALKWAY_PLATFORMS_DGPU_PARAMS_HPP
#define WALKWAY_PLATFORMS_DGPU_PARAMS_HPP

#include "platforms/mmu_params.hpp"

namespace walkway
{

struct dgpu_params : mmu_params {
    dgpu_params();
    void visit(param_visitor &v);
    dgpu_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
