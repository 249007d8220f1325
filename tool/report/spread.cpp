/* SPDX-License-Identifier: MIT */
/* report/spread.cpp - computes median and range. */
#include "report/spread.hpp"

#include "report/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

spread spread_of(std::vector<double> values)
{
    values.erase(
        std::remove_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); }),
        values.end());
    if (values.empty()) {
        const double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none, 0};
    }
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    const double median =
        (values[(n - 1) / 2] + values[n / 2]) / 2; /* of an even number, the mean of the middle two */
    return {median, values.front(), values.back(), n};
}

std::string text_of_spread(const spread &s, int decimals)
{
    const std::string median = text_of_real(s.median, decimals);
    if (s.runs < 2)
        return median;
    return median + " (" + text_of_real(s.low, decimals) + " ... " + text_of_real(s.high, decimals) + ")";
}

json number_or_null(double value)
{
    return std::isfinite(value) ? json(value) : json(nullptr);
}

json spread_json(const spread &s)
{
    return {{"median", number_or_null(s.median)},
            {"low", number_or_null(s.low)},
            {"high", number_or_null(s.high)},
            {"runs", s.runs}};
}

} // namespace walkway
