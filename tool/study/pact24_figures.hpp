/* SPDX-License-Identifier: MIT */
/* study/pact24_figures.hpp - the figures of PACT'24, from results by the keys below. Groups of programs: "I",
 * which the paper's text calls irregular; "R", regular; "U", of which it does not say. PAPER[P24 sections 2.2
 * and 5]. */
#ifndef WALKWAY_STUDY_PACT24_FIGURES_HPP
#define WALKWAY_STUDY_PACT24_FIGURES_HPP

#include "study/bars.hpp"

namespace walkway::pact24
{

/* Keys: "rpt", "hpt", "ideal"; after a slash under what else: "rpt/64k", "hpt/nha", "rpt/levels-5",
 * "rpt/150", and of Figure 16 the threshold: "hpt/150/1.2". */
figure figure_4(const study_results &results, programs_ref programs);
figure figure_5(const study_results &results, programs_ref programs);
/* Of runs whose device memory is short ("rpt/150"): remote mappings between their first use and their last.
 */
figure figure_6(const study_results &results, programs_ref programs);
figure figure_7(const study_results &results, programs_ref programs);
figure figure_13(const study_results &results, programs_ref programs);
figure figure_14(const study_results &results, programs_ref programs);
figure figure_15(const study_results &results, programs_ref programs);
figure figure_16(const study_results &results, programs_ref programs);
figure figure_17(const study_results &results, programs_ref programs);
figure figure_18(const study_results &results, programs_ref programs);
figure figure_19(const study_results &results, programs_ref programs);
figure five_levels(const study_results &results, programs_ref programs);

/* Figure 17's table sizes. */
struct table_size {
    const char *key, *text, *slots_percent;
    double stated, tolerance; /* mean speed-up of the irregular programs over RPT */
};
const std::vector<table_size> &table_sizes();

/* Figure 16's thresholds, m of Equation 1. */
struct threshold {
    const char *key, *text, *m_percent;
    double stated; /* mean speed-up of the irregular programs over RPT */
};
const std::vector<threshold> &thresholds();

} // namespace walkway::pact24

#endif
