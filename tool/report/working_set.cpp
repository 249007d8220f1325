/* SPDX-License-Identifier: MIT */
/* report/working_set.cpp - see working_set.hpp. Uniform use of W pages hits a TLB of E < W entries in E/W of
 * the lookups, with any replacement. LRU does worse only if pages are used again in the order in which
 * they were evicted. */
#include "report/working_set.hpp"

#include "run/result_levels.hpp"
#include "support/numbers.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

constexpr double few = 0.1;      /* share of the misses: at most this remains if the set fits */
constexpr double nearly = 1.05;  /* a set of up to this many times the entries fits almost whole */
constexpr double far_less = 0.5; /* share of the hits of uniform use: fewer show a cycle */

struct use_of_tlb {
    double entries = 0, hits = 0, misses = 0, lookups = 0; /* entries: 0 if there is no such TLB */
    double pages = 0;
};

double number(const json &of, const std::string &name)
{
    const auto at = of.find(name);
    if (at == of.end())
        return 0;
    return at->is_number() ? at->get<double>() : at->is_object() ? at->at("value").get<double>() : 0;
}

use_of_tlb use_of(const json &stats, const level &l)
{
    const json &all = stats.at("statistics");
    const level_reach tlb = l.reach();
    if (!all.contains(tlb.hits) || !all.contains(tlb.misses) || !all.contains("model.pages"))
        return {};
    use_of_tlb use;
    use.entries = number(stats.at("configuration"), tlb.entries);
    use.hits = number(all, tlb.hits);
    use.misses = number(all, tlb.misses);
    use.lookups = use.hits + use.misses + (tlb.merged.empty() ? 0 : number(all, tlb.merged));
    use.pages = number(all, "model.pages");
    return use.lookups > 0 ? use : use_of_tlb{};
}

/* Returns the TLB whose parameters are all that differs between the machines; null if there is none. */
const level *only_difference(const result_levels &levels, const json &before, const json &after)
{
    const level *found = nullptr;
    if (before.size() != after.size())
        return nullptr;
    for (const auto &item : before.items()) {
        const auto at = after.find(item.key());
        if (at != after.end() && *at == item.value())
            continue;
        const level *of = levels.find(item.key().substr(0, item.key().find('.')));
        if (at == after.end() || of == nullptr || of->reach().entries.empty() ||
            (found != nullptr && found != of))
            return nullptr;
        found = of;
    }
    return found;
}

std::string text_of(double count)
{
    return text_of_count(static_cast<uint64_t>(count));
}

} // namespace

std::string text_of_what_fits(const json &one, const json &other)
{
    const json &configuration = one.at("configuration");
    const result_levels levels = result_levels::of(one);
    const level *tlb = only_difference(levels, configuration, other.at("configuration"));
    if (tlb == nullptr)
        return "";
    use_of_tlb small = use_of(one, *tlb), large = use_of(other, *tlb);
    if (small.entries > large.entries)
        std::swap(small, large);
    if (small.entries == 0 || small.entries == large.entries || small.pages <= small.entries)
        return "";
    const double before = small.misses / small.lookups, after = large.misses / large.lookups;
    if (after > few * before)
        return "";
    const bool all_of_it = small.pages <= nearly * large.entries;
    const double set = all_of_it ? small.pages : large.entries;
    const bool cyclic = before - after > 1 - small.entries / set;
    return "between " + text_of(small.entries) + " and " + text_of(large.entries) + " entries of " +
           one_or_each(*tlb, configuration) + " the working set " +
           (all_of_it ? "of " + text_of(small.pages) + " pages"
                      : "(of " + text_of(small.pages) + " pages those used at a time)") +
           (cyclic ? " of a cyclic pattern" : "") + " fits (misses " + text_of_real(100 * before, 1) +
           " -> " + text_of_share(after) + " of lookups)";
}

std::string text_of_cycle(const json &stats)
{
    const json &configuration = stats.at("configuration");
    const result_levels levels = result_levels::of(stats);
    const level *last = levels.tlbs().empty() ? nullptr : levels.tlbs().back();
    if (last == nullptr)
        return "";
    const use_of_tlb use = use_of(stats, *last);
    const double copies = instances_of(last->section(), configuration);
    if (use.entries == 0 || use.pages <= use.entries || use.misses < 2 * use.pages * copies)
        return "";
    const double uniform = use.entries / use.pages, hits = use.hits / use.lookups;
    if (hits >= far_less * uniform)
        return "";
    return one_or_each(*last, configuration) + " (" + text_of(use.entries) + " entries) hits " +
           text_of_share(hits) + " of its lookups, and uniform use of the program's " + text_of(use.pages) +
           " pages would hit " + text_of_share(uniform) +
           ": they come round in a cycle, each is gone before its turn, and more entries show little until "
           "the whole cycle fits";
}

} // namespace walkway
