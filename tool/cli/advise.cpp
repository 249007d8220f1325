/* SPDX-License-Identifier: MIT */
/* cli/advise.cpp - walkway advise: finds changes that help a program and shows each by a run. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "cli/machines.hpp"
#include "report/advice.hpp"
#include "report/trace_pages.hpp"
#include "run/extent.hpp"
#include "run/input.hpp"
#include "run/machine.hpp"
#include "run/parameters.hpp"
#include "run/result.hpp"
#include "run/result_folder.hpp"
#include "run/simulation_job.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "support/terminal.hpp"
#include "trace/wkt_pad.h"

#include <cstdio>
#include <deque>
#include <filesystem>
#include <iostream>
#include <optional>

namespace walkway
{

namespace
{

constexpr uint32_t tlb_log2 = 4; /* log2 of the entries of the LRU TLB whose misses select the buffers */

/* Settings that all runs share, their results, and the folders of these. */
struct advising {
    const arguments &args;
    std::string machine, trace;
    run_scope scope;
    unsigned parallel;
    std::string scratch; /* folder of the padded traces */
    std::string parent;  /* folder of the results' folders */
    result_folder *place;
    std::deque<platform_spec> specs = {}; /* one per run; jobs keep references to them */
    std::vector<planned_result> plan = {};
    std::vector<job_result> ends = {};
    exit_code worst = exit_ok;
};

machine_changes changes_for(const advising &a, const advised_run &run)
{
    machine_changes changes = changes_of(a.args);
    changes.study = {"address_space.page=4k"};
    if (run.what != advice::pages && run.what != advice::together)
        changes.study.emplace_back("address_space.buffer_pages=none");
    changes.study.insert(changes.study.end(), run.settings.begin(), run.settings.end());
    return changes;
}

/* Opens the part of the trace that the runs simulate. */
trace_file open_part(const advising &a)
{
    trace_file trace = open_trace(a.trace);
    select_part(trace.get(), a.scope.part);
    wkt_reader_stop_when(
        trace.get(), [](void *) { return interrupted(); }, nullptr);
    return trace;
}

/* Returns the buffers with their misses for pages of 4 KiB. Sets their address ranges and row pitches. */
std::vector<advised_buffer> buffers_of(const advising &a, space_ranges *ranges,
                                       std::vector<row_pitch> *pitches)
{
    const trace_file trace = open_part(a);
    *pitches = row_pitches(a.trace, trace.get());
    const page_analysis pages =
        analyse_pages(a.trace, trace.get(), {WW_PAGE_4K, WW_WINDOWS_MIN, {320, UINT32_MAX}});
    const ww_pages_part &whole = *ww_pages_whole(pages.pages.get());
    std::vector<advised_buffer> all;
    for (uint32_t i = 0; i < wkt_reader_info(trace.get())->buffers; ++i) {
        const wkt_buffer &b = *wkt_reader_buffer(trace.get(), i);
        ranges->push_back({b.base_va, b.bytes});
        all.push_back({i, b.bytes, ww_pages_misses_of_buffer(&whole.buffers[i], tlb_log2), ""});
    }
    return all;
}

std::vector<advised_run> runs_of(const std::vector<advised_buffer> &buffers, const space_ranges &ranges,
                                 const std::vector<row_pitch> &pitches, platform_config &config)
{
    constexpr uint64_t line_bytes = 64, page_bytes = 4096;
    std::vector<advised_run> runs = {{advice::baseline, 0, {}, 0, {}}};
    for (const advised_buffer &b : buffers)
        for (const char *size : {"64k", "2m"}) {
            const std::string pages = std::to_string(b.number) + ":" + size;
            if (b.left_out.empty())
                runs.push_back({advice::pages,
                                b.number,
                                {"address_space.buffer_pages=" + pages},
                                wasted_bytes(ranges, pages),
                                {}});
        }
    for (const parameter &p : list_parameters(config))
        for (const std::string &c : p.choices)
            if (p.name == "dispatcher.policy" && c != p.value)
                runs.push_back({advice::order, 0, {p.name + "=" + c}, 0, {}});
    for (const advised_buffer &b : buffers)
        for (const uint64_t pad : {line_bytes, page_bytes}) {
            const wkt_pad by = {b.number, pitches[b.number].bytes, pad};
            if (b.left_out.empty() && why_not_padded(pitches[b.number]).empty())
                runs.push_back({advice::padding,
                                b.number,
                                {},
                                wkt_padded_bytes(b.bytes, &by) - b.bytes,
                                {},
                                by.pitch_bytes,
                                pad});
        }
    return runs;
}

