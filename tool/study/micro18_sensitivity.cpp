/* SPDX-License-Identifier: MIT */
/* study/micro18_sensitivity.cpp - Figure 9 under other values of what the paper does not give. */
#include "study/micro18_figures.hpp"

namespace walkway
{

std::string sensitivity_variant::key(const std::string &design) const
{
    if (design == "ideal" ? to_ideal.empty() : changes.empty())
        return design;
    return text + "/" + design;
}

static std::vector<sensitivity_variant> variants()
{
    std::vector<sensitivity_variant> all = {{"as shipped", {}, {}}};
    const auto one_of = [&](const std::string &name, const std::vector<std::string> &values, bool to_ideal) {
        for (const std::string &value : values) {
            const std::string change = name + "=" + value;
            all.push_back({change, {change}, {}});
            if (to_ideal)
                all.back().to_ideal = {change};
        }
    };
    one_of("walk_unit.pwc_l2", {"16", "32", "64", "128"}, false);
    one_of("walk_unit.read_cycles", {"60", "100", "160", "240"}, false);
    one_of("l1_tlb.mshrs", {"32", "64", "512", "2560"}, false);
    one_of("l2d.index", {"modulo", "xor"}, true);
    one_of("address_space.frames", {"contiguous", "random", "fragmented"}, true);
    one_of("walk_unit.walk_path", {"l2d"}, false);
    all.push_back({"responses + 1",
                   {"l1_tlb.response_cycles=2", "l2_tlb.response_cycles=2", "iommu_tlb.response_cycles=2"},
                   {"coalescer.response_cycles=2", "l1d.response_cycles=2", "l2d.response_cycles=2"}});
    all.back().changes.insert(all.back().changes.end(), all.back().to_ideal.begin(),
                              all.back().to_ideal.end());
    const std::vector<std::string> fetched_and_banked = {"lds.banks=32", "icache.entries=256"};
    all.push_back({"LDS of 32 banks, instruction caches", fetched_and_banked, fetched_and_banked});
    /* responses are as short as they can be: the ways there and back that are not */
    all.push_back({"links - 1", {"l2_tlb.link_cycles=99", "walk_unit.reply_cycles=39"}, {}});
    return all;
}

const std::vector<sensitivity_variant> &sensitivity_variants()
{
    static const std::vector<sensitivity_variant> all = variants();
    return all;
}

static const std::vector<std::pair<std::string, std::vector<std::string>>> designs = {
    {"off", {"walk_unit.coalesce=off"}},
    {"leaf", {"walk_unit.coalesce=leaf"}},
    {"full", {"walk_unit.coalesce=full"}},
    {"ideal", {"translation.ideal=perfect_l1"}},
};

std::vector<study_configuration> sensitivity_configurations()
{
    std::vector<study_configuration> list;
    for (const sensitivity_variant &v : sensitivity_variants())
        for (const auto &design : designs) {
            if (v.key(design.first) == design.first)
                continue; /* the study has it */
            study_configuration c{v.key(design.first), design.second};
            const std::vector<std::string> &changes = design.first == "ideal" ? v.to_ideal : v.changes;
            c.changes.insert(c.changes.end(), changes.begin(), changes.end());
            list.push_back(c);
        }
    return list;
}

figure sensitivity(const study_results &results, programs_ref programs)
{
    figure f = {"9-sensitivity", "how far it hangs on what the paper does not say", 2, {}, {}, {}};
    for (const sensitivity_variant &v : sensitivity_variants()) {
        for (const std::string design : {"leaf", "full", "ideal"})
            f.bars.push_back(
                speedup_bar(results, programs, v.text + ": " + design, v.key("off"), v.key(design)));
        f.bars.push_back(
            bar_of(results, programs, v.text + ": walk cache, off", v.key("off"), walk_cache_hits));
        f.bars.push_back(bar_of(results, programs, v.text + ": L2D, ideal", v.key("ideal"), l2d_hits));
    }
    f.bars_are_rows = true;
    return f;
}

} // namespace walkway
