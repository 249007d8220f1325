/* SPDX-License-Identifier: MIT */
/* cli/compare.cpp - walkway compare: runs several machines on one trace, in a process each. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "cli/machines.hpp"
#include "report/compare_ranges.hpp"
#include "report/summary.hpp"
#include "run/config.hpp"
#include "run/input.hpp"
#include "run/machine.hpp"
#include "run/result.hpp"
#include "run/result_folder.hpp"
#include "run/simulation_job.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>

namespace walkway
{

namespace
{

struct one_run {
    platform_spec *machine;
    size_t perturbation;
    std::string name; /* "1-apu-micro18"; of perturbation 3 "perturbed-3/1-apu-micro18" */
    std::string folder;
    std::string perturbed; /* ", perturbation 3" */
    std::string label;
};

std::vector<one_run> runs_in(const std::string &parent, std::vector<std::vector<platform_spec>> &machines)
{
    std::vector<one_run> runs;
    for (size_t k = 0; k < machines.size(); ++k)
        for (size_t i = 0; i < machines[k].size(); ++i) {
            platform_spec &machine = machines[k][i];
            const std::string number = std::to_string(k);
            const std::string beside = k == 0 ? "" : "perturbed-" + number + "/";
            const std::string name = beside + std::to_string(i + 1) + "-" + file_name_of(machine.label);
            const std::string perturbed = k == 0 ? "" : ", perturbation " + number;
            runs.push_back({&machine, k, name, parent + "/" + name, perturbed, machine.label + perturbed});
        }
    return runs;
}

/* Returns the runs' results by perturbation. The result of a failed run is null. */
std::vector<perturbed_comparison> results_of(const std::vector<one_run> &runs,
                                             const std::vector<job_result> &ends,
                                             const std::vector<std::vector<nudge>> &nudges)
{
    std::vector<perturbed_comparison> all;
    for (const std::vector<nudge> &n : nudges)
        all.push_back({n, {}});
    for (size_t i = 0; i < runs.size(); ++i) {
        const bool usable = ends[i].code == exit_ok || ends[i].code == exit_interrupted;
        all[runs[i].perturbation].results.push_back(
            {runs[i].machine->label, usable ? read_result(runs[i].folder + "/stats.json") : json(),
             runs[i].machine->config->structures()});
    }
    return all;
}

} // namespace

struct compared {
    std::vector<std::string> machines, files; /* files: the trace; empty with a program */
};

/* Without a program, the first word that names no machine is the trace. Others count as machines, so that a
 * misspelt one is reported. */
static compared what_is_compared(const arguments &args)
{
    const command_words words = sort_words(args);
    compared all;
    all.machines = words.machines;
    for (const std::string &word : words.others) {
        const bool trace = word.rfind("gen:", 0) == 0 || std::filesystem::path(word).extension() == ".wkt";
        if (!args.has_program && all.files.empty())
            all.files.push_back(word);
        else if (trace)
            throw failure(exit_usage, "compare: " + as_written(word) +
                                          " is a trace among the machines; there is one trace, and " +
                                          (args.has_program ? "a program behind -- is it"
                                                            : as_written(all.files.front()) + " is it"));
        else
            all.machines.push_back(word);
    }
    if (!all.machines.empty() && all.machines.front().front() == ':')
        all.machines.insert(all.machines.begin(), default_platform);
    if (all.machines.size() < 2)
        throw failure(exit_usage, all.machines.empty()
                                      ? "compare: name the machines, the baseline first"
                                      : "compare: " + as_written(all.machines[0]) +
                                            " is alone; name another machine to compare it with, or use "
                                            "'walkway run'");
    return all;
}

