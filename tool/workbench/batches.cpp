/* SPDX-License-Identifier: MIT */
/* workbench/batches.cpp - makes batches, and runs them as jobs. */
#include "workbench/batches.hpp"

#include "run/input.hpp"
#include "run/run_key.hpp"
#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/paths.hpp"
#include "workbench/collector.hpp"
#include "workbench/sweep_run.hpp"
#include "workbench/workflow.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr double least_seconds = 0.02; /* per run: covers the cost of its process and its record */

/* Memory that a job needs besides that of its runs (for Snakemake and this program), and memory that it
 * requests if nothing is known. */
static constexpr double beside_mib = 256, unknown_mib = 1024;

/* Returns the MiB to request for a run that took `bytes` (0: unknown). */
static uint64_t memory_mib_for(uint64_t bytes)
{
    if (bytes == 0)
        return static_cast<uint64_t>(unknown_mib);
    return static_cast<uint64_t>(std::ceil(beside_mib + 1.5 * static_cast<double>(bytes) / 1048576));
}

std::vector<batch> batches_of(study_machines &machines, const sweep_estimate &estimate, double seconds_each,
                              const std::string &prefix)
{
    std::vector<batch> all;
    double seconds = 0;
    uint64_t bytes = 0;
    for (const planned_point &planned : estimate.missing) {
        const point p = machines.decode(planned.number);
        const kind_of_run &kind = estimate.kinds.at(kind_of(machines.study(), p));
        const double takes = std::max(kind.each.seconds, least_seconds);
        if (all.empty() || seconds + takes > seconds_each) {
            all.push_back({prefix + std::to_string(all.size() + 1), {}, 0, 0, 0});
            seconds = 0;
            bytes = 0;
        }
        batch &b = all.back();
        b.points.push_back(planned);
        seconds += takes;
        bytes = std::max(bytes, kind.each.memory_bytes);
        b.seconds = seconds;
        b.memory_mib = memory_mib_for(bytes);
        b.minutes = 2 + static_cast<uint64_t>(std::ceil(3 * seconds / 60));
    }
    return all;
}

std::string folder_of_batches(const std::string &results)
{
    return folder_of_runs(results) + "/batches";
}

static std::string batch_file(const std::string &results, const std::string &name)
{
    return folder_of_batches(results) + "/" + name + ".json";
}

static std::string captured_file(const std::string &results, size_t workload)
{
    return folder_of_batches(results) + "/captured/" + std::to_string(workload + 1) + ".json";
}

/* The workloads to be captured, and the keys that were done when their jobs were made. */
static std::string captures_file(const std::string &results)
{
    return folder_of_batches(results) + "/captures.json";
}

/* Returns null if the file is missing or no JSON. */
static json parsed(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    json all = json::parse(in, nullptr, false);
    return all.is_discarded() ? json() : all;
}

void write_batches(const std::string &results, study_machines &machines, const sweep_plan &plan,
                   const std::vector<batch> &batches)
{
    make_folder(folder_of_batches(results));
    for (const batch &b : batches) {
        json traces = json::object(), points = json::array();
        for (const planned_point &p : b.points) {
            const size_t w = machines.decode(p.number).workload;
            for (const workload_trace *t : plan.traces_of(machines.study().workloads[w], w))
                traces[std::to_string(t - plan.traces.data())] = {t->path, t->checksum};
            points.push_back({p.number, p.configuration, p.key});
        }
        write_file(batch_file(results, b.name), dump({{"seconds", b.seconds},
                                                      {"memory_mib", b.memory_mib},
                                                      {"minutes", b.minutes},
                                                      {"traces", traces},
                                                      {"points", points}}));
    }
}

static json batch_json(const std::string &results, const std::string &name)
{
    const std::string file = batch_file(results, name);
    std::error_code error;
    if (name.find('/') != std::string::npos || !fs::exists(file, error))
        throw failure(exit_input, "there is no batch '" + as_written(name) + "' of " + as_written(results) +
                                      "; 'walkway sweep --batches' makes and lists them");
    json all = parsed(file);
    if (!all.is_object() || !all.contains("points"))
        throw failure(exit_input, as_written(file) + ": is no batch");
    return all;
}

