/* SPDX-License-Identifier: MIT */
/* workbench/sweep.cpp - planning and running. Runs are processes that leave a file each (a record) in
 * FILE.runs; this process alone loads them into FILE, some hundred in one transaction, and then removes them.
 * Killed at any moment, the next one finds what had ended: in FILE, or as a record. */
#include "workbench/sweep.hpp"

#include "run/input.hpp"
#include "run/path_lock.hpp"
#include "run/run_key.hpp"
#include "run/trace_file.hpp"
#include "support/interrupt.hpp"
#include "support/numbers.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "workbench/run_record.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

namespace
{

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double>(clock_type::now() - start).count();
}

/* The message is of the line of the study that names it. */
workload_trace trace_of(const study_workload &w)
{
    try {
        if (!w.program.empty()) {
            executable_of(w.program);
            return {"", ""};
        }
        return {w.trace, text_of_checksum(wkt_reader_info(open_trace(w.trace).get())->checksum)};
    } catch (const failure &e) {
        throw failure(e.code(), w.origin + ": workload '" + as_written(w.name) + "': " + e.what());
    }
}

void refuse_empty(const study_machines &machines)
{
    std::string text;
    for (size_t i = 0; i < machines.left_out().size(); ++i)
        text += "\n" + machines.study().constraints[i].origin + ": '" +
                as_written(machines.study().constraints[i].expression) + "' leaves out " +
                text_of_count(machines.left_out()[i]);
    throw failure(exit_usage, machines.study().path + ": no point satisfies the constraints" + text);
}

/* How one run of this machine would go: for two seconds, in a process of its own. */
struct pilot {
    double seconds, bytes;
};

constexpr double pilot_seconds = 2;

job pilot_job(study_machines &machines, const point &p, const workload_trace &trace, const std::string &file)
{
    return {machines.label(p), [&machines, p, trace, file](const progress_fn &) {
                platform_spec &spec = *machines.at(p);
                const auto start = clock_type::now();
                double share = 1;
                simulation result = simulate(spec, trace.path, [&](const run_progress &at) {
                    const double seconds = seconds_since(start);
                    if (seconds < pilot_seconds || at.groups_done == 0 || interrupted())
                        return !interrupted();
                    share = static_cast<double>(at.groups_done) / static_cast<double>(at.groups_total);
                    return false;
                });
                if (interrupted())
                    return exit_interrupted;
                const double seconds = seconds_since(start) / share;
                const json kept = recorded(result.stats.at("statistics"), machines.study().record);
                double bytes = 400;
                for (const auto &item : kept.items())
                    bytes += item.value().contains("buckets")
                                 ? 60 + static_cast<double>(item.value().at("buckets").dump().size())
                                 : 15;
                write_file(file, dump({{"seconds", seconds}, {"bytes", bytes}}));
                return exit_ok;
            }};
}

json parsed(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    return json::parse(in, nullptr, false);
}

} // namespace

std::string sweep_plan::key(const point &p, const planned_point &planned) const
{
    return planned.configuration + "-" + traces[p.workload].checksum;
}

sweep_plan plan_sweep(study_machines &machines, const sweep_order &order)
{
    const study_file &study = machines.study();
    sweep_plan plan;
    for (const study_workload &w : study.workloads)
        plan.traces.push_back(trace_of(w));
    if (!order.results.empty())
        refuse_to_overwrite("--output", order.results);
    /* a configuration is the same for each workload: checked and hashed once */
    const uint64_t platforms = study.platforms.size(), workloads = study.workloads.size();
    const uint64_t grid = machines.size() / (study.repeats + 1) / workloads / platforms;
    for (uint64_t repeat = 0; repeat <= study.repeats; ++repeat) {
        std::vector<std::pair<uint64_t, std::string>> wanted;
        for (uint64_t i = 0; i < platforms * grid && !interrupted(); ++i) {
            const point p = machines.decode(repeat * workloads * platforms * grid + i);
            platform_spec *const spec = machines.at(p);
            if (spec == nullptr)
                continue;
            check_memory(*spec, nullptr);
            wanted.emplace_back(i, run_key(*spec, ""));
        }
        for (uint64_t w = 0; w < workloads; ++w)
            for (const auto &[i, configuration] : wanted)
                plan.points.push_back({(repeat * workloads + w) * platforms * grid + i, configuration});
    }
    if (interrupted())
        throw failure(exit_interrupted, "interrupted before the first run");
    if (plan.points.empty())
        refuse_empty(machines);
    plan.left_out = machines.left_out();
    return plan;
}

