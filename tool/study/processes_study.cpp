/* SPDX-License-Identifier: MIT */
/* study/processes_study.cpp - two programs on one GPU, each in an address space of its own: how much each is
 * in the other's way, on a half of the compute units each and in turns, and what is left of the mechanisms'
 * gains. No paper of the five has numbers for it; [M21 section 7.2] says that it works. docs/processes.md. */
#include "study/bars.hpp"
#include "study/ten_programs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const char *const codes[] = {"ATX", "GUPS", "NW", "BFS", "SRAD"};

/* Those programs alone, and every two of them. */
std::vector<study_program> alone_and_in_pairs()
{
    std::vector<study_program> all, pairs;
    for (const study_program &p : ten_programs())
        if (std::find(std::begin(codes), std::end(codes), p.code) != std::end(codes))
            all.push_back(p);
    for (size_t i = 0; i < all.size(); ++i)
        for (size_t j = i + 1; j < all.size(); ++j) {
            study_program pair = all[i];
            pair.code += "+" + all[j].code;
            pair.group = "pairs";
            pair.beside = {all[j].code};
            pairs.push_back(pair);
        }
    for (study_program &p : all)
        p.group = "alone";
    all.insert(all.end(), pairs.begin(), pairs.end());
    return all;
}

const json *result_of(const study_results &results, const std::string &code, const std::string &key)
{
    const auto program = results.find(code);
    if (program == results.end())
        return nullptr;
    const auto result = program->second.find(key);
    return result == program->second.end() ? nullptr : &result->second;
}

std::string part_of(const study_program &pair, unsigned i)
{
    return i == 0 ? pair.code.substr(0, pair.code.find('+')) : pair.beside.front();
}

/* A statistic of one of a pair; alone it is another one. */
struct pair_view {
    const study_results &results;
    const study_program &pair;

    double together(const std::string &key, const std::string &path) const
    {
        const json *r = result_of(results, pair.code, key);
        return r == nullptr ? none : stat_of(*r, path.c_str());
    }
    double alone(unsigned i, const std::string &key, const std::string &path) const
    {
        const json *r = result_of(results, part_of(pair, i), key);
        return r == nullptr ? none : stat_of(*r, path.c_str());
    }
    double cycles(unsigned i, const std::string &key) const
    {
        return together(key, "gpu.program_" + std::to_string(i) + ".cycles");
    }
    double slowdown(unsigned i, const std::string &key) const
    {
        return cycles(i, key) / alone(i, key, "gpu.cycles");
    }
};

template <class F>
figure_bar pair_bar(const study_results &results, programs_ref pairs, const std::string &name, F value)
{
    figure_bar bar{name, {}};
    for (const study_program &p : pairs)
        bar.values.push_back(value(pair_view{results, p}));
    return bar;
}

figure slowdown(const study_results &results, programs_ref pairs)
{
    figure f = {
        "halves", "beside each other, on a half of the compute units each, over alone there", 3, {}, {}, {}};
    f.bars_are_rows = true;
    const auto bar = [&](const std::string &name, auto value) {
        return pair_bar(results, pairs, name, value);
    };
    for (const unsigned i : {0u, 1u})
        f.bars.push_back(bar(i == 0 ? "slowdown of the first" : "of the second",
                             [i](const pair_view &v) { return v.slowdown(i, "halves"); }));
    f.bars.push_back(bar("weighted speed-up, 2 without interference", [](const pair_view &v) {
        return 1 / v.slowdown(0, "halves") + 1 / v.slowdown(1, "halves");
    }));
    f.bars.push_back(bar("fairness, 1 where both suffer alike", [](const pair_view &v) {
        const double a = v.slowdown(0, "halves"), b = v.slowdown(1, "halves");
        return std::min(a, b) / std::max(a, b);
    }));
    for (const unsigned i : {0u, 1u})
        f.beside.push_back(
            bar(i == 0 ? "L2 TLB misses of the first" : "of the second", [i](const pair_view &v) {
                /* it may have begun again: for each of its translations */
                const std::string vm = ".vm_" + std::to_string(i);
                const double now = v.together("halves", "l2_tlb" + vm + ".misses") /
                                   v.together("halves", "coalescer" + vm + ".translations");
                return now / (v.alone(i, "halves", "l2_tlb.misses") /
                              v.alone(i, "halves", "coalescer.translations"));
            }));
    f.beside_title = "misses for each translation, alone = 1";
    return f;
}

