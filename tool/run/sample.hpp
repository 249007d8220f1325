/* SPDX-License-Identifier: MIT */
/* run/sample.hpp - a run by windows (docs/use/sampling.md): the option, messages about it, and the run. */
#ifndef WALKWAY_RUN_SAMPLE_HPP
#define WALKWAY_RUN_SAMPLE_HPP

#include "run/config.hpp"
#include "run/statistics.hpp"
#include "sample/sample_request.hpp"
#include "support/options.hpp"

#include <string>

namespace walkway
{

struct simulation;

struct sample_options {
    sample_request request;
    double until = 0;    /* requested half width of cycles, as a share; 0: no target */
    std::string text;    /* as given after '='; empty: all defaults */
    bool check = true;   /* of a study: also runs one machine of each program whole */
    bool wanted = false; /* --sample was given */
};

option_def sample_option_def();
/* Not wanted if the option is not given. Throws failure(exit_usage) as parse_sample(), and for a key that
 * stands apart from the option. */
sample_options sample_of(const arguments &args);
/* Parses "windows=60,measure=10000translations,warm-up=auto,seed=1,until=2%,check=yes", each of which may be
 * omitted. Throws failure(exit_usage). */
sample_options parse_sample(const std::string &text);

/* Returns a key that is equal for equal samples, independent of their text. */
std::string key_of(const sample_options &options);

/* Returns why this machine has no windows; empty if it has. */
std::string why_not_sampled(const platform_spec &spec);

/* Runs the trace's windows on this machine in processes of their own, `parallel` at a time. If a sample would
 * not be reliable, runs the whole trace, and the result has the reason. Throws failure. */
simulation simulate_sampled(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                            const sample_options &options, unsigned parallel);
/* Finds the begins of windows and keeps them, so that machines with equal ones do this once. */
void prepare_sample(const platform_spec &spec, const std::string &trace_path, const sample_options &options);

/* Begins the text of a run whose sampling was given up. */
constexpr const char *run_whole = "Run whole, not sampled: ";
/* Returns "SAMPLED: ..." of a sampled result, "Run whole, not sampled: ..." if sampling was given up; empty
 * if it was not requested. */
std::string text_of_sample(const json &stats);
/* Returns {value, half_width} of a count of a sampled result's headline; null of one whose error is not
 * known. */
json estimate_of_headline(const json &stats, const std::string &name);
/* Returns {half_width, windows}: how many windows would bring a relative half width down to the target, as it
 * falls with the square root of their number; null if it is not larger. */
json would_do(uint64_t windows, double relative, double target);
/* Returns "; about 80 windows would do for 5 %" of it, or nothing of null. */
std::string text_of_would_do(const json &needed);

} // namespace walkway

#endif
