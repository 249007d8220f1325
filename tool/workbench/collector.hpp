/* SPDX-License-Identifier: MIT */
/* workbench/collector.hpp - loads the records of runs in RESULTS.db.runs: KEY.run, a record of a run
 * (workbench/run_record.hpp); KEY.lost, one of a run that ended without a result and that its batch will try
 * again. An empty KEY.run marks that the file of results has the run. */
#ifndef WALKWAY_WORKBENCH_COLLECTOR_HPP
#define WALKWAY_WORKBENCH_COLLECTOR_HPP

#include "workbench/results_file.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace walkway
{

std::string folder_of_runs(const std::string &results); /* FILE.runs */
/* Files of a run. Tried: it ended while it was tried (workbench/pilot.hpp), until it is requested. */
constexpr const char *run_ended = ".run", *run_lost = ".lost", *run_tried = ".tried";
std::string record_file(const std::string &folder, const std::string &key, const char *left);

/* Returns the record in a file; null if it is not whole, or of another format. */
json read_record(const std::string &file);

class collector
{
public:
    /* Both must outlive it. */
    collector(results_file &results, std::string folder) : results_(results), folder_(std::move(folder)) {}

    /* Loads the records of an earlier sweep and removes them. Records that are not whole, or of another
     * format, are ignored: their runs are repeated. */
    void load_all();
    /* Removes the folder if nothing is left in it but what processes that were killed while they wrote
     * (KEY.run.tmpPID) have left of runs that are done. */
    void remove_folder();
    /* Loads runs that were tried and never requested. */
    void load_tried();
    /* Loads the records that batches elsewhere have left since the last call; empty marks stay, so that a
     * restarted batch sees what is done. Returns how many there were. */
    size_t look();
    /* Also loads lost runs: rows, until their batch has done them. */
    void look_all();
    /* True if a run has left a record since this was made, and it is not removed. */
    bool has(const std::string &key) const;

    void add(const std::string &file); /* loads some hundred in one transaction */
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
