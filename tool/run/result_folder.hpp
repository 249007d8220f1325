/* SPDX-License-Identifier: MIT */
/* run/result_folder.hpp - the folder of -o: used by one process at a time, with a manifest that lists the
 * results of one command (docs/use/errors.md). */
#ifndef WALKWAY_RUN_RESULT_FOLDER_HPP
#define WALKWAY_RUN_RESULT_FOLDER_HPP

#include "run/jobs.hpp"
#include "run/path_lock.hpp"
#include "run/statistics.hpp"
#include "support/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct planned_result {
    std::string folder; /* below that of -o */
    std::string machine, trace;
    std::string perturbation = ""; /* as in the label, after the machine */
};

/* Identity of a result. */
struct result_subject {
    std::string machine;
    std::string work; /* name of a trace, or of a guest's kernel, */
    std::string key;  /* and its distinguishing key; empty if unknown */
};
/* Of a run of this trace: work is its file's name, key its checksum, or "" if the trace cannot be opened. */
result_subject subject_of_trace(const std::string &machine, const std::string &trace);

class result_folder
{
public:
    /* Makes the folder and locks it until this object and its process's jobs have ended. Throws failure:
     * exit_output if it cannot be made or written, or is locked (names the holder); exit_usage if path is ""
     * or the manifest would overwrite an input. */
    result_folder(const std::string &path, const std::string &command, const arguments &args);
    result_folder(const result_folder &) = delete;
    result_folder &operator=(const result_folder &) = delete;
    const std::string &path() const { return path_; }

    /* Removes the plan's results, those of an earlier command's manifest, the manifest and compare.json.
     * Names what is gone and not made again, and other results, which stay. Throws failure(exit_output) if
     * manifest.json is another program's. */
    void clear(const std::vector<planned_result> &plan);
    /* Call before a result is written there: reports on stderr if it replaces the result of another machine
     * or trace. */
    static void say_replaced(const std::string &folder, const result_subject &now);
    /* Writes the plan to manifest.json, so that a killed command's results are known as incomplete. */
    void begin(const std::vector<planned_result> &plan);
    /* Writes the outcome: `ends` by the plan, or none if not known for each; `files` are those beside the
     * folders. */
    void finish(const std::vector<job_result> &ends, const std::vector<std::string> &files);

private:
    json head() const;
    void write(const json &manifest) const;

    std::string path_, command_;
    std::vector<std::string> words_;
    std::string started_;
    std::vector<planned_result> plan_;
    std::optional<path_lock> lock_;
};

/* Results without a folder of the user's that took longer than this are kept in the cache. */
constexpr double long_seconds = 5;
/* Copies the folder into the cache as NAME-HASH, with a hash of the contents of its stats.json files; does
 * nothing if there are none. Reports on stderr the place, or why not. */
void keep_results(const std::string &folder, const std::string &name);

} // namespace walkway

#endif