/* Returns a run of the program with longer rows. The job makes the padded trace and removes it at its end. */
job padded_job(const advising &a, const advised_run &run, platform_spec &spec, const std::string &folder,
               const std::string &label, const std::string &file)
{
    const job inner = simulation_job(spec, file, folder, kept::always, label);
    const wkt_pad pad = {run.buffer, run.pitch, run.pad};
    return {label, [&a, pad, file, inner](const progress_fn &progress) {
                const trace_file trace = open_part(a);
                wkt_error error{};
                if (wkt_reader_save_padded(trace.get(), &pad, file.c_str(), 0, &error) != WKT_OK)
                    throw interrupted() ? failure(exit_interrupted, "interrupted")
                                        : failure(error.output ? exit_output : exit_input, error.text);
                const exit_code code = inner.body(progress);
                std::remove(file.c_str());
                return code;
            }};
}

/* Runs those from `first` on in parallel and reads their results. */
void run_all(advising &a, std::vector<advised_run> &runs, size_t first)
{
    std::vector<job> jobs;
    std::vector<std::string> folders;
    for (size_t i = first; i < runs.size(); ++i) {
        a.specs.push_back(resolve_platform(a.machine, changes_for(a, runs[i])));
        platform_spec &spec = a.specs.back();
        const std::string text = runs[i].text(), settings = text.empty() ? "" : ", " + text;
        const std::string name = std::to_string(i) + (text.empty() ? "" : "-" + file_name_of(text));
        folders.push_back(a.parent + "/" + name);
        check_place_of_results(folders.back());
        a.plan.push_back({name, spec.label, a.trace, settings});
        const std::string label = spec.label + settings;
        jobs.push_back(runs[i].what == advice::padding
                           ? padded_job(a, runs[i], spec, folders.back(), label,
                                        a.scratch + "/" + std::to_string(i) + ".wkt")
                           : simulation_job(spec, a.trace, folders.back(), kept::always, label, a.scope));
    }
    if (a.place != nullptr && first == 0)
        a.place->clear(a.plan);
    if (a.place != nullptr)
        a.place->begin(a.plan);
    const std::vector<job_result> ends = run_jobs(jobs, a.parallel, a.args.has("quiet"));
    const exit_code worst = report_ends(jobs, ends);
    a.worst = a.worst == exit_ok ? worst : a.worst;
    a.ends.insert(a.ends.end(), ends.begin(), ends.end());
    for (size_t i = 0; i < jobs.size(); ++i)
        if (ends[i].code == exit_ok)
            runs[first + i].stats = read_result(folders[i] + "/stats.json");
    if (interrupted() && a.place != nullptr)
        a.place->finish(a.ends, {});
    if (interrupted())
        throw failure(exit_interrupted, "interrupted: nothing is advised");
}

std::string machine_of(const command_words &words)
{
    if (words.machines.size() > 1)
        throw failure(exit_usage, "advise: is of one machine, and " + as_written(words.machines[1]) +
                                      " is another; 'walkway compare' is of several");
    return words.machines.empty() ? default_platform : words.machines.front();
}

} // namespace

