/* SPDX-License-Identifier: MIT */
/* capi/effects.cpp - which parameters of a machine have an effect on a chain that translates within a call,
 * and why the others have none. */
#include "capi/chain.hpp"

#include <algorithm>
#include <array>

namespace walkway
{

namespace
{

struct names_of_section {
    const char *section;
    std::vector<const char *> keys;
};

const std::vector<names_of_section> &with_effect()
{
    static const std::vector<const char *> walks = {
        "pwc_l5",          "pwc_l4",          "pwc_l3",           "pwc_l2",          "pwc_cycles",
        "pte_cache_bytes", "pte_cache_ways",  "pte_cache_cycles", "pte_cache_holds", "read_cycles",
        "reply_cycles",    "response_cycles", "shared_by"};
    static const std::vector<const char *> tlb = {
        "entries",           "ways", "index",   "replace", "hit_cycles", "response_cycles", "link_cycles",
        "size_probe_cycles", "seed", "victims", "fills",   "store",      "compressed_ways", "rebase_after"};
    static const std::vector<names_of_section> all = {
        {"gpu", {"cus", "clock_ps"}},
        {"translation", {"ideal"}},
        {"l1_tlb", tlb},
        {"l2_tlb", tlb},
        {"victim",
         {"entries", "ways", "hit_cycles", "fills", "response_cycles", "link_cycles", "shared_by",
          "victims"}},
        {"iommu_tlb",
         {"tlb1_entries", "tlb1_cycles", "tlb2_entries", "tlb2_ways", "tlb2_cycles", "response_cycles"}},
        {"walk_unit", walks},
        {"address_space", {"table", "levels", "page"}},
        /* what they ask for beyond "off" is refused */
        {"lds", {"translations"}},
        {"icache", {"translations"}},
        {"prefetch", {"entries"}},
        {"memory_tlb", {"entries"}},
        {"driver", {"oversubscription"}},
    };
    return all;
}

} // namespace

std::string without_effect(const std::string &name)
{
    const std::string section = name.substr(0, name.find('.')), key = name.substr(name.find('.') + 1);
    for (const names_of_section &s : with_effect())
        if (section == s.section)
            for (const char *k : s.keys)
                if (key == k)
                    return "";
    static const std::array<std::pair<const char *, const char *>, 14> why = {{
        {"l1_tlb", "nothing waits and nothing is pending: each access is alone in the machine"},
        {"l2_tlb", "nothing waits and nothing is pending: each access is alone in the machine"},
        {"victim", "nothing waits and nothing is pending: each access is alone in the machine"},
        {"iommu_tlb", "nothing waits and nothing is pending: each access is alone in the machine"},
        {"walk_unit", "nothing waits and nothing is pending: each access is alone in the machine"},
        {"prefetch", "there is no prefetcher"},
        {"memory_tlb", "there is no table of translations in memory"},
        {"address_space", "page tables are the caller's"},
        {"pager", "page tables are the caller's"},
        {"driver", "page tables are the caller's"},
        {"dram", "memory is the caller's, who says what a read takes"},
        {"host_link", "memory is the caller's, who says what a read takes"},
        {"copy_engine", "memory is the caller's, who says what a read takes"},
        {"l2d", "memory is the caller's, who says what a read takes"},
    }};
    const auto found =
        std::find_if(why.begin(), why.end(), [&](const auto &w) { return section == w.first; });
    return found != why.end() ? found->second : "no program runs: accesses are the caller's";
}

} // namespace walkway
