/* SPDX-License-Identifier: MIT */
/* study/bars.hpp - bars of figures from results, and the hit rates that stand beside many. */
#ifndef WALKWAY_STUDY_BARS_HPP
#define WALKWAY_STUDY_BARS_HPP

#include "study/study.hpp"

#include <functional>

namespace walkway
{

using programs_ref = const std::vector<study_program> &;

/* One value a program. */
figure_bar bar_of(const study_results &results, programs_ref programs, const std::string &name,
                  const std::string &key, const std::function<double(const json &)> &value);
/* The same from the results of two configurations; a ratio. */
figure_bar ratio_bar(const study_results &results, programs_ref programs, const std::string &name,
                     const std::string &base_key, const std::string &key,
                     const std::function<double(const json &base, const json &other)> &value);
figure_bar speedup_bar(const study_results &results, programs_ref programs, const std::string &name,
                       const std::string &base_key, const std::string &key);
/* Of the programs of these groups. */
std::vector<double> values_of(const figure_bar &bar, programs_ref programs,
                              const std::vector<std::string> &groups);
double of(const figure_bar &bar, programs_ref programs, const std::string &code);
double mean_of(const figure_bar &bar);

/* Not a number where the platform has no such block. */
double share(const json &stats, const char *part, const char *whole);
double stat_of(const json &stats, const char *path); /* not a number where there is none */
/* Of a histogram's values those below the edge of a bucket; not a number where there is none. */
double count_below(const json &stats, const char *histogram, uint64_t edge);
double walk_cache_hits(const json &stats); /* of lookups, in the page-walk cache of level-2 entries */
double l2_tlb_hits(const json &stats);
double l2d_hits(const json &stats);

} // namespace walkway

#endif
