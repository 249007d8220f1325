/* SPDX-License-Identifier: MIT */
/* workbench/pilot.cpp - estimates a run's time from two seconds on, and stops a run that would take long. */
#include "workbench/pilot.hpp"

#include "run/input.hpp"
#include "run/simulate.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"

#include <chrono>
#include <fstream>

namespace walkway
{

using clock_type = std::chrono::steady_clock;

static constexpr double pilot_seconds = 2;  /* before that, the share of ended work-groups says little */
static constexpr double worth_seconds = 10; /* a run that takes at most this is completed */
static constexpr const char *folder = "/pilots";

static double seconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double>(clock_type::now() - start).count();
}

static std::string kept_file(const std::string &key)
{
    return key.empty() || cache_folder().empty() ? "" : cache_folder() + folder + "/" + key + ".json";
}

static std::optional<run_cost> cost_in(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    const json said = json::parse(in, nullptr, false);
    if (!said.is_array() || said.size() != 3)
        return {};
    return run_cost{said[0], said[1], said[2]};
}

static void write_cost(const std::string &file, const run_cost &cost)
{
    write_file(file, json{cost.seconds, cost.bytes, cost.memory_bytes}.dump());
}

/* Caches the estimate of a run of two seconds or more, so that it is not tried again. Ignores a cache that
 * cannot be written. */
static void keep(const std::string &key, const std::optional<run_cost> &cost)
{
    const std::string file = kept_file(key);
    if (file.empty() || !cost || cost->seconds < pilot_seconds)
        return;
    try {
        make_folder(cache_folder() + folder);
        write_cost(file, *cost);
    } catch (const failure &) {
        return;
    }
}

static job pilot_job(const pilot_order &order, const std::string &file)
{
    return {order.label, [&order, file](const progress_fn &) {
                const auto start = clock_type::now();
                double share = 1;
                const auto watch = [&](const run_progress &at) {
                    const double seconds = seconds_since(start);
                    if (seconds < pilot_seconds || at.groups_done == 0 || interrupted())
                        return !interrupted();
                    const double done =
                        static_cast<double>(at.groups_done) / static_cast<double>(at.groups_total);
                    if (seconds / done <= worth_seconds)
                        return true;
                    share = done;
                    return false;
                };
                const double bytes = order.run(watch);
                if (interrupted())
                    return exit_interrupted;
                write_cost(file, {seconds_since(start) / share, bytes, peak_memory_bytes()});
                return exit_ok;
            }};
}

std::vector<pilot_end> try_runs(const std::vector<pilot_order> &pilots, unsigned parallel)
{
    const temporary_folder scratch;
    std::vector<pilot_end> ends(pilots.size());
    std::vector<job> jobs;
    std::vector<size_t> of;
    for (size_t i = 0; i < pilots.size(); ++i) {
        ends[i] = {exit_ok, cost_in(kept_file(pilots[i].key))};
        if (ends[i].cost)
            continue;
        of.push_back(i);
        jobs.push_back(pilot_job(pilots[i], scratch.path() + "/" + std::to_string(i)));
    }
    const std::vector<job_result> results = run_jobs(jobs, parallel, true);
    if (interrupted())
        throw failure(exit_interrupted, "interrupted before the first run");
    for (size_t k = 0; k < jobs.size(); ++k) {
        ends[of[k]] = {results[k].code, cost_in(scratch.path() + "/" + std::to_string(of[k]))};
        keep(pilots[of[k]].key, ends[of[k]].cost);
    }
    return ends;
}

} // namespace walkway
