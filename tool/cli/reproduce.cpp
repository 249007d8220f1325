/* SPDX-License-Identifier: MIT */
/* cli/reproduce.cpp - walkway reproduce: a paper's study; study/study_plan.hpp has its runs. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "run/jobs.hpp"
#include "run/result_folder.hpp"
#include "run/scope.hpp"
#include "run/simulate.hpp"
#include "study/study_plan.hpp"
#include "study/study_samples.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "workbench/report_page.hpp"
#include "workbench/study_batches.hpp"
#include "workbench/study_cluster.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

namespace walkway
{

namespace
{

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
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
                  "--scale " + name + ": is none of " + joined(names) + did_you_mean(name, names));
}

/* "9,12,III"; on demand, those too that are made only then. */
std::vector<const figure_def *> find_figures(const study &s, const std::string &list, bool on_demand)
{
    std::vector<std::string> ids;
    for (const figure_def &f : s.figures)
        ids.push_back(f.id);
    std::set<std::string> wanted;
    std::istringstream in(list);
    for (std::string id; std::getline(in, id, ',');) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            throw failure(exit_usage, "--figures " + id + ": there are " + joined(ids));
        wanted.insert(id);
    }
    std::vector<const figure_def *> figures;
    for (const figure_def &f : s.figures)
        if (f.on_demand ? on_demand || wanted.count(f.id) != 0
                        : wanted.count(f.id) != 0 || (wanted.empty() && !on_demand))
            figures.push_back(&f);
    if (figures.empty())
        throw failure(exit_usage, "--sensitivity: " + s.name + " has no figure for it");
    return figures;
}

/* The study with no other programs than those of "ATX,GEV". Throws failure(exit_usage) that names the
 * nearest. */
study with_programs(const study &whole, const std::string &list)
{
    std::vector<std::string> codes;
    for (const study_program &p : whole.programs)
        codes.push_back(p.code);
    std::set<std::string> wanted;
    std::istringstream in(list);
    for (std::string code; std::getline(in, code, ',');) {
        if (std::find(codes.begin(), codes.end(), code) == codes.end())
            throw failure(exit_usage,
                          "--programs " + code + ": there are " + joined(codes) + did_you_mean(code, codes));
        wanted.insert(code);
    }
    study s = whole;
    s.programs.clear();
    for (const study_program &p : whole.programs) {
        if (wanted.count(p.code) == 0)
            continue;
        for (const std::string &other : p.beside)
            if (wanted.count(other) == 0)
                throw failure(exit_usage, "--programs " + p.code + ": runs beside " + other +
                                              ", which has to be named, too");
        s.programs.push_back(p);
    }
    return s;
}

std::string text_of_report(const study &s, const report_head &head,
                           const std::vector<figure_samples> &figures, bool markdown)
{
    std::ostringstream out;
    print_report(out, s, head, figures, markdown);
    return out.str();
}

/* How many at a time, where it is not said: batches have one processor, clusters many. */
unsigned parallel_of(const arguments &args)
{
    if (args.has("cluster"))
        return 100;
    return args.has("batch") || args.has("capture") ? 1 : default_parallel();
}

void check_ways(const arguments &args)
{
    const char *way = nullptr;
    for (const char *option : {"kept", "cluster", "batch", "capture"})
        if (args.has(option)) {
            if (way != nullptr)
                throw failure(exit_usage, std::string("--") + way + " and --" + option + ": one of them");
            way = option;
        }
    if (args.has("batch-seconds") && !args.has("cluster") && !args.has("capture"))
        throw failure(exit_usage, "--batch-seconds belongs to --cluster");
    for (const char *option : {"csv", "json", "svg", "report"})
        if (args.has(option) && (args.has("batch") || args.has("capture")))
            throw failure(exit_usage,
                          std::string("--") + option + ": a job of the study's prints no figures");
}

/* What its jobs are called with. */
cluster_order cluster_of(const arguments &args, const study_order &o)
{
    cluster_order cluster{
        args.value("cluster"),
        {"reproduce", args.positional.front(), "--output", o.folder},
        {},
        static_cast<double>(args.number("batch-seconds", default_batch_seconds, 1, most_batch_seconds))};
    std::vector<std::string> &words = cluster.words;
    for (const char *option :
         {"scale", "figures", "programs", "platform", "set", "warm-up", "measure", "memory-limit"})
        for (const std::string &value : args.values(option)) {
            words.push_back(std::string("--") + option);
            words.push_back(value);
        }
    if (args.has("sensitivity"))
        words.emplace_back("--sensitivity");
    if (args.has("ranges")) /* how many is said: the default may be another there */
        words.push_back("--ranges=" + std::to_string(ranges_of(args)));
    return cluster;
}

/* A job of a study that another process makes. */
int run_job(const study &s, const study_order &o, const arguments &args)
{
    if (args.has("capture")) {
        run_study_capture(s, o, args.value("capture"));
        return exit_ok;
    }
    std::vector<planned_run> runs = plan(s, o, capture_all(s, o, false));
    run_study_batch(runs, o, args.value("batch"));
    return exit_ok;
}

} // namespace

