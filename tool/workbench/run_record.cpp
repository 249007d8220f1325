/* SPDX-License-Identifier: MIT */
/* workbench/run_record.cpp - runs one point of a study and makes its record. */
#include "workbench/run_record.hpp"

#include "report/places.hpp"
#include "report/sampled.hpp"
#include "run/parameters.hpp"
#include "support/ini_file.hpp"
#include "support/nearest.hpp"

#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <unistd.h>

namespace walkway
{

std::string now_text()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    char text[32];
    std::tm parts{};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return text;
}

static std::string processor_name()
{
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.compare(0, 10, "model name") == 0)
            return trimmed(line.substr(line.find(':') + 1));
    return "";
}

json host_json()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return {{"name", name}, {"processor", processor_name()}, {"processors", sysconf(_SC_NPROCESSORS_ONLN)}};
}

json recorded(const json &statistics, const std::vector<std::string> &patterns)
{
    if (patterns.empty())
        return statistics;
    std::vector<std::string> names;
    for (const auto &item : statistics.items())
        names.push_back(item.key());
    const std::vector<bool> wanted = meant(patterns, names, "record: no statistic");
    json kept = json::object();
    for (size_t i = 0; i < names.size(); ++i)
        if (wanted[i])
            kept[names[i]] = statistics.at(names[i]);
    return kept;
}

/* Returns the changed parameters, with numbers as JSON numbers, as in a configuration. */
static json parameters_json(const run_order &order)
{
    std::map<std::string, json> values;
    for (const parameter &p : list_parameters(*order.machine->config))
        values[p.name] = json_of(p);
    json list = json::array();
    for (const setting &s : order.changes)
        list.push_back({s.name, values.at(s.name), s.origin});
    return list;
}

json record_of_lost(const run_order &order, int code, const std::string &reason)
{
    return {{"format", record_format},    {"key", order.key},
            {"exit_code", code},          {"reason", reason},
            {"workload", order.workload}, {"machine", order.base},
            {"program", program_json()},  {"started", now_text()},
            {"host", host_json()},        {"parameters", parameters_json(order)}};
}

json record_of(const run_order &order, const simulation &result)
{
    json record = record_of_lost(order, static_cast<int>(result.code), result.story);
    record["host"].update(result.host);
    record["laws_checked"] = result.stats.at("laws").size();
    record["laws"] = json::array();
    for (const json &law : result.stats.at("laws"))
        if (!law.at("holds").get<bool>())
            record["laws"].push_back(law);
    if (result.code != exit_ok)
        return record;
    record["reason"] = text_of_sample(result.stats);
    record["headline"] = result.stats.at("headline");
    if (is_sampled(result.stats))
        record["error"] = result.stats.at("sampled").at("error");
    uint64_t bits = 0;
    for (const hardware_structure &s : order.machine->config->structures())
        bits += s.bits;
    record["headline"]["bits"] = {
        {"value", bits}, {"unit", "bits"}, {"description", "storage of the machine's structures"}};
    const json &all = result.stats.at("statistics");
    if (all.contains("arrays.area")) {
        record["headline"]["area"] = {{"value", all.at("arrays.area").at("value").get<double>() / 1e6},
                                      {"unit", "mm2"},
                                      {"description", "of on-chip arrays, MSHRs too (docs/model/energy.md)"}};
        record["headline"]["array_energy"] = {
            {"value", all.at("arrays.energy").at("value").get<double>() / 1e6},
            {"unit", "uJ"},
            {"description", "that accesses of on-chip arrays took"}};
    }
    record["statistics"] = recorded(result.stats.at("statistics"), order.record);
    record["places"] = places_json(result.stats);
    return record;
}

simulation simulate_as(const run_order &order, const progress_fn &progress)
{
    return order.sample.wanted
               ? simulate_sampled(*order.machine, order.trace, progress, order.sample, 1)
               : simulate(*order.machine, order.trace, progress, {}, {}, order.scope, order.with);
}

json record_of_run(const run_order &order, const progress_fn &progress)
{
    const std::string started = now_text();
    json record;
    try {
        const simulation result = simulate_as(order, progress);
        if (result.code == exit_interrupted)
            throw failure(exit_interrupted, "stopped");
        record = record_of(order, result);
    } catch (const failure &e) {
        if (e.code() == exit_interrupted || e.code() == exit_output)
            throw;
        record = record_of_lost(order, static_cast<int>(e.code()), e.what());
    }
    record["started"] = started;
    return record;
}

} // namespace walkway