figure turns(const study_results &results, programs_ref pairs)
{
    figure f = {"turns", "time of both in turns, kernel by kernel, over the sum of each alone", 3, {}, {},
                {}};
    f.bars_are_rows = true;
    const auto bar = [&](const std::string &name, auto value) {
        return pair_bar(results, pairs, name, value);
    };
    for (const char *key : {"turns", "turns-flush"})
        f.bars.push_back(bar(std::string(key) == "turns" ? "TLBs keep all entries" : "TLBs are flushed",
                             [key](const pair_view &v) {
                                 return v.together(key, "gpu.cycles") / (v.alone(0, "turns", "gpu.cycles") +
                                                                         v.alone(1, "turns", "gpu.cycles"));
                             }));
    f.beside.push_back(
        bar("switches", [](const pair_view &v) { return v.together("turns-flush", "gpu.switches"); }));
    f.beside.push_back(bar("L2 TLB misses, flushed over kept", [](const pair_view &v) {
        return v.together("turns-flush", "l2_tlb.misses") / v.together("turns", "l2_tlb.misses");
    }));
    f.beside_title = "why";
    return f;
}

/* Of both programs, geometric mean. */
figure gains(const study_results &results, programs_ref pairs)
{
    figure f = {"gains", "speed-up of a mechanism, mean of the two programs of a pair", 3, {}, {}, {}};
    f.bars_are_rows = true;
    for (const char *name : {"walking", "reach"}) {
        const std::string key = std::string("halves-") + name;
        f.bars.push_back(
            pair_bar(results, pairs, std::string(name) + ", each alone on a half", [&](const pair_view &v) {
                return std::sqrt(v.alone(0, "halves", "gpu.cycles") / v.alone(0, key, "gpu.cycles") *
                                 v.alone(1, "halves", "gpu.cycles") / v.alone(1, key, "gpu.cycles"));
            }));
        f.bars.push_back(
            pair_bar(results, pairs, std::string(name) + ", beside each other", [&](const pair_view &v) {
                return std::sqrt(v.cycles(0, "halves") / v.cycles(0, key) * v.cycles(1, "halves") /
                                 v.cycles(1, key));
            }));
        f.bars[f.bars.size() - 2].ratio = f.bars.back().ratio = true;
    }
    return f;
}

std::vector<study_configuration> processes_configurations()
{
    const std::string lds = "lds_tx.translations=", icache = "icache_tx.translations=";
    const std::vector<std::string> plain = {lds + "off", icache + "off"};
    const auto with = [](std::vector<std::string> changes, const std::vector<std::string> &more) {
        changes.insert(changes.end(), more.begin(), more.end());
        return changes;
    };
    const std::vector<std::string> halves = {"dispatcher.shares=2"};
    const std::vector<std::string> in_turns = {"dispatcher.shares=1", "dispatcher.again=false"};
    return {{"halves", with(halves, plain)},
            {"halves-walking", with(halves, with(plain, {"walk_unit.coalesce=full"}))},
            {"halves-reach", with(halves, {lds + "on", icache + "on"})},
            {"turns", with(in_turns, plain)},
            {"turns-flush", with(in_turns, with(plain, {"dispatcher.on_switch=flush"}))}};
}

} // namespace

const study &processes_study(); /* declared for all by studies.inc */

const study &processes_study()
{
    static const std::vector<std::string> pairs = {"pairs"}, alone = {"alone"};
    static const study s = {
        "processes",
        "two programs at a time",
        "apu-micro21",
        ten_program_scales(),
        "",
        alone_and_in_pairs(),
        processes_configurations(),
        {{"halves", pairs, {"halves"}, slowdown, false, alone},
         {"turns", pairs, {"turns", "turns-flush"}, turns, false, alone},
         {"gains", pairs, {"halves", "halves-walking", "halves-reach"}, gains, false, alone}},
        "A program that ends first begins again until the other has ended; its first end counts. In turns it "
        "does not.",
    };
    return s;
}

} // namespace walkway
