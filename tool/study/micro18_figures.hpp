/* SPDX-License-Identifier: MIT */
/* study/micro18_figures.hpp - MICRO'18's figures and tables from results. */
#ifndef WALKWAY_STUDY_MICRO18_FIGURES_HPP
#define WALKWAY_STUDY_MICRO18_FIGURES_HPP

#include "study/bars.hpp"

namespace walkway
{

figure table_2(const study_results &results, programs_ref programs);
figure figure_5(const study_results &results, programs_ref programs);
figure figure_6(const study_results &results, programs_ref programs);
figure figure_9(const study_results &results, programs_ref programs);
figure figure_9_regular(const study_results &results, programs_ref programs);
figure figure_10(const study_results &results, programs_ref programs);
figure figure_11(const study_results &results, programs_ref programs);
figure figure_12(const study_results &results, programs_ref programs);
figure figure_13(const study_results &results, programs_ref programs);
figure figure_14(const study_results &results, programs_ref programs);
figure table_3(const study_results &results, programs_ref programs);

/* How far Figure 9 hangs on what the paper does not say. A variant is a change of the machine, made of the
 * baseline and the designs alike; its configurations' keys are "TEXT/off" and so on. */
struct sensitivity_variant {
    std::string text; /* the change as --set has it, or in words */
    std::vector<std::string> changes;
    std::vector<std::string> to_ideal; /* those of them that matter when every L1 TLB is perfect; if none,
                                          ideal is that of the machine as it is */
    std::string key(const std::string &design) const;
};
const std::vector<sensitivity_variant> &sensitivity_variants();
std::vector<study_configuration> sensitivity_configurations();
figure sensitivity(const study_results &results, programs_ref programs);

} // namespace walkway

#endif
