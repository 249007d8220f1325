/* SPDX-License-Identifier: MIT */
/* cli/results.cpp - walkway results: prints what a file of results contains. */
#include "cli/commands.hpp"

#include "cli/figure.hpp"
#include "cli/forms.hpp"
#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/read_files.hpp"
#include "workbench/results_rows.hpp"
#include "workbench/speedups.hpp"

#include <algorithm>
#include <iostream>
#include <set>

namespace walkway
{

static table answer_of(results_file &results, const std::string &sql)
{
    statement ask(results.db(), sql);
    if (!ask.read_only())
        throw failure(exit_usage, "--sql: '" + as_written(sql) + "' would change the file; it is only read");
    return table_of(ask);
}

static void check_options(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "results: name one file of results");
    std::vector<std::string> questions;
    for (const char *question : {"sql", "best", "baseline"})
        if (args.has(question))
            questions.push_back(std::string("--") + question);
    if (questions.size() > 1)
        throw failure(exit_usage, questions[0] + " and " + questions[1] + ": one question at a time");
    const std::pair<const char *, const char *> parts[] = {
        {"by", "best"},         {"highest", "best"},  {"count", "best"},    {"where", "baseline"},
        {"figure", "baseline"}, {"kind", "baseline"}, {"over", "baseline"},
    };
    for (const auto &[option, question] : parts)
        if (args.has(option) && !args.has(question))
            throw failure(exit_usage, std::string("--") + option + " belongs to --" + question);
    if (args.has("cost") && (args.has("sql") || (questions.empty() && !form_of(args).wanted())))
        throw failure(exit_usage, "--cost belongs to --best, --baseline, --csv or --json");
}

static figure_plan figure_of(const arguments &args)
{
    const figure_plan plan{"--figure", args.value("figure"),
                           args.value("kind", args.has("over") ? "lines" : "bars"), args.value("over")};
    const std::vector<std::string> kinds = {"bars", "lines", "stack"};
    if (std::count(kinds.begin(), kinds.end(), plan.kind) == 0)
        throw failure(exit_usage, "--kind " + as_written(plan.kind) + ": is bars, lines or stack" +
                                      did_you_mean(plan.kind, kinds));
    if ((plan.kind == "lines") != args.has("over"))
        throw failure(exit_usage, "--over PARAMETER belongs to --kind lines, and lines want one");
    if (args.has("figure"))
        check_figure(plan);
    return plan;
}

/* Refuses a figure with more bars or stacks than a reader can distinguish. */
static void check_series(const figure_plan &plan, const speedups &all)
{
    constexpr size_t most_bars = 32, most_values = 400; /* bars: colours * hatchings */
    size_t points = 0;
    for (const speedup_point &p : all.points)
        points += p.shown && p.base && &all.points[*p.base] != &p;
    const size_t stacks = all.programs.size() * points;
    if ((plan.kind == "bars" && points > most_bars) || (plan.kind == "stack" && stacks > most_values))
        throw failure(exit_usage,
                      "--figure: " + text_of_count(plan.kind == "bars" ? points : stacks) + " " +
                          (plan.kind == "bars"
                               ? "points are more than bars can tell apart, " + std::to_string(most_bars)
                               : "accounts are more than one figure shows, " + std::to_string(most_values)) +
                          ": choose some with --where NAME=VALUE, or lines with --over");
    if (plan.kind == "bars" && points == 0)
        throw failure(exit_usage, "--figure: only the baseline itself is shown");
}

static void show_speedups(const arguments &args, const output_form &form, results_file &results)
{
    figure_plan plan = figure_of(args);
    const speedups all =
        speedups_of(results, args.value("baseline"), args.values("where"), args.value("cost"));
    if (plan.kind == "lines" && std::count(all.axes.begin(), all.axes.end(), plan.over) == 0)
        throw failure(exit_usage, "--over " + as_written(plan.over) + ": is no axis of the results" +
                                      did_you_mean(plan.over, all.axes));
    plan.notes = all.notes;
    const bool accounts = plan.kind == "stack";
    if (args.has("figure"))
        check_series(plan, all);
    const table t = accounts ? accounts_of(results, all) : table_of(all);
    if (form.text() && accounts)
        print_accounts(std::cout, results, all);
    else if (form.text())
        print_speedups(std::cout, all);
    else
        for (const std::string &note : all.notes)
            std::cerr << "walkway: " << note << '\n';
    write_forms(form, t);
    if (args.has("figure"))
        write_figure(plan, t);
    if (args.has("figure") && form.text())
        std::cout << text_of_figure(plan) << '\n';
}

/* Returns the metric, and that of its half width if it is an estimate of some runs. */
static std::vector<std::string> best_metrics(const std::string &metric, results_file &results)
{
    const std::string half_width = metric + "_half_width";
    statement ask(results.db(), "SELECT 1 FROM statistics WHERE name = ?");
    return ask.with(half_width).step() ? std::vector<std::string>{metric, half_width}
                                       : std::vector<std::string>{metric};
}

