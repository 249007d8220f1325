/* SPDX-License-Identifier: MIT */
/* cli/micro18_figures.hpp - MICRO'18's figures and table from results. */
#ifndef WALKWAY_CLI_MICRO18_FIGURES_HPP
#define WALKWAY_CLI_MICRO18_FIGURES_HPP

#include "cli/study.hpp"

namespace walkway
{

using programs_ref = const std::vector<study_program> &;
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

} // namespace walkway

#endif
