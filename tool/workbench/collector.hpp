/* SPDX-License-Identifier: MIT */
/* workbench/collector.hpp - loads what runs leave in RESULTS.db.runs: KEY.run, a record of a run
 * (workbench/run_record.hpp); KEY.lost, one of a run that ended without a result and that its batch will try
 * again. An empty KEY.run is a mark that the file of results has the run. */
#ifndef WALKWAY_WORKBENCH_COLLECTOR_HPP
#define WALKWAY_WORKBENCH_COLLECTOR_HPP

#include "workbench/results_file.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace walkway
{

std::string folder_of_runs(const std::string &results); /* FILE.runs */
/* What a run leaves there. Tried: it ended while it was tried (workbench/pilot.hpp), until it is asked for.
 */
constexpr const char *run_ended = ".run", *run_lost = ".lost", *run_tried = ".tried";
std::string record_file(const std::string &folder, const std::string &key, const char *left);

/* The record in a file; null where it is no whole one of this format. */
json read_record(const std::string &file);

class collector
{
public:
    /* Both outlive it. */
    collector(results_file &results, std::string folder) : results_(results), folder_(std::move(folder)) {}

    /* What an earlier sweep left, and then it is gone. What is no whole record, or one of another format, is
     * not counted: its run is done again. */
    void load_all();
    /* Runs that were tried and never asked for. */
    void load_tried();
    /* What batches elsewhere have left since the last call; the empty mark stays, so that a batch that is
     * started again sees what is done. Answers how many there were. */
    size_t look();
    /* And runs that were lost: rows, until their batch has done them. */
    void look_all();
    /* A run has left something since this was made that is not gone. */
    bool has(const std::string &key) const;

    void add(const std::string &file); /* some hundred in one transaction */
    void add(const json &record);
    void flush();

private:
    enum class after { remove, mark };
    void load(const std::vector<std::string> &files, after how);

    results_file &results_;
    std::string folder_;
    std::vector<std::string> waiting_;
    std::set<std::string> marked_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace walkway

#endif
