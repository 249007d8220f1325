/* SPDX-License-Identifier: MIT */
/* cli/sweep.cpp - walkway sweep: all points of a study into one file of results. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"
#include "workbench/batches.hpp"
#include "workbench/cluster.hpp"

#include <iostream>

namespace walkway
{

static table points_of(const study_machines &machines, const sweep_plan &plan)
{
    const study_file &study = machines.study();
    std::vector<std::string> head = {"point", "workload", "machine"};
    for (const study_axis &axis : study.axes)
        head.insert(head.end(), axis.parameters.begin(), axis.parameters.end());
    if (study.repeats != 0)
        head.emplace_back("perturbation");
    table t(head);
    t.align_left();
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        std::vector<std::string> row = {std::to_string(p.number + 1), study.workloads[p.workload].name,
                                        study.platforms[p.platform].value};
        for (size_t i = 0; i < p.at.size(); ++i)
            row.insert(row.end(), study.axes[i].values[p.at[i]].begin(), study.axes[i].values[p.at[i]].end());
        if (study.repeats != 0)
            row.push_back(std::to_string(p.repeat));
        t.row(row);
    }
    t.number_columns(0);
    if (study.repeats != 0)
        t.number_columns(head.size() - 1);
    return t;
}

static table table_of(const std::vector<batch> &batches, const study_machines &machines)
{
    table t({"batch", "runs", "from", "seconds", "MiB", "minutes"});
    t.align_left();
    for (const batch &b : batches) {
        const size_t first = machines.decode(b.points.front().number).workload;
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.1f", b.seconds);
        t.row({b.name, std::to_string(b.points.size()), machines.study().workloads[first].name, seconds,
               std::to_string(b.memory_mib), std::to_string(b.minutes)});
    }
    t.number_columns(1);
    t.number_columns(3, 3);
    return t;
}

/* The command line of a job of this sweep. */
static cluster_order cluster_of(const arguments &args, double batch_seconds)
{
    cluster_order cluster{args.value("cluster"), {"sweep", args.positional.front()}, {}, batch_seconds};
    const auto pass = [&](std::vector<std::string> &to, const char *option) {
        for (const std::string &value : args.values(option)) {
            to.push_back(std::string("--") + option);
            to.push_back(value);
        }
    };
    for (const char *option : {"output", "set", "seed", "memory-limit"})
        pass(cluster.words, option);
    pass(cluster.capture_words, "points");
    return cluster;
}

/* Whatever has batches, but for a batch itself. */
static exit_code sweep_by_batches(const arguments &args, study_machines &machines, sweep_plan &plan,
                                  const sweep_order &order)
{
    const auto batch_seconds =
        static_cast<double>(args.number("batch-seconds", default_batch_seconds, 1, most_batch_seconds));
    if (args.has("capture")) {
        run_capture(machines, plan, order, args.value("capture"), batch_seconds);
        return exit_ok;
    }
    batch_sweep sweep(machines, plan, order,
                      args.has("collect") ? batch_sweep::jobs::running : batch_sweep::jobs::none);
    if (args.has("collect"))
        return sweep.finish();
    const sweep_estimate estimate = sweep.estimate();
    const std::vector<batch> batches = sweep.make(estimate, batch_seconds);
    const std::vector<size_t> captures = sweep.to_capture();
    if (const output_form form = form_of(args); form.wanted()) {
        write_forms(form, table_of(batches, machines));
        return exit_ok;
    }
    if (args.has("batches"))
        table_of(batches, machines).print(std::cout);
    std::cout << text_of_count(plan.points.size())
              << " points: " << text_of_estimate(estimate, order.parallel) << text_of_count(batches.size())
              << (batches.size() == 1 ? " batch" : " batches");
    for (const size_t w : captures)
        std::cout << (w == captures.front() ? "; to be captured first, for more: " : ", ")
                  << machines.study().workloads[w].name;
    std::cout << '\n' << std::flush;
    if (args.has("batches"))
        return exit_ok;
    const exit_code code = sweep.run(batches, cluster_of(args, batch_seconds));
    std::cout << "results: " << order.results << '\n';
    return code;
}

/* Of what the sweep may do, at most one; answers which, or null: all runs here. */
static const char *way_of(const arguments &args)
{
    const char *way = nullptr;
    for (const char *option : {"dry-run", "cluster", "batches", "batch", "capture", "collect"})
        if (args.has(option)) {
            if (way != nullptr)
                throw failure(exit_usage, std::string("--") + way + " and --" + option + ": one of them");
            way = option;
        }
    const std::string by = way == nullptr ? "" : way;
    for (const std::string option : {"csv", "json"})
        if (args.has(option) && by != "dry-run" && by != "batches")
            throw failure(exit_usage, "--" + option +
                                          " belongs to --dry-run or --batches; 'walkway results --" + option +
                                          "' writes what was found");
    if (args.has("batch-seconds") && by != "cluster" && by != "batches" && by != "capture")
        throw failure(exit_usage, "--batch-seconds belongs to --cluster, --batches or --capture");
    if (args.has("jobs") && by == "collect")
        throw failure(exit_usage, "--jobs: --collect runs nothing");
    if (args.has("points") && by == "batch")
        throw failure(exit_usage, "--points: a batch has its own");
    return way;
}

