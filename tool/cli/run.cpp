/* SPDX-License-Identifier: MIT */
/* cli/run.cpp - walkway run: runs one machine on one trace, or every machine on every trace. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "cli/image_options.hpp"
#include "cli/machines.hpp"
#include "cli/python.hpp"
#include "cli/runs.hpp"
#include "image/image_space.hpp"
#include "report/energy.hpp"
#include "report/listing.hpp"
#include "report/places.hpp"
#include "report/summary.hpp"
#include "run/config.hpp"
#include "run/input.hpp"
#include "run/jobs.hpp"
#include "run/machine.hpp"
#include "run/progress.hpp"
#include "run/result_folder.hpp"
#include "run/simulate.hpp"
#include "run/trace_file.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <filesystem>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace walkway
{

/* Called before a program is captured, to fail early. */
static std::vector<platform_spec> machines_of(const arguments &args, const command_words &words)
{
    std::vector<platform_spec> specs = resolve_platforms(
        words.machines.empty() ? std::vector<std::string>{default_platform} : words.machines,
        changes_of(args));
    say_overruled(specs);
    return specs;
}

/* Refuses a file beside the results that would overwrite an input or a result. */
static void check_places(const arguments &args, const std::string &option, const std::string &file)
{
    if (file.empty())
        return;
    check_folder_of(option, file);
    refuse_to_overwrite(option, file);
    if (option != "--csv" && args.has("csv") && args.value("csv") != "-" &&
        same_place(file, args.value("csv")))
        throw failure(exit_usage, option + " and --csv want the same file, " + file);
    const std::string folder = args.value("output");
    for (const char *result : {"/stats.json", "/host.json", "/manifest.json"})
        if (!folder.empty() && same_place(file, folder + result))
            throw failure(exit_usage, option + " and --output want the same file, " + folder + result);
}

/* Options that record a run, and the files that they write; "": not given. */
using watching = std::vector<std::pair<std::string, std::string>>;

static void check_watching_alone(const watching &all, const run_scope &scope)
{
    for (size_t i = 0; i < all.size(); ++i) {
        const auto &[option, file] = all[i];
        if (file.empty())
            continue;
        keep_broken_pipes();
        if (scope.sample.wanted)
            throw failure(exit_usage, option + ": a sampled run is many short ones, with no time of its own");
        for (size_t k = 0; k < i; ++k)
            if (!all[k].second.empty() && same_place(all[k].second, file))
                throw failure(exit_usage, all[k].first + " and " + option + " want the same file, " + file);
    }
}

/* Statistics by part of the program need a run from its beginning to its end. */
static bool whole_run_by(const arguments &args, const std::string &part)
{
    if (!args.has("by-" + part))
        return false;
    for (const char *other : {"skip", "warm-up", "measure", "sample"})
        if (args.has(other))
            throw failure(exit_usage, "--by-" + part + " is of a run from its beginning to its end, and --" +
                                          other + " of a part");
    return true;
}

/* Statistics by place need such a run, too, and take the only observer of translations. */
static bool place_by(const arguments &args, const std::string &part)
{
    if (whole_run_by(args, part) && args.has("transactions"))
        throw failure(exit_usage,
                      "--by-" + part + " and --transactions both follow every translation: one in a run");
    return args.has("by-" + part);
}

/* Returns the table of the run's places if they are requested, else of the run. */
static table table_of(const simulation &result, const std::string &label, const run_scope &scope)
{
    if (scope.by_buffer || scope.by_instruction)
        return places_table(result.stats, scope.by_buffer ? "buffers" : "instructions");
    return results_table({{label, result.stats}}, false);
}

/* Refuses what the machine does not have, before a program is captured. It uses a process of its own, since a
 * process can have only one machine. */
static exit_code check_watching(const platform_spec &spec, const wave_options &waves,
                                const transaction_options &transactions)
{
    job ask;
    ask.label = spec.label;
    ask.body = [&](const progress_fn &) {
        ask_idle_machine(spec, [&](const platform &machine) {
            if (!waves.file.empty())
                wave_plan_of(waves, machine, "");
            if (!transactions.file.empty())
                transaction_plan_of(transactions, machine);
        });
        return exit_ok;
    };
    const std::vector<job> jobs = {ask};
    return report_ends(jobs, run_jobs(jobs, 1, true));
}

