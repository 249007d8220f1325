/* SPDX-License-Identifier: MIT */
/* study/hpca14_energy.hpp - HPCA'14's figure of energy and area. */
#ifndef WALKWAY_STUDY_HPCA14_ENERGY_HPP
#define WALKWAY_STUDY_HPCA14_ENERGY_HPP

#include "study/bars.hpp"

namespace walkway
{

/* 12: of "design-2", "design-3", "shared-l2", "shared-l2-pwc" and the last two "-associative". */
figure hpca14_energy(const study_results &results, programs_ref programs);

} // namespace walkway

#endif
