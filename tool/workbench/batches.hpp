/* SPDX-License-Identifier: MIT */
/* workbench/batches.hpp - what is missing of a study, as jobs for other machines. A batch is some runs that a
 * job does one after another; it is a file in RESULTS.db.runs/batches, reads nothing of the file of results,
 * and leaves what runs leave. */
#ifndef WALKWAY_WORKBENCH_BATCHES_HPP
#define WALKWAY_WORKBENCH_BATCHES_HPP

#include "workbench/sweep.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct batch {
    std::string name; /* "12"; of a workload that a job of its own captured "w3-1", its place in the study */
    std::vector<planned_point> points;
    std::vector<std::string> keys; /* by point */
    double seconds;                /* expected, one run after another */
    uint64_t memory_mib, minutes;  /* to ask for, at the first attempt */
};

/* The estimate's missing runs in the order of the plan; each batch of at least one, beyond that of no more
 * than `seconds_each`. Names begin with `prefix`. */
std::vector<batch> batches_of(study_machines &machines, const sweep_plan &plan,
                              const sweep_estimate &estimate, double seconds_each, const std::string &prefix);

std::string folder_of_batches(const std::string &results);
/* Throws failure(exit_output). */
void write_batches(const std::string &results, study_machines &machines, const sweep_plan &plan,
                   const std::vector<batch> &batches);
/* Throws failure(exit_input) where it is not there, or is no batch. */
batch read_batch(const std::string &results, const std::string &name);

/* The job of a batch: those of its runs that have left nothing yet. A run that fails leaves a row's record.
 * One that was killed, or for which there was no memory, leaves one that counts only where nothing better
 * follows: then it throws failure(exit_input), and the same job, with more memory, tries that run again.
 * Throws failure(exit_input) where a point or a trace is not what it was when the batch was made, which other
 * options, another build or a changed study do. */
void run_batch(study_machines &machines, const sweep_order &order, const std::string &name);

/* The job of a program that is to be captured, by the workload's name: its trace goes into the cache, its
 * runs become batches, and FILE.runs/batches/captured/N.json says so. Throws failure(exit_usage) for a name
 * that is none, failure(exit_input). */
void run_capture(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                 const std::string &workload, double seconds_each);

/* What run_capture() left of workload `i`: its trace and its batches. False where it left nothing. */
bool read_captured(const std::string &results, size_t i, workload_trace &trace, std::vector<batch> &batches);
/* Keys that are done, for run_capture(). Throws failure(exit_output). */
void write_done(const std::string &results, const std::set<std::string> &done);

} // namespace walkway

#endif
