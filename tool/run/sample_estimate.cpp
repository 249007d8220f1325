/* SPDX-License-Identifier: MIT */
/* run/sample_estimate.cpp - see sample_estimate.hpp. */
#include "run/sample_estimate.hpp"

#include "support/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace walkway
{

/* Half of a 95 % interval in standard errors. With this many windows, it hardly depends on their number. */
static constexpr double of_95 = 2.0;
/* Half of a 99 % interval, for a stratum: several are tested, so each may differ by more. */
static constexpr double of_99 = 2.7;
/* A stratum with a smaller share of the whole is not tested. */
static constexpr double share_that_counts = 0.1;

namespace
{

/* Sums over the windows of a stratum, or over those of one order of waves. */
struct part_sum {
    double total = 0, variance = 0;
};

part_sum sum_of(const sample_plan &plan, const std::vector<double> &counted, uint32_t stratum, int order)
{
    std::vector<double> values;
    for (size_t i = 0; i < plan.windows.size(); ++i)
        if (plan.windows[i].stratum == stratum &&
            (order < 0 || static_cast<int>(plan.windows[i].order) == order))
            values.push_back(counted[i]);
    const auto n = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        sum += values[i];
        if (i > 0)
            squares += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
    const double times = plan.strata[stratum].length / plan.length;
    part_sum part;
    if (n > 0)
        part.total = times * sum / n;
    if (n > 1)
        part.variance = times * times * squares / (2 * (n - 1)) / n;
    return part;
}

/* Handles each order of waves separately, since neighbouring windows have different ones. */
part_sum both_orders(const sample_plan &plan, const std::vector<double> &counted, uint32_t stratum)
{
    const part_sum a = sum_of(plan, counted, stratum, 0), b = sum_of(plan, counted, stratum, 1);
    return {(a.total + b.total) / 2, (a.variance + b.variance) / 4};
}

} // namespace

std::vector<double> window_weights(const sample_plan &plan)
{
    std::vector<double> windows(plan.strata.size());
    for (const sample_window &w : plan.windows)
        ++windows[w.stratum];
    std::vector<double> weights;
    for (const sample_window &w : plan.windows)
        weights.push_back(plan.strata[w.stratum].length / plan.length / windows[w.stratum]);
    return weights;
}

estimate estimate_of(const sample_plan &plan, const std::vector<double> &counted)
{
    part_sum all;
    for (uint32_t s = 0; s < plan.strata.size(); ++s) {
        const part_sum one = both_orders(plan, counted, s);
        all.total += one.total;
        all.variance += one.variance;
    }
    return {all.total, std::max(of_95 * std::sqrt(all.variance), least_half_width * all.total)};
}

/* The variance is that of the residuals above - ratio * below, whose mean is 0. */
estimate ratio_of(const sample_plan &plan, const std::vector<double> &above, const std::vector<double> &below)
{
    const double whole = estimate_of(plan, below).value;
    if (whole == 0)
        return {};
    const double ratio = estimate_of(plan, above).value / whole;
    std::vector<double> rest(above.size());
    for (size_t i = 0; i < rest.size(); ++i)
        rest[i] = above[i] - ratio * below[i];
    double variance = 0;
    for (uint32_t s = 0; s < plan.strata.size(); ++s)
        variance += both_orders(plan, rest, s).variance;
    return {ratio, std::max(of_95 * std::sqrt(variance) / whole, least_half_width * ratio)};
}

std::string orders_differ(const sample_plan &plan, const std::vector<double> &counted)
{
    const double whole = estimate_of(plan, counted).value;
    part_sum one, other;
    const auto apart = [whole](const part_sum &a, const part_sum &b, double times) {
        const double by = std::abs(a.total - b.total);
        return by > times * std::sqrt(a.variance + b.variance) && by > 2 * least_half_width * whole;
    };
    const auto says = [](const part_sum &a, const part_sum &b) {
        return text_of_count(static_cast<uint64_t>(a.total)) + " cycles from waves in step, " +
               text_of_count(static_cast<uint64_t>(b.total)) + " from waves that drift apart";
    };
    for (uint32_t s = 0; s < plan.strata.size(); ++s) {
        const part_sum a = sum_of(plan, counted, s, 0), b = sum_of(plan, counted, s, 1);
        if (std::max(a.total, b.total) > share_that_counts * whole && apart(a, b, of_99))
            return plan.strata[s].name + ": " + says(a, b);
        one = {one.total + a.total, one.variance + a.variance};
        other = {other.total + b.total, other.variance + b.variance};
    }
    return apart(one, other, of_95) ? says(one, other) : "";
}

} // namespace walkway
