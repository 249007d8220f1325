/* SPDX-License-Identifier: MIT */
/* cli/run.cpp - walkway run: one machine, one trace. */
#include "cli/commands.hpp"

#include "cli/config.hpp"
#include "cli/input.hpp"
#include "cli/paths.hpp"
#include "cli/progress.hpp"
#include "cli/simulate.hpp"
#include "cli/summary.hpp"

#include <iostream>

namespace walkway
{

static int run_main(const arguments &args)
{
    platform_spec spec = resolve_platform(args.value("platform", "apu-micro18"), args.values("set"));
    if (args.has("seed"))
        set_seeds(*spec.config, args.value("seed"));
    const std::string folder = args.value("output");
    if (args.has("output") && folder.empty())
        throw failure(exit_usage, "--output wants a folder");
    if (!folder.empty())
        make_folder(folder); /* a result that cannot be kept is better known now than in an hour */
    const std::string trace = input_trace(args, args.positional);

    simulation result;
    {
        progress_line line(args.has("quiet"));
        result = simulate(spec, trace, [&](const run_progress &at) {
            line.update(at);
            return true;
        });
    }
    if (!folder.empty())
        write_simulation(folder, result);
    print_summary(std::cout, result, spec.label);
    if (!folder.empty())
        std::cout << "statistics: " << folder << "/stats.json\n";
    if (!result.story.empty())
        throw failure(result.code, result.story);
    return result.code;
}

const command_def run_command = {
    "run",
    "run [-p PLATFORM[:key=value,...]] [options] TRACE.wkt\n"
    "run [-p PLATFORM[:key=value,...]] [options] -- PROGRAM ARGUMENTS",
    "How long does this program take on this machine, and where does the time of its translations go?",
    "A PROGRAM is an unmodified OpenCL program. It is captured on the way; the trace is kept in\n"
    "${XDG_CACHE_HOME:-~/.cache}/walkway and used again while program, arguments and inputs stay the same.\n"
    "A name without a folder is looked for among the workloads first, then in $PATH.\n"
    "\n"
    "DIR/stats.json has the resolved configuration and every statistic with unit and description; equal "
    "inputs give\n"
    "equal bytes. What depends on this computer is in DIR/host.json. Interrupted (Ctrl-C), the run stops at "
    "the next\n"
    "convenient point and its result is marked \"partial\".",
    {
        {"platform", 'p', "PLATFORM",
         "the machine: a name or a .cfg file (default apu-micro18), with changes after ':'"},
        {"set", 0, "SECTION.KEY=VALUE", "change one parameter; may be repeated"},
        {"seed", 0, "N", "value of every parameter named seed"},
        {"output", 'o', "DIR", "write DIR/stats.json and DIR/host.json"},
        {"no-cache", 0, nullptr, "capture anew, and keep no trace"},
        {"quiet", 'q', nullptr, "no progress line"},
    },
    "walkway run -p apu-micro18 --set iommu.coalesce=full -o out -- atax 1024",
    run_main,
};

} // namespace walkway
