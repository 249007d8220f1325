/* SPDX-License-Identifier: MIT */
/* workbench/cluster.cpp - writes batches and loads results, also while jobs run. The files of a batch give
 * its state: it has a log if it began, and done/NAME if it succeeded. */
#include "workbench/cluster.hpp"

#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"

#include <filesystem>
#include <iostream>

namespace walkway
{

namespace fs = std::filesystem;

batch_sweep::batch_sweep(study_machines &m, sweep_plan &p, const sweep_order &how, jobs there_are)
    : open_study(m, p, how), running_(there_are == jobs::running), place_(folder_of_batches(how.results))
{
    load();
    add_points(points_with_traces());
}

std::vector<planned_point> batch_sweep::points_with_traces() const
{
    std::vector<planned_point> known;
    for (const planned_point &p : plan.points)
        if (!p.key.empty())
            known.push_back(p);
    return known;
}

void batch_sweep::load()
{
    if (running_)
        collect.look_all();
    else
        collect.load_all();
}

/* Adds the points and batches of programs that jobs have captured. */
void batch_sweep::take_captured()
{
    bool any = false;
    for (size_t w = 0; w < plan.traces.size(); ++w)
        if (plan.traces[w].checksum.empty())
            any = read_captured(order.results, w, plan.traces[w], batches_) || any;
    plan.take_keys(machines.study());
    if (any)
        add_points(points_with_traces());
}

/* Adds a failed row for each run without a record whose batch began. Returns the number of such runs whose
 * batch never began. */
uint64_t batch_sweep::account()
{
    const std::set<std::string> done = results.done();
    uint64_t missing = 0;
    for (const batch &b : batches_) {
        if (std::error_code ignored; fs::exists(place_ + "/done/" + b.name, ignored))
            continue;
        const job_tale tale = tale_of(place_, b.name + ".log");
        for (const planned_point &p : b.points) {
            if (done.count(p.key) != 0 || collect.has(p.key))
                continue;
            if (tale.attempts == 0)
                ++missing;
            else
                collect.add(record_of_lost(all.order(p), exit_law, "its batch did not do it, " + tale.text));
        }
    }
    return missing;
}

exit_code batch_sweep::say_captures(const std::vector<size_t> &captures) const
{
    exit_code code = exit_ok;
    for (const size_t w : captures) {
        const std::string log = "capture-" + std::to_string(w + 1) + ".log";
        const job_tale tale = tale_of(place_, log);
        if (!plan.traces[w].checksum.empty() || tale.attempts == 0)
            continue; /* captured, or reported as never begun */
        std::cerr << "walkway: capturing " << machines.study().workloads[w].name << " failed, " << tale.text
                  << "; " << place_ << "/logs/" << log << '\n';
        code = exit_input;
    }
    return code;
}

sweep_estimate batch_sweep::estimate()
{
    sweep_order here = order; /* its `parallel` is for the cluster: too many for this machine */
    here.parallel = default_parallel();
    return estimate_sweep(machines, plan, runs_known_in(results), here);
}

std::vector<size_t> batch_sweep::to_capture() const
{
    std::set<size_t> places;
    for (const planned_point &p : plan.points) {
        const size_t w = machines.decode(p.number).workload;
        for (const workload_trace *t : plan.traces_of(machines.study().workloads[w], w))
            if (t->checksum.empty())
                places.insert(static_cast<size_t>(t - plan.traces.data()));
    }
    return {places.begin(), places.end()};
}

std::vector<batch> batch_sweep::make(const sweep_estimate &estimate, double seconds_each)
{
    std::error_code error;
    fs::remove_all(place_, error);
    batches_ = batches_of(machines, estimate, seconds_each, "");
    write_batches(order.results, machines, plan, batches_);
    if (const std::vector<size_t> captures = to_capture(); !captures.empty())
        write_captures(order.results, captures, results.done());
    return batches_;
}

exit_code batch_sweep::run(const std::vector<batch> &batches, const cluster_order &cluster)
{
    const std::vector<size_t> captures = to_capture();
    if (batches.empty() && captures.empty())
        return finish();
    std::map<size_t, std::string> names;
    for (const size_t w : captures)
        names[w + 1] = machines.study().workloads[w].name;
    write_workflow(place_, cluster, names_of(batches_), names);
    uint64_t left = 0, done = 0;
    for (const batch &b : batches)
        left += b.points.size();
    const workflow_end end =
        run_workflow(place_, cluster.profile, order.parallel, order.quiet, [&](double seconds) {
            done += collect.look();
            return text_of_count(done) + " of " + text_of_count(left) + " runs ended" +
                   (captures.empty() ? "" : ", and those of programs to be captured") + "  " +
                   text_of_duration(seconds);
        });
    take_captured();
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    const uint64_t missing = account();
    const exit_code captured = say_captures(captures);
    const exit_code code = finish();
    if (end.failed && (missing != 0 || (captured == exit_ok && !any_job_began(place_))))
        throw failure(exit_input,
                      "the cluster did not begin " +
                          (missing == 0 ? "what was to be captured"
                                        : text_of_count(missing) + (missing == 1 ? " run" : " runs")) +
                          ": " + as_written(end.why) + " (" + place_ +
                          "/snakemake.log); the same command goes on where it stopped");
    if (captured != exit_ok)
        return captured;
    return code;
}

exit_code batch_sweep::finish()
{
    take_captured();
    load();
    uint64_t counts[2] = {0, 0}; /* done, failed */
    statement ask(results.db(), "SELECT r.status, count(*) FROM json_each(?) k JOIN runs r "
                                "ON r.key = k.value GROUP BY r.status");
    ask.with(all.keys().dump());
    while (ask.step())
        counts[ask.text(0) == "done" ? 0 : 1] = static_cast<uint64_t>(ask.integer(1));
    order.out << text_of_count(counts[0]) << (counts[0] == 1 ? " point done, " : " points done, ")
              << text_of_count(counts[1]) << " failed, "
              << text_of_count(plan.points.size() - counts[0] - counts[1]) << " missing\n";
    order.out.flush();
    /* Jobs may run batches of other points of the study. */
    if (counts[0] == plan.points.size() && batches_are_done(order.results, results.done())) {
        collect.load_all();
        collect.load_tried();    /* runs that another command has done since they were tried */
        std::error_code ignored; /* logs stay unless all points are done */
        fs::remove_all(place_, ignored);
        collect.remove_folder();
    }
    return say_what_failed(results, all);
}

} // namespace walkway
