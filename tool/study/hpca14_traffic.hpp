/* SPDX-License-Identifier: MIT */
/* study/hpca14_traffic.hpp - HPCA'14's figures of traffic: how much there is to translate, how walks come,
 * and who shares a translation. */
#ifndef WALKWAY_STUDY_HPCA14_TRAFFIC_HPP
#define WALKWAY_STUDY_HPCA14_TRAFFIC_HPP

#include "study/bars.hpp"

namespace walkway
{

/* 4: of the configuration "ideal". */
figure hpca14_operations(const study_results &results, programs_ref programs);
/* 7, and what section 4.2 says of the time between walks: of "design-1". */
figure hpca14_bursts(const study_results &results, programs_ref programs);
/* 10: of "shared-l2-pwc". */
figure hpca14_sharers(const study_results &results, programs_ref programs);

} // namespace walkway

#endif
