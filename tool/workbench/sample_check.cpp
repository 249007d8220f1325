/* SPDX-License-Identifier: MIT */
/* workbench/sample_check.cpp - see sample_check.hpp. */
#include "workbench/sample_check.hpp"

#include "support/names.hpp"
#include "support/numbers.hpp"

#include <cmath>
#include <map>
#include <set>

namespace walkway
{

/* Returns NaN if the run is not done, or lacks the metric. */
static double metric_of(results_file &results, const std::string &key, const char *name)
{
    statement ask(
        results.db(),
        "SELECT v.value FROM run_statistics v JOIN statistics s ON s.id = v.statistic JOIN runs r ON r.id = "
        "v.run WHERE r.key = ? AND s.name = ?");
    return ask.with(key, std::string(name)).step() ? ask.real(0) : std::nan("");
}

static bool by_windows(results_file &results, const std::string &key)
{
    return !std::isnan(metric_of(results, key, "cycles_half_width"));
}

sweep_plan plan_of_checks(const study_machines &machines, const sweep_plan &plan, results_file &results)
{
    sweep_plan checks = plan;
    checks.sampled.clear();
    checks.points.clear();
    std::set<size_t> seen;
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        if (p.repeat == 0 && seen.count(p.workload) == 0 &&
            by_windows(results, plan.key(machines.study(), p, planned))) {
            seen.insert(p.workload);
            checks.points.push_back(planned);
        }
    }
    return checks;
}

std::vector<sample_check> checks_in(results_file &results, const study_machines &machines,
                                    const sweep_plan &plan)
{
    std::vector<sample_check> all;
    if (plan.sampled.empty())
        return all;
    const sweep_plan checks = plan_of_checks(machines, plan, results);
    for (const planned_point &planned : checks.points) {
        const point p = machines.decode(planned.number);
        const study_file &study = machines.study();
        const std::string sampled = plan.key(study, p, planned);
        const double whole = metric_of(results, checks.key(study, p, planned), "cycles");
        if (!std::isnan(whole))
            all.push_back({study.workloads[p.workload].name, machines.machine_name(p),
                           metric_of(results, sampled, "cycles"),
                           metric_of(results, sampled, "cycles_half_width"), whole});
    }
    return all;
}

/* Returns a line for each workload of which some runs were whole. */
static std::vector<std::string> texts_of_whole(results_file &results, const study_machines &machines,
                                               const sweep_plan &plan)
{
    struct whole_runs {
        std::vector<std::string> machines;
        std::set<std::string> seen; /* the same: perturbed runs are of one machine */
        std::string why;            /* of the first */
    };
    std::map<size_t, whole_runs> of; /* by workload */
    statement ask(results.db(), "SELECT substr(reason, length(?) + 1) FROM runs WHERE key = ? AND status = "
                                "'done' AND substr(reason, 1, length(?)) = ?");
    const std::string begin = run_whole;
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        if (!ask.with(begin, plan.key(machines.study(), p, planned), begin, begin).step())
            continue;
        whole_runs &here = of[p.workload];
        if (const std::string name = machines.machine_name(p); here.seen.insert(name).second)
            here.machines.push_back(name);
        here.why = here.why.empty() ? ask.text(0) : here.why;
    }
    std::vector<std::string> texts;
    for (const auto &[workload, runs] : of)
        texts.push_back("RUN WHOLE, not sampled: " + machines.study().workloads[workload].name + " on " +
                        listed(runs.machines, 4) + ": " + runs.why +
                        (runs.machines.size() > 1 ? " (" + runs.machines.front() + ")" : ""));
    return texts;
}

std::vector<std::string> sample_notes(results_file &results, const study_machines &machines,
                                      const sweep_plan &plan)
{
    std::vector<std::string> notes = plan.not_sampled;
    if (plan.sampled.empty())
        return notes;
    for (const std::string &text : texts_of_whole(results, machines, plan))
        notes.push_back(text);
    for (const sample_check &check : checks_in(results, machines, plan))
        notes.push_back(text_of(check));
    return notes;
}

std::string text_of(const sample_check &c)
{
    return "SAMPLED: " + c.workload + " on " + c.machine +
           " was run whole, too: " + text_of_real(c.cycles, 0) + " cycles +- " +
           text_of_real(100 * c.half_width / c.cycles, 1) + " %, whole " + text_of_real(c.whole, 0) +
           ": off by " + (c.off() < 0 ? "" : "+") + text_of_real(100 * c.off(), 1) + " %" +
           (c.holds() ? "" : ", MORE than its half width");
}

} // namespace walkway
