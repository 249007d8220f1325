/* SPDX-License-Identifier: MIT */
/* study/hpca14_study.cpp - the study of HPCA'14 "Supporting x86-64 Address Translation for 100s of GPU
 * Lanes": its designs beside the ideal MMU. PAPER[H14 sections 4 and 6]. The paper's averages are those of
 * all programs run one after the other: the sum of the ideal's times over the sum of a design's. */
#include "report/comparison.hpp"
#include "run/headline.hpp"
#include "study/bars.hpp"
#include "study/hpca14_energy.hpp"
#include "study/hpca14_traffic.hpp"

#include <cmath>
#include <limits>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double seconds_of(const study_results &results, const study_program &p, const char *key)
{
    const auto program = results.find(p.code);
    if (program == results.end() || program->second.count(key) == 0)
        return none;
    return headline_value(program->second.at(key), "seconds", none);
}

/* Of all programs, one after the other. */
double in_turn(const study_results &results, programs_ref programs, const char *key)
{
    double ideal = 0, ours = 0;
    for (const study_program &p : programs) {
        ideal += seconds_of(results, p, "ideal");
        ours += seconds_of(results, p, key);
    }
    return ideal / ours;
}

figure_bar of_ideal(const study_results &results, programs_ref programs, const char *name, const char *key)
{
    figure_bar bar = speedup_bar(results, programs, name, "ideal", key);
    bar.speedup = false; /* a share, not a gain */
    return bar;
}

double miss_rate(const json &stats)
{
    return share(stats, "l1_tlb.misses", "l1_tlb.lookups");
}

figure_bar misses(const study_results &results, programs_ref programs, const char *name, const char *key)
{
    return bar_of(results, programs, name, key, miss_rate);
}

figure figure_6(const study_results &results, programs_ref programs)
{
    const figure_bar first = of_ideal(results, programs, "design 1", "design-1"),
                     second = of_ideal(results, programs, "design 2", "design-2"),
                     third = of_ideal(results, programs, "design 3", "design-3");
    const double latency = mean_of(
        ratio_bar(results, programs, "", "design-2", "design-3", [](const json &before, const json &after) {
            return headline_value(after, "walk_latency_mean", none) /
                   headline_value(before, "walk_latency_mean", none);
        }));
    figure f = {
        "6",
        "performance of designs 1, 2 and 3, of the ideal MMU's",
        2,
        {first, second, third},
        {misses(results, programs, "design 1", "design-1"),
         misses(results, programs, "design 3", "design-3")},
        {{"all in turn, design 1", stated::about("30 %", 0.3), in_turn(results, programs, "design-1")},
         {"all in turn, design 2", stated::about("30 %", 0.3), in_turn(results, programs, "design-2")},
         {"all in turn, design 3", stated::over("within 2 %", 0.98), in_turn(results, programs, "design-3")},
         {"walk latency, design 3 of 2", stated::under("over 95 % less", 0.05), latency}},
        {{"all in turn, design 1", in_turn(results, programs, "design-1"), 0.08, 0.30},
         {"all in turn, design 2", in_turn(results, programs, "design-2"), 0.18, 0.40},
         {"all in turn, design 3", in_turn(results, programs, "design-3"), 0.96, 1.0}}};
    f.beside_title = "miss rates of the L1 TLBs";
    for (const char *code : {"backprop", "bfs", "pathfinder"})
        f.claims.push_back({std::string(code) + ", design 1", stated::between("about 10 %", 0.05, 0.15),
                            of(first, programs, code)});
    for (const char *code : {"gaussian", "lud"})
        f.claims.push_back(
            {std::string(code) + ", design 1", stated::over("adequately", 0.5), of(first, programs, code)});
    for (const char *code : {"bfs", "nw"})
        f.claims.push_back({std::string(code) + ", design 2 / design 1", stated::under("worse", 1.0),
                            of(second, programs, code) / of(first, programs, code)});
    return f;
}

figure figure_8(const study_results &results, programs_ref programs)
{
    const figure_bar bar = misses(results, programs, "miss rate", "design-1");
    return {"8",
            "miss rate of a 128-entry L1 TLB",
            3,
            {bar},
            {},
            {{"mean", stated::about("29 %", 0.29), mean_of(bar)},
             {"nw", stated::about("67 %", 0.67), of(bar, programs, "nw")}},
            {{"mean", mean_of(bar), 0.22, 0.36}}};
}