/* How many at a time, where it is not said: batches have one processor, clusters many. */
static unsigned parallel_of(const std::string &way)
{
    if (way == "cluster" || way == "batches")
        return 100;
    return way == "batch" || way == "capture" ? 1 : default_parallel();
}

static int sweep_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "sweep: name one study, a .cfg file");
    const char *const chosen = way_of(args);
    const std::string way = chosen == nullptr ? "" : chosen;
    if (!args.has("output") && way != "dry-run")
        throw failure(exit_usage, "sweep: --output names the file of results; --dry-run needs none");
    const study_file study = read_study_file(args.positional.front());
    study_machines machines(study, changes_of(args));
    const sweep_order order{args.has("output") ? new_file("--output", args.value("output")) : "",
                            static_cast<unsigned>(args.number("jobs", parallel_of(way), 1, 1024)),
                            args.has("quiet")};
    if (way == "batch") {
        run_batch(machines, order, args.value("batch"));
        return exit_ok;
    }
    sweep_plan plan = plan_sweep(machines, order);
    if (args.has("points"))
        keep_points(plan, args.value("points"));
    if (!way.empty() && way != "dry-run")
        return sweep_by_batches(args, machines, plan, order);
    if (const output_form form = form_of(args); form.wanted()) {
        write_forms(form, points_of(machines, plan));
        return exit_ok;
    }
    if (args.has("dry-run"))
        points_of(machines, plan).print(std::cout);
    for (size_t i = 0; i < plan.left_out.size(); ++i)
        std::cout << "constraint '" << as_written(study.constraints[i].expression) << "' leaves out "
                  << text_of_count(plan.left_out[i]) << '\n';
    sweep_order trying = order;
    if (args.has("dry-run"))
        trying.results.clear(); /* it leaves nothing there */
    const sweep_estimate estimate =
        estimate_sweep(machines, plan, runs_known_in(order.results, plan), trying);
    std::cout << text_of_count(plan.points.size())
              << " points: " << text_of_estimate(estimate, order.parallel) << std::flush;
    if (args.has("dry-run"))
        return exit_ok;
    const exit_code code = run_sweep(machines, plan, order);
    std::cout << "results: " << order.results << '\n';
    return code;
}

static std::vector<option_def> sweep_options()
{
    return joined(
        {in_group(
             "Study and machines",
             {{"points", 0, "NUMBERS", "only these, as --dry-run numbers them: 3,7-9"},
              {"set", 0, "SECTION.KEY=VALUE", "change one parameter of every machine; may be repeated", true},
              {"seed", 0, "N", "value of every parameter named seed"},
              memory_option_def()}),
         in_group("Results",
                  {{"output", 'o', "FILE", "the results: an SQLite file, made or added to"},
                   {"dry-run", 0, nullptr, "list the points, check and estimate; run nothing"},
                   {"csv", 0, "FILE",
                    "with --dry-run or --batches: these as comma-separated values, and no estimate; -: to "
                    "standard output"},
                   {"json", 0, nullptr, "likewise as JSON, on standard output"},
                   {"jobs", 'j', "N", "how many runs at a time (default: the processors there are)"},
                   {"quiet", 'q', nullptr, "no progress line"}}),
         in_group("Batches and clusters",
                  {{"cluster", 0, "PROFILE",
                    "run batches of them as jobs of a cluster; --jobs is then of batches (default 100)"},
                   {"batch-seconds", 0, "N", "what a batch is to take, as far as is known (default 300)"},
                   {"batches", 0, nullptr,
                    "only make and list the batches of what is missing, and what is to be captured"},
                   {"capture", 0, "WORKLOAD", "only capture this program, and make the batches of its runs"},
                   {"batch", 0, "NAME", "only this batch's runs, --jobs at a time (default 1)"},
                   {"collect", 0, nullptr, "only load what batches have left so far"}})});
}

const command_def sweep_command = {
    "sweep",
    "sweep STUDY.cfg [--dry-run] [-j N] [--cluster PROFILE] -o RESULTS.db",
    "What does every combination of these parameters do to these programs? All runs of a study, into one "
    "file.",
    "STUDY.cfg has sections: [study] text, platforms, repeats, record; [workloads] name = TRACE | gen:... | "
    "program NAME ARGUMENTS; [axes] section.key = values, where 4..16+4 and 4..64*2 are ranges and "
    "'a.b,c.d = 1,2 3,4' moves two together; [constraints] name = condition. docs/workbench.md has an "
    "example of each.\n"
    "\n"
    "Before the first run every point's machine is checked, and printed are how many runs there are to do, "
    "about how "
    "long they take and how large their results are.\n"
    "\n"
    "A run's key is its machine's configuration, the model and the trace's checksum: what is done is not "
    "done again. "
    "Interrupted, killed or with runs that failed, the same command does the rest. A run that fails is a row "
    "with its "
    "reason, and does not stop the others.\n"
    "\n"
    "--cluster slurm runs batches of the runs as jobs of Slurm's, by Snakemake; another PROFILE is one of "
    "Snakemake's, a "
    "folder or a name. --batches, --batch, --capture and --collect are its parts, for other ways to start "
    "jobs.",
    sweep_options(),
    "walkway sweep study.cfg -o results.db",
    sweep_main,
};

} // namespace walkway