static study_order order_of(const study &s, const arguments &args)
{
    study_order o;
    o.scale = &find_scale(s, args.value("scale", "demo"));
    o.figures = find_figures(s, args.value("figures"), args.has("sensitivity"));
    o.platform = args.value("platform", s.platform);
    if (args.has("platform") && names_machines(s))
        throw failure(exit_usage,
                      "--platform: " + s.name + " compares machines of its own; --set changes all of them");
    o.changes = changes_of(args);
    platform_spec machine = resolve_platform(o.platform, o.changes);
    check_memory(machine, nullptr);
    perturb(s, ranges_of(args), &o);
    o.folder = args.value("output", "reproduce-" + s.name + "-" + o.scale->name);
    o.parallel = static_cast<unsigned>(args.number("jobs", parallel_of(args), 1, 1024));
    o.quiet = args.has("quiet");
    const run_scope window = scope_of(args);
    o.window = {"", "", "", window.warm_up_text, window.measure_text};
    return o;
}

static std::string text_of_nudges(const std::vector<nudge> &nudges)
{
    std::string text;
    for (const nudge &n : nudges)
        text += (text.empty() ? "" : ", ") + text_of_nudge(n);
    return text;
}

static std::string names_of_studies()
{
    std::vector<std::string> names;
    for (const study *s : studies())
        names.push_back(s->name);
    return joined(names);
}

/* What --help says of each. */
static std::string text_of_studies()
{
    std::string text;
    for (const study *s : studies()) {
        std::vector<std::string> figures, on_demand;
        for (const figure_def &f : s->figures)
            (f.on_demand ? on_demand : figures).push_back(f.id);
        text += "\n" + s->name + ": " + s->paper + "\n  on " + s->platform + "; figures " + joined(figures) +
                (on_demand.empty() ? "" : "; with --sensitivity " + joined(on_demand)) + "\n";
        for (const study_scale &scale : s->scales) {
            std::vector<std::string> programs;
            for (const study_program &p : s->programs)
                programs.push_back(text_of_arguments(p, scale.name));
            text += "  " + scale.name + ": " + scale.text + ": " + joined(programs) + "\n";
        }
        text += s->notes.empty() ? "" : "  " + s->notes + "\n";
    }
    return text;
}

/* Which trace each program's runs have. */
static json traces_json(const std::vector<planned_run> &runs)
{
    json list = json::array();
    std::set<std::string> seen;
    for (const planned_run &run : runs)
        if (seen.insert(run.program->code).second)
            list.push_back(
                {{"program", run.program->code}, {"trace", run.trace}, {"checksum", run.checksum}});
    return list;
}

/* "micro18 on apu-micro18 at scale demo, dram.cl=21", of a report's head. */
static std::string subject_of(const json &report)
{
    std::string text = report.at("study").get<std::string>() + " on " +
                       report.at("platform").get<std::string>() + " at scale " +
                       report.at("scale").get<std::string>();
    for (const json &change : report.at("changes"))
        text += ", " + change.get<std::string>();
    return text;
}

/* Of another machine, scale or study. Its runs stay, so that --kept makes it again. */
static void say_report_replaced(const std::string &folder, const json &report)
{
    std::ifstream in(folder + "/reproduce.json", std::ios::binary);
    const json before = json::parse(in, nullptr, false);
    std::string earlier;
    try {
        earlier = subject_of(before);
    } catch (const json::exception &) { /* none, or somebody else's */
        return;
    }
    const std::string now = subject_of(report);
    if (earlier != now)
        std::cerr << "walkway: " << as_written(folder) << ": the report of " << as_written(earlier)
                  << " is replaced by one of " << as_written(now) << "; the runs of both are kept\n";
}

