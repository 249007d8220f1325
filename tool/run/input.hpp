/* SPDX-License-Identifier: MIT */
/* run/input.hpp - what a command runs on: a trace file, or a program that is captured on the way (once: the
 * trace is kept in a cache). */
#ifndef WALKWAY_RUN_INPUT_HPP
#define WALKWAY_RUN_INPUT_HPP

#include "capture/capture.hpp"
#include "support/options.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* The same where the cache has it; else empty, and nothing is captured. */
std::string kept_trace_of(const std::vector<std::string> &program);

/* Path of its executable. Throws failure(exit_input) where there is no such program. */
std::string executable_of(const std::vector<std::string> &program);

/* There, undamaged as far as its index says, and all that its program launched, which ended with exit code 0
 * or an accepted one. */
bool is_whole_trace(const std::string &path, const std::vector<unsigned> &accepted_exits = {});

/* ${XDG_CACHE_HOME:-~/.cache}/walkway; empty when there is no home. */
std::string cache_folder();

struct capture_settings {
    bool quiet = false;
    capture::capture_choices choices = {};
    unsigned threads = 1;
    int level = 0;                             /* zstd; 0: the default */
    bool keep = false;                         /* what a program ran that then failed or crashed */
    std::vector<unsigned> accepted_exits = {}; /* have not failed */
    unsigned max_launches = 0; /* the program is ended behind these, its trace marked partial; 0: all */
};

/* Options of every command that captures, and the settings that they make: with --quiet, too. Throws
 * failure(exit_usage). */
std::vector<option_def> capture_option_defs();
capture_settings capture_settings_of(const arguments &args);

/* Path of a trace of the program: from the cache when it is there and the program, its arguments and inputs
 * are as they were, and the settings' choices. Without the cache the trace is a temporary file that ends with
 * the process. Throws failure(exit_input). */
std::string trace_of_program(const std::vector<std::string> &program, bool use_cache,
                             const capture_settings &settings);

/* Captures to a path of the user's choice. Throws failure(exit_input), also when the program failed;
 * failure(exit_interrupted). */
void capture_program(const std::vector<std::string> &program, const std::string &trace_path,
                     const capture_settings &settings);

/* Traces, or the program and what it is given: nothing is written over them (support/read_files.hpp). Throws
 * failure(exit_input) where there is no such program. */
void will_read_input(const arguments &args, const std::vector<std::string> &traces);

/* The trace named by `files` (exactly one) or the program after "--"; uses --no-cache, --quiet and the
 * capture's options of `args`. */
std::string input_trace(const arguments &args, const std::vector<std::string> &files);

} // namespace walkway

#endif
