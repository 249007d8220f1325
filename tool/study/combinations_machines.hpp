/* SPDX-License-Identifier: MIT */
/* study/combinations_machines.hpp - the mechanisms of five papers on machines with different MMUs: walking by
 * neighbourhoods [M18], translations in idle structures [M21], a compressed L2 TLB [P20] and fixed-size
 * hashed page tables [P24], behind an IOMMU [M18], on the MMU designs of [H14] and on the GPU of [P24]. Each
 * alone, all but one, and all: what remains of each gain beside all the others. */
#ifndef WALKWAY_STUDY_COMBINATIONS_MACHINES_HPP
#define WALKWAY_STUDY_COMBINATIONS_MACHINES_HPP

#include "study/study.hpp"

namespace walkway::combinations
{

std::vector<study_configuration> configurations_of_machines();
std::vector<figure_def> figures_of_machines();

} // namespace walkway::combinations

#endif
