/* SPDX-License-Identifier: MIT */
/* study/combinations_study.cpp - what no paper has published: walking by neighbourhoods [M18], translations
 * in idle structures [M21] and a compressed L2 TLB [P20] on one machine, each on and off, and what remains of
 * each gain beside the others. */
#include "study/bars.hpp"
#include "study/ten_programs.hpp"

#include <limits>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct mechanism {
    const char *key;
    std::vector<std::string> off, on;
};

const std::vector<mechanism> &mechanisms()
{
    static const std::vector<mechanism> all = {
        {"walking", {"iommu.coalesce=off"}, {"iommu.coalesce=full"}},
        {"reach", {"lds.translations=off"}, {"lds.translations=on"}},
        {"compression", {"l2_tlb.store=plain"}, {"l2_tlb.store=compressed"}},
    };
    return all;
}

/* A set of them is a number, a bit for each. */
unsigned sets()
{
    return 1u << mechanisms().size();
}

bool has(unsigned set, size_t mechanism)
{
    return (set >> mechanism & 1u) != 0;
}

std::string name_of(unsigned set)
{
    std::string name;
    for (size_t m = 0; m < mechanisms().size(); ++m)
        if (has(set, m))
            name += (name.empty() ? "" : " + ") + std::string(mechanisms()[m].key);
    return name.empty() ? "none" : name;
}

std::vector<study_configuration> configurations()
{
    std::vector<study_configuration> list;
    for (unsigned set = 0; set < sets(); ++set) {
        study_configuration c{name_of(set), {}};
        for (size_t m = 0; m < mechanisms().size(); ++m) {
            const std::vector<std::string> &changes = has(set, m) ? mechanisms()[m].on : mechanisms()[m].off;
            c.changes.insert(c.changes.end(), changes.begin(), changes.end());
        }
        list.push_back(c);
    }
    return list;
}

std::vector<std::string> keys()
{
    std::vector<std::string> all;
    for (const study_configuration &c : configurations())
        all.push_back(c.key);
    return all;
}

figure speedups(const study_results &results, programs_ref programs)
{
    figure f = {"speed-ups", "speed-up of every combination over none", 2, {}, {}, {}};
    for (unsigned set = 1; set < sets(); ++set)
        f.bars.push_back(speedup_bar(results, programs, name_of(set), name_of(0), name_of(set)));
    f.bars_are_rows = f.gains = true;
    return f;
}

/* What one mechanism brings to a machine that has others already. */
figure remains(const study_results &results, programs_ref programs)
{
    figure f = {"remains", "speed-up of each mechanism over the machine that has the others", 2, {}, {}, {}};
    for (size_t m = 0; m < mechanisms().size(); ++m)
        for (unsigned set = 0; set < sets(); ++set) {
            if (has(set, m))
                continue;
            const std::string beside = set == 0 ? " alone" : " beside " + name_of(set);
            f.bars.push_back(speedup_bar(results, programs, mechanisms()[m].key + beside, name_of(set),
                                         name_of(set | 1u << m)));
        }
    f.bars_are_rows = true;
    return f;
}

/* All together over the product of each alone: over 1 they help each other. */
figure product(const study_results &results, programs_ref programs)
{
    figure f = {"product", "speed-up of a combination over the product of each alone", 2, {}, {}, {}};
    for (unsigned set = 1; set < sets(); ++set) {
        if ((set & (set - 1)) == 0)
            continue; /* one alone */
        figure_bar bar = speedup_bar(results, programs, name_of(set), name_of(0), name_of(set));
        for (size_t m = 0; m < mechanisms().size(); ++m) {
            if (!has(set, m))
                continue;
            const figure_bar alone = speedup_bar(results, programs, "", name_of(0), name_of(1u << m));
            for (size_t p = 0; p < bar.values.size(); ++p)
                bar.values[p] /= alone.values[p];
        }
        bar.speedup = false;
        f.bars.push_back(bar);
    }
    f.bars_are_rows = true;
    return f;
}

figure walks(const study_results &results, programs_ref programs)
{
    figure f = {"walks", "page-table reads of every combination, none = 1", 3, {}, {}, {}};
    for (unsigned set = 1; set < sets(); ++set) {
        f.bars.push_back(ratio_bar(results, programs, name_of(set), name_of(0), name_of(set),
                                   [](const json &base, const json &s) {
                                       const double before = stat_of(base, "iommu.pte_reads");
                                       return before > 0 ? stat_of(s, "iommu.pte_reads") / before : none;
                                   }));
        f.bars.back().ratio = false; /* may be nought */
    }
    f.bars_are_rows = true;
    return f;
}

} // namespace

const study &combinations_study(); /* declared for all by studies.inc */

const study &combinations_study()
{
    static const study s = {
        "combinations",
        "walking by neighbourhoods (MICRO'18), translations in idle structures (MICRO'21) and a compressed "
        "L2 TLB "
        "(PACT'20), each on and off",
        "apu-micro21",
        ten_program_scales(),
        "",
        ten_programs(),
        configurations(),
        {{"speed-ups", all_ten(), keys(), speedups},
         {"remains", all_ten(), keys(), remains},
         {"product", all_ten(), keys(), product},
         {"walks", all_ten(), keys(), walks}},
        std::string("No paper has these numbers. ") + ten_program_notes,
    };
    return s;
}

} // namespace walkway
