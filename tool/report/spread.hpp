/* SPDX-License-Identifier: MIT */
/* report/spread.hpp - one number from several runs that differ in nothing that matters: median and range. */
#ifndef WALKWAY_REPORT_SPREAD_HPP
#define WALKWAY_REPORT_SPREAD_HPP

#include "run/statistics.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct spread {
    double median, low, high; /* not a number when there is no value */
    size_t runs;              /* values there were */
};

/* What is not a number is left out: a run without result. */
spread spread_of(std::vector<double> values);

/* "1.60 (1.58 ... 1.63)"; of a single run "1.60", of none "-". */
std::string text_of_spread(const spread &s, int decimals);

/* {"median", "low", "high", "runs"}, null where there is no value. */
json spread_json(const spread &s);

/* JSON has no infinity and no not-a-number: null. */
json number_or_null(double value);

} // namespace walkway

#endif
