/* SPDX-License-Identifier: MIT */
/* report/comparison.hpp - several results of one trace side by side, the first being the baseline. */
#ifndef WALKWAY_REPORT_COMPARISON_HPP
#define WALKWAY_REPORT_COMPARISON_HPP

#include "model/common/structure.hpp"
#include "run/statistics.hpp"

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

void print_comparison(std::ostream &out, const std::vector<named_result> &results,
                      const std::vector<bool> &same = {});
json comparison_json(const std::vector<named_result> &results, const std::vector<bool> &same = {});

/* baseline's value / other's (speed-up), other's / baseline's (ratio); not a number where one is missing or
 * nought. */
double speedup_of(const json &base, const json &other);
/* Picoseconds of a cycle of the GPU; 1 where the machine says nothing of it. */
double clock_of(const json &stats);
double ratio_of(const json &base, const json &other, const std::string &headline);

} // namespace walkway

#endif
