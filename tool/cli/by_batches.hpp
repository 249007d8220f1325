/* SPDX-License-Identifier: MIT */
/* cli/by_batches.hpp - a study's runs as jobs of a cluster, for every command with a study. */
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
/* Returns which of these options is given, or "": all runs here. Throws failure(exit_usage) if there are
 * several. */
std::string way_of(const arguments &args, std::initializer_list<const char *> ways);
/* Returns the default number of runs or jobs at a time: batches have one processor, clusters many. */
unsigned parallel_of(const std::string &way);

/* Returns the given ones of these options, as "--set dram.cl=40" each. */
std::vector<std::string> said(const arguments &args, std::initializer_list<const char *> options);

/* Returns the order of this command's jobs: these words, and the given ones of the options. */
cluster_order cluster_of(const arguments &args, std::vector<std::string> words,
                         std::initializer_list<const char *> options);
table table_of(const std::vector<batch> &batches, const study_machines &machines);

/* Returns "40 points: 30 runs to do ...; 3 batches; to be captured first, for more: atax". */
std::string text_of_work(const study_machines &machines, const sweep_plan &plan, const sweep_order &order,
                         const sweep_estimate &estimate, size_t batches, const std::vector<size_t> &captures);

/* Runs captures and batches on the cluster until all results are there, except the whole runs that check
 * sampled ones: programs that run beside others follow when all of them are captured. Prints the amount of
 * work on the order's stream. */
exit_code run_on_cluster(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                         const cluster_order &cluster);

} // namespace walkway

#endif
