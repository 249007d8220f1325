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

/* Cost of runs with the same work, on any machine. */
struct cost_of_work {
    double seconds;        /* mean of completed runs; 0: none */
    uint64_t memory_bytes; /* the most */
};

class results_file
{
public:
    /* For reading, the file must exist. For writing, a missing or empty file becomes a new one. Throws
     * failure(exit_input) for a file of another kind or version, or a damaged one. */
    results_file(const std::string &path, database::mode how);

    database &db() { return db_; }

    int64_t study(const study_file &study);
    int64_t workload(const std::string &name, const std::string &trace, const std::string &checksum);
    int64_t machine(platform_spec &spec);
    void axes(int64_t study, const study_file &file);
    void points(int64_t study, const std::vector<std::pair<uint64_t, std::string>> &keys, uint64_t a_repeat);
    /* Adds the record of a run, workbench/run_record.hpp. It replaces a failed one of its key, not a
     * completed one. One of a machine that is not in the file is ignored. */
    void add(const json &record);

    std::set<std::string> done(); /* keys */
    /* Returns the costs by the part of a key after the configuration (sweep_plan::work()). */
    std::map<std::string, cost_of_work> costs();
    double bytes_per_run(); /* of the file; 0 without runs */

private:
    void make_schema();
    void make_tables();
    void take_names_now(database::mode how, int64_t version);
    int64_t parameter_id(const std::string &name);
    int64_t statistic_id(const std::string &name, const char *kind, const json &entry);
    int64_t build(const json &program);
    int64_t host(const json &host);
    statement &prepared(const char *sql);
    template <class... Values> int64_t row(const char *sql, const Values &...values); /* its id */

    database db_;
    std::map<std::string, int64_t> parameter_ids_, statistic_ids_;
    std::map<const char *, std::unique_ptr<statement>> statements_; /* by the literal's address */
};

} // namespace walkway

#endif
