# SPDX-License-Identifier: MIT
"""The figures of HPCA'14 "Supporting x86-64 Address Translation for 100s of GPU Lanes": its designs beside the ideal MMU.
PAPER[H14 sections 4 and 6; of traffic 4.1, 4.2, 6.1]. The paper's averages are those of all programs run one after another: the sum of
counts over the sum of times, and for performance the sum of the ideal's times over the sum of a design's."""
from operator import itemgetter

import numpy

from walkway.study import LESS, Figure, Run, about, between, most, over, under

MUCH = 1.25 # least ratio that counts as "much more": ours, chosen after seeing results; what the text calls 25 % more it does not call much


def of_all(r, machine, value):
    """Returns the mean over programs; a quotient of two such means is that of the sums, as if all run one after another."""
    return r.bar("", machine, value).mean()


def in_turn(r, machine):
    return of_all(r, "ideal", Run.time) / of_all(r, machine, Run.time)


def of_ideal(r, name, machine):
    return r.speedup(name, "ideal", machine, speedup=False) # a share, not a gain


def miss_rate(r, name, machine):
    return r.bar(name, machine, lambda s: s.share("l1_tlb.misses", "l1_tlb.lookups"))


def kilocycles(s):
    """Returns thousands of cycles, summed over compute units. If the paper's 1.4 misses were those of all 16 units together, it could not
    call this traffic high, since 32 walks of 1,200 cycles are 26."""
    return s["gpu.cycles"] * s.setting("gpu.cus") / 1000


def figure_4(r):
    scratchpad, lanes, accesses, misses = map(itemgetter, ("gpu.local_lanes", "coalescer.lanes", "coalescer.lines", "l1_tlb.misses"))
    rate = lambda name, machine, count: r.bar(name, machine, lambda s: count(s) / kilocycles(s))
    all_in_turn = lambda part, whole, machine="ideal": of_all(r, machine, part) / of_all(r, machine, whole)
    missing = rate("L1 TLB misses, design 1", "design-1", misses)
    return Figure("memory operations per thousand cycles of a compute unit, with the ideal MMU", 2,
                  [rate("scratchpad lanes", "ideal", scratchpad), rate("global lanes", "ideal", lanes),
                   rate("global accesses", "ideal", accesses), missing],
                  claims=[("all in turn, scratchpad lane instructions", about("334", 334).soft(), all_in_turn(scratchpad, kilocycles)),
                          ("all in turn, global lane instructions", about("268", 268).soft(), all_in_turn(lanes, kilocycles)),
                          ("all in turn, global accesses", about("39", 39).soft(), all_in_turn(accesses, kilocycles)),
                          ("all in turn, accesses of global lane instructions", about("85 % less", 39 / 268), all_in_turn(accesses, lanes)),
                          ("all in turn, L1 TLB misses", about("1.4", 1.4).soft(), all_in_turn(misses, kilocycles, "design-1")),
                          ("most L1 TLB misses", about("13", 13).soft(), most(missing.values.values()))])


def figure_6(r):
    first, second, third = (of_ideal(r, f"design {n}", f"design-{n}") for n in (1, 2, 3))
    ours = {n: in_turn(r, f"design-{n}") for n in (1, 2, 3)}
    latency = r.over("", "design-2", "design-3", "walk_latency_mean").mean()
    return Figure("performance of designs 1, 2 and 3, of the ideal MMU's", 2, [first, second, third],
                  [miss_rate(r, "design 1", "design-1"), miss_rate(r, "design 3", "design-3")], "miss rates of the L1 TLBs",
                  claims=[("all in turn, design 1", about("30 %", 0.3), ours[1]),
                          ("all in turn, design 2", about("30 %", 0.3), ours[2]),
                          ("all in turn, design 3", over("within 2 %", 0.98), ours[3]),
                          ("walk latency, design 3 of 2", under("over 95 % less", 0.05), latency),
                          *((f"{p}, design 1", between("about 10 %", 0.05, 0.15), first[p]) for p in ("backprop", "bfs", "pathfinder")),
                          *((f"{p}, design 1", over("adequately", 0.5), first[p]) for p in ("gaussian", "lud")),
                          *((f"{p}, design 2 / design 1", under("worse", LESS), second[p] / first[p]) for p in ("bfs", "nw"))],
                  guards=[("all in turn, design 1", ours[1], 0.08, 0.30), ("all in turn, design 2", ours[2], 0.18, 0.40),
                          ("all in turn, design 3", ours[3], 0.96, 1.0)])


