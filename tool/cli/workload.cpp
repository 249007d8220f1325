/* SPDX-License-Identifier: MIT */
/* cli/workload.cpp - finds the OpenCL programs and reads their descriptions. */
#include "cli/workload.hpp"

#include "cli/subprocess.hpp"
#include "report/table.hpp"
#include "run/input.hpp"
#include "run/jobs.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <thread>

namespace walkway
{

namespace
{

constexpr double describe_seconds = 60.0;

/* Calls body(i) for every i < count in several threads, which mostly wait for other programs. */
template <typename Body> void side_by_side(size_t count, Body body)
{
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;
    for (size_t t = 0; t < std::min<size_t>(default_parallel(), count); ++t)
        threads.emplace_back([&] {
            for (size_t i = next++; i < count; i = next++)
                body(i);
        });
    for (std::thread &thread : threads)
        thread.join();
}

/* Sets all members but name and path from a description. Throws json::exception if `said` is none. */
void take(workload &of, const nlohmann::json &said)
{
    workload w;
    w.name = of.name;
    w.path = of.path;
    w.summary = said.at("summary").get<std::string>();
    w.suite = said.at("suite").get<std::string>();
    w.papers = said.at("papers").get<std::vector<std::string>>();
    w.kernels = said.at("kernels").get<std::vector<std::string>>();
    for (const nlohmann::json &preset : said.at("presets"))
        w.presets.push_back({preset.at("name").get<std::string>(), preset.at("text").get<std::string>(),
                             preset.at("values").get<std::string>(),
                             preset.value("footprint_bytes", uint64_t{0})});
    of = w;
}

/* Returns what the build wrote beside the program (workloads/common/describe.cmake); null if there is none or
 * it is older than the program. */
nlohmann::json written_description(const std::string &program)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const std::string path = program + ".json";
    const auto written = fs::last_write_time(path, error);
    if (error || written < fs::last_write_time(program, error) || error)
        return nullptr;
    std::ifstream in(path, std::ios::binary);
    return nlohmann::json::parse(in, nullptr, false);
}

enum class described { program, tool, no };

/* Takes the description that the build wrote, if there is one. Does not start the program. */
described read_description(workload &of)
{
    const nlohmann::json said = written_description(of.path);
    if (!said.is_object())
        return described::no;
    if (said.value("tool", nlohmann::json()) == true)
        return described::tool;
    try {
        take(of, said);
    } catch (const nlohmann::json::exception &) { /* not a description */
        return described::no;
    }
    return described::program;
}

/* Fills in the program's description of itself, or a fault. Returns false for a tool. */
bool describe(workload &of)
{
    const described known = read_description(of);
    if (known != described::no)
        return known == described::program;
    const subprocess_end end = run_subprocess({{of.path, "--describe"}, {}, describe_seconds});
    if (end.how == subprocess_end::exited && end.code != 0)
        return false;
    if (!end.succeeded()) {
        of.fault = "--describe: " + text_of_end(end);
        return true;
    }
    try {
        take(of, nlohmann::json::parse(end.out));
    } catch (const nlohmann::json::exception &e) {
        of.fault = std::string("--describe: ") + e.what();
    }
    return true;
}

/* Gets a footprint that the description does not have. Returns a fault, or "". */
std::string measure(const workload &of, workload_preset &preset)
{
    if (preset.footprint_bytes != 0)
        return "";
    const std::string asked = "--describe --preset " + preset.name + ": ";
    const subprocess_end end =
        run_subprocess({{of.path, "--describe", "--preset", preset.name}, {}, describe_seconds});
    if (!end.succeeded())
        return asked + text_of_end(end);
    try {
        preset.footprint_bytes = nlohmann::json::parse(end.out).at("footprint_bytes").get<uint64_t>();
    } catch (const nlohmann::json::exception &e) {
        return asked + e.what();
    }
    return "";
}

/* Gets the footprints that descriptions do not have. A program without one gets a fault instead of its
 * description. */
void measure_all(std::vector<workload> &all)
{
    std::vector<std::pair<workload *, workload_preset *>> sizes;
    for (workload &w : all)
        for (workload_preset &p : w.presets)
            sizes.emplace_back(&w, &p);
    std::vector<std::string> faults(sizes.size());
    side_by_side(sizes.size(), [&](size_t i) { faults[i] = measure(*sizes[i].first, *sizes[i].second); });
    for (size_t i = 0; i < sizes.size(); ++i)
        if (workload &w = *sizes[i].first; !faults[i].empty() && w.fault.empty())
            w = {w.name, w.path, {}, {}, {}, {}, {}, faults[i]};
}

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace

const workload_preset *workload::find_preset(const std::string &preset) const
{
    const auto found =
        std::find_if(presets.begin(), presets.end(), [&](const auto &p) { return p.name == preset; });
    return found == presets.end() ? nullptr : &*found;
}

/* Returns the name of the file that keeps descriptions for later calls, valid while the programs are the same
 * files; empty: there is no such file. */
static std::string known_file()
{
    return cache_folder().empty() ? "" : cache_folder() + "/workloads.json";
}

static nlohmann::json files_of(const std::map<std::string, std::string> &programs)
{
    nlohmann::json files = nlohmann::json::object();
    for (const auto &[name, path] : programs) {
        std::error_code error; /* a missing file has time 0 */
        const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
        files[path] = {error ? 0 : time, error ? 0 : std::filesystem::file_size(path, error)};
    }
    return files;
}

static std::vector<workload> from_json(const nlohmann::json &list)
{
    std::vector<workload> all;
    for (const nlohmann::json &entry : list) {
        workload w;
        w.name = entry.at("name");
        w.path = entry.at("path");
        take(w, entry);
        all.push_back(std::move(w));
    }
    return all;
}

/* Returns the kept descriptions; empty if they are of other files. */
static std::vector<workload> known_workloads(const nlohmann::json &files)
{
    std::ifstream in(known_file(), std::ios::binary);
    const nlohmann::json known = nlohmann::json::parse(in, nullptr, false);
    if (!known.is_object() || known.value("files", nlohmann::json()) != files)
        return {};
    try {
        return from_json(known.at("workloads"));
    } catch (const nlohmann::json::exception &) { /* not our file: the caller starts the programs */
        return {};
    }
}

static void keep_workloads(const nlohmann::json &files, const std::vector<workload> &all)
{
    nlohmann::json list = nlohmann::json::array();
    for (const workload &w : all) {
        if (!w.fault.empty())
            return; /* keeps nothing: the next call starts the programs again */
        nlohmann::json presets = nlohmann::json::array();
        for (const workload_preset &p : w.presets)
            presets.push_back({{"name", p.name},
                               {"text", p.text},
                               {"values", p.values},
                               {"footprint_bytes", p.footprint_bytes}});
        list.push_back({{"name", w.name},
                        {"path", w.path},
                        {"summary", w.summary},
                        {"suite", w.suite},
                        {"papers", w.papers},
                        {"kernels", w.kernels},
                        {"presets", presets}});
    }
    try {
        make_folder(cache_folder());
        write_file(known_file(), nlohmann::json({{"files", files}, {"workloads", list}}).dump());
    } catch (const failure &) { /* without a cache, the next call is as slow */
    }
}

std::vector<workload> find_workloads(bool with_footprints)
{
    const nlohmann::json files = files_of(workload_programs());
    if (std::vector<workload> known = known_workloads(files); !known.empty())
        return known;
    std::vector<workload> candidates;
    for (const auto &[name, path] : workload_programs()) {
        candidates.emplace_back();
        candidates.back().name = name;
        candidates.back().path = path;
    }
    std::vector<char> is_benchmark(candidates.size()); /* not vector<bool>: several threads write it */
    side_by_side(candidates.size(), [&](size_t i) { is_benchmark[i] = describe(candidates[i]) ? 1 : 0; });
    std::vector<workload> all;
    for (size_t i = 0; i < candidates.size(); ++i)
        if (is_benchmark[i] != 0)
            all.push_back(std::move(candidates[i]));
    if (all.empty())
        throw failure(exit_input, "no workloads found: build them (cmake -DWALKWAY_WORKLOADS=ON) or set "
                                  "$WALKWAY_WORKLOADS to their folder");
    if (with_footprints) {
        measure_all(all);
        if (!known_file().empty())
            keep_workloads(files, all);
    }
    return all;
}

std::vector<std::string> preset_names(const std::vector<workload> &all)
{
    std::vector<std::string> papers;
    for (const workload &w : all)
        for (const workload_preset &p : w.presets)
            if (p.name != "demo" && p.name != "default" &&
                std::find(papers.begin(), papers.end(), p.name) == papers.end())
                papers.push_back(p.name);
    std::sort(papers.begin(), papers.end());
    papers.insert(papers.begin(), {"demo", "default"});
    return papers;
}

nlohmann::ordered_json workloads_json(const std::vector<workload> &all)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const workload &w : all) {
        nlohmann::ordered_json entry = {{"name", w.name}, {"path", w.path}};
        if (!w.fault.empty()) {
            entry["fault"] = w.fault;
            list.push_back(entry);
            continue;
        }
        entry["summary"] = w.summary;
        entry["suite"] = w.suite;
        entry["papers"] = w.papers;
        entry["kernels"] = w.kernels;
        entry["presets"] = nlohmann::ordered_json::object();
        for (const workload_preset &p : w.presets)
            entry["presets"][p.name] = {
                {"text", p.text}, {"values", p.values}, {"footprint_bytes", p.footprint_bytes}};
        list.push_back(entry);
    }
    return list;
}

