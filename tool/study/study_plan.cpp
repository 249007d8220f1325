/* SPDX-License-Identifier: MIT */
/* study/study_plan.cpp - captures, runs and results of a study. */
#include "study/study_plan.hpp"
#include "run/result.hpp"

#include "report/comparison.hpp"
#include "run/input.hpp"
#include "run/run_key.hpp"
#include "run/simulation_job.hpp"
#include "run/trace_file.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace walkway
{

namespace
{

uint64_t hash_of(const std::string &text)
{
    return wkt_hash64(text.data(), text.size(), 0);
}

uint64_t hash_of_file(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    std::stringstream contents;
    contents << in.rdbuf();
    return hash_of(contents.str());
}

/* The configurations that the figures want of a program. */
std::set<std::string> wanted_of(const study_program &p, const std::vector<const figure_def *> &figures)
{
    std::set<std::string> keys;
    for (const figure_def *f : figures)
        if (f->needs(p))
            keys.insert(f->configurations.begin(), f->configurations.end());
    return keys;
}

/* The folder's name holds a hash of everything that decides the result. */
std::string folder_of(const std::string &parent, const planned_run &run, const std::string &trace_checksum)
{
    return parent + "/runs/" + run.program->workload + "-" + run_key(run.spec, trace_checksum);
}

json kept_result(const planned_run &run)
{
    try {
        json result = read_result(run.folder + "/stats.json");
        return result.is_null() || result.at("partial").get<bool>() ? json() : result;
    } catch (const failure &) { /* damaged: run again over it */
        return nullptr;
    }
}

bool names(const std::vector<std::string> &changes, const std::string &change)
{
    const std::string key = change.substr(0, change.find('=') + 1);
    for (const std::string &other : changes)
        if (other.compare(0, key.size(), key) == 0)
            return true;
    return false;
}

platform_spec machine_of(const study_order &o, const study_configuration &c, size_t perturbation)
{
    platform_spec machine = resolve_platform(c.platform.empty() ? o.platform : c.platform, changes_of(o, c));
    if (perturbation != 0)
        apply(machine, o.perturbations[perturbation], static_cast<unsigned>(perturbation));
    return machine;
}

struct study_trace {
    std::string path, checksum;
};

planned_run planned(const study_order &o, const study_program &program, const study_configuration &c,
                    const std::vector<study_trace> &traces, size_t perturbation)
{
    planned_run run{&program,
                    &c,
                    perturbation,
                    machine_of(o, c, perturbation),
                    traces.front().path,
                    traces.front().checksum,
                    {},
                    "",
                    make_scope(window_of(o, program))};
    std::string checksums = c.events + text_of_scope(window_of(o, program));
    for (const study_trace &t : traces)
        checksums += t.checksum;
    for (size_t i = 1; i < traces.size(); ++i)
        run.beside.push_back(traces[i].path);
    run.spec.label = program.code + " " + c.key;
    if (perturbation != 0)
        run.spec.label += ", perturbation " + std::to_string(perturbation);
    run.folder = folder_of(o.folder, run, checksums);
    return run;
}

} // namespace

scope_texts window_of(const study_order &o, const study_program &p)
{
    const auto own = p.windows.find(o.scale->name);
    scope_texts window = own == p.windows.end() ? scope_texts{} : own->second;
    if (!o.window.warm_up.empty())
        window.warm_up = o.window.warm_up;
    if (!o.window.measure.empty())
        window.measure = o.window.measure;
    return window;
}

machine_changes changes_of(const study_order &o, const study_configuration &c)
{
    machine_changes changes = o.changes;
    changes.study = c.changes;
    for (const std::string &change : o.scale->changes)
        if (!names(c.changes, change) && !names(o.changes.set, change))
            changes.study.push_back(change);
    return changes;
}

std::vector<std::string> changes_of(const study_order &o)
{
    std::vector<std::string> all = o.changes.set;
    for (const std::string &change : o.scale->changes)
        if (!names(o.changes.set, change))
            all.push_back(change + ", by --scale " + o.scale->name);
    return all;
}

static std::vector<const study_configuration *> wanted_by_figures(const study &s, const study_order &o)
{
    std::set<std::string> wanted;
    for (const figure_def *f : o.figures)
        wanted.insert(f->configurations.begin(), f->configurations.end());
    std::vector<const study_configuration *> all;
    for (const study_configuration &c : s.configurations)
        if (wanted.count(c.key) != 0)
            all.push_back(&c);
    return all;
}

void perturb(const study &s, unsigned ranges, study_order *o)
{
    std::vector<platform_spec> machines;
    std::vector<platform_config *> configs;
    for (const study_configuration *c : wanted_by_figures(s, *o)) {
        machines.push_back(machine_of(*o, *c, 0));
        configs.push_back(machines.back().config.get());
    }
    o->perturbations.assign(1, {});
    for (unsigned k = 1; k <= ranges; ++k)
        o->perturbations.push_back(nudges_for(k, configs));
}

void check_machines(const study &s, const study_order &o)
{
    for (const study_configuration *c : wanted_by_figures(s, o))
        for (size_t k = 0; k < o.perturbations.size(); ++k)
            machine_of(o, *c, k);
    for (const study_program &p : s.programs)
        make_scope(window_of(o, p));
}

std::vector<study_capture> captures_of(const study &s, const study_order &o, bool forgiving)
{
    const std::map<std::string, std::string> programs = workload_programs();
    std::vector<study_capture> captures;
    for (const study_program &p : s.programs) {
        const auto found = programs.find(p.workload);
        captures.push_back({"", "", {}, false});
        if (wanted_of(p, o.figures).empty() || (found == programs.end() && forgiving))
            continue;
        if (found == programs.end())
            throw failure(exit_input,
                          p.workload + ": no such workload; 'walkway list workloads' has them all");
        study_capture &c = captures.back();
        c.command = {found->second};
        c.name = p.workload;
        for (const std::string &word : p.arguments.at(o.scale->name)) {
            c.command.push_back(word);
            c.name += "-" + word;
        }
        c.path = o.folder + "/traces/" + c.name + "-" +
                 text_of_checksum(hash_of_file(found->second)).substr(0, 8) + ".wkt";
        c.there = is_whole_trace(c.path);
    }
    return captures;
}

std::vector<std::string> capture_all(const study &s, const study_order &o, bool missing_ones)
{
    make_folder(o.folder + "/traces");
    std::vector<std::string> traces;
    std::set<std::string> asked; /* programs that stand alone and beside others have one trace */
    std::vector<job> jobs;
    for (const study_capture &c : captures_of(s, o, !missing_ones)) {
        traces.push_back(c.there || missing_ones ? c.path : "");
        if (c.path.empty() || c.there || !missing_ones || !asked.insert(c.path).second)
            continue;
        jobs.push_back({"capturing " + c.name, [c](const progress_fn &) {
                            capture_program(c.command, c.path, {true});
                            return exit_ok;
                        }});
    }
    if (!jobs.empty() && !o.quiet)
        std::cerr << "capturing " << jobs.size() << " programs\n";
    const std::vector<job_result> ends = run_jobs(jobs, o.parallel, o.quiet);
    for (size_t i = 0; i < ends.size(); ++i)
        if (ends[i].code != exit_ok)
            throw failure(interrupted() ? exit_interrupted : ends[i].code,
                          jobs[i].label + " failed" + (ends[i].fault.empty() ? "" : ": " + ends[i].fault));
    return traces;
}

std::vector<planned_run> plan(const study &s, const study_order &o, const std::vector<std::string> &traces)
{
    std::map<std::string, study_trace> by_code;
    for (size_t i = 0; i < traces.size(); ++i)
        by_code[s.programs[i].code] = {
            traces[i], traces[i].empty()
                           ? ""
                           : text_of_checksum(wkt_reader_info(open_trace(traces[i]).get())->checksum)};
    std::vector<planned_run> runs;
    for (size_t k = 0; k < o.perturbations.size(); ++k)
        for (const study_program &p : s.programs) {
            const std::set<std::string> keys = wanted_of(p, o.figures);
            std::vector<study_trace> together = {by_code[p.code]};
            for (const std::string &other : p.beside)
                together.push_back(by_code.at(other));
            for (const study_configuration &c : s.configurations)
                if (keys.count(c.key) != 0)
                    runs.push_back(planned(o, p, c, together, k));
        }
    return runs;
}

bool is_kept(const planned_run &run)
{
    return !kept_result(run).is_null();
}

std::vector<planned_run *> missing_of(std::vector<planned_run> &runs)
{
    std::vector<planned_run *> missing;
    std::set<std::string> folders;
    for (planned_run &run : runs)
        if (folders.insert(run.folder).second && !is_kept(run))
            missing.push_back(&run);
    return missing;
}

job job_of(planned_run &run)
{
    return simulation_job(run.spec, run.trace, run.folder, kept::when_complete, "", run.scope,
                          company{run.beside, "", run.configuration->events});
}

void say_missing(const std::vector<planned_run> &runs, size_t missing, const study_order &o)
{
    std::set<std::string> folders;
    for (const planned_run &run : runs)
        folders.insert(run.folder);
    if (!o.quiet)
        std::cerr << folders.size() << " runs, " << folders.size() - missing << " of them kept from before\n";
}

exit_code run_missing(std::vector<planned_run> &runs, const study_order &o)
{
    std::vector<job> jobs;
    for (planned_run *run : missing_of(runs))
        jobs.push_back(job_of(*run));
    say_missing(runs, jobs.size(), o);
    const exit_code worst = report_ends(jobs, run_jobs(jobs, o.parallel, o.quiet));
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    return worst;
}

std::vector<figure_samples> samples_of(const study &s, const study_order &o,
                                       const std::vector<planned_run> &runs, size_t *missing)
{
    std::vector<study_results> results(o.perturbations.size());
    for (const planned_run &run : runs) {
        json result = kept_result(run);
        if (result.is_null())
            ++*missing;
        else
            results[run.perturbation][run.program->code][run.configuration->key] = std::move(result);
    }
    std::vector<figure_samples> all;
    for (const figure_def *f : o.figures) {
        all.emplace_back();
        for (const study_results &r : results)
            all.back().push_back(make_figure(s, *f, r));
    }
    return all;
}

json runs_json(const std::vector<planned_run> &runs)
{
    json list = json::array();
    for (const planned_run &run : runs)
        list.push_back({{"program", run.program->code},
                        {"configuration", run.configuration->key},
                        {"perturbation", run.perturbation},
                        {"folder", "runs/" + std::filesystem::path(run.folder).filename().string()}});
    return list;
}

} // namespace walkway