def figure_7(r): # with the time between walks of PAPER[H14 section 4.2]
    there, gap = "walk_unit.walks_in_flight", "walk_unit.walk_gap"
    bar = lambda name, value: r.bar(name, "design-1", value)
    all_in_turn = lambda part, whole: of_all(r, "design-1", part) / of_all(r, "design-1", whole)
    soon = lambda s: s.below(gap, 480) # the last bucket below 500 ends at 479; later walks are not counted
    gaps = lambda s: s.of(gap, "count")
    walks_there, walks = lambda s: s.of(there, "sum"), lambda s: s.of(there, "count")
    mean, maximum = bar("average", lambda s: s.of(there, "mean")), bar("maximum", lambda s: s.of(there, "max"))
    return Figure("walks in flight at a compute unit's walker as each is issued, design 1", 2, [mean, maximum],
                  [bar("within 480 cycles", lambda s: soon(s) / gaps(s))], "walks that come that soon after the one before",
                  claims=[("all in turn, average", about("60", 60), all_in_turn(walks_there, walks)),
                          ("worst program, average", about("140", 140), most(mean.values.values())),
                          ("worst program, maximum", over("over 1000", 1000), most(maximum.values.values())),
                          ("all in turn, within 500 cycles of the one before", over("over 90 %", 0.9), all_in_turn(soon, gaps))])


def figure_8(r):
    bar = miss_rate(r, "miss rate", "design-1")
    return Figure("miss rate of a 128-entry L1 TLB", 3, [bar],
                  claims=[("mean", about("29 %", 0.29), bar.mean()), ("nw", about("67 %", 0.67), bar["nw"])],
                  guards=[("mean", bar.mean(), 0.22, 0.36)])


def figure_10(r):
    sharers = "l2_tlb.sharers"
    shared_by = lambda s, units: s.below(sharers, units + 1) - s.below(sharers, units) # entries used by at least that many units
    bar = lambda name, count: r.bar(name, "shared-l2-pwc", lambda s: count(s) / shared_by(s, 1))
    share = lambda name, low, high: bar(name, lambda s: shared_by(s, low) - shared_by(s, high + 1))
    mean = bar("mean", lambda s: s.of(sharers, "count"))
    return Figure("compute units that use an entry of the 512-entry L2 TLB", 2, [mean],
                  [share("1", 1, 1), share("2 to 4", 2, 4), share("5 to 8", 5, 8), share("9 to 15", 9, 15), share("16", 16, 16)],
                  "entries by the number of their compute units",
                  claims=[("nn", about("no sharing", 1), mean["nn"]),
                          ("most in a program, of 16", about("all", 16), most(mean.values.values()))])


def figure_11(r):
    l2, both = of_ideal(r, "shared L2", "shared-l2"), of_ideal(r, "shared L2 & PWC", "shared-l2-pwc")
    pwc, third = of_ideal(r, "ideal PWC", "ideal-pwc"), of_ideal(r, "design 3", "design-3")
    all_both, all_pwc, all_third = (in_turn(r, machine) for machine in ("shared-l2-pwc", "ideal-pwc", "design-3"))
    return Figure("performance of a shared L2 TLB and of an ideal page-walk cache, of the ideal MMU's", 2, [l2, both, pwc, third],
                  claims=[("all in turn, shared L2 / design 3", under("more than a 2x slowdown", 0.5), in_turn(r, "shared-l2") / all_third),
                          ("all in turn, shared L2 & PWC / design 3", about("within 0.1 %", 1, 0.001), all_both / all_third),
                          ("all in turn, ideal PWC / design 3", about("1 % more", 1.01, 0.01), all_pwc / all_third),
                          ("bfs, ideal PWC / design 3", about("10 % more", 1.1, 0.05), pwc["bfs"] / third["bfs"]),
                          *((f"{p}, shared L2", under("at least 2x worse", 0.5), l2[p]) for p in ("bfs", "nw", "sort"))],
                  guards=[("shared L2 & PWC less design 3", all_both - all_third, -0.03, 0.03),
                          ("ideal PWC less design 3", all_pwc - all_third, 0, 0.03)])


def of_mmu(what):
    """Returns a function for the energy or area of an MMU's TLBs and walk cache, if it has them; NaN without L1 TLBs. The walk buffer is
    left out, because its number of entries is our assumption."""
    others = itemgetter(f"arrays.l2_tlb.entries.{what}"), itemgetter(f"arrays.walk_unit.pte_cache.{what}")
    return lambda s: s[f"arrays.l1_tlb.entries.{what}"] + numpy.nansum([other(s) for other in others])


