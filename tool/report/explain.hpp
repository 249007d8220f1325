/* SPDX-License-Identifier: MIT */
/* report/explain.hpp - the account of the translations' time, and the explanation of a difference between two
 * runs. */
#ifndef WALKWAY_REPORT_EXPLAIN_HPP
#define WALKWAY_REPORT_EXPLAIN_HPP

#include "run/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

struct cause_share {
    std::string name;
    double mean;      /* cycles per translation, or wave cycles per memory instruction */
    std::string text; /* its description */
};

/* Return causes in order of declaration; empty if the platform keeps no such account. */
std::vector<cause_share> translation_causes(const json &stats); /* account.*, per translation */
std::vector<cause_share> stall_causes(const json &stats);       /* gpu.wave_stall.*, per memory instruction */

double mean_of(const std::vector<cause_share> &causes, const std::string &name); /* 0 if missing */

/* Returns how `other` compares with `base`, line by line: by how much; what changed, causes first, as far as
 * the waves waited for it; bounds that were met; and then where the time went. Lines that begin with spaces
 * are a list. */
std::vector<std::string> explain_difference(const json &base, const std::string &base_name, const json &other,
                                            const std::string &other_name);
/* Prints the lines, broken to fit; continuations are indented below their text. */
void print_explanation(std::ostream &out, const std::vector<std::string> &lines);

/* Prints one row per cause, one column per run; omits rows that are 0 everywhere. */
void print_causes(std::ostream &out, const std::string &title,
                  const std::vector<std::vector<cause_share>> &runs, const std::vector<std::string> &heads);

} // namespace walkway

#endif
