/* SPDX-License-Identifier: MIT */
/* workbench/sweep.cpp - plans and runs sweeps. Each run is a process that leaves a file (a record) in
 * FILE.runs. Only this process loads them into FILE, some hundred per transaction, and then removes them.
 * After a kill at any moment, the next sweep finds the ended runs in FILE or as records. */
#include "workbench/sweep.hpp"

#include "run/input.hpp"
#include "run/run_key.hpp"
#include "run/trace_file.hpp"
#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "workbench/pilot.hpp"
#include "workbench/sample_check.hpp"
#include "workbench/study_sections.hpp"
#include "workbench/sweep_run.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

workload_trace whole_trace(const std::string &path)
{
    return {path, text_of_checksum(wkt_reader_info(open_trace(path).get())->checksum)};
}

namespace
{

/* Failures name the workload's line of the study. */
workload_trace trace_of(const study_workload &w)
{
    return at_line(w.origin + ": workload '" + as_written(w.name) + "'", [&] {
        if (w.program.empty())
            return whole_trace(w.trace);
        const std::string kept = kept_trace_of(w.program);
        return kept.empty() ? workload_trace{"", ""} : whole_trace(kept);
    });
}

/* Sampling needs one program from beginning to end, with nothing beside it (docs/use/sampling.md). */
void refuse_to_sample(const study_file &study)
{
    const auto refuse = [](const std::string &origin, const std::string &what) {
        throw failure(exit_usage, origin + ": " + what + ", which cannot be sampled: run it whole");
    };
    for (size_t w = 0; w < study.workloads.size(); ++w)
        if (!study.wants_workload(w))
            continue;
        else if (!study.workloads[w].together.empty())
            refuse(study.workloads[w].origin,
                   "'" + study.workloads[w].name + "' is programs that run at a time");
        else if (!study.workloads[w].window.empty())
            refuse(study.workloads[w].origin, "'" + study.workloads[w].name + "' is a window of a program");
    for (const size_t m : study.machines_wanted())
        if (!study.platforms[m].events.empty())
            refuse(study.platforms[m].origin, "'" + study.platforms[m].name + "' has events");
}

void refuse_empty(const study_machines &machines)
{
    std::string text;
    for (size_t i = 0; i < machines.left_out().size(); ++i)
        text += "\n" + machines.study().constraints[i].origin + ": '" +
                as_written(machines.study().constraints[i].expression) + "' leaves out " +
                text_of_count(machines.left_out()[i]);
    throw failure(exit_usage, machines.study().path + ": no point satisfies the constraints" + text);
}

/* By reason, the names of machines that cannot be sampled. */
using unsampled = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> texts_of(const unsampled &machines)
{
    std::vector<std::string> texts;
    for (const auto &[why, names] : machines)
        texts.push_back("LEFT OUT, not sampled: " + listed(names, 4) + ": " + why);
    return texts;
}

} // namespace

std::vector<const workload_trace *> sweep_plan::traces_of(const study_workload &w, size_t place) const
{
    std::vector<const workload_trace *> all;
    for (const size_t one : w.together.empty() ? std::vector<size_t>{place} : w.together)
        all.push_back(&traces[one]);
    return all;
}

/* Returns the part of a key behind the configuration, the work on any machine: the first program, those
 * beside it, the window, the operating system's events, by which parts of the program it counts, and the
 * sampling. Empty if a trace is not known yet. */
static std::string work_of(const sweep_plan &plan, const study_file &study, const point &p)
{
    const study_workload &w = study.workloads[p.workload];
    const auto all = plan.traces_of(w, p.workload);
    if (std::any_of(all.begin(), all.end(), [](const workload_trace *t) { return t->checksum.empty(); }))
        return "";
    std::string more = text_of_scope(w.window) + study.platforms[p.platform].events;
    for (const std::string &part : study.by)
        more += " by " + part;
    for (size_t i = 1; i < all.size(); ++i)
        more += all[i]->checksum;
    if (!more.empty())
        more = "-" + text_of_checksum(wkt_hash64(more.data(), more.size(), 0));
    return all.front()->checksum + more + plan.sampled;
}

