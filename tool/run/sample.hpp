/* SPDX-License-Identifier: MIT */
/* run/sample.hpp - a run by windows of it (docs/use/sampling.md): the option, what is said of it, and the
 * run. */
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
    double until = 0;  /* wanted half width of cycles, as a share; 0: no target */
    std::string text;  /* as given; empty: not given */
    bool check = true; /* of a study: one machine of each program is run whole, too */
    bool wanted = false;
};

option_def sample_option_def();
/* "windows=60,measure=10000translations,warm-up=auto,seed=1,until=2%,check=yes", each may be left out. Throws
 * failure(exit_usage). */
sample_options parse_sample(const std::string &text);

/* A key that is equal for equal samples, however they were written. */
std::string key_of(const sample_options &options);

/* Runs the trace's windows on this machine in processes of their own, `parallel` at a time; where a sample
 * would not be reliable, runs the whole trace, and the result says why. Throws failure. */
simulation simulate_sampled(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                            const sample_options &options, unsigned parallel);
/* Finds where windows begin, and keeps it: what several machines have in common is then done once. */
void prepare_sample(const platform_spec &spec, const std::string &trace_path, const sample_options &options);

/* Of a result, lines that begin with "SAMPLED: "; empty where it is whole. */
std::string text_of_sample(const json &stats);

} // namespace walkway

#endif
