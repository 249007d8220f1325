/* SPDX-License-Identifier: MIT */
/* cli/search.cpp - walkway search: finds the best machines of a study with fewer runs than all. */
#include "cli/commands.hpp"

#include "cli/by_batches.hpp"
#include "cli/forms.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"
#include "workbench/results_rows.hpp"
#include "workbench/sample_check.hpp"
#include "workbench/search.hpp"

#include <iostream>

namespace walkway
{

/* Returns the largest number of runs, and an estimate of their time. */
static std::string text_of_plan(const sweep_estimate &e, uint64_t machines, const search_order &order,
                                unsigned parallel)
{
    const uint64_t runs = std::min(order.budget, e.distinct);
    std::string text = text_of_count(machines) + (machines == 1 ? " machine, " : " machines, ") +
                       text_of_count(e.distinct) + " runs of all; at most " + text_of_count(runs);
    if (e.runs == e.unknown)
        return text + "\n";
    const double seconds = e.seconds / static_cast<double>(e.runs - e.unknown) / parallel *
                           static_cast<double>(std::min(order.budget, e.runs));
    return text + ", about " + (seconds < 1 ? "a second" : text_of_duration(seconds)) + " with " +
           std::to_string(parallel) + " at a time\n";
}

static int search_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "search: name one study");
    if (!args.has("output"))
        throw failure(exit_usage, "search: --output names the file of results");
    const output_form form = form_of(args);
    search_order order{{},
                       args.number("budget", 200, 1, most_points),
                       args.number("search-seed", 1, 0, UINT32_MAX),
                       args.number("batch", 8, 1, 10000)};
    const study_file study = read_study_file(
        args.positional.front(), {"", "", said(args, {"set", "seed", "sample"}), sample_of(args)});
    if (!study.figures.empty())
        throw failure(exit_usage,
                      study.path + ": has figures, and they want all their runs: 'walkway reproduce'");
    study_machines machines(study, changes_of(args));
    const sweep_order sweep{new_file("--output", args.value("output")),
                            static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024)),
                            args.has("quiet")};
    order.objectives = objectives_of(machines, args.value("objective", "cycles,bits"));
    sweep_plan plan = plan_sweep(machines, sweep);
    for (size_t i = 0; form.text() && i < plan.left_out.size(); ++i)
        std::cout << "constraint '" << as_written(study.constraints[i].expression) << "' leaves out "
                  << text_of_count(plan.left_out[i]) << '\n';
    const uint64_t each = study.workloads.size() * (study.repeats + 1);
    if (order.budget < each)
        throw failure(exit_usage, "--budget " + std::to_string(order.budget) + ": one machine takes " +
                                      std::to_string(each) + " runs, one of each workload and perturbation");
    sweep_session session(machines, plan, sweep);
    const sweep_estimate estimate = session.estimate();
    if (form.text())
        std::cout << text_of_plan(estimate, plan.points.size() / each, order, sweep.parallel) << std::flush;
    const search_result result = run_search(session, order);
    const table best = table_of_best(machines, order, result);
    write_forms(form, best);
    if (!form.text())
        return result.code;
    if (!form.wanted())
        best.print(std::cout);
    std::cout << '\n';
    if (const std::string sampled = text_of_sampled(session.results); !sampled.empty())
        std::cout << sampled << '\n';
    for (const std::string &note : sample_notes(session.results, machines, plan))
        std::cout << note << '\n';
    std::cout << text_of_count(result.runs) << " runs of "
              << text_of_count(result.tried.size() - result.known) << " machines, "
              << text_of_count(result.machines) << " there are; chosen by " << result.chosen_by
              << (result.known == 0 ? "" : "; " + text_of_count(result.known) + " more that the file has")
              << "\nresults: " << sweep.results << '\n';
    return result.code;
}

static std::vector<option_def> search_options()
{
    return joined(
        {in_group(
             "Search",
             {{"objective", 0, "LIST",
               "what is to be low, or NAME:highest, one to four (default: cycles,bits)"},
              {"budget", 0, "N", "distinct runs, those counted that are there already (default: 200)"},
              {"batch", 0, "N", "machines that are chosen at a time (default: 8); part of what is chosen"},
              {"search-seed", 0, "N", "of the choice (default: 1)"}}),
         in_group("Machines", {{"set", 0, "SECTION.KEY=VALUE",
                                "change one parameter of every machine; may be repeated", true},
                               {"seed", 0, "N", "value of every parameter named seed"},
                               sample_option_def(),
                               memory_option_def()}),
         in_group(
             "Results",
             {{"output", 'o', "FILE", "the results: an SQLite file, made or added to"},
              {"csv", 0, "FILE",
               "the best machines as comma-separated values; -: to standard output, instead of the text"},
              json_option,
              {"jobs", 'j', "N",
               "how many runs at a time (default: the processors there are); changes nothing else"},
              quiet_option})});
}

const command_def search_command = {
    "search",
    "search STUDY.cfg [--objective cycles,bits] [--budget N] -o RESULTS.db",
    "Which machines of a study are best, without running all of them?",
    "The machines are a study's, all that it lists with all values of its axes that its constraints "
    "leave; "
    "which to run next is chosen by Optuna (Debian's python3-optuna) from what those before did. Printed are "
    "the "
    "best: those that no other one equals in all objectives and beats in one.\n"
    "\n"
    "An objective is what 'walkway results --best' takes: a name of the headline (cycles, bits, pte_reads, "
    "...), a "
    "statistic, a histogram's count, sum, min, max, mean, p50 or p99 (walk_unit.walk_latency.p99); several "
    "added "
    "up "
    "(a+b); or energy, of on-chip arrays and of walks' reads. Low is good, with ':highest' behind it high. "
    "Over "
    "workloads it is the geometric mean, over perturbed repeats the median.\n"
    "\n"
    "Runs and results are those of 'walkway sweep': what is done is not done again, and may be there from a "
    "sweep. "
    "The same command makes the same choices; interrupted, it goes on; with a larger budget it searches "
    "further.",
    search_options(),
    "walkway search study.cfg --objective cycles,bits --budget 200 -o results.db",
    search_main,
};

} // namespace walkway
