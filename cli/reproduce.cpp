/* SPDX-License-Identifier: MIT */
/* cli/reproduce.cpp - walkway reproduce: a paper's study, resumable: traces and results are kept in DIR and
 * used again while model, configuration and trace are the same. */
#include "cli/commands.hpp"

#include "cli/comparison.hpp"
#include "cli/config.hpp"
#include "cli/errors.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine.hpp"
#include "cli/nearest.hpp"
#include "cli/paths.hpp"
#include "cli/perturbation.hpp"
#include "cli/read_files.hpp"
#include "cli/simulation_job.hpp"
#include "cli/study.hpp"
#include "cli/trace_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace walkway
{

namespace
{

struct planned_run {
    const study_program *program;
    const study_configuration *configuration;
    size_t perturbation; /* 0: the machine as it is */
    platform_spec spec;
    std::string trace;
    std::string folder;
};

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

const study_scale &find_scale(const study &s, const std::string &name)
{
    std::vector<std::string> names;
    for (const study_scale &scale : s.scales) {
        names.push_back(scale.name);
        if (scale.name == name)
            return scale;
    }
    throw failure(exit_usage,
                  "--scale " + name + ": is none of demo, quarter, full" + did_you_mean(name, names));
}

/* "9,12,III" */
std::vector<const figure_def *> find_figures(const study &s, const std::string &list)
{
    std::vector<std::string> ids;
    for (const figure_def &f : s.figures)
        ids.push_back(f.id);
    std::set<std::string> wanted;
    std::istringstream in(list);
    for (std::string id; std::getline(in, id, ',');) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
            std::string all;
            for (const std::string &known : ids)
                all += (all.empty() ? "" : ", ") + known;
            throw failure(exit_usage, "--figures " + id + ": there are " + all);
        }
        wanted.insert(id);
    }
    std::vector<const figure_def *> figures;
    for (const figure_def &f : s.figures)
        if (wanted.empty() ? !f.on_demand : wanted.count(f.id) != 0)
            figures.push_back(&f);
    return figures;
}

/* The configurations that the figures want of a program. */
std::set<std::string> wanted_of(const study_program &p, const std::vector<const figure_def *> &figures)
{
    std::set<std::string> keys;
    for (const figure_def *f : figures)
        if (f->group == p.group)
            keys.insert(f->configurations.begin(), f->configurations.end());
    return keys;
}

/* One trace a program; none for those that no figure wants. Its name tells program, size and the executable's
 * content. */
std::vector<std::string> capture_all(const study &s, const std::vector<const figure_def *> &figures,
                                     const std::string &scale, const std::string &folder, unsigned parallel,
                                     bool quiet)
{
    make_folder(folder + "/traces");
    const std::map<std::string, std::string> programs = workload_programs();
    std::vector<std::string> traces;
    std::vector<job> jobs;
    for (const study_program &p : s.programs) {
        if (wanted_of(p, figures).empty()) {
            traces.emplace_back();
            continue;
        }
        const auto found = programs.find(p.workload);
        if (found == programs.end())
            throw failure(exit_input,
                          p.workload + ": no such workload; 'walkway list workloads' has them all");
        const std::string &executable = found->second;
        std::vector<std::string> command = {executable};
        std::string name = p.workload;
        for (const std::string &word : p.arguments.at(scale)) {
            command.push_back(word);
            name += "-" + word;
        }
        const std::string path = folder + "/traces/" + name + "-" +
                                 text_of_checksum(hash_of_file(executable)).substr(0, 8) + ".wkt";
        traces.push_back(path);
        if (is_whole_trace(path)) /* not what an interrupted capture left */
            continue;
        jobs.push_back({"capturing " + name, [command, path](const progress_fn &) {
                            capture_program(command, path, {true});
                            return exit_ok;
                        }});
    }
    if (!jobs.empty() && !quiet)
        std::cerr << "capturing " << jobs.size() << " programs\n";
    const std::vector<job_result> ends = run_jobs(jobs, parallel, quiet);
    for (size_t i = 0; i < ends.size(); ++i)
        if (ends[i].code != exit_ok)
            throw failure(interrupted() ? exit_interrupted : ends[i].code,
                          jobs[i].label + " failed" + (ends[i].fault.empty() ? "" : ": " + ends[i].fault));
    return traces;
}

