/* SPDX-License-Identifier: MIT */
/* run/result_folder.hpp - the folder of -o: of one process at a time, and with a manifest that says which
 * results in it are of one command (docs/use/errors.md). */
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
    std::string perturbation = ""; /* as the label has it, behind the machine */
};

/* What a result is of. */
struct result_subject {
    std::string machine;
    std::string work; /* a trace or a guest's kernel, as it is called, */
    std::string key;  /* and what tells it from others; empty where that is not known */
};
result_subject subject_of_trace(const std::string &machine, const std::string &trace);

class result_folder
{
public:
    /* Makes the folder and locks it until this process and its jobs have ended. Throws failure(exit_output)
     * that names the process that holds it. */
    result_folder(const std::string &path, const std::string &command, const arguments &args);
    result_folder(const result_folder &) = delete;
    result_folder &operator=(const result_folder &) = delete;
    const std::string &path() const { return path_; }

    /* The results that an earlier command's manifest lists go, and are named where the plan does not make
     * them again; results that no manifest lists are named and stay. */
    void clear(const std::vector<planned_result> &plan);
    /* Before a result is written there: says on stderr when it takes the place of another machine's, or of
     * another trace's. */
    static void say_replaced(const std::string &folder, const result_subject &now);
    /* manifest.json says what is to come, so that a killed command's results are known as incomplete. */
    void begin(const std::vector<planned_result> &plan);
    /* What came of it: `ends` by the plan, or none where it is not known of each; `files` are those beside
     * the folders. */
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
/* Copies the results in the folder into the cache, and says on stderr where they are, or why they are not.
 * Their place has the name and a hash of what they are, so that no other result is written over. */
void keep_results(const std::string &folder, const std::string &name);

} // namespace walkway

#endif