void keep_points(sweep_plan &plan, const std::string &numbers)
{
    std::map<uint64_t, const planned_point *> by_number;
    for (const planned_point &p : plan.points)
        by_number[p.number + 1] = &p;
    std::set<uint64_t> wanted;
    for (const std::string &part : split(numbers, ',')) {
        const std::vector<std::string> ends = split(part, '-');
        uint64_t first = 0, last = 0;
        if (ends.size() > 2 || !parse_number(ends.front(), first) || !parse_number(ends.back(), last) ||
            first > last || last - first >= most_points)
            throw failure(exit_usage, "--points " + as_written(numbers) + ": '" + as_written(part) +
                                          "' is neither a point's number nor a range of them (7-9)");
        for (uint64_t number = first; number <= last; ++number)
            if (by_number.count(number) != 0)
                wanted.insert(number);
            else
                throw failure(exit_usage, "--points " + as_written(numbers) + ": there is no point " +
                                              std::to_string(number) +
                                              ", or a constraint leaves it out; --dry-run lists them");
    }
    std::vector<planned_point> kept;
    for (const uint64_t number : wanted)
        kept.push_back(*by_number[number]);
    plan.points = kept;
}

sweep_estimate estimate_sweep(study_machines &machines, const sweep_plan &plan, const sweep_order &order)
{
    std::set<std::string> done;
    std::map<std::string, double> seconds_of;
    double bytes_per_run = 0;
    std::error_code error;
    if (!order.results.empty() && fs::exists(order.results, error) &&
        fs::file_size(order.results, error) != 0) {
        results_file results(order.results, database::mode::read);
        done = results.done();
        bytes_per_run = results.bytes_per_run();
        for (const workload_trace &t : plan.traces)
            if (!t.checksum.empty())
                seconds_of[t.checksum] = results.seconds_of(t.checksum);
    }
    sweep_estimate all{0, 0, 0, 0, 0, 0};
    std::map<std::pair<size_t, size_t>, std::pair<uint64_t, point>>
        kinds; /* workload, platform: runs, one of them */
    std::set<std::string> seen;
    for (const planned_point &planned : plan.points) {
        const point p = machines.decode(planned.number);
        const bool known = !plan.traces[p.workload].checksum.empty();
        if (!seen.insert(known ? plan.key(p, planned) : planned.configuration + std::to_string(p.workload))
                 .second)
            continue;
        if (known && done.count(plan.key(p, planned)) != 0) {
            ++all.kept;
            continue;
        }
        ++all.runs;
        if (known)
            ++kinds.insert({{p.workload, p.platform}, {0, p}}).first->second.first;
        else
            ++all.unknown;
    }
    all.distinct = seen.size();
    const temporary_folder scratch;
    std::vector<job> jobs;
    std::vector<uint64_t> runs;
    for (const auto &[kind, some] : kinds) {
        const workload_trace &trace = plan.traces[kind.first];
        if (seconds_of[trace.checksum] > 0) {
            all.seconds += static_cast<double>(some.first) * seconds_of[trace.checksum];
            all.bytes += static_cast<double>(some.first) * bytes_per_run;
            continue;
        }
        jobs.push_back(
            pilot_job(machines, some.second, trace, scratch.path() + "/" + std::to_string(jobs.size())));
        runs.push_back(some.first);
    }
    const std::vector<job_result> ends = run_jobs(jobs, order.parallel, true);
    for (size_t i = 0; i < jobs.size(); ++i) {
        const json said = parsed(scratch.path() + "/" + std::to_string(i));
        if (ends[i].code == exit_usage)
            throw failure(exit_usage, machines.study().path + ": nothing was run");
        if (!said.is_object()) /* the run itself will say what is wrong */
            continue;
        all.seconds += static_cast<double>(runs[i]) * said.at("seconds").get<double>();
        all.bytes += static_cast<double>(runs[i]) * said.at("bytes").get<double>();
    }
    if (interrupted())
        throw failure(exit_interrupted, "interrupted before the first run");
    return all;
}

std::string text_of_estimate(const sweep_estimate &e, unsigned parallel)
{
    std::string text = text_of_count(e.runs) + (e.runs == 1 ? " run" : " runs") + " to do";
    if (e.kept != 0)
        text += ", " + text_of_count(e.kept) + " there from before";
    if (e.runs == e.unknown)
        return text + (e.unknown == 0 ? "" : "; how long is known when the programs are captured") + "\n";
    const double seconds = e.seconds / parallel;
    text += "; about " + (seconds < 1 ? std::string("a second") : text_of_duration(seconds)) + " with " +
            std::to_string(parallel) + " at a time, " + text_of_bytes(static_cast<uint64_t>(e.bytes)) +
            " of results";
    if (e.unknown != 0)
        text += " (" + text_of_count(e.unknown) + " of programs not counted that are not captured yet)";
    return text + "\n";
}

namespace
{

/* Loads records. */
class collector
{
public:
    collector(results_file &results, std::string folder) : results_(results), folder_(std::move(folder)) {}

