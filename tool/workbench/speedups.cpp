/* SPDX-License-Identifier: MIT */
/* workbench/speedups.cpp - pairs points with their baselines, computes ratios, and notes what is missing. */
#include "workbench/speedups.hpp"

#include "run/extent.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "workbench/results_rows.hpp"
#include "workbench/stored_result.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unistd.h>

namespace walkway
{

namespace
{

using settings = std::vector<std::pair<std::string, std::string>>;

/* Splits "apu-micro18:gpu.cus=16" into its name and settings. */
std::pair<std::string, settings> parts_of(const std::string &machine)
{
    const size_t colon = machine.find(':');
    settings set;
    if (colon != std::string::npos)
        for (const std::string &one : split(machine.substr(colon + 1), ',')) {
            const size_t equals = one.find('=');
            set.emplace_back(one.substr(0, equals),
                             equals == std::string::npos ? "" : one.substr(equals + 1));
        }
    return {machine.substr(0, colon), set};
}

std::string label_of(const std::string &machine, const std::vector<std::string> &axes,
                     const std::vector<std::string> &at)
{
    std::string label = machine;
    for (size_t i = 0; i < axes.size(); ++i)
        if (!at[i].empty())
            label += (label.find(':') == std::string::npos ? ":" : ",") + axes[i] + "=" + at[i];
    return label;
}

constexpr size_t most_shown = 5;

class collection
{
public:
    collection(results_file &results, speedups &all) : results_(results), all_(all)
    {
        expect_done(results, "compare");
        result_rows rows = read_rows(results, {"seconds"}, {{"cost", "", all.cost}});
        all.axes = rows.axes;
        name_missing(rows);
        errors_ = stored_errors(results);
        for (const result_row &row : rows.rows)
            add(row);
        for (speedup_point &p : all_.points)
            p.of.resize(all_.programs.size());
    }
    const std::set<std::string> &models() const { return models_; }

private:
    /* Takes the names of points that were never run from their study; none if it cannot be read. */
    void name_missing(result_rows &rows)
    {
        std::map<int64_t, std::optional<study_file>> studies;
        statement ask(results_.db(), "SELECT id, name, contents FROM studies");
        while (ask.step())
            try {
                studies[ask.integer(0)] = study_of_text(ask.text(2), ask.text(1));
            } catch (const failure &) {
                studies[ask.integer(0)] = std::nullopt;
            }
        for (result_row &row : rows.rows) {
            const std::optional<study_file> &study = studies.at(row.study);
            if (row.run != 0 || !study)
                continue;
            const point p = point_at(*study, static_cast<uint64_t>(row.point));
            row.workload = study->workloads[p.workload].name;
            row.machine = study->platforms[p.platform].name;
            for (size_t i = 0; i < p.at.size(); ++i)
                for (size_t k = 0; k < study->axes[i].parameters.size(); ++k)
                    for (size_t a = 0; a < rows.axes.size(); ++a)
                        if (rows.axes[a] == study->axes[i].parameters[k])
                            row.at[a] = study->axes[i].values[p.at[i]][k];
        }
    }

    void add(const result_row &row)
    {
        speedup_cell &cell = cell_at(row);
        if (row.status == "done") {
            models_.insert(row.model);
            cell.seconds[row.repetition] = row.measured.front();
            cell.status = row.status;
        } else if (cell.status != "done")
            cell.status = row.status == "failed" ? "failed: " + row.reason : row.status;
        if (row.repetition == 0 && row.status == "done") {
            cell.run = row.run;
            cell.error = errors_[row.run];
            cell.cost = all_.cost.empty() ? std::nan("") : row.measured.back();
        }
    }

    speedup_cell &cell_at(const result_row &row)
    {
        const auto program = programs_.insert({row.workload, all_.programs.size()});
        if (program.second)
            all_.programs.push_back(row.workload);
        const auto found = points_.insert({{row.machine, row.at}, all_.points.size()});
        if (found.second)
            all_.points.push_back({row.machine, row.at, label_of(row.machine, all_.axes, row.at)});
        std::vector<speedup_cell> &cells = all_.points[found.first->second].of;
        cells.resize(std::max(cells.size(), all_.programs.size()));
        return cells[program.first->second];
    }

