/* SPDX-License-Identifier: MIT */
/* workbench/stored_result.cpp - reads a run's rows as JSON. */
#include "workbench/stored_result.hpp"

namespace walkway
{

static void read_numbers(results_file &results, int64_t run, const std::string &prefix, json &statistics,
                         json &headline)
{
    statement ask(
        results.db(),
        "SELECT s.name, s.kind, s.unit, s.description, v.value FROM run_statistics v JOIN statistics s "
        "ON s.id = v.statistic WHERE v.run = ? AND substr(s.name, 1, length(?)) = ? ORDER BY v.statistic");
    ask.with(run, prefix, prefix);
    while (ask.step())
        (ask.text(1) == "headline" ? headline : statistics)[ask.text(0)] = {
            {"value", ask.json_value(4)}, {"unit", ask.text(2)}, {"description", ask.text(3)}};
}

static void read_histograms(results_file &results, int64_t run, const std::string &prefix, json &statistics)
{
    statement ask(results.db(), "SELECT s.name, s.unit, s.description, h.count, h.sum, h.min, h.max, h.mean, "
                                "h.p50, h.p99, h.buckets FROM "
                                "run_histograms h JOIN statistics s ON s.id = h.statistic WHERE h.run = ? "
                                "AND substr(s.name, 1, length(?)) = ? "
                                "ORDER BY h.statistic");
    ask.with(run, prefix, prefix);
    while (ask.step()) {
        json entry;
        for (int i = 3; i < 10; ++i)
            entry[ask.name(i)] = ask.json_value(i);
        entry["buckets"] = json::parse(ask.text(10));
        entry["unit"] = ask.text(1);
        entry["description"] = ask.text(2);
        statistics[ask.text(0)] = entry;
    }
}

json stored_statistics(results_file &results, int64_t run, const std::string &prefix)
{
    json statistics = json::object(), headline = json::object();
    read_numbers(results, run, prefix, statistics, headline);
    read_histograms(results, run, prefix, statistics);
    return statistics;
}

std::vector<cause_share> stored_causes(results_file &results, int64_t run)
{
    json statistics = stored_statistics(results, run, "account.");
    statistics.update(stored_statistics(results, run, "coalescer.answered"));
    return statistics.contains("coalescer.answered") ? translation_causes({{"statistics", statistics}})
                                                     : std::vector<cause_share>();
}

json stored_places(results_file &results, int64_t run)
{
    json places = json::object();
    statement ask(results.db(), "SELECT kind, contents FROM places WHERE run = ?");
    ask.with(run);
    while (ask.step())
        places[ask.text(0)] = json::parse(ask.text(1));
    return places;
}

std::map<int64_t, sample_error> stored_errors(results_file &results)
{
    std::map<int64_t, sample_error> errors;
    statement ask(results.db(), "SELECT run, windows, least, errors FROM samples");
    while (ask.step())
        errors[ask.integer(0)] = {ask.text(1), ask.real(2),
                                  json::parse(ask.text(3)).get<std::vector<double>>()};
    return errors;
}

json stored_result(results_file &results, int64_t run)
{
    json result = {{"partial", false}, {"headline", json::object()}, {"statistics", json::object()}};
    read_numbers(results, run, "", result["statistics"], result["headline"]);
    read_histograms(results, run, "", result["statistics"]);
    statement ask(results.db(), "SELECT name, value FROM settings WHERE run = ?");
    ask.with(run);
    while (ask.step())
        result["configuration"][ask.text(0)] = ask.json_value(1);
    statement machine(results.db(),
                      "SELECT m.name, m.path FROM runs r JOIN machines m ON m.id = r.machine WHERE r.id = ?");
    machine.with(run);
    if (machine.step())
        result["platform"] = {{"name", machine.text(0)}, {"path", machine.text(1)}};
    return result;
}

} // namespace walkway
