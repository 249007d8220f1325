/* SPDX-License-Identifier: MIT */
/* study/study_samples.hpp - the numbers of a figure over its samples, for the text and the JSON of a report.
 */
#ifndef WALKWAY_STUDY_STUDY_SAMPLES_HPP
#define WALKWAY_STUDY_STUDY_SAMPLES_HPP

#include "study/study.hpp"

#include <functional>

namespace walkway
{

spread spread_over(const figure_samples &samples, const std::function<double(const figure &)> &value);

struct bar_spreads {
    std::vector<spread> programs;
    spread mean, geometric_mean, gain_mean;
};
/* Of bar `index` of the figures' `part`. */
bar_spreads spreads_of(const figure_samples &samples, std::vector<figure_bar> figure::*part, size_t index);

bool in_band(const figure_guard &guard, const spread &ours); /* the median */
std::string text_of_arguments(const study_program &program, const std::string &scale);

} // namespace walkway

#endif
