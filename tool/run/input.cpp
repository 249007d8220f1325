/* SPDX-License-Identifier: MIT */
/* run/input.cpp - gets traces from files and programs. */
#include "run/input.hpp"

#include "run/extent.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace walkway
{

std::string cache_folder()
{
    const std::string base = environment("XDG_CACHE_HOME");
    if (!base.empty())
        return base + "/walkway";
    const std::string home = environment("HOME");
    return home.empty() ? "" : home + "/.cache/walkway";
}

bool is_whole_trace(const std::string &path, const std::vector<unsigned> &accepted_exits)
{
    if (access(path.c_str(), R_OK) != 0)
        return false;
    try {
        const trace_file trace = open_trace(path);
        const wkt_info &info = *wkt_reader_info(trace.get());
        const bool ended_well = info.exit_code == 0 || std::find(accepted_exits.begin(), accepted_exits.end(),
                                                                 info.exit_code) != accepted_exits.end();
        return ended_well && !info.partial && !info.part && info.totals.groups == info.whole_groups;
    } catch (const failure &) {
        return false; /* damaged: a new capture replaces it */
    }
}

/* Refuses "run atax 256" if no trace has that name. */
static void refuse_program(const std::string &trace)
{
    std::error_code error;
    if (!std::filesystem::exists(trace, error) && workload_programs().count(trace) != 0)
        throw failure(exit_input, as_written(trace) +
                                      ": no such trace; the program of that name stands behind '--': -- " +
                                      as_written(trace) + " ARGUMENTS");
}

#ifdef WALKWAY_WITH_CAPTURE

/* Returns why the program cannot be run. */
static std::string no_such_program(const std::string &name, const std::vector<std::string> &workloads)
{
    std::error_code error;
    const bool path = name.find('/') != std::string::npos;
    if (std::filesystem::is_directory(name, error) && path)
        return "is a folder, no program";
    if (std::filesystem::exists(name, error) && path)
        return "is a file that cannot be executed";
    return "no such program: neither a file, a workload, nor in $PATH" + did_you_mean(name, workloads) +
           (std::filesystem::is_regular_file(name, error) ? "; the file here is ./" + as_written(name)
                                                          : std::string());
}

/* A name without a folder means the workload of that name if there is one, else a program in $PATH. */
static std::vector<std::string> resolved(std::vector<std::string> program)
{
    const std::map<std::string, std::string> workloads = workload_programs();
    const auto found = workloads.find(program[0]); /* their names have no '/' */
    const std::string path = found == workloads.end() ? capture::find_program(program[0]) : found->second;
    if (path.empty()) {
        std::vector<std::string> names;
        for (const auto &[name, place] : workloads)
            names.push_back(name);
        throw failure(exit_input, as_written(program[0]) + ": " + no_such_program(program[0], names));
    }
    program[0] = path;
    return program;
}

std::string executable_of(const std::vector<std::string> &program)
{
    return resolved(program)[0];
}

static std::string file_of_program(const std::vector<std::string> &program)
{
    return executable_of(program);
}

/* LD_PRELOAD is split at spaces and colons: a plugin with one in its path is loaded by a link. */
static void avoid_separators(std::string &plugin, std::optional<temporary_folder> &elsewhere)
{
    const char *const separators = " :";
    const std::filesystem::path path = std::filesystem::absolute(plugin);
    plugin = path.string();
    std::error_code error;
    if (plugin.find_first_of(separators) == std::string::npos || !std::filesystem::exists(path, error))
        return;
    elsewhere.emplace();
    const std::string link = elsewhere->path() + "/plugin.so";
    if (link.find_first_of(separators) != std::string::npos)
        throw failure(exit_input, plugin + " cannot be loaded into a program by a path with a space or a " +
                                      "colon, nor can a link in " + elsewhere->path() +
                                      ": set $TMPDIR to a folder without");
    std::filesystem::create_symlink(path, link, error);
    if (error)
        throw failure(exit_output, "cannot make " + link + ": " + error.message());
    plugin = link;
}

static std::string what_is_kept(const std::string &trace_path)
{
    json extent;
    add_extent(extent, *wkt_reader_info(open_trace(trace_path).get()), {});
    return trace_path + " has what was recorded until then: " + text_of_extent(extent);
}

void capture_program(const std::vector<std::string> &program, const std::string &trace_path,
                     const capture_settings &settings)
{
    const std::vector<std::string> command = resolved(program);
    std::string plugin = capture::find_plugin();
    if (plugin.empty())
        plugin = find_built_plugin();
    if (plugin.empty())
        throw failure(exit_input,
                      "the capture plugin (libwalkway-capture.so) is not there: install Oclgrind's and "
                      "LLVM's development files and build again, or set $WALKWAY_CAPTURE_PLUGIN");
    std::optional<temporary_folder> elsewhere;
    avoid_separators(plugin, elsewhere);
    capture::capture_options options;
    options.choices = settings.choices;
    options.accepted_exits = settings.accepted_exits;
    options.threads = settings.threads;
    options.level = settings.level;
    options.max_launches = settings.max_launches;
    options.progress = !settings.quiet && isatty(STDERR_FILENO) == 1;
    options.has_starter = is_job();
    std::string error;
    std::cout.flush();
    const int result = capture::run_capture(plugin, command, trace_path, options, error);
    if (result == capture::capture_interrupted)
        throw failure(exit_interrupted, "capture interrupted; " + what_is_kept(trace_path));
    if (result == capture::capture_no_output)
        throw failure(exit_output, "capture of " + program[0] + " failed: " + error);
    if (result == capture::capture_dropped)
        throw failure(exit_interrupted, "capture interrupted; nothing was recorded");
    if (result == capture::capture_ended_badly && settings.keep)
        throw failure(exit_input, error + "; " + what_is_kept(trace_path));
    if (result != capture::capture_done && result != capture::capture_cut) {
        std::error_code ignored;
        if (result == capture::capture_ended_badly)
            std::filesystem::remove(trace_path, ignored);
        throw failure(exit_input, "capture of " + program[0] + " failed: " + error);
    }
}

static std::string name_of(const std::vector<std::string> &command)
{
    return std::filesystem::path(command[0]).filename().string();
}

/* Returns the path of the command's trace in the cache, present or not; empty without a cache. */
static std::string cached_path(const std::vector<std::string> &command,
                               const capture::capture_choices &choices)
{
    const std::string folder = cache_folder();
    if (folder.empty())
        return "";
    std::string error;
    const std::string key = capture::cache_key(command, choices, error);
    if (key.empty())
        throw failure(exit_input, error);
    return folder + "/" + file_name_of(name_of(command)) + "-" + key + ".wkt";
}

std::string kept_trace_of(const std::vector<std::string> &program)
{
    const std::string path = cached_path(resolved(program), {});
    return !path.empty() && is_whole_trace(path) ? path : "";
}

std::string trace_of_program(const std::vector<std::string> &program, bool use_cache,
                             const capture_settings &settings)
{
    const std::vector<std::string> command = resolved(program);
    const std::string path = use_cache ? cached_path(command, settings.choices) : "";
    if (path.empty()) {
        static const temporary_folder scratch; /* removed when the process ends */
        const std::string file = scratch.path() + "/" + name_of(command) + ".wkt";
        capture_program(command, file, settings);
        return file;
    }
    make_folder(cache_folder());
    if (is_whole_trace(path, settings.accepted_exits))
        return path;
    try {
        capture_program(command, path, settings);
    } catch (const failure &) {
        std::error_code ignored; /* a partial trace is not kept in the cache */
        std::filesystem::remove(path, ignored);
        throw;
    }
    return path;
}

#else

static const char *const without =
    "this program was built without capture (WALKWAY_CAPTURE): give it a trace";

static std::string file_of_program(const std::vector<std::string> &program)
{
    return program[0];
}

std::string executable_of(const std::vector<std::string> &)
{
    throw failure(exit_input, without);
}

void capture_program(const std::vector<std::string> &, const std::string &, const capture_settings &)
{
    throw failure(exit_input, without);
}

std::string trace_of_program(const std::vector<std::string> &, bool, const capture_settings &)
{
    throw failure(exit_input, without);
}

std::string kept_trace_of(const std::vector<std::string> &)
{
    throw failure(exit_input, without);
}

#endif

static constexpr wkt_device_type device_types[] = {
#define WW_ENTRY(name, number, text) name,
    WKT_DEVICE_LIST(WW_ENTRY)
#undef WW_ENTRY
};

std::vector<option_def> capture_option_defs()
{
    return {
        {"interpret", 0, nullptr,
         "of a PROGRAM: Oclgrind interprets every kernel; none is compiled for this processor"},
        {"device-type", 0, "TYPE",
         "of the device that a PROGRAM finds: gpu (default), cpu, accelerator, all"},
        {"compute-units", 0, "N", "that a PROGRAM sees (default 8, as apu-micro18 has)"},
        {"accept-exit", 0, "CODE", "a PROGRAM that ends with this exit code has not failed; may be repeated",
         true},
    };
}

static wkt_device_type device_type_of(const arguments &args)
{
    const std::string given = args.value("device-type", wkt_device_name(WKT_DEVICE_GPU));
    std::vector<std::string> names;
    std::string all;
    for (const wkt_device_type type : device_types) {
        names.emplace_back(wkt_device_name(type));
        all += (all.empty() ? "" : ", ") + names.back();
        if (given == names.back())
            return type;
    }
    throw failure(exit_usage, "--device-type " + as_written(given) + ": wants one of " + all +
                                  did_you_mean(given, names));
}

static std::vector<unsigned> accepted_exits_of(const arguments &args)
{
    constexpr uint64_t most = 255;
    std::vector<unsigned> codes;
    for (const std::string &text : args.values("accept-exit")) {
        uint64_t code = 0;
        if (!parse_number(text, code) || code > most)
            throw failure(exit_usage, "--accept-exit " + as_written(text) +
                                          ": wants a whole number from 0 to " + std::to_string(most));
        codes.push_back(static_cast<unsigned>(code));
    }
    return codes;
}

capture_settings capture_settings_of(const arguments &args)
{
    capture_settings settings;
    settings.quiet = args.has("quiet");
    settings.choices.interpret = args.has("interpret");
    settings.choices.device_type = device_type_of(args);
    settings.choices.compute_units =
        static_cast<unsigned>(args.number("compute-units", default_units, 1, most_units));
    settings.accepted_exits = accepted_exits_of(args);
    return settings;
}

/* Options of captures have no effect on a trace. */
static void refuse_capture_options(const arguments &args)
{
    for (const option_def &option : capture_option_defs())
        if (args.has(option.name))
            throw failure(exit_usage, "--" + std::string(option.name) +
                                          " is for a program that is captured; this is a trace already");
}

void will_read_input(const arguments &args, const std::vector<std::string> &traces)
{
    if (args.has_program)
        capture_settings_of(args); /* reports wrong options before the program runs */
    else
        refuse_capture_options(args);
    for (const std::string &trace : traces) {
        refuse_program(trace);
        will_read(trace, "the trace");
    }
    if (!args.program.empty())
        will_read_program(file_of_program(args.program), args.program);
}

std::string input_trace(const arguments &args, const std::vector<std::string> &files)
{
    if (args.has_program) {
        if (!files.empty())
            throw failure(exit_usage, "give a trace or a program, not both");
        if (args.program.empty())
            throw failure(exit_usage, "'--' wants a program after it");
        return trace_of_program(args.program, !args.has("no-cache"), capture_settings_of(args));
    }
    if (files.size() != 1)
        throw failure(exit_usage, files.empty() ? "give a trace, or a program after '--'"
                                                : "give one trace; this is one too many: " + files[1]);
    return files.front();
}

} // namespace walkway
