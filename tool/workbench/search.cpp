/* SPDX-License-Identifier: MIT */
/* workbench/search.cpp - passes known results to the chooser, runs its choice, passes the new results back.
 * A repeated search makes the same choices, and the results file has their runs already. */
#include "workbench/search.hpp"

#include "report/listing.hpp"
#include "report/spread.hpp"
#include "run/headline.hpp"
#include "run/progress.hpp"
#include "run/trace_file.hpp"
#include "support/names.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "workbench/results_rows.hpp"
#include "workbench/run_record.hpp"
#include "workbench/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>

namespace walkway
{

namespace
{

constexpr const char *histogram_fields[] = {"count", "sum", "min", "max", "mean", "p50", "p99"};
/* The objective "energy" is the sum of those that the machine has: on-chip arrays, and reads of walks. */
constexpr const char *energies[] = {"arrays.energy", "energy.walk_reads_actual"};

/* Returns the names of the metrics that a run of this machine records. Uses a child process, as each process
 * can build only one machine. */
std::vector<std::string> metrics_of(platform_spec &spec, const std::vector<std::string> &record, bool quiet)
{
    const temporary_folder scratch;
    const std::string file = scratch.path() + "/names";
    const auto list = [&](const progress_fn &) {
        ask_idle_machine(spec, [&](const platform &machine) {
            const json all = statistics_json(machine), headline = headline_json(machine, all),
                       kept = recorded(all, record);
            std::string names = "bits\n";
            for (const auto &item : headline.items())
                names += item.key() + "\n";
            for (const auto &item : kept.items()) {
                if (!item.value().contains("buckets"))
                    names += item.key() + "\n";
                else
                    for (const char *field : histogram_fields)
                        names += item.key() + "." + field + "\n";
            }
            write_file(file, names);
        });
        return exit_ok;
    };
    const std::vector<job_result> ends = run_jobs({{spec.label, list}}, 1, quiet);
    if (ends.front().code != exit_ok)
        throw failure(ends.front().code, spec.label + ": nothing was run");
    std::vector<std::string> names;
    std::ifstream in(file);
    for (std::string name; std::getline(in, name);)
        names.push_back(name);
    return names;
}

objective objective_of(const std::string &text, const std::vector<std::string> &names)
{
    const std::string before = "--objective: ";
    objective o{text, {}, false};
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() > 2 || (parts.size() == 2 && parts[1] != "highest" && parts[1] != "lowest"))
        throw failure(exit_usage,
                      before + "'" + as_written(text) + "': behind ':' is lowest (the default) or highest");
    o.highest = parts.size() == 2 && parts[1] == "highest";
    if (parts.front() == "energy")
        for (const char *name : energies)
            if (is_among(name, names))
                o.metrics.emplace_back(name);
    if (!o.metrics.empty())
        return o;
    o.metrics = split(parts.front(), '+');
    for (const std::string &name : o.metrics)
        place_of(name, names,
                 before + (name.empty() ? "an empty name" : "no metric '" + as_written(name) + "'"),
                 "; 'walkway list stats' has them all, the study's 'record' may leave some out");
    return o;
}

/* Exact if all values are equal. */
double geometric_mean(const std::vector<double> &values)
{
    double logarithms = 0;
    bool equal = true;
    for (const double v : values) {
        logarithms += std::log(v);
        equal = equal && v == values.front();
    }
    return equal ? values.front() : std::exp(logarithms / static_cast<double>(values.size()));
}

/* The machines that a search knows before each choice without having chosen them, from the file of results.
 * Kept in that file, so that a restarted search repeats its choices although the file has more results. Only
 * files that a search has written have this table. */
class search_history
{
public:
    /* Searches with equal `asked` share their history. */
    search_history(results_file &results, std::string asked) : db_(results.db()), asked_(std::move(asked))
    {
        db_.run(
            "CREATE TABLE IF NOT EXISTS search_steps(asked TEXT NOT NULL, step INTEGER NOT NULL, known TEXT "
            "NOT NULL, PRIMARY KEY(asked, step)) WITHOUT ROWID");
    }

