/* SPDX-License-Identifier: MIT */
/* study/hpca14_traffic.cpp - see hpca14_traffic.hpp. PAPER[H14 sections 4.1, 4.2, 6.1]. Averages are those of
 * all programs run one after the other, as the paper's: what all count over what all take. */
#include "study/hpca14_traffic.hpp"

#include <algorithm>
#include <limits>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using value_of = double (*)(const json &);

/* Not a number if the result of one program is missing. */
double in_turn(const study_results &results, programs_ref programs, const char *key, value_of part,
               value_of whole)
{
    const figure_bar parts = bar_of(results, programs, "", key, part),
                     wholes = bar_of(results, programs, "", key, whole);
    double of_all = 0, all = 0;
    for (size_t i = 0; i < programs.size(); ++i) {
        of_all += parts.values[i];
        all += wholes.values[i];
    }
    return of_all / all;
}

/* Thousand cycles of each compute unit. */
double kilocycles(const json &stats)
{
    return stat_of(stats, "gpu.cycles") * stats.at("configuration").at("gpu.cus").get<double>() / 1000;
}
double scratchpad(const json &stats)
{
    return stat_of(stats, "gpu.local_lanes");
}
double global(const json &stats)
{
    return stat_of(stats, "coalescer.lanes");
}
double accesses(const json &stats)
{
    return stat_of(stats, "coalescer.lines");
}
double misses(const json &stats)
{
    return stat_of(stats, "l1_tlb.misses");
}

figure_bar rate(const study_results &results, programs_ref programs, const char *name, const char *key,
                value_of count)
{
    return bar_of(results, programs, name, key,
                  [count](const json &stats) { return count(stats) / kilocycles(stats); });
}

double field(const json &stats, const char *histogram, const char *name)
{
    const auto found = stats.at("statistics").find(histogram);
    return found == stats.at("statistics").end() ? none : found->at(name).get<double>();
}

constexpr const char *in_flight = "walk_unit.walks_in_flight", *gap = "walk_unit.walk_gap",
                     *sharers = "l2_tlb.sharers";

/* The last bucket that ends before 500 ends at 479: what follows is not counted. */
double soon(const json &stats)
{
    return count_below(stats, gap, 480);
}
double gaps(const json &stats)
{
    return field(stats, gap, "count");
}
double walks_there(const json &stats)
{
    return field(stats, in_flight, "sum");
}
double walks(const json &stats)
{
    return field(stats, in_flight, "count");
}

/* Entries that so many units used, or more. */
double shared_by(const json &stats, uint64_t units)
{
    return count_below(stats, sharers, units + 1) - count_below(stats, sharers, units);
}
double uses(const json &stats)
{
    return field(stats, sharers, "count");
}
double entries(const json &stats)
{
    return shared_by(stats, 1);
}

figure_bar shared(const study_results &results, programs_ref programs, const char *name, uint64_t from,
                  uint64_t to)
{
    return bar_of(results, programs, name, "shared-l2-pwc", [from, to](const json &stats) {
        return (shared_by(stats, from) - shared_by(stats, to + 1)) / entries(stats);
    });
}

double largest(const figure_bar &bar)
{
    return *std::max_element(bar.values.begin(), bar.values.end());
}

} // namespace

/* Per compute unit: of all 16 together 1.4 misses would be no traffic that the paper could call high, since
 * 32 walks of 1,200 cycles are 26. */
figure hpca14_operations(const study_results &results, programs_ref programs)
{
    const auto all = [&](value_of part, value_of whole) {
        return in_turn(results, programs, "ideal", part, whole);
    };
    const figure_bar missing = rate(results, programs, "L1 TLB misses, design 1", "design-1", misses);
    return {"4",
            "memory operations per thousand cycles of a compute unit, with the ideal MMU",
            2,
            {rate(results, programs, "scratchpad lanes", "ideal", scratchpad),
             rate(results, programs, "global lanes", "ideal", global),
             rate(results, programs, "global accesses", "ideal", accesses), missing},
            {},
            {{"all in turn, scratchpad lane instructions", stated::about("334", 334).softly(),
              all(scratchpad, kilocycles)},
             {"all in turn, global lane instructions", stated::about("268", 268).softly(),
              all(global, kilocycles)},
             {"all in turn, global accesses", stated::about("39", 39).softly(), all(accesses, kilocycles)},
             {"all in turn, accesses of global lane instructions", stated::about("85 % less", 39.0 / 268),
              all(accesses, global)},
             {"all in turn, L1 TLB misses", stated::about("1.4", 1.4).softly(),
              in_turn(results, programs, "design-1", misses, kilocycles)},
             {"most L1 TLB misses", stated::about("13", 13).softly(), largest(missing)}}};
}

figure hpca14_bursts(const study_results &results, programs_ref programs)
{
    const figure_bar mean = bar_of(results, programs, "average", "design-1",
                                   [](const json &s) { return field(s, in_flight, "mean"); }),
                     most = bar_of(results, programs, "maximum", "design-1",
                                   [](const json &s) { return field(s, in_flight, "max"); });
    figure f = {"7",
                "walks in flight at a compute unit's walker as each is issued, design 1",
                2,
                {mean, most},
                {bar_of(results, programs, "within 480 cycles", "design-1",
                        [](const json &s) { return soon(s) / gaps(s); })},
                {{"all in turn, average", stated::about("60", 60),
                  in_turn(results, programs, "design-1", walks_there, walks)},
                 {"worst program, average", stated::about("140", 140), largest(mean)},
                 {"worst program, maximum", stated::over("over 1000", 1000), largest(most)},
                 {"all in turn, within 500 cycles of the one before", stated::over("over 90 %", 0.9),
                  in_turn(results, programs, "design-1", soon, gaps)}}};
    f.beside_title = "walks that come that soon after the one before";
    return f;
}

figure hpca14_sharers(const study_results &results, programs_ref programs)
{
    const figure_bar mean = bar_of(results, programs, "mean", "shared-l2-pwc",
                                   [](const json &s) { return uses(s) / entries(s); });
    figure f = {"10",
                "compute units that use an entry of the 512-entry L2 TLB",
                2,
                {mean},
                {shared(results, programs, "1", 1, 1), shared(results, programs, "2 to 4", 2, 4),
                 shared(results, programs, "5 to 8", 5, 8), shared(results, programs, "9 to 15", 9, 15),
                 shared(results, programs, "16", 16, 16)},
                {{"nn", stated::about("no sharing", 1.0), of(mean, programs, "nn")},
                 {"most in a program, of 16", stated::about("all", 16), largest(mean)}}};
    f.beside_title = "entries by the number of their compute units";
    return f;
}

} // namespace walkway
