/* SPDX-License-Identifier: MIT */
/* report/spread.hpp - one number from several equivalent runs: median and range. */
#ifndef WALKWAY_REPORT_SPREAD_HPP
#define WALKWAY_REPORT_SPREAD_HPP

#include "run/statistics.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct spread {
    double median, low, high; /* NaN if there is no value */
    size_t runs;              /* number of values */
};

/* Returns the spread of the values; NaN values, of runs without a result, are ignored. */
spread spread_of(std::vector<double> values);

/* Returns "1.60 (1.58 ... 1.63)"; for a single run "1.60", for none "-". */
std::string text_of_spread(const spread &s, int decimals);

/* Returns {"median", "low", "high", "runs"}, null if there is no value. */
json spread_json(const spread &s);

/* Returns the value, or null for infinity and NaN, which JSON lacks. */
json number_or_null(double value);

} // namespace walkway

#endif