figure figure_11(const study_results &results, programs_ref programs)
{
    const figure_bar l2 = of_ideal(results, programs, "shared L2", "shared-l2"),
                     both = of_ideal(results, programs, "shared L2 & PWC", "shared-l2-pwc"),
                     pwc = of_ideal(results, programs, "ideal PWC", "ideal-pwc"),
                     third = of_ideal(results, programs, "design 3", "design-3");
    const double three = in_turn(results, programs, "design-3"),
                 pwc_gain = in_turn(results, programs, "ideal-pwc") / three;
    figure f = {
        "11",
        "performance of a shared L2 TLB and of an ideal page-walk cache, of the ideal MMU's",
        2,
        {l2, both, pwc, third},
        {},
        {{"all in turn, shared L2", stated::under("more than 2x slower", 0.5),
          in_turn(results, programs, "shared-l2")},
         {"all in turn, shared L2 & PWC / design 3", stated::about("within 0.1 %", 1.0, 0.001),
          in_turn(results, programs, "shared-l2-pwc") / three},
         {"all in turn, ideal PWC / design 3", stated::about("1 % more", 1.01, 0.01), pwc_gain},
         {"bfs, ideal PWC / design 3", stated::about("10 % more", 1.1, 0.05),
          of(pwc, programs, "bfs") / of(third, programs, "bfs")}},
        {{"shared L2 & PWC less design 3", in_turn(results, programs, "shared-l2-pwc") - three, -0.03, 0.03},
         {"ideal PWC less design 3", in_turn(results, programs, "ideal-pwc") - three, 0, 0.03}}};
    for (const char *code : {"bfs", "nw", "sort"})
        f.claims.push_back({std::string(code) + ", shared L2", stated::under("at least 2x worse", 0.5),
                            of(l2, programs, code)});
    return f;
}

/* The paper's text has the page-walk cache hold non-leaf entries; what would follow. */
figure what_is_cached(const study_results &results, programs_ref programs)
{
    return {"section-4.4",
            "design 3 with a page-walk cache of all lines, and of inner ones as section 4.4 has it; of the "
            "ideal MMU's",
            2,
            {of_ideal(results, programs, "all lines", "design-3"),
             of_ideal(results, programs, "inner lines", "design-3-inner")},
            {},
            {{"all in turn, inner lines", stated::over("within 2 %", 0.98),
              in_turn(results, programs, "design-3-inner")}}};
}

figure round_robin(const study_results &results, programs_ref programs)
{
    return {
        "section-4.3",
        "design 2, its walk buffer first come first served, and in turn by compute unit; of the ideal MMU's",
        2,
        {of_ideal(results, programs, "fcfs", "design-2"),
         of_ideal(results, programs, "in turn", "design-2-in-turn")},
        {},
        {}};
}

figure prefetcher(const study_results &results, programs_ref programs)
{
    const double gain = in_turn(results, programs, "design-3-ahead") / in_turn(results, programs, "design-3");
    figure f = {"section-6.3",
                "design 3 with a one-ahead prefetcher at each L1 TLB, speed-up over design 3",
                4,
                {speedup_bar(results, programs, "speed-up", "design-3", "design-3-ahead")},
                {bar_of(results, programs, "found", "design-3-ahead",
                        [](const json &s) { return share(s, "prefetch.hits", "prefetch.lookups"); }),
                 bar_of(results, programs, "under way", "design-3-ahead",
                        [](const json &s) { return share(s, "prefetch.merged", "prefetch.lookups"); })},
                {{"all in turn", stated::between("less than 1 %", 0.99, 1.01, 0), gain}}};
    f.beside_title = "L1 misses whose page had been fetched, or was being fetched";
    return f;
}

