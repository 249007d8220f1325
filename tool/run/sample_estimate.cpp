/* SPDX-License-Identifier: MIT */
/* run/sample_estimate.cpp - see sample_estimate.hpp. */
#include "run/sample_estimate.hpp"

#include "run/trace_file.hpp"
#include "support/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/* The windows of a stratum, or those of one order of waves. */
struct part_sum {
    double total = 0;
    std::vector<double> errors; /* the variance of `total` is the sum of their squares */
    double variance() const { return std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0); }
    void add(const part_sum &o, double times)
    {
        total += times * o.total;
        for (const double e : o.errors)
            errors.push_back(times * e);
    }
};

part_sum part_of(const sample_plan &plan, const std::vector<double> &counted, uint32_t stratum,
                 uint32_t order)
{
    std::vector<double> values;
    for (size_t i = 0; i < plan.windows.size(); ++i)
        if (plan.windows[i].stratum == stratum && plan.windows[i].order == order)
            values.push_back(counted[i]);
    const auto n = static_cast<double>(values.size());
    const double times = plan.strata[stratum].length / plan.length;
    part_sum part;
    if (n > 0)
        part.total = times * std::accumulate(values.begin(), values.end(), 0.0) / n;
    for (size_t i = 1; i < values.size(); ++i)
        part.errors.push_back(times * (values[i] - values[i - 1]) / std::sqrt(2 * (n - 1) * n));
    return part;
}

/* Handles each order of waves separately, since neighbouring windows have different ones. */
part_sum sum_of(const sample_plan &plan, const std::vector<double> &counted)
{
    part_sum all;
    for (uint32_t s = 0; s < plan.strata.size(); ++s)
        for (uint32_t order = 0; order < wave_orders; ++order)
            all.add(part_of(plan, counted, s, order), 1.0 / wave_orders);
    return all;
}

/* Returns a key that is equal for equal windows. */
std::string key_of(const sample_plan &plan)
{
    std::vector<double> all = {plan.length};
    for (const sample_window &w : plan.windows)
        all.insert(all.end(), {static_cast<double>(w.stratum), static_cast<double>(w.order), w.open});
    return text_of_checksum(wkt_hash64(all.data(), all.size() * sizeof all[0], 0));
}

double half_width_of(const sample_error &e)
{
    const std::vector<double> &all = e.of_windows;
    return std::max(std::sqrt(std::inner_product(all.begin(), all.end(), all.begin(), 0.0)), e.least);
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
    const part_sum all = sum_of(plan, counted);
    return {all.total, std::max(of_95 * std::sqrt(all.variance()), least_half_width * all.total)};
}

sample_error error_of(const sample_plan &plan, const std::vector<double> &counted)
{
    const part_sum all = sum_of(plan, counted);
    sample_error error = {key_of(plan), least_half_width, {}};
    for (const double e : all.errors)
        error.of_windows.push_back(all.total == 0 ? 0 : of_95 * e / all.total);
    return error;
}

json json_of(const sample_error &error)
{
    return {{"windows", error.windows}, {"least", error.least}, {"of_windows", error.of_windows}};
}

bool are_pairs(const sample_error &a, const sample_error &b)
{
    return !a.windows.empty() && a.windows == b.windows && a.of_windows.size() == b.of_windows.size();
}

/* The error of above - ratio * below, whose mean is 0, over above. */
double half_width_of_ratio(const sample_error &a, const sample_error &b)
{
    if (!are_pairs(a, b))
        return std::hypot(half_width_of(a), half_width_of(b));
    sample_error apart = a;
    for (size_t i = 0; i < b.of_windows.size(); ++i)
        apart.of_windows[i] -= b.of_windows[i];
    return half_width_of(apart);
}

std::string orders_differ(const sample_plan &plan, const std::vector<double> &counted)
{
    const double whole = estimate_of(plan, counted).value;
    part_sum one, other;
    const auto apart = [whole](const part_sum &a, const part_sum &b, double times) {
        const double by = std::abs(a.total - b.total);
        return by > times * std::sqrt(a.variance() + b.variance()) && by > 2 * least_half_width * whole;
    };
    const auto says = [](const part_sum &a, const part_sum &b) {
        return text_of_count(static_cast<uint64_t>(a.total)) + " cycles from waves in step, " +
               text_of_count(static_cast<uint64_t>(b.total)) + " from waves that drift apart";
    };
    for (uint32_t s = 0; s < plan.strata.size(); ++s) {
        const part_sum a = part_of(plan, counted, s, 0), b = part_of(plan, counted, s, 1);
        if (std::max(a.total, b.total) > share_that_counts * whole && apart(a, b, of_99))
            return plan.strata[s].name + ": " + says(a, b);
        one.add(a, 1);
        other.add(b, 1);
    }
    return apart(one, other, of_95) ? says(one, other) : "";
}

} // namespace walkway
