/* SPDX-License-Identifier: MIT */
/* cli/sweep.cpp - walkway sweep: runs all points of a study into one file of results. */
#include "cli/commands.hpp"

#include "cli/by_batches.hpp"
#include "cli/forms.hpp"
#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"
#include "workbench/sample_check.hpp"

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
                                        study.platforms[p.platform].name};
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

static void check_ways(const arguments &args, const std::string &by)
{
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
}

/* Makes and lists the batches, or with --collect loads their results. Runs nothing. */
static exit_code list_batches(const arguments &args, study_machines &machines, sweep_plan &plan,
                              const sweep_order &order, double batch_seconds)
{
    batch_sweep sweep(machines, plan, order,
                      args.has("collect") ? batch_sweep::jobs::running : batch_sweep::jobs::none);
    if (args.has("collect"))
        return sweep.finish();
    const sweep_estimate estimate = sweep.estimate();
    const std::vector<batch> batches = sweep.make(estimate, batch_seconds);
    const table listed = table_of(batches, machines);
    if (const output_form form = form_of(args); form.wanted()) {
        write_forms(form, listed);
        return exit_ok;
    }
    listed.print(std::cout);
    std::cout << text_of_work(machines, plan, order, estimate, batches.size(), sweep.to_capture());
    return exit_ok;
}

static int sweep_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "sweep: name one study, a .cfg file");
    const std::string way = way_of(args, {"dry-run", "cluster", "batches", "batch", "capture", "collect"});
    check_ways(args, way);
    if (!args.has("output") && way != "dry-run")
        throw failure(exit_usage, "sweep: --output names the file of results; --dry-run needs none");
    const study_file study =
        read_study_file(args.positional.front(),
                        {args.value("scale"), "", said(args, {"set", "seed", "sample"}), sample_of(args)});
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
    cluster_order cluster = cluster_of(args, {"sweep", args.positional.front()},
                                       {"output", "scale", "set", "seed", "sample", "memory-limit"});
    if (way == "capture") {
        run_capture(machines, plan, order, args.value("capture"), cluster.batch_seconds);
        return exit_ok;
    }
    if (way == "batches" || way == "collect")
        return list_batches(args, machines, plan, order, cluster.batch_seconds);
    if (way == "cluster") {
        for (const std::string &numbers : args.values("points")) {
            cluster.capture_words.emplace_back("--points");
            cluster.capture_words.push_back(numbers);
        }
        const exit_code code = run_on_cluster(machines, plan, order, cluster);
        std::cout << "results: " << order.results << '\n';
        return code;
    }
    if (const output_form form = form_of(args); form.wanted()) {
        write_forms(form, points_of(machines, plan));
        return exit_ok;
    }
    if (args.has("dry-run"))
        points_of(machines, plan).print(std::cout);
    for (size_t i = 0; i < plan.left_out.size(); ++i)
        std::cout << "constraint '" << as_written(study.constraints[i].expression) << "' leaves out "
                  << text_of_count(plan.left_out[i]) << '\n';
    const auto say = [&](const sweep_estimate &estimate) {
        std::cout << text_of_count(plan.points.size())
                  << " points: " << text_of_estimate(estimate, order.parallel) << std::flush;
    };
    if (args.has("dry-run")) {
        const sweep_order trying{"", order.parallel, order.quiet}; /* a dry run must not change the file */
        say(estimate_sweep(machines, plan, runs_known_in(order.results), trying));
        return exit_ok;
    }
    sweep_session session(machines, plan, order);
    session.capture(); /* first: how long runs take is known then */
    say(session.estimate());
    const exit_code code = session.run_all();
    for (const std::string &note : sample_notes(session.results, machines, plan))
        std::cout << note << '\n';
    std::cout << "results: " << order.results << '\n';
    return code;
}

static std::vector<option_def> sweep_options()
{
    return joined(
        {in_group(
             "Study and machines",
             {{"scale", 0, "NAME", "of a study with scales: which (default: its first)"},
              {"points", 0, "NUMBERS", "only these, as --dry-run numbers them: 3,7-9"},
              {"set", 0, "SECTION.KEY=VALUE", "change one parameter of every machine; may be repeated", true},
              {"seed", 0, "N", "value of every parameter named seed"},
              sample_option_def(),
              memory_option_def()}),
         in_group("Results",
                  {{"output", 'o', "FILE", "the results: an SQLite file, made or added to"},
                   {"dry-run", 0, nullptr, "list the points, check and estimate; run nothing"},
                   {"csv", 0, "FILE",
                    "with --dry-run or --batches: these as comma-separated values, and no estimate; -: to "
                    "standard output"},
                   {"json", 0, nullptr, "likewise as JSON, on standard output"},
                   {"jobs", 'j', "N", "how many runs at a time (default: the processors there are)"},
                   quiet_option}),
         in_group("Batches and clusters",
                  joined({batch_option_defs(),
                          {{"batches", 0, nullptr,
                            "only make and list the batches of what is missing, and what is to be captured"},
                           {"collect", 0, nullptr, "only load what batches have left so far"}}}))});
}

const command_def sweep_command = {
    "sweep",
    "sweep STUDY.cfg [--dry-run] [-j N] [--cluster PROFILE] -o RESULTS.db",
    "What does every combination of these parameters do to these programs? All runs of a study, into one "
    "file.",
    "STUDY.cfg has sections: [study] text, platforms, repeats, record; [workloads] name = TRACE | gen:... | "
    "program NAME ARGUMENTS; [axes] section.key = values, where 4..16+4 and 4..64*2 are ranges and "
    "'a.b,c.d = 1,2 3,4' moves two together; [constraints] name = condition. docs/use/workbench.md has an "
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
