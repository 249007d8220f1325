/* SPDX-License-Identifier: MIT */
/* workbench/results_rows.cpp - reads results; looks statistics up by run, as the file stores those of a run
 * together. */
#include "workbench/results_rows.hpp"

#include "report/spread.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();
const char *const points_as_rows =
#include "rows.inc"
    ;
constexpr const char *histogram_fields[] = {"count", "sum", "min", "max", "mean", "p50", "p99"};

/* A metric, and SQL that finds it for the run of the row p. */
struct column {
    metric about;
    std::string sql;
};

struct known_columns {
    std::vector<column> headline;
    std::map<std::string, column> metrics, parameters; /* of histograms: the fields */
};

known_columns columns_in(results_file &results)
{
    known_columns known;
    const auto found = [](const std::string &what, const std::string &from, int64_t id) {
        return "(SELECT " + what + " FROM " + from + " = " + std::to_string(id) + " AND run = p.run)";
    };
    statement ask(results.db(), "SELECT id, name, kind, unit, description FROM statistics ORDER BY id");
    while (ask.step()) {
        const metric m{ask.text(1), ask.text(3), ask.text(4)};
        if (ask.text(2) == "histogram")
            for (const std::string field : histogram_fields)
                known.metrics[m.name + "." + field] = {
                    {m.name + "." + field, field == "count" ? "1" : m.unit, m.text + ": " + field},
                    found(field, "run_histograms WHERE statistic", ask.integer(0))};
        else
            known.metrics[m.name] = {m, found("value", "run_statistics WHERE statistic", ask.integer(0))};
        if (ask.text(2) == "headline")
            known.headline.push_back(known.metrics.at(m.name));
    }
    statement parameters(results.db(), "SELECT id, name FROM parameters");
    while (parameters.step())
        known.parameters[parameters.text(1)].sql =
            found("value", "settings JOIN parameters USING (name) WHERE id", parameters.integer(0));
    return known;
}

std::vector<std::string> all_names(const known_columns &known)
{
    std::vector<std::string> names = names_of(known.parameters), metrics = names_of(known.metrics);
    names.insert(names.end(), metrics.begin(), metrics.end());
    return names;
}

/* A name of both a metric and a parameter refers to the metric. */
std::string sql_of_name(results_file &results, const known_columns &known, const std::string &name,
                        const std::string &before)
{
    if (const auto found = known.metrics.find(name); found != known.metrics.end())
        return found->second.sql;
    const auto found = known.parameters.find(name);
    if (found == known.parameters.end())
        throw failure(exit_usage, before + "no metric or parameter '" + as_written(name) + "'" +
                                      did_you_mean(name, all_names(known)));
    statement word(results.db(), "SELECT value FROM settings WHERE name = ? AND typeof(value) = 'text' AND "
                                 "value GLOB '*[^0-9]*' ORDER BY value");
    if (word.with(name).step())
        throw failure(exit_usage,
                      before + name + " is '" + as_written(word.text(0)) + "' somewhere, and no number");
    return found->second.sql;
}

/* Returns a formula of names, numbers, + - * / and parentheses as SQL; of reals: integers would be divided as
 * such. */
