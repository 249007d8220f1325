/* SPDX-License-Identifier: MIT */
/* report/comparison.hpp - several results of one trace side by side; the first is the baseline. */
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
    json stats; /* the content of its stats.json; null if the run failed */
    std::vector<hardware_structure> structures = {}; /* of the machine; for compare */
};

void print_comparison(std::ostream &out, const std::vector<named_result> &results,
                      const std::vector<bool> &same = {});
json comparison_json(const std::vector<named_result> &results, const std::vector<bool> &same = {});

/* Return baseline's value / other's (speed-up), and other's / baseline's (ratio); NaN if one is missing or
 * 0. */
double speedup_of(const json &base, const json &other);
/* Returns the picoseconds of a cycle of the GPU; 1 if the machine does not state it. */
double clock_of(const json &stats);
double ratio_of(const json &base, const json &other, const std::string &headline);

} // namespace walkway

#endif
