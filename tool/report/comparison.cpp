/* SPDX-License-Identifier: MIT */
/* report/comparison.cpp - the table of `walkway compare`, the accounts below it, and the explanations. */
#include "report/comparison.hpp"

#include "report/causes.hpp"
#include "report/explain.hpp"
#include "report/hints.hpp"
#include "report/hit_columns.hpp"
#include "report/sampled.hpp"
#include "report/storage.hpp"
#include "report/table.hpp"
#include "report/working_set.hpp"
#include "run/extent.hpp"
#include "run/headline.hpp"
#include "support/errors.hpp"

#include <fstream>
#include <limits>
#include <ostream>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

double clock_of(const json &stats)
{
    const json &all = stats.contains("configuration") ? stats.at("configuration") : json::object();
    return all.value("gpu.clock_ps", 1.0);
}

double speedup_of(const json &base, const json &other)
{
    const double time = headline_value(other, "cycles") * clock_of(other);
    return time > 0 ? headline_value(base, "cycles") * clock_of(base) / time : none;
}

static std::string text_of_clocks(const std::vector<named_result> &results)
{
    std::string all;
    bool differ = false;
    for (const named_result &r : results)
        if (!r.stats.is_null()) {
            differ = differ || clock_of(r.stats) != clock_of(results.front().stats);
            all += (all.empty() ? "" : ", ") + text_of_count(static_cast<uint64_t>(clock_of(r.stats)));
        }
    return differ ? "The machines' clocks differ (" + all +
                        " ps): the speed-up is one of time, and cycles are each machine's own."
                  : "";
}

double ratio_of(const json &base, const json &other, const std::string &headline)
{
    const double whole = headline_value(base, headline, none);
    return whole > 0 ? headline_value(other, headline, none) / whole : none;
}

/* Returns the first run's hints, and where the working set begins to fit a TLB of each other machine. */
static std::vector<std::string> hints_of(const std::vector<named_result> &results)
{
    const json &base = results.front().stats;
    std::vector<std::string> hints = hints_of(base);
    for (size_t i = 1; i < results.size(); ++i)
        if (!results[i].stats.is_null())
            if (const std::string fits = text_of_what_fits(base, results[i].stats); !fits.empty())
                hints.push_back(fits);
    return hints;
}

/* If perturbations that should not matter move the speed-up to both sides of 1 (`same`), there is nothing to
 * explain. */
static std::vector<std::string> explained(const std::vector<named_result> &results, size_t i,
                                          const std::vector<bool> &same)
{
    if (i < same.size() && same[i])
        return {results[i].label + ": no difference from " + results.front().label + ": the speed-up, " +
                text_of_real(speedup_of(results.front().stats, results[i].stats), 3) +
                ", has a range over perturbations that holds 1, so what differs has no cause to be named."};
    return explain_difference(results.front().stats, results.front().label, results[i].stats,
                              results[i].label);
}

void print_comparison(std::ostream &out, const std::vector<named_result> &results,
                      const std::vector<bool> &same)
{
    const json &base = results.front().stats;
    const hit_columns tlbs(results);
    table t(tlbs.heads({"machine", "cycles", "speed-up", "PTE reads", "walk latency"}, {"L2D"}));
    std::vector<std::string> heads;
    std::vector<std::vector<cause_share>> translations, stalls;
    for (size_t i = 0; i < results.size(); ++i) {
        const json &stats = results[i].stats;
        const std::string head = "[" + std::to_string(i + 1) + "]";
        if (stats.is_null()) {
            t.row({head + " " + results[i].label, "failed"});
            continue;
        }
        t.row(tlbs.row({head + " " + results[i].label,
                        text_of_count(static_cast<uint64_t>(headline_value(stats, "cycles"))),
                        text_of_real(speedup_of(base, stats), 3),
                        text_of_real(ratio_of(base, stats, "pte_reads"), 3),
                        text_of_real(ratio_of(base, stats, "walk_latency_mean"), 3)},
                       stats, {text_of_share(headline_value(stats, "l2d_hit_rate", none))}));
        heads.push_back(head);
        translations.push_back(translation_causes(stats));
        stalls.push_back(stall_causes(stats));
    }
    out << flowed(text_of_missing_in(base, false)) << text_of_samples(results);
    t.print(out);
    out << flowed("Speed-up, PTE reads and walk latency are relative to [1]; TLBs and L2D (the second data "
                  "cache) are "
                  "hit rates.")
        << flowed(text_of_clocks(results)) << '\n';
    print_storage(out, results);
    print_causes(out, "cycles per translation, by cause", translations, heads);
    out << '\n';
    print_causes(out, "wave cycles per memory instruction, by cause", stalls, heads);
    out << '\n';
    for (size_t i = 1; i < results.size(); ++i)
        if (!results[i].stats.is_null()) {
            print_explanation(out, explained(results, i, same));
            out << '\n';
        }
    print_hints(out, hints_of(results));
}

static json causes_json(const std::vector<cause_share> &causes)
{
    json all = json::object();
    for (const cause_share &c : causes)
        all[c.name] = c.mean;
    return all;
}

/* A factor that is not a number, since a rate was 0 before, becomes null. */
static json factors_json(const std::vector<cause_factor> &factors)
{
    json list = json::array();
    for (const cause_factor &f : factors)
        list.push_back({{"name", f.name}, {"before", f.before}, {"after", f.after}, {"times", f.times}});
    return list;
}

json comparison_json(const std::vector<named_result> &results, const std::vector<bool> &same)
{
    const json &base = results.front().stats;
    json list = json::array();
    for (const named_result &r : results) {
        if (r.stats.is_null()) {
            list.push_back({{"label", r.label}, {"failed", true}});
            continue;
        }
        json entry = {{"label", r.label},
                      {"speedup", speedup_of(base, r.stats)},
                      {"pte_reads_ratio", ratio_of(base, r.stats, "pte_reads")},
                      {"walk_latency_ratio", ratio_of(base, r.stats, "walk_latency_mean")},
                      {"partial", r.stats.at("partial")},
                      {"headline", r.stats.at("headline")},
                      {"cycles_per_translation", causes_json(translation_causes(r.stats))},
                      {"wave_stall_per_memory_instruction", causes_json(stall_causes(r.stats))},
                      {"storage_bits", storage_json(r.structures)},
                      {"configuration", r.stats.at("configuration")}};
        if (const json sampled = sampled_speedup_json(base, r.stats); !sampled.is_null())
            entry["sampled"] = sampled;
        if (&r != &results.front()) {
            entry["walk_factors"] = factors_json(walk_factors(base, r.stats));
            entry["data_factors"] = factors_json(data_factors(base, r.stats));
            std::string text;
            for (const std::string &line :
                 explained(results, static_cast<size_t>(&r - &results.front()), same))
                text += (text.empty() ? "" : "\n") + line;
            entry["explanation"] = text;
        }
        list.push_back(entry);
    }
    return {{"schema_version", 1},
            {"program", base.at("program")},
            {"trace", base.at("trace")},
            {"hints", hints_of(results)},
            {"configurations", list}};
}

} // namespace walkway
