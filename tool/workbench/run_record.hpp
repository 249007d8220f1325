/* SPDX-License-Identifier: MIT */
/* workbench/run_record.hpp - what one run of a study leaves for the collector: a file of its own, so
 * that any number of runs on any number of machines can end at a time. */
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
    json workload;                   /* name, trace (as the study has it), checksum */
    json base;                       /* label, digest of the machine that it is a change of */
    std::vector<setting> changes;    /* by which the machine differs from that one */
    std::vector<std::string> record; /* patterns of statistics; empty: all */
    sample_options sample;           /* by windows, where it is wanted */
    run_scope scope = {};
    company with = {};
};

/* Of a record: higher whenever what it says is said otherwise. 1 had no number, and all laws. */
static constexpr int record_format = 2;

/* Runs it and answers the record: format, key, exit_code, reason, workload, machine, parameters [[name,
 * value, set_by]], program, started, host; of a run that is done headline, statistics and laws, too, as in
 * stats.json. A run that is stopped or whose record cannot be written throws; every other failure is a
 * record. */
json record_of_run(const run_order &order, const progress_fn &progress);

/* Whole, or by windows. */
simulation simulate_as(const run_order &order, const progress_fn &progress);
/* The same of a run that ended. Throws failure(exit_usage) as recorded(). */
json record_of(const run_order &order, const simulation &result);

/* The same of a run that ended without one. */
json record_of_lost(const run_order &order, int code, const std::string &reason);

/* Of the statistics of a stats.json those that patterns mean; without patterns all. Throws
 * failure(exit_usage) for a pattern that means none. */
json recorded(const json &statistics, const std::vector<std::string> &patterns);

json host_json();       /* name, processor, processors */
std::string now_text(); /* 2026-01-31T12:00:00Z */

} // namespace walkway

#endif
