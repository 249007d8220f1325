/* SPDX-License-Identifier: MIT */
/* study/ten_programs.hpp - the ten programs of [M21] Table 2 by its categories, for every study of them. */
#ifndef WALKWAY_STUDY_TEN_PROGRAMS_HPP
#define WALKWAY_STUDY_TEN_PROGRAMS_HPP

#include "study/study.hpp"

namespace walkway
{

/* Groups: "H" and "M" walk much, "L" hardly. */
std::vector<study_program> ten_programs();
std::vector<study_scale> ten_program_scales();
extern const char *const ten_program_notes; /* for --help */

const std::vector<std::string> &all_ten();     /* groups: H, M, L */
const std::vector<std::string> &those_seven(); /* H, M */

} // namespace walkway

#endif