figure large_pages(const study_results &results, programs_ref programs)
{
    const figure_bar less = ratio_bar(results, programs, "misses, of those with 4 KiB", "design-1",
                                      "design-1-2m", [](const json &small, const json &large) {
                                          return stat_view(large.at("statistics")).value("l1_tlb.misses") /
                                                 stat_view(small.at("statistics")).value("l1_tlb.misses");
                                      });
    figure f = {"section-6.4", "misses of the L1 TLBs with pages of 2 MiB", 4, {less}, {}, {}};
    for (const study_program &p : programs)
        f.claims.push_back(
            p.code == "gaussian"
                ? figure_claim{p.code, stated::under("over 80 % less", 0.2), of(less, programs, p.code)}
                : figure_claim{p.code, stated::under("over 99 % less", 0.01), of(less, programs, p.code)});
    return f;
}

/* full: the suites' small sizes (docs/workloads.md): the paper's are reduced and not published. */
std::vector<study_program> programs()
{
    const std::string all = "all";
    return {
        {"backprop", "backprop", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"--preset", "demo"}}}},
        {"bfs", "bfs", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"--preset", "demo"}}}},
        {"gaussian", "gaussian", all, {{"full", {"512"}}, {"demo", {"128"}}}},
        {"lud", "lud", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"--preset", "demo"}}}},
        {"nn", "nn", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"--preset", "demo"}}}},
        {"nw", "nw", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"256"}}}},
        {"pathfinder", "pathfinder", all, {{"full", {"--preset", "hpca14"}}, {"demo", {"--preset", "demo"}}}},
        {"sort", "sort", all, {{"full", {"131072"}}, {"demo", {"--preset", "demo"}}}},
    };
}

} // namespace

const study &hpca14_study(); /* declared for all by studies.inc */

const study &hpca14_study()
{
    static const std::vector<std::string> all = {"all"};
    static const study s = {
        "hpca14",
        "HPCA'14, Supporting x86-64 Address Translation for 100s of GPU Lanes",
        "mmu-hpca14",
        {{"demo", "the workloads' smallest sizes, to see that everything works"},
         {"full", "sizes that the suites come with; the paper's are reduced and not published"}},
        "full",
        programs(),
        {{"ideal", {"translation.ideal=infinite_tlb"}},
         {"design-1", {}},
         {"design-1-2m", {"address_space.page=2m"}},
         {"design-2", {}, "mmu-hpca14-design2"},
         {"design-2-in-turn", {"walk_unit.schedule=rr_cu"}, "mmu-hpca14-design2"},
         {"design-3", {}, "mmu-hpca14-design3"},
         {"design-3-inner", {"walk_unit.pte_cache_holds=inner"}, "mmu-hpca14-design3"},
         {"design-3-ahead", {"prefetch.entries=16"}, "mmu-hpca14-design3"},
         {"shared-l2", {}, "mmu-hpca14-shared-l2"},
         {"shared-l2-pwc", {}, "mmu-hpca14-shared-l2-pwc"},
         {"ideal-pwc", {}, "mmu-hpca14-ideal-pwc"},
         {"shared-l2-associative", {"l2_tlb.ways=1024"}, "mmu-hpca14-shared-l2"},
         {"shared-l2-pwc-associative", {"l2_tlb.ways=512"}, "mmu-hpca14-shared-l2-pwc"}},
        {{"4", all, {"ideal", "design-1"}, hpca14_operations},
         {"6", all, {"ideal", "design-1", "design-2", "design-3"}, figure_6},
         {"7", all, {"design-1"}, hpca14_bursts},
         {"8", all, {"design-1"}, figure_8},
         {"10", all, {"shared-l2-pwc"}, hpca14_sharers},
         {"11", all, {"ideal", "shared-l2", "shared-l2-pwc", "ideal-pwc", "design-3"}, figure_11},
         {"12",
          all,
          {"design-2", "design-3", "shared-l2", "shared-l2-pwc", "shared-l2-associative",
           "shared-l2-pwc-associative"},
          hpca14_energy},
         {"section-4.3", all, {"ideal", "design-2", "design-2-in-turn"}, round_robin},
         {"section-4.4", all, {"ideal", "design-3", "design-3-inner"}, what_is_cached},
         {"section-6.3", all, {"ideal", "design-3", "design-3-ahead"}, prefetcher},
         {"section-6.4", all, {"design-1", "design-1-2m"}, large_pages}},
        "Figure 5 is a drawing.",
    };
    return s;
}

} // namespace walkway
