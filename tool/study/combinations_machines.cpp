/* SPDX-License-Identifier: MIT */
/* study/combinations_machines.cpp - see combinations_machines.hpp. */
#include "study/combinations_machines.hpp"

#include "study/bars.hpp"
#include "study/ten_programs.hpp"

#include <limits>

namespace walkway::combinations
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using settings = std::vector<std::string>;

struct mechanism {
    const char *key;
    settings off, on; /* some machines have it on as shipped */
};

struct studied_machine {
    const char *name; /* of the figures' rows */
    const char *platform;
    settings always; /* local memory and instruction caches are there, as in [M21] */
    std::vector<mechanism> mechanisms;
};

const settings structures = {"lds.banks=32", "icache.entries=256"};
const mechanism reach = {"reach",
                         {"lds_tx.translations=off", "icache_tx.translations=off"},
                         {"lds_tx.translations=on", "icache_tx.translations=on"}};
const mechanism compression = {"compression", {"l2_tlb.store=plain"}, {"l2_tlb.store=compressed"}};
const mechanism hashed = {"hashed", {"address_space.table=radix"}, {"address_space.table=hashed"}};

const std::vector<studied_machine> &machines()
{
    const mechanism walking = {"walking", {"walk_unit.coalesce=off"}, {"walk_unit.coalesce=full"}};
    static const std::vector<studied_machine> all = {
        {"IOMMU", "apu-micro21", {}, {walking, reach, compression, hashed}},
        {"shared L2 TLB", "mmu-hpca14-shared-l2-pwc", structures, {walking, reach, compression, hashed}},
        {"TLBs per core", "mmu-hpca14-design3", structures, {walking, reach, hashed}},
        {"46 SMs", "dgpu-pact24", structures, {walking, reach, compression, hashed}},
    };
    return all;
}

/* A set of a machine's mechanisms is a number, a bit for each. */
using set = unsigned;

set all_of(const studied_machine &m)
{
    return (1u << m.mechanisms.size()) - 1;
}

set only(size_t mechanism)
{
    return 1u << mechanism;
}

std::string key_of(const studied_machine &m, set s)
{
    std::string key = std::string(m.platform) + "/";
    if (s == 0)
        return key + "none";
    for (size_t i = 0; i < m.mechanisms.size(); ++i)
        if ((s & only(i)) != 0)
            key += (key.back() == '/' ? "" : "+") + std::string(m.mechanisms[i].key);
    return key;
}

/* None, each alone, all but each, all. */
std::vector<set> sets_of(const studied_machine &m)
{
    std::vector<set> sets = {0};
    for (size_t i = 0; i < m.mechanisms.size(); ++i)
        sets.push_back(only(i));
    for (size_t i = 0; i < m.mechanisms.size(); ++i)
        sets.push_back(all_of(m) & ~only(i));
    sets.push_back(all_of(m));
    return sets;
}

std::vector<std::string> keys()
{
    std::vector<std::string> all;
    for (const studied_machine &m : machines())
        for (const set s : sets_of(m))
            all.push_back(key_of(m, s));
    return all;
}

std::string row_of(const studied_machine &m, const std::string &what)
{
    return std::string(m.name) + ": " + what;
}

figure empty(const char *id, const char *title, int decimals)
{
    figure f = {id, title, decimals, {}, {}, {}};
    f.bars_are_rows = true;
    return f;
}

/* Each alone, and all, over none. */
template <class B> void add_bars(figure &f, const B &bar)
{
    for (const studied_machine &m : machines()) {
        for (size_t i = 0; i < m.mechanisms.size(); ++i)
            f.bars.push_back(bar(m, row_of(m, m.mechanisms[i].key), only(i)));
        f.bars.push_back(bar(m, row_of(m, "all"), all_of(m)));
    }
}

figure speedups(const study_results &results, programs_ref programs)
{
    figure f =
        empty("machines", "speed-up of each mechanism alone, and of all, over none, on each machine", 2);
    add_bars(f, [&](const studied_machine &m, const std::string &name, set s) {
        return speedup_bar(results, programs, name, key_of(m, 0), key_of(m, s));
    });
    return f;
}

figure reads(const study_results &results, programs_ref programs)
{
    figure f = empty("machines-walks", "page-table reads on each machine, none = 1", 3);
    add_bars(f, [&](const studied_machine &m, const std::string &name, set s) {
        static const char *const reads = "walk_unit.pte_reads";
        figure_bar bar = ratio_bar(results, programs, name, key_of(m, 0), key_of(m, s),
                                   [&](const json &base, const json &with) {
                                       const double before = stat_of(base, reads);
                                       return before > 0 ? stat_of(with, reads) / before : none;
                                   });
        bar.ratio = false; /* may be nought */
        return bar;
    });
    return f;
}

figure remains(const study_results &results, programs_ref programs)
{
    figure f =
        empty("machines-remains", "speed-up of each mechanism over the machine that has all the others", 2);
    for (const studied_machine &m : machines())
        for (size_t i = 0; i < m.mechanisms.size(); ++i)
            f.bars.push_back(speedup_bar(results, programs, row_of(m, m.mechanisms[i].key),
                                         key_of(m, all_of(m) & ~only(i)), key_of(m, all_of(m))));
    return f;
}

} // namespace

std::vector<study_configuration> configurations_of_machines()
{
    std::vector<study_configuration> list;
    for (const studied_machine &m : machines())
        for (const set s : sets_of(m)) {
            study_configuration c{key_of(m, s), m.always, m.platform};
            c.changes.emplace_back("address_space.frames=contiguous");
            for (size_t i = 0; i < m.mechanisms.size(); ++i) {
                const settings &is = (s & only(i)) != 0 ? m.mechanisms[i].on : m.mechanisms[i].off;
                c.changes.insert(c.changes.end(), is.begin(), is.end());
            }
            list.push_back(c);
        }
    return list;
}

std::vector<figure_def> figures_of_machines()
{
    return {{"machines", all_ten(), keys(), speedups},
            {"machines-walks", all_ten(), keys(), reads},
            {"machines-remains", all_ten(), keys(), remains}};
}

} // namespace walkway::combinations
