/* SPDX-License-Identifier: MIT */
/* cli/reproduce.cpp - walkway reproduce: runs a study with figures, a paper's or the user's. Its runs are
 * those of a sweep. Python (tool/python/walkway/reproduce.py) makes the figures from DIR/study.json, which
 * this command writes, and DIR/results.db. */
#include "cli/commands.hpp"

#include "cli/by_batches.hpp"
#include "cli/figure.hpp"
#include "cli/forms.hpp"
#include "cli/python.hpp"
#include "run/generator.hpp"
#include "run/path_lock.hpp"
#include "run/scope.hpp"
#include "run/simulate.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "workbench/report_page.hpp"
#include "workbench/sample_check.hpp"
#include "workbench/study_sections.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

namespace walkway
{

namespace fs = std::filesystem;

namespace
{

/* Returns the program's own folders with a study.cfg, by name. */
std::map<std::string, std::string> shipped_studies()
{
    std::map<std::string, std::string> all;
    for (const std::string &folder : data_folders("studies")) {
        std::error_code ignored;
        for (const auto &entry : fs::directory_iterator(folder, ignored))
            if (fs::exists(entry.path() / "study.cfg", ignored))
                all.emplace(entry.path().filename().string(), entry.path().string());
    }
    return all;
}

std::string names_of_studies()
{
    std::string text;
    for (const auto &[name, folder] : shipped_studies())
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/* "micro18" is a shipped study, "./mine" a path. */
std::string folder_of_study(const std::string &word)
{
    const std::map<std::string, std::string> shipped = shipped_studies();
    if (word.find('/') != std::string::npos || word == "." || word == "..")
        return word;
    const auto found = shipped.find(word);
    if (found != shipped.end())
        return found->second;
    std::vector<std::string> names;
    for (const auto &[name, folder] : shipped)
        names.push_back(name);
    throw failure(exit_usage, "reproduce " + as_written(word) + ": there are " + names_of_studies() +
                                  did_you_mean(word, names) + "; a folder of your own is ./" +
                                  as_written(word));
}

bool names_machines(const study_file &study)
{
    return std::any_of(study.platforms.begin(), study.platforms.end(),
                       [&](const study_machine &m) { return m.specification != study.platform; });
}

study_file study_of(const arguments &args, const std::string &folder)
{
    study_file study = read_study_file(
        folder + "/study.cfg", {args.value("scale"), args.value("platform"),
                                said(args, {"set", "sample", "warm-up", "measure"}), sample_of(args)});
    if (study.figures.empty())
        throw failure(exit_usage, study.path + ": has no [figures]; 'walkway sweep' runs a study without");
    if (args.has("platform") && names_machines(study))
        throw failure(exit_usage, "--platform: " + study.name +
                                      " compares machines of its own; --set changes all of them");
    choose(study, args.value("figures"), args.value("programs"), args.has("sensitivity"));
    study.repeats = args.has("ranges") ? ranges_of(args) : study.repeats;
    const run_scope window = scope_of(args);
    for (study_workload &w : study.workloads) {
        if (!window.warm_up_text.empty())
            w.window.warm_up = window.warm_up_text;
        if (!window.measure_text.empty())
            w.window.measure = window.measure_text;
    }
    return study;
}

void check_ways(const arguments &args, const std::string &way)
{
    if (args.has("batch-seconds") && way != "cluster" && way != "capture")
        throw failure(exit_usage, "--batch-seconds belongs to --cluster");
    for (const char *option : {"csv", "json", "svg", "report"})
        if (args.has(option) && (way == "batch" || way == "capture"))
            throw failure(exit_usage,
                          std::string("--") + option + ": a job of the study's prints no figures");
}

/* Returns the command line of the cluster's jobs. */
cluster_order jobs_of(const arguments &args, const std::string &folder)
{
    cluster_order cluster = cluster_of(
        args, {"reproduce", args.positional.front(), "--output", folder},
        {"scale", "figures", "programs", "platform", "set", "warm-up", "measure", "sample", "memory-limit"});
    if (args.has("sensitivity"))
        cluster.words.emplace_back("--sensitivity");
    if (args.has("ranges")) /* with its value: the default may differ in the job */
        cluster.words.push_back("--ranges=" + std::to_string(ranges_of(args)));
    return cluster;
}

std::string text_of_nudges(const std::vector<nudge> &nudges)
{
    std::string text;
    for (const nudge &n : nudges)
        text += (text.empty() ? "" : ", ") + text_of_nudge(n);
    return text;
}

std::string command_of(const study_file &study, const study_workload &w)
{
    const study_workload &first = w.together.empty() ? w : study.workloads[w.together.front()];
    const std::string text = first.text();
    return first.program.empty() ? text : text.substr(text.find(' ') + 1);
}

std::vector<std::string> changes_of(const study_file &study, const arguments &args)
{
    const std::vector<std::string> set = walkway::changes_of(args).set;
    std::vector<std::string> all = set;
    for (const std::string &change : study.settings)
        if (!sets(set, change))
            all.push_back(change + ", by --scale " + study.scale);
    return all;
}

/* Returns true if every figure has the machine under study. */
bool shown_everywhere(const study_file &study)
{
    return std::all_of(study.chosen.begin(), study.chosen.end(), [&](const study_figure &f) {
        return std::any_of(f.machines.begin(), f.machines.end(),
                           [&](size_t m) { return study.platforms[m].specification == study.platform; });
    });
}

/* Returns what the report is about: programs, figures, and the key of each run. */
json head_of(const study_file &study, study_machines &machines, const sweep_plan &plan, const arguments &args)
{
    json programs = json::array(), windows = json::object(), groups = json::object(), figures = json::array(),
         runs = json::array(), traces = json::array(), perturbations = json::array();
    for (size_t w = 0; w < study.workloads.size(); ++w) {
        const study_workload &of = study.workloads[w];
        if (!study.wants_workload(w))
            continue;
        json beside = json::array();
        for (size_t i = 1; i < of.together.size(); ++i)
            beside.push_back(study.workloads[of.together[i]].name);
        programs.push_back({{"code", of.name}, {"command", command_of(study, of)}, {"beside", beside}});
        if (!of.window.empty())
            windows[of.name] = text_of_scope(of.window);
        for (const workload_trace *t : plan.traces_of(of, w))
            traces.push_back({{"program", of.name}, {"trace", t->path}, {"checksum", t->checksum}});
    }
    for (const auto &[name, members] : study.groups)
        groups[name] = members;
    for (const study_figure &f : study.chosen) {
        json codes = json::array();
        for (const size_t w : f.shown)
            codes.push_back(study.workloads[w].name);
        json machines_of = json::array();
        for (const size_t m : f.machines)
            machines_of.push_back(study.platforms[m].name);
        figures.push_back({{"id", f.id}, {"programs", codes}, {"machines", machines_of}});
    }
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        runs.push_back({{"program", study.workloads[p.workload].name},
                        {"machine", study.platforms[p.platform].name},
                        {"repetition", p.repeat},
                        {"key", planned.key}});
    }
    for (unsigned k = 1; k <= study.repeats; ++k)
        perturbations.push_back(text_of_nudges(machines.nudges(k)));
    const std::vector<std::string> judged = words_of(study.judged_scale);
    return {
        {"schema_version", 3},
        {"program", program_json()},
        {"study", study.name},
        {"paper", study.text},
        {"platform", study.platform},
        {"platform_of_all", shown_everywhere(study)},
        {"scale", study.scale},
        {"judged", std::count(judged.begin(), judged.end(), study.scale) != 0 &&
                       windows.empty()}, /* true only of whole programs at the scale of the paper's values */
        {"judged_scale", study.judged_scale},
        {"missing", 0}, /* counted by the report */
        {"sampled", study.sample.wanted ? key_of(study.sample) : std::string()},
        {"changes", changes_of(study, args)},
        {"perturbations", perturbations},
        {"programs", programs},
        {"programs_left_out", study.left_out},
        {"most_listed", most_listed},
        {"windows", windows},
        {"groups", groups},
        {"traces", traces},
        {"runs", runs},
        {"figures", figures}};
}

/* Returns a report's subject from its head: "micro18 on apu-micro18 at scale demo, dram.cl=21". */
std::string subject_of(const json &report)
{
    std::string text = report.at("study").get<std::string>() + " on " +
                       report.at("platform").get<std::string>() + " at scale " +
                       report.at("scale").get<std::string>();
    for (const json &change : report.at("changes"))
        text += ", " + change.get<std::string>();
    return text;
}

json report_in(const std::string &folder)
{
    std::ifstream in(folder + "/reproduce.json", std::ios::binary);
    return json::parse(in, nullptr, false);
}

/* Warns if a report of another study, machine or scale, or with other changes, is replaced. The runs of that
 * report stay, and --kept makes it again. */
void say_report_replaced(const std::string &folder, const json &head)
{
    std::string earlier;
    try {
        earlier = subject_of(report_in(folder));
    } catch (const json::exception &) { /* no report, or not one of ours */
        return;
    }
    const std::string now = subject_of(head);
    if (earlier != now)
        std::cerr << "walkway: " << as_written(folder) << ": the report of " << as_written(earlier)
                  << " is replaced by one of " << as_written(now) << "; the runs of both are kept\n";
}

std::string cell_of(const json &number)
{
    return number.is_null() ? "" : number.dump();
}

/* Returns the report's numbers, one per row; for perturbed runs, the median and the range; for sampled ones
 * half the width of the interval. */
table report_table(const json &report)
{
    table t({"figure", "kind", "name", "program", "value", "low", "high", "half_width", "verdict"});
    const auto add = [&](std::vector<std::string> cells, const json &value, const json &half_width,
                         const std::string &verdict = "") {
        for (const char *part : {"median", "low", "high"}) {
            const json one = value.is_object()               ? value.at(part)
                             : part == std::string("median") ? value
                                                             : json();
            cells.push_back(cell_of(one));
        }
        cells.insert(cells.end(), {cell_of(half_width), verdict});
        t.row(cells);
    };
    for (const json &f : report.at("figures")) {
        const auto id = f.at("id").get<std::string>();
        for (const auto &[part, kind] : {std::pair{"bars", "value"}, std::pair{"beside", "beside"}})
            for (const json &bar : f.at(part)) {
                const json half_widths = bar.value("half_widths", json::object());
                for (const auto &value : bar.at("values").items())
                    add({id, kind, bar.at("name"), value.key()}, value.value(),
                        half_widths.value(value.key(), json()));
                for (const char *mean : {"arithmetic_mean", "geometric_mean", "gain_mean_percent"})
                    if (bar.contains(mean))
                        add({id, kind, bar.at("name"), mean}, bar.at(mean), half_widths.value(mean, json()));
            }
        for (const json &claim : f.at("claims")) {
            add({id, "ours", claim.at("text"), ""}, claim.at("ours"), claim.value("half_width", json()),
                claim.value("verdict", ""));
            t.row({id, "paper", claim.at("text"), "", claim.at("paper"), "", "", "", ""});
        }
    }
    return t;
}

/* Does the runs without a result. Returns the exit code of the first that fails. */
exit_code run_study(const std::string &way, study_machines &machines, sweep_plan &plan,
                    const sweep_order &order, const cluster_order &cluster)
{
    if (way == "kept")
        return exit_ok;
    if (way == "cluster")
        return run_on_cluster(machines, plan, order, cluster);
    sweep_session session(machines, plan, order);
    session.capture();
    if (!order.quiet)
        std::cerr << session.text_of_kept() << '\n';
    return session.run_all();
}

json sample_notes_json(const study_machines &machines, const sweep_plan &plan, const std::string &file)
{
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return plan.not_sampled;
    results_file results(file, database::mode::read);
    return sample_notes(results, machines, plan);
}

} // namespace

/* Returns "6,389 made-up traces", "44 programs", for a scale with too many to name. */
static std::string count_of(const std::vector<study_workload> &workloads)
{
    const auto made_up = static_cast<size_t>(std::count_if(
        workloads.begin(), workloads.end(), [](const study_workload &w) { return is_generator(w.trace); }));
    const auto others =
        static_cast<size_t>(std::count_if(workloads.begin(), workloads.end(),
                                          [](const study_workload &w) { return w.together.empty(); })) -
        made_up;
    std::vector<std::string> parts;
    if (made_up != 0)
        parts.push_back(text_of_count(made_up) + " made-up traces");
    if (others != 0)
        parts.push_back(text_of_count(others) + " programs");
    return joined(parts);
}

/* Returns what --help prints about each study. */
static std::string text_of_studies()
{
    std::string text;
    for (const auto &[name, folder] : shipped_studies()) {
        const study_file study = read_study_file(folder + "/study.cfg");
        std::string figures, on_demand;
        for (const study_figure &f : study.figures)
            (f.on_demand ? on_demand : figures) +=
                ((f.on_demand ? on_demand : figures).empty() ? "" : ", ") + f.id;
        text += "\n" + name + ": " + study.text + "\n  on " + study.platform + "; figures " + figures +
                (on_demand.empty() ? "" : "; with --sensitivity " + on_demand) + "\n";
        for (const setting &scale : study.scales) {
            const study_file sized = read_study_file(folder + "/study.cfg", {scale.name, ""});
            std::vector<std::string> programs;
            for (const study_workload &w : sized.workloads)
                if (w.together.empty())
                    programs.push_back(command_of(sized, w));
            text += "  " + scale.name + ": " + scale.value + ": " +
                    (programs.size() > most_listed ? count_of(sized.workloads) : joined(programs)) + "\n";
        }
        text += study.notes.empty() ? "" : "  " + study.notes + "\n";
    }
    return text;
}

static int reproduce_main(const arguments &args)
{
    if (args.has_program || args.positional.size() != 1)
        throw failure(exit_usage,
                      "reproduce: wants one study: " + names_of_studies() + ", or a folder of your own");
    const std::string way = way_of(args, {"kept", "cluster", "batch", "capture"});
    check_ways(args, way);
    const output_form form = form_of(args);
    const std::string source = folder_of_study(args.positional[0]);
    const study_file study = study_of(args, source);
    study_machines machines(study, walkway::changes_of(args));
    const std::string folder =
        args.value("output", "reproduce-" + study.name + (study.scale.empty() ? "" : "-" + study.scale));
    const sweep_order order{folder + "/results.db",
                            static_cast<unsigned>(args.number("jobs", parallel_of(way), 1, 1024)),
                            args.has("quiet"), std::cerr, way == "kept"};
    if (way == "batch") {
        run_batch(machines, order, args.value("batch"));
        return exit_ok;
    }
    std::optional<path_lock> lock;
    const auto lock_folder = [&] {
        std::error_code ignored; /* a folder that cannot be reached cannot be made either, which says why */
        if ((way.empty() || way == "cluster") && !lock && fs::exists(folder, ignored))
            lock.emplace(folder, "writes its results there");
    };
    lock_folder();
    sweep_plan plan = plan_sweep(machines, order);
    const cluster_order cluster = jobs_of(args, folder);
    if (way == "capture") {
        run_capture(machines, plan, order, args.value("capture"), cluster.batch_seconds);
        return exit_ok;
    }
    const std::string plotly = args.has("report") ? plotly_file() : "";
    for (const char *name : {"/reproduce.json", "/reproduce.md", "/study.json"})
        refuse_to_overwrite("--output", folder + name);
    if (args.has("csv") && args.value("csv") != "-")
        refuse_to_overwrite("--csv", args.value("csv"));
    const std::string figures = source + "/figures.py";
    const figure_plan picture = {"--svg", args.value("svg"), "report"};
    if (args.has("svg"))
        check_figure(picture, {folder + "/reproduce.json", folder + "/study.json", args.value("csv"),
                               args.value("report")});
    if (args.has("report")) {
        will_read(plotly, "the drawing library");
        refuse_to_overwrite("--report", args.value("report"));
    }
    std::vector<std::string> asked = {"--check", figures};
    for (const study_figure &f : study.chosen)
        asked.push_back(f.id);
    run_python("walkway/reproduce.py", asked);
    make_folder(folder);
    lock_folder();
    const exit_code worst = run_study(way, machines, plan, order, cluster);

    json head = head_of(study, machines, plan, args);
    head["sample_notes"] = sample_notes_json(machines, plan, order.results);
    say_report_replaced(folder, head);
    write_file(folder + "/study.json", dump(head));
    const std::string text = run_python("walkway/reproduce.py", {folder, figures});
    const json report = report_in(folder);
    if (form.text())
        std::cout << text;
    write_forms(form, report_table(report), report);
    if (args.has("report"))
        write_file(args.value("report"), figures_page(report, plotly));
    if (args.has("svg")) {
        write_figure(picture, dump(report));
        if (form.text())
            std::cout << text_of_figure(picture) << '\n';
    }
    if (form.text())
        std::cout << "written: " << folder << "/reproduce.json, reproduce.md; each run's statistics in "
                  << folder << "/results.db\n";
    return worst;
}

static std::vector<option_def> reproduce_options()
{
    return joined(
        {in_group(
             "Study",
             {{"scale", 0, "NAME",
               "sizes of the programs, of those that the study has, below (default: its first)"},
              {"figures", 0, "LIST", "only these of the study, with commas between"},
              {"programs", 0, "LIST",
               "only these of the study, by their codes, with commas between; means are of those, and the "
               "report says PARTIAL"},
              {"sensitivity", 0, nullptr, "what is made on demand only, alone or beside the figures named"},
              ranges_option,
              sample_option_def(),
              {"warm-up", 0, "COUNT",
               "in each run, simulate this much before counting (docs/use/windows.md)"},
              {"measure", 0, "COUNT",
               "in each run, count for this long, then stop; the report says PARTIAL"}}),
         in_group("Machine",
                  {{"platform", 'p', "MACHINE", "the machine (default: the study's)"},
                   {"set", 0, "SECTION.KEY=VALUE",
                    "change the machine: how much does an assumption matter? may be repeated", true},
                   memory_option_def()}),
         in_group("Results",
                  {{"output", 'o', "DIR", "where to keep everything (default reproduce-STUDY-SCALE)"},
                   csv_option,
                   json_option,
                   {"svg", 0, "FILE",
                    "a picture of the figures, .svg, .pdf or .png: means as bars, programs as marks; and the "
                    "script that draws it"},
                   {"report", 0, "FILE",
                    "a page to look at: the figures with their ranges, the paper's values beside, filters by "
                    "program"},
                   {"kept", 0, nullptr, "run nothing: print what there is, '-' for what there is not"},
                   {"jobs", 'j', "N", "runs at a time (default: the processors there are)"},
                   quiet_option}),
         in_group("Clusters", batch_option_defs())});
}

const command_def reproduce_command = {
    "reproduce",
    "reproduce STUDY|DIR [options]",
    "Do a paper's numbers come out of this model? Its figures and tables, the values it states beside ours.",
    "A study is a folder with study.cfg (what is run; docs/use/studies.md) and figures.py (what is made of "
    "it); one of "
    "your own is DIR.\n"
    "Results are kept in DIR/results.db by trace, machine and model (its sources, not the program's\n"
    "revision), traces in the cache; the same command goes on where it was interrupted. A figure runs only "
    "the "
    "machines it\n"
    "needs. DIR/reproduce.json and DIR/reproduce.md have what is printed. With --ranges every number is a "
    "median\n"
    "(low ... high); docs/results/reproduction.md lists the changes. --kept prints a study that is under "
    "way. Verdicts\n"
    "are of the scales to which a paper's values apply, as the report says. The studies:\n",
    reproduce_options(),
    "walkway reproduce micro18 --scale quarter --figures 9,10,11",
    reproduce_main,
    text_of_studies,
};

} // namespace walkway
