/* SPDX-License-Identifier: MIT */
/* workbench/speedup_tables.cpp - makes tables of speed-ups and accounts, for people and for programs. */
#include "workbench/results_rows.hpp"
#include "workbench/speedups.hpp"
#include "workbench/stored_result.hpp"

#include <algorithm>
#include <ostream>

namespace walkway
{

namespace
{

/* Returns the head of a table: the columns that every table has, and `more`. */
std::vector<std::string> head_with(const speedups &all, const std::vector<std::string> &more)
{
    std::vector<std::string> head = {"workload", "point", "machine"};
    head.insert(head.end(), all.axes.begin(), all.axes.end());
    head.emplace_back("baseline");
    head.insert(head.end(), more.begin(), more.end());
    return head;
}

std::vector<std::string> row_of(const speedups &all, const speedup_point &p, const std::string &workload)
{
    std::vector<std::string> row = {workload, p.label, p.machine};
    row.insert(row.end(), p.at.begin(), p.at.end());
    row.push_back(p.base ? all.points[*p.base].label : "");
    return row;
}

/* Adds a row: of the program with index `program`, or of the mean if there is none. */
void add_speedup(table &t, const speedups &all, const speedup_point &p, std::optional<size_t> program,
                 const spread &s, double half_width, const std::string &status)
{
    const std::string workload = program ? all.programs[*program] : "geometric mean";
    std::vector<std::string> row = row_of(all, p, workload);
    for (const double value : {s.median, s.low, s.high})
        row.push_back(text_of_measured(value));
    row.push_back(std::to_string(s.runs));
    row.push_back(half_width == 0 ? "" : text_of_measured(half_width * s.median));
    row.push_back(status);
    if (!all.cost.empty())
        row.insert(row.end(), {text_of_measured(program ? p.of[*program].cost : p.cost),
                               text_of_measured(program ? all.cost_ratio(p, *program) : all.cost_ratio(p))});
    t.row(row);
}

std::string text_of_speedup(const spread &s, double half_width)
{
    return text_of_spread(s, 3) +
           (half_width == 0 || s.runs == 0 ? "" : " +- " + text_of_real(half_width * s.median, 3));
}

bool is_sampled(const speedups &all)
{
    return std::any_of(all.points.begin(), all.points.end(),
                       [](const speedup_point &p) { return p.shown && p.half_width != 0; });
}

bool has_ranges(const speedups &all)
{
    return std::any_of(all.points.begin(), all.points.end(), [](const speedup_point &p) {
        return p.shown && std::any_of(p.of.begin(), p.of.end(),
                                      [](const speedup_cell &c) { return c.ratios.size() > 1; });
    });
}

void print_notes(std::ostream &out, const speedups &all)
{
    for (const std::string &note : all.notes)
        out << wrapped(note) << '\n';
}

} // namespace

table table_of(const speedups &all)
{
    std::vector<std::string> head =
        head_with(all, {"speedup", "low", "high", "runs", "half_width", "status"});
    if (!all.cost.empty())
        head.insert(head.end(), {"cost", "cost_ratio"});
    table t(head);
    t.align_left();
    const auto inside = std::count(all.in_mean.begin(), all.in_mean.end(), true);
    const std::string of_mean = static_cast<size_t>(inside) == all.programs.size()
                                    ? "done"
                                    : "PARTIAL: over " + std::to_string(inside) + " of " +
                                          std::to_string(all.programs.size()) + " workloads";
    for (const speedup_point &p : all.points) {
        if (!p.shown)
            continue;
        for (size_t i = 0; i < p.of.size(); ++i)
            add_speedup(t, all, p, i, p.of[i].speedup(), p.of[i].half_width,
                        p.of[i].status == "done" && p.of[i].ratios.empty() ? "no baseline" : p.of[i].status);
        add_speedup(t, all, p, {}, p.mean, p.half_width, of_mean);
    }
    t.number_columns(head.size() - (all.cost.empty() ? 6 : 8), 5);
    if (!all.cost.empty())
        t.number_columns(head.size() - 2, 2);
    return t;
}

table accounts_of(results_file &results, const speedups &all)
{
    const std::vector<std::string> head = head_with(all, {"cause", "cycles", "status"});
    table t(head);
    t.align_left();
    for (size_t i = 0; i < all.programs.size(); ++i)
        for (const speedup_point &p : all.points) {
            if (!p.shown)
                continue;
            const speedup_cell &cell = p.of[i];
            std::vector<cause_share> causes;
            if (cell.run != 0)
                causes = stored_causes(results, cell.run);
            if (causes.empty())
                causes.push_back({"", std::numeric_limits<double>::quiet_NaN(), ""});
            for (const cause_share &c : causes) {
                std::vector<std::string> row = row_of(all, p, all.programs[i]);
                row.insert(row.end(), {c.name, text_of_measured(c.mean),
                                       cell.run != 0 && c.name.empty() ? "not recorded" : cell.status});
                t.row(row);
            }
        }
    t.number_columns(head.size() - 2);
    return t;
}

void print_speedups(std::ostream &out, const speedups &all)
{
    std::vector<std::string> head = {""};
    head.insert(head.end(), all.programs.begin(), all.programs.end());
    head.emplace_back("geometric mean");
    if (!all.cost.empty())
        head.insert(head.end(), {"cost", "more", "ratio"});
    table t(head);
    for (const speedup_point &p : all.points) {
        if (!p.shown)
            continue;
        std::vector<std::string> row = {p.label};
        for (const speedup_cell &cell : p.of)
            row.push_back(text_of_speedup(cell.speedup(), cell.half_width));
        row.push_back(text_of_speedup(p.mean, p.half_width));
        if (!all.cost.empty())
            row.insert(row.end(), {text_of_number(p.cost), text_of_number(all.cost_more(p)),
                                   text_of_real(all.cost_ratio(p), 3)});
        t.row(row);
    }
    print_notes(out, all);
    out << wrapped(
               "Speed-up over " + all.baseline + ", of time" +
               (has_ranges(all) ? ": median (low ... high) over perturbed runs, each over the baseline's "
                                  "of the same perturbation."
                                : ".") +
               (is_sampled(all) ? " After +-, half of the 95 % interval of sampled runs, by the same "
                                  "windows where machines have them in common."
                                : "") +
               (all.cost.empty() ? "" : " Cost: " + all.cost + "; more than the baseline's, and over it."))
        << '\n';
    t.print(out);
}

void print_accounts(std::ostream &out, results_file &results, const speedups &all)
{
    std::vector<std::string> heads;
    std::vector<std::vector<cause_share>> runs;
    print_notes(out, all);
    for (size_t i = 0; i < all.programs.size(); ++i)
        for (const speedup_point &p : all.points)
            if (p.shown && p.of[i].run != 0) {
                const std::vector<cause_share> causes = stored_causes(results, p.of[i].run);
                const std::string what = all.programs[i] + " on " + p.label;
                if (causes.empty()) {
                    out << wrapped("PARTIAL: of " + what + " the study did not record account.*") << '\n';
                    continue;
                }
                heads.push_back("[" + std::to_string(heads.size() + 1) + "]");
                out << heads.back() << ' ' << what << '\n';
                runs.push_back(causes);
            }
    print_causes(out, "cycles per translation, by cause", runs, heads);
}

} // namespace walkway