static int reproduce_main(const arguments &args)
{
    if (args.has_program || args.positional.size() != 1)
        throw failure(exit_usage, "reproduce: wants the name of one study: " + names_of_studies());
    const study &whole = find_study(args.positional[0]);
    const study s = args.has("programs") ? with_programs(whole, args.value("programs")) : whole;
    check_ways(args);
    const output_form form = form_of(args);
    const study_order o = order_of(s, args);
    check_machines(s, o);
    if (args.has("batch") || args.has("capture"))
        return run_job(s, o, args);
    const std::string plotly = args.has("report") ? plotly_file() : "";
    std::optional<result_folder> place;
    if (args.has("kept"))
        make_folder(o.folder); /* another process may be at work there */
    else
        place.emplace(o.folder, "reproduce", args);
    for (const char *name : {"/reproduce.json", "/reproduce.md"})
        refuse_to_overwrite("--output", o.folder + name);
    if (args.has("csv") && args.value("csv") != "-")
        refuse_to_overwrite("--csv", args.value("csv"));
    if (args.has("svg"))
        refuse_to_overwrite("--svg", args.value("svg"));
    if (args.has("report")) {
        will_read(plotly, "the drawing library");
        refuse_to_overwrite("--report", args.value("report"));
    }

    if (args.has("cluster"))
        capture_on_cluster(s, o, cluster_of(args, o));
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
    const exit_code worst = args.has("cluster") ? run_on_cluster(runs, o, cluster_of(args, o))
                            : place             ? run_missing(runs, o)
                                                : exit_ok;

    report_head head{o.scale->name, changes_of(o), runs.size(), 0, {}};
    head.platform = o.platform;
    head.programs_left_out = whole.programs.size() - s.programs.size();
    for (const study_program &p : s.programs)
        if (const std::string window = text_of_scope(window_of(o, p)); !window.empty())
            head.windows[p.code] = window;
    for (size_t k = 1; k < o.perturbations.size(); ++k)
        head.perturbations.push_back(text_of_nudges(o.perturbations[k]));
    const std::vector<figure_samples> made = samples_of(s, o, runs, &head.missing);
    if (form.text())
        print_report(std::cout, s, head, made, false);
    json report = report_json(s, head, made);
    report["runs"] = runs_json(runs);
    say_report_replaced(o.folder, report);
    write_file(o.folder + "/reproduce.json", dump(report));
    write_file(o.folder + "/reproduce.md", text_of_report(s, head, made, true));
    write_forms(form, report_table(report), report);
    if (args.has("svg"))
        write_file(args.value("svg"), report_picture(report));
    if (args.has("report")) {
        report["traces"] = traces_json(runs);
        write_file(args.value("report"), figures_page(report, plotly));
    }
    if (place)
        place->finish({}, {"reproduce.json", "reproduce.md"});
    if (form.text())
        std::cout << "written: " << o.folder << "/reproduce.json, reproduce.md; each run's statistics in "
                  << o.folder << "/runs\n";
    return worst;
}

static std::vector<option_def> reproduce_options()
{
    return joined(
        {in_group(
             "Study",
             {{"scale", 0, "demo|quarter|full",
               "sizes of the programs (default demo), or another that the study has, below"},
              {"figures", 0, "LIST", "only these of the study, with commas between"},
              {"programs", 0, "LIST",
               "only these of the study, by their codes, with commas between; means are of those, and the "
               "report "
               "says "
               "PARTIAL"},
              {"sensitivity", 0, nullptr, "what is made on demand only, alone or beside the figures named"},
              ranges_option,
              {"warm-up", 0, "COUNT",
               "of each run, simulate so much before anything counts (docs/windows.md)"},
              {"measure", 0, "COUNT", "of each run, count so much, then stop; the report says PARTIAL"}}),
         in_group("Machine",
                  {{"platform", 'p', "MACHINE", "the machine (default: the study's)"},
                   {"set", 0, "SECTION.KEY=VALUE",
                    "change the machine: how much does an assumption matter? may be repeated", true},
                   memory_option_def()}),
         in_group("Results",
                  {{"output", 'o', "DIR", "where to keep everything (default reproduce-STUDY-SCALE)"},
                   csv_option,
                   json_option,
                   {"svg", 0, "FILE", "a picture of the figures: means as bars, programs as marks"},
                   {"report", 0, "FILE",
                    "a page to look at: the figures with their ranges, the paper's values beside, filters by "
                    "program"},
                   {"kept", 0, nullptr, "run nothing: print what there is, '-' for what there is not"},
                   {"jobs", 'j', "N", "runs at a time (default: the processors there are)"},
                   {"quiet", 'q', nullptr, "no progress line"}}),
         in_group(
             "Clusters",
             {{"cluster", 0, "PROFILE",
               "captures, and batches of the runs, as jobs of a cluster, as of sweep; --jobs is then of "
               "these "
               "(default 100)"},
              {"batch-seconds", 0, "N", "what a batch is to take, as far as is known (default 300)"},
              {"capture", 0, "NAME", "only capture this program, as a job of --cluster does (atax-4096)"},
              {"batch", 0, "NAME", "only this batch's runs, as a job of --cluster does"}})});
}

const command_def reproduce_command = {
    "reproduce",
    "reproduce STUDY [options]",
    "Do a paper's numbers come out of this model? Its figures and tables, the values it states beside ours.",
    "Traces and results are kept in DIR by trace, machine and model (its sources, not the program's\n"
    "revision); the same command goes on where it was interrupted. A figure runs only the machines it\n"
    "needs. DIR/reproduce.json and DIR/reproduce.md have what is printed. With --ranges every number is a "
    "median\n"
    "(low ... high); docs/reproduction.md lists the changes. --kept prints a study that is under way. The "
    "paper's\n"
    "values and the guard bands speak of full. The studies:\n",
    reproduce_options(),
    "walkway reproduce micro18 --scale quarter --figures 9,10,11",
    reproduce_main,
    text_of_studies,
};

} // namespace walkway
