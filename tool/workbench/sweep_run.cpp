/* SPDX-License-Identifier: MIT */
/* workbench/sweep_run.cpp - makes the runs and the rows of points. */
#include "workbench/sweep_run.hpp"

#include "support/numbers.hpp"
#include "support/paths.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>

namespace walkway
{

static constexpr size_t most_reasons = 5; /* printed */

sweep_run::sweep_run(study_machines &machines, const sweep_plan &plan) : machines_(machines), plan_(plan)
{
    bases_.resize(machines.study().platforms.size());
    for (const size_t i : machines.study().machines_wanted()) {
        platform_spec &spec = machines.platform(i);
        bases_[i] = {{"label", spec.label}, {"digest", digest_of(spec)}};
    }
}

json sweep_run::keys() const
{
    json keys = json::array();
    for (const planned_point &planned : plan_.points)
        keys.push_back(planned.key);
    return keys;
}

run_order sweep_run::order(const planned_point &planned) const
{
    const point p = machines_.decode(planned.number);
    const study_workload &of = machines_.study().workloads[p.workload];
    const auto traces = plan_.traces_of(of, p.workload);
    const workload_trace &trace = *traces.front();
    run_order run;
    run.machine = machines_.at(p);
    run.label = machines_.label(p);
    run.key = planned.key;
    run.trace = trace.path;
    run.workload = {{"name", of.name}, {"trace", of.text()}, {"checksum", trace.checksum}};
    run.base = bases_[p.platform];
    run.changes = machines_.changes(p);
    run.record = machines_.study().record;
    if (!plan_.sampled.empty())
        run.sample = machines_.study().sample;
    run.scope = make_scope(of.window);
    for (const std::string &part : machines_.study().by)
        run.scope.*program_parts.at(part) = true;
    run.with.event_list = machines_.study().platforms[p.platform].events;
    for (size_t i = 1; i < traces.size(); ++i)
        run.with.beside.push_back(traces[i]->path);
    return run;
}

/* True if a tried run's record fits the study, whose texts outside the key may have changed. */
static bool is_of(const json &tried, const run_order &run)
{
    return tried.is_object() && tried.value("record", json()) == json(run.record) &&
           tried.at("workload") == run.workload && tried.at("machine") == run.base &&
           tried.at("parameters") == record_of_lost(run, exit_ok, "").at("parameters");
}

void sweep_run::leave(const planned_point &planned, const std::string &folder,
                      const progress_fn &progress) const
{
    const run_order run = order(planned);
    const std::string tried = record_file(folder, run.key, run_tried);
    if (is_of(read_record(tried), run)) {
        std::filesystem::rename(tried, record_file(folder, run.key, run_ended));
        return;
    }
    std::remove(tried.c_str());
    run.machine->label = run.label;
    write_record(record_file(folder, run.key, run_ended), record_of_run(run, progress));
}

double sweep_run::attempt(const planned_point &planned, const std::string &folder,
                          const progress_fn &progress) const
{
    const run_order run = order(planned);
    const std::string started = now_text();
    run.machine->label = run.label;
    const simulation result = simulate_as(run, progress);
    if (!folder.empty() && result.code == exit_ok) {
        json record = record_of(run, result);
        record["started"] = started;
        record["record"] = run.record;
        make_folder(folder);
        write_record(record_file(folder, run.key, run_tried), record);
    }
    double bytes = 400;
    const json kept = recorded(result.stats.at("statistics"), run.record);
    for (const auto &item : kept.items())
        bytes += item.value().contains("buckets")
                     ? 60 + static_cast<double>(item.value().at("buckets").dump().size())
                     : 15;
    return bytes;
}

void write_record(const std::string &file, const json &record)
{
    const std::vector<uint8_t> bytes = json::to_cbor(record);
    write_file(file, std::string(bytes.begin(), bytes.end()));
}

static int64_t begin_study(results_file &results, study_machines &machines)
{
    const study_file &study = machines.study();
    transaction whole(results.db());
    const int64_t id = results.study(study);
    for (const size_t i : study.machines_wanted())
        results.machine(machines.platform(i));
    results.axes(id, study);
    whole.commit();
    return id;
}

open_study::open_study(study_machines &m, sweep_plan &p, const sweep_order &how)
    : machines(m), plan(p), order(how), made(make_results_file(how.results)),
      lock(how.results, "sweeps into it"), results(how.results, database::mode::write),
      folder(folder_of_runs(how.results)), collect(results, folder), all(m, p), study(begin_study(results, m))
{
    make_folder(folder);
}

open_study::~open_study()
{
    if (!made || has_rows_of_points())
        return;
    std::remove(order.results.c_str());
    collect.remove_folder();
}

bool open_study::has_rows_of_points() noexcept
{
    try {
        statement ask(results.db(), "SELECT EXISTS(SELECT 1 FROM points) OR EXISTS(SELECT 1 FROM runs)");
        return !ask.step() || ask.integer(0) != 0;
    } catch (...) { /* unknown, so that the file stays */
        return true;
    }
}

void open_study::add_points(const std::vector<planned_point> &points)
{
    std::vector<std::pair<uint64_t, std::string>> keys;
    for (const planned_point &planned : points)
        keys.emplace_back(planned.number, planned.key);
    transaction whole(results.db());
    results.points(study, keys, machines.size() / (machines.study().repeats + 1));
    whole.commit();
}

exit_code say_what_failed(results_file &results, const sweep_run &all)
{
    /* Per reason the first run of the plan: with min(), SQLite takes other columns from the minimum's row. */
    statement ask(results.db(),
                  "SELECT count(DISTINCT r.key) AS runs, min(k.key) AS first, w.name, m.label, "
                  "r.reason, r.exit_code FROM json_each(?) k JOIN runs r ON r.key = k.value JOIN "
                  "workloads w ON w.id = r.workload JOIN machines m ON m.id = r.machine WHERE "
                  "r.status = 'failed' GROUP BY r.reason ORDER BY runs DESC, first");
    ask.with(all.keys().dump());
    exit_code worst = exit_ok;
    int64_t first = INT64_MAX;
    for (size_t i = 0; ask.step(); ++i) {
        if (ask.integer(1) < first) {
            first = ask.integer(1);
            worst = static_cast<exit_code>(ask.integer(5));
        }
        if (i < most_reasons)
            std::cerr << "walkway: " << text_of_count(static_cast<uint64_t>(ask.integer(0))) << " failed ("
                      << as_written(ask.text(2)) << " on " << as_written(ask.text(3)) << "): " << ask.text(4)
                      << '\n';
    }
    return worst;
}

} // namespace walkway