def figure_12(r):
    """PAPER[H14 section 6.5]: dynamic energy of accesses. Ours are counted in the run and multiplied by an analytic formula's energies,
    which have a range (docs/model/energy.md); so each design has three bars."""
    designs = {"design 3": "design-3", "shared L2": "shared-l2", "shared L2 & PWC": "shared-l2-pwc",
               "associative shared L2": "shared-l2-associative", "associative shared L2 & PWC": "shared-l2-pwc-associative"}
    estimates = {"": "", ", low": "_low", ", high": "_high"}
    one = lambda name, machine, value: r.ratio(name, "design-2", machine, lambda second, ours: value(ours) / value(second))
    relative = lambda what: [one(name + text, machine, of_mmu(what + suffix))
                             for name, machine in designs.items() for text, suffix in estimates.items()]
    all_in_turn = lambda value: {name: of_all(r, machine, value) / of_all(r, "design-2", value) for name, machine in designs.items()}
    energy, area = all_in_turn(of_mmu("energy")), all_in_turn(of_mmu("area"))
    more, hungry, smallest = about("25 % more", 1.25), over("much more energy hungry", MUCH), under("smallest", LESS)
    return Figure("energy of accesses to TLBs and page-walk cache, of design 2's", 2, relative("energy"),
                  relative("area"), "their area, of design 2's",
                  claims=[("all in turn, design 3", about("20 % less", 0.8), energy["design 3"]),
                          ("all in turn, shared L2 & PWC", more, energy["shared L2 & PWC"]),
                          ("all in turn, shared L2 / shared L2 & PWC", hungry, energy["shared L2"] / energy["shared L2 & PWC"]),
                          ("all in turn, associative shared L2 & PWC", more, energy["associative shared L2 & PWC"]),
                          ("all in turn, associative shared L2 / the same & PWC", hungry,
                           energy["associative shared L2"] / energy["associative shared L2 & PWC"]),
                          *((f"area, {name}", under("less", LESS), area[name]) for name in designs),
                          *((f"area, shared L2 & PWC / {name}", smallest, area["shared L2 & PWC"] / area[name])
                            for name in ("design 3", "shared L2"))],
                  rows=True)


def section_4(r):
    """The ideal MMU's walks: with no time, as in the ladder; and with reads that hit in one cycle, as in the paper."""
    return Figure("the ideal MMU with walks of one-cycle hits, of that with walks of no time", 4, [of_ideal(r, "one-cycle hits", "ideal-1-cycle")])


def section_4_3(r):
    """Possible reasons why a shared walker is slower than one per unit, as the paper states for bfs and nw."""
    second = {"fcfs": "design-2", "by unit in turn": "design-2-in-turn", "reads of a line in turn": "design-2-lines-in-turn",
              "20 cycles a reply": "design-2-matched"}
    first = of_ideal(r, "design 1", "design-1")
    bars = [of_ideal(r, "design 2, " + name, machine) for name, machine in second.items()]
    third = [of_ideal(r, "design 3", "design-3"), of_ideal(r, "design 3, reads of a line in turn", "design-3-lines-in-turn")]
    return Figure("designs 1 and 2, and what a shared walker may do one after the other; of the ideal MMU's", 2, [first, *bars, *third],
                  claims=[(f"{p}, {bar.name} / design 1", under("worse", LESS), bar[p] / first[p]) for bar in bars for p in ("bfs", "nw")]
                  + [(f"all in turn, {bar.name}", about("30 %", 0.3), in_turn(r, machine)) for bar, machine in zip(bars, second.values())]
                  + [("all in turn, design 3, reads of a line in turn", over("within 2 %", 0.98), in_turn(r, "design-3-lines-in-turn"))],
                  rows=True)


def section_4_4(r):
    """By the paper's text the page-walk cache holds non-leaf entries; this shows the effect."""
    return Figure("design 3 with a page-walk cache of all lines, and of inner ones as section 4.4 has it; of the ideal MMU's", 2,
                  [of_ideal(r, "all lines", "design-3"), of_ideal(r, "inner lines", "design-3-inner")],
                  claims=[("all in turn, inner lines", over("within 2 %", 0.98), in_turn(r, "design-3-inner"))])


def section_6_3(r):
    found = lambda name, hits: r.bar(name, "design-3-ahead", lambda s: s.share(hits, "prefetch.lookups"))
    return Figure("design 3 with a one-ahead prefetcher at each L1 TLB, speed-up over design 3", 4,
                  [r.speedup("speed-up", "design-3", "design-3-ahead")],
                  [found("found", "prefetch.hits"), found("under way", "prefetch.merged")],
                  "L1 misses whose page had been fetched, or was being fetched",
                  claims=[("all in turn", between("less than 1 %", 0.99, 1.01, 0), in_turn(r, "design-3-ahead") / in_turn(r, "design-3"))])


def section_6_4(r):
    less = r.over("misses, of those with 4 KiB", "design-1", "design-1-2m", "l1_tlb.misses")
    stated = lambda p: under("over 80 % less", 0.2) if p == "gaussian" else under("over 99 % less", 0.01)
    return Figure("misses of the L1 TLBs with pages of 2 MiB", 4, [less], claims=[(p, stated(p), less[p]) for p in r.programs])


FIGURES = {"4": figure_4, "6": figure_6, "7": figure_7, "8": figure_8, "10": figure_10, "11": figure_11, "12": figure_12,
           "section-4": section_4, "section-4.3": section_4_3, "section-4.4": section_4_4, "section-6.3": section_6_3, "section-6.4": section_6_4}
