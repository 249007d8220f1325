/* SPDX-License-Identifier: MIT */
/* workbench/batches.hpp - the missing runs of a study, as jobs for other machines. A batch is some runs that
 * a job does one after another; it is a file in RESULTS.db.runs/batches, does not use the file of results,
 * and leaves records of its runs. */
#ifndef WALKWAY_WORKBENCH_BATCHES_HPP
#define WALKWAY_WORKBENCH_BATCHES_HPP

#include "workbench/sweep.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct batch {
    std::string name; /* "12"; of a workload captured by a job of its own "w3-1", by its place in the study */
    std::vector<planned_point> points;
    double seconds;               /* expected, one run after another */
    uint64_t memory_mib, minutes; /* requested at the first attempt */
};

/* Returns the estimate's missing runs in the order of the plan, in batches of at most `seconds_each`, but at
 * least one run. Names begin with `prefix`. */
std::vector<batch> batches_of(study_machines &machines, const sweep_estimate &estimate, double seconds_each,
                              const std::string &prefix);

std::string folder_of_batches(const std::string &results);
/* Throws failure(exit_output). */
void write_batches(const std::string &results, study_machines &machines, const sweep_plan &plan,
                   const std::vector<batch> &batches);
/* Throws failure(exit_input) if it does not exist, or is no batch. */
batch read_batch(const std::string &results, const std::string &name);

/* True if no job is left: every program to be captured has its batches, and the keys of all batches that
 * there are, are among those done. */
bool batches_are_done(const std::string &results, const std::set<std::string> &done);

/* The job of a batch: does those of its runs without a record. A run that fails leaves a row's record. One
 * that was killed, or lacked memory, leaves one that counts only if nothing better follows: then it throws
 * failure(exit_input), and the same job, with more memory, tries that run again. Throws failure(exit_input)
 * if a point or a trace has changed since the batch was made, by other options, another build or a changed
 * study. */
void run_batch(study_machines &machines, const sweep_order &order, const std::string &name);

/* The job of a program to be captured, by the workload's name: puts its trace into the cache, makes batches
 * of its runs, and writes FILE.runs/batches/captured/N.json. Throws failure(exit_usage) for an unknown name,
 * failure(exit_input). */
void run_capture(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                 const std::string &workload, double seconds_each);

/* Reads the trace and batches that run_capture() left for workload `i`. Returns false if there are none. */
bool read_captured(const std::string &results, size_t i, workload_trace &trace, std::vector<batch> &batches);
/* Writes which workloads are to be captured, and the keys that are done, for run_capture(). Throws
 * failure(exit_output). */
void write_captures(const std::string &results, const std::vector<size_t> &workloads,
                    const std::set<std::string> &done);

} // namespace walkway

#endif