void sweep_plan::take_keys(const study_file &study)
{
    for (planned_point &p : points)
        if (const std::string work = work_of(*this, study, point_at(study, p.number)); !work.empty())
            p.key = p.configuration + "-" + work;
}

sweep_plan empty_plan(const study_file &study)
{
    sweep_plan plan;
    plan.traces.resize(study.workloads.size());
    if (study.sample.wanted)
        plan.sampled = "-" + key_of(study.sample);
    return plan;
}

sweep_plan plan_sweep(study_machines &machines, const sweep_order &order)
{
    const study_file &study = machines.study();
    sweep_plan plan = empty_plan(study);
    if (study.sample.wanted)
        refuse_to_sample(study);
    /* A configuration is the same for all workloads, so it is checked and hashed once. */
    const uint64_t platforms = study.platforms.size(), workloads = study.workloads.size();
    const uint64_t grid = machines.size() / (study.repeats + 1) / workloads / platforms;
    unsampled without_windows;
    std::set<std::string> named; /* in it: perturbed runs are of one machine */
    for (uint64_t repeat = 0; repeat <= study.repeats; ++repeat) {
        std::vector<std::pair<uint64_t, std::string>> wanted;
        for (uint64_t i = 0; i < platforms * grid && !interrupted(); ++i) {
            const point p = machines.decode(repeat * workloads * platforms * grid + i);
            if (!study.wants_machine(p.platform))
                continue;
            platform_spec *const spec = machines.at(p);
            if (spec == nullptr)
                continue;
            if (const std::string why = study.sample.wanted ? why_not_sampled(*spec) : ""; !why.empty()) {
                if (const std::string name = machines.machine_name(p); named.insert(name).second)
                    without_windows[why].push_back(name);
                continue;
            }
            check_memory(*spec, nullptr);
            wanted.emplace_back(i, run_key(*spec, ""));
        }
        for (uint64_t w = 0; w < workloads; ++w)
            for (const auto &[i, configuration] : wanted)
                if (study.wants(w, i / grid))
                    plan.points.push_back({(repeat * workloads + w) * platforms * grid + i, configuration});
    }
    if (interrupted())
        throw failure(exit_interrupted, "interrupted before the first run");
    plan.not_sampled = texts_of(without_windows);
    if (plan.points.empty() && !plan.not_sampled.empty())
        throw failure(exit_usage, study.path + ": nothing can be sampled: " + plan.not_sampled.front());
    if (plan.points.empty())
        refuse_empty(machines);
    plan.left_out = machines.left_out();
    for (size_t w = 0; w < study.workloads.size(); ++w)
        try {
            if (study.wants_trace(w))
                plan.traces[w] = trace_of(study.workloads[w]);
        } catch (const failure &) { /* the program is missing, or this build cannot capture */
            if (!order.runs_nothing || study.workloads[w].program.empty())
                throw;
        }
    plan.take_keys(study);
    if (!order.results.empty())
        refuse_to_overwrite("--output", order.results);
    return plan;
}

void keep_points(sweep_plan &plan, const std::string &numbers)
{
    std::map<uint64_t, const planned_point *> by_number;
    for (const planned_point &p : plan.points)
        by_number[p.number + 1] = &p;
    std::set<uint64_t> wanted;
    for (const std::string &part : split(numbers, ',')) {
        const std::vector<std::string> ends = split(part, '-');
        uint64_t first = 0, last = 0;
        if (ends.size() > 2 || !parse_number(ends.front(), first) || !parse_number(ends.back(), last) ||
            first > last || last - first >= most_points)
            throw failure(exit_usage, "--points " + as_written(numbers) + ": '" + as_written(part) +
                                          "' is neither a point's number nor a range of them (7-9)");
        for (uint64_t number = first; number <= last; ++number)
            if (by_number.count(number) != 0)
                wanted.insert(number);
            else
                throw failure(exit_usage, "--points " + as_written(numbers) + ": there is no point " +
                                              std::to_string(number) +
                                              ", or a constraint leaves it out; --dry-run lists them");
    }
    std::vector<planned_point> kept;
    for (const uint64_t number : wanted)
        kept.push_back(*by_number[number]);
    plan.points = kept;
}

known_runs runs_known_in(results_file &results)
{
    return {results.done(), results.costs()};
}

