/* SPDX-License-Identifier: MIT */
/* cli/reproduce.cpp - walkway reproduce: a paper's study; study/study_plan.hpp has its runs. */
#include "cli/commands.hpp"

#include "run/jobs.hpp"
#include "run/result_folder.hpp"
#include "run/simulate.hpp"
#include "study/study_plan.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

namespace walkway
{

namespace
{

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

std::string text_of_report(const study &s, const report_head &head,
                           const std::vector<figure_samples> &figures, bool markdown)
{
    std::ostringstream out;
    print_report(out, s, head, figures, markdown);
    return out.str();
}

} // namespace

static study_order order_of(const study &s, const arguments &args)
{
    study_order o;
    o.scale = &find_scale(s, args.value("scale", "demo"));
    std::string figures = args.value("figures");
    if (args.has("sensitivity"))
        figures += (figures.empty() ? "" : ",") + std::string("9-sensitivity");
    o.figures = find_figures(s, figures);
    o.platform = args.value("platform", s.platform);
    o.changes = changes_of(args);
    platform_spec machine = resolve_platform(o.platform, o.changes);
    check_memory(machine, nullptr);
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
    const study_order o = order_of(s, args);
    check_machines(s, o);
    std::optional<result_folder> place;
    if (args.has("kept"))
        make_folder(o.folder); /* another process may be at work there */
    else
        place.emplace(o.folder, "reproduce", args);
    for (const char *name : {"/reproduce.json", "/reproduce.md"})
        refuse_to_overwrite("--output", o.folder + name);
    if (args.has("csv") && args.value("csv") != "-")
        refuse_to_overwrite("--csv", args.value("csv"));

    std::vector<planned_run> runs = plan(s, o, capture_all(s, o, !args.has("kept")));
    std::vector<const platform_spec *> machines;
    for (const planned_run &run : runs)
        if (run.perturbation == 0)
            machines.push_back(&run.spec);
    say_overruled(machines);
    if (place) {
        std::vector<planned_result> planned;
        for (const planned_run &run : runs)
            planned.push_back({run.folder.substr(o.folder.size() + 1), run.spec.label, run.trace});
        place->clear(planned);
        place->begin(planned);
    }
    const exit_code worst = place ? run_missing(runs, o) : exit_ok;

    report_head head{o.scale->name, o.changes.set, runs.size(), 0, {}};
    for (size_t k = 1; k < o.perturbations.size(); ++k)
        head.perturbations.push_back(text_of_nudges(o.perturbations[k]));
    const std::vector<figure_samples> made = samples_of(s, o, runs, &head.missing);
    const std::string csv = args.value("csv");
    if (csv != "-")
        print_report(std::cout, s, head, made, false);
    json report = report_json(s, head, made);
    report["runs"] = runs_json(runs);
    write_file(o.folder + "/reproduce.json", dump(report));
    write_file(o.folder + "/reproduce.md", text_of_report(s, head, made, true));
    if (args.has("csv"))
        write_csv(csv, report_table(report));
    if (place)
        place->finish({}, {"reproduce.json", "reproduce.md"});
    if (csv != "-")
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
    "(low ... high); docs/reproduction.md lists the changes. --kept prints a study that is under way.",
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
        csv_option,
        {"kept", 0, nullptr, "run nothing: print what there is, '-' for what there is not"},
        {"quiet", 'q', nullptr, "no progress line"},
        memory_option_def(),
    },
    "walkway reproduce micro18 --scale quarter --figures 9,10,11",
    reproduce_main,
};

} // namespace walkway
