/* SPDX-License-Identifier: MIT */
/* run/headline.cpp - definitions of the headline. */
#include "run/headline.hpp"

#include "run/result_levels.hpp"

#include <algorithm>
#include <limits>

namespace walkway
{

namespace
{

enum class kind { value, ratio, mean, p50, p99 };

struct headline_def {
    std::string name, unit, text;
    kind what;
    std::vector<std::string> paths;   /* summed; of a ratio: the part */
    std::vector<std::string> divisor; /* summed; of a ratio: the whole */
};

/* Adds the hit rate of each TLB, the first level first. */
void add_hit_rates(std::vector<headline_def> &defs, const result_levels &levels)
{
    for (const level *tlb : levels.tlbs())
        defs.push_back({tlb->section() + "_hit_rate",
                        "1",
                        "hits per lookup, " + tlb->plural(),
                        kind::ratio,
                        {tlb->section() + ".hits"},
                        {tlb->section() + ".lookups"}});
}

std::vector<headline_def> headline_of(const result_levels &levels)
{
    const std::string walks = levels.walks() + ".", latency = walks + "walk_latency";
    std::vector<headline_def> defs = {
        {"instructions", "instructions", "wave instructions issued", kind::value, {"gpu.instructions"}, {}},
        {"pte_reads",
         "reads",
         "lines of the page table that walkers read from memory",
         kind::value,
         {walks + "pte_reads"},
         {}},
        {"walks", "walks", "page walks finished by a walker", kind::value, {walks + "walks_finished"}, {}},
        {"coalesced_walks",
         "walks",
         "requests served from the line of another request's walk",
         kind::value,
         {walks + "walks_coalesced"},
         {}},
        {"walk_latency_mean",
         "cycles",
         "mean time of a request from its miss in the last TLB to its translation",
         kind::mean,
         {latency},
         {}},
        {"walk_latency_p50", "cycles", "median of the same", kind::p50, {latency}, {}},
        {"walk_latency_p99", "cycles", "99th percentile of the same", kind::p99, {latency}, {}},
        {"translation_latency_mean",
         "cycles",
         "mean time of an answered translation from the coalescer and back",
         kind::ratio,
         {"account.translation_cycles"},
         {"coalescer.answered"}},
    };
    add_hit_rates(defs, levels);
    const std::vector<headline_def> data = {
        {"l1d_hit_rate",
         "1",
         "hits per read, all L1 data caches",
         kind::ratio,
         {"l1d.read_hits"},
         {"l1d.reads"}},
        {"l2d_hit_rate",
         "1",
         "hits per access, L2 data cache",
         kind::ratio,
         {"l2d.read_hits", "l2d.write_hits"},
         {"l2d.reads", "l2d.writes"}},
        {"dram_row_hit_rate",
         "1",
         "row hits per DRAM access",
         kind::ratio,
         {"dram.row_hits"},
         {"dram.column_reads", "dram.column_writes"}},
    };
    defs.insert(defs.end(), data.begin(), data.end());
    return defs;
}

double sum(const stat_view &view, const std::vector<std::string> &paths)
{
    double total = 0;
    for (const std::string &path : paths)
        total += view.value(path);
    return total;
}

/* Returns null for a share, mean or percentile of nothing. */
json value_of(const stat_view &view, const headline_def &def)
{
    if (def.what != kind::value && def.what != kind::ratio &&
        view.histogram(def.paths.front()).at("count") == 0)
        return nullptr;
    switch (def.what) {
    case kind::value: {
        uint64_t total = 0;
        for (const std::string &path : def.paths)
            total += view.count(path);
        return total;
    }
    case kind::ratio: {
        const double whole = sum(view, def.divisor);
        return whole > 0 ? json(sum(view, def.paths) / whole) : json();
    }
    case kind::mean:
        return view.of_histogram(def.paths.front(), "mean");
    case kind::p50:
        return view.histogram(def.paths.front()).at("p50");
    case kind::p99:
        return view.histogram(def.paths.front()).at("p99");
    }
    return nullptr;
}

/* True for a percentile that may be too large: it is the upper edge of a histogram's bucket, and the bucket
 * can hold smaller values. */
bool is_upper_edge(const stat_view &view, const headline_def &def)
{
    if (def.what != kind::p50 && def.what != kind::p99)
        return false;
    const json &h = view.histogram(def.paths.front());
    if (value_of(view, def).is_null())
        return false;
    const auto value = value_of(view, def).get<uint64_t>();
    const uint64_t low = histogram::bucket_low(histogram::bucket_of(value));
    return std::max(low, h.at("min").get<uint64_t>()) < value;
}

} // namespace

json headline_json(const platform &machine, const json &statistics)
{
    return headline_json(
        {machine.cycles(), machine.translations(), static_cast<double>(machine.now_ps()) * 1e-12},
        statistics);
}

json headline_json(const run_extent &run, const json &statistics)
{
    const stat_view view(statistics);
    json headline = {
        {"cycles",
         {{"value", run.cycles}, {"unit", "cycles"}, {"description", "GPU cycles from start to end"}}},
        {"seconds", {{"value", run.seconds}, {"unit", "s"}, {"description", "simulated time"}}},
        {"translations",
         {{"value", run.translations},
          {"unit", "translations"},
          {"description", "translations asked for by the coalescers"}}},
    };
    for (const headline_def &def : headline_of(result_levels(statistics))) {
        const std::string path = def.paths.front();
        if (!view.has_group(path.substr(0, path.find('.'))))
            continue;
        headline[def.name] = {{"value", value_of(view, def)}, {"unit", def.unit}, {"description", def.text}};
        if (is_upper_edge(view, def))
            headline[def.name]["at_most"] = true;
    }
    return headline;
}

double headline_value(const json &stats, const std::string &name, double fallback)
{
    const json &headline = stats.at("headline");
    const json value = headline.contains(name) ? headline.at(name).at("value") : json(fallback);
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

} // namespace walkway
