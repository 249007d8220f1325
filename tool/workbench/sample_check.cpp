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

static bool by_windows(results_file &results, const std::string &key)
{
    return !std::isnan(results.measured(key, "cycles_half_width"));
}

sweep_plan plan_of_checks(const study_machines &machines, const sweep_plan &plan, results_file &results)
{
    sweep_plan checks = plan;
    checks.sampled.clear();
    checks.points.clear();
    std::set<size_t> seen;
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        if (p.repeat == 0 && seen.count(p.workload) == 0 && by_windows(results, planned.key)) {
            seen.insert(p.workload);
            checks.points.push_back(planned);
        }
    }
    checks.take_keys(machines.study());
    return checks;
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
        if (!ask.with(begin, planned.key, begin, begin).step())
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

/* Returns a line for each completed check: "SAMPLED: mvt on apu-micro18 was run whole, too: 1,234,567 cycles
 * +- 4.5 %, whole 1,230,000: off by +0.4 %". */
static std::vector<std::string> texts_of_checks(results_file &results, const study_machines &machines,
                                                const sweep_plan &plan)
{
    std::vector<std::string> texts;
    for (const planned_point &planned : plan_of_checks(machines, plan, results).points) {
        const double whole = results.measured(planned.key, "cycles");
        if (std::isnan(whole))
            continue;
        const double cycles = results.measured(planned.key + plan.sampled, "cycles"),
                     half = results.measured(planned.key + plan.sampled, "cycles_half_width"),
                     off = 100 * (cycles / whole - 1);
        const point p = machines.decode(planned.number);
        texts.push_back("SAMPLED: " + machines.study().workloads[p.workload].name + " on " +
                        machines.machine_name(p) + " was run whole, too: " + text_of_real(cycles, 0) +
                        " cycles +- " + text_of_real(100 * half / cycles, 1) + " %, whole " +
                        text_of_real(whole, 0) + ": off by " + (off < 0 ? "" : "+") + text_of_real(off, 1) +
                        " %" + (std::fabs(cycles - whole) <= half ? "" : ", MORE than its half width"));
    }
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
    for (const std::string &text : texts_of_checks(results, machines, plan))
        notes.push_back(text);
    return notes;
}

} // namespace walkway
