/* SPDX-License-Identifier: MIT */
/* run/input.hpp - a command's input: a trace file, or a program that is captured first (once: the trace is
 * kept in a cache). */
#ifndef WALKWAY_RUN_INPUT_HPP
#define WALKWAY_RUN_INPUT_HPP

#include "capture/capture.hpp"
#include "support/options.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Returns the program's trace if the cache has it, else empty. Captures nothing. */
std::string kept_trace_of(const std::vector<std::string> &program);

/* Returns the path of its executable. Throws failure(exit_input) if there is no such program. */
std::string executable_of(const std::vector<std::string> &program);

/* True if the trace exists, is undamaged as far as its index shows, and has all launches of its program,
 * which ended with exit code 0 or an accepted one. */
bool is_whole_trace(const std::string &path, const std::vector<unsigned> &accepted_exits = {});

/* Returns ${XDG_CACHE_HOME:-~/.cache}/walkway; empty if there is no home. */
std::string cache_folder();

struct capture_settings {
    bool quiet = false;
    capture::capture_choices choices = {};
    unsigned threads = 1;
    int level = 0;                             /* zstd; 0: the default */
    bool keep = false;                         /* keeps the launches of a program that then failed */
    std::vector<unsigned> accepted_exits = {}; /* exit codes that are no failure */
    unsigned max_launches = 0; /* ends the program after these, its trace marked partial; 0: no limit */
};

/* Options of every command that captures, and the settings by them, including --quiet. Throws
 * failure(exit_usage). */
std::vector<option_def> capture_option_defs();
capture_settings capture_settings_of(const arguments &args);

/* Returns the path of a trace of the program: from the cache if the program, its arguments and inputs, and
 * the settings' choices are unchanged. Without the cache the trace is a temporary file that ends with the
 * process. Throws failure(exit_input). */
std::string trace_of_program(const std::vector<std::string> &program, bool use_cache,
                             const capture_settings &settings);

/* Captures to a path of the user's choice. Throws failure(exit_input), also if the program failed;
 * failure(exit_interrupted). */
void capture_program(const std::vector<std::string> &program, const std::string &trace_path,
                     const capture_settings &settings);

/* Protects the traces, or the program and its input files, from being overwritten (support/read_files.hpp).
 * Throws failure(exit_input) if there is no such program. */
void will_read_input(const arguments &args, const std::vector<std::string> &traces);

/* Returns the trace named by `files` (exactly one) or of the program after "--"; uses --no-cache, --quiet and
 * the capture options of `args`. */
std::string input_trace(const arguments &args, const std::vector<std::string> &files);

} // namespace walkway

#endif
