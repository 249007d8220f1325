/* SPDX-License-Identifier: MIT */
/* workbench/cluster.cpp - batches out, results in. What jobs leave is loaded while they run; what became of
 * each batch is read from what it left: its log, where it began; done/NAME, where it ended well. */
#include "workbench/cluster.hpp"

#include "run/path_lock.hpp"
#include "run/progress.hpp"
#include "support/interrupt.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "workbench/collector.hpp"
#include "workbench/snakemake.hpp"
#include "workbench/sweep_run.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr unsigned most_refused = 3; /* jobs, before any has run: then there is no cluster */
static constexpr unsigned shortest_nap = 20000, longest_nap = 1000000; /* microseconds between looks */

struct batch_sweep::parts {
    parts(study_machines &m, sweep_plan &p, const sweep_order &how, jobs there_are)
        : machines(m), plan(p), order(how), running(there_are == jobs::running),
          lock(how.results, "sweeps into it"), results(how.results, database::mode::write),
          folder(folder_of_runs(how.results)), place(folder_of_batches(how.results)),
          collect(results, folder), all(m, p)
    {
    }
    study_machines &machines;
    sweep_plan &plan;
    const sweep_order &order;
    const bool running;
    const path_lock lock;
    results_file results;
    const std::string folder, place;
    collector collect;
    sweep_run all;
    int64_t study = 0;
    std::vector<batch> batches; /* all that are known of */

    std::vector<planned_point> points_with_traces() const
    {
        std::vector<planned_point> known;
        for (const planned_point &p : plan.points)
            if (!plan.traces[machines.decode(p.number).workload].checksum.empty())
                known.push_back(p);
        return known;
    }
    void load()
    {
        if (running)
            collect.look_all();
        else
            collect.load_all();
    }
    bool has(const std::string &name) const
    {
        std::error_code ignored;
        return fs::exists(place + "/" + name, ignored);
    }
    bool any_began() const
    {
        std::error_code ignored;
        for (const auto &entry : fs::directory_iterator(place + "/logs", ignored))
            if (entry.file_size(ignored) != 0)
                return true;
        return false;
    }
    void write_sweep(const cluster_order &cluster, const std::vector<size_t> &captures) const;
    void take_captured();
    std::string tale_of(const std::string &log, unsigned &attempts) const;
    uint64_t account();
    exit_code say_captures(const std::vector<size_t> &captures) const;
};

/* What the workflow reads. */
void batch_sweep::parts::write_sweep(const cluster_order &cluster, const std::vector<size_t> &captures) const
{
    std::error_code error;
    json sweep = {{"program", fs::read_symlink("/proc/self/exe", error).string()},
                  {"folder", fs::current_path().string()},
                  {"words", cluster.words},
                  {"capture_words", cluster.capture_words},
                  {"batch_seconds", static_cast<uint64_t>(cluster.batch_seconds)},
                  {"batches", json::array()},
                  {"captures", json::object()}};
    for (const batch &b : batches)
        sweep["batches"].push_back(b.name);
    for (const size_t w : captures)
        sweep["captures"][std::to_string(w + 1)] = machines.study().workloads[w].name;
    make_folder(place + "/logs");
    write_file(place + "/sweep.json", dump(sweep));
}

/* Programs that a job has captured: their points and batches. */
void batch_sweep::parts::take_captured()
{
    for (size_t w = 0; w < plan.traces.size(); ++w) {
        if (!plan.traces[w].checksum.empty() || !read_captured(order.results, w, plan.traces[w], batches))
            continue;
        std::vector<planned_point> points;
        for (const planned_point &p : plan.points)
            if (machines.decode(p.number).workload == w)
                points.push_back(p);
        add_points(results, study, all, points);
    }
}

/* Of a job's log: how often it began, and what it said at last. */
std::string batch_sweep::parts::tale_of(const std::string &log, unsigned &attempts) const
{
    std::ifstream in(place + "/logs/" + log);
    std::string last = "nothing";
    attempts = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 6, "begins") == 0) {
            ++attempts;
            last = "it was ended from outside (its time limit, its memory limit or its machine)";
        } else if (line.compare(0, 9, "walkway: ") == 0) {
            last = line.substr(9);
        }
    }
    return last;
}

/* Runs that their batches did not do: of those that began, rows. Answers how many never began. */
uint64_t batch_sweep::parts::account()
{
    const std::set<std::string> done = results.done();
    uint64_t missing = 0;
    for (const batch &b : batches) {
        if (has("done/" + b.name))
            continue;
        unsigned attempts = 0;
        const std::string tale = tale_of(b.name + ".log", attempts);
        for (size_t i = 0; i < b.keys.size(); ++i) {
            if (done.count(b.keys[i]) != 0 || collect.has(b.keys[i]))
                continue;
            if (attempts == 0)
                ++missing;
            else
                collect.add(record_of_lost(all.order(b.points[i]), exit_law,
                                           "its batch did not do it, begun " + std::to_string(attempts) +
                                               (attempts == 1 ? " time: " : " times: ") + tale));
        }
    }
    return missing;
}

