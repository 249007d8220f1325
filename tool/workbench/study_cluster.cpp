/* SPDX-License-Identifier: MIT */
/* workbench/study_cluster.cpp - jobs out, and what became of them. Results are where the study keeps them:
 * nothing is to be collected. */
#include "workbench/study_cluster.hpp"

#include "support/interrupt.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "workbench/study_batches.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace walkway
{

namespace fs = std::filesystem;

static void stop_where_interrupted()
{
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
}

/* Logs stay where something failed. */
static void remove_batches(const study_order &o)
{
    std::error_code ignored;
    fs::remove_all(folder_of_batches(o), ignored);
}

void capture_on_cluster(const study &s, const study_order &o, const cluster_order &cluster)
{
    const std::vector<study_capture> captures = captures_of(s, o, false);
    const std::vector<size_t> places = missing_captures(captures);
    if (places.empty())
        return;
    remove_batches(o);
    std::map<size_t, std::string> names;
    for (const size_t i : places)
        names[i + 1] = captures[i].name;
    if (!o.quiet)
        std::cerr << "capturing " << places.size() << " programs\n";
    workflow there(folder_of_batches(o));
    there.write(cluster, {}, names);
    there.run(cluster.profile, o.parallel, o.quiet, [&](double seconds) {
        const size_t done = static_cast<size_t>(std::count_if(places.begin(), places.end(), [&](size_t i) {
            std::error_code ignored;
            return fs::exists(captures[i].path, ignored);
        }));
        return text_of_count(done) + " of " + text_of_count(places.size()) + " programs captured  " +
               text_of_duration(seconds);
    });
    stop_where_interrupted();
    const std::vector<study_capture> now = captures_of(s, o, false);
    bool waits = false;
    for (const size_t i : places) {
        unsigned attempts = 0;
        const std::string log = "capture-" + std::to_string(i + 1) + ".log",
                          tale = there.tale_of(log, attempts);
        if (now[i].there)
            continue;
        if (attempts != 0)
            throw failure(exit_input, "capturing " + now[i].name + " failed, " +
                                          workflow::text_of_tale(tale, attempts) + "; " +
                                          folder_of_batches(o) + "/logs/" + log);
        waits = true;
    }
    if (waits)
        there.refuse(0);
}

/* Of a run without result: why, on stderr. exit_ok where it never began. */
static exit_code say_why(const planned_run &run, const study_batch &b, const workflow &there,
                         const study_order &o)
{
    const run_failure left = failure_of(o, run);
    unsigned attempts = 0;
    const std::string tale = there.tale_of(b.name + ".log", attempts);
    if (left.code == exit_ok && attempts == 0)
        return exit_ok;
    std::cerr << "walkway: " << run.spec.label << ": "
              << (left.code != exit_ok ? left.reason
                                       : "its batch did not do it, " + workflow::text_of_tale(tale, attempts))
              << '\n';
    return left.code != exit_ok ? left.code : exit_law;
}

exit_code run_on_cluster(std::vector<planned_run> &runs, const study_order &o, const cluster_order &cluster)
{
    std::vector<planned_run *> missing = missing_of(runs);
    say_missing(runs, missing.size(), o);
    if (missing.empty())
        return exit_ok;
    const std::vector<study_batch> batches = make_batches(runs, missing, o, cluster.batch_seconds);
    if (missing.empty()) {
        remove_batches(o);
        return exit_ok;
    }
    std::vector<std::string> names;
    for (const study_batch &b : batches)
        names.push_back(b.name);
    workflow there(folder_of_batches(o));
    there.write(cluster, names, {});
    there.run(cluster.profile, o.parallel, o.quiet, [&](double seconds) {
        const size_t done =
            static_cast<size_t>(std::count_if(missing.begin(), missing.end(), [](planned_run *r) {
                std::error_code ignored;
                return fs::exists(r->folder + "/stats.json", ignored);
            }));
        return text_of_count(done) + " of " + text_of_count(missing.size()) + " runs ended  " +
               text_of_duration(seconds);
    });
    stop_where_interrupted();
    exit_code worst = exit_ok;
    uint64_t unbegun = 0, at = 0;
    for (const study_batch &b : batches)
        for (size_t i = 0; i < b.folders.size(); ++i) {
            const planned_run &run = *missing[at++]; /* batches have them in this order */
            if (is_kept(run))
                continue;
            const exit_code code = say_why(run, b, there, o);
            unbegun += code == exit_ok;
            worst = worst == exit_ok ? code : worst;
        }
    if (unbegun != 0)
        there.refuse(unbegun);
    if (worst == exit_ok)
        remove_batches(o);
    return worst;
}

} // namespace walkway
