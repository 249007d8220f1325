/* SPDX-License-Identifier: MIT */
/* report/explain.cpp - the causes of a difference. The means of the causes sum to the mean latency, so a
 * difference of two latencies is exactly the sum of the differences of the causes. */
#include "report/explain.hpp"

#include "report/causes.hpp"
#include "report/comparison.hpp"
#include "report/table.hpp"
#include "support/names.hpp"
#include "support/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace walkway
{

static std::vector<cause_share> causes_under(const json &stats, const std::string &prefix,
                                             const std::string &sum, double divisor)
{
    std::vector<cause_share> causes;
    if (divisor <= 0) /* nothing to divide by */
        return causes;
    const stat_view view(stats.at("statistics"));
    for (const stat_view::number &entry : view.under(prefix, "cycles"))
        if (entry.name != sum)
            causes.push_back({entry.name, entry.value / divisor, entry.text});
    return causes;
}

std::vector<cause_share> translation_causes(const json &stats)
{
    const stat_view view(stats.at("statistics"));
    if (!view.has_group("account"))
        return {};
    /* The account covers only answered translations: in a partial run, some have no answer. */
    return causes_under(stats, "account", "translation_cycles", view.value("coalescer.answered"));
}

std::vector<cause_share> stall_causes(const json &stats)
{
    const stat_view view(stats.at("statistics"));
    if (!view.has_group("gpu.wave_stall"))
        return {};
    return causes_under(stats, "gpu.wave_stall", "wave_cycles", view.value("coalescer.instructions"));
}

double mean_of(const std::vector<cause_share> &causes, const std::string &name)
{
    for (const cause_share &c : causes)
        if (c.name == name)
            return c.mean;
    return 0.0;
}

static double total(const std::vector<cause_share> &causes)
{
    double sum = 0;
    for (const cause_share &c : causes)
        sum += c.mean;
    return sum;
}

struct change {
    std::string name, text;
    double before, after;
    double fall() const { return before - after; }
};

/* Returns the changes, the largest fall first and the largest rise last. */
static std::vector<change> changes(const std::vector<cause_share> &base,
                                   const std::vector<cause_share> &other)
{
    std::vector<change> list;
    for (const cause_share &c : base)
        list.push_back({c.name, c.text, c.mean, mean_of(other, c.name)});
    for (const cause_share &c : other)
        if (std::none_of(base.begin(), base.end(), [&](const cause_share &b) { return b.name == c.name; }))
            list.push_back({c.name, c.text, 0.0, c.mean});
    std::stable_sort(list.begin(), list.end(),
                     [](const change &a, const change &b) { return a.fall() > b.fall(); });
    return list;
}

static std::string quoted(const change &c)
{
    return c.name + " " + text_of_real(c.before, 1) + " -> " + text_of_real(c.after, 1) + " (" + c.text + ")";
}

/* Returns "most of it is a, then b; against it stands c". It names causes of at least a tenth of the
 * difference. */
static std::string name_largest(std::vector<change> list, double difference)
{
    if (difference < 0)
        std::reverse(list.begin(), list.end());
    const double scale = std::fabs(difference);
    const auto along = [&](const change &c) { return difference < 0 ? -c.fall() : c.fall(); };
    std::string text;
    unsigned named = 0;
    for (const change &c : list) {
        if (named == 3 || along(c) < 0.1 * scale)
            break;
        text += (named == 0 ? "most of it is " : ", then ") + quoted(c);
        ++named;
    }
    if (!list.empty() && -along(list.back()) > 0.1 * scale)
        text += (text.empty() ? "" : "; ") + std::string("against it stands ") + quoted(list.back());
    return text;
}

/* Formats three significant digits: all before the point, at most four after it. */
static std::string rate(double value)
{
    if (value == 0)
        return "0";
    if (value >= 1000)
        return text_of_count(static_cast<uint64_t>(std::llround(value)));
    return text_of_real(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4);
}

/* Begins a factor's line. */
static std::string text_of_factor(double times)
{
    std::string text = usable(times) ? "x " + rate(times) : "-";
    text.resize(std::max<size_t>(text.size() + 1, 10), ' ');
    return "  " + text;
}

static std::string line_of(const cause_factor &f)
{
    return text_of_factor(f.times) + f.name + " " + rate(f.before) + " -> " + rate(f.after) +
           (f.note.empty() ? "" : " (" + f.note + ")");
}

/* Returns the logarithm of the factor; infinite if it has none, 0 if it is that of two rates of 0. */
static double push(const cause_factor &f)
{
    if (std::isnan(f.times))
        return 0;
    return usable(f.times) ? std::log(f.times) : f.times > 0 ? HUGE_VAL : -HUGE_VAL;
}

static double product(const std::vector<cause_factor> &factors)
{
    double whole = 1;
    for (const cause_factor &f : factors)
        whole *= f.times;
    return whole;
}

/* Returns the factors in this direction, the largest first, then those against it. Those under 5 %, or
 * small relative to the whole, follow as one product if that is 1 % or more. */
static std::vector<std::string> ranked(std::vector<cause_factor> factors, double direction)
{
    const double whole = product(factors);
    const double least = std::max(std::log(1.05), usable(whole) ? 0.1 * std::fabs(std::log(whole)) : 0.0);
    const auto along = [&](const cause_factor &f) { return push(f) * direction; };
    std::stable_sort(factors.begin(), factors.end(), [&](const cause_factor &a, const cause_factor &b) {
        if ((along(a) > 0) != (along(b) > 0))
            return along(a) > 0;
        return std::fabs(push(a)) > std::fabs(push(b));
    });
    std::vector<std::string> lines;
    double others = 1;
    for (const cause_factor &f : factors) {
        if (std::fabs(push(f)) >= least)
            lines.push_back(line_of(f));
        else if (usable(f.times))
            others *= f.times;
    }
    if (!lines.empty() && std::fabs(others - 1) >= 0.01)
        lines.push_back(text_of_factor(others) + "all smaller ones");
    return lines;
}

static void add_factors(std::vector<std::string> &lines, const std::string &title,
                        const std::vector<cause_factor> &factors, double direction)
{
    const std::vector<std::string> list = ranked(factors, direction);
    if (list.empty())
        return;
    const double whole = product(factors);
    lines.push_back(title + (usable(whole) ? " (all together x " + rate(whole) + "):" : ":"));
    lines.insert(lines.end(), list.begin(), list.end());
}

/* Adds the causes of walks and of data, each if it changed the waves' waiting; the larger first. */
static void add_causes(std::vector<std::string> &lines, const json &base, const json &other, double direction)
{
    constexpr double share = 0.1; /* of the change */
    const wave_change waves = waves_changed(base, other);
    const auto walks = [&] {
        if (waves.translation + waves.either >= share)
            add_factors(lines, "Causes, as factors of the run's time", walk_factors(base, other), direction);
    };
    const auto data = [&] {
        if (waves.data + waves.either >= share)
            add_factors(lines, "Causes, as factors of main memory's time for data", data_factors(base, other),
                        direction);
    };
    if (waves.data > waves.translation) {
        data();
        walks();
    } else {
        walks();
        data();
    }
}

static void add_bounds(std::vector<std::string> &lines, const json &base, const json &other)
{
    constexpr size_t most = 3;
    std::vector<bound_met> bounds = bounds_changed(base, other);
    if (bounds.empty())
        return;
    lines.emplace_back("Bounds that held requests up, of the run's time:");
    bounds.resize(std::min(bounds.size(), most));
    for (const bound_met &b : bounds)
        lines.push_back("            " + b.name + " " + text_of_real(100 * b.before, 1) + " -> " +
                        text_of_real(100 * b.after, 1) + " % (" + b.text + ")");
}

/* Returns "most of it is ..." if the difference is large enough. */
static std::string where_it_went(const std::vector<cause_share> &before,
                                 const std::vector<cause_share> &after)
{
    const double fall = total(before) - total(after);
    if (std::fabs(fall) <= 0.005 * total(before))
        return ".";
    const std::string largest = name_largest(changes(before, after), fall);
    return (largest.empty() ? "" : "; " + largest) + ".";
}

static std::string time_of(const json &base, const json &other)
{
    const std::vector<cause_share> before = translation_causes(base), after = translation_causes(other);
    if (before.empty() || after.empty())
        return "";
    std::string text = "Time: a translation takes " + text_of_real(total(after), 1) + " cycles instead of " +
                       text_of_real(total(before), 1) + where_it_went(before, after);
    const std::vector<cause_share> stall_before = stall_causes(base), stall_after = stall_causes(other);
    const double was = total(stall_before), is = total(stall_after);
    if (was > 0 && std::fabs(was - is) > 0.005 * was)
        text += " A wave spends " + text_of_real(is, 1) + " instead of " + text_of_real(was, 1) +
                " cycles on a memory instruction" + where_it_went(stall_before, stall_after);
    return text;
}

std::vector<std::string> explain_difference(const json &base, const std::string &base_name, const json &other,
                                            const std::string &other_name)
{
    const double speedup = speedup_of(base, other);
    const bool same = !(std::fabs(speedup - 1.0) >= 0.005);
    std::vector<std::string> lines;
    if (same)
        lines.push_back(other_name + " takes as long as " + base_name + " (speed-up " +
                        text_of_real(speedup, 3) + ").");
    else if (speedup > 1.0)
        lines.push_back(other_name + " is " + text_of_real(speedup, 2) + " times as fast as " + base_name +
                        ".");
    else
        lines.push_back(other_name + " takes " + text_of_real(1.0 / speedup, 2) + " times as long as " +
                        base_name + " (speed-up " + text_of_real(speedup, 2) + ").");
    if (same)
        add_factors(lines, "What changed all the same, as factors of the run's time",
                    walk_factors(base, other), 1.0);
    else
        add_causes(lines, base, other, speedup > 1.0 ? -1.0 : 1.0);
    add_bounds(lines, base, other);
    const std::string time = time_of(base, other);
    if (!time.empty())
        lines.push_back(time);
    return lines;
}

void print_explanation(std::ostream &out, const std::vector<std::string> &lines)
{
    for (const std::string &line : lines)
        out << flowed(line);
}

void print_causes(std::ostream &out, const std::string &title,
                  const std::vector<std::vector<cause_share>> &runs, const std::vector<std::string> &heads)
{
    std::vector<std::string> names;
    for (const auto &run : runs)
        add_in_order(names, names_of(run));
    if (names.empty())
        return;
    std::vector<std::string> head = {title};
    head.insert(head.end(), heads.begin(), heads.end());
    table t(head);
    for (const std::string &name : names) {
        std::vector<std::string> cells = {name};
        bool any = false;
        for (const auto &run : runs) {
            const double mean = mean_of(run, name);
            any = any || mean != 0.0;
            cells.push_back(text_of_real(mean, 2));
        }
        if (any)
            t.row(cells);
    }
    std::vector<std::string> sums = {"sum"};
    for (const auto &run : runs)
        sums.push_back(text_of_real(total(run), 2));
    t.row(sums);
    t.print(out);
}

} // namespace walkway
