/* SPDX-License-Identifier: MIT */
/* report/compare_ranges.cpp - prints ranges of ratios over perturbations. */
#include "report/compare_ranges.hpp"

#include "report/spread.hpp"
#include "report/table.hpp"

#include <functional>
#include <ostream>

namespace walkway
{

namespace
{

struct ratio_def {
    const char *name, *head;
    double (*value)(const json &base, const json &other);
};

const ratio_def ratios[] = {
    {"speedup", "speed-up", speedup_of},
    {"pte_reads_ratio", "PTE reads",
     [](const json &base, const json &other) { return ratio_of(base, other, "pte_reads"); }},
    {"walk_latency_ratio", "walk latency",
     [](const json &base, const json &other) { return ratio_of(base, other, "walk_latency_mean"); }},
};

spread spread_over(const std::vector<perturbed_comparison> &all, size_t machine, const ratio_def &ratio)
{
    std::vector<double> values;
    for (const perturbed_comparison &c : all) {
        const json &base = c.results.front().stats, &other = c.results[machine].stats;
        if (!base.is_null() && !other.is_null())
            values.push_back(ratio.value(base, other));
    }
    return spread_of(values);
}

} // namespace

void print_ranges(std::ostream &out, const std::vector<perturbed_comparison> &all)
{
    std::vector<std::string> head = {"median (low ... high)", "runs"};
    for (const ratio_def &ratio : ratios)
        head.insert(head.end() - 1, ratio.head);
    table t(head);
    const std::vector<named_result> &machines = all.front().results;
    for (size_t i = 1; i < machines.size(); ++i) {
        std::vector<std::string> cells = {"[" + std::to_string(i + 1) + "] " + machines[i].label};
        for (const ratio_def &ratio : ratios)
            cells.push_back(text_of_spread(spread_over(all, i, ratio), 2));
        cells.push_back(std::to_string(spread_over(all, i, ratios[0]).runs));
        t.row(cells);
    }
    t.print(out);
    out << wrapped("Over the runs above and " + std::to_string(all.size() - 1) +
                   " more of each machine, with changes that should not matter, alike on all machines.")
        << "\n\n";
}

std::vector<bool> no_difference(const std::vector<perturbed_comparison> &all)
{
    std::vector<bool> same(all.front().results.size());
    for (size_t i = 1; i < same.size(); ++i) {
        const spread s = spread_over(all, i, ratios[0]);
        same[i] = s.runs > 1 && s.low <= 1 && s.high >= 1;
    }
    return same;
}

std::vector<json> ranges_of_ratios(const std::vector<perturbed_comparison> &all)
{
    std::vector<json> list(all.front().results.size());
    for (size_t i = 0; i < list.size(); ++i)
        for (const ratio_def &ratio : ratios)
            list[i][ratio.name] = spread_json(spread_over(all, i, ratio));
    return list;
}

void add_ranges(json &comparison, const std::vector<perturbed_comparison> &all)
{
    json list = json::array();
    for (const perturbed_comparison &c : all) {
        json nudges = json::array();
        for (const nudge &n : c.nudges)
            nudges.push_back(text_of_nudge(n));
        list.push_back(nudges);
    }
    comparison["perturbations"] = list;
    const std::vector<json> ranges = ranges_of_ratios(all);
    for (size_t i = 0; i < ranges.size(); ++i)
        comparison["configurations"][i]["ranges"] = ranges[i];
}

} // namespace walkway