std::string sql_of_formula(results_file &results, const known_columns &known, const std::string &text)
{
    const auto is = [](int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; };
    const std::string before = "'" + as_written(text) + "': ";
    std::string sql;
    for (size_t i = 0, end = 0; i < text.size(); i = end) {
        end = i + 1;
        if (is(std::isalnum, text[i]))
            while (end < text.size() && (is(std::isalnum, text[end]) || text[end] == '_' || text[end] == '.'))
                ++end;
        const std::string word = text.substr(i, end - i);
        if (is(std::isalpha, text[i]))
            sql += "CAST(" + sql_of_name(results, known, word, before) + " AS REAL)";
        else if (is(std::isdigit, text[i]) && word.find_first_not_of("0123456789.eE") == std::string::npos)
            sql += word + (word.find_first_not_of("0123456789") == std::string::npos ? ".0" : "");
        else if (is(std::isdigit, text[i]))
            throw failure(exit_usage, before + "'" + as_written(word) + "' is no number");
        else if (std::string(" +-*/()").find(text[i]) != std::string::npos)
            sql += word;
        else
            throw failure(exit_usage, before + "'" + as_written(word) +
                                          "' is not expected there; a formula has names, numbers, + - * / "
                                          "and parentheses");
    }
    if (text.find("--") != std::string::npos || text.find("/*") != std::string::npos) /* SQLite's comments */
        throw failure(exit_usage, before + "is no formula");
    try {
        const statement check(results.db(), "SELECT " + sql + " FROM results p");
        return sql;
    } catch (const failure &) { /* SQLite's words are about SQL */
        throw failure(exit_usage, before + "is no formula");
    }
}

void read_axes(results_file &results, result_rows &all, std::string &sql)
{
    statement ask(results.db(),
                  "SELECT p.name, a.axis, p.id FROM axes a JOIN parameters p ON p.id = a.parameter "
                  "ORDER BY a.study, a.number");
    while (ask.step())
        if (!is_among(ask.text(0), all.axes)) {
            all.axes.push_back(ask.text(0));
            all.axis_of.push_back(ask.text(1));
            sql +=
                ", (SELECT value FROM run_parameters WHERE run = p.run AND parameter = " + ask.text(2) + ")";
        }
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

void expect_done(results_file &results, const std::string &what)
{
    statement done(results.db(), "SELECT 1 FROM runs WHERE status = 'done' LIMIT 1");
    if (!done.step())
        throw failure(exit_input,
                      as_written(results.db().path()) + ": no run is done: there is nothing to " + what);
}

static bool is_formula(const std::string &name)
{
    return name.find_first_of("+-*/() ") != std::string::npos;
}

result_rows read_rows(results_file &results, const std::vector<std::string> &metrics,
                      const std::vector<metric> &formulas)
{
    const known_columns known = columns_in(results);
    result_rows all;
    std::string sql = std::string(points_as_rows) + "SELECT p.*";
    read_axes(results, all, sql);
    const auto add = [&](const column &c) {
        all.metrics.push_back(c.about);
        sql += ", " + c.sql;
    };
    const auto add_formula = [&](const metric &m) { add({m, sql_of_formula(results, known, m.text)}); };
    for (const column &c : known.headline)
        if (metrics.empty())
            add(c);
    for (const std::string &name : metrics) {
        const auto found = known.metrics.find(name);
        if (found != known.metrics.end())
            add(found->second);
        else if (const auto f =
                     std::find_if(formulas.begin(), formulas.end(),
                                  [&](const metric &m) { return m.name == name && !m.text.empty(); });
                 f != formulas.end())
            add_formula(*f);
        else if (is_formula(name) || known.parameters.count(name) != 0)
            add_formula({name, "", name});
        else
            throw failure(exit_usage, "no metric '" + as_written(name) + "' in " +
                                          as_written(results.db().path()) +
                                          did_you_mean(name, all_names(known)) +
                                          "; --sql 'SELECT * FROM statistics' has them all");
    }
    for (const metric &m : formulas)
        if (!m.text.empty() && !is_among(m.name, metrics))
            add_formula(m);
    statement ask(results.db(), sql + " FROM named p ORDER BY study_id, point");
    while (ask.step()) {
        result_row row{ask.integer(0),
                       ask.integer(1),
                       ask.integer(2),
                       ask.integer(3),
                       ask.text(4),
                       ask.text(5),
                       ask.text(6),
                       ask.text(7),
                       ask.text(8),
                       {},
                       {},
                       ask.text(9)};
        for (int i = 10; i < ask.columns(); ++i)
            if (row.at.size() < all.axes.size())
                row.at.push_back(ask.text(i));
            else
                row.measured.push_back(ask.null(i) ? none : ask.real(i));
        all.rows.push_back(row);
    }
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
