/* SPDX-License-Identifier: MIT */
/* run/simulate.cpp - runs a machine and states the result as JSON. */
#include "run/simulate.hpp"

#include "image/image_space.hpp"
#include "model/common/stat_sum.hpp"
#include "revision.hpp" /* made by every build */
#include "run/events.hpp"
#include "run/extent.hpp"
#include "run/headline.hpp"
#include "run/machine.hpp"
#include "run/parameters.hpp"
#include "run/places.hpp"
#include "run/trace_file.hpp"
#include "support/interrupt.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <chrono>
#include <filesystem>
#include <sys/resource.h>

namespace walkway
{

static constexpr int schema_version = 1;

json program_json()
{
    return {
        {"name", "walkway"}, {"version", WALKWAY_VERSION}, {"git", WALKWAY_GIT}, {"model", WALKWAY_MODEL}};
}

std::string model_digest()
{
    return WALKWAY_MODEL;
}

std::string program_version()
{
    return std::string(WALKWAY_VERSION) + " (git " + WALKWAY_GIT + ")";
}

std::string dump(const json &j)
{
    /* The names of traced programs may contain any bytes. */
    return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json configuration_json(platform_config &config)
{
    json all = json::object();
    for (const parameter &p : list_parameters(config))
        all[p.name] = json_of(p);
    return all;
}

static json trace_json(const std::string &path, const wkt_info &info, const trace_part &part)
{
    json j = {{"file", std::filesystem::path(path).filename().string()},
              {"checksum", text_of_checksum(info.checksum)},
              {"program", info.program},
              {"command", info.command}};
    add_extent(j, info, part);
    return j;
}

uint64_t peak_memory_bytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

static const char *name_of(run_end end)
{
    switch (end) {
    case run_end::complete:
        return "complete";
    case run_end::measured:
        return "measured";
    case run_end::stopped:
        return "stopped";
    case run_end::deadlock:
        return "deadlock";
    }
    return "?";
}

/* The laws apply to whole runs: a stopped machine still has requests in flight. A machine whose window is
 * full has completed them. */
static void judge(simulation &result, run_end end, const platform &machine)
{
    result.code = exit_ok;
    if (end == run_end::deadlock) {
        result.code = exit_law;
        result.story = "the machine is stuck:\n" + machine.stuck();
        return;
    }
    if (end == run_end::stopped) {
        result.code = exit_interrupted;
        return;
    }
    for (const law &l : machine.laws()) {
        if (l.holds())
            continue;
        result.code = exit_law;
        result.story += "law broken: " + l.name + ": " + text_of_count(l.left) + " is not " +
                        text_of_count(l.right) + (l.story.empty() ? "" : "\n" + l.story) + "\n";
    }
}

std::unique_ptr<platform> build_machine(const platform_spec &spec, const program_list &all)
{
    try {
        return spec.config->build(all);
    } catch (const failure &) {
        throw;
    } catch (const std::runtime_error &e) {
        throw failure(exit_input, spec.label + ": " + e.what());
    }
}

/* title: equal for equal runs. */
static void record(platform &machine, const wave_options &waves, const std::string &title)
{
    if (!waves.file.empty())
        machine.record(wave_plan_of(waves, machine, title));
}

static void follow(platform &machine, const transaction_options &transactions, const json &about)
{
    if (transactions.file.empty())
        return;
    transaction_plan plan = transaction_plan_of(transactions, machine);
    plan.about = about.dump(-1, ' ', true, json::error_handler_t::replace);
    machine.follow(plan);
}

static void measure(platform &machine, const run_scope &scope)
{
    if (!scope.window.any())
        return;
    try {
        machine.measure(scope.window);
    } catch (const std::runtime_error &e) {
        throw failure(exit_usage, std::string("--warm-up, --measure: ") + e.what());
    }
}

static void split(platform &machine, const run_scope &scope)
{
    const auto by = [](bool wanted, const char *option, const std::function<void()> &tell) {
        if (!wanted)
            return;
        try {
            tell();
        } catch (const std::runtime_error &e) {
            throw failure(exit_usage, std::string(option) + ": " + e.what());
        }
    };
    by(scope.by_kernel, "--by-kernel", [&] { machine.split_by_kernel(); });
    by(scope.by_buffer, "--by-buffer", [&] { machine.split_by(place_kind::buffer); });
    by(scope.by_instruction, "--by-instruction", [&] { machine.split_by(place_kind::instruction); });
}

/* States each kernel like a run of its own. */
static json kernels_json(const platform &machine)
{
    json all = json::array();
    for (const kernel_part &k : machine.kernels()) {
        const json statistics = statistics_json([&k](stat_visitor &v) { k.counted->show(v); });
        all.push_back({{"name", k.name},
                       {"launches", k.launches},
                       {"headline",
                        headline_json({k.cycles, k.translations, static_cast<double>(k.picoseconds) * 1e-12},
                                      statistics)},
                       {"statistics", statistics}});
    }
    return all;
}

static void check_opened(const platform &machine, const run_scope &scope, run_end end)
{
    if (!scope.window.any() || end == run_end::deadlock || machine.window().opened)
        return;
    throw failure(exit_usage, "--warm-up " + scope.warm_up_text + ": the run ended before, after " +
                                  std::to_string(machine.cycles()) + " cycles and " +
                                  std::to_string(machine.translations()) + " translations");
}

json about_run(platform_spec &spec, const std::string &trace_path, const wkt_info &info,
               const trace_part &part)
{
    return {{"schema_version", schema_version},
            {"program", program_json()},
            {"trace", trace_json(trace_path, info, part)},
            {"platform", {{"name", spec.name}, {"path", spec.levels}}},
            {"configuration", configuration_json(*spec.config)}};
}

simulation simulate(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                    const wave_options &waves, const transaction_options &transactions,
                    const run_scope &scope, const company &with, const series_options &over_time)
{
    const trace_file trace = open_trace(trace_path);
    const skipped left_out = select_part(trace.get(), scope.part, scope.skip);
    std::vector<trace_file> others;
    std::vector<wkt_reader *> readers = {trace.get()};
    for (const std::string &path : with.beside) {
        others.push_back(open_trace(path));
        readers.push_back(others.back().get());
    }
    std::vector<os_event> events;
    if (!with.events.empty())
        events = read_events(with.events, readers);
    else if (!with.event_list.empty())
        events = parse_events(with.event_list, "events", readers);
    for (const wkt_reader *reader : readers)
        if (wkt_reader_info(reader)->rooted && (with.image == nullptr || !with.image->recorded()))
            throw failure(exit_usage, "a trace with roots runs in the memory that it was recorded in: "
                                      "'walkway run --memory IMAGE', by itself");
    program_list all(readers, events);
    all.run_in(with.image);
    const uint64_t expected_memory = check_memory(spec, all);
    const std::unique_ptr<platform> machine = build_machine(spec, all);
    measure(*machine, scope);
    split(*machine, scope);
    headline_json(*machine, statistics_json(*machine)); /* reports missing statistics before the run */

    std::unique_ptr<series_file> series;
    const std::string checksum = text_of_checksum(wkt_reader_info(trace.get())->checksum);
    try {
        record(*machine, waves, "walkway: " + spec.label + ", trace " + checksum);
        follow(*machine, transactions,
               {{"program", "walkway " WALKWAY_VERSION}, {"platform", spec.label}, {"trace", checksum}});
        if (!over_time.file.empty())
            series = std::make_unique<series_file>(over_time, *machine);
    } catch (const file_failure &e) {
        throw failure(exit_output, e.what());
    }

    const auto start = std::chrono::steady_clock::now();
    run_end end = run_end::complete;
    try {
        end = machine->run(
            [&](const run_progress &at) { return (!progress || progress(at)) && !interrupted(); });
    } catch (const std::runtime_error &e) {
        const std::string text = e.what(); /* the trace's reader names the file itself */
        const bool named = text.compare(0, trace_path.size() + 2, trace_path + ": ") == 0;
        throw failure(exit_input, named ? text : trace_path + ": " + text);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    simulation result;
    try {
        machine->finish_record();
    } catch (const file_failure &e) {
        result.waves = std::string("--vcd: ") + e.what();
    }
    try {
        result.followed = machine->finish_follow(end != run_end::complete);
    } catch (const file_failure &e) {
        result.no_transactions = std::string("--transactions: ") + e.what();
    }
    check_opened(*machine, scope, end);
    try {
        if (series != nullptr)
            result.steps = series->finish(end == run_end::stopped || end == run_end::deadlock);
    } catch (const file_failure &e) {
        result.no_series = std::string("--series: ") + e.what();
    }
    judge(result, end, *machine);
    const json statistics = statistics_json(*machine);
    result.stats = about_run(spec, trace_path, *wkt_reader_info(trace.get()), scope.part);
    result.stats["end"] = name_of(end);
    result.stats["partial"] = end == run_end::stopped || end == run_end::deadlock;
    result.stats["headline"] = headline_json(*machine, statistics);
    result.stats["statistics"] = statistics;
    result.stats["laws"] = laws_json(machine->laws());
    for (size_t i = 0; i < with.beside.size(); ++i)
        result.stats["beside"].push_back(trace_json(with.beside[i], *wkt_reader_info(others[i].get()), {}));
    if (with.image != nullptr)
        result.stats["image"] = with.image_about;
    if (!events.empty())
        result.stats["events"] = events_json(events, machine->events());
    if (scope.by_kernel)
        result.stats["kernels"] = kernels_json(*machine);
    if (scope.by_buffer)
        result.stats["buffers"] = buffers_json(*machine, *trace.get());
    if (scope.by_instruction)
        result.stats["instructions"] = instructions_json(*machine, *trace.get());
    if (scope.windowed())
        result.stats["window"] = window_json(scope, left_out, machine->window());
    const double rate = seconds > 0 ? static_cast<double>(machine->translations()) / seconds : 0.0;
    result.host = {{"machine", spec.label},
                   {"host_seconds", seconds},
                   {"translations_per_second", rate},
                   {"expected_memory_bytes", expected_memory},
                   {"peak_memory_bytes", peak_memory_bytes()}};
    return result;
}

void check_place_of_results(const std::string &folder)
{
    for (const char *name : {"/stats.json", "/host.json"})
        refuse_to_overwrite("--output", folder + name);
}

void write_simulation(const std::string &folder, const simulation &result)
{
    make_folder(folder);
    write_file(folder + "/stats.json", dump(result.stats));
    write_file(folder + "/host.json", dump(result.host));
}

} // namespace walkway
