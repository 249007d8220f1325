/* SPDX-License-Identifier: MIT */
/* workbench/results_rows.cpp - reads results; looks statistics up by run, as the file stores those of a run
 * together. */
#include "workbench/results_rows.hpp"

#include "report/spread.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/terminal.hpp"
#include "workbench/formula.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <unordered_map>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();
const char *const points_as_rows =
#include "rows.inc"
    ;
constexpr const char *histogram_fields[] = {"count", "sum", "min", "max", "mean", "p50", "p99"};

/* Where a metric is stored: a row of run_statistics, or a column of run_histograms. */
struct source {
    int64_t statistic = 0;  /* 0: none */
    std::string field = {}; /* of a histogram; else empty */
};

struct known_metrics {
    std::vector<metric> headline;
    std::map<std::string, std::pair<source, metric>> all;
};

known_metrics metrics_in(results_file &results)
{
    known_metrics known;
    statement ask(results.db(), "SELECT id, name, kind, unit, description FROM statistics ORDER BY id");
    while (ask.step()) {
        const metric m{ask.text(1), ask.text(3), ask.text(4)};
        if (ask.text(2) == "histogram") {
            for (const char *field : histogram_fields) {
                const std::string name = m.name + "." + field;
                known.all[name] = {
                    {ask.integer(0), field},
                    {name, std::string(field) == "count" ? "1" : m.unit, m.text + ": " + field}};
            }
            continue;
        }
        known.all[m.name] = {{ask.integer(0), ""}, m};
        if (ask.text(2) == "headline")
            known.headline.push_back(m);
    }
    return known;
}

void read_axes(results_file &results, result_rows &all)
{
    statement ask(results.db(), "SELECT p.name, a.axis FROM axes a JOIN parameters p ON p.id = a.parameter "
                                "ORDER BY a.study, a.number");
    while (ask.step())
        if (!is_among(ask.text(0), all.axes)) {
            all.axes.push_back(ask.text(0));
            all.axis_of.push_back(ask.text(1));
        }
}

void read_points(results_file &results, result_rows &all)
{
    statement ask(results.db(), points_as_rows);
    while (ask.step())
        all.rows.push_back({ask.integer(0),
                            ask.integer(1),
                            ask.integer(2),
                            ask.integer(3),
                            ask.text(4),
                            ask.text(5),
                            ask.text(6),
                            ask.text(7),
                            ask.text(8),
                            std::vector<std::string>(all.axes.size()),
                            {},
                            ask.text(9)});
}

void read_settings(results_file &results, result_rows &all)
{
    statement ask(results.db(), "SELECT p.name, c.value FROM run_parameters c JOIN parameters p ON p.id = "
                                "c.parameter WHERE c.run = ?");
    std::unordered_map<std::string, size_t> axis;
    for (size_t i = 0; i < all.axes.size(); ++i)
        axis[all.axes[i]] = i;
    for (result_row &row : all.rows) {
        ask.with(row.run);
        while (ask.step()) {
            const auto found = axis.find(ask.text(0));
            if (found != axis.end())
                row.at[found->second] = ask.text(1);
        }
    }
}

/* Returns the value of each source for each row; NaN if there is none. */
std::vector<std::vector<double>> measured_of(results_file &results, const std::vector<source> &sources,
                                             const std::vector<result_row> &rows)
{
    std::vector<std::vector<double>> values(rows.size(), std::vector<double>(sources.size(), none));
    statement value(results.db(), "SELECT value FROM run_statistics WHERE run = ? AND statistic = ?");
    for (size_t i = 0; i < sources.size(); ++i) {
        const source &from = sources[i];
        std::unique_ptr<statement> of_histogram;
        if (!from.field.empty())
            of_histogram = std::make_unique<statement>(
                results.db(),
                "SELECT " + from.field + " FROM run_histograms WHERE run = ? AND statistic = ?");
        statement &ask = from.field.empty() ? value : *of_histogram;
        for (size_t r = 0; r < rows.size(); ++r)
            if (rows[r].run != 0 && from.statistic != 0 && ask.with(rows[r].run, from.statistic).step())
                values[r][i] = ask.real(0);
    }
    return values;
}

size_t axis_of(const result_rows &all, const std::string &by)
{
    std::vector<std::string> names = {"workload", "machine"};
    names.insert(names.end(), all.axes.begin(), all.axes.end());
    return place_of(by, names, "--by " + as_written(by) + ": neither workload, machine nor an axis");
}

} // namespace