/* The folder's name holds a hash of everything that decides the result. */
std::string folder_of(const std::string &parent, const planned_run &run, const std::string &trace_checksum)
{
    const std::string all =
        configuration_json(*run.spec.config).dump() + run.spec.wiring + model_digest() + trace_checksum;
    return parent + "/runs/" + run.program->workload + "-" + text_of_checksum(hash_of(all));
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

/* What the command line asks for. */
struct order {
    const study_scale *scale;
    std::vector<const figure_def *> figures;
    std::string platform;
    machine_changes changes;                       /* --set */
    std::vector<std::vector<nudge>> perturbations; /* the first is none */
    std::string folder;
    unsigned parallel;
    bool quiet;
};

/* --set changes the machine under study, the study's own changes stay what they are. */
platform_spec machine_of(const order &o, const study_configuration &c, size_t perturbation)
{
    machine_changes changes = o.changes;
    changes.study = c.changes;
    platform_spec machine = resolve_platform(o.platform, changes);
    if (perturbation != 0)
        apply(machine, o.perturbations[perturbation], static_cast<unsigned>(perturbation));
    return machine;
}

/* Mistakes are better known before captures. */
void check_machines(const study &s, const order &o)
{
    std::set<std::string> wanted;
    for (const figure_def *f : o.figures)
        wanted.insert(f->configurations.begin(), f->configurations.end());
    for (const study_configuration &c : s.configurations)
        for (size_t k = 0; wanted.count(c.key) != 0 && k < o.perturbations.size(); ++k)
            machine_of(o, c, k);
}

planned_run planned(const order &o, const study_program &program, const study_configuration &c,
                    const std::string &trace, const std::string &trace_checksum, size_t perturbation)
{
    planned_run run{&program, &c, perturbation, machine_of(o, c, perturbation), trace, ""};
    run.spec.label = program.code + " " + c.key;
    if (perturbation != 0)
        run.spec.label += ", perturbation " + std::to_string(perturbation);
    run.folder = folder_of(o.folder, run, trace_checksum);
    return run;
}

/* One perturbation after the other, so that what is there when it is stopped are whole comparisons. */
std::vector<planned_run> plan(const study &s, const order &o, const std::vector<std::string> &traces)
{
    std::vector<std::string> checksums;
    for (const std::string &trace : traces)
        checksums.push_back(
            trace.empty() ? "" : text_of_checksum(wkt_reader_info(open_trace(trace).get())->checksum));
    std::vector<planned_run> runs;
    for (size_t k = 0; k < o.perturbations.size(); ++k)
        for (size_t p = 0; p < s.programs.size(); ++p) {
            const std::set<std::string> keys = wanted_of(s.programs[p], o.figures);
            for (const study_configuration &c : s.configurations)
                if (keys.count(c.key) != 0)
                    runs.push_back(planned(o, s.programs[p], c, traces[p], checksums[p], k));
        }
    return runs;
}

/* Those of the plan that are not there yet, each once: configurations of two names may be one machine. */
exit_code run_missing(std::vector<planned_run> &runs, const order &o)
{
    std::vector<job> jobs;
    std::set<std::string> folders;
    for (planned_run &run : runs)
        if (folders.insert(run.folder).second && kept_result(run).is_null())
            jobs.push_back(simulation_job(run.spec, run.trace, run.folder, kept::when_complete));
    if (!o.quiet)
        std::cerr << folders.size() << " runs, " << folders.size() - jobs.size()
                  << " of them kept from before\n";
    const exit_code worst = report_ends(jobs, run_jobs(jobs, o.parallel, o.quiet));
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    return worst;
}

/* Every figure once under each perturbation. */
std::vector<figure_samples> samples_of(const study &s, const order &o, const std::vector<planned_run> &runs,
                                       report_head &head)
{
    std::vector<study_results> results(o.perturbations.size());
    for (const planned_run &run : runs) {
        json result = kept_result(run);
        if (result.is_null())
            ++head.missing;
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

/* Which folder has which run. */
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

std::string text_of_report(const study &s, const report_head &head,
                           const std::vector<figure_samples> &figures, bool markdown)
{
    std::ostringstream out;
    print_report(out, s, head, figures, markdown);
    return out.str();
}

} // namespace

static order order_of(const study &s, const arguments &args)
{
    order o;
    o.scale = &find_scale(s, args.value("scale", "demo"));
    std::string figures = args.value("figures");
    if (args.has("sensitivity"))
        figures += (figures.empty() ? "" : ",") + std::string("9-sensitivity");
    o.figures = find_figures(s, figures);
    o.platform = args.value("platform", s.platform);
    o.changes = changes_of(args);
    platform_spec machine = resolve_platform(o.platform, o.changes);
    o.perturbations.emplace_back();
    for (unsigned k = 1; k <= ranges_of(args); ++k)
        o.perturbations.push_back(nudges_for(k, {machine.config.get()}));
    o.folder = args.value("output", "reproduce-" + s.name + "-" + o.scale->name);
    o.parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024));
    o.quiet = args.has("quiet");
    return o;
}

