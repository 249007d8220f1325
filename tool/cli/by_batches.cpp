/* SPDX-License-Identifier: MIT */
/* cli/by_batches.cpp - see by_batches.hpp. */
#include "cli/by_batches.hpp"

#include "support/errors.hpp"

#include <cstdio>

namespace walkway
{

std::vector<option_def> batch_option_defs()
{
    return {
        {"cluster", 0, "PROFILE",
         "captures, and batches of the runs, as jobs of a cluster; --jobs is then of these (default 100)"},
        {"batch-seconds", 0, "N", "what a batch is to take, as far as is known (default 300)"},
        {"capture", 0, "WORKLOAD", "only capture this program, and make the batches of its runs"},
        {"batch", 0, "NAME", "only this batch's runs, --jobs at a time (default 1)"}};
}

std::string way_of(const arguments &args, std::initializer_list<const char *> ways)
{
    const char *way = nullptr;
    for (const char *option : ways)
        if (args.has(option)) {
            if (way != nullptr)
                throw failure(exit_usage, std::string("--") + way + " and --" + option + ": one of them");
            way = option;
        }
    return way == nullptr ? "" : way;
}

unsigned parallel_of(const std::string &way)
{
    if (way == "cluster" || way == "batches")
        return 100;
    return way == "batch" || way == "capture" ? 1 : default_parallel();
}

std::vector<std::string> said(const arguments &args, std::initializer_list<const char *> options)
{
    std::vector<std::string> all;
    for (const char *option : options)
        for (const std::string &value : args.values(option))
            all.push_back(std::string("--") + option + " " + value);
    return all;
}

cluster_order cluster_of(const arguments &args, std::vector<std::string> words,
                         std::initializer_list<const char *> options)
{
    cluster_order cluster{
        args.value("cluster"),
        std::move(words),
        {},
        static_cast<double>(args.number("batch-seconds", default_batch_seconds, 1, most_batch_seconds))};
    for (const char *option : options)
        for (const std::string &value : args.values(option))
            cluster.words.push_back(std::string("--") + option + (value.empty() ? "" : "=" + value));
    return cluster;
}

table table_of(const std::vector<batch> &batches, const study_machines &machines)
{
    table t({"batch", "runs", "from", "seconds", "MiB", "minutes"});
    t.align_left();
    for (const batch &b : batches) {
        const size_t first = machines.decode(b.points.front().number).workload;
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.1f", b.seconds);
        t.row({b.name, std::to_string(b.points.size()), machines.study().workloads[first].name, seconds,
               std::to_string(b.memory_mib), std::to_string(b.minutes)});
    }
    t.number_columns(1);
    t.number_columns(3, 3);
    return t;
}

std::string text_of_work(const study_machines &machines, const sweep_plan &plan, const sweep_order &order,
                         const sweep_estimate &estimate, size_t batches, const std::vector<size_t> &captures)
{
    std::string text = text_of_count(plan.points.size()) +
                       " points: " + text_of_estimate(estimate, order.parallel) + text_of_count(batches) +
                       (batches == 1 ? " batch" : " batches");
    for (const size_t w : captures)
        text += (w == captures.front() ? "; to be captured first, for more: " : ", ") +
                machines.study().workloads[w].name;
    return text + "\n";
}

exit_code run_on_cluster(study_machines &machines, sweep_plan &plan, const sweep_order &order,
                         const cluster_order &cluster)
{
    batch_sweep sweep(machines, plan, order, batch_sweep::jobs::none);
    exit_code worst = exit_ok;
    for (bool first = true;; first = false) {
        const sweep_estimate estimate = sweep.estimate();
        if (!first && estimate.missing.empty())
            return worst; /* nothing is left to run: runs without a result have failed, and have logs */
        const std::vector<batch> batches = sweep.make(estimate, cluster.batch_seconds);
        const std::vector<size_t> captures = sweep.to_capture();
        order.out << text_of_work(machines, plan, order, estimate, batches.size(), captures) << std::flush;
        const exit_code code = sweep.run(batches, cluster);
        worst = worst == exit_ok ? code : worst;
        if (captures.empty() || sweep.to_capture() == captures) /* no capture has succeeded */
            return worst;
    }
}

} // namespace walkway