static batch batch_of(const json &all, const std::string &name)
{
    batch b{name, {}, all.at("seconds"), all.at("memory_mib"), all.at("minutes")};
    for (const json &p : all.at("points"))
        b.points.push_back({p.at(0), p.at(1), p.at(2)});
    return b;
}

batch read_batch(const std::string &results, const std::string &name)
{
    return batch_of(batch_json(results, name), name);
}

/* True if a capture is still to come, whose batches are not there yet. */
static bool captures_are_left(const std::string &results)
{
    const json all = parsed(captures_file(results));
    if (!all.is_object() || !all.contains("captures"))
        return false;
    const json &workloads = all.at("captures");
    return std::any_of(workloads.begin(), workloads.end(), [&](const json &w) {
        return !parsed(captured_file(results, w.get<size_t>())).is_object();
    });
}

bool batches_are_done(const std::string &results, const std::set<std::string> &done)
{
    if (captures_are_left(results))
        return false;
    std::error_code ignored; /* a missing folder has no batches */
    for (const auto &entry : fs::directory_iterator(folder_of_batches(results), ignored)) {
        if (entry.path().extension() != ".json") /* folders of logs and marks */
            continue;
        const json all = parsed(entry.path().string());
        if (!all.is_object() || !all.contains("points"))
            continue;
        const batch b = batch_of(all, "");
        if (std::any_of(b.points.begin(), b.points.end(),
                        [&](const planned_point &p) { return done.count(p.key) == 0; }))
            return false;
    }
    return true;
}

[[noreturn]] static void refuse_changed(const batch &b, const std::string &what)
{
    throw failure(exit_input, "batch " + b.name + ": " + what +
                                  " here than when the batch was made: the study was changed, or this "
                                  "walkway is of another build; sweep again");
}

/* Reads the batch's traces into the plan. Throws failure(exit_input) if one has changed since it was made, or
 * the study has no such workload any more. */
static void check_traces(const json &all, const batch &b, const study_file &study, sweep_plan &plan)
{
    for (const auto &item : all.at("traces").items()) {
        const std::string path = item.value().at(0), checksum = item.value().at(1);
        const size_t place = std::stoul(item.key());
        if (place >= plan.traces.size())
            refuse_changed(b, as_written(study.path) + " has fewer workloads");
        workload_trace &trace = plan.traces[place];
        trace = whole_trace(path);
        if (trace.checksum != checksum)
            throw failure(exit_input, as_written(path) +
                                          ": is not the trace that it was when the batch was made (" +
                                          checksum + ", now " + trace.checksum + ")");
    }
}

/* Plans the batch's points. */
static void check_points(const batch &b, study_machines &machines, sweep_plan &plan)
{
    for (const planned_point &p : b.points)
        if (platform_spec *const spec =
                p.number < machines.size() ? machines.at(machines.decode(p.number)) : nullptr)
            plan.points.push_back({p.number, run_key(*spec, "")});
    plan.take_keys(machines.study());
    for (size_t i = 0; i < b.points.size(); ++i)
        if (i >= plan.points.size() || plan.points[i].key != b.points[i].key)
            refuse_changed(b, "point " + std::to_string(b.points[i].number + 1) + " of " +
                                  as_written(machines.study().path) + " is another run");
}

