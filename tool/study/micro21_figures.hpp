/* SPDX-License-Identifier: MIT */
/* study/micro21_figures.hpp - MICRO'21's figures and tables from results. */
#ifndef WALKWAY_STUDY_MICRO21_FIGURES_HPP
#define WALKWAY_STUDY_MICRO21_FIGURES_HPP

#include "study/bars.hpp"

namespace walkway::micro21
{

/* What keeps translations, and what the paper's text states of it. */
struct design {
    std::string key, name;
    std::vector<std::string> changes;
    double gain_of_ten, gain_of_seven;  /* %, as the paper averages */
    double gain_of_atax;                /* % */
    double walks_spared, energy_spared; /* shares */
    double entries;                     /* at most */
};
const std::vector<design> &designs();
const std::vector<std::string> &nothing(); /* the changes that make the baseline */

/* The bars of Figure 13a: a gain in %, geometric, that the text states, and how far it may be away. */
struct icache_design {
    std::string key, name, change;
    double gain, away;
};
const std::vector<icache_design> &icache_designs();

/* Sizes of the L2 TLB in Figures 2 and 3, the baseline's left out. */
struct tlb_size {
    std::string key, name;
    std::vector<std::string> changes;
};
const std::vector<tlb_size> &tlb_sizes();

/* One machine and the designs on it under a change alike: keys "CHANGE/base", "CHANGE/lds" ... */
struct variant {
    std::string text;
    std::vector<std::string> changes;
    std::string key(const std::string &design) const { return text.empty() ? design : text + "/" + design; }
};
const std::vector<variant> &page_sizes();
const std::vector<variant> &sensitivity_variants();
/* Hashed indexes of all that the matrix programs' rows collide in, and work-groups that fill units in turn.
 */
const std::vector<variant> &hashed();
const std::vector<variant> &sharers(); /* of Figure 16a; the empty one has four */
/* A table of translations in memory, alone and under a design. */
const std::vector<variant> &memory_tables(); /* of Figure 16c; the empty one has none */
const std::vector<std::string> &wires();     /* cycles of Figure 16b */

figure table_2(const study_results &results, programs_ref programs);
figure figure_2(const study_results &results, programs_ref programs);
figure figure_3(const study_results &results, programs_ref programs);
figure figure_4(const study_results &results, programs_ref programs);
figure figure_5(const study_results &results, programs_ref programs);
figure figure_11(const study_results &results, programs_ref programs);
figure figure_13a(const study_results &results, programs_ref programs);
figure figure_13b(const study_results &results, programs_ref programs);
figure figure_13b_hashed(const study_results &results, programs_ref programs);
figure figure_13c(const study_results &results, programs_ref programs);
figure figure_14a(const study_results &results, programs_ref programs);
figure figure_14b(const study_results &results, programs_ref programs);
figure figure_14b_hashed(const study_results &results, programs_ref programs);
figure figure_14c(const study_results &results, programs_ref programs);
figure figure_15(const study_results &results, programs_ref programs);
figure figure_16a(const study_results &results, programs_ref programs);
figure figure_16b(const study_results &results, programs_ref programs);
figure figure_16c(const study_results &results, programs_ref programs);
figure section_631(const study_results &results, programs_ref programs);
figure sensitivity(const study_results &results, programs_ref programs);

} // namespace walkway::micro21

#endif