exit_code batch_sweep::parts::say_captures(const std::vector<size_t> &captures) const
{
    exit_code code = exit_ok;
    for (const size_t w : captures) {
        unsigned attempts = 0;
        const std::string log = "capture-" + std::to_string(w + 1) + ".log";
        if (!plan.traces[w].checksum.empty())
            continue;
        const std::string tale = tale_of(log, attempts);
        if (attempts == 0)
            continue; /* counted as what never began */
        std::cerr << "walkway: capturing " << machines.study().workloads[w].name << " failed, begun "
                  << attempts << (attempts == 1 ? " time: " : " times: ") << tale << "; " << place << "/logs/"
                  << log << '\n';
        code = exit_input;
    }
    return code;
}

/* An empty file is a new one; the lock is on the file. */
static const sweep_order &with_file(const sweep_order &order)
{
    make_results_file(order.results);
    return order;
}

batch_sweep::batch_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order, jobs there_are)
    : parts_(std::make_unique<parts>(machines, plan, with_file(order), there_are))
{
    make_folder(parts_->folder);
    parts_->study = begin_study(parts_->results, machines);
    parts_->load();
    add_points(parts_->results, parts_->study, parts_->all, parts_->points_with_traces());
}

batch_sweep::~batch_sweep() = default;

sweep_estimate batch_sweep::estimate()
{
    return estimate_sweep(parts_->machines, parts_->plan, runs_known_in(parts_->order.results, parts_->plan),
                          default_parallel());
}

std::vector<size_t> batch_sweep::to_capture() const
{
    std::vector<bool> wanted(parts_->plan.traces.size(), false);
    for (const planned_point &p : parts_->plan.points)
        wanted[parts_->machines.decode(p.number).workload] = true;
    std::vector<size_t> places;
    for (size_t w = 0; w < wanted.size(); ++w)
        if (wanted[w] && parts_->plan.traces[w].checksum.empty())
            places.push_back(w);
    return places;
}

std::vector<batch> batch_sweep::make(const sweep_estimate &estimate, double seconds_each)
{
    std::error_code error;
    fs::remove_all(parts_->place, error);
    parts_->batches = batches_of(parts_->machines, parts_->plan, estimate, seconds_each, "");
    write_batches(parts_->order.results, parts_->machines, parts_->plan, parts_->batches);
    if (!to_capture().empty())
        write_done(parts_->order.results, parts_->results.done());
    return parts_->batches;
}

exit_code batch_sweep::run(const std::vector<batch> &batches, const cluster_order &cluster)
{
    const std::vector<size_t> captures = to_capture();
    if (batches.empty() && captures.empty())
        return finish();
    parts_->write_sweep(cluster, captures);
    uint64_t left = 0;
    for (const batch &b : batches)
        left += b.keys.size();
    std::string no_cluster;
    bool failed = false;
    {
        snakemake workflow(parts_->place, cluster.profile, parts_->order.parallel);
        progress_line line(parts_->order.quiet);
        uint64_t done = 0;
        unsigned nap = shortest_nap;
        for (bool ended = false; !ended;) {
            ended = workflow.ended(); /* what it left is looked at once more */
            done += parts_->collect.look();
            line.message(text_of_count(done) + " of " + text_of_count(left) + " runs ended" +
                         (captures.empty() ? "" : ", and those of programs to be captured") + "  " +
                         text_of_duration(line.seconds()));
            if (interrupted() || (workflow.refused() >= most_refused && !parts_->any_began()))
                workflow.interrupt();
            if (!ended)
                usleep(nap);
            nap = std::min(nap + shortest_nap, longest_nap);
        }
        failed = !workflow.succeeded();
        no_cluster = workflow.refused() != 0 ? workflow.why() : workflow.last_words();
    }
    parts_->take_captured();
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    const uint64_t missing = parts_->account();
    const exit_code captured = parts_->say_captures(captures);
    const exit_code code = finish();
    if (failed && (missing != 0 || (captured == exit_ok && !parts_->any_began())))
        throw failure(exit_input,
                      "the cluster did not begin " +
                          (missing == 0 ? "what was to be captured"
                                        : text_of_count(missing) + (missing == 1 ? " run" : " runs")) +
                          ": " + as_written(no_cluster) + " (" + parts_->place +
                          "/snakemake.log); the same command goes on where it stopped");
    if (captured != exit_ok)
        return captured;
    return code;
}

exit_code batch_sweep::finish()
{
    parts_->take_captured();
    parts_->load();
    uint64_t counts[3] = {0, 0, 0};
    statement ask(parts_->results.db(),
                  "SELECT status, count(*) FROM results WHERE study_id = ? GROUP BY status");
    ask.with(parts_->study);
    while (ask.step()) {
        const std::string status = ask.text(0);
        counts[status == "done" ? 0 : status == "failed" ? 1 : 2] = static_cast<uint64_t>(ask.integer(1));
    }
    std::cout << text_of_count(counts[0]) << (counts[0] == 1 ? " point done, " : " points done, ")
              << text_of_count(counts[1]) << " failed, "
              << text_of_count(parts_->plan.points.size() - counts[0] - counts[1]) << " missing\n";
    std::cout.flush();
    if (counts[0] == parts_->plan.points.size()) {
        parts_->collect.load_all();
        std::error_code ignored; /* logs stay where something failed */
        fs::remove_all(parts_->place, ignored);
        fs::remove(parts_->folder, ignored);
    }
    return say_what_failed(parts_->results, parts_->machines.study().contents);
}

} // namespace walkway