static int compare_main(const arguments &args)
{
    const auto [names, files] = what_is_compared(args);
    const output_form form = form_of(args);
    std::vector<std::vector<nudge>> nudges;
    std::vector<std::vector<platform_spec>> specs = perturbed(
        ranges_of(args), [&, &names = names] { return resolve_platforms(names, changes_of(args)); }, &nudges);
    say_overruled(specs.front());
    const run_scope scope = scope_of_runs(args);
    const auto parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024));
    const temporary_folder scratch;
    const std::string parent = args.value("output", scratch.path());
    will_read_input(args, files);
    std::optional<result_folder> place;
    if (args.has("output"))
        place.emplace(parent, "compare", args);
    refuse_to_overwrite("--output", parent + "/compare.json");
    if (args.has("csv") && args.value("csv") != "-")
        refuse_to_overwrite("--csv", args.value("csv"));
    const std::vector<one_run> runs = runs_in(parent, specs);
    for (const one_run &run : runs)
        check_place_of_results(run.folder);
    const std::string trace = input_trace(args, files);
    open_trace(trace); /* an invalid trace must not remove earlier results */
    if (place) {
        std::vector<planned_result> plan;
        for (const one_run &run : runs)
            plan.push_back({run.name, run.machine->label, trace, run.perturbed});
        place->clear(plan);
        place->begin(plan);
    }

    if (scope.sample.wanted) /* machines with the same resident waves share a sample */
        for (const one_run &run : runs)
            prepare_sample(*run.machine, trace, scope.sample);
    std::vector<job> jobs;
    for (const one_run &run : runs)
        jobs.push_back(simulation_job(*run.machine, trace, run.folder, kept::always, run.label, scope));
    const auto start = std::chrono::steady_clock::now();
    const std::vector<job_result> ends = run_jobs(jobs, parallel, args.has("quiet"));

    const exit_code worst = report_ends(jobs, ends);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (!place && took.count() >= long_seconds)
        keep_results(parent, specs.front().front().label + "-compared");
    const std::vector<perturbed_comparison> all = results_of(runs, ends, nudges);
    const std::vector<named_result> &results = all.front().results;
    const bool compared = !interrupted() && !results.front().stats.is_null();
    if (place && !compared)
        place->finish(ends, {});
    if (interrupted()) /* ratios of partial results would mislead */
        throw failure(exit_interrupted,
                      "interrupted: nothing is compared" +
                          (place ? "; what was reached is in the folders of " + parent : std::string()));
    if (results.front().stats.is_null())
        throw failure(worst == exit_ok ? exit_law : worst, "the baseline has no result to compare with");
    if (form.text())
        print_comparison(std::cout, results, no_difference(all));
    if (form.text() && all.size() > 1)
        print_ranges(std::cout, all);
    json comparison = comparison_json(results, no_difference(all));
    if (all.size() > 1)
        add_ranges(comparison, all);
    write_forms(form,
                results_table(results, true, all.size() > 1 ? ranges_of_ratios(all) : std::vector<json>()),
                comparison);
    if (place) {
        write_file(parent + "/compare.json", dump(comparison));
        place->finish(ends, {"compare.json"});
        if (form.text())
            std::cout << "results: " << parent << "/compare.json, and a folder for each machine\n";
    }
    return worst;
}

static std::vector<option_def> compare_options()
{
    return joined(
        {in_group(
             "Machines",
             {platform_option_def(),
              {"set", 0, "SECTION.KEY=VALUE",
               "change one parameter of every machine that does not set it itself; may be repeated", true},
              {"seed", 0, "N", "value of every parameter named seed"},
              memory_option_def()}),
         in_group("Program", joined({{{"no-cache", 0, nullptr, "capture anew, and keep no trace"}},
                                     capture_option_defs()})),
         in_group("Part of the program, and of the runs", scope_option_defs()),
         in_group(
             "Results",
             {{"output", 'o', "DIR", "write DIR/compare.json and a folder with stats.json for each machine"},
              ranges_option,
              csv_option,
              json_option,
              {"jobs", 'j', "N", "machines to run at a time (default: the processors there are)"},
              quiet_option})});
}

const command_def compare_command = {
    "compare",
    "compare [options] TRACE MACHINE...\n"
    "compare [options] MACHINE... -- PROGRAM ARGUMENTS",
    "How much faster is one machine than another on this program, and why?",
    "A MACHINE is NAME[:key=value,...] or a .cfg file so, behind -p or not; the first is the baseline. One "
    "that starts "
    "with ':' is a change of the baseline as its name alone means it, or as the first one of apu-micro18, "
    "which then is the "
    "baseline.\n"
    "The table has cycles, speed-up, page-table reads and walk latency relative to the first machine, and "
    "hit rates.\n"
    "Then the bits of every structure that differs. "
    "Below it each translation's time and the waves' waiting are split into causes that sum to the whole. "
    "Then follow,\n"
    "for each machine, the hit rates, walks, lines per walk and bounds that changed, by their factor of the "
    "time, and\n"
    "where the time went. docs/use/compare.md defines every figure.\n"
    "\n"
    "--ranges says how sure a ratio is. Perturbation 1 ... N moves one latency by one cycle, each launch by "
    "some\n"
    "cycles, the data's frames by some pages, and each seed, relative to what the machines have and alike "
    "on all;\n"
    "docs/results/reproduction.md lists them. A ratio is of two machines with the same perturbation. A "
    "parameter "
    "that one\n"
    "machine does not have, or cannot move, stays on all. DIR/compare.json has the range of each ratio.",
    compare_options(),
    "walkway compare apu-micro18 :walk_unit.coalesce=leaf :walk_unit.coalesce=full -- atax 1024",
    compare_main,
};

} // namespace walkway
