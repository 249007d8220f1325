/* SPDX-License-Identifier: MIT */
/* run/sample.cpp - parses the option, runs windows in processes, and estimates the whole run. */
#include "run/sample.hpp"

#include "platforms/gpu_params.hpp"
#include "run/headline.hpp"
#include "run/input.hpp"
#include "run/jobs.hpp"
#include "run/machine.hpp"
#include "run/parameters.hpp"
#include "run/result_levels.hpp"
#include "run/sample_estimate.hpp"
#include "run/sample_windows.hpp"
#include "run/simulate.hpp"
#include "run/trace_file.hpp"
#include "sample/live_points.hpp"
#include "support/interrupt.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <unistd.h>

namespace walkway
{

/* If more of the program is simulated in detail than this, a whole run is as quick, and exact. */
static constexpr double most_detail = 0.5;
/* ASSUMED: where waves drift apart, compute units do, too: the last one begins so long after the first. */
static constexpr uint32_t drift_cycles = 3000;
/* The target without until=: if the half width is larger, the result states how many windows suffice. */
static constexpr double wanted_half_width = 0.05;
/* With until=, windows grow to at most this multiple of those requested. */
static constexpr uint32_t most_growth = 16;

option_def sample_option_def()
{
    return {"sample", 0, "[=SPEC]",
            "by windows of the program instead of all of it: "
            "windows=60,measure=10000translations,warm-up=auto,seed=1,until=2%"};
}

static const std::vector<std::string> sample_keys = {"windows", "measure", "warm-up",
                                                     "seed",    "until",   "check"};

sample_options sample_of(const arguments &args)
{
    if (!args.has("sample"))
        return {};
    for (const std::string &word : args.positional)
        if (is_among(word.substr(0, word.find('=')), sample_keys) && word.find('=') != std::string::npos)
            throw failure(exit_usage, "'" + as_written(word) + "' is no trace: --sample=" + as_written(word) +
                                          ", without a space, is by such windows");
    return parse_sample(args.value("sample"));
}

static uint64_t whole_number(const std::string &key, const std::string &value, uint64_t least, uint64_t most,
                             const std::string &unit = "")
{
    std::string digits = value;
    if (digits.size() > unit.size() && ends_with(digits, unit))
        digits.resize(digits.size() - unit.size());
    uint64_t n = 0;
    if (!parse_number(digits, n) || n < least || n > most)
        throw failure(exit_usage, "--sample " + key + "=" + as_written(value) +
                                      ": wants a whole number from " + std::to_string(least) + " to " +
                                      std::to_string(most) + (unit.empty() ? "" : ", of " + unit));
    return n;
}

static double percent(const std::string &value)
{
    size_t end = 0;
    double of_100 = 0;
    try {
        of_100 = std::stod(value, &end);
    } catch (const std::exception &) {
        end = 0;
    }
    if (end == 0 || value.substr(end) != "%" || !(of_100 >= 100 * least_half_width && of_100 <= 50))
        throw failure(exit_usage,
                      "--sample until=" + as_written(value) + ": wants a share from " +
                          text_of_number(100 * least_half_width) +
                          "% to 50%; the state at a window's beginning is no better known than that");
    return of_100 / 100;
}

sample_options parse_sample(const std::string &text)
{
    sample_options all;
    std::set<std::string> given;
    all.wanted = true;
    all.text = text;
    for (const std::string &item :
         text.empty() || text == "auto" ? std::vector<std::string>() : split(text, ',')) {
        const size_t at = item.find('=');
        const std::string key = item.substr(0, at),
                          value = at == std::string::npos ? "" : item.substr(at + 1);
        if (!given.insert(key).second)
            throw failure(exit_usage,
                          "--sample " + as_written(text) + ": '" + as_written(key) + "' is there twice");
        if (key == "windows")
            all.request.windows = static_cast<uint32_t>(whole_number(key, value, 8, 100000));
        else if (key == "measure")
            all.request.measure = whole_number(key, value, 100, uint64_t{1} << 40, "translations");
        else if (key == "warm-up")
            all.request.warm_up =
                value == "auto" ? 0 : whole_number(key, value, 1, uint64_t{1} << 40, "translations");
        else if (key == "seed")
            all.request.seed = whole_number(key, value, 0, UINT64_MAX);
        else if (key == "until")
            all.until = percent(value);
        else if (key == "check" && (value == "yes" || value == "no"))
            all.check = value == "yes";
        else
            throw failure(exit_usage,
                          "--sample " + as_written(item) +
                              ": there are windows, measure, warm-up, seed, until and check=yes or no" +
                              did_you_mean(key, sample_keys));
    }
    return all;
}

static std::string text_of(const sample_request &r)
{
    return std::to_string(r.windows) + "-" + std::to_string(r.measure) + "-" + std::to_string(r.warm_up) +
           "-" + std::to_string(r.seed);
}

std::string why_not_sampled(const platform_spec &spec)
{
    const gpu_machine_params *p = spec.config->gpu();
    return p == nullptr ? "this machine has no compute units that are known" : p->why_not_in_the_middle();
}

std::string key_of(const sample_options &options)
{
    return "sampled-" + text_of(options.request) + "-" +
           std::to_string(std::lround(10000 * options.until)); /* in 1/10,000 */
}

namespace
{

/* The properties of a machine that a sample needs. */
struct sampled_machine {
    residency on;
    recent_limits recent;
};

/* ASSUMED: a machine holds at most twice the entries of its largest store of translations. That store counts
 * as at least 32768 entries, since stores that share memory have no parameter for theirs. */
size_t pages_that_matter(const gpu_machine_params &p, platform_config &config)
{
    if (p.rung() >= ideal::infinite_tlb)
        return SIZE_MAX;
    uint64_t most = 32768;
    for (const parameter &q : list_parameters(config))
        if (ends_with(q.name, ".entries"))
            most = std::max(most, json_of(q).get<uint64_t>());
    return 2 * most;
}

sampled_machine sampled_machine_of(const platform_spec &spec)
{
    if (const std::string why = why_not_sampled(spec); !why.empty())
        throw failure(exit_usage, spec.label + ": --sample: " + why);
    const gpu_machine_params *p = spec.config->gpu();
    const size_t pages = pages_that_matter(*p, *spec.config),
                 lines = std::max<size_t>(131072, 2 * (p->l2d.bytes / 64));
    return {{p->gpu.cus, p->cu.simds * p->cu.waves_per_simd, p->cu.lds_bytes, p->cu.lds_granule,
             p->cu.lanes(), p->dispatcher.policy == 1},
            {pages, lines, static_cast<uint32_t>(p->l2d.bytes / 64)}};
}

/* A file's name contains everything that decides its contents. */
std::string name_of_points(wkt_reader *trace, const sampled_machine &m, const sample_request &r)
{
    std::string name = "points-" + model_digest() + "-" + text_of_checksum(wkt_reader_info(trace)->checksum);
    for (const uint64_t n :
         {uint64_t{m.on.cus}, uint64_t{m.on.waves}, uint64_t{m.on.lds_bytes}, uint64_t{m.on.lds_granule},
          uint64_t{m.on.lanes}, uint64_t{m.on.compact}, uint64_t{m.recent.pages}, uint64_t{m.recent.lines},
          uint64_t{m.recent.shared_lines}})
        name += "-" + std::to_string(n);
    return name + "-" + text_of(r) + ".wws";
}

/* Returns the file, written if it does not exist: in the cache, or in `scratch` without one. */
std::string points_file(wkt_reader *trace, const sampled_machine &m, const sample_request &r,
                        const std::string &scratch)
{
    const std::string folder = cache_folder().empty() ? scratch : cache_folder();
    const std::string path = folder + "/" + name_of_points(trace, m, r);
    if (access(path.c_str(), R_OK) == 0)
        return path;
    make_folder(folder);
    const std::string unfinished = path + "." + std::to_string(getpid());
    wkt_reader_stop_when(
        trace, [](void *) { return interrupted(); }, nullptr);
    try {
        live_points::write(unfinished, trace, m.on, r, m.recent);
        std::error_code error;
        std::filesystem::rename(unfinished, path, error);
        if (error)
            throw std::runtime_error(unfinished + ": " + error.message());
    } catch (const std::exception &e) {
        unlink(unfinished.c_str());
        if (interrupted())
            throw failure(exit_interrupted, "--sample: interrupted before the first window");
        const std::string text = e.what(); /* is about the trace, unless it begins with the file */
        const bool of_file = text.compare(0, unfinished.size(), unfinished) == 0;
        throw failure(of_file ? exit_output : exit_input, "--sample: " + text);
    }
    wkt_reader_stop_when(trace, nullptr, nullptr);
    return path;
}

/* Returns f(); its errors become failures with this code, and end with the advice. */
template <class F> auto or_failure(exit_code code, const char *advice, F f)
{
    try {
        return f();
    } catch (const failure &) {
        throw;
    } catch (const std::runtime_error &e) {
        throw failure(code, std::string("--sample: ") + e.what() + advice);
    }
}

constexpr const char *remove_points = "; remove it, and it is found again";

live_points points_of(wkt_reader *trace, const sampled_machine &m, const sample_request &r,
                      const std::string &scratch)
{
    const std::string path = points_file(trace, m, r, scratch);
    return or_failure(exit_input, remove_points, [&] { return live_points(path); });
}

/* Runs one window, in a process of its own, which has its own copy of the machine. */
exit_code run_window_of(platform &machine, const live_point &point, const std::string &path,
                        const progress_fn &progress)
{
    const uint64_t all = uint64_t{1} << 48;
    run_window window;
    window.warm_up = {window_unit::instructions, point.warm_up};
    window.measure = {window_unit::instructions, point.measured.instructions};
    if (point.to_end) /* a window needs at least one bound */
        window.measure.count = point.warm_up == 0 ? all : 0;
    or_failure(exit_usage, "", [&] {
        machine.start_at(point.at);
        machine.measure(window);
    });
    const run_end end = or_failure(exit_input, "", [&] {
        return machine.run([&](const run_progress &at) { return progress(at) && !interrupted(); });
    });
    if (end == run_end::stopped)
        return exit_interrupted;
    if (end == run_end::deadlock)
        throw failure(exit_law, "the machine is stuck in a window:\n" + machine.stuck());
    if (!machine.window().opened)
        throw failure(exit_law, "a window ended before it opened");
    write_window(path, window_result_of(machine));
    return exit_ok;
}

std::vector<window_result> run_windows(platform &machine, const live_points &points, const std::string &label,
                                       unsigned parallel, const std::string &folder)
{
    std::vector<job> jobs;
    for (size_t i = 0; i < points.plan().windows.size(); ++i)
        jobs.push_back({label, [&machine, &points, &folder, i](const progress_fn &progress) {
                            live_point point =
                                or_failure(exit_input, remove_points, [&] { return points.read(i); });
                            point.at.apart_cycles = points.plan().windows[i].order == 0 ? 0 : drift_cycles;
                            return run_window_of(machine, point, folder + "/" + std::to_string(i), progress);
                        }});
    exit_code bad = exit_ok;
    const std::vector<job_result> ends =
        run_jobs(jobs, parallel, true, [&bad](size_t, const job_result &end) {
            bad = bad == exit_ok ? end.code : bad;
            return end.code == exit_ok;
        });
    if (bad != exit_ok) {
        std::string why;
        for (const job_result &end : ends)
            why = why.empty() ? end.fault : why;
        const std::string what = bad == exit_interrupted ? "interrupted" : "a window failed";
        throw failure(bad, (label.empty() ? "" : label + ": ") + "--sample: " + what +
                               (why.empty() ? "" : ": " + why));
    }
    std::vector<window_result> windows;
    for (size_t i = 0; i < jobs.size(); ++i)
        windows.push_back(read_window(folder + "/" + std::to_string(i)));
    return windows;
}

template <class F> std::vector<double> of_each(const std::vector<window_result> &windows, F value)
{
    std::vector<double> all;
    for (const window_result &w : windows)
        all.push_back(static_cast<double>(value(w)));
    return all;
}

json estimate_json(const estimate &e)
{
    return {{"value", e.value}, {"half_width", e.half_width}};
}

/* Returns the statistic of each count of the headline that has a half width, besides cycles. */
std::map<std::string, std::string> counts_with_errors(const json &statistics)
{
    const std::string walks = result_levels(statistics).walks();
    return {{"walks", walks + ".walks_finished"},
            {"pte_reads", walks + ".pte_reads"},
            {"translations", "coalescer.translations"}};
}

/* Returns the member "sampled" of a result. */
json sampled_json(const sample_options &asked, const live_points &points, const sample_request &request,
                  const platform &machine, const std::vector<window_result> &windows, const json &statistics)
{
    const sample_plan &plan = points.plan();
    const std::vector<double> cycles = of_each(windows, [](const window_result &w) { return w.cycles; });
    const estimate whole = estimate_of(plan, cycles);
    json j = {{"asked", asked.text},           {"windows", windows.size()}, {"measure", request.measure},
              {"warm_up", plan.warm_up},       {"seed", request.seed},      {"detail", plan.detail()},
              {"cycles", estimate_json(whole)}};
    j["strata"] = json::array();
    for (const sample_stratum &s : plan.strata)
        j["strata"].push_back({{"kernel", s.name}, {"length", s.length}});
    j["error"] = json_of(error_of(plan, cycles));
    j["length"] = plan.length;
    j["of_windows"] = json::array();
    for (size_t i = 0; i < windows.size(); ++i)
        j["of_windows"].push_back({plan.windows[i].stratum, plan.windows[i].order, plan.windows[i].open,
                                   windows[i].cycles, windows[i].instructions, windows[i].translations});
    /* Rare events are in few windows, so their half widths are larger. */
    j["half_widths"] = json::object();
    std::vector<std::string> counts;
    for (const auto &[name, statistic] : counts_with_errors(statistics))
        counts.push_back(statistic);
    for (const auto &[name, counted] : counts_of(machine, windows, counts))
        j["half_widths"][name] = estimate_json(estimate_of(plan, counted));
    const double target = asked.until != 0 ? asked.until : wanted_half_width;
    if (const json needed = would_do(windows.size(), whole.relative(), target); !needed.is_null())
        j["would_do"] = needed;
    return j;
}

} // namespace

void prepare_sample(const platform_spec &spec, const std::string &trace_path, const sample_options &options)
{
    if (cache_folder().empty())
        return;
    const trace_file trace = open_trace(trace_path);
    points_file(trace.get(), sampled_machine_of(spec), options.request, "");
}

namespace
{

/* The result of the windows of a run, or why there is none. */
struct sampled_outcome {
    std::string whole; /* why the program must run whole; empty: see result */
    simulation result;
};

simulation result_of(platform_spec &spec, const std::string &trace_path, wkt_reader *trace,
                     const platform &machine, const live_points &points,
                     const std::vector<window_result> &windows, const sample_options &options,
                     const sample_request &request)
{
    const sample_plan &plan = points.plan();
    const estimate cycles =
        estimate_of(plan, of_each(windows, [](const window_result &w) { return w.cycles; }));
    const auto estimated = [&](auto value) { return estimate_of(plan, of_each(windows, value)).value; };
    const auto whole_number_of = [](double value) { return static_cast<uint64_t>(std::llround(value)); };
    simulation result;
    result.code = exit_ok;
    result.stats = about_run(spec, trace_path, *wkt_reader_info(trace), {});
    const json statistics = statistics_of(machine, windows, window_weights(plan));
    result.stats["end"] = "sampled";
    result.stats["partial"] = false;
    result.stats["sampled"] = sampled_json(options, points, request, machine, windows, statistics);
    result.stats["headline"] =
        headline_json({whole_number_of(cycles.value),
                       whole_number_of(estimated([](const window_result &w) { return w.translations; })),
                       estimated([](const window_result &w) { return w.picoseconds; }) * 1e-12},
                      statistics);
    result.stats["headline"]["cycles_half_width"] = {
        {"value", whole_number_of(cycles.half_width)},
        {"unit", "cycles"},
        {"description", "half of the interval's width that holds the cycles of 95 of 100 such samples"}};
    result.stats["statistics"] = statistics;
    const std::vector<law> laws = laws_of(windows);
    result.stats["laws"] = laws_json(laws);
    for (const law &l : laws)
        if (!l.holds()) {
            result.code = exit_law;
            result.story += "law broken in a window: " + l.name + ": " + text_of_count(l.left) + " is not " +
                            text_of_count(l.right) + "\n";
        }
    uint64_t detailed = 0;
    for (const window_result &w : windows)
        detailed += w.translations;
    result.host = {{"translations", detailed}, {"peak_memory_bytes", peak_memory_bytes()}};
    return result;
}

sampled_outcome sample(platform_spec &spec, const std::string &trace_path, const sample_options &options,
                       unsigned parallel, const std::string &scratch)
{
    const sampled_machine needs = sampled_machine_of(spec);
    const trace_file trace = open_trace(trace_path);
    const program_list all(trace.get());
    std::unique_ptr<platform> machine;
    for (sample_request request = options.request;; request.windows *= 2) {
        const live_points points = points_of(trace.get(), needs, request, scratch);
        const sample_plan &plan = points.plan();
        if (plan.windows.empty())
            return {"it asks for no translations", {}};
        if (plan.detail() > most_detail)
            return {"its windows would be " + text_of_share(plan.detail()) + " of the program in detail", {}};
        if (machine == nullptr)
            machine = build_machine(spec, all);
        const std::vector<window_result> windows =
            run_windows(*machine, points, spec.label, parallel, scratch);
        const std::vector<double> cycles = of_each(windows, [](const window_result &w) { return w.cycles; });
        if (const std::string differ = orders_differ(plan, cycles); !differ.empty())
            return {
                "what windows say depends on the order in which its waves stand, which only time makes: " +
                    differ,
                {}};
        if (options.until != 0 && estimate_of(plan, cycles).relative() > options.until &&
            request.windows < most_growth * options.request.windows)
            continue;
        return {"", result_of(spec, trace_path, trace.get(), *machine, points, windows, options, request)};
    }
}

/* Encodes the outcome for the parent process. */
json outcome_json(const sampled_outcome &o)
{
    if (!o.whole.empty())
        return {{"whole", o.whole}};
    return {{"stats", o.result.stats},
            {"host", o.result.host},
            {"code", static_cast<int>(o.result.code)},
            {"story", o.result.story}};
}

} // namespace

/* Builds the machine of the windows in a process of its own: a process can have only one machine, and this
 * one may have to run the whole program. */
simulation simulate_sampled(platform_spec &spec, const std::string &trace_path, const progress_fn &progress,
                            const sample_options &options, unsigned parallel)
{
    const auto start = std::chrono::steady_clock::now();
    uint64_t expected_memory = 0;
    {
        const trace_file trace = open_trace(trace_path);
        expected_memory = check_memory(spec, program_list(trace.get()));
    }
    const temporary_folder scratch;
    const std::string said = scratch.path() + "/outcome";
    const std::vector<job> jobs = {
        {spec.label, [&](const progress_fn &) {
             json outcome;
             try {
                 outcome = outcome_json(sample(spec, trace_path, options, parallel, scratch.path()));
             } catch (const failure &e) {
                 outcome = {{"failure", e.what()}, {"code", static_cast<int>(e.code())}};
             }
             write_file(said, outcome.dump(-1, ' ', false, json::error_handler_t::replace));
             return exit_ok;
         }}};
    const std::vector<job_result> ends = run_jobs(jobs, 1, true);
    if (ends.front().code != exit_ok)
        throw failure(ends.front().code, "--sample: " + (ends.front().fault.empty() ? "its process failed"
                                                                                    : ends.front().fault));
    const json outcome = json::parse(std::ifstream(said));
    if (outcome.contains("failure"))
        throw failure(static_cast<exit_code>(outcome.at("code").get<int>()),
                      outcome.at("failure").get<std::string>());
    if (outcome.contains("whole")) {
        simulation whole = simulate(spec, trace_path, progress);
        whole.stats["sampled"] = {{"asked", options.text}, {"whole", outcome.at("whole")}};
        return whole;
    }
    simulation result;
    result.stats = outcome.at("stats");
    result.code = static_cast<exit_code>(outcome.at("code").get<int>());
    result.story = outcome.at("story").get<std::string>();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.host = {{"machine", spec.label},
                   {"host_seconds", seconds},
                   {"translations_per_second", outcome.at("host").at("translations").get<double>() / seconds},
                   {"expected_memory_bytes", expected_memory},
                   {"peak_memory_bytes", outcome.at("host").at("peak_memory_bytes")}};
    return result;
}

std::string text_of_sample(const json &stats)
{
    if (!stats.contains("sampled"))
        return "";
    const json &s = stats.at("sampled");
    if (s.contains("whole"))
        return run_whole + s.at("whole").get<std::string>();
    const double value = s.at("cycles").at("value").get<double>(),
                 half = s.at("cycles").at("half_width").get<double>();
    return "SAMPLED: cycles +- " + text_of_share(half / value) + ", from " +
           text_of_count(s.at("windows").get<uint64_t>()) + " windows, " +
           text_of_share(s.at("detail").get<double>()) + " of the program in detail" +
           text_of_would_do(s.value("would_do", json()));
}

json estimate_of_headline(const json &stats, const std::string &name)
{
    const json &sampled = stats.at("sampled");
    if (name == "cycles")
        return sampled.at("cycles");
    const std::map<std::string, std::string> counts = counts_with_errors(stats.at("statistics"));
    const auto found = counts.find(name);
    return found == counts.end() ? json() : sampled.at("half_widths").value(found->second, json());
}

json would_do(uint64_t windows, double relative, double target)
{
    const double times = relative / target;
    if (!(times > 1))
        return nullptr;
    return {{"half_width", target},
            {"windows", static_cast<uint64_t>(std::ceil(static_cast<double>(windows) * times * times))}};
}

std::string text_of_would_do(const json &needed)
{
    return needed.is_null()
               ? ""
               : "; about " + text_of_count(needed.at("windows").get<uint64_t>()) + " windows would do for " +
                     text_of_share(needed.at("half_width").get<double>());
}

} // namespace walkway
