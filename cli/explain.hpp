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

struct cause_share {
    std::string name;
    double mean;      /* cycles a translation, or wave cycles a memory instruction */
    std::string text; /* its description */
};

/* Causes in order of declaration; empty where the platform keeps no such account. */
std::vector<cause_share> translation_causes(const json &stats); /* account.*, each translation */
std::vector<cause_share> stall_causes(const json &stats); /* gpu.wave_stall.*, each memory instruction */

double mean_of(const std::vector<cause_share> &causes, const std::string &name); /* 0 when it is not there */

/* One or more sentences: how `other` compares with `base`, and which causes fell or rose most. */
std::string explain_difference(const json &base, const std::string &base_name, const json &other,
                               const std::string &other_name);

/* One row a cause, one column a run; rows that are nought everywhere are left out. Of a single run the
 * descriptions too. */
void print_causes(std::ostream &out, const std::string &title,
                  const std::vector<std::vector<cause_share>> &runs, const std::vector<std::string> &heads);

} // namespace walkway

#endif
