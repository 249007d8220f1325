/* SPDX-License-Identifier: MIT */
/* workbench/run_record.hpp - the record of one run of a study for the collector: a file of its own, so that
 * any number of runs on any number of machines can end at the same time. */
#ifndef WALKWAY_WORKBENCH_RUN_RECORD_HPP
#define WALKWAY_WORKBENCH_RUN_RECORD_HPP

#include "run/sample.hpp"
#include "run/simulate.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct run_order {
    platform_spec *machine;
    std::string key, trace, label;
    json workload;                   /* name, trace (as in the study), checksum */
    json base;                       /* label, digest of the machine that this one is a change of */
    std::vector<setting> changes;    /* by which the machine differs from that one */
    std::vector<std::string> record; /* patterns of statistics; empty: all */
    sample_options sample;           /* by windows, if requested */
    run_scope scope = {};
    company with = {};
};

/* Version of the record's format; raised with every change of it. Format 1 had no number, and all laws. */
static constexpr int record_format = 4;

/* Runs it and returns the record: format, key, exit_code, reason, workload, machine, parameters [[name,
 * value, set_by]], program, started, host; for a completed run also headline, statistics and laws, and error
 * of a sampled one, as in stats.json. Throws if a run is stopped or its record cannot be written; every other
 * failure is a record. */
json record_of_run(const run_order &order, const progress_fn &progress);

/* Runs it whole, or by windows. */
simulation simulate_as(const run_order &order, const progress_fn &progress);
/* Returns the record of a run that ended. Throws failure(exit_usage) as recorded(). */
json record_of(const run_order &order, const simulation &result);

/* Returns the record of a run that ended without a result. */
json record_of_lost(const run_order &order, int code, const std::string &reason);

/* Returns the statistics of a stats.json that match patterns; without patterns all. Throws
 * failure(exit_usage) for a pattern without a match. */
json recorded(const json &statistics, const std::vector<std::string> &patterns);

json host_json();       /* name, processor, processors */
std::string now_text(); /* "2026-01-31T12:00:00Z" */

} // namespace walkway

#endif
