/* SPDX-License-Identifier: MIT */
/* run/series.cpp - writes the columns of a run over time. */
#include "run/series.hpp"

#include "run/extent.hpp"
#include "run/result_levels.hpp"
#include "run/scope.hpp"
#include "support/errors.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace walkway
{

static constexpr const char *default_step = "10000cycles";

std::vector<option_def> series_option_defs()
{
    return {{"series", 0, "FILE", "write the run over time (CSV): a row for each step"},
            {"every", 0, "COUNT",
             "length of a step (default 10000cycles): cycles, instructions, translations or groups"},
            {"series-figure", 0, "FILE", "draw it, as .svg, .pdf or .png"}};
}

series_options series_options_of(const arguments &args)
{
    series_options o;
    for (const std::string option : {"every", "series-figure"})
        if (args.has(option) && !args.has("series"))
            throw failure(exit_usage, "--" + option + " wants --series FILE");
    if (!args.has("series"))
        return o;
    if (args.has("series-figure"))
        o.figure = new_picture("--series-figure", args.value("series-figure"));
    o.file = args.value("series");
    o.every_text = args.has("every") ? args.value("every") : default_step;
    o.every = bound_of("every", o.every_text);
    return o;
}

std::string text_of_series(const series_options &options, uint64_t steps)
{
    return options.file + ": " + text_of_count(steps) + (steps == 1 ? " step" : " steps") + " of " +
           options.every_text;
}

struct series_file::column {
    std::string name;
    std::function<std::string(const run_step &, const stat_view &)> cell;
};

/* The first columns state begin, end and length of a step. */
static constexpr size_t edges = 3;

/* Returns "" for a share of nothing. */
static std::string share(double part, double whole)
{
    if (whole <= 0)
        return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.6f", part / whole);
    return text;
}

void series_file::add_difference(const std::string &name, uint64_t window_edge::*count)
{
    columns_.push_back({name, [count](const run_step &s, const stat_view &) {
                            return std::to_string(s.to.*count - s.from.*count);
                        }});
}

void series_file::add_count(const std::string &name, const std::string &statistic)
{
    columns_.push_back({name, [statistic](const run_step &, const stat_view &stats) {
                            return std::to_string(stats.count(statistic));
                        }});
}

void series_file::add_mean(const std::string &name, const std::string &histogram)
{
    columns_.push_back({name, [histogram](const run_step &, const stat_view &stats) {
                            const json &h = stats.histogram(histogram);
                            return share(h.at("sum").get<double>(), h.at("count").get<double>());
                        }});
}

/* Adds the sum of a signal at the end of the step, over all blocks of that name, with or without a number. */
void series_file::add_signals(const std::string &name, const std::string &block, const std::string &signal,
                              const platform &machine)
{
    std::vector<size_t> places;
    for (const signal_info &s : machine.signals()) {
        const bool one = s.block == block ||
                         (s.block.compare(0, block.size() + 1, block + "_") == 0 &&
                          s.block.find_first_not_of("0123456789", block.size() + 1) == std::string::npos);
        if (!one || s.name != s.block + "." + signal)
            continue;
        places.push_back(signals_.size());
        signals_.push_back(s.name);
    }
    if (places.empty())
        return;
    columns_.push_back({name, [places](const run_step &step, const stat_view &) {
                            uint64_t sum = 0;
                            for (const size_t place : places)
                                sum += step.signals.at(place);
                            return std::to_string(sum);
                        }});
}

void series_file::add_extent(const stat_view &stats)
{
    columns_.push_back(
        {"from_cycle", [](const run_step &s, const stat_view &) { return std::to_string(s.from.cycles); }});
    columns_.push_back(
        {"to_cycle", [](const run_step &s, const stat_view &) { return std::to_string(s.to.cycles); }});
    add_difference("cycles", &window_edge::cycles);
    add_difference("instructions", &window_edge::instructions);
    add_difference("translations", &window_edge::translations);
    if (stats.has("gpu.launches"))
        add_count("launches", "gpu.launches");
}

/* Adds what begins and ends in the blocks: waves, translations, walks, reads of memory. */
void series_file::add_flows(const platform &machine)
{
    for (const std::string &name : machine.flows()) {
        const auto of = [name](const window_edge &edge) {
            const auto same = [&name](const window_flow &f) { return name == f.name; };
            return *std::find_if(edge.flows.begin(), edge.flows.end(), same);
        };
        columns_.push_back({name + "_begun", [of](const run_step &s, const stat_view &) {
                                return std::to_string(of(s.to).begun - of(s.from).begun);
                            }});
        columns_.push_back({name + "_ended", [of](const run_step &s, const stat_view &) {
                                return std::to_string(of(s.to).ended - of(s.from).ended);
                            }});
        columns_.push_back({name + "_in_flight", [of](const run_step &s, const stat_view &) {
                                return std::to_string(of(s.to).inside);
                            }});
    }
}

/* Lookups are hits, misses and, if a level merges, requests that joined a page in flight. */
void series_file::add_level(const level &l)
{
    const std::string of = l.section();
    const std::string lookups = of + "." + l.asked(), misses = of + "." + l.asks().front();
    const std::string merged = l.reach().merged;
    add_count(of + "_lookups", lookups);
    add_count(of + "_misses", misses);
    if (!merged.empty())
        add_count(of + "_merged", merged);
    columns_.push_back({of + "_hit_rate", [=](const run_step &, const stat_view &stats) {
                            const uint64_t asked = stats.count(lookups);
                            const uint64_t others =
                                stats.count(misses) + (merged.empty() ? 0 : stats.count(merged));
                            return share(static_cast<double>(asked - others), static_cast<double>(asked));
                        }});
}

void series_file::add_walks(const std::string &section, const platform &machine)
{
    for (const char *name : {"walks_started", "walks_finished", "walks_coalesced", "pte_reads"})
        add_count(section + "_" + name, section + "." + name);
    add_mean(section + "_walk_latency_mean", section + ".walk_latency");
    add_mean(section + "_buffer_mean", section + ".buffer_occupancy");
    add_signals(section + "_buffer", section, "buffer.occupancy", machine);
    add_signals(section + "_backlog", section, "backlog", machine);
    add_signals(section + "_busy", section, "walks.busy", machine);
}

void series_file::add_memory(const stat_view &stats)
{
    for (const char *name : {"reads", "writes", "row_hits", "queue_cycles"})
        if (stats.has(std::string("dram.") + name))
            add_count(std::string("dram_") + name, std::string("dram.") + name);
    if (stats.has("dram.read_latency"))
        add_mean("dram_read_latency_mean", "dram.read_latency");
}

series_file::series_file(const series_options &options, platform &machine)
    : file_(options.file), machine_(machine)
{
    const json statistics = statistics_json(machine);
    const stat_view stats(statistics);
    add_extent(stats);
    add_flows(machine);
    const result_levels levels(statistics);
    for (const auto &l : levels.all())
        if (l->ends_path())
            add_walks(l->section(), machine);
        else
            add_level(*l);
    add_memory(stats);
    std::vector<std::string> groups = {"gpu", "dram"};
    for (const auto &l : levels.all())
        groups.push_back(l->section());
    std::string head;
    for (const column &c : columns_)
        head += (head.empty() ? "" : ",") + c.name;
    file_.put(head + "\n");
    machine.tell_steps({options.every, groups, signals_, [this](const run_step &step) { row(step); }});
}

series_file::~series_file() = default;

void series_file::row(const run_step &step)
{
    const json statistics = statistics_json(step.counted);
    const stat_view stats(statistics);
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
        const std::string cell = columns_[i].cell(step, stats);
        line += (i == 0 ? "" : ",") + cell;
        if (i >= edges && !cell.empty())
            machine_.follow_counter(columns_[i].name, step.from.cycles * machine_.cycle_ps(), cell);
    }
    file_.put(line + "\n");
    ++rows_;
}

uint64_t series_file::finish(bool partial)
{
    if (partial)
        file_.put(std::string("# ") + cut_short + "\n");
    file_.finish();
    return rows_;
}

} // namespace walkway