std::string text_of_measured(double value)
{
    if (std::isnan(value))
        return "";
    if (value == std::floor(value) && std::fabs(value) < 1e15)
        return std::to_string(static_cast<int64_t>(value));
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

std::vector<std::string> result_rows::axis_names() const
{
    std::vector<std::string> names;
    for (const std::string &name : axis_of)
        add_once(names, name);
    return names;
}

static bool is_formula(const std::string &name)
{
    return name.find_first_of("+-*/() ") != std::string::npos;
}

static std::set<std::string> parameters_in(results_file &results)
{
    std::set<std::string> all;
    statement ask(results.db(), "SELECT name FROM parameters");
    while (ask.step())
        all.insert(ask.text(0));
    return all;
}

/* Returns the names of all metrics and parameters. */
static std::vector<std::string> names_of(const known_metrics &known, const std::set<std::string> &parameters)
{
    std::vector<std::string> names(parameters.begin(), parameters.end());
    for (const auto &[name, where] : known.all)
        names.push_back(name);
    return names;
}

/* A name of both a metric and a parameter refers to the metric. */
static void read_formula(results_file &results, const known_metrics &known,
                         const std::set<std::string> &parameters, const std::string &text, size_t column,
                         result_rows &all)
{
    const formula made(results.db(), text);
    std::vector<source> sources;
    for (const std::string &name : made.names()) {
        const auto found = known.all.find(name);
        if (found == known.all.end() && parameters.count(name) == 0)
            throw failure(exit_usage, "'" + as_written(text) + "': no metric or parameter '" +
                                          as_written(name) + "'" +
                                          did_you_mean(name, names_of(known, parameters)));
        sources.push_back(found == known.all.end() ? source{} : found->second.first);
    }
    statement setting(results.db(), "SELECT value FROM settings WHERE run = ? AND name = ?");
    std::vector<std::vector<double>> values = measured_of(results, sources, all.rows);
    for (size_t i = 0; i < all.rows.size(); ++i) {
        for (size_t n = 0; n < sources.size() && all.rows[i].run != 0; ++n) {
            if (sources[n].statistic != 0 || !setting.with(all.rows[i].run, made.names()[n]).step())
                continue;
            if (setting.json_value(0).is_string())
                throw failure(exit_usage, "'" + as_written(text) + "': " + made.names()[n] + " is '" +
                                              as_written(setting.text(0)) + "' somewhere, and no number");
            values[i][n] = setting.real(0);
        }
        all.rows[i].measured[column] = made.of(values[i]);
    }
}

result_rows read_rows(results_file &results, const std::vector<std::string> &metrics, const std::string &cost)
{
    const known_metrics known = metrics_in(results);
    const std::set<std::string> parameters = parameters_in(results);
    result_rows all;
    std::vector<source> sources;
    std::map<size_t, std::string> formulas; /* by column */
    const auto add = [&](const metric &m, const source &from) {
        all.metrics.push_back(m);
        sources.push_back(from);
    };
    const auto add_formula = [&](const std::string &name, const std::string &text) {
        formulas[all.metrics.size()] = text;
        add({name, "", text}, {});
    };
    for (const metric &m : known.headline)
        if (metrics.empty())
            add(m, known.all.at(m.name).first);
    for (const std::string &name : metrics) {
        const auto found = known.all.find(name);
        if (found != known.all.end())
            add(found->second.second, found->second.first);
        else if (name == "cost" && !cost.empty())
            add_formula(name, cost);
        else if (is_formula(name) || parameters.count(name) != 0)
            add_formula(name, name);
        else
            throw failure(exit_usage, "no metric '" + as_written(name) + "' in " +
                                          as_written(results.db().path()) +
                                          did_you_mean(name, names_of(known, parameters)) +
                                          "; --sql 'SELECT * FROM statistics' has them all");
    }
    if (!cost.empty() && std::count(metrics.begin(), metrics.end(), "cost") == 0)
        add_formula("cost", cost);
    read_axes(results, all);
    read_points(results, all);
    read_settings(results, all);
    std::vector<std::vector<double>> measured = measured_of(results, sources, all.rows);
    for (size_t r = 0; r < all.rows.size(); ++r)
        all.rows[r].measured = std::move(measured[r]);
    for (const auto &[column, text] : formulas)
        read_formula(results, known, parameters, text, column, all);
    return all;
}

std::string text_of_sampled(results_file &results)
{
    statement ask(
        results.db(),
        "SELECT count(*), max(1.0 * w.value / c.value) FROM run_statistics w JOIN statistics s ON "
        "s.id = w.statistic AND s.name = 'cycles_half_width' JOIN run_statistics c ON c.run = w.run "
        "JOIN statistics t ON t.id = c.statistic AND t.name = 'cycles'");
    statement whole(results.db(), "SELECT count(*) FROM runs WHERE status = 'done' AND reason LIKE ?");
    whole.with(std::string(run_whole) + "%").step();
    ask.step();
    std::vector<std::string> parts;
    if (ask.integer(0) != 0)
        parts.push_back(text_of_count(static_cast<uint64_t>(ask.integer(0))) +
                        " runs are estimates, cycles to +- " + text_of_share(ask.real(1)) +
                        " or better (cycles_half_width has each)");
    if (whole.integer(0) != 0)
        parts.push_back(text_of_count(static_cast<uint64_t>(whole.integer(0))) +
                        " ran whole instead (their reason says why)");
    return parts.empty() ? "" : "SAMPLED: " + joined(parts, "; ");
}

table table_of(const result_rows &all)
{
    std::vector<std::string> head = {"study", "point", "repetition", "workload", "machine"};
    head.insert(head.end(), all.axes.begin(), all.axes.end());
    head.insert(head.end(), {"status", "reason"});
    for (const metric &m : all.metrics)
        head.push_back(m.name);
    table t(head);
    t.align_left();
    for (const result_row &row : all.rows) {
        std::vector<std::string> cells = {row.study_name, std::to_string(row.point + 1),
                                          std::to_string(row.repetition), row.workload, row.machine};
        cells.insert(cells.end(), row.at.begin(), row.at.end());
        cells.insert(cells.end(), {row.status, row.reason});
        for (const double value : row.measured)
            cells.push_back(text_of_measured(value));
        t.row(cells);
    }
    t.number_columns(1, 2);
    t.number_columns(head.size() - all.metrics.size(), all.metrics.size());
    return t;
}

table best_of(const result_rows &all, const std::string &by, bool highest, size_t count)
{
    const size_t which = axis_of(all, by);
    const auto value_of = [&](const result_row &row) {
        return which == 0 ? row.workload : which == 1 ? row.machine : row.at[which - 2];
    };
    struct place {
        const result_row *row;
        std::vector<double> values;
    };
    /* Groups are per program, as metrics of different programs do not compare. Repeats share a place. */
    using group_name = std::pair<std::string, std::string>;
    std::map<group_name, std::map<std::vector<std::string>, place>> groups;
    std::vector<group_name> order;
    for (const result_row &row : all.rows) {
        if (row.status != "done" || std::isnan(row.measured.front()))
            continue;
        const group_name group = {row.workload, value_of(row)};
        if (groups.count(group) == 0)
            order.push_back(group);
        std::vector<std::string> what = row.at;
        what.push_back(row.workload);
        what.push_back(row.machine);
        groups[group].insert({what, {&row, {}}}).first->second.values.push_back(row.measured.front());
    }
    std::vector<std::string> head = {"workload", "machine"};
    head.insert(head.end(), all.axes.begin(), all.axes.end());
    head.push_back(all.metrics.front().name);
    head.insert(head.end(), {"low", "high", "runs"});
    const size_t beside = all.metrics.size() - 1;
    for (size_t i = 1; i <= beside; ++i)
        head.push_back(all.metrics[i].name);
    table t(head);
    t.align_left();
    for (const group_name &group : order) {
        std::vector<std::pair<spread, const result_row *>> places;
        for (const auto &[what, p] : groups[group])
            places.emplace_back(spread_of(p.values), p.row);
        std::stable_sort(places.begin(), places.end(), [&](const auto &a, const auto &b) {
            const double x = a.first.median, y = b.first.median;
            return x != y ? (highest ? x > y : x < y) : a.second->point < b.second->point;
        });
        for (size_t i = 0; i < places.size() && i < count; ++i) {
            const auto &[values, row] = places[i];
            std::vector<std::string> cells = {row->workload, row->machine};
            cells.insert(cells.end(), row->at.begin(), row->at.end());
            for (const double value : {values.median, values.low, values.high})
                cells.push_back(text_of_measured(value));
            cells.push_back(std::to_string(values.runs));
            for (size_t m = 1; m <= beside; ++m)
                cells.push_back(text_of_measured(row->measured[m]));
            t.row(cells);
        }
    }
    t.number_columns(head.size() - 4 - beside, 4 + beside);
    return t;
}

table table_of(statement &answer)
{
    std::vector<std::string> head;
    for (int i = 0; i < answer.columns(); ++i)
        head.push_back(answer.name(i));
    table t(head);
    t.align_left();
    std::vector<bool> texts(head.size());
    while (answer.step()) {
        std::vector<std::string> cells;
        for (int i = 0; i < answer.columns(); ++i) {
            cells.push_back(answer.text(i));
            texts[static_cast<size_t>(i)] = texts[static_cast<size_t>(i)] || answer.is_text(i);
        }
        t.row(cells);
    }
    for (size_t i = 0; i < texts.size(); ++i)
        if (!texts[i])
            t.number_columns(i);
    return t;
}

void print_contents(std::ostream &out, results_file &results)
{
    const auto print = [&](const char *sql) {
        statement ask(results.db(), sql);
        table_of(ask).print(out);
        out << '\n';
    };
    print("SELECT s.name AS study, s.question, count(*) AS points, sum(r.status = 'done') AS done, "
          "sum(r.status = 'failed') AS failed, "
          "sum(r.status = 'missing') AS missing FROM results r JOIN studies s ON s.id = r.study_id GROUP BY "
          "s.id");
    print("SELECT s.name AS study, p.name AS axis, p.unit, group_concat(DISTINCT c.value) AS \"values run\" "
          "FROM axes a JOIN studies s ON s.id = a.study "
          "JOIN parameters p ON p.id = a.parameter LEFT JOIN run_parameters c ON c.parameter = a.parameter "
          "GROUP BY a.study, a.number");
    print("SELECT DISTINCT b.version, b.git, b.model, h.name AS host, h.processor FROM runs r JOIN builds b "
          "ON b.id = r.build JOIN hosts h ON h.id = r.host");
}

} // namespace walkway
