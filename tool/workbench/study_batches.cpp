/* SPDX-License-Identifier: MIT */
/* workbench/study_batches.cpp - making batches of a paper's study, and the jobs that run them. */
#include "workbench/study_batches.hpp"

#include "run/input.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "workbench/batch_jobs.hpp"
#include "workbench/pilot.hpp"
#include "workbench/run_record.hpp"
#include "workbench/workflow.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr double least_seconds = 0.05; /* of a run: its process and its files */

std::string folder_of_batches(const study_order &o)
{
    return o.folder + "/batches";
}

static std::string name_of(const planned_run &run)
{
    return fs::path(run.folder).filename().string();
}

static std::string failure_file(const study_order &o, const planned_run &run)
{
    return folder_of_batches(o) + "/failed/" + name_of(run) + ".json";
}

static json parsed(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    json all = json::parse(in, nullptr, false);
    return all.is_object() ? all : json();
}

namespace
{

struct cost {
    double seconds = 0;        /* the longest */
    uint64_t memory_bytes = 0; /* the most; 0: not known */
};

/* By program: what its kept runs took. */
std::map<std::string, cost> known_costs(const std::vector<planned_run> &all)
{
    std::map<std::string, cost> costs;
    for (const planned_run &run : all) {
        const json host = parsed(run.folder + "/host.json");
        if (host.is_null() || !host.contains("host_seconds") || !host.contains("peak_memory_bytes"))
            continue;
        cost &c = costs[run.program->code];
        c.seconds = std::max(c.seconds, host.at("host_seconds").get<double>());
        c.memory_bytes = std::max(c.memory_bytes, host.at("peak_memory_bytes").get<uint64_t>());
    }
    return costs;
}

void try_unknown(const std::vector<planned_run *> &missing, std::map<std::string, cost> &costs)
{
    std::vector<pilot_order> pilots;
    std::vector<std::string> codes;
    for (planned_run *run : missing)
        if (costs.insert({run->program->code, {}}).second) {
            codes.push_back(run->program->code);
            pilots.push_back({run->spec.label, name_of(*run), [run](const progress_fn &progress) {
                                  try {
                                      job_of(*run).body(progress);
                                  } catch (const failure &e) {
                                      if (e.code() != exit_interrupted) /* it was to be stopped */
                                          throw;
                                  }
                                  return 0.0;
                              }});
        }
    const std::vector<pilot_end> ends = try_runs(pilots, default_parallel());
    for (size_t i = 0; i < ends.size(); ++i)
        costs[codes[i]] = {ends[i].seconds, ends[i].memory_bytes};
}

} // namespace

std::vector<study_batch> make_batches(const std::vector<planned_run> &all,
                                      std::vector<planned_run *> &missing, const study_order &o,
                                      double seconds_each)
{
    std::map<std::string, cost> costs = known_costs(all);
    try_unknown(missing, costs);
    missing.erase(
        std::remove_if(missing.begin(), missing.end(), [](const planned_run *run) { return is_kept(*run); }),
        missing.end());
    std::error_code ignored;
    fs::remove_all(folder_of_batches(o), ignored);
    make_folder(folder_of_batches(o));
    std::vector<study_batch> batches;
    uint64_t bytes = 0;
    for (const planned_run *run : missing) {
        const cost &c = costs.at(run->program->code);
        const double takes = std::max(c.seconds, least_seconds);
        if (batches.empty() || batches.back().seconds + takes > seconds_each) {
            batches.push_back({std::to_string(batches.size() + 1), {}, 0, 0, 0});
            bytes = 0;
        }
        study_batch &b = batches.back();
        b.folders.push_back(name_of(*run));
        b.seconds += takes;
        bytes = std::max(bytes, c.memory_bytes);
        b.memory_mib = batch_memory_mib(bytes);
        b.minutes = batch_minutes(b.seconds);
    }
    for (const study_batch &b : batches)
        write_file(folder_of_batches(o) + "/" + b.name + ".json", dump({{"seconds", b.seconds},
                                                                        {"memory_mib", b.memory_mib},
                                                                        {"minutes", b.minutes},
                                                                        {"runs", b.folders}}));
    return batches;
}