known_runs runs_known_in(const std::string &path)
{
    std::error_code error;
    if (path.empty() || !fs::exists(path, error) || fs::file_size(path, error) == 0)
        return {};
    results_file results(path, database::mode::read);
    return runs_known_in(results);
}

/* Tries one run of each kind in `one_of`, and sets its cost. */
static void try_kinds(study_machines &machines, const sweep_plan &plan, const sweep_order &order,
                      const std::map<std::pair<size_t, size_t>, planned_point> &one_of, sweep_estimate &all)
{
    if (one_of.empty())
        return;
    const sweep_run runs(machines, plan);
    const std::string folder = order.results.empty() ? "" : folder_of_runs(order.results);
    std::vector<pilot_order> pilots;
    std::vector<kind_of_run *> of;
    for (const auto &[kind, some] : one_of) {
        pilots.push_back({machines.label(machines.decode(some.number)), some.key,
                          [&runs, &folder, p = some](const progress_fn &progress) {
                              return runs.attempt(p, folder, progress);
                          }});
        of.push_back(&all.kinds.at(kind));
    }
    const std::vector<pilot_end> ends = try_runs(pilots, order.parallel);
    for (size_t i = 0; i < ends.size(); ++i) {
        if (ends[i].code == exit_usage)
            throw failure(exit_usage, machines.study().path + ": nothing was run");
        of[i]->each = ends[i].cost.value_or(run_cost{});
    }
}

std::pair<size_t, size_t> kind_of(const study_file &study, const point &p)
{
    size_t first = 0;
    while (study.platforms[first].specification != study.platforms[p.platform].specification)
        ++first;
    return {p.workload, first};
}

sweep_estimate estimate_sweep(study_machines &machines, const sweep_plan &plan, const known_runs &known,
                              const sweep_order &order)
{
    sweep_estimate all;
    std::map<std::pair<size_t, size_t>, planned_point> to_try;
    std::set<std::string> seen;
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        const study_file &study = machines.study();
        const bool captured = !planned.key.empty();
        const std::string key = captured ? planned.key
                                         : planned.configuration + std::to_string(p.workload) +
                                               study.platforms[p.platform].events;
        if (!seen.insert(key).second)
            continue;
        if (captured && known.done.count(key) != 0) {
            ++all.kept;
            continue;
        }
        ++all.runs;
        if (!captured) {
            ++all.unknown;
            continue;
        }
        all.missing.push_back(planned);
        const auto [kind, first] = all.kinds.insert({kind_of(study, p), {}});
        ++kind->second.runs;
        const auto before = known.costs.find(key.substr(planned.configuration.size() + 1));
        if (before != known.costs.end())
            kind->second.each = before->second;
        else if (first)
            to_try.insert({kind->first, planned});
    }
    all.distinct = seen.size();
    try_kinds(machines, plan, order, to_try, all);
    for (const auto &[kind, one] : all.kinds) {
        all.seconds += static_cast<double>(one.runs) * one.each.seconds;
        all.bytes += static_cast<double>(one.runs) * one.each.bytes;
    }
    return all;
}

std::string text_of_estimate(const sweep_estimate &e, unsigned parallel)
{
    std::string text = text_of_count(e.runs) + (e.runs == 1 ? " run" : " runs") + " to do";
    if (e.kept != 0)
        text += ", " + text_of_count(e.kept) + " there from before";
    if (e.runs == e.unknown)
        return text + (e.unknown == 0 ? "" : "; how long is known when the programs are captured") + "\n";
    const double seconds = e.seconds / parallel;
    text += "; about " + (seconds < 1 ? std::string("a second") : text_of_duration(seconds)) + " with " +
            std::to_string(parallel) + " at a time, " + text_of_bytes(static_cast<uint64_t>(e.bytes)) +
            " of results";
    if (e.unknown != 0)
        text += "; without " + text_of_count(e.unknown) + (e.unknown == 1 ? " run" : " runs") +
                " of programs that are not captured yet";
    return text + "\n";
}

