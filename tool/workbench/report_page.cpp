/* SPDX-License-Identifier: MIT */
/* workbench/report_page.cpp - makes the page, and the JSON that its script needs. */
#include "workbench/report_page.hpp"

#include "report/explain.hpp"
#include "report/spread.hpp"
#include "run/result_levels.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "workbench/knees.hpp"
#include "workbench/stored_result.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace walkway
{

namespace
{

const char *const page =
#include "report.inc"
    ;
const char *const page_of_figures =
#include "figures.inc"
    ;

std::string key_of(const result_row &row)
{
    std::string key = row.workload + " · " + row.machine;
    for (const std::string &value : row.at)
        key += " · " + value;
    return key;
}

/* Returns the rows of a query as a titled table. */
json table_json(results_file &results, const char *title, const std::string &sql)
{
    statement ask(results.db(), sql);
    json t = {{"title", title}, {"head", json::array()}, {"rows", json::array()}};
    for (int i = 0; i < ask.columns(); ++i)
        t["head"].push_back(ask.name(i));
    while (ask.step()) {
        json row = json::array();
        for (int i = 0; i < ask.columns(); ++i)
            row.push_back(ask.text(i));
        t["rows"].push_back(row);
    }
    return t;
}

json provenance_json(results_file &results)
{
    return {
        table_json(results, "Traces", "SELECT name, trace, checksum FROM workloads"),
        table_json(results, "Machines",
                   "SELECT label AS machine, path, text, digest AS \"checksum of its values\" FROM machines"),
        table_json(
            results, "Builds and hosts",
            "SELECT b.version, b.git, b.model, h.name AS host, h.processor, h.processors, count(*) AS runs, "
            "min(r.started) AS first, max(r.started) AS last, round(sum(r.seconds), 1) AS seconds FROM runs "
            "r "
            "JOIN builds b ON b.id = r.build JOIN hosts h ON h.id = r.host GROUP BY b.id, h.id")};
}

std::string text_of_laws(results_file &results)
{
    statement ask(results.db(), "SELECT coalesce(sum(laws), 0), count(*), (SELECT count(*) FROM broken_laws) "
                                "FROM runs WHERE laws > 0");
    ask.step();
    const auto count = [&](int column) { return text_of_count(static_cast<uint64_t>(ask.integer(column))); };
    return count(0) + " conservation laws were checked in " + count(1) + " runs; " +
           (ask.integer(2) == 0 ? "all hold." : count(2) + " are broken.");
}

/* Returns a run's cycles per translation of each cause, in the order of `causes`; adds new causes to it. */
json account_of(results_file &results, const result_row &row, json &causes,
                std::map<std::string, size_t> &index)
{
    const std::vector<cause_share> shares = stored_causes(results, row.run);
    if (shares.empty())
        return nullptr;
    std::vector<double> values(causes.size(), 0);
    for (const cause_share &c : shares) {
        const auto found = index.insert({c.name, index.size()});
        if (found.second) {
            causes.push_back({{"name", c.name}, {"text", c.text}});
            values.push_back(0);
        }
        values[found.first->second] = c.mean;
    }
    return values;
}

void add_histogram(results_file &results, const result_row &row, const std::string &which, json &data)
{
    const json found = stored_statistics(results, row.run);
    const std::string name = result_levels(found).walks() + ".walk_latency";
    if (found.contains(name) && found.at(name).contains("buckets"))
        data["histograms"].push_back({{"workload", row.workload},
                                      {"label", which + ": " + key_of(row)},
                                      {"buckets", found.at(name).at("buckets")}});
}

/* Adds the run's tables of places in the program, once. */
void add_places(results_file &results, const result_row &row, json &data)
{
    const std::string key = key_of(row);
    for (const json &known : data["places"])
        if (known["key"] == key)
            return;
    if (const json tables = stored_places(results, row.run); !tables.empty())
        data["places"].push_back({{"key", key}, {"workload", row.workload}, {"tables", tables}});
}

std::string text_of_why(results_file &results, const best_point &p)
{
    if (p.same)
        return key_of(*p.best) + ": no difference from " + key_of(*p.first) +
               ": the range of the ratio over perturbations holds 1.";
    try {
        return joined(explain_difference(stored_result(results, p.first->run), key_of(*p.first),
                                         stored_result(results, p.best->run), key_of(*p.best)),
                      "\n");
    } catch (const failure &e) {
        return key_of(*p.best) + ": the study did not record what an explanation takes (" + e.what() + ")";
    }
}

/* Compares machines, each at its best point; the baseline is the one that the study names first. */
void add_machines(results_file &results, const result_rows &all, const std::vector<best_point> &best,
                  json &data)
{
    const auto seconds = std::find_if(all.metrics.begin(), all.metrics.end(),
                                      [](const metric &m) { return m.name == "seconds"; });
    std::map<std::pair<int64_t, std::string>, std::vector<const best_point *>> of; /* by study and workload */
    for (const best_point &p : best)
        of[{p.first->study, p.workload}].push_back(&p);
    for (auto &[where, machines] : of) {
        std::sort(machines.begin(), machines.end(),
                  [](const best_point *a, const best_point *b) { return a->first->point < b->first->point; });
        const best_point &base = *machines.front();
        for (size_t i = 1; i < machines.size() && seconds != all.metrics.end(); ++i) {
            const auto column = static_cast<size_t>(seconds - all.metrics.begin());
            const double gain = base.best->measured[column] / machines[i]->best->measured[column];
            best_point pair = base;
            pair.first = base.best;
            pair.best = machines[i]->best;
            pair.same = false;
            data["pairs"].push_back({key_of(*pair.first), key_of(*pair.best)});
            data["why"].push_back({{"workload", base.workload}, {"text", text_of_why(results, pair)}});
            data["knees"].push_back(
                {{"workload", base.workload},
                 {"axis", "machine"},
                 {"text", base.workload + ", machines: " + machines[i]->machine + " is " +
                              text_of_real(gain, 2) + " times as fast as " + base.machine +
                              ", the first one, in time, each at its best point, unperturbed"}});
        }
    }
}

/* Reads the rows, with the cost, if a formula is given, and with the energy (as search defines it) of on-chip
 * arrays and of the walkers' memory reads if a run has recorded both. */
result_rows rows_with_cost_and_energy(results_file &results, const std::string &cost)
{
    statement ask(results.db(),
                  "SELECT s.unit FROM statistics s JOIN run_statistics a ON a.statistic = s.id "
                  "JOIN run_statistics b ON b.run = a.run JOIN statistics t ON t.id = b.statistic WHERE "
                  "s.name = 'arrays.energy' AND t.name = 'energy.walk_reads_actual' LIMIT 1");
    std::vector<metric> formulas = {{"cost", "", cost}};
    if (ask.step())
        formulas.push_back({"energy", ask.text(0), "arrays.energy + energy.walk_reads_actual"});
    return read_rows(results, {}, formulas);
}

/* Returns the values, by machine, of parameters in which machines differ: the page's axes besides the
 * study's. */
json machine_values(results_file &results)
{
    json values = json::object();
    statement ask(
        results.db(),
        "SELECT p.name, m.label, v.value FROM machine_parameters v JOIN machines m ON m.id = v.machine "
        "JOIN parameters p ON p.id = v.parameter WHERE v.parameter IN (SELECT parameter FROM "
        "machine_parameters GROUP BY parameter HAVING count(DISTINCT value) > 1 OR count(*) < (SELECT "
        "count(*) FROM machines)) ORDER BY p.id, m.id");
    while (ask.step())
        values[ask.text(0)][ask.text(1)] = ask.text(2);
    return values;
}

/* Escapes '<', which could end the script element. */
std::string in_script(std::string text)
{
    std::string out;
    for (const char c : text)
        out += c == '<' ? "\\u003c" : std::string(1, c);
    return out;
}

} // namespace

std::string plotly_file()
{
    const std::string given = environment("WALKWAY_PLOTLY");
    const std::string path = given.empty() ? "/usr/share/python3-plotly/plotly.js" : given;
    if (access(path.c_str(), R_OK) != 0)
        throw failure(exit_input, as_written(path) +
                                      ": the drawing library is not there: install python3-plotly, or set "
                                      "$WALKWAY_PLOTLY to a plotly.js");
    return path;
}

json report_data(results_file &results, const std::string &cost)
{
    expect_done(results, "report");
    const result_rows all = rows_with_cost_and_energy(results, cost);
    const auto cycles = std::find_if(all.metrics.begin(), all.metrics.end(),
                                     [](const metric &m) { return m.name == "cycles"; });
    const auto place_of_cycles = static_cast<size_t>(cycles - all.metrics.begin());
    json data = {{"counts", {{"done", 0}, {"failed", 0}, {"missing", 0}}},
                 {"sampled", text_of_sampled(results)},
                 {"machine_values", machine_values(results)}};
    for (const char *list : {"axes", "metrics", "rows", "causes", "knees", "why", "pairs", "histograms",
                             "places", "studies", "machines"})
        data[list] = json::array();
    for (size_t i = 0; i < all.axes.size(); ++i) {
        statement ask(results.db(), "SELECT unit, description FROM parameters WHERE name = ?");
        const bool known = ask.with(all.axes[i]).step();
        data["axes"].push_back({{"name", all.axes[i]},
                                {"axis", all.axis_of[i]},
                                {"unit", known ? ask.text(0) : ""},
                                {"text", known ? ask.text(1) : ""}});
    }
    for (const metric &m : all.metrics)
        data["metrics"].push_back({{"name", m.name}, {"unit", m.unit}, {"text", m.text}});
    std::map<std::string, size_t> index;
    const std::map<int64_t, sample_error> errors = stored_errors(results);
    for (const result_row &row : all.rows) {
        data["counts"][row.status] = data["counts"][row.status].get<int>() + 1;
        json values = json::array();
        for (const double value : row.measured)
            values.push_back(number_or_null(value));
        json entry = {{"workload", row.workload},     {"machine", row.machine}, {"at", row.at},
                      {"repetition", row.repetition}, {"status", row.status},   {"values", values}};
        if (row.status == "failed")
            entry["reason"] = row.reason;
        if (row.status == "done" && row.repetition == 0)
            entry["account"] = account_of(results, row, data["causes"], index);
        if (const auto e = errors.find(row.run); e != errors.end())
            entry["error"] = json_of(e->second);
        data["rows"].push_back(entry);
        if (row.status == "done" && std::find(data["machines"].begin(), data["machines"].end(),
                                              row.machine) == data["machines"].end())
            data["machines"].push_back(row.machine);
    }
    const std::vector<best_point> best = best_points(all, place_of_cycles);
    const size_t all_machines = data["machines"].size();
    add_machines(results, all, best, data);
    for (const best_point &p : best) {
        for (const best_line &line : p.lines) {
            const std::string why = cause_of_knee(results, line);
            data["knees"].push_back({{"workload", p.workload},
                                     {"axis", line.axis},
                                     {"text", p.workload + " on " + p.machine + ", " + text_of_knee(line) +
                                                  (why.empty() ? "" : ". Why: " + why)}});
        }
        if (p.first != p.best || all_machines < 2)
            data["pairs"].push_back({key_of(*p.first), key_of(*p.best)});
        if (p.first != p.best) {
            data["why"].push_back({{"workload", p.workload}, {"text", text_of_why(results, p)}});
            add_histogram(results, *p.first, "first", data);
        }
        add_histogram(results, *p.best, "best", data);
        for (const result_row *row : {p.first, p.best})
            add_places(results, *row, data);
    }
    statement studies(results.db(), "SELECT name, question, contents FROM studies ORDER BY id");
    while (studies.step())
        data["studies"].push_back(
            {{"name", studies.text(0)}, {"question", studies.text(1)}, {"contents", studies.text(2)}});
    data["laws"] = text_of_laws(results);
    data["provenance"] = provenance_json(results);
    return data;
}

static std::string filled(std::string text, const json &data, const std::string &plotly)
{
    std::ifstream in(plotly, std::ios::binary);
    std::string library{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (size_t at = 0; (at = library.find("</script", at)) != std::string::npos; at += 3)
        library.insert(at + 1, "\\"); /* it occurs in strings only, where "\/" is "/" */
    const auto put = [&text](const std::string &mark, const std::string &what) {
        text.replace(text.find(mark), mark.size(), what);
    };
    put("@PLOTLY@", library);
    put("@DATA@", in_script(data.dump(-1, ' ', false, json::error_handler_t::replace)));
    return text;
}

std::string report_page(const json &data, const std::string &plotly)
{
    return filled(page, data, plotly);
}

std::string figures_page(const json &report, const std::string &plotly)
{
    return filled(page_of_figures, report, plotly);
}

} // namespace walkway