static int results_main(const arguments &args)
{
    check_options(args);
    const std::string path = args.positional.front();
    const output_form form = form_of(args);
    results_file results(path, database::mode::read);
    will_read(path, "the results");
    const std::string sampled = text_of_sampled(results);
    if (!sampled.empty() && !args.has("baseline")) /* --baseline prints it among its notes */
        (form.wanted() ? std::cerr << "walkway: " : std::cout) << sampled << '\n';
    const auto show = [&](const table &t) {
        if (!form.wanted())
            t.print(std::cout);
        write_forms(form, t);
    };
    const std::string cost = args.value("cost");
    if (args.has("sql"))
        show(answer_of(results, args.value("sql")));
    else if (args.has("best"))
        show(best_of(read_rows(results, best_metrics(args.value("best"), results), {{"cost", "", cost}}),
                     args.value("by", "workload"), args.has("highest"), args.number("count", 1, 1, 1000000)));
    else if (args.has("baseline"))
        show_speedups(args, form, results);
    else if (form.wanted())
        show(table_of(read_rows(results, args.values("metric"), {{"cost", "", cost}})));
    else
        print_contents(std::cout, results);
    return exit_ok;
}

static std::vector<option_def> results_options()
{
    return joined(
        {in_group("Best points",
                  {{"best", 0, "METRIC", "the point with the lowest METRIC"},
                   {"by", 0, "WHAT",
                    "of each workload (default), or within it of each machine or value of an axis"},
                   {"highest", 0, nullptr, "the highest instead"},
                   {"count", 'n', "N", "the N best of each (default 1)"}}),
         in_group("Speed-ups",
                  {{"baseline", 0, "MACHINE", "speed-ups over it; over a point: MACHINE:PARAMETER=VALUE,..."},
                   {"where", 0, "NAME=VALUE",
                    "only this workload, machine or value of an axis; may be repeated", true},
                   {"figure", 0, "FILE", "draw them, as .svg, .pdf or .png"},
                   {"kind", 0, "WHAT",
                    "bars: by workload (default); lines: along --over; stack: cycles of a translation by "
                    "cause, in the table, too"},
                   {"over", 0, "PARAMETER", "an axis: lines along its values"}}),
         in_group("Tables", {{"sql", 0, "QUERY", "the answer to a query; the file is only read"},
                             {"metric", 0, "METRIC",
                              "with --csv or --json: this instead of the headline; may be repeated", true},
                             {"cost", 0, "FORMULA",
                              "one more metric, cost, of others and of parameters: "
                              "'arrays.area / 1000 + walk_unit.walkers * 300'; with --baseline, also how "
                              "much more than the baseline's, and over it"},
                             csv_option,
                             json_option})});
}

const command_def results_command = {
    "results",
    "results FILE [--best METRIC [--by WHAT] | --sql QUERY] [--json | --csv FILE]\n"
    "results FILE --baseline MACHINE [--cost FORMULA] [--where NAME=VALUE] [--json | --csv FILE]\n"
    "results FILE --baseline MACHINE --figure FILE [--kind WHAT] [--over PARAMETER]",
    "What did a sweep find?",
    "Without options: the studies in the file, how many of their points are done, their axes, builds and "
    "hosts.\n"
    "\n"
    "A METRIC is a name of the headline (cycles, bits, area, pte_reads, ...), a statistic "
    "(walk_unit.pte_reads), "
    "a histogram's "
    "count, sum, min, max, mean, p50 or p99 (walk_unit.walk_latency.p99), or a formula of these and of "
    "parameters "
    "with + - * / and parentheses: 'cycles * area'. The best is the lowest, or with "
    "--highest the highest; "
    "of perturbed repeats the median, with their range beside it.\n"
    "\n"
    "--baseline MACHINE prints speed-ups of time by workload and their geometric mean, with ranges where the "
    "study has perturbed "
    "repeats. A machine is compared with the baseline of the same values of the axes; with values behind it, "
    "as in "
    "apu-micro18:walk_unit.walkers=8, with that point. What has no result is named, and the mean leaves its "
    "workload out on all machines.\n"
    "\n"
    "--figure NAME.svg (.pdf, .png) draws the same and leaves NAME.py, the script that drew it (matplotlib, "
    "Debian's "
    "python3-matplotlib), and NAME.csv, its data: change them, and run /usr/bin/python3 NAME.py "
    "[OTHER.pdf] again. A script that was changed is not overwritten.\n"
    "\n"
    "--csv or --json alone write a row for each point: workload, machine, axes, status, headline. The tables "
    "and "
    "views that --sql "
    "may use are in docs/use/workbench.md.",
    results_options(),
    "walkway results results.db --best cycles --by workload",
    results_main,
};

} // namespace walkway
