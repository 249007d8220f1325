/* SPDX-License-Identifier: MIT */
/* report/working_set.cpp - see working_set.hpp. Uniform use of W pages would hit a TLB of E < W entries in
 * E/W of the lookups, whatever its replacement; LRU does worse only where pages come again in the order in
 * which they went. */
#include "report/working_set.hpp"

#include "support/numbers.hpp"

#include <algorithm>
#include <array>

namespace walkway
{

namespace
{

constexpr double few = 0.1;      /* of the misses, that are left where the set fits */
constexpr double nearly = 1.05;  /* a set of so many times the entries fits as good as whole */
constexpr double far_less = 0.5; /* of the hits that uniform use would have */

struct tlb_names {
    std::string parameters;                          /* what all its parameters begin with */
    std::string entries, what, hits, misses, others; /* others: lookups that are neither; empty: none */
};

const std::array<tlb_names, 3> tlbs = {
    tlb_names{"l1_tlb.", "l1_tlb.entries", "each L1 TLB", "l1_tlb.hits", "l1_tlb.misses", "l1_tlb.merged"},
    tlb_names{"l2_tlb.", "l2_tlb.entries", "the L2 TLB", "l2_tlb.hits", "l2_tlb.misses", "l2_tlb.merged"},
    tlb_names{"iommu_tlb.tlb2_", "iommu_tlb.tlb2_entries", "the IOMMU's second TLB", "iommu_tlb.tlb2_hits",
              "iommu_tlb.tlb_misses", ""}};

struct use_of_tlb {
    double entries = 0, hits = 0, misses = 0, lookups = 0; /* entries: 0 where the machine has none */
    double pages = 0;
};

double number(const json &of, const std::string &name)
{
    const auto at = of.find(name);
    if (at == of.end())
        return 0;
    return at->is_number() ? at->get<double>() : at->is_object() ? at->at("value").get<double>() : 0;
}

use_of_tlb use_of(const json &stats, const tlb_names &tlb)
{
    const json &all = stats.at("statistics");
    if (!all.contains(tlb.hits) || !all.contains(tlb.misses) || !all.contains("model.pages"))
        return {};
    use_of_tlb use;
    use.entries = number(stats.at("configuration"), tlb.entries);
    use.hits = number(all, tlb.hits);
    use.misses = number(all, tlb.misses);
    use.lookups = use.hits + use.misses + (tlb.others.empty() ? 0 : number(all, tlb.others));
    use.pages = number(all, "model.pages");
    return use.lookups > 0 ? use : use_of_tlb{};
}

/* The TLB by whose parameters alone the machines differ; null where there is none such. */
const tlb_names *only_difference(const json &one, const json &other)
{
    const tlb_names *found = nullptr;
    const json &before = one.at("configuration"), &after = other.at("configuration");
    if (before.size() != after.size())
        return nullptr;
    for (const auto &item : before.items()) {
        const auto at = after.find(item.key());
        if (at != after.end() && *at == item.value())
            continue;
        const auto tlb = std::find_if(tlbs.begin(), tlbs.end(), [&](const tlb_names &t) {
            return item.key().compare(0, t.parameters.size(), t.parameters) == 0;
        });
        if (at == after.end() || tlb == tlbs.end() || (found != nullptr && found != &*tlb))
            return nullptr;
        found = &*tlb;
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
    const tlb_names *tlb = only_difference(one, other);
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
           tlb->what + " the working set " +
           (all_of_it ? "of " + text_of(small.pages) + " pages"
                      : "(of " + text_of(small.pages) + " pages those used at a time)") +
           (cyclic ? " of a cyclic pattern" : "") + " fits (misses " + text_of_real(100 * before, 1) +
           " -> " + text_of_share(after) + " of lookups)";
}

std::string text_of_cycle(const json &stats)
{
    const bool shared = number(stats.at("configuration"), "l2_tlb.entries") != 0;
    const tlb_names &tlb = tlbs[shared ? 1 : 0];
    const use_of_tlb use = use_of(stats, tlb);
    const double copies = shared ? 1 : std::max(1.0, number(stats.at("configuration"), "gpu.cus"));
    if (use.entries == 0 || use.pages <= use.entries || use.misses < 2 * use.pages * copies)
        return "";
    const double uniform = use.entries / use.pages, hits = use.hits / use.lookups;
    if (hits >= far_less * uniform)
        return "";
    return tlb.what + " (" + text_of(use.entries) + " entries) hits " + text_of_share(hits) +
           " of its lookups, and uniform use of the program's " + text_of(use.pages) + " pages would hit " +
           text_of_share(uniform) +
           ": they come round in a cycle, each is gone before its turn, and more entries show little until "
           "the whole cycle fits";
}

} // namespace walkway