namespace
{

void capture_missing(const study_file &study, sweep_plan &plan, const sweep_order &order)
{
    const temporary_folder scratch;
    std::vector<job> jobs;
    std::vector<size_t> of;
    for (size_t i = 0; i < study.workloads.size(); ++i) {
        if (!plan.traces[i].path.empty() || !study.wants_trace(i))
            continue;
        const std::string file = scratch.path() + "/" + std::to_string(i);
        jobs.push_back({"capturing " + study.workloads[i].name, [&study, i, file](const progress_fn &) {
                            write_file(file, trace_of_program(study.workloads[i].program, true, {true}));
                            return exit_ok;
                        }});
        of.push_back(i);
    }
    const std::vector<job_result> ends = run_jobs(jobs, order.parallel, order.quiet);
    for (size_t k = 0; k < jobs.size(); ++k) {
        if (ends[k].code != exit_ok)
            throw failure(interrupted() ? exit_interrupted : ends[k].code,
                          jobs[k].label + " failed" + (ends[k].fault.empty() ? "" : ": " + ends[k].fault));
        std::ifstream in(scratch.path() + "/" + std::to_string(of[k]));
        std::string path;
        std::getline(in, path);
        plan.traces[of[k]] = whole_trace(path);
    }
    plan.take_keys(study);
}

} // namespace

sweep_session::sweep_session(study_machines &m, sweep_plan &p, const sweep_order &how) : open_study(m, p, how)
{
    collect.load_all();
    taken_ = results.done();
}

sweep_estimate sweep_session::estimate()
{
    return estimate_sweep(machines, plan, runs_known_in(results), order);
}

void sweep_session::capture()
{
    capture_missing(machines.study(), plan, order);
}

std::string sweep_session::text_of_kept() const
{
    std::set<std::string> keys;
    for (const planned_point &planned : plan.points)
        keys.insert(planned.key);
    const auto kept = std::count_if(keys.begin(), keys.end(),
                                    [this](const std::string &key) { return taken_.count(key) != 0; });
    return text_of_count(keys.size()) + " runs, " + text_of_count(static_cast<uint64_t>(kept)) +
           " of them kept from before";
}

void sweep_session::run(const std::vector<planned_point> &points)
{
    add_points(points);
    run(all, points);
}

exit_code sweep_session::run_checks()
{
    if (!machines.study().sample.wanted || !machines.study().sample.check)
        return exit_ok;
    const sweep_plan checks = plan_of_checks(machines, plan, results);
    const sweep_run whole(machines, checks);
    run(whole, checks.points);
    return say_what_failed(results, whole);
}

void sweep_session::run(const sweep_run &these, const std::vector<planned_point> &points)
{
    make_folder(folder);
    std::vector<job> jobs;
    std::vector<const planned_point *> of;
    for (const planned_point &planned : points) {
        if (!taken_.insert(planned.key).second)
            continue;
        of.push_back(&planned);
        jobs.push_back({"", [&these, this, &planned](const progress_fn &progress) {
                            these.leave(planned, folder, progress);
                            return exit_ok;
                        }});
    }
    exit_code stopped = exit_ok;
    run_jobs(jobs, order.parallel, order.quiet, [&](size_t i, const job_result &end) {
        if (end.code == exit_ok)
            collect.add(record_file(folder, of[i]->key, run_ended));
        else if (end.code == exit_interrupted || end.code == exit_output)
            stopped = end.code; /* the next result could not be written either */
        else
            collect.add(record_of_lost(these.order(*of[i]), end.code,
                                       end.fault.empty() ? "internal error" : end.fault));
        return stopped == exit_ok;
    });
    collect.flush();
    collect.remove_folder();
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    if (stopped != exit_ok)
        throw failure(
            exit_output,
            as_written(results.db().path()) +
                ": a run's results could not be written; the same command goes on where it stopped");
}

void sweep_session::load_tried()
{
    std::vector<planned_point> points;
    std::error_code ignored;
    for (const planned_point &planned : plan.points)
        if (fs::exists(record_file(folder, planned.key, run_tried), ignored))
            points.push_back(planned);
    add_points(points);
    collect.load_tried();
    collect.remove_folder();
}

exit_code sweep_session::run_all()
{
    run(plan.points);
    load_tried();
    const exit_code failed = say_what_failed(results, all), unchecked = run_checks();
    return failed == exit_ok ? unchecked : failed;
}

} // namespace walkway