static std::vector<planned_run *> runs_of_batch(std::vector<planned_run> &runs, const study_order &o,
                                                const std::string &name)
{
    const json all =
        name.find('/') == std::string::npos ? parsed(folder_of_batches(o) + "/" + name + ".json") : json();
    if (all.is_null() || !all.contains("runs"))
        throw failure(exit_input, "there is no batch '" + as_written(name) + "' in " +
                                      as_written(folder_of_batches(o)) +
                                      "; 'walkway reproduce --cluster' makes them");
    std::map<std::string, planned_run *> by_name;
    for (planned_run &run : runs)
        by_name.insert({name_of(run), &run});
    std::vector<planned_run *> wanted;
    for (const json &run : all.at("runs")) {
        const auto found = by_name.find(run);
        if (found == by_name.end())
            throw failure(exit_input,
                          "batch " + name + ": " + as_written(run) +
                              " is no run of this study here: other options, another trace, or this walkway "
                              "is of another build than the one that made the batch; reproduce again");
        wanted.push_back(found->second);
    }
    return wanted;
}

static void leave_failure(const study_order &o, const planned_run &run, const run_failure &f)
{
    write_file(failure_file(o, run),
               dump({{"code", static_cast<int>(f.code)}, {"reason", f.reason}, {"again", f.again}}));
}

run_failure failure_of(const study_order &o, const planned_run &run)
{
    const json said = parsed(failure_file(o, run));
    if (said.is_null())
        return {exit_ok, "", false};
    return {static_cast<exit_code>(said.at("code").get<int>()), said.at("reason"), said.at("again")};
}

/* As on one machine; why it failed is left, too. */
static job batch_job(planned_run &run, const study_order &o)
{
    const job whole = job_of(run);
    return {whole.label, [whole, &run, &o](const progress_fn &progress) {
                try {
                    return whole.body(progress);
                } catch (const failure &e) {
                    if (e.code() != exit_interrupted && e.code() != exit_output)
                        leave_failure(o, run, {e.code(), e.what(), false});
                    throw;
                }
            }};
}

void run_study_batch(std::vector<planned_run> &runs, const study_order &o, const std::string &name)
{
    const std::vector<planned_run *> wanted = runs_of_batch(runs, o, name);
    batch_jobs jobs{name, {}, wanted.size()};
    std::vector<planned_run *> todo;
    make_folder(folder_of_batches(o) + "/failed");
    for (planned_run *run : wanted) {
        const run_failure before = failure_of(o, *run);
        if (is_kept(*run) || (before.code != exit_ok && !before.again))
            continue;
        todo.push_back(run);
        jobs.todo.push_back(batch_job(*run, o));
    }
    run_batch_jobs(jobs, o.parallel, o.quiet, [&](size_t k, const job_result &end, const std::string &fault) {
        const run_failure left = failure_of(o, *todo[k]);
        if (end.code == exit_ok) {
            if (left.code != exit_ok)
                std::remove(failure_file(o, *todo[k]).c_str());
            return false;
        }
        if (left.code != exit_ok && !left.again)
            return false; /* it said itself what was wrong */
        const bool again = may_do_with_more(end);
        leave_failure(o, *todo[k], {end.code, fault, again});
        return again;
    });
}

std::vector<size_t> missing_captures(const std::vector<study_capture> &captures)
{
    std::vector<size_t> places;
    std::set<std::string> asked;
    for (size_t i = 0; i < captures.size(); ++i)
        if (!captures[i].path.empty() && !captures[i].there && asked.insert(captures[i].path).second)
            places.push_back(i);
    return places;
}

void run_study_capture(const study &s, const study_order &o, const std::string &name)
{
    const std::vector<study_capture> captures = captures_of(s, o, false);
    std::vector<std::string> names;
    for (const study_capture &c : captures)
        if (!c.path.empty())
            names.push_back(c.name);
    const auto found = std::find_if(captures.begin(), captures.end(), [&](const study_capture &c) {
        return !c.path.empty() && c.name == name;
    });
    if (found == captures.end())
        throw failure(exit_usage, "--capture: the study captures no '" + as_written(name) + "'" +
                                      did_you_mean(name, names));
    make_folder(o.folder + "/traces");
    if (!found->there)
        capture_program(found->command, found->path, {true});
    make_folder(folder_of_batches(o) + "/captured");
    write_file(folder_of_batches(o) + "/captured/" + std::to_string(found - captures.begin() + 1) + ".json",
               dump({{"trace", found->path}, {"batches", json::array()}}));
    std::cout << name << ": " << found->path << '\n';
}

} // namespace walkway
