/* SPDX-License-Identifier: MIT */
/* cli/comparison.hpp - several results of one trace side by side, the first being the baseline. */
#ifndef WALKWAY_CLI_COMPARISON_HPP
#define WALKWAY_CLI_COMPARISON_HPP

#include "cli/statistics.hpp"
#include "model/common/structure.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

struct named_result {
    std::string label;
    json stats; /* the content of its stats.json; null when the run failed */
    std::vector<hardware_structure> structures = {}; /* of the machine; for compare */
};

void print_comparison(std::ostream &out, const std::vector<named_result> &results);
json comparison_json(const std::vector<named_result> &results);

/* baseline's value / other's (speed-up), other's / baseline's (ratio); not a number where one is missing or
 * nought. */
double speedup_of(const json &base, const json &other);
double ratio_of(const json &base, const json &other, const std::string &headline);

/* Reads a stats.json; null when it is not there. Throws failure(exit_input) when it is no result of this
 * program. */
json read_result(const std::string &path);

} // namespace walkway

#endif