table workloads_table(const std::vector<workload> &all)
{
    const std::vector<std::string> names = preset_names(all);
    std::vector<std::string> head = {"workload", "what it computes", "kernels", "suite", "fault"};
    for (const std::string &name : names)
        head.push_back("bytes at " + name);
    table t(head);
    for (const workload &w : all) {
        std::vector<std::string> cells = {w.name, w.summary, joined(w.kernels), w.suite, w.fault};
        for (const std::string &name : names) {
            const workload_preset *preset = w.find_preset(name);
            cells.push_back(preset == nullptr ? "" : std::to_string(preset->footprint_bytes));
        }
        t.row(cells);
    }
    return t;
}

void print_workloads(std::ostream &out, const std::vector<workload> &all)
{
    table what({"workload", "what it computes", "kernels"});
    what.align_left();
    std::vector<std::string> head = {"workload"};
    const std::vector<std::string> names = preset_names(all);
    head.insert(head.end(), names.begin(), names.end());
    head.emplace_back("suite");
    table sizes(head);
    sizes.align_last_left();
    for (const workload &w : all) {
        if (!w.fault.empty()) {
            what.row({w.name, "cannot be used: " + w.fault, w.path});
            continue;
        }
        what.row({w.name, w.summary, joined(w.kernels)});
        std::vector<std::string> cells = {w.name};
        for (const std::string &name : names) {
            const workload_preset *preset = w.find_preset(name);
            cells.push_back(preset == nullptr ? "-" : text_of_bytes(preset->footprint_bytes));
        }
        cells.push_back(w.suite);
        sizes.row(cells);
    }
    what.print(out);
    out << "\nMemory of the buffers at each preset; a paper's name heads the sizes of the programs that it "
           "uses:\n\n";
    sizes.print(out);
    out << "\n'PROGRAM --help' says what a program's arguments and presets are; 'walkway workloads run' runs "
           "them.\n";
}

} // namespace walkway