void run_batch(study_machines &machines, const sweep_order &order, const std::string &name)
{
    const std::string folder = folder_of_runs(order.results);
    const json all = batch_json(order.results, name);
    const batch b = batch_of(all, name);
    sweep_plan plan = empty_plan(machines.study());
    check_traces(all, b, machines.study(), plan);
    check_points(b, machines, plan);
    const sweep_run runs(machines, plan);
    std::vector<job> jobs;
    std::vector<size_t> of;
    for (size_t i = 0; i < b.points.size(); ++i) {
        std::error_code ignored;
        if (fs::exists(record_file(folder, b.points[i].key, run_ended), ignored))
            continue;
        of.push_back(i);
        jobs.push_back({machines.label(machines.decode(b.points[i].number)),
                        [&runs, &b, &folder, i](const progress_fn &progress) {
                            runs.leave(b.points[i], folder, progress);
                            return exit_ok;
                        }});
    }
    std::cout << "batch " << b.name << ": " << jobs.size() << " of " << b.points.size() << " runs to do, on "
              << host_json().at("name").get<std::string>() << ", " << now_text() << std::endl;
    exit_code stopped = exit_ok;
    std::string lost; /* a run that may succeed in a job with more memory or time */
    run_jobs(jobs, order.parallel, order.quiet, [&](size_t k, const job_result &end) {
        const std::string &key = b.points[of[k]].key;
        if (end.code == exit_interrupted || end.code == exit_output) {
            stopped = end.code;
            return false;
        }
        if (end.code == exit_ok) {
            std::remove(record_file(folder, key, run_lost).c_str());
            return true;
        }
        const std::string fault = end.fault.empty() ? "internal error" : end.fault;
        /* It was killed, or threw what no run throws: probably for lack of memory. */
        const bool again = end.fault.empty() || end.fault.compare(0, 18, "ended by signal 9 ") == 0;
        write_record(record_file(folder, key, again ? run_lost : run_ended),
                     record_of_lost(runs.order(b.points[of[k]]), end.code, fault));
        if (again)
            lost = jobs[k].label + ": " + fault;
        return true;
    });
    if (interrupted())
        throw failure(exit_interrupted, "batch " + b.name + " was interrupted");
    if (stopped != exit_ok)
        throw failure(stopped, "batch " + b.name + ": a run's results could not be written");
    if (!lost.empty())
        throw failure(exit_input, "batch " + b.name + ": " + lost);
}

void write_captures(const std::string &results, const std::vector<size_t> &workloads,
                    const std::set<std::string> &done)
{
    write_file(captures_file(results), dump({{"captures", workloads}, {"done", done}}));
}

static size_t workload_named(const study_file &study, const std::string &name)
{
    std::vector<std::string> programs;
    for (const study_workload &w : study.workloads)
        if (!w.program.empty())
            programs.push_back(w.name);
    place_of(name, programs,
             "--capture: no workload '" + as_written(name) + "' of " + as_written(study.path) +
                 " that is a program");
    return place_of(name, names_of(study.workloads), "");
}

void run_capture(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                 const std::string &workload, double seconds_each)
{
    const study_file &study = machines.study();
    const size_t w = workload_named(study, workload);
    trace_of_program(study.workloads[w].program, true, {order.quiet});
    const std::string path = kept_trace_of(study.workloads[w].program);
    if (path.empty())
        throw failure(exit_input, "the trace of " + as_written(workload) +
                                      " cannot be shared: set $HOME or $XDG_CACHE_HOME to a folder that all "
                                      "machines have");
    plan.traces[w] = whole_trace(path);
    plan.take_keys(study);
    std::vector<planned_point> points;
    for (const planned_point &p : plan.points)
        if (machines.decode(p.number).workload == w)
            points.push_back(p);
    plan.points = points;
    known_runs known;
    const json before = parsed(captures_file(order.results));
    if (before.is_object())
        known.done = before.value("done", std::set<std::string>());
    const std::vector<batch> batches = batches_of(machines, estimate_sweep(machines, plan, known, order),
                                                  seconds_each, "w" + std::to_string(w + 1) + "-");
    write_batches(order.results, machines, plan, batches);
    make_folder(folder_of_batches(order.results) + "/captured");
    write_file(captured_file(order.results, w), dump({{"trace", plan.traces[w].path},
                                                      {"checksum", plan.traces[w].checksum},
                                                      {"batches", names_of(batches)}}));
    std::cout << workload << ": " << path << ", " << batches.size()
              << (batches.size() == 1 ? " batch\n" : " batches\n");
}

bool read_captured(const std::string &results, size_t i, workload_trace &trace, std::vector<batch> &batches)
{
    const json all = parsed(captured_file(results, i));
    if (!all.is_object())
        return false;
    trace = {all.at("trace"), all.at("checksum")};
    for (const json &name : all.at("batches"))
        batches.push_back(read_batch(results, name));
    return true;
}

} // namespace walkway
