/* SPDX-License-Identifier: MIT */
/* workbench/study_batches.hpp - what is missing of a paper's study, as jobs for other machines: `walkway
 * reproduce --cluster`. A batch is a file in DIR/batches; its job leaves each run's result where the study
 * keeps it on one machine, too. */
#ifndef WALKWAY_WORKBENCH_STUDY_BATCHES_HPP
#define WALKWAY_WORKBENCH_STUDY_BATCHES_HPP

#include "study/study_plan.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct study_batch {
    std::string name;                 /* "12" */
    std::vector<std::string> folders; /* of its runs, below DIR/runs: their keys */
    double seconds;                   /* expected, one run after another */
    uint64_t memory_mib, minutes;     /* to ask for, at the first attempt */
};

std::string folder_of_batches(const study_order &o);

/* Of these runs, in their order; each batch of at least one, beyond that of no more than `seconds_each`. What
 * a program's runs take is known from those that are kept, else from a try;
 * what comes to its end by that is no longer missing. Throws failure(exit_interrupted), failure(exit_output).
 */
std::vector<study_batch> make_batches(const std::vector<planned_run> &all,
                                      std::vector<planned_run *> &missing, const study_order &o,
                                      double seconds_each);

/* The job of a batch: those of its runs whose results are not kept yet. A run that fails leaves why. One that
 * was killed, or for which there was no memory, does, too, and then it throws failure(exit_input): the same
 * job, with more memory, tries that run again. Throws failure(exit_input) where a run is not of the plan: the
 * study's options, a trace or the model are others here than when the batch was made. */
void run_study_batch(std::vector<planned_run> &runs, const study_order &o, const std::string &name);

/* What the job of a run left where there is no result: `code` is exit_ok where it left nothing. */
struct run_failure {
    exit_code code;
    std::string reason;
    bool again; /* with more memory it may do */
};
run_failure failure_of(const study_order &o, const planned_run &run);

/* The job that captures a program, by its capture's name ("atax-4096"): leaves captured/N.json, as the
 * workflow wants it. Throws failure(exit_usage) for a name that is none, failure(exit_input). */
void run_study_capture(const study &s, const study_order &o, const std::string &name);

/* Captures of the study that are missing, each once: their places among the programs. */
std::vector<size_t> missing_captures(const std::vector<study_capture> &captures);

} // namespace walkway

#endif
