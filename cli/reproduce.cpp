/* SPDX-License-Identifier: MIT */
/* cli/reproduce.cpp - walkway reproduce: a paper's study, resumable: traces and results are kept in DIR and
 * used again while program, configuration and trace are the same. */
#include "cli/commands.hpp"

#include "cli/comparison.hpp"
#include "cli/config.hpp"
#include "cli/errors.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine.hpp"
#include "cli/nearest.hpp"
#include "cli/paths.hpp"
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
        if (wanted.empty() || wanted.count(f.id) != 0)
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
std::string folder_of(const std::string &parent, const planned_run &run)
{
    const trace_file trace = open_trace(run.trace);
    const std::string all = configuration_json(*run.spec.config).dump() + run.spec.wiring +
                            program_version() + text_of_checksum(wkt_reader_info(trace.get())->checksum);
    return parent + "/runs/" + run.program->workload + "-" + run.configuration->key + "-" +
           text_of_checksum(hash_of(all));
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

std::vector<planned_run> plan(const study &s, const std::vector<const figure_def *> &figures,
                              const std::vector<std::string> &traces, const std::string &platform,
                              const std::vector<std::string> &changes, const std::string &folder)
{
    std::vector<planned_run> runs;
    for (size_t p = 0; p < s.programs.size(); ++p) {
        const std::set<std::string> keys = wanted_of(s.programs[p], figures);
        for (const study_configuration &c : s.configurations) {
            if (keys.count(c.key) == 0)
                continue;
            /* --set changes the machine under study, the study's own changes stay what they are. */
            planned_run run{&s.programs[p], &c, resolve_platform(platform, {changes, {}, c.changes}),
                            traces[p], ""};
            run.spec.label = s.programs[p].code + " " + c.key;
            run.folder = folder_of(folder, run);
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

std::string text_of_report(const study &s, const report_head &head, const std::vector<figure> &figures,
                           bool markdown)
{
    std::ostringstream out;
    print_report(out, s, head, figures, markdown);
    return out.str();
}

} // namespace

static int reproduce_main(const arguments &args)
{
    const study &s = micro18_study();
    if (args.has_program || args.positional.size() != 1 || args.positional[0] != s.name)
        throw failure(exit_usage, "reproduce: wants the study's name: " + s.name);
    const study_scale &scale = find_scale(s, args.value("scale", "demo"));
    const std::vector<const figure_def *> figures = find_figures(s, args.value("figures"));
    const std::string platform = args.value("platform", s.platform);
    resolve_platform(platform, changes_of(args)); /* mistakes are better known before captures */
    const std::string folder = args.value("output", "reproduce-" + s.name + "-" + scale.name);
    const auto parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024));
    const bool quiet = args.has("quiet");
    make_folder(folder);
    for (const char *name : {"/reproduce.json", "/reproduce.md"})
        refuse_to_overwrite("--output", folder + name);

    const std::vector<std::string> traces = capture_all(s, figures, scale.name, folder, parallel, quiet);
    std::vector<planned_run> runs = plan(s, figures, traces, platform, args.values("set"), folder);
    std::vector<const platform_spec *> machines;
    for (const planned_run &run : runs)
        machines.push_back(&run.spec);
    say_overruled(machines);
    std::vector<job> jobs;
    for (planned_run &run : runs)
        if (kept_result(run).is_null())
            jobs.push_back(simulation_job(run.spec, run.trace, run.folder, kept::when_complete));
    if (!quiet)
        std::cerr << runs.size() << " runs, " << runs.size() - jobs.size() << " of them kept from before\n";
    const exit_code worst = report_ends(jobs, run_jobs(jobs, parallel, quiet));
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");

    study_results results;
    report_head head{scale.name, args.values("set"), runs.size(), 0};
    for (const planned_run &run : runs) {
        json result = kept_result(run);
        if (result.is_null())
            ++head.missing;
        else
            results[run.program->code][run.configuration->key] = std::move(result);
    }
    std::vector<figure> made;
    for (const figure_def *f : figures)
        made.push_back(make_figure(s, *f, results));
    print_report(std::cout, s, head, made, false);
    write_file(folder + "/reproduce.json", dump(report_json(s, head, made)));
    write_file(folder + "/reproduce.md", text_of_report(s, head, made, true));
    std::cout << "written: " << folder << "/reproduce.json, reproduce.md; each run's statistics in " << folder
              << "/runs\n";
    return worst;
}

const command_def reproduce_command = {
    "reproduce",
    "reproduce micro18 [options]",
    "Do the paper's numbers come out of this model? Its figures and tables, the values it states beside "
    "ours.",
    "micro18: Figures 5, 6, 9, 10, 11, 12, 13, 14 and Table III, for MVT ATX NW BIC GEV; 9-regular: Figure 9 "
    "for\n"
    "the regular programs, SSP LUD CLR BCK HOT. Sizes:\n"
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
    "bands "
    "speak\n"
    "of full.\n"
    "\n"
    "Traces and results are kept in DIR; the same command goes on where it was interrupted. A figure runs "
    "only the\n"
    "configurations it needs. DIR/reproduce.json and DIR/reproduce.md have what is printed.",
    {
        {"scale", 0, "demo|quarter|full", "sizes of the programs (default demo)"},
        {"figures", 0, "LIST", "only these: 5,6,9,9-regular,10,11,12,13,14,III"},
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
