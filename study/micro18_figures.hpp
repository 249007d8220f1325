/* SPDX-License-Identifier: MIT */
/* study/micro18_figures.hpp - MICRO'18's figures and tables from results. */
#ifndef WALKWAY_STUDY_MICRO18_FIGURES_HPP
#define WALKWAY_STUDY_MICRO18_FIGURES_HPP

#include "study/study.hpp"

#include <functional>

namespace walkway
{

using programs_ref = const std::vector<study_program> &;
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

/* One value a program. */
figure_bar bar_of(const study_results &results, programs_ref programs, const std::string &name,
                  const std::string &key, const std::function<double(const json &)> &value);
/* The same from the results of two configurations; a ratio. */
figure_bar ratio_bar(const study_results &results, programs_ref programs, const std::string &name,
                     const std::string &base_key, const std::string &key,
                     const std::function<double(const json &base, const json &other)> &value);
figure_bar speedup_bar(const study_results &results, programs_ref programs, const std::string &name,
                       const std::string &base_key, const std::string &key);
double of(const figure_bar &bar, programs_ref programs, const std::string &code);
double mean_of(const figure_bar &bar);

/* Not a number where the platform has no such block. */
double share(const json &stats, const char *part, const char *whole);
double walk_cache_hits(const json &stats); /* of lookups, in the page-walk cache of level-2 entries */
double l2_tlb_hits(const json &stats);
double l2d_hits(const json &stats);

} // namespace walkway

#endif