    /* What an earlier sweep left. What is no whole record is not counted: its run is done again. */
    void load_all()
    {
        std::error_code ignored;
        for (const auto &entry : fs::directory_iterator(folder_, ignored))
            if (entry.path().extension() == ".run")
                waiting_.push_back(entry.path().string());
        if (results_.is_new() && !waiting_.empty())
            discard();
        flush();
    }
    void add(const std::string &file)
    {
        waiting_.push_back(file);
        if (waiting_.size() >= most_waiting || seconds_since(last_) > 2)
            flush();
    }
    void add(const json &record)
    {
        transaction all(results_.db());
        results_.add(record);
        all.commit();
    }
    void flush()
    {
        if (!waiting_.empty()) {
            transaction all(results_.db());
            for (const std::string &file : waiting_) {
                const json record = parsed_record(file);
                if (!record.is_null())
                    results_.add(record);
            }
            all.commit();
        }
        for (const std::string &file : waiting_)
            std::remove(file.c_str());
        waiting_.clear();
        last_ = clock_type::now();
    }

private:
    static constexpr size_t most_waiting = 200;

    /* They name their workloads and machines by rows of a file that is gone. */
    void discard()
    {
        std::cerr << "walkway: " << as_written(folder_) << ": " << text_of_count(waiting_.size())
                  << (waiting_.size() == 1 ? " result is" : " results are")
                  << " of another file of this name, which is gone: done again\n";
        for (const std::string &file : waiting_)
            std::remove(file.c_str());
        waiting_.clear();
    }
    static json parsed_record(const std::string &file)
    {
        std::ifstream in(file, std::ios::binary);
        json record = json::from_cbor(in, true, false);
        return record.is_object() && record.contains("key") ? record : json();
    }

    results_file &results_;
    std::string folder_;
    std::vector<std::string> waiting_;
    clock_type::time_point last_ = clock_type::now();
};

void capture_missing(const study_file &study, sweep_plan &plan, const sweep_order &order)
{
    const temporary_folder scratch;
    std::vector<job> jobs;
    std::vector<size_t> of;
    for (size_t i = 0; i < study.workloads.size(); ++i) {
        if (study.workloads[i].program.empty())
            continue;
        const std::string file = scratch.path() + "/" + std::to_string(i);
        jobs.push_back(
            {"capturing " + study.workloads[i].name, [&study, i, file, &order](const progress_fn &) {
                 write_file(file, trace_of_program(study.workloads[i].program, true, true));
                 return exit_ok;
             }});
        of.push_back(i);
    }
    const std::vector<job_result> ends = run_jobs(jobs, order.parallel, order.quiet);
    for (size_t k = 0; k < jobs.size(); ++k) {
        if (ends[k].code != exit_ok)
            throw failure(interrupted() ? exit_interrupted : ends[k].code,
                          jobs[k].label + " failed" + (ends[k].fault.empty() ? "" : ": " + ends[k].fault));
        std::ifstream in(scratch.path() + "/" + std::to_string(of[k]));
        std::string path;
        std::getline(in, path);
        plan.traces[of[k]] = {path, text_of_checksum(wkt_reader_info(open_trace(path).get())->checksum)};
    }
}

/* An empty file is a new one; the lock is on the file. */
void make_file(const std::string &path)
{
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw failure(exit_output, as_written(path) + ": cannot be made: " + std::strerror(errno));
    close(file);
}

/* What failed, on stderr: each reason with one of its points. */
exit_code say_what_failed(results_file &results, const std::string &study)
{
    statement ask(results.db(),
                  "SELECT r.reason, min(r.exit_code), count(*), w.name, m.label FROM runs r JOIN workloads w "
                  "ON w.id = r.workload "
                  "JOIN machines m ON m.id = r.machine WHERE r.status = 'failed' AND r.key IN (SELECT key "
                  "FROM points p JOIN studies s "
                  "ON s.id = p.study WHERE s.contents = ?) GROUP BY r.reason ORDER BY count(*) DESC LIMIT 5");
    ask.with(study);
    exit_code first = exit_ok;
    while (ask.step()) {
        std::cerr << "walkway: " << text_of_count(static_cast<uint64_t>(ask.integer(2))) << " failed ("
                  << as_written(ask.text(3)) << " on " << as_written(ask.text(4)) << "): " << ask.text(0)
                  << '\n';
        if (first == exit_ok)
            first = static_cast<exit_code>(ask.integer(1));
    }
    return first;
}

/* The run of a point, made when its turn comes: a machine is one point's at a time. */
struct sweep_run {
    study_machines &machines;
    const sweep_plan &plan;
    std::vector<int64_t> workload_ids, machine_ids;

