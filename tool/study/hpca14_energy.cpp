/* SPDX-License-Identifier: MIT */
/* study/hpca14_energy.cpp - energy and area of MMUs relative to design 2. PAPER[H14 section 6.5, Figure 12]:
 * TLBs and page-walk cache, dynamic energy of their accesses. Ours are counted in the run and priced by an
 * analytic formula with a range (docs/energy.md), which is why each bar stands there three times. */
#include "study/hpca14_energy.hpp"

#include <cmath>

namespace walkway
{

namespace
{

struct estimate {
    const char *suffix, *text;
};
constexpr estimate middle = {"", ""}, low = {"_low", ", low"}, high = {"_high", ", high"};

/* Of the MMU: its TLBs and its walk cache, of those that there are. The walk buffer is left out: how many
 * requests may wait in it is an assumption of ours. Not a number without L1 TLBs. */
double of_mmu(const json &stats, const std::string &what)
{
    double sum = stat_of(stats, ("arrays.l1_tlb.entries." + what).c_str());
    for (const char *array : {"arrays.l2_tlb.entries.", "arrays.walk_unit.pte_cache."}) {
        const double more = stat_of(stats, (array + what).c_str());
        sum += std::isnan(more) ? 0 : more;
    }
    return sum;
}

/* Of all programs, one after the other; not a number if a result is missing. */
double in_turn(const study_results &results, programs_ref programs, const char *key, const std::string &what)
{
    const auto value = [&what](const json &stats) { return of_mmu(stats, what); };
    double ours = 0, second = 0;
    for (const double v : bar_of(results, programs, "", key, value).values)
        ours += v;
    for (const double v : bar_of(results, programs, "", "design-2", value).values)
        second += v;
    return ours / second;
}

figure_bar relative(const study_results &results, programs_ref programs, const std::string &name,
                    const char *key, const std::string &what)
{
    return ratio_bar(results, programs, name, "design-2", key, [&](const json &second, const json &ours) {
        return of_mmu(ours, what) / of_mmu(second, what);
    });
}

} // namespace

figure hpca14_energy(const study_results &results, programs_ref programs)
{
    struct design {
        const char *name, *key;
    };
    /* The L2 TLB is "a large associative structure"; that of the machines has 16 ways. */
    constexpr design designs[] = {{"design 3", "design-3"},
                                  {"shared L2", "shared-l2"},
                                  {"shared L2 & PWC", "shared-l2-pwc"},
                                  {"associative shared L2", "shared-l2-associative"},
                                  {"associative shared L2 & PWC", "shared-l2-pwc-associative"}};
    figure f = {"12", "energy of accesses to TLBs and page-walk cache, of design 2's", 2, {}, {}, {}};
    f.bars_are_rows = true;
    f.beside_title = "their area, of design 2's";
    for (const design &d : designs)
        for (const estimate &e : {middle, low, high}) {
            f.bars.push_back(relative(results, programs, std::string(d.name) + e.text, d.key,
                                      std::string("energy") + e.suffix));
            f.beside.push_back(relative(results, programs, std::string(d.name) + e.text, d.key,
                                        std::string("area") + e.suffix));
        }
    const auto energy = [&](const char *key) { return in_turn(results, programs, key, "energy"); };
    const auto area = [&](const char *key) { return in_turn(results, programs, key, "area"); };
    const double l2 = energy("shared-l2"), both = energy("shared-l2-pwc"), third = energy("design-3"),
                 whole_l2 = energy("shared-l2-associative"), whole_both = energy("shared-l2-pwc-associative");
    f.claims = {
        {"all in turn, design 3", stated::about("20 % less", 0.8), third},
        {"all in turn, shared L2 & PWC", stated::about("25 % more", 1.25), both},
        {"all in turn, shared L2 / shared L2 & PWC", stated::over("much more energy hungry", 1.0), l2 / both},
        {"all in turn, associative shared L2 & PWC", stated::about("25 % more", 1.25), whole_both},
        {"all in turn, associative shared L2 / the same & PWC", stated::over("much more energy hungry", 1.0),
         whole_l2 / whole_both},
    };
    for (const design &d : designs)
        f.claims.push_back({std::string("area, ") + d.name, stated::under("less", 1.0), area(d.key)});
    f.claims.push_back({"area, shared L2 & PWC / design 3", stated::under("smallest", 1.0),
                        area("shared-l2-pwc") / area("design-3")});
    f.claims.push_back({"area, shared L2 & PWC / shared L2", stated::under("smallest", 1.0),
                        area("shared-l2-pwc") / area("shared-l2")});
    return f;
}

} // namespace walkway