static void print_result(const simulation &result, const arguments &args, const std::string &label)
{
    const std::string folder = args.value("output");
    print_summary(std::cout, result, label, args.has("laws") ? laws_shown::all : laws_shown::broken);
    if (args.has("energy")) {
        std::cout << '\n';
        print_energy(std::cout, result.stats.at("statistics"));
    }
    if (!folder.empty())
        std::cout << "statistics: " << folder << "/stats.json\n";
    const wave_options waves = wave_options_of(args);
    if (!waves.file.empty() && result.waves.empty())
        std::cout << "waveforms: " << waves.file << '\n';
    if (!args.value("series").empty() && result.no_series.empty())
        std::cout << "series: " << text_of_series(series_options_of(args), result.steps) << '\n';
    const transaction_options transactions = transaction_options_of(args);
    if (!transactions.file.empty() && result.no_transactions.empty())
        std::cout << "transactions: " << text_of_transactions(transactions, result.followed) << '\n';
}

/* Used without --output. */
static void keep_long(const simulation &result, const std::string &label, const std::string &trace)
{
    const temporary_folder scratch;
    const std::string folder = scratch.path() + "/result";
    write_simulation(folder, result);
    keep_results(folder, label + "-on-" + std::filesystem::path(trace).filename().string());
}

static int run_main(const arguments &args)
{
    const command_words words = sort_words(args);
    const std::vector<std::string> &traces = words.others;
    std::vector<platform_spec> specs = machines_of(args, words);
    const wave_options waves = wave_options_of(args);
    const transaction_options transactions = transaction_options_of(args);
    const series_options over_time = series_options_of(args);
    const watching all = {{"--vcd", waves.file},
                          {"--transactions", transactions.file},
                          {"--series", over_time.file},
                          {"--series-figure", over_time.figure}};
    run_scope scope = scope_of_runs(args);
    scope.by_kernel = whole_run_by(args, "kernel");
    scope.by_buffer = place_by(args, "buffer");
    scope.by_instruction = place_by(args, "instruction");
    if (scope.by_buffer && args.has("memory"))
        throw failure(exit_usage,
                      "--by-buffer and --memory: in an image the program lies in the pages that are "
                      "there, and not in its buffers; --by-instruction goes");
    if (scope.by_buffer && scope.by_instruction && args.has("csv"))
        throw failure(exit_usage, "--csv has one table: of --by-buffer or of --by-instruction");
    check_watching_alone(all, scope);
    const auto parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024));
    const std::vector<std::string> beside = args.values("beside");
    const bool several = specs.size() > 1 || traces.size() > 1;
    for (const auto &[option, file] : all)
        if (several && !file.empty())
            throw failure(exit_usage, option + " is for one run: give one trace and one machine");
    for (const char *by : {"by-kernel", "by-buffer", "by-instruction"})
        if (several && args.has(by) && !args.has("output"))
            throw failure(exit_usage, std::string("--") + by +
                                          " of several runs stands in their stats.json: give --output");
    for (const char *option : {"beside", "events", "memory"})
        if (several && args.has(option))
            throw failure(exit_usage,
                          std::string("--") + option + " is for one run: give one trace and one machine");
    for (const char *option : {"beside", "events", "memory"})
        if (scope.sample.wanted && args.has(option))
            throw failure(exit_usage, std::string("--") + option +
                                          " is of one run from its beginning, and --sample of windows");
    if (!beside.empty() && (!scope.part.whole() || !scope.skip_text.empty()))
        throw failure(exit_usage,
                      "--beside: which part of which program? Save the part with 'walkway trace save'");
    company with = in_image(args, scope.part);
    if (with.image != nullptr)
        make_room_for_image(specs.front(), with.image->end());
    with.beside = beside;
    with.events = args.value("events");
    const std::string folder = args.value("output");
    if (args.has("memory"))
        will_read(args.value("memory"), "the image of memory");
    will_read_input(args, traces);
    will_read_input(args, beside);
    if (args.has("events"))
        will_read(args.value("events"), "the list of events");
    std::optional<result_folder> place;
    if (args.has("output"))
        place.emplace(folder, "run",
                      args); /* fails now, instead of after the run, if the result cannot be kept */
    for (const auto &[option, file] : all)
        check_places(args, option, file);
    const output_form form = form_of(args);
    if (form.csv != "-")
        check_places(args, "--csv", form.csv);
    const laws_shown laws = args.has("laws") ? laws_shown::all : laws_shown::broken;
    if (several) {
        several_runs runs{std::move(specs),
                          {},
                          folder,
                          parallel,
                          args.has("quiet"),
                          scope,
                          form,
                          laws,
                          args.has("energy"),
                          place ? &*place : nullptr};
        runs.traces =
            args.has_program || traces.empty() ? std::vector<std::string>{input_trace(args, traces)} : traces;
        return run_several(runs);
    }
    if (!folder.empty())
        check_place_of_results(folder);
    platform_spec &spec = specs.front();
    if (args.has_program && (!waves.file.empty() || !transactions.file.empty())) {
        const exit_code code = check_watching(spec, waves, transactions);
        if (code != exit_ok)
            return code;
    }
    const std::string trace = input_trace(args, traces);
    if (place) {
        open_trace(trace); /* an invalid trace must not remove earlier results */
        place->clear({});
        result_folder::say_replaced(folder, subject_of_trace(spec.label, trace));
    }

    simulation result;
    {
        progress_line line(args.has("quiet"));
        const auto tell = [&](const run_progress &at) {
            line.update(at);
            return true;
        };
        result = scope.sample.wanted
                     ? simulate_sampled(spec, trace, tell, scope.sample, parallel)
                     : simulate(spec, trace, tell, waves, transactions, scope, with, over_time);
    }
    if (!folder.empty())
        write_simulation(folder, result);
    else if (result.host.at("host_seconds").get<double>() >= long_seconds)
        keep_long(result, spec.label, trace);
    if (form.text())
        print_result(result, args, spec.label);
    write_forms(form, table_of(result, spec.label, scope), result.stats);
    if (!over_time.figure.empty() && result.no_series.empty()) {
        run_python("walkway/figure.py", {"series", over_time.file, over_time.figure});
        if (form.text())
            std::cout << "figure: " << over_time.figure << '\n';
    }
    std::string missing = result.story;
    for (const std::string &text : {result.waves, result.no_transactions, result.no_series})
        if (!text.empty())
            missing += (missing.empty() ? "" : "\n") + text;
    if (!missing.empty())
        throw failure(result.code == exit_ok ? exit_output : result.code, missing);
    return result.code;
}

