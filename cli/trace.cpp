/* SPDX-License-Identifier: MIT */
/* cli/trace.cpp - walkway trace: info, cat, check, save. */
#include "cli/commands.hpp"

#include "cli/errors.hpp"
#include "cli/nearest.hpp"
#include "cli/part.hpp"
#include "cli/trace_print.hpp"

#include <iostream>

namespace walkway
{

static uint32_t number32(const arguments &args, const char *name, uint64_t fallback)
{
    return static_cast<uint32_t>(args.number(name, fallback, 0, UINT32_MAX));
}

/* --kernels and --groups, with the totals of that part. */
static trace_file open_part(const arguments &args, const std::string &path)
{
    trace_file trace = open_trace(path);
    select_part(trace.get(), part_of(args));
    wkt_error error{};
    if (!wkt_reader_info(trace.get())->counted && wkt_reader_count(trace.get(), &error) != WKT_OK)
        throw failure(exit_input, error.text);
    return trace;
}

static int info_main(const arguments &args, const std::string &path)
{
    const trace_file trace = open_part(args, path);
    if (args.has("json"))
        std::cout << trace_info_json(path, trace.get()).dump(2, ' ', false, json::error_handler_t::replace)
                  << '\n';
    else
        print_trace_info(std::cout, path, trace.get());
    return exit_ok;
}

static int cat_main(const arguments &args, const std::string &path)
{
    const trace_file trace = open_part(args, path);
    trace_selection wanted;
    wanted.launch = number32(args, "launch", trace_selection::all);
    wanted.group = number32(args, "group", trace_selection::all);
    wanted.wave = number32(args, "wave", trace_selection::all);
    wanted.limit = args.number("limit", UINT64_MAX, 1, UINT64_MAX);
    wanted.lanes = args.has("lanes");
    print_records(std::cout, trace.get(), wanted);
    return exit_ok;
}

static int check_main(const arguments &args, const std::string &path)
{
    const trace_file trace = open_part(args, path);
    wkt_report report{};
    const int status = wkt_check_reader(trace.get(), &report);
    if (status != WKT_OK || report.error.code != WKT_OK)
        throw failure(exit_input, report.error.text[0] != 0 ? report.error.text : path + ": damaged");
    print_report(std::cout, path, report);
    return exit_ok;
}

static int save_main(const arguments &args, const std::string &path)
{
    const trace_file trace = open_part(args, path);
    const std::string file = args.value("output");
    if (file.empty())
        throw failure(exit_usage, "trace save: say where to, with -o FILE");
    save_trace(trace.get(), file);
    return exit_ok;
}

static int trace_main(const arguments &args)
{
    static const struct {
        const char *name;
        int (*main)(const arguments &, const std::string &);
        std::vector<const char *> options;
    } kinds[] = {{"info", info_main, {"json", "kernels", "groups"}},
                 {"cat", cat_main, {"launch", "group", "wave", "limit", "lanes", "kernels", "groups"}},
                 {"check", check_main, {"kernels", "groups"}},
                 {"save", save_main, {"output", "kernels", "groups"}}};
    if (args.positional.size() != 2 || args.has_program)
        throw failure(exit_usage, "trace: wants info, cat, check or save, and one trace");
    std::vector<std::string> names;
    for (const auto &kind : kinds) {
        names.emplace_back(kind.name);
        if (args.positional[0] != kind.name)
            continue;
        for (const option_def &option : trace_command.options) {
            bool takes = false;
            for (const char *name : kind.options)
                takes = takes || std::string(name) == option.name;
            if (args.has(option.name) && !takes)
                throw failure(exit_usage,
                              std::string("trace ") + kind.name + ": has no option --" + option.name);
        }
        return kind.main(args, args.positional[1]);
    }
    throw failure(exit_usage, "trace: '" + args.positional[0] + "' is none of info, cat, check, save" +
                                  did_you_mean(args.positional[0], names));
}

static std::vector<option_def> trace_options()
{
    std::vector<option_def> options = {
        {"json", 0, nullptr, "info for programs"},
        {"launch", 0, "N", "cat: only this launch, from 0"},
        {"group", 0, "N", "cat: only this work-group of each launch, from 0"},
        {"wave", 0, "N", "cat: only this wave of each work-group, from 0"},
        {"limit", 0, "N", "cat: stop after so many records"},
        {"lanes", 0, nullptr, "cat: every lane's address"},
        {"output", 'o', "FILE", "save: the trace to write"},
    };
    for (const option_def &option : part_option_defs())
        options.push_back(option);
    return options;
}

const command_def trace_command = {
    "trace",
    "trace info [--json] [--kernels LIST] [--groups LIST] TRACE\n"
    "trace cat [--launch N] [--group N] [--wave N] [--limit N] [--lanes] TRACE\n"
    "trace check TRACE\n"
    "trace save -o FILE TRACE",
    "What is in this trace, and is it whole?",
    "info: program, kernels, buffers, how many accesses of which kind. cat: the records, one a line:\n"
    "pc, kind, bytes a lane, active lanes, addresses in the shortest form that says them all, instructions "
    "before\n"
    "it, distance to the first use of its result. check: proves every checksum, every record and the "
    "totals.\n"
    "save: the trace, or what gen:... makes, as a file.",
    trace_options(),
    "walkway trace cat --launch 0 --group 0 --wave 0 --limit 20 atax.wkt",
    trace_main,
};

} // namespace walkway
