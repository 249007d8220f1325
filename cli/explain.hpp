/* SPDX-License-Identifier: MIT */
/* cli/explain.hpp - the account of the translations' time, and what it says about a difference between two
 * runs. */
#ifndef WALKWAY_CLI_EXPLAIN_HPP
#define WALKWAY_CLI_EXPLAIN_HPP

#include "cli/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

struct cause {
    std::string name;
    double mean; /* cycles a translation, or stalled wave cycles a memory instruction */
};

/* Causes in order of declaration; empty where the platform keeps no such account. */
std::vector<cause> translation_causes(const json &stats); /* account.*, per translation */
std::vector<cause> stall_causes(const json &stats);       /* gpu.wave_stall.*, per memory instruction */

double mean_of(const std::vector<cause> &causes, const std::string &name); /* 0 when it is not there */

/* One or more sentences: how `other` compares with `base`, and which causes fell or rose most. */
std::string explain_difference(const json &base, const std::string &base_name, const json &other,
                               const std::string &other_name);

/* One row a cause, one column a run; rows that are nought everywhere are left out. */
void print_causes(std::ostream &out, const std::string &title, const std::vector<std::vector<cause>> &runs,
                  const std::vector<std::string> &heads);

} // namespace walkway

#endif