    /* Returns the numbers of the machines passed to the chooser before choice `step`. The first step that
     * the history lacks takes them from `find`; later steps have none. */
    json known_before(int64_t step, const std::function<json()> &find)
    {
        statement ask(db_, "SELECT known FROM search_steps WHERE asked = ? AND step = ?");
        if (ask.with(asked_, step).step())
            return json::parse(ask.text(0));
        json known = found_ ? json::array() : find();
        found_ = true;
        statement(db_, "INSERT INTO search_steps(asked, step, known) VALUES (?, ?, ?)")
            .with(asked_, step, known.dump())
            .execute();
        return known;
    }

private:
    database &db_;
    const std::string asked_;
    bool found_ = false;
};

class search
{
public:
    search(sweep_session &session, const search_order &order)
        : machines_(session.machines), plan_(session.plan), order_(order),
          grid_(machines_.size() / (machines_.study().repeats + 1) / machines_.study().workloads.size()),
          session_(session), line_(session.order.quiet)
    {
        for (const planned_point &p : plan_.points)
            points_[p.number % grid_].push_back(&p);
    }

    search_result run()
    {
        search_result result{{}, 0, points_.size(), "", exit_ok, 0};
        searcher chooser(head());
        result.chosen_by = "Optuna " + chooser.version();
        const uint64_t each = points_.begin()->second.size();
        search_history history(session_.results, asked());
        int64_t step = 0;
        while (const uint64_t count = std::min(order_.batch, (order_.budget - runs_.size()) / each)) {
            const json known = history.known_before(step++, [&] { return found_before(); });
            chooser.answer({{"known", with_values(known)}});
            seen_.insert(known.begin(), known.end());
            const json chosen = chooser.answer({{"ask", count}}).at("machines");
            if (chosen.empty()) /* all machines are known */
                break;
            run(chosen);
            for (const json &machine : chosen)
                result.tried.push_back({machine.get<uint64_t>(), values(machine.get<uint64_t>()), false});
            const json front = chooser.answer({{"tell", with_values(chosen)}}).at("front");
            line_.message(text_of_count(runs_.size()) + " of " + text_of_count(order_.budget) + " runs, " +
                          text_of_count(front.size()) + " best machines");
        }
        line_.clear();
        session_.load_tried();
        add_known(result, chooser);
        result.runs = runs_.size();
        result.code = say_what_failed(session_.results, session_.all);
        return result;
    }

private:
    /* Returns a text that identifies the search: the study's runs and how they are chosen. */
    std::string asked() const
    {
        std::string keys;
        for (const planned_point &p : plan_.points)
            keys += std::to_string(p.number) + p.key;
        json all = head();
        all["machines"] = text_of_checksum(wkt_hash64(keys.data(), keys.size(), 0));
        all["batch"] = order_.batch;
        for (const objective &o : order_.objectives)
            all["objectives"].push_back(o.text);
        return all.dump();
    }

    /* Returns the machines with results in the file that the chooser does not know. */
    json found_before()
    {
        json list = json::array();
        for (const auto &[machine, points] : points_)
            if (seen_.count(machine) == 0 && !values(machine).empty())
                list.push_back(machine);
        return list;
    }

    /* Returns [[machine, values or null], ...]. */
    json with_values(const json &chosen)
    {
        json list = json::array();
        for (const json &machine : chosen) {
            const std::vector<double> found = values(machine.get<uint64_t>());
            list.push_back({machine, found.empty() ? json(nullptr) : json(found)});
        }
        return list;
    }

    void run(const json &chosen)
    {
        std::vector<planned_point> points;
        for (const json &machine : chosen) {
            seen_.insert(machine.get<uint64_t>());
            for (const planned_point *p : points_.at(machine.get<uint64_t>())) {
                points.push_back(*p);
                runs_.insert(p->key);
            }
        }
        session_.run(points);
    }

    /* Adds the machines that were not chosen but have runs in the file, and marks the best of all. */
    void add_known(search_result &result, searcher &chooser)
    {
        std::set<uint64_t> tried;
        for (const tried_machine &m : result.tried)
            tried.insert(m.number);
        json known = json::array();
        for (const auto &[machine, points] : points_) {
            if (tried.count(machine) != 0)
                continue;
            const std::vector<double> found = values(machine);
            if (found.empty())
                continue;
            result.tried.push_back({machine, found, false});
            known.push_back(machine);
        }
        result.known = known.size();
        const json front = chooser.answer({{"known", with_values(known)}}).at("front");
        for (tried_machine &m : result.tried)
            m.best = std::count(front.begin(), front.end(), m.number) != 0;
    }

