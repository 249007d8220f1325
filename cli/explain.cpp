/* SPDX-License-Identifier: MIT */
/* cli/explain.cpp - the causes of a difference. The means of the causes sum to the mean latency, so a
 * difference of two latencies is exactly the sum of the differences of the causes. */
#include "cli/explain.hpp"

#include "cli/headline.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace walkway
{

static std::vector<cause_share> causes_under(const json &stats, const std::string &prefix,
                                             const std::string &sum, double divisor)
{
    std::vector<cause_share> causes;
    const stat_view view(stats.at("statistics"));
    for (const stat_view::number &entry : view.under(prefix, "cycles"))
        if (entry.name != sum)
            causes.push_back({entry.name, divisor > 0 ? entry.value / divisor : 0.0, entry.text});
    return causes;
}

std::vector<cause_share> translation_causes(const json &stats)
{
    const stat_view view(stats.at("statistics"));
    if (!view.has_group("account"))
        return {};
    return causes_under(stats, "account", "translation_cycles", view.value("coalescer.translations"));
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

static std::string text_of(const std::vector<cause_share> &causes, const std::string &name)
{
    for (const cause_share &c : causes)
        if (c.name == name)
            return c.text;
    return "";
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

/* Largest fall first, so the largest rise is last. */
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

/* "most of it is a, then b; against it stands c". A cause is named when it is at least a tenth of the
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

std::string explain_difference(const json &base, const std::string &base_name, const json &other,
                               const std::string &other_name)
{
    const double cycles_before = headline_value(base, "cycles");
    const double cycles_after = headline_value(other, "cycles");
    const double speedup = cycles_after > 0 ? cycles_before / cycles_after : 0.0;
    std::string text = other_name;
    if (std::fabs(speedup - 1.0) < 0.005)
        text += " takes as long as " + base_name + " (speed-up " + text_of_real(speedup, 3) + ")";
    else if (speedup > 1.0)
        text += " is " + text_of_real(speedup, 2) + " times as fast as " + base_name;
    else
        text += " is slower than " + base_name + " (speed-up " + text_of_real(speedup, 2) + ")";

    const std::vector<cause_share> before = translation_causes(base), after = translation_causes(other);
    if (before.empty() || after.empty())
        return text + ".";
    const double fall = total(before) - total(after);
    text += ": a translation takes " + text_of_real(total(after), 1) + " cycles instead of " +
            text_of_real(total(before), 1);
    if (std::fabs(fall) > 0.005 * total(before)) {
        const std::string largest = name_largest(changes(before, after), fall);
        text += largest.empty() ? "" : "; " + largest;
    }
    text += ".";

    const std::vector<cause_share> stall_before = stall_causes(base), stall_after = stall_causes(other);
    const double stall_fall = total(stall_before) - total(stall_after);
    if (std::fabs(stall_fall) > 0.005 * total(stall_before) && total(stall_before) > 0) {
        const std::string largest = name_largest(changes(stall_before, stall_after), stall_fall);
        text += " A wave spends " + text_of_real(total(stall_after), 1) + " instead of " +
                text_of_real(total(stall_before), 1) + " cycles on a memory instruction" +
                (largest.empty() ? "" : "; " + largest) + ".";
    }
    return text;
}

void print_causes(std::ostream &out, const std::string &title,
                  const std::vector<std::vector<cause_share>> &runs, const std::vector<std::string> &heads)
{
    std::vector<std::string> names;
    for (const auto &run : runs)
        for (const cause_share &c : run)
            if (std::find(names.begin(), names.end(), c.name) == names.end())
                names.push_back(c.name);
    if (names.empty())
        return;
    std::vector<std::string> head = {title};
    head.insert(head.end(), heads.begin(), heads.end());
    if (runs.size() == 1)
        head.emplace_back("");
    table t(head);
    if (runs.size() == 1)
        t.align_last_left();
    for (const std::string &name : names) {
        std::vector<std::string> cells = {name};
        bool any = false;
        for (const auto &run : runs) {
            const double mean = mean_of(run, name);
            any = any || mean != 0.0;
            cells.push_back(text_of_real(mean, 2));
        }
        if (any) {
            if (runs.size() == 1)
                cells.push_back(text_of(runs.front(), name));
            t.row(cells);
        }
    }
    std::vector<std::string> sums = {"sum"};
    for (const auto &run : runs)
        sums.push_back(text_of_real(total(run), 2));
    t.row(sums);
    t.print(out);
}

} // namespace walkway
