/* SPDX-License-Identifier: MIT */
/* cli/capture.cpp - walkway capture: records a program's wavefronts in a file. */
#include "cli/commands.hpp"

#include "report/trace_print.hpp"
#include "run/extent.hpp"
#include "run/input.hpp"
#include "run/jobs.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <iostream>

namespace walkway
{

static constexpr unsigned most_threads = 256;

static int capture_main(const arguments &args)
{
    if (!args.has_program || args.program.empty() || !args.positional.empty())
        throw failure(exit_usage, "capture: wants -o TRACE.wkt -- PROGRAM ARGUMENTS");
    if (!args.has("output"))
        throw failure(exit_usage, "capture: wants -o TRACE.wkt");
    will_read_input(args, {});
    const std::string path = new_file("--output", args.value("output"));
    capture_settings settings = capture_settings_of(args);
    settings.keep = true;
    settings.threads = args.value("threads") == "all"
                           ? std::min(default_parallel(), most_threads)
                           : static_cast<unsigned>(args.number("threads", 1, 1, most_threads));
    settings.max_launches = static_cast<unsigned>(args.number("max-launches", 0, 1, UINT32_MAX));
    settings.level = static_cast<int>(args.number("level", 0, 1, 19));
    capture_program(args.program, path, settings);
    const trace_file trace = open_trace(path);
    const wkt_info &info = *wkt_reader_info(trace.get());
    uint64_t records = 0;
    for (const uint64_t n : info.totals.records)
        records += n;
    json extent;
    add_extent(extent, info, {});
    if (!settings.quiet)
        std::cout << path << ": " << info.launches << " launches, " << info.totals.groups << " work-groups, "
                  << info.totals.waves << " waves, " << records << " records, " << info.file_bytes
                  << " bytes\n"
                  << text_of_missing(extent);
    return exit_ok;
}

static std::vector<option_def> capture_options()
{
    std::vector<option_def> options = {
        {"output", 'o', "TRACE.wkt", "the file to write"},
        {"threads", 0, "N",
         "of Oclgrind, or: all (default 1; with more, racy programs may differ from time to time)"},
        {"max-launches", 0, "N",
         "end the program where it begins another kernel behind the first N; the trace is then PARTIAL"},
        {"level", 0, "N", "of compression, 1 to 19 (default 3)"},
        {"quiet", 'q', nullptr, "say nothing unless something fails"},
    };
    for (const option_def &option : capture_option_defs())
        options.push_back(option);
    return options;
}

const command_def capture_command = {
    "capture",
    "capture -o TRACE.wkt [options] -- PROGRAM ARGUMENTS",
    "What did every wavefront of this program access, in which order? Recorded once, run for ever.",
    "The program is any OpenCL program, unmodified; it runs under Oclgrind, and what it prints is printed. "
    "The trace\n"
    "appears under its name only when it is valid. When the program fails, is stopped or crashes, it has "
    "what\n"
    "was recorded until then, and the exit code is not 0.\n"
    "\n"
    "The program finds one GPU; what else there may be, and which exit code is a good end, the options "
    "say.\n"
    "docs/develop/trace-format.md has what a capture is.",
    capture_options(),
    "walkway capture -o atax.wkt -- atax 1024",
    capture_main,
};

} // namespace walkway
