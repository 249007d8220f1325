/* SPDX-License-Identifier: MIT */
/* workbench/cluster.cpp - writes batches and loads results, also while jobs run. The files of a batch give
 * its state: it has a log if it began, and done/NAME if it succeeded. */
#include "workbench/cluster.hpp"

#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "workbench/sweep_run.hpp"

#include <filesystem>
#include <iostream>

namespace walkway
{

namespace fs = std::filesystem;

struct batch_sweep::parts : open_study {
    parts(study_machines &m, sweep_plan &p, const sweep_order &how, jobs there_are)
        : open_study(m, p, how), running(there_are == jobs::running), place(folder_of_batches(how.results)),
          jobs_there(place)
    {
    }
    const bool running;
    const std::string place;
    workflow jobs_there;
    std::vector<batch> batches; /* those made here, and those of captured programs */

    std::vector<planned_point> points_with_traces() const
    {
        std::vector<planned_point> known;
        for (const planned_point &p : plan.points)
            if (plan.has_traces(machines.study(), machines.decode(p.number).workload))
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
    void take_captured();
    uint64_t account();
    exit_code say_captures(const std::vector<size_t> &captures) const;
};

/* Adds the points and batches of programs that jobs have captured. */
void batch_sweep::parts::take_captured()
{
    bool any = false;
    for (size_t w = 0; w < plan.traces.size(); ++w)
        if (plan.traces[w].checksum.empty())
            any = read_captured(order.results, w, plan.traces[w], batches) || any;
    if (any)
        add_points(points_with_traces());
}

/* Adds a failed row for each run without a record whose batch began. Returns the number of such runs whose
 * batch never began. */
uint64_t batch_sweep::parts::account()
{
    const std::set<std::string> done = results.done();
    uint64_t missing = 0;
    for (const batch &b : batches) {
        if (jobs_there.ended_well(b.name))
            continue;
        unsigned attempts = 0;
        const std::string tale = jobs_there.tale_of(b.name + ".log", attempts);
        for (size_t i = 0; i < b.keys.size(); ++i) {
            if (done.count(b.keys[i]) != 0 || collect.has(b.keys[i]))
                continue;
            if (attempts == 0)
                ++missing;
            else
                collect.add(
                    record_of_lost(all.order(b.points[i]), exit_law,
                                   "its batch did not do it, " + workflow::text_of_tale(tale, attempts)));
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
        const std::string tale = jobs_there.tale_of(log, attempts);
        if (attempts == 0)
            continue; /* reported as never begun */
        std::cerr << "walkway: capturing " << machines.study().workloads[w].name << " failed, "
                  << workflow::text_of_tale(tale, attempts) << "; " << place << "/logs/" << log << '\n';
        code = exit_input;
    }
    return code;
}

batch_sweep::batch_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order, jobs there_are)
    : parts_(std::make_unique<parts>(machines, plan, order, there_are))
{
    parts_->load();
    parts_->add_points(parts_->points_with_traces());
}

batch_sweep::~batch_sweep() = default;

sweep_estimate batch_sweep::estimate()
{
    sweep_order here = parts_->order; /* its `parallel` is for the cluster: too many for this machine */
    here.parallel = default_parallel();
    return estimate_sweep(parts_->machines, parts_->plan, runs_known_in(parts_->results), here);
}

std::vector<size_t> batch_sweep::to_capture() const
{
    const study_file &study = parts_->machines.study();
    std::set<size_t> places;
    for (const planned_point &p : parts_->plan.points) {
        const size_t w = parts_->machines.decode(p.number).workload;
        for (const workload_trace *t : parts_->plan.traces_of(study.workloads[w], w))
            if (t->checksum.empty())
                places.insert(static_cast<size_t>(t - parts_->plan.traces.data()));
    }
    return {places.begin(), places.end()};
}

std::vector<batch> batch_sweep::make(const sweep_estimate &estimate, double seconds_each)
{
    std::error_code error;
    fs::remove_all(parts_->place, error);
    parts_->batches = batches_of(parts_->machines, parts_->plan, estimate, seconds_each, "");
    write_batches(parts_->order.results, parts_->machines, parts_->plan, parts_->batches);
    if (const std::vector<size_t> captures = to_capture(); !captures.empty())
        write_captures(parts_->order.results, captures, parts_->results.done());
    return parts_->batches;
}

exit_code batch_sweep::run(const std::vector<batch> &batches, const cluster_order &cluster)
{
    const std::vector<size_t> captures = to_capture();
    if (batches.empty() && captures.empty())
        return finish();
    std::map<size_t, std::string> names;
    for (const size_t w : captures)
        names[w + 1] = parts_->machines.study().workloads[w].name;
    workflow &there = parts_->jobs_there;
    there.write(cluster, names_of(parts_->batches), names);
    uint64_t left = 0, done = 0;
    for (const batch &b : batches)
        left += b.keys.size();
    there.run(cluster.profile, parts_->order.parallel, parts_->order.quiet, [&](double seconds) {
        done += parts_->collect.look();
        return text_of_count(done) + " of " + text_of_count(left) + " runs ended" +
               (captures.empty() ? "" : ", and those of programs to be captured") + "  " +
               text_of_duration(seconds);
    });
    parts_->take_captured();
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    const uint64_t missing = parts_->account();
    const exit_code captured = parts_->say_captures(captures);
    const exit_code code = finish();
    if (there.failed() && (missing != 0 || (captured == exit_ok && !there.any_began())))
        there.refuse(missing);
    if (captured != exit_ok)
        return captured;
    return code;
}

exit_code batch_sweep::finish()
{
    parts_->take_captured();
    parts_->load();
    uint64_t counts[2] = {0, 0}; /* done, failed */
    statement ask(parts_->results.db(), "SELECT r.status, count(*) FROM json_each(?) k JOIN runs r "
                                        "ON r.key = k.value GROUP BY r.status");
    ask.with(parts_->all.keys().dump());
    while (ask.step())
        counts[ask.text(0) == "done" ? 0 : 1] = static_cast<uint64_t>(ask.integer(1));
    parts_->order.out << text_of_count(counts[0]) << (counts[0] == 1 ? " point done, " : " points done, ")
                      << text_of_count(counts[1]) << " failed, "
                      << text_of_count(parts_->plan.points.size() - counts[0] - counts[1]) << " missing\n";
    parts_->order.out.flush();
    /* Jobs may run batches of other points of the study. */
    if (counts[0] == parts_->plan.points.size() &&
        batches_are_done(parts_->order.results, parts_->results.done())) {
        parts_->collect.load_all();
        parts_->collect.load_tried(); /* runs that another command has done since they were tried */
        std::error_code ignored;      /* logs stay unless all points are done */
        fs::remove_all(parts_->place, ignored);
        parts_->collect.remove_folder();
    }
    return say_what_failed(parts_->results, parts_->all);
}

} // namespace walkway
