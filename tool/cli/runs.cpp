/* SPDX-License-Identifier: MIT */
/* cli/runs.cpp - runs several simulations in parallel. Each returns its result through its folder, as in
 * `walkway compare`, so that the output does not depend on how many run at a time. */
#include "cli/runs.hpp"

#include "report/comparison.hpp"
#include "report/energy.hpp"
#include "report/summary.hpp"
#include "run/result.hpp"
#include "run/result_folder.hpp"
#include "run/simulation_job.hpp"
#include "support/paths.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>

namespace walkway
{

namespace
{

struct one_run {
    platform_spec *machine;
    std::string trace, label, name, folder;
};

/* Names each run by what differs among them: "2-atax", "1-apu-micro18", "3-mvt-apu-micro18-gpu.cus=16". */
std::vector<one_run> planned(several_runs &runs, const std::string &parent)
{
    std::vector<one_run> all;
    for (const std::string &trace : runs.traces)
        for (platform_spec &machine : runs.machines) {
            const std::filesystem::path file(trace);
            std::string name = std::to_string(all.size() + 1);
            if (runs.traces.size() > 1)
                name += "-" + file_name_of(file.stem().string());
            if (runs.machines.size() > 1)
                name += "-" + file_name_of(machine.label);
            const std::string on = runs.traces.size() > 1 ? " on " + file.filename().string() : "";
            all.push_back({&machine, trace, machine.label + on, name, parent + "/" + name});
        }
    return all;
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

exit_code run_several(several_runs &runs)
{
    const temporary_folder scratch;
    const std::string parent = runs.folder.empty() ? scratch.path() : runs.folder;
    const std::vector<one_run> all = planned(runs, parent);
    for (const one_run &run : all)
        check_place_of_results(run.folder);
    if (runs.place != nullptr) {
        std::vector<planned_result> plan;
        for (const one_run &run : all)
            plan.push_back({run.name, run.machine->label, run.trace});
        runs.place->clear(plan);
        runs.place->begin(plan);
    }
    std::vector<job> jobs;
    for (const one_run &run : all) {
        make_folder(run.folder);
        jobs.push_back(
            simulation_job(*run.machine, run.trace, run.folder, kept::always, run.label, runs.scope));
    }
    const auto start = std::chrono::steady_clock::now();
    const std::vector<job_result> ends = run_jobs(jobs, runs.parallel, runs.quiet);
    const exit_code first = report_ends(jobs, ends);
    if (runs.folder.empty() && seconds_since(start) >= long_seconds)
        keep_results(parent, all.front().machine->label + "-and-others");
    std::vector<named_result> results;
    for (const one_run &run : all)
        results.push_back({run.label, read_result(run.folder + "/stats.json")});
    if (runs.form.text())
        print_runs(std::cout, results, runs.laws);
    for (size_t i = 0; runs.energy && runs.form.text() && i < results.size(); ++i)
        if (!results[i].stats.is_null()) {
            std::cout << "\n[" << i + 1 << "] " << results[i].label << '\n';
            print_energy(std::cout, results[i].stats.at("statistics"));
        }
    json list = json::array();
    for (const named_result &run : results)
        list.push_back({{"run", run.label}, {"result", run.stats}});
    write_forms(runs.form, results_table(results, false), {{"schema_version", 1}, {"runs", list}});
    if (!runs.folder.empty() && runs.form.text())
        std::cout << "statistics: in " << runs.folder << ", a folder for each row\n";
    if (runs.place != nullptr)
        runs.place->finish(ends, {});
    return first;
}

} // namespace walkway
