/* SPDX-License-Identifier: MIT */
/* workbench/pilot.cpp - runs that are stopped after two seconds. */
#include "workbench/pilot.hpp"

#include "support/interrupt.hpp"
#include "support/paths.hpp"
#include "workbench/run_record.hpp"

#include <chrono>
#include <fstream>

namespace walkway
{

using clock_type = std::chrono::steady_clock;

static constexpr double pilot_seconds = 2;

static double seconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double>(clock_type::now() - start).count();
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
                    share = static_cast<double>(at.groups_done) / static_cast<double>(at.groups_total);
                    return false;
                };
                simulation result =
                    simulate(*order.machine(), order.trace, watch, {}, {}, order.scope, order.with);
                if (interrupted())
                    return exit_interrupted;
                const double seconds = seconds_since(start) / share;
                const json kept = recorded(result.stats.at("statistics"), order.record);
                double bytes = 400;
                for (const auto &item : kept.items())
                    bytes += item.value().contains("buckets")
                                 ? 60 + static_cast<double>(item.value().at("buckets").dump().size())
                                 : 15;
                write_file(file, dump({{"seconds", seconds},
                                       {"bytes", bytes},
                                       {"memory_bytes", result.host.at("peak_memory_bytes")}}));
                return exit_ok;
            }};
}

std::vector<pilot_end> try_runs(const std::vector<pilot_order> &pilots, unsigned parallel)
{
    const temporary_folder scratch;
    std::vector<job> jobs;
    for (size_t i = 0; i < pilots.size(); ++i)
        jobs.push_back(pilot_job(pilots[i], scratch.path() + "/" + std::to_string(i)));
    const std::vector<job_result> results = run_jobs(jobs, parallel, true);
    if (interrupted())
        throw failure(exit_interrupted, "interrupted before the first run");
    std::vector<pilot_end> ends;
    for (size_t i = 0; i < jobs.size(); ++i) {
        std::ifstream in(scratch.path() + "/" + std::to_string(i), std::ios::binary);
        const json said = json::parse(in, nullptr, false);
        ends.push_back({results[i].code});
        if (!said.is_object())
            continue;
        ends.back().known = true;
        ends.back().seconds = said.at("seconds");
        ends.back().bytes = said.at("bytes");
        ends.back().memory_bytes = said.at("memory_bytes");
    }
    return ends;
}

} // namespace walkway