static int advise_main(const arguments &args)
{
    const command_words words = sort_words(args);
    const std::string machine = machine_of(words);
    const output_form form = form_of(args);
    const uint64_t percent = args.number("misses", 1, 0, 100), most = args.number("buffers", 16, 0, 64);
    uint64_t wasted = args.number("waste", 0, 0, UINT64_MAX);
    const auto parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 1024));
    run_scope scope;
    scope.part = part_of(args);
    const temporary_folder scratch;
    const std::string parent = args.value("output", scratch.path());
    will_read_input(args, words.others);
    std::optional<result_folder> place;
    if (args.has("output"))
        place.emplace(parent, "advise", args);
    if (args.has("csv") && args.value("csv") != "-")
        refuse_to_overwrite("--csv", args.value("csv"));
    advising a = {args, machine, "", scope, parallel, scratch.path(), parent, place ? &*place : nullptr};
    platform_spec first = resolve_platform(machine, changes_for(a, {advice::baseline, 0, {}, 0, {}}));
    say_overruled(std::vector<const platform_spec *>{&first});
    a.trace = input_trace(args, words.others);

    space_ranges ranges;
    std::vector<row_pitch> pitches;
    std::vector<advised_buffer> buffers = buffers_of(a, &ranges, &pitches);
    leave_out(buffers, percent, most);
    if (!args.has("waste"))
        wasted = page_areas(ranges, {}, 0).bytes() / 8;
    const std::string program = as_written(
        std::filesystem::path(args.has_program ? args.program.front() : words.others.front()).filename());
    advice_report report = {program, first.label, buffers, runs_of(buffers, ranges, pitches, *first.config),
                            {},      wasted,      pitches};
    run_all(a, report.runs, 0);
    if (report.runs.front().stats.is_null())
        throw failure(a.worst == exit_ok ? exit_law : a.worst,
                      "the run with pages of 4 KiB has no result to compare with");
    report.chosen = best_together(report.runs, wasted);
    if (report.chosen.size() > 1) {
        const size_t last = report.runs.size();
        report.runs.push_back(together(report.runs, report.chosen, ranges));
        run_all(a, report.runs, last);
    }
    if (const std::string missing = text_of_missing_in(report.runs.front().stats); !missing.empty())
        (form.text() ? std::cout : std::cerr << "walkway: ") << flowed(missing);
    if (form.text())
        print_advice(std::cout, report);
    write_forms(form, advice_table(report));
    if (place) {
        place->finish(a.ends, {});
        if (form.text())
            std::cout << "\nresults: a folder for each run in " << parent << '\n';
    }
    return a.worst;
}

static std::vector<option_def> advise_options()
{
    return joined(
        {in_group("Machine",
                  {platform_option_def(),
                   {"set", 0, "SECTION.KEY=VALUE",
                    "change one parameter of the machine that it does not set itself; may be repeated", true},
                   {"seed", 0, "N", "value of every parameter named seed"},
                   memory_option_def()}),
         in_group("Program", joined({{{"no-cache", 0, nullptr, "capture anew, and keep no trace"}},
                                     capture_option_defs(),
                                     part_option_defs()})),
         in_group(
             "Advice",
             {{"waste", 0, "BYTES",
               "that pages may take together beyond pages of 4 KiB (default: an eighth of what those take)"},
              {"misses", 0, "PERCENT", "of the misses that a buffer must have to be tried (default: 1)"},
              {"buffers", 0, "N", "to be tried at most, those with most misses (default: 16)"}}),
         in_group("Results", {{"output", 'o', "DIR", "keep a folder with stats.json for each run in DIR"},
                              csv_option,
                              json_option,
                              {"jobs", 'j', "N", "runs at a time (default: the processors there are)"},
                              quiet_option})});
}

const command_def advise_command = {
    "advise",
    "advise [options] TRACE [MACHINE]\n"
    "advise [options] [MACHINE] -- PROGRAM ARGUMENTS",
    "What would help this program: larger pages for which of its buffers, another order of its work-groups, "
    "longer rows?",
    "Each advice is shown by a run, and compared with the program on this machine with pages of 4 KiB.\n"
    "Buffers get pages of 64 KiB and of 2 MiB, one buffer and one size at a time. Wasted are the bytes of "
    "the pages beyond those of pages of 4 KiB. Of the sizes that gain at least 0.5 % at most one for each "
    "buffer is chosen: together those that save most cycles, of all that waste no more than --waste. Where "
    "it is more than one buffer, that is run, too.\n"
    "Misses are counted before anything runs: of an LRU TLB with 16 entries, in an order of the accesses "
    "that 'walkway trace info --pages' takes.\n"
    "Then dispatcher.policy takes each other value, and rows of buffers whose pitch is a multiple of 2 KiB, "
    "as the accesses show it, become 64 bytes and 4 KiB longer, in a copy of the trace. docs/use/advise.md "
    "says "
    "more.",
    advise_options(),
    "walkway advise gen:zipf,waves=16,accesses=8,footprint=8388608",
    advise_main,
};

} // namespace walkway