static std::string text_of_nudges(const std::vector<nudge> &nudges)
{
    std::string text;
    for (const nudge &n : nudges)
        text += (text.empty() ? "" : ", ") + text_of_nudge(n);
    return text;
}

static int reproduce_main(const arguments &args)
{
    const study &s = micro18_study();
    if (args.has_program || args.positional.size() != 1 || args.positional[0] != s.name)
        throw failure(exit_usage, "reproduce: wants the study's name: " + s.name);
    const order o = order_of(s, args);
    check_machines(s, o);
    make_folder(o.folder);
    for (const char *name : {"/reproduce.json", "/reproduce.md"})
        refuse_to_overwrite("--output", o.folder + name);

    const std::vector<std::string> traces =
        capture_all(s, o.figures, o.scale->name, o.folder, o.parallel, o.quiet);
    std::vector<planned_run> runs = plan(s, o, traces);
    std::vector<const platform_spec *> machines;
    for (const planned_run &run : runs)
        if (run.perturbation == 0)
            machines.push_back(&run.spec);
    say_overruled(machines);
    const exit_code worst = run_missing(runs, o);

    report_head head{o.scale->name, o.changes.set, runs.size(), 0, {}};
    for (size_t k = 1; k < o.perturbations.size(); ++k)
        head.perturbations.push_back(text_of_nudges(o.perturbations[k]));
    const std::vector<figure_samples> made = samples_of(s, o, runs, head);
    print_report(std::cout, s, head, made, false);
    json report = report_json(s, head, made);
    report["runs"] = runs_json(runs);
    write_file(o.folder + "/reproduce.json", dump(report));
    write_file(o.folder + "/reproduce.md", text_of_report(s, head, made, true));
    std::cout << "written: " << o.folder << "/reproduce.json, reproduce.md; each run's statistics in "
              << o.folder << "/runs\n";
    return worst;
}

const command_def reproduce_command = {
    "reproduce",
    "reproduce micro18 [options]",
    "Do the paper's numbers come out of this model? Its figures and tables, the values it states beside "
    "ours.",
    "micro18: Figures 5, 6, 9, 10, 11, 12, 13, 14 and Tables II and III, for MVT ATX NW BIC GEV; 9-regular "
    "and\n"
    "II-regular: the same for the regular programs, SSP LUD CLR BCK HOT; 9-sensitivity: Figure 9 under "
    "other\n"
    "values of what the paper does not give (walk caches, latencies, MSHRs, indexing, frames). Sizes:\n"
    "  demo     mvt 1024, nw 768, in double atax 1536 x 512, bicg 1536 x 512, gesummv 512; sssp 40000, lud "
    "128,\n"
    "           color 200 x 200, backprop 16384, hotspot 256: a few minutes, to see that everything works. "
    "Rows "
    "are\n"
    "           short, so leaves coalesce far better than at full size\n"
    "  quarter  mvt 2048, atax 2048, nw 4096, bicg 4096 x 2048, gesummv 2048; sssp 900000, lud 256, color "
    "500 "
    "x 500,\n"
    "           backprop 196608, hotspot 512: half of each dimension\n"
    "  full     mvt 4096, atax 4096, nw 8192, bicg 8192 x 4096, gesummv 4096; sssp 3598623, lud 512, color "
    "1000 x\n"
    "           1000, backprop 786432, hotspot 1024: the paper's, Table II\n"
    "mvt in double, nw in int, other matrices in float; four rounds of sssp. The paper's values and the "
    "guard\n"
    "bands speak of full.\n"
    "\n"
    "Traces and results are kept in DIR by trace, configuration and model (its sources, not the program's\n"
    "revision); the same command goes on where it was interrupted. A figure runs only the configurations it\n"
    "needs. DIR/reproduce.json and DIR/reproduce.md have what is printed. With --ranges every number is a "
    "median\n"
    "(low ... high); docs/reproduction.md lists the changes.",
    {
        {"scale", 0, "demo|quarter|full", "sizes of the programs (default demo)"},
        {"figures", 0, "LIST", "only these: II,II-regular,5,6,9,9-regular,10,11,12,13,14,III,9-sensitivity"},
        {"sensitivity", 0, nullptr, "9-sensitivity, alone or beside the figures named"},
        ranges_option,
        {"platform", 'p', "PLATFORM", "the machine (default apu-micro18)"},
        {"set", 0, "SECTION.KEY=VALUE",
         "change the machine: how much does an assumption matter? may be repeated", true},
        {"jobs", 'j', "N", "runs at a time (default: the processors there are)"},
        {"output", 'o', "DIR", "where to keep everything (default reproduce-micro18-SCALE)"},
        {"quiet", 'q', nullptr, "no progress line"},
    },
    "walkway reproduce micro18 --scale quarter --figures 9,10,11",
    reproduce_main,
};

} // namespace walkway
