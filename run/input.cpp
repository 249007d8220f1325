/* SPDX-License-Identifier: MIT */
/* run/input.cpp - traces from files and from programs. */
#include "run/input.hpp"

#include "run/extent.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#ifdef WALKWAY_WITH_CAPTURE
#include "capture/capture.hpp"
#endif

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

bool is_whole_trace(const std::string &path)
{
    if (access(path.c_str(), R_OK) != 0)
        return false;
    try {
        const trace_file trace = open_trace(path);
        const wkt_info &info = *wkt_reader_info(trace.get());
        return !info.partial && !info.part && info.totals.groups == info.whole_groups;
    } catch (const failure &) {
        return false; /* damaged: captured again over it */
    }
}

/* "run atax 256", where no trace is called so. */
static void refuse_program(const std::string &trace)
{
    std::error_code error;
    if (!std::filesystem::exists(trace, error) && workload_programs().count(trace) != 0)
        throw failure(exit_input, as_written(trace) +
                                      ": no such trace; the program of that name stands behind '--': -- " +
                                      as_written(trace) + " ARGUMENTS");
}

#ifdef WALKWAY_WITH_CAPTURE

/* Why what stands there cannot be run. */
static std::string no_program(const std::string &name, const std::vector<std::string> &workloads)
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

/* A name without a folder is a workload's if there is one of that name, else one in $PATH. */
static std::vector<std::string> resolved(std::vector<std::string> program)
{
    const std::map<std::string, std::string> workloads = workload_programs();
    const auto found = workloads.find(program[0]); /* their names have no '/' */
    const std::string path = found == workloads.end() ? capture::find_program(program[0]) : found->second;
    if (path.empty()) {
        std::vector<std::string> names;
        for (const auto &[name, place] : workloads)
            names.push_back(name);
        throw failure(exit_input, as_written(program[0]) + ": " + no_program(program[0], names));
    }
    program[0] = path;
    return program;
}

std::string executable_of(const std::vector<std::string> &program)
{
    return resolved(program)[0];
}

void will_read_input(const arguments &args, const std::vector<std::string> &traces)
{
    for (const std::string &trace : traces) {
        refuse_program(trace);
        will_read(trace, "the trace");
    }
    if (!args.program.empty())
        will_read_program(resolved(args.program)[0], args.program);
}

/* LD_PRELOAD is split at spaces and colons: with one in its path the plugin goes by a link. */
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

/* Where the cache has its trace, or would; empty without a cache. */
static std::string cached_path(const std::vector<std::string> &command)
{
    const std::string folder = cache_folder();
    if (folder.empty())
        return "";
    std::string error;
    const std::string key = capture::cache_key(command, error);
    if (key.empty())
        throw failure(exit_input, error);
    return folder + "/" + file_name_of(name_of(command)) + "-" + key + ".wkt";
}

std::string kept_trace_of(const std::vector<std::string> &program)
{
    const std::string path = cached_path(resolved(program));
    return !path.empty() && is_whole_trace(path) ? path : "";
}

std::string trace_of_program(const std::vector<std::string> &program, bool use_cache, bool quiet)
{
    const std::vector<std::string> command = resolved(program);
    const std::string path = use_cache ? cached_path(command) : "";
    if (path.empty()) {
        static const temporary_folder scratch; /* removed when the process ends */
        const std::string file = scratch.path() + "/" + name_of(command) + ".wkt";
        capture_program(command, file, {quiet});
        return file;
    }
    make_folder(cache_folder());
    if (is_whole_trace(path))
        return path;
    try {
        capture_program(command, path, {quiet});
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

void will_read_input(const arguments &args, const std::vector<std::string> &traces)
{
    for (const std::string &trace : traces) {
        refuse_program(trace);
        will_read(trace, "the trace");
    }
    if (!args.program.empty())
        will_read_program(args.program[0], args.program);
}

std::string executable_of(const std::vector<std::string> &)
{
    throw failure(exit_input, without);
}

void capture_program(const std::vector<std::string> &, const std::string &, const capture_settings &)
{
    throw failure(exit_input, without);
}

std::string trace_of_program(const std::vector<std::string> &, bool, bool)
{
    throw failure(exit_input, without);
}

std::string kept_trace_of(const std::vector<std::string> &)
{
    throw failure(exit_input, without);
}

#endif

std::string input_trace(const arguments &args, const std::vector<std::string> &files)
{
    if (args.has_program) {
        if (!files.empty())
            throw failure(exit_usage, "give a trace or a program, not both");
        if (args.program.empty())
            throw failure(exit_usage, "'--' wants a program after it");
        return trace_of_program(args.program, !args.has("no-cache"), args.has("quiet"));
    }
    if (files.size() != 1)
        throw failure(exit_usage, files.empty() ? "give a trace, or a program after '--'"
                                                : "give one trace; this is one too many: " + files[1]);
    return files.front();
}

} // namespace walkway
