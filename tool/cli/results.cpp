/* SPDX-License-Identifier: MIT */
/* cli/results.cpp - walkway results: what is in a file of results. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "report/table.hpp"
#include "support/errors.hpp"
#include "support/read_files.hpp"
#include "workbench/results_rows.hpp"

#include <iostream>

namespace walkway
{

static table answer_of(results_file &results, const std::string &sql)
{
    statement ask(results.db(), sql);
    if (!ask.read_only())
        throw failure(exit_usage, "--sql: '" + as_written(sql) + "' would change the file; it is only read");
    return table_of(ask);
}

static int results_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "results: name one file of results");
    if (args.has("sql") && args.has("best"))
        throw failure(exit_usage, "--sql and --best: one question at a time");
    for (const char *option : {"by", "highest", "count"})
        if (args.has(option) && !args.has("best"))
            throw failure(exit_usage, std::string("--") + option + " belongs to --best");
    const std::string path = args.positional.front();
    const output_form form = form_of(args);
    results_file results(path, database::mode::read);
    will_read(path, "the results");
    const auto show = [&](const table &t) {
        if (!form.wanted())
            t.print(std::cout);
        write_forms(form, t);
    };
    if (args.has("sql"))
        show(answer_of(results, args.value("sql")));
    else if (args.has("best"))
        show(best_of(read_rows(results, {args.value("best")}), args.value("by", "workload"),
                     args.has("highest"), args.number("count", 1, 1, 1000000)));
    else if (form.wanted())
        show(table_of(read_rows(results, args.values("metric"))));
    else
        print_contents(std::cout, results);
    return exit_ok;
}

const command_def results_command = {
    "results",
    "results FILE [--best METRIC [--by WHAT] | --sql QUERY] [--json | --csv FILE]",
    "What did a sweep find?",
    "Without options: the studies in the file, how many of their points are done, their axes, builds and "
    "hosts.\n"
    "\n"
    "A METRIC is a name of the headline (cycles, bits, pte_reads, ...), a statistic (walk_unit.pte_reads), "
    "or a "
    "histogram's "
    "count, sum, min, max, mean, p50 or p99 (walk_unit.walk_latency.p99). The best is the lowest, or with "
    "--highest the highest; "
    "of perturbed repeats the median, with their range beside it.\n"
    "\n"
    "--csv or --json alone write a row for each point: workload, machine, axes, status, headline. The tables "
    "and "
    "views that --sql "
    "may use are in docs/workbench.md.",
    {
        {"best", 0, "METRIC", "the point with the lowest METRIC"},
        {"by", 0, "WHAT", "of each workload (default), or within it of each machine or value of an axis"},
        {"highest", 0, nullptr, "the highest instead"},
        {"count", 'n', "N", "the N best of each (default 1)"},
        {"sql", 0, "QUERY", "the answer to a query; the file is only read"},
        {"metric", 0, "METRIC", "with --csv or --json: this instead of the headline; may be repeated", true},
        csv_option,
        json_option,
    },
    "walkway results results.db --best cycles --by workload",
    results_main,
};

} // namespace walkway