static std::vector<option_def> run_options()
{
    const std::vector<option_def> program = {
        {"no-cache", 0, nullptr, "capture anew, and keep no trace"},
        {"beside", 0, "TRACE", "another program on the same machine at the same time; may be repeated", true},
        {"events", 0, "FILE",
         "what an operating system does meanwhile: pages that go, move or come, flushes"}};
    return joined(
        {in_group(
             "Machine",
             {platform_option_def(),
              {"set", 0, "SECTION.KEY=VALUE",
               "change one parameter of every machine that does not set it itself; may be repeated", true},
              {"seed", 0, "N", "value of every parameter named seed"},
              memory_option_def()}),
         in_group("Program", joined({program, capture_option_defs()})),
         in_group("Part of the program, and of the run", scope_option_defs()),
         in_group(
             "Results",
             {{"output", 'o', "DIR",
               "write DIR/stats.json and DIR/host.json; of several runs, in a folder each"},
              {"laws", 0, nullptr, "list every law of the run, not only those that are broken"},
              {"by-kernel", 0, nullptr, "what was counted while each kernel ran, too: docs/use/by-kernel.md"},
              {"by-buffer", 0, nullptr,
               "which buffers' translations take the time, too: docs/use/by-buffer.md"},
              {"by-instruction", 0, nullptr, "which instructions' do: docs/use/by-buffer.md"},
              {"energy", 0, nullptr,
               "a table of what accesses of each array and main memory took: docs/model/energy.md"},
              csv_option,
              json_option,
              {"jobs", 'j', "N", "of several runs, how many at a time (default: the processors there are)"},
              quiet_option}),
         in_group("Waveforms", wave_option_defs()),
         in_group("Lives of translations", transaction_option_defs()),
         in_group("The run over time", series_option_defs()),
         in_group("Memory of a real machine", run_image_option_defs())});
}