    run_order order(const planned_point &planned) const
    {
        const point p = machines.decode(planned.number);
        run_order run;
        run.machine = machines.at(p);
        run.label = machines.label(p);
        run.key = plan.key(p, planned);
        run.trace = plan.traces[p.workload].path;
        run.workload_id = workload_ids[p.workload];
        run.machine_id = machine_ids[p.platform];
        run.changes = machines.changes(p);
        run.record = machines.study().record;
        return run;
    }
};

/* Rows that runs refer to. Answers the study's. */
int64_t begin(results_file &results, sweep_run &all)
{
    const study_file &study = all.machines.study();
    transaction whole(results.db());
    const int64_t id = results.study(study);
    for (size_t i = 0; i < study.workloads.size(); ++i)
        all.workload_ids.push_back(results.workload(study.workloads[i].name, study.workloads[i].text(),
                                                    all.plan.traces[i].checksum));
    for (size_t i = 0; i < study.platforms.size(); ++i)
        all.machine_ids.push_back(results.machine(all.machines.platform(i)));
    results.axes(id, study);
    whole.commit();
    return id;
}

} // namespace

struct sweep_session::parts {
    parts(study_machines &machines, sweep_plan &plan, const sweep_order &how)
        : order(how), lock(how.results, "sweeps into it"), results(how.results, database::mode::write),
          folder(how.results + ".runs"), collect(results, folder), all{machines, plan, {}, {}}
    {
    }
    const sweep_order &order;
    const path_lock lock;
    results_file results;
    const std::string folder;
    collector collect;
    sweep_run all;
    int64_t study = 0;
    std::set<std::string> taken; /* keys of runs that are done, and of those that were tried */
};

sweep_session::sweep_session(study_machines &machines, sweep_plan &plan, const sweep_order &order)
{
    make_file(order.results);
    parts_ = std::make_unique<parts>(machines, plan, order);
    make_folder(parts_->folder);
    parts_->collect.load_all();
    capture_missing(machines.study(), plan, order);
    parts_->study = begin(parts_->results, parts_->all);
    parts_->taken = parts_->results.done();
}

sweep_session::~sweep_session() = default;

results_file &sweep_session::results()
{
    return parts_->results;
}

void sweep_session::run(const std::vector<planned_point> &points)
{
    const sweep_run &all = parts_->all;
    const std::string &folder = parts_->folder;
    const auto key_of = [&all](const planned_point &p) {
        return all.plan.key(all.machines.decode(p.number), p);
    };
    {
        std::vector<std::pair<uint64_t, std::string>> keys;
        for (const planned_point &planned : points)
            keys.emplace_back(planned.number, key_of(planned));
        transaction whole(parts_->results.db());
        parts_->results.points(parts_->study, keys, all.machines.size() / (all.machines.study().repeats + 1));
        whole.commit();
    }
    make_folder(folder);
    std::vector<job> jobs;
    std::vector<const planned_point *> of;
    for (const planned_point &planned : points) {
        if (!parts_->taken.insert(key_of(planned)).second)
            continue;
        of.push_back(&planned);
        jobs.push_back({"", [&all, &folder, &planned](const progress_fn &progress) {
                            const run_order run = all.order(planned);
                            run.machine->label = run.label;
                            const std::vector<uint8_t> bytes = json::to_cbor(record_of_run(run, progress));
                            write_file(folder + "/" + run.key + ".run",
                                       std::string(bytes.begin(), bytes.end()));
                            return exit_ok;
                        }});
    }
    exit_code stopped = exit_ok;
    collector &collect = parts_->collect;
    run_jobs(jobs, parts_->order.parallel, parts_->order.quiet, [&](size_t i, const job_result &end) {
        if (end.code == exit_ok)
            collect.add(folder + "/" + key_of(*of[i]) + ".run");
        else if (end.code == exit_interrupted || end.code == exit_output)
            stopped = end.code; /* the next one could not be written either */
        else
            collect.add(record_of_lost(all.order(*of[i]), end.code,
                                       end.fault.empty() ? "internal error" : end.fault));
        return stopped == exit_ok;
    });
    collect.flush();
    std::error_code ignored;
    fs::remove(folder, ignored); /* where nothing is left in it */
    if (interrupted())
        throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
    if (stopped != exit_ok)
        throw failure(
            exit_output,
            as_written(parts_->results.db().path()) +
                ": a run's results could not be written; the same command goes on where it stopped");
}

exit_code sweep_session::say_failed()
{
    return say_what_failed(parts_->results, parts_->all.machines.study().contents);
}

exit_code run_sweep(study_machines &machines, sweep_plan &plan, const sweep_order &order)
{
    sweep_session session(machines, plan, order);
    session.run(plan.points);
    return session.say_failed();
}

} // namespace walkway
