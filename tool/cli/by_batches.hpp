/* SPDX-License-Identifier: MIT */
/* cli/by_batches.hpp - a study's runs as jobs of a cluster, for every command that has a study. */
#ifndef WALKWAY_CLI_BY_BATCHES_HPP
#define WALKWAY_CLI_BY_BATCHES_HPP

#include "report/table.hpp"
#include "support/options.hpp"
#include "workbench/cluster.hpp"

#include <initializer_list>
#include <string>

namespace walkway
{

/* --cluster, --batch-seconds, --capture, --batch */
std::vector<option_def> batch_option_defs();
/* Of these options at most one may be there; answers which, or "": all runs here. Throws
 * failure(exit_usage). */
std::string way_of(const arguments &args, std::initializer_list<const char *> ways);
/* How many runs or jobs at a time, where it is not said: batches have one processor, clusters many. */
unsigned parallel_of(const std::string &way);

/* Of these options what was given, "--set dram.cl=40" each. */
std::vector<std::string> said(const arguments &args, std::initializer_list<const char *> options);

/* The words of a job of this command: those, and what is given of the options. */
cluster_order cluster_of(const arguments &args, std::vector<std::string> words,
                         std::initializer_list<const char *> options);
table table_of(const std::vector<batch> &batches, const study_machines &machines);

/* "40 points: 30 runs to do ...; 3 batches; to be captured first, for more: atax" */
std::string text_of_work(const study_machines &machines, const sweep_plan &plan, const sweep_order &order,
                         const sweep_estimate &estimate, size_t batches, const std::vector<size_t> &captures);

/* Captures and batches on the cluster, without the whole runs that check sampled ones, until all is there:
 * what runs beside others follows when all of them are captured. Says on the order's stream how much there
 * is. */
exit_code run_on_cluster(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                         const cluster_order &cluster);

} // namespace walkway

#endif
