/* SPDX-License-Identifier: MIT */
/* report/causes.cpp - computes factors as ratios of successive statistics on a request's path: each statistic
 * is divided by the one before it, so that the product of all ratios is the last statistic, the time. */
#include "report/causes.hpp"

#include "report/comparison.hpp"
#include "report/explain.hpp"
#include "report/table.hpp"
#include "run/headline.hpp"
#include "run/result_levels.hpp"
#include "support/names.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace walkway
{

namespace
{

/* Statistics of a run by name; 0 if the machine does not have one. */
class run_view
{
public:
    explicit run_view(const json &stats)
        : stats_(stats), view_(stats.at("statistics")), configuration_(stats.at("configuration")),
          levels_(result_levels::of(stats))
    {
    }
    const result_levels &levels() const { return levels_; }
    /* Returns the path of `name` at the level that walks. */
    std::string of_walks(const std::string &name) const { return levels_.walks() + "." + name; }
    bool has(const std::string &path) const { return view_.has(path); }
    double value(const std::string &path) const { return has(path) ? view_.value(path) : 0.0; }
    double mean(const std::string &path) const { return has(path) ? view_.of_histogram(path, "mean") : 0.0; }
    double count(const std::string &path) const
    {
        return has(path) ? view_.of_histogram(path, "count") : 0.0;
    }
    double share(const std::string &part, const std::string &whole) const
    {
        return value(whole) > 0 ? value(part) / value(whole) : 0.0;
    }
    double parameter(const std::string &key, double fallback) const
    {
        const auto found = configuration_.find(key);
        return found != configuration_.end() && found->is_number() ? found->get<double>() : fallback;
    }
    std::string text_of_parameter(const std::string &key) const
    {
        const auto found = configuration_.find(key);
        return found == configuration_.end() ? ""
               : found->is_string()          ? found->get<std::string>()
                                             : found->dump();
    }
    double instances(const std::string &section) const { return instances_of(section, configuration_); }
    double walkers() const { return parameter(of_walks("walkers"), 0.0) * instances(levels_.walks()); }
    bool walks_apart() const { return instances(levels_.walks()) > 1.0; }
    double cycles() const { return headline_value(stats_, "cycles"); }

private:
    const json &stats_;
    stat_view view_;
    const json &configuration_;
    result_levels levels_;
};

using quantity = std::function<double(const run_view &)>;
using remark = std::function<std::string(const run_view &, const run_view &)>;

/* A step of a chain: what it counts, and the name of its ratio to the step before. */
struct link {
    std::string name;
    quantity counts;
    remark note;
    bool inverse = false;   /* the name is that of the inverse ratio */
    std::string stage = {}; /* a machine without this statistic has no such stage: it passes on the count
                               of the step before */
};

quantity value_of(const std::string &path)
{
    return [path](const run_view &run) { return run.value(path); };
}

/* Returns "l2_tlb.entries 512 -> 1024", or one value if both have the same. */
std::string setting(const std::string &key, const run_view &before, const run_view &after)
{
    const std::string was = before.text_of_parameter(key), is = after.text_of_parameter(key);
    return was.empty() || is.empty() ? "" : key + " " + was + (was == is ? "" : " -> " + is);
}

/* The same for the level that walks: the name of its section may differ between the machines. */
std::string setting_of_walks(const std::string &key, const run_view &before, const run_view &after)
{
    const std::string was = before.text_of_parameter(before.of_walks(key)),
                      is = after.text_of_parameter(after.of_walks(key));
    return was.empty() || is.empty() ? "" : after.of_walks(key) + " " + was + (was == is ? "" : " -> " + is);
}

std::string setting_of_walkers(const run_view &before, const run_view &after)
{
    if (!before.walks_apart() && !after.walks_apart())
        return setting_of_walks("walkers", before, after);
    const auto count = [](const run_view &run) {
        return text_of_count(static_cast<uint64_t>(run.walkers()));
    };
    return "walkers in all " + count(before) + " -> " + count(after);
}

std::string joined_remarks(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        if (!part.empty())
            text += (text.empty() ? "" : ", ") + part;
    return text;
}

std::string change_of_share(const char *name, double before, double after)
{
    return std::string(name) + " " + text_of_real(100 * before, 1) + " -> " + text_of_real(100 * after, 1) +
           " %";
}

/* Remarks on a level: its hit rate, its size, and the number of pages to hold. */
remark of_level(const std::string &section, const level_reach &reach)
{
    return [=](const run_view &before, const run_view &after) {
        const double pages = after.value("model.pages");
        const std::string hits = section + ".hits", lookups = section + ".lookups",
                          merged = section + ".merged";
        const auto share = [&](const run_view &run) { return run.share(hits, lookups); };
        return joined_remarks(
            {before.has(hits) && after.has(hits) ? change_of_share("hits", share(before), share(after)) : "",
             before.value(merged) + after.value(merged) > 0
                 ? change_of_share("merged", before.share(merged, lookups), after.share(merged, lookups))
                 : "",
             reach.entries.empty() ? "" : setting(reach.entries, before, after),
             pages > 0 ? "pages " + text_of_count(static_cast<uint64_t>(pages)) : ""});
    };
}

double lines_wanted(const run_view &run)
{
    return run.value(run.of_walks("pte_reads")) + run.value(run.of_walks("pte_cache_hits"));
}

double busy_cycles(const run_view &run)
{
    return run.value(run.of_walks("walker_busy_ps")) / run.parameter("gpu.clock_ps", 1.0);
}

double memory_cycle(const run_view &run) /* in cycles of the GPU */
{
    return run.parameter("dram.tck_ps", 1.0) / run.parameter("gpu.clock_ps", 1.0);
}

std::string of_walks(const run_view &before, const run_view &after)
{
    const auto coalesced = [](const run_view &run) {
        return run.share(run.of_walks("walks_coalesced"), run.of_walks("walk_requests"));
    };
    return joined_remarks({change_of_share("coalesced", coalesced(before), coalesced(after)),
                           setting_of_walks("coalesce", before, after)});
}

/* Compares caches only if both machines have the same kind: other kinds hold different things. */
std::string of_lines(const run_view &before, const run_view &after)
{
    const auto of = [&](const char *name, const char *hits) {
        const auto share = [&](const run_view &run) {
            return run.share(run.of_walks(hits), run.of_walks("pwc_lookups"));
        };
        return before.has(before.of_walks(hits)) && after.has(after.of_walks(hits))
                   ? change_of_share(name, share(before), share(after))
                   : "";
    };
    return joined_remarks({of("page-walk cache hits at level 2", "pwc_hits_l2"),
                           of("step cache hits", "pwc_hits_steps"),
                           setting_of_walks("pwc_l2", before, after)});
}

std::string of_line_time(const run_view &before, const run_view &after)
{
    const auto hits = [](const run_view &run) {
        return lines_wanted(run) > 0 ? run.value(run.of_walks("pte_cache_hits")) / lines_wanted(run) : 0.0;
    };
    return hits(before) + hits(after) > 0 ? change_of_share("PTE-line cache hits", hits(before), hits(after))
                                          : "";
}

/* The walkers are the limit while at least half of them are busy on average. */
std::string of_walkers(const run_view &before, const run_view &after)
{
    const auto busy = [](const run_view &run) {
        const double walks = run.walkers() * std::max(1.0, run.parameter(run.of_walks("march_walks"), 1.0));
        return walks > 0 && run.cycles() > 0 ? busy_cycles(run) / run.cycles() / walks : 0.0;
    };
    const char *limit = busy(before) >= 0.5 && busy(after) < 0.5   ? "no longer the limit"
                        : busy(before) < 0.5 && busy(after) >= 0.5 ? "now the limit"
                                                                   : "";
    return joined_remarks({setting_of_walkers(before, after), limit});
}

std::vector<const level *> levels_before_walks(const run_view &run)
{
    std::vector<const level *> levels;
    for (const auto &l : run.levels().all())
        if (!l->ends_path())
            levels.push_back(l.get());
    return levels;
}

/* Returns the levels before the walks of both machines, in an order that agrees with both paths, or only with
 * the first one's where these disagree. */
std::vector<const level *> levels_of_both(const run_view &before, const run_view &after)
{
    std::vector<const level *> both = levels_before_walks(before);
    add_in_order(both, levels_before_walks(after),
                 [](const level *a, const level *b) { return a->section() == b->section(); });
    return both;
}

/* Returns the step of a level, which counts its requests to the level below. */
link link_of(const level &l, bool first, const run_view &before, const run_view &after)
{
    const std::string section = l.section();
    std::vector<std::string> asks;
    for (const std::string &name : l.asks())
        asks.push_back(section + "." + name);
    const auto one_at_most = [&](const run_view &run) {
        return run.levels().find(section) == nullptr || run.instances(section) == 1;
    };
    const bool one = one_at_most(before) && one_at_most(after);
    return {"misses of the " + (one ? l.title() : l.plural()) + (first ? " per translation" : " per lookup"),
            [asks](const run_view &run) {
                double sum = 0;
                for (const std::string &path : asks)
                    sum += run.value(path);
                return sum;
            },
            of_level(section, l.reach()), false, asks.front()};
}

std::vector<link> walk_chain(const run_view &before, const run_view &after)
{
    std::vector<link> chain = {{"translations", value_of("coalescer.translations"), nullptr}};
    for (const level *l : levels_of_both(before, after))
        chain.push_back(link_of(*l, chain.size() == 1, before, after));
    const std::vector<link> walks = {
        {"walks per request for one",
         [](const run_view &run) { return run.value(run.of_walks("walks_started")); }, of_walks},
        {"page-table lines per walk", lines_wanted, of_lines},
        {"cycles per line", busy_cycles, of_line_time},
        {"walkers busy at a time", [](const run_view &run) { return run.cycles(); }, of_walkers, true},
    };
    chain.insert(chain.end(), walks.begin(), walks.end());
    return chain;
}

const std::vector<link> &data_chain()
{
    static const auto of_cache = [](const char *hits, const char *reads, const char *size) {
        return [=](const run_view &before, const run_view &after) {
            return joined_remarks(
                {change_of_share("hits", before.share(hits, reads), after.share(hits, reads)),
                 setting(size, before, after)});
        };
    };
    static const std::vector<link> chain = {
        {"reads of the L1 data caches", value_of("l1d.reads"), nullptr},
        {"misses of the L1 data caches per read", value_of("l1d.read_misses"),
         of_cache("l1d.read_hits", "l1d.reads", "l1d.bytes")},
        {"misses of the L2 data cache per read", value_of("l2d.read_misses"),
         of_cache("l2d.read_hits", "l2d.reads", "l2d.bytes")},
        {"cycles of main memory per miss of the L2 data cache",
         [](const run_view &run) {
             return run.value("l2d.read_misses") * run.mean("dram.read_latency") * memory_cycle(run);
         },
         [](const run_view &before, const run_view &after) {
             const auto hits = [](const run_view &run) {
                 const double columns = run.value("dram.column_reads") + run.value("dram.column_writes");
                 return columns > 0 ? run.value("dram.row_hits") / columns : 0.0;
             };
             return change_of_share("row hits", hits(before), hits(after));
         }},
    };
    return chain;
}

std::vector<cause_factor> factors(const std::vector<link> &chain, const run_view &before,
                                  const run_view &after)
{
    std::vector<cause_factor> list;
    double was_above = 1.0, is_above = 1.0;
    for (const link &l : chain) {
        const bool had = l.stage.empty() || before.has(l.stage);
        const bool has = l.stage.empty() || after.has(l.stage);
        if (!had && !has)
            continue;
        const double was_here = had ? l.counts(before) : was_above;
        const double is_here = has ? l.counts(after) : is_above;
        if (list.empty() && !(was_here > 0) && !(is_here > 0))
            break;
        const double was = l.inverse ? was_above / was_here : was_here / was_above;
        const double is = l.inverse ? is_above / is_here : is_here / is_above;
        const bool last = !(was_here > 0) || !(is_here > 0); /* later steps cannot be compared */
        const std::string note = !had     ? "the first machine has none of these"
                                 : !has   ? "the other machine has none of these"
                                 : l.note ? l.note(before, after)
                                          : "";
        list.push_back({l.name, was, is, l.inverse ? was / is : is / was,
                        joined_remarks({note, last ? setting("translation.ideal", before, after) : ""})});
        if (last)
            break;
        was_above = was_here;
        is_above = is_here;
    }
    return list;
}

/* Returns every statistic of stalled time, by path, with its share of the run and its description. */
std::vector<bound_met> bounds_of(const json &stats)
{
    const run_view run(stats);
    std::vector<bound_met> list;
    for (const auto &item : stats.at("statistics").items()) {
        const std::string &path = item.key();
        const size_t dot = path.find('.'), name = path.rfind('.') + 1;
        if (path.compare(name, 5, "stall") != 0 || dot + 1 != name || !item.value().contains("value"))
            continue;
        const std::string block = path.substr(0, dot), unit = item.value().at("unit");
        const bool each_unit = block == "l1d" || block == "coalescer";
        const double units = run.levels().find(block) != nullptr ? run.instances(block)
                             : each_unit                         ? run.parameter("gpu.cus", 1.0)
                                                                 : 1.0;
        const double whole = run.cycles() * units / (unit == "memory cycles" ? memory_cycle(run) : 1.0);
        const double share = whole > 0 ? item.value().at("value").get<double>() / whole : 0.0;
        list.push_back({path, share, share, item.value().at("description")});
    }
    return list;
}

/* Returns the bounds of both runs. A bound of one of them stands after the one that it follows there, since
 * "of those, ..." follows its whole. */
std::vector<bound_met> bounds_of_both(const json &base, const json &other)
{
    const auto same = [](const bound_met &a, const bound_met &b) { return a.name == b.name; };
    std::vector<bound_met> was = bounds_of(base), both = bounds_of(other);
    for (bound_met &b : both)
        b.before = 0;
    for (bound_met &b : was)
        b.after = 0;
    add_in_order(both, was, same);
    for (const bound_met &b : was)
        std::find_if(both.begin(), both.end(), [&](const bound_met &one) { return same(one, b); })->before =
            b.before;
    return both;
}

} // namespace

bool usable(double times)
{
    return std::isfinite(times) && times > 0;
}

std::vector<cause_factor> walk_factors(const json &base, const json &other)
{
    const run_view before(base), after(other);
    std::vector<cause_factor> list = factors(walk_chain(before, after), before, after);
    const double was = clock_of(base), is = clock_of(other);
    const bool whole =
        !list.empty() && std::isnormal(list.back().times); /* their product is that of cycles */
    if (whole && was != is)
        list.push_back({"clock period, ps", was, is, is / was, ""});
    return list;
}

std::vector<cause_factor> data_factors(const json &base, const json &other)
{
    return factors(data_chain(), run_view(base), run_view(other));
}

std::vector<bound_met> bounds_changed(const json &base, const json &other)
{
    const auto moved = [](const bound_met &b) { return std::fabs(b.after - b.before); };
    std::vector<bound_met> list;
    for (const bound_met &b : bounds_of_both(base, other)) {
        /* "of those, ..." is a part of the statistic before it and replaces it if it makes most of the
         * change. */
        if (b.text.compare(0, 8, "of those") == 0 && !list.empty()) {
            if (moved(b) >= 0.9 * moved(list.back()))
                list.back() = b;
            continue;
        }
        list.push_back(b);
    }
    list.erase(std::remove_if(list.begin(), list.end(), [&](const bound_met &b) { return moved(b) < 0.01; }),
               list.end());
    std::stable_sort(list.begin(), list.end(),
                     [&](const bound_met &a, const bound_met &b) { return moved(a) > moved(b); });
    return list;
}

wave_change waves_changed(const json &base, const json &other)
{
    const std::vector<cause_share> before = stall_causes(base), after = stall_causes(other);
    const auto rise = [&](const char *name) { return mean_of(after, name) - mean_of(before, name); };
    double whole = 0;
    for (const std::vector<cause_share> *all : {&before, &after})
        for (const cause_share &c : *all)
            whole += (all == &after ? 1 : -1) * c.mean;
    if (before.empty() || after.empty() || whole == 0)
        return {1, 0, 0};
    return {rise("translation") / whole, rise("data") / whole,
            (rise("port") + rise("outstanding") + rise("drain")) / whole};
}

} // namespace walkway