    results_file &results_;
    speedups &all_;
    std::map<std::string, size_t> programs_;
    std::map<std::pair<std::string, std::vector<std::string>>, size_t> points_;
    std::map<int64_t, sample_error> errors_; /* by run */
    std::set<std::string> models_;           /* revisions of the model that made the runs */
};

std::vector<std::string> machines_in(const speedups &all)
{
    std::vector<std::string> names;
    for (const speedup_point &p : all.points)
        add_once(names, p.machine);
    return names;
}

/* Returns the index of an axis. Throws failure(exit_usage) for an unknown axis, or a value that it lacks. */
size_t axis_with(const speedups &all, const std::string &option, const std::string &name,
                 const std::string &value)
{
    const size_t which =
        place_of(name, all.axes, option + ": '" + as_written(name) + "' is no axis of the results",
                 all.axes.empty() ? "" : "; they have " + listed(all.axes, most_shown));
    std::vector<std::string> values;
    for (const speedup_point &p : all.points)
        add_once(values, p.at[which]);
    if (!is_among(value, values))
        throw failure(exit_usage, option + ": no point has " + name + "=" + as_written(value) +
                                      did_you_mean_choice(value, values) + "; there are " +
                                      listed(values, most_shown));
    return which;
}

/* The machine with the most of the requested settings and no others; the remaining ones as values of axes. */
struct meant_baseline {
    std::string machine;
    std::map<size_t, std::string> values; /* by axis */
};

meant_baseline find_baseline(const speedups &all, const std::string &asked)
{
    const std::vector<std::string> machines = machines_in(all);
    const std::string option = "--baseline " + as_written(asked);
    const std::string whole =
        !asked.empty() && asked.front() == ':' ? parts_of(machines.front()).first + asked : asked;
    if (is_among(whole, machines))
        return {whole, {}};
    const auto [name, wanted] = parts_of(whole);
    const std::string *best = nullptr;
    size_t most = 0;
    for (const std::string &machine : machines) {
        const auto [its_name, set] = parts_of(machine);
        if (its_name == name && (best == nullptr || set.size() > most) &&
            std::all_of(set.begin(), set.end(), [&wanted = wanted](const auto &one) {
                return std::count(wanted.begin(), wanted.end(), one) != 0;
            })) {
            best = &machine;
            most = set.size();
        }
    }
    if (best == nullptr)
        throw failure(exit_usage, option + ": no such machine in the results" +
                                      did_you_mean(whole, machines) + "; they have " +
                                      listed(machines, most_shown));
    meant_baseline found{*best, {}};
    const settings own = parts_of(*best).second;
    for (const auto &one : wanted)
        if (std::count(own.begin(), own.end(), one) == 0)
            found.values[axis_with(all, option, one.first, one.second)] = one.second;
    return found;
}

void join_bases(speedups &all, const meant_baseline &baseline)
{
    std::map<std::vector<std::string>, size_t> of_machine;
    for (size_t i = 0; i < all.points.size(); ++i)
        if (all.points[i].machine == baseline.machine)
            of_machine[all.points[i].at] = i;
    for (speedup_point &p : all.points) {
        std::vector<std::string> at = p.at;
        for (const auto &[axis, value] : baseline.values)
            at[axis] = value;
        if (const auto found = of_machine.find(at); found != of_machine.end())
            p.base = found->second;
    }
    for (size_t i = 0; i < all.points.size(); ++i)
        if (all.points[i].base != i)
            return;
    throw failure(exit_usage, "--baseline " + as_written(all.baseline) +
                                  ": there is nothing else to compare with it: name a point's values, as in "
                                  "--baseline " +
                                  all.points.front().label);
}

void show_only(speedups &all, const std::vector<std::string> &where)
{
    std::vector<bool> programs(all.programs.size(), true);
    for (const std::string &condition : where) {
        const size_t equals = condition.find('=');
        const std::string name = condition.substr(0, equals), option = "--where " + as_written(condition);
        if (equals == std::string::npos)
            throw failure(exit_usage, option + ": wants NAME=VALUE");
        const std::string value = condition.substr(equals + 1);
        const std::vector<std::string> names = name == "workload" ? all.programs : machines_in(all);
        if (name == "workload" || name == "machine") {
            place_of(value, names, option + ": the results have none such",
                     "; they have " + listed(names, most_shown));
            for (size_t i = 0; i < programs.size(); ++i)
                programs[i] = programs[i] && (name == "machine" || all.programs[i] == value);
            for (speedup_point &p : all.points)
                p.shown = p.shown && (name == "workload" || p.machine == value);
        } else {
            const size_t axis = axis_with(all, option, name, value);
            for (speedup_point &p : all.points)
                p.shown = p.shown && p.at[axis] == value;
        }
    }
    for (size_t i = programs.size(); i-- > 0;)
        if (!programs[i]) {
            all.programs.erase(all.programs.begin() + static_cast<std::ptrdiff_t>(i));
            for (speedup_point &p : all.points)
                p.of.erase(p.of.begin() + static_cast<std::ptrdiff_t>(i));
        }
    if (std::none_of(all.points.begin(), all.points.end(), [](const speedup_point &p) { return p.shown; }))
        throw failure(exit_usage, "--where: no point has all of these");
}

void divide(speedups &all)
{
    for (speedup_point &p : all.points)
        for (size_t i = 0; i < all.programs.size() && p.base; ++i)
            for (const auto &[repetition, seconds] : p.of[i].seconds) {
                const std::map<int64_t, double> &base = all.points[*p.base].of[i].seconds;
                const auto same = base.find(repetition);
                if (same != base.end() && seconds > 0)
                    p.of[i].ratios[repetition] = same->second / seconds;
            }
}

void take_half_widths(speedups &all)
{
    for (size_t at = 0; at < all.points.size(); ++at) {
        speedup_point &p = all.points[at];
        double squares = 0, programs = 0, least = 0;
        for (size_t i = 0; i < p.of.size() && p.base && *p.base != at; ++i) {
            const sample_error &base = all.points[*p.base].of[i].error;
            speedup_cell &cell = p.of[i];
            cell.half_width = half_width_of_ratio(base, cell.error);
            if (all.in_mean[i]) {
                squares += cell.half_width * cell.half_width;
                programs += 1;
                least = std::max({least, base.least, cell.error.least});
            }
        }
        p.half_width = programs == 0 ? 0 : std::max(std::sqrt(squares) / programs, least);
    }
}

/* Returns the spread of the means of each repetition that all programs in the mean have. */
spread mean_of(const speedups &all, const speedup_point &p)
{
    std::map<int64_t, std::pair<size_t, double>> sums;
    const auto programs = static_cast<size_t>(std::count(all.in_mean.begin(), all.in_mean.end(), true));
    for (size_t i = 0; i < p.of.size(); ++i)
        if (all.in_mean[i])
            for (const auto &[repetition, ratio] : p.of[i].ratios) {
                ++sums[repetition].first;
                sums[repetition].second += std::log(ratio);
            }
    std::vector<double> means;
    for (const auto &[repetition, sum] : sums)
        if (sum.first == programs)
            means.push_back(std::exp(sum.second / static_cast<double>(programs)));
    return spread_of(means);
}

void take_means(speedups &all)
{
    all.in_mean.assign(all.programs.size(), true);
    for (const speedup_point &p : all.points)
        for (size_t i = 0; i < p.of.size(); ++i)
            if (p.shown && p.of[i].ratios.empty())
                all.in_mean[i] = false;
    for (speedup_point &p : all.points) {
        p.mean = mean_of(all, p);
        double sum = 0, programs = 0;
        for (size_t i = 0; i < p.of.size(); ++i)
            if (all.in_mean[i]) {
                sum += p.of[i].cost;
                ++programs;
            }
        p.cost = sum / programs; /* NaN without programs */
    }
}

void note_cells(speedups &all)
{
    size_t most = 0;
    for (const speedup_point &p : all.points)
        for (const speedup_cell &cell : p.of)
            most = p.shown ? std::max(most, cell.ratios.size()) : most;
    std::vector<std::string> without, fewer;
    for (const speedup_point &p : all.points)
        for (size_t i = 0; i < p.of.size() && p.shown; ++i) {
            const speedup_cell &cell = p.of[i];
            const std::string what = all.programs[i] + " on " + p.label;
            if (cell.status != "done")
                without.push_back(what + " (" + cell.status + ")");
            else if (cell.ratios.empty())
                without.push_back(what + " (" +
                                  (p.base ? "the baseline, " + all.points[*p.base].label + ", has none"
                                          : "there is no baseline of these values") +
                                  ")");
            else if (cell.ratios.size() < most)
                fewer.push_back(what + " (" + std::to_string(cell.ratios.size()) + " of " +
                                std::to_string(most) + ")");
        }
    if (!without.empty())
        all.notes.push_back("PARTIAL: no result of " + listed(without, most_shown, "; "));
    if (!fewer.empty())
        all.notes.push_back("PARTIAL: ranges over fewer perturbed runs than others: " +
                            listed(fewer, most_shown, "; "));
}

void note_mean(speedups &all)
{
    std::vector<std::string> inside;
    for (size_t i = 0; i < all.programs.size(); ++i)
        if (all.in_mean[i])
            inside.push_back(all.programs[i]);
    if (inside.empty())
        all.notes.push_back("PARTIAL: no geometric mean: no program has a result on all machines shown");
    else if (inside.size() < all.programs.size())
        all.notes.push_back(
            "PARTIAL: the geometric mean is over " + std::to_string(inside.size()) + " of " +
            std::to_string(all.programs.size()) +
            " programs, those with a result on all machines shown: " + listed(inside, most_shown));
}

/* Notes traces that are not whole, if they are still in their place. */
void note_traces(results_file &results, speedups &all)
{
    statement ask(results.db(), "SELECT name, trace, checksum FROM workloads ORDER BY id");
    while (ask.step()) {
        if (!is_among(ask.text(0), all.programs) || access(ask.text(1).c_str(), R_OK) != 0)
            continue;
        try {
            const trace_file trace = open_trace(ask.text(1));
            const wkt_info &info = *wkt_reader_info(trace.get());
            json extent;
            add_extent(extent, info, {});
            const std::string missing = text_of_missing(extent);
            if (text_of_checksum(info.checksum) == ask.text(2) && missing.rfind("PARTIAL: ", 0) == 0)
                all.notes.push_back("PARTIAL: " + ask.text(0) + " is " +
                                    missing.substr(9, missing.find('\n') - 9));
        } catch (const failure &) { /* another file is in its place */
        }
    }
}

} // namespace

spread speedup_cell::speedup() const
{
    std::vector<double> values;
    for (const auto &[repetition, ratio] : ratios)
        values.push_back(ratio);
    return spread_of(values);
}

double speedups::cost_more(const speedup_point &p) const
{
    return p.base ? p.cost - points[*p.base].cost : std::nan("");
}

double speedups::cost_ratio(const speedup_point &p) const
{
    return p.base ? p.cost / points[*p.base].cost : std::nan("");
}

double speedups::cost_ratio(const speedup_point &p, size_t program) const
{
    return p.base ? p.of[program].cost / points[*p.base].of[program].cost : std::nan("");
}

speedups speedups_of(results_file &results, const std::string &baseline,
                     const std::vector<std::string> &where, const std::string &cost)
{
    speedups all;
    all.baseline = baseline;
    all.cost = cost;
    const collection read(results, all);
    join_bases(all, find_baseline(all, baseline));
    show_only(all, where);
    divide(all);
    take_means(all);
    take_half_widths(all);
    note_cells(all);
    note_mean(all);
    note_traces(results, all);
    if (const std::string sampled = text_of_sampled(results); !sampled.empty())
        all.notes.push_back(sampled);
    if (read.models().size() > 1)
        all.notes.push_back("PARTIAL: the runs are of " + std::to_string(read.models().size()) +
                            " revisions of the model: the same sweep again makes them of one");
    return all;
}

} // namespace walkway
