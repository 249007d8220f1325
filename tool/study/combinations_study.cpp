/* SPDX-License-Identifier: MIT */
/* study/combinations_study.cpp - what no paper has published: walking by neighbourhoods [M18], translations
 * in idle structures [M21] and a compressed L2 TLB [P20] on one machine, each on and off, and what remains of
 * each gain beside the others. Where frames lie as pages do, compression gains nothing
 * (docs/compressed-tlb.md), so every figure is there with fragmented frames, too. The same mechanisms and
 * hashed tables on machines with other MMUs: combinations_machines.hpp. */
#include "study/bars.hpp"
#include "study/combinations_machines.hpp"
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
        {"walking", {"walk_unit.coalesce=off"}, {"walk_unit.coalesce=full"}},
        {"reach",
         {"lds_tx.translations=off", "icache_tx.translations=off"},
         {"lds_tx.translations=on", "icache_tx.translations=on"}},
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

/* The key of a set under a layout of frames. */
std::string key_of(const std::string &frames, unsigned set)
{
    return frames + "/" + name_of(set);
}

std::vector<study_configuration> configurations()
{
    std::vector<study_configuration> list;
    for (const char *frames : {"contiguous", "fragmented"})
        for (unsigned set = 0; set < sets(); ++set) {
            study_configuration c{key_of(frames, set), {std::string("address_space.frames=") + frames}};
            for (size_t m = 0; m < mechanisms().size(); ++m) {
                const std::vector<std::string> &changes =
                    has(set, m) ? mechanisms()[m].on : mechanisms()[m].off;
                c.changes.insert(c.changes.end(), changes.begin(), changes.end());
            }
            list.push_back(c);
        }
    for (const study_configuration &c : combinations::configurations_of_machines())
        list.push_back(c);
    return list;
}

/* The combinations under one layout of frames. */
struct combined {
    std::string frames;
    const study_results &results;
    programs_ref programs;

    figure_bar speedup(const std::string &name, unsigned base, unsigned set) const
    {
        return speedup_bar(results, programs, name, key_of(frames, base), key_of(frames, set));
    }
    figure empty(const std::string &id, const std::string &title, int decimals) const
    {
        const bool plain = frames == "contiguous";
        figure f = {id + (plain ? "" : "-" + frames),
                    title + (plain ? "" : ", " + frames + " frames"),
                    decimals,
                    {},
                    {},
                    {}};
        f.bars_are_rows = true;
        return f;
    }
    figure speedups() const;
    figure remains() const;
    figure product() const;
    figure walks() const;
};

figure combined::speedups() const
{
    figure f = empty("speedups", "speed-up of every combination over none", 2);
    for (unsigned set = 1; set < sets(); ++set)
        f.bars.push_back(speedup(name_of(set), 0, set));
    f.gains = true;
    return f;
}

/* What one mechanism brings to a machine that has others already. */
figure combined::remains() const
{
    figure f = empty("remains", "speed-up of each mechanism over the machine that has the others", 2);
    for (size_t m = 0; m < mechanisms().size(); ++m)
        for (unsigned set = 0; set < sets(); ++set) {
            const std::string beside = set == 0 ? " alone" : " beside " + name_of(set);
            if (!has(set, m))
                f.bars.push_back(speedup(mechanisms()[m].key + beside, set, set | 1u << m));
        }
    return f;
}

/* All together over the product of each alone: over 1 they help each other. */
figure combined::product() const
{
    figure f = empty("product", "speed-up of a combination over the product of each alone", 2);
    for (unsigned set = 1; set < sets(); ++set) {
        if ((set & (set - 1)) == 0)
            continue; /* one alone */
        figure_bar bar = speedup(name_of(set), 0, set);
        for (size_t m = 0; m < mechanisms().size(); ++m) {
            if (!has(set, m))
                continue;
            const figure_bar alone = speedup("", 0, 1u << m);
            for (size_t p = 0; p < bar.values.size(); ++p)
                bar.values[p] /= alone.values[p];
        }
        f.bars.push_back(bar);
    }
    return f;
}

figure combined::walks() const
{
    figure f = empty("walks", "page-table reads of every combination, none = 1", 3);
    for (unsigned set = 1; set < sets(); ++set) {
        f.bars.push_back(ratio_bar(results, programs, name_of(set), key_of(frames, 0), key_of(frames, set),
                                   [](const json &base, const json &s) {
                                       const double before = stat_of(base, "walk_unit.pte_reads");
                                       return before > 0 ? stat_of(s, "walk_unit.pte_reads") / before : none;
                                   }));
        f.bars.back().ratio = false; /* may be nought */
    }
    return f;
}

/* A figure under both layouts. */
template <figure (combined::*make)() const> void add(std::vector<figure_def> &list, const std::string &id)
{
    const auto keys = [](const char *frames) {
        std::vector<std::string> all;
        for (unsigned set = 0; set < sets(); ++set)
            all.push_back(key_of(frames, set));
        return all;
    };
    list.push_back({id, all_ten(), keys("contiguous"), [](const study_results &r, programs_ref p) {
                        return (combined{"contiguous", r, p}.*make)();
                    }});
    list.push_back(
        {id + "-fragmented", all_ten(), keys("fragmented"), [](const study_results &r, programs_ref p) {
             return (combined{"fragmented", r, p}.*make)();
         }});
}

std::vector<figure_def> figures()
{
    std::vector<figure_def> list;
    add<&combined::speedups>(list, "speedups");
    add<&combined::remains>(list, "remains");
    add<&combined::product>(list, "product");
    add<&combined::walks>(list, "walks");
    for (const figure_def &f : combinations::figures_of_machines())
        list.push_back(f);
    return list;
}

} // namespace

const study &combinations_study(); /* declared for all by studies.inc */

const study &combinations_study()
{
    static const study s = {
        "combinations",
        "walking by neighbourhoods (MICRO'18), translations in idle structures (MICRO'21) and a compressed "
        "L2 TLB (PACT'20), each on and off; these and hashed tables (PACT'24) on machines with other MMUs",
        "apu-micro21",
        ten_program_scales(),
        "",
        ten_programs(),
        configurations(),
        figures(),
        std::string("No paper has these numbers. ") + ten_program_notes,
    };
    return s;
}

} // namespace walkway
