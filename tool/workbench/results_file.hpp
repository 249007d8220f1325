/* SPDX-License-Identifier: MIT */
/* workbench/results_file.hpp - the one file with the results of sweeps: SQLite, workbench/schema.sql. One
 * process writes it; the others leave files that it loads. docs/use/workbench.md describes the tables. */
#ifndef WALKWAY_WORKBENCH_RESULTS_FILE_HPP
#define WALKWAY_WORKBENCH_RESULTS_FILE_HPP

#include "run/statistics.hpp"
#include "workbench/database.hpp"
#include "workbench/points.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

constexpr int results_version = 4; /* PRAGMA user_version */

/* Makes an empty file if there is none, to be locked before it is opened. Returns true if there was none.
 * Throws failure(exit_output). */
bool make_results_file(const std::string &path);

/* Returns a digest of an unchanged platform, which distinguishes rows of one label. */
std::string digest_of(platform_spec &spec);

struct run_cost {
    double seconds = 0, bytes = 0; /* bytes: of its results */
    uint64_t memory_bytes = 0;     /* the most at a time; 0: unknown */
};

class results_file
{
public:
    /* For reading, the file must exist. For writing, a missing or empty file becomes a new one. Throws
     * failure(exit_input) for a file of another kind or version, or a damaged one. */
    results_file(const std::string &path, database::mode how);

    database &db() { return db_; }

    int64_t study(const study_file &study);
    int64_t machine(platform_spec &spec);
    void axes(int64_t study, const study_file &file);
    void points(int64_t study, const std::vector<std::pair<uint64_t, std::string>> &keys, uint64_t a_repeat);
    /* Adds the record of a run, workbench/run_record.hpp. It replaces a failed one of its key, not a
     * completed one. One of a machine that is not in the file is ignored. */
    void add(const json &record);

    std::set<std::string> done(); /* keys */
    /* Returns a headline, a statistic or a histogram's field ("walk_unit.walk_latency.p99") of a run; NaN if
     * it is not done, or lacks it. */
    double measured(const std::string &key, const std::string &metric);
    /* Returns the mean costs of completed runs, by the part of a key after the configuration. */
    std::map<std::string, run_cost> costs();

private:
    void make_schema();
    void make_tables();
    void take_names_now(database::mode how, int64_t version);
    int64_t parameter_id(const std::string &name);
    int64_t statistic_id(const std::string &name, const char *kind, const json &entry);
    statement &prepared(const std::string &sql);
    /* Inserts a row: `what` is "OR IGNORE INTO axes(study, number)", with a value for each column. */
    template <class... Values> void put(const std::string &what, const Values &...values);
    /* Returns the id of a row of "builds(version, git)", inserted if needed. */
    template <class... Values> int64_t row(const std::string &table, const Values &...values);

    database db_;
    std::map<std::string, int64_t> parameter_ids_, statistic_ids_;
    std::map<std::string, std::unique_ptr<statement>> statements_; /* by their text */
};

} // namespace walkway

#endif
