/* SPDX-License-Identifier: MIT */
/* run/simulate.hpp - one machine on one trace, and the result. One call per process: SystemC's hierarchy is
 * global. */
#ifndef WALKWAY_RUN_SIMULATE_HPP
#define WALKWAY_RUN_SIMULATE_HPP

#include "run/config.hpp"
#include "run/scope.hpp"
#include "run/series.hpp"
#include "run/statistics.hpp"
#include "run/transactions.hpp"
#include "run/waves.hpp"
#include "support/errors.hpp"

#include <string>

namespace walkway
{

struct simulation {
    json stats; /* the content of stats.json: equal for equal trace, configuration and program */
    json host;  /* the content of host.json: values that depend on this computer and moment */
    /* exit_ok, exit_law, or exit_interrupted: the run was stopped. */
    exit_code code;
    std::string story;           /* if code is exit_law: the broken laws, or what waits for what */
    std::string waves;           /* why the requested waveform dump is missing; empty: it is not */
    std::string no_transactions; /* likewise for the file of translations; */
    transaction_counts followed; /* else its contents */
    std::string no_series;       /* likewise for the run over time; */
    uint64_t steps = 0;          /* else its rows */
};

/* Other activity on the machine. */
struct company {
    std::vector<std::string> beside; /* traces of programs that run at the same time */
    std::string events;              /* a file of an operating system's actions (run/events.hpp) */
    std::string event_list;          /* the contents of such a file, used if `events` is empty */
    /* The memory and pages in which the programs run; null: they are laid out for the trace. */
    std::shared_ptr<const image_space> image = nullptr;
    json image_about = nullptr; /* the result's member "image", used with `image` */
};

/* Builds the machine, runs it to the end of the trace or window, and returns the result. `progress` may be
 * empty; if it returns false, or this process is asked to stop, the run ends early with exit_interrupted.
 * Throws failure(exit_usage) for options that the trace or machine does not allow, failure(exit_input) for a
 * trace that cannot be read or does not fit, and failure(exit_output) if an output file cannot be opened; a
 * file that fails later is a text in the result. Required: spec has no fault(). */
simulation simulate(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                    const wave_options &waves = {}, const transaction_options &transactions = {},
                    const run_scope &scope = {}, const company &with = {},
                    const series_options &over_time = {});

/* Returns the part of a result that is known before the run. */
json about_run(platform_spec &spec, const std::string &trace_path, const wkt_info &info,
               const trace_part &part);
/* Throws failure(exit_input) if the programs do not fit the machine. The readers of `all` must outlive the
 * machine. Required: spec has no fault(). */
std::unique_ptr<platform> build_machine(const platform_spec &spec, const program_list &all);

/* Throws failure(exit_usage) if the folder's stats.json or host.json is a file that this command reads
 * (support/read_files.hpp). */
void check_place_of_results(const std::string &folder);
/* Makes the folder if it does not exist, and writes stats.json and host.json to it in place of older ones.
 * Throws failure(exit_output), and what check_place_of_results() throws. */
void write_simulation(const std::string &folder, const simulation &result);

uint64_t peak_memory_bytes(); /* of this process so far */

/* Returns the resolved configuration: {"section.key": value}. */
json configuration_json(platform_config &config);

json program_json();             /* name, version, git, model */
std::string model_digest();      /* of the sources that decide a run's result; cmake/revision.cmake */
std::string program_version();   /* "0.1.0 (git 1234abc)" */
std::string dump(const json &j); /* the text of a result file: indented, ends with a newline */

} // namespace walkway

#endif
