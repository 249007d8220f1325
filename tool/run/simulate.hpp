/* SPDX-License-Identifier: MIT */
/* run/simulate.hpp - one machine on one trace, and what is known afterwards. One call a process: SystemC's
 * hierarchy is global. */
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
    json host;  /* the content of host.json: what depends on this computer and this moment */
    exit_code code;
    std::string story;           /* when code is exit_law: what is broken, or what waits for what */
    std::string waves;           /* why the waveform dump that was asked for is not there */
    std::string no_transactions; /* likewise the file of translations; */
    transaction_counts followed; /* else what is in it */
    std::string no_series;       /* likewise the run over time; */
    uint64_t steps = 0;          /* else its rows */
};

/* What else happens on the machine. */
struct company {
    std::vector<std::string> beside; /* traces of programs that run at the same time */
    std::string events;              /* a file of what an operating system does (run/events.hpp), */
    std::string event_list;          /* or its contents */
    std::shared_ptr<const image_space> image = nullptr; /* memory and pages; null: laid out for the trace */
    json image_about = nullptr;                         /* the result's member "image" */
};

simulation simulate(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                    const wave_options &waves = {}, const transaction_options &transactions = {},
                    const run_scope &scope = {}, const company &with = {},
                    const series_options &over_time = {});

/* Of a result, what is known before the run. */
json about_run(platform_spec &spec, const std::string &trace_path, const wkt_info &info,
               const trace_part &part);
/* Throws failure(exit_input) where the programs do not fit the machine. */
std::unique_ptr<platform> build_machine(const platform_spec &spec, const program_list &all);

/* Throws failure(exit_usage) where one of its files is something that is read. */
void check_place_of_results(const std::string &folder);
/* stats.json and host.json in the folder, which is made. Throws failure(exit_output). */
void write_simulation(const std::string &folder, const simulation &result);

uint64_t peak_memory_bytes(); /* of this process so far */

/* The resolved configuration: {"section.key": value}. */
json configuration_json(platform_config &config);

json program_json();             /* name, version, git, model */
std::string model_digest();      /* of the sources that decide what a run finds; cmake/revision.cmake */
std::string program_version();   /* "0.1.0 (git 1234abc)" */
std::string dump(const json &j); /* as files have it */

} // namespace walkway

#endif
