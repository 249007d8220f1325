/* SPDX-License-Identifier: MIT */
/* cli/trace.cpp - walkway trace: info, cat, check, save; import-accelsim and verify-accelsim
 * (cli/accelsim.hpp). */
#include "cli/commands.hpp"

#include "cli/accelsim.hpp"
#include "cli/forms.hpp"
#include "cli/python.hpp"
#include "report/trace_pages.hpp"
#include "report/trace_print.hpp"
#include "run/part.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <filesystem>
#include <iostream>
#include <optional>

namespace walkway
{

static std::optional<uint32_t> number32(const arguments &args, const char *name)
{
    if (!args.has(name))
        return {};
    return static_cast<uint32_t>(args.number(name, 0, 0, UINT32_MAX));
}

/* Returns "x.wkt: atax 4096": trace and command without folders. */
static std::string heading_of(const std::string &path, const wkt_reader *trace)
{
    const std::string command = wkt_reader_info(trace)->command;
    const size_t space = command.find(' ');
    const size_t folder = command.rfind('/', space);
    return std::filesystem::path(path).filename().string() + ": " +
           command.substr(folder == std::string::npos ? 0 : folder + 1);
}

/* Opens the part that --kernels and --groups select, and counts its totals. */
static trace_file open_part(const arguments &args, const std::string &path)
{
    trace_file trace = open_trace(path);
    wkt_reader_stop_when(
        trace.get(), [](void *) { return interrupted(); }, nullptr);
    select_part(trace.get(), part_of(args));
    wkt_error error{};
    if (!wkt_reader_info(trace.get())->counted && wkt_reader_count(trace.get(), &error) != WKT_OK)
        throw failure(exit_input, error.text);
    return trace;
}

/* Draws the analysis by python/walkway/figure.py. */
static void draw_pages(const std::string &picture, const json &info)
{
    const temporary_folder scratch;
    const std::string file = scratch.path() + "/pages.json";
    write_file(file, info.dump(-1, ' ', false, json::error_handler_t::replace));
    try {
        run_python("walkway/figure.py", {"pages", file, picture});
    } catch (const failure &e) {
        throw failure(e.code(), "--svg " + as_written(picture) + ": not drawn: " + e.what());
    }
}

static int info_main(const arguments &args, const std::vector<std::string> &files)
{
    const std::string &path = files[0];
    will_read(path, "the trace");
    std::string picture;
    if (args.has("svg")) { /* fails before a work-group is read */
        picture = new_picture("--svg", args.value("svg"));
        check_folder_of("--svg", picture);
    }
    const trace_file trace = open_part(args, path);
    bool wants_pages = false;
    for (const char *option : {"pages", "page", "windows", "resident-waves", "resident-groups", "svg"})
        wants_pages = wants_pages || args.has(option);
    page_analysis analysis{};
    if (wants_pages)
        analysis = analyse_pages(path, trace.get(), pages_configuration(args));
    if (!picture.empty())
        draw_pages(picture, drawn_json(trace_info_json(path, trace.get(), part_of(args)), analysis,
                                       heading_of(path, trace.get())));
    const output_form form = form_of(args);
    if (!form.csv.empty())
        write_csv(form.csv, launches_table(trace.get()));
    if (form.json) {
        json all = trace_info_json(path, trace.get(), part_of(args));
        if (wants_pages)
            all["pages"] = pages_json(analysis);
        std::cout << all.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
    } else if (form.text()) {
        print_trace_info(std::cout, path, trace.get(), part_of(args));
        if (wants_pages) {
            std::cout << '\n';
            print_pages(std::cout, analysis);
        }
    }
    return exit_ok;
}

static int cat_main(const arguments &args, const std::vector<std::string> &files)
{
    const trace_file trace = open_part(args, files[0]);
    trace_selection wanted;
    wanted.launch = number32(args, "launch");
    wanted.group = number32(args, "group");
    wanted.wave = number32(args, "wave");
    wanted.limit = args.number("limit", UINT64_MAX, 1, UINT64_MAX);
    wanted.lanes = args.has("lanes");
    print_records(std::cout, trace.get(), wanted);
    return exit_ok;
}

static int check_main(const arguments &args, const std::vector<std::string> &files)
{
    const std::string &path = files[0];
    const trace_file trace = open_part(args, path);
    wkt_report report{};
    const int status = wkt_check_reader(trace.get(), &report);
    if (status != WKT_OK || report.error.code != WKT_OK)
        throw failure(exit_input, report.error.text[0] != 0 ? report.error.text : path + ": damaged");
    const output_form form = form_of(args);
    write_forms(form, totals_table(report.totals));
    if (form.text())
        print_report(std::cout, path, trace.get(), part_of(args), report);
    return exit_ok;
}

static int save_main(const arguments &args, const std::vector<std::string> &files)
{
    if (!args.has("output"))
        throw failure(exit_usage, "trace save: say where to, with -o FILE");
    will_read(files[0], "the trace");
    const std::string file = new_file("--output", args.value("output"));
    const trace_file trace = open_part(args, files[0]);
    save_trace(trace.get(), file);
    return exit_ok;
}

static int trace_main(const arguments &args)
{
    static const struct {
        const char *name;
        int (*main)(const arguments &, const std::vector<std::string> &);
        size_t files;
        std::vector<const char *> options;
    } kinds[] = {{"info",
                  info_main,
                  1,
                  {"json", "csv", "kernels", "groups", "pages", "page", "windows", "resident-waves",
                   "resident-groups", "svg"}},
                 {"cat", cat_main, 1, {"launch", "group", "wave", "limit", "lanes", "kernels", "groups"}},
                 {"check", check_main, 1, {"json", "csv", "kernels", "groups"}},
                 {"save", save_main, 1, {"output", "kernels", "groups"}},
                 {"import-accelsim", import_accelsim_main, 1, {"output", "level", "quiet"}},
                 {"verify-accelsim", verify_accelsim_main, 2, {}}};
    std::vector<std::string> names;
    for (const auto &kind : kinds)
        names.emplace_back(kind.name);
    if (args.positional.empty() || args.has_program)
        throw failure(exit_usage, "trace: wants one of " + joined(names) + ", and its files");
    const std::vector<std::string> files(args.positional.begin() + 1, args.positional.end());
    for (const auto &kind : kinds) {
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
        if (files.size() != kind.files)
            throw failure(exit_usage, std::string("trace ") + kind.name + ": wants " +
                                          (kind.files == 1 ? "one file" : "two files"));
        return kind.main(args, files);
    }
    throw failure(exit_usage, "trace: '" + args.positional[0] + "' is none of " + joined(names) +
                                  did_you_mean(args.positional[0], names));
}

static std::vector<option_def> trace_options()
{
    return joined(
        {in_group(
             "info, check",
             {{"json", 0, nullptr, "info, check: as JSON on standard output, instead of the text"},
              {"csv", 0, "FILE",
               "info: its launches, check: its kinds of records as comma-separated values; -: to standard "
               "output, instead of the text"},
              {"pages", 0, nullptr, "info: what address translation meets"},
              {"page", 0, "SIZE", "info: pages of 4k (default), 64k or 2m"},
              {"windows", 0, "N", "info: at most N windows of the working set over time (default 64)"},
              {"resident-waves", 0, "N", "info: accesses of at most N waves side by side (default 320)"},
              {"resident-groups", 0, "N", "info: of at most N work-groups (default: what the waves allow)"},
              {"svg", 0, "FILE", "info: a picture of it, .svg, .pdf or .png"}}),
         in_group("cat", {{"launch", 0, "N", "cat: only this launch, from 0"},
                          {"group", 0, "N", "cat: only this work-group of each launch, from 0"},
                          {"wave", 0, "N", "cat: only this wave of each work-group, from 0"},
                          {"limit", 0, "N", "cat: stop after N records"},
                          {"lanes", 0, nullptr, "cat: every lane's address"}}),
         in_group("info, cat, save: part of the trace", part_option_defs()),
         in_group("save, import-accelsim",
                  {{"output", 'o', "FILE", "save, import-accelsim: the trace to write"},
                   {"level", 0, "N", "import-accelsim: of compression, 1 to 19 (default 3)"},
                   {"quiet", 'q', nullptr, "import-accelsim: say nothing unless something fails"}})});
}

const command_def trace_command = {
    "trace",
    "trace info [--json] [--pages] [--page SIZE] [--svg FILE] [options] TRACE\n"
    "trace cat [--launch N] [--group N] [--wave N] [--limit N] [--lanes] [options] TRACE\n"
    "trace check TRACE\n"
    "trace save [--kernels LIST] [--groups LIST] -o FILE TRACE\n"
    "trace import-accelsim [-q] [--level N] -o TRACE.wkt kernelslist.g\n"
    "trace verify-accelsim kernelslist.g TRACE.wkt",
    "What is in this trace, and is it whole?",
    "info: program, kernels, buffers, how many accesses of which kind. With --pages, or any option about "
    "pages, it\n"
    "reads every record, for the whole trace and for each kernel: pages, neighbourhoods and lanes of an "
    "instruction,\n"
    "footprint, LRU reuse distances and the misses of a TLB of each size, working set "
    "(docs/use/trace-info.md).\n"
    "cat: the records, one per line: pc, kind, bytes per lane, active lanes, addresses in the shortest form "
    "that "
    "says\n"
    "them all, instructions before it, distance to the first use of its result.\n"
    "check: proves every checksum, every record and the totals. Of a trace that is not all that its program "
    "launched\n"
    "info and check say PARTIAL, and how much is there. save: the trace, or what gen:... makes, as a file.\n"
    "import-accelsim: a trace that the Accel-Sim tracer (NVBit) took on an NVIDIA GPU, its kernelslist.g or "
    "the\n"
    "folder of it, plain, .xz or .gz. verify-accelsim: proves that a trace has every lane's address of such "
    "a "
    "list at\n"
    "its place, and no other.",
    trace_options(),
    "walkway trace cat --launch 0 --group 0 --wave 0 --limit 20 atax.wkt",
    trace_main,
};

} // namespace walkway