const command_def run_command = {
    "run",
    "run [options] TRACE... [MACHINE...]\n"
    "run [options] [MACHINE...] -- PROGRAM ARGUMENTS",
    "How long does this program take on this machine, and where does the time of its translations go?",
    "A MACHINE is NAME[:key=value,...] or a .cfg file so, behind -p or not; without one it is apu-micro18. "
    "One that starts "
    "with ':' is a change of the first one as its name alone means it.\n"
    "\n"
    "A TRACE is a .wkt file, or gen:GENERATOR[,parameter=value,...]: 'walkway list generators' has them. A "
    "PROGRAM is an unmodified OpenCL program. It is captured on the way; the trace is kept in\n"
    "${XDG_CACHE_HOME:-~/.cache}/walkway and used again while program, arguments and inputs stay the same.\n"
    "A name without a folder is looked for among the workloads first, then in $PATH.\n"
    "\n"
    "DIR/stats.json has the resolved configuration and every statistic with unit and description; equal "
    "inputs give\n"
    "equal bytes. What depends on this computer is in DIR/host.json. Interrupted (Ctrl-C), the run stops at "
    "the next\n"
    "convenient point and its result is marked \"partial\".\n"
    "\n"
    "With --beside each program has a VM-ID and a page table of its own. They take turns, kernel by kernel, "
    "or "
    "have a share\n"
    "of the compute units each (dispatcher.shares); the run ends when each has ended once: "
    "docs/use/processes.md.\n"
    "\n"
    "With --events each line of FILE is: at cycle N | at launch N, then\n"
    "  map | unmap | remap | protect | permit | fetch PLACE [pages N] [of VMID]\n"
    "  flush all | flush space VMID | flush page PLACE [of VMID] | flush range PLACE BYTES [of VMID] | root "
    "VMID\n"
    "where PLACE is an address or buffer:N+OFFSET: docs/use/events.md.\n"
    "\n"
    "With --memory the machine's memory is an image of a real machine's, whose page table the walkers read: "
    "raw, or an ELF\n"
    "core. The program's k-th page lies in the k-th page that the table maps, from --at on; nothing is "
    "written to the\n"
    "file. 'walkway walk --dump' lists what there is: docs/use/walk.md. A trace that 'walkway guest' "
    "recorded "
    "has the\n"
    "addresses and the roots of the memory that it left behind: docs/use/guest.md.\n"
    "\n"
    "Several traces or several machines: every trace runs on every machine, each in a process of its own, N "
    "at a "
    "time (-j).\n"
    "Results are the same for any N. They are in DIR/1-..., DIR/2-... by trace, then machine. One that "
    "fails says\n"
    "why and does not stop the others; the exit code is the first that is not 0.\n"
    "\n"
    "A COUNT is a number and a unit: 500groups, 2000000instructions, 10000translations, 30000cycles. What a "
    "window\n"
    "measures, and how it is kept honest: docs/use/windows.md.\n"
    "\n"
    "--vcd begins at time zero, or at --vcd-from, or where --vcd-trigger first holds after that; it ends "
    "with "
    "the run, at\n"
    "--vcd-to, or --vcd-for after its beginning. A TIME is a number with ps, ns, us, ms, s, or cycles of the "
    "GPU's clock:\n"
    "10us, 1.5us, 12000cycles. 'walkway list signals' has the names; waveforms/README.md is the guide.\n"
    "\n"
    "--transactions writes the lives of translations, segment by segment as in the account, for "
    "ui.perfetto.dev: the 100\n"
    "slowest of the run, or what the other options choose. A WINDOW is FROM..TO, each a TIME or left out; "
    "a translation is\n"
    "in it when it is under way at some time of it. docs/use/transactions.md is the guide.\n"
    "\n"
    "--series writes a row for each step of the run: what was looked up, hit and walked in it, and what was "
    "under way at its\n"
    "end. A step is --every COUNT long; the last row is the rest. docs/use/series.md has the columns.\n"
    "\n"
    "The results are the same with and without these.",
    run_options(),
    "walkway run -p apu-micro18 --set walk_unit.coalesce=full -o out -- atax 1024",
    run_main,
};

} // namespace walkway
