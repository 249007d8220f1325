/* SPDX-License-Identifier: MIT */
/* cli/sweep.cpp - walkway sweep: all points of a study into one file of results. */
#include "cli/commands.hpp"

#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"
#include "workbench/sweep.hpp"

#include <iostream>

namespace walkway
{

static table points_of(const study_machines &machines, const sweep_plan &plan)
{
    const study_file &study = machines.study();
    std::vector<std::string> head = {"point", "workload", "platform"};
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
    return t;
}

static int sweep_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "sweep: name one study, a .cfg file");
    if (!args.has("output") && !args.has("dry-run"))
        throw failure(exit_usage, "sweep: --output names the file of results; --dry-run needs none");
    const study_file study = read_study_file(args.positional.front());
    study_machines machines(study, changes_of(args));
    sweep_order order{args.has("output") ? new_file("--output", args.value("output")) : "",
                      static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024)),
                      args.has("quiet")};
    sweep_plan plan = plan_sweep(machines, order);
    if (args.has("points"))
        keep_points(plan, args.value("points"));
    if (args.has("csv") && !args.has("dry-run"))
        throw failure(exit_usage,
                      "--csv belongs to --dry-run; 'walkway results --csv' writes what was found");
    if (args.has("csv")) {
        write_csv(args.value("csv"), points_of(machines, plan));
        return exit_ok;
    }
    if (args.has("dry-run"))
        points_of(machines, plan).print(std::cout);
    for (size_t i = 0; i < plan.left_out.size(); ++i)
        std::cout << "constraint '" << as_written(study.constraints[i].expression) << "' leaves out "
                  << text_of_count(plan.left_out[i]) << '\n';
    const sweep_estimate estimate = estimate_sweep(machines, plan, order);
    std::cout << text_of_count(plan.points.size())
              << " points: " << text_of_estimate(estimate, order.parallel) << std::flush;
    if (args.has("dry-run"))
        return exit_ok;
    const exit_code code = run_sweep(machines, plan, order);
    std::cout << "results: " << order.results << '\n';
    return code;
}

const command_def sweep_command = {
    "sweep",
    "sweep STUDY.cfg [--dry-run] [-j N] -o RESULTS.db",
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
    "reason, and does not stop the others.",
    {
        {"output", 'o', "FILE", "the results: an SQLite file, made or added to"},
        {"dry-run", 0, nullptr, "list the points, check and estimate; run nothing"},
        {"points", 0, "NUMBERS", "only these, as --dry-run numbers them: 3,7-9"},
        {"jobs", 'j', "N", "how many runs at a time (default: the processors there are)"},
        {"set", 0, "SECTION.KEY=VALUE", "change one parameter of every machine; may be repeated", true},
        {"seed", 0, "N", "value of every parameter named seed"},
        {"csv", 0, "FILE",
         "with --dry-run: the points as comma-separated values, and no estimate; -: to standard output"},
        {"quiet", 'q', nullptr, "no progress line"},
        memory_option_def(),
    },
    "walkway sweep study.cfg -o results.db",
    sweep_main,
};

} // namespace walkway