    /* Returns the first question to the chooser. An axis is ordered if all its values are numbers. */
    json head() const
    {
        const study_file &study = machines_.study();
        json axes = {{{"values", study.platforms.size()}, {"ordered", false}}};
        for (const study_axis &axis : study.axes) {
            uint64_t ignored = 0;
            const bool ordered = std::all_of(axis.values.begin(), axis.values.end(),
                                             [&](const auto &v) { return parse_number(v.front(), ignored); });
            axes.push_back({{"values", axis.values.size()}, {"ordered", ordered}});
        }
        json all = nullptr, directions = json::array();
        if (points_.size() != grid_) {
            all = json::array();
            for (const auto &[machine, points] : points_)
                all.push_back(machine);
        }
        for (const objective &o : order_.objectives)
            directions.push_back(o.highest ? "maximize" : "minimize");
        return {{"axes", axes}, {"machines", all}, {"directions", directions}, {"seed", order_.seed}};
    }

    std::vector<double> values(uint64_t machine)
    {
        std::vector<double> list;
        for (const objective &o : order_.objectives) {
            std::map<size_t, std::vector<double>> of; /* by workload */
            for (const planned_point *p : points_.at(machine)) {
                double value = 0;
                for (const std::string &metric : o.metrics)
                    value += session_.results.measured(p->key, metric);
                if (!std::isfinite(value))
                    return {};
                of[machines_.decode(p->number).workload].push_back(value);
            }
            std::vector<double> medians;
            for (const auto &[workload, repeats] : of)
                medians.push_back(spread_of(repeats).median);
            list.push_back(geometric_mean(medians));
        }
        return list;
    }

    study_machines &machines_;
    const sweep_plan &plan_;
    const search_order &order_;
    const uint64_t grid_; /* platforms and axes, before constraints */
    sweep_session &session_;
    progress_line line_;
    std::map<uint64_t, std::vector<const planned_point *>> points_; /* by machine */
    std::set<std::string> runs_;                                    /* keys */
    std::set<uint64_t> seen_;                                       /* machines that the chooser knows of */
};

} // namespace

std::vector<objective> objectives_of(study_machines &machines, const std::string &text)
{
    std::vector<std::string> names; /* common to all platforms */
    for (size_t i = 0; i < machines.study().platforms.size(); ++i) {
        const std::vector<std::string> here = metrics_of(machines.platform(i), machines.study().record, true);
        if (i == 0)
            names = here;
        names.erase(std::remove_if(names.begin(), names.end(),
                                   [&](const std::string &name) { return !is_among(name, here); }),
                    names.end());
    }
    std::vector<objective> list;
    for (const std::string &part : split(text, ',')) {
        const objective o = objective_of(part, names);
        for (const objective &other : list)
            if (other.metrics == o.metrics)
                throw failure(exit_usage, "--objective " + as_written(text) + ": '" + as_written(part) +
                                              "' is there twice");
        list.push_back(o);
    }
    if (list.size() > most_objectives)
        throw failure(exit_usage, "--objective " + as_written(text) + ": more than " +
                                      std::to_string(most_objectives) + " objectives");
    return list;
}

search_result run_search(sweep_session &session, const search_order &order)
{
    session.capture();
    return search(session, order).run();
}

table table_of_best(const study_machines &machines, const search_order &order, const search_result &result)
{
    const study_file &study = machines.study();
    std::vector<std::string> head = {"machine"};
    for (const study_axis &axis : study.axes)
        head.insert(head.end(), axis.parameters.begin(), axis.parameters.end());
    for (const objective &o : order.objectives)
        head.push_back(o.text);
    table t(head);
    t.align_left();
    std::vector<const tried_machine *> best;
    for (const tried_machine &m : result.tried)
        if (m.best)
            best.push_back(&m);
    std::stable_sort(best.begin(), best.end(), [&](const tried_machine *a, const tried_machine *b) {
        const double x = a->values.front(), y = b->values.front();
        return x != y ? (order.objectives.front().highest ? x > y : x < y) : a->number < b->number;
    });
    for (const tried_machine *m : best) {
        const point p = machines.decode(m->number);
        std::vector<std::string> row = {study.platforms[p.platform].name};
        for (size_t i = 0; i < p.at.size(); ++i)
            row.insert(row.end(), study.axes[i].values[p.at[i]].begin(), study.axes[i].values[p.at[i]].end());
        for (const double value : m->values)
            row.push_back(text_of_measured(value));
        t.row(row);
    }
    t.number_columns(head.size() - order.objectives.size(), order.objectives.size());
    return t;
}

} // namespace walkway
