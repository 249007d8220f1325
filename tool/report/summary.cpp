/* SPDX-License-Identifier: MIT */
/* report/summary.cpp - prints headline, account, laws, and the cost of the run on this computer. */
#include "report/summary.hpp"

#include "report/energy.hpp"
#include "report/explain.hpp"
#include "report/hints.hpp"
#include "report/hit_columns.hpp"
#include "report/places.hpp"
#include "report/sampled.hpp"
#include "report/table.hpp"
#include "run/extent.hpp"
#include "run/headline.hpp"
#include "run/result_levels.hpp"
#include "run/sample.hpp"
#include "run/statistics.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace walkway
{

/* A percentile gets "<=" if it is the upper edge of a histogram's bucket of several values. */
static std::string text_of_value(const json &entry)
{
    const std::string unit = entry.at("unit").get<std::string>();
    const json &value = entry.at("value");
    const std::string before = entry.value("at_most", false) ? "<= " : "";
    if (value.is_null())
        return "-";
    if (unit == "1")
        return text_of_share(value.get<double>());
    if (unit == "s")
        return text_of_seconds(value.get<double>());
    if (value.is_number_integer())
        return before + text_of_count(value.get<uint64_t>()) + " " + unit;
    return text_of_real(value.get<double>(), 1) + " " + unit;
}

/* Returns " +- 2.0 %" for a count that a sample estimates. */
static std::string text_of_error(const json &stats, const std::string &name)
{
    const json found = estimate_of_headline(stats, name);
    if (found.is_null() || found.at("value").get<double>() <= 0)
        return "";
    return " +- " + text_of_share(found.at("half_width").get<double>() / found.at("value").get<double>());
}

/* True for what windows do not tell of the whole. */
static bool is_of_windows(const std::string &name)
{
    return ends_with(name, "_p50") || ends_with(name, "_p99");
}

/* Prints two columns, or one if the line has no room for both. */
static void print_headline(std::ostream &out, const json &stats)
{
    const json &headline = stats.at("headline");
    size_t names = 0, values = 0;
    std::vector<std::pair<std::string, std::string>> lines;
    const bool sampled = is_sampled(stats);
    for (const auto &item : headline.items()) {
        if (sampled && is_of_windows(item.key()))
            continue;
        lines.emplace_back(item.key(),
                           text_of_value(item.value()) + (sampled ? text_of_error(stats, item.key()) : ""));
        names = std::max(names, lines.back().first.size());
        values = std::max(values, lines.back().second.size());
    }
    const size_t column = 2 + names + 2 + values;
    const size_t rows = 2 * column <= line_width() ? (lines.size() + 1) / 2 : lines.size();
    for (size_t row = 0; row < rows; ++row) {
        std::string line;
        for (size_t i = row; i < lines.size(); i += rows) {
            line.resize(i == row ? 0 : column, ' ');
            line +=
                "  " + lines[i].first + std::string(names + 2 - lines[i].first.size(), ' ') + lines[i].second;
        }
        out << line << '\n';
    }
}

/* Combines causes below half a percent of the whole in one row. */
static void print_account(std::ostream &out, const std::string &title, const std::vector<cause_share> &causes)
{
    if (causes.empty())
        return;
    double sum = 0, rest = 0;
    for (const cause_share &c : causes)
        sum += c.mean;
    std::string small;
    table t({"", "", "", ""});
    t.align_last_left();
    const auto row = [&](const std::string &name, double mean, const std::string &text) {
        t.row({"  " + name, text_of_real(mean, 2), sum > 0 ? text_of_share(mean / sum) : "", text});
    };
    for (const cause_share &c : causes) {
        if (c.mean >= 0.005 * sum && c.mean > 0) {
            row(c.name, c.mean, c.text);
        } else if (c.mean > 0) {
            rest += c.mean;
            small += (small.empty() ? "" : ", ") + c.name;
        }
    }
    if (rest > 0)
        row("others", rest, small);
    row("sum", sum, "");
    out << wrapped(title) << '\n';
    t.print(out);
    out << '\n';
}

static std::string text_of_law(const json &law)
{
    const bool holds = law.at("holds").get<bool>();
    return std::string(holds ? "holds   " : "BROKEN  ") + law.at("name").get<std::string>() + "  (" +
           text_of_count(law.at("left").get<uint64_t>()) + (holds ? " = " : " against ") +
           text_of_count(law.at("right").get<uint64_t>()) + ")";
}

size_t laws_that_hold(const json &laws)
{
    return static_cast<size_t>(
        std::count_if(laws.begin(), laws.end(), [](const json &l) { return l.at("holds").get<bool>(); }));
}

static void print_laws(std::ostream &out, const json &stats, laws_shown shown)
{
    const json &laws = stats.at("laws");
    if (laws.empty())
        return;
    if (stats.at("partial").get<bool>()) {
        out << "laws: not applicable, since the run did not reach its end\n";
        return;
    }
    const size_t hold = laws_that_hold(laws);
    out << hold << " of " << laws.size() << " laws hold"
        << (shown == laws_shown::all || hold != laws.size() ? ":" : " (--laws lists them)") << '\n';
    for (const json &l : laws)
        if (shown == laws_shown::all || !l.at("holds").get<bool>())
            out << wrapped(text_of_law(l), line_width(), 2) << '\n';
}

static void print_window(std::ostream &out, const json &window)
{
    static const struct {
        const char *member, *text;
    } stretches[] = {{"skipped", "skipped: "}, {"warm_up", "warm-up: "}, {"measured", "measured:"}};
    for (const auto &stretch : stretches) {
        if (!window.contains(stretch.member))
            continue;
        out << stretch.text;
        const char *before = " ";
        for (const char *unit : {"cycles", "instructions", "translations", "groups"}) {
            if (!window.at(stretch.member).contains(unit))
                continue;
            out << before << text_of_count(window.at(stretch.member).at(unit).get<uint64_t>()) << ' ' << unit;
            before = ", ";
        }
        out << '\n';
    }
}

/* Prints how many waves of the trace the machine splits. */
static void print_split_waves(std::ostream &out, const json &statistics)
{
    const stat_view view(statistics);
    if (!view.has("gpu.split_waves") || view.count("gpu.split_waves") == 0)
        return;
    out << flowed(text_of_count(view.count("gpu.split_waves")) +
                  " waves of 64 lanes ran as two of 32 lanes each (cu.wave_lanes): " +
                  text_of_count(view.count("gpu.waves")) + " waves in all");
}

/* Prints the mapping of pages, if not all are mapped before time zero. */
static void print_pages(std::ostream &out, const json &statistics)
{
    const stat_view view(statistics);
    if (!view.has("pager.pages_mapped"))
        return;
    const uint64_t mapped = view.count("pager.pages_mapped");
    std::string text =
        text_of_count(mapped) + (view.has("driver.frames") ? " times a page came into device memory"
                                                           : " pages were mapped when they were touched "
                                                             "first, one at a time");
    if (mapped != 0)
        text +=
            ", each in " + text_of_real(view.of_histogram("pager.latency", "mean"), 1) + " cycles on average";
    if (const uint64_t refused = view.count("pager.refused"))
        text += "; " + text_of_count(refused) + " were refused, since there is no such page";
    if (view.has("driver.frames"))
        text += ", which has room for " + text_of_count(view.count("driver.frames")) + ", and " +
                text_of_count(view.count("driver.pages_evicted")) + " times one left it; " +
                text_of_count(view.count("driver.remote_lines")) + " lines were used in host memory";
    out << flowed(text + ".");
}

static std::string title_of(const json &trace)
{
    const std::string command = escaped(trace.at("command").get<std::string>());
    return trace.at("file").get<std::string>() + (command.empty() ? "" : " (" + command + ")");
}

/* Prints a row per program, if several run at a time. */
static void print_programs(std::ostream &out, const json &stats)
{
    if (!stats.contains("beside"))
        return;
    const stat_view view(stats.at("statistics"));
    const result_levels levels = result_levels::of(stats);
    std::vector<std::string> columns = {"program", "cycles", "groups", "begun", "translations", "latency"};
    for (const level *tlb : levels.tlbs())
        columns.push_back(tlb->title() + " misses");
    table t(columns);
    for (size_t i = 0; i <= stats.at("beside").size(); ++i) {
        const json &trace = i == 0 ? stats.at("trace") : stats.at("beside")[i - 1];
        const std::string of_dispatcher = "gpu.program_" + std::to_string(i), vm = ".vm_" + std::to_string(i);
        const auto count = [&](const std::string &name) {
            return view.has(name) ? text_of_count(view.count(name)) : "-";
        };
        const double translations = static_cast<double>(view.count("coalescer" + vm + ".translations"));
        const double cycle_ps =
            static_cast<double>(stats.at("configuration").at("gpu.clock_ps").get<uint64_t>());
        const double latency = static_cast<double>(view.count("coalescer" + vm + ".latency_ps")) / cycle_ps;
        const uint64_t cycles = view.count(of_dispatcher + ".cycles");
        std::vector<std::string> row = {std::to_string(i) + " " + trace.at("file").get<std::string>(),
                                        cycles == 0 ? "not ended" : text_of_count(cycles),
                                        count(of_dispatcher + ".groups"),
                                        count(of_dispatcher + ".times"),
                                        count("coalescer" + vm + ".translations"),
                                        translations > 0 ? text_of_real(latency / translations, 1) : "-"};
        for (const level *tlb : levels.tlbs())
            row.push_back(count(tlb->section() + vm + ".misses"));
        t.row(row);
    }
    t.print(out);
    out << flowed(
               "Cycles: until it had ended for the first time; the run ends when each has. Begun: how often. "
               "Latency: mean of a translation, cycles. What follows is of all programs together.")
        << '\n';
}

static void print_events(std::ostream &out, const json &stats)
{
    if (!stats.contains("events"))
        return;
    table t({"event", "at cycle", "acknowledged after", "pages", "lines written", "dropped"});
    t.align_last_left();
    size_t not_due = 0;
    for (const json &e : stats.at("events")) {
        const bool done = e.contains("acknowledged_cycle");
        const auto count = [&](const char *member) { return text_of_count(e.at(member).get<uint64_t>()); };
        not_due += e.at("due").get<bool>() ? 0 : 1;
        std::string pages = done ? count("pages_changed") : "-";
        for (const auto &[member, text] :
             {std::pair("pages_same", " as before"), std::pair("pages_absent", " absent")})
            if (done && e.at(member).get<uint64_t>() != 0)
                pages += ", " + count(member) + text;
        std::string dropped;
        if (done)
            for (const auto &[what, n] : e.at("dropped").items())
                dropped += (dropped.empty() ? "" : ", ") + text_of_count(n.get<uint64_t>()) + " " + what;
        t.row({e.at("event").get<std::string>(), e.contains("asked_cycle") ? count("asked_cycle") : "NOT DUE",
               done ? text_of_count(e.at("acknowledged_cycle").get<uint64_t>() -
                                    e.at("asked_cycle").get<uint64_t>()) +
                          " cycles"
                    : "-",
               pages, done ? count("lines_written") : "-", dropped.empty() ? "-" : dropped});
    }
    t.print(out);
    if (not_due != 0)
        out << flowed("NOT DUE: the run ended before, " + text_of_count(not_due) + " of " +
                      text_of_count(stats.at("events").size()) + " events.");
    out << '\n';
}

/* Prints a row per kernel, if the run distinguishes kernels. */
static void print_kernels(std::ostream &out, const json &stats)
{
    if (!stats.contains("kernels"))
        return;
    std::vector<named_result> parts;
    for (const json &k : stats.at("kernels"))
        parts.push_back({k.at("name").get<std::string>(), k});
    const hit_columns tlbs(parts);
    table t(tlbs.heads({"kernel", "launches", "cycles", "", "translations", "walks"}, {"latency"}));
    const double all = headline_value(stats, "cycles");
    for (const named_result &k : parts) {
        const auto count = [&k](const char *name) {
            return text_of_count(static_cast<uint64_t>(headline_value(k.stats, name)));
        };
        t.row(
            tlbs.row({escaped(readable_name(k.label)), text_of_count(k.stats.at("launches").get<uint64_t>()),
                      count("cycles"), text_of_share(headline_value(k.stats, "cycles") / all),
                      count("translations"), count("walks")},
                     k.stats, {text_of_real(headline_value(k.stats, "translation_latency_mean"), 1)}));
    }
    t.print(out);
    out << flowed("Walks: that ended. Latency: of a translation, mean, cycles. TLBs: hit rates. What is "
                  "under way when the next "
                  "kernel begins counts there.")
        << '\n';
}

void print_summary(std::ostream &out, const simulation &result, const std::string &label, laws_shown laws)
{
    const json &stats = result.stats;
    std::string title = label + " on " + title_of(stats.at("trace"));
    if (stats.contains("beside"))
        for (const json &program : stats.at("beside"))
            title += " beside " + title_of(program);
    if (stats.at("partial").get<bool>())
        title += std::string(", ") + cut_short;
    out << wrapped(title) << '\n' << flowed(text_of_missing_in(stats));
    print_split_waves(out, stats.at("statistics"));
    print_pages(out, stats.at("statistics"));
    if (stats.contains("window"))
        print_window(out, stats.at("window"));
    out << '\n';
    print_programs(out, stats);
    print_events(out, stats);
    print_headline(out, stats);
    out << flowed(text_of_occupancy(stats));
    out << '\n';
    print_kernels(out, stats);
    print_places(out, stats);
    print_account(out, "where a translation's time went, cycles per translation", translation_causes(stats));
    print_account(out, "where the waves' time went, cycles per memory instruction", stall_causes(stats));
    print_hints(out, hints_of(stats));
    print_laws(out, stats, laws);
    if (const std::string energy = text_of_energy(stats.at("statistics")); !energy.empty())
        out << wrapped(energy) << '\n';
    out << wrapped(text_of_duration(result.host.at("host_seconds").get<double>()) + " on this computer, " +
                   text_of_rate(result.host.at("translations_per_second").get<double>()) +
                   " translations per second, peak memory " +
                   text_of_bytes(result.host.at("peak_memory_bytes").get<uint64_t>()))
        << '\n';
}

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

void print_runs(std::ostream &out, const std::vector<named_result> &runs, laws_shown laws)
{
    const hit_columns tlbs(runs);
    table t(tlbs.heads({"run", "cycles", "translations", "PTE reads", "walk latency"}, {"L2D", "laws"}));
    for (size_t i = 0; i < runs.size(); ++i) {
        const json &stats = runs[i].stats;
        const std::string label = "[" + std::to_string(i + 1) + "] " + runs[i].label;
        if (stats.is_null()) {
            t.row({label, "failed"});
            continue;
        }
        const auto value = [&](const char *name) { return headline_value(stats, name, none); };
        const auto count = [&](const char *name) {
            return std::isfinite(value(name)) ? text_of_count(static_cast<uint64_t>(value(name))) : "-";
        };
        t.row(
            tlbs.row({label, count("cycles"), count("translations"), count("pte_reads"),
                      text_of_real(value("walk_latency_mean"), 1)},
                     stats,
                     {text_of_share(value("l2d_hit_rate")),
                      stats.at("partial").get<bool>() ? "PARTIAL"
                                                      : std::to_string(laws_that_hold(stats.at("laws"))) +
                                                            "/" + std::to_string(stats.at("laws").size())}));
    }
    t.print(out);
    out << flowed("Walk latency: mean, cycles. TLBs and L2D (the second data cache): hit rates. Laws: how "
                  "many of them hold.");
    for (size_t i = 0; i < runs.size(); ++i) {
        const json &stats = runs[i].stats;
        if (stats.is_null())
            continue;
        const std::string missing = text_of_missing_in(stats);
        const bool all_hold = laws_that_hold(stats.at("laws")) == stats.at("laws").size();
        const bool tell_laws = !stats.at("partial").get<bool>() && (laws == laws_shown::all || !all_hold);
        if (missing.empty() && !tell_laws)
            continue;
        out << "\n[" << i + 1 << "] " << flowed(missing.empty() ? runs[i].label : missing);
        if (tell_laws)
            print_laws(out, stats, laws);
    }
}

} // namespace walkway
