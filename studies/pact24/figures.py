# SPDX-License-Identifier: MIT
"""The figures of PACT'24 "Rethinking Page Table Structure for Fast Address Translation in GPUs: A Fixed-Size Hashed Page Table".
Groups of programs: "I" are irregular by the paper's text, "R" regular; for "U" it does not say. PAPER[P24 sections 2.2 and 5].
docs/results/reproduction-pact24.md."""
from walkway.study import Figure, about, between, mean, most, over, under, walk_cache_hits

TABLE_SIZES = {"0.5": -2.2, "1": 10.0, "2": 19.0, "4": 24.4} # by size in percent: stated mean gain of the irregular programs in percent, Figure 17
THRESHOLDS = {"1.0": 11.7, "1.1": 17.7, "1.2": 21.5, "1.3": 25.3, "1.4": 26.6, "1.5": 27.8} # by m of Equation 1: the same, Figure 16


def gain(percent, tolerance=0.05):
    """States a speed-up by its gain in percent."""
    return about(f"{percent} %", 1 + percent / 100, tolerance)


def of_walks(statistic):
    return lambda run: run.share("walk_unit." + statistic, "walk_unit.walks_finished")


references = of_walks("pte_reads")
collisions = of_walks("pte_reads_steps") # without a step cache: another region has the home slot
victim_accesses = of_walks("pte_reads_v1") # walks that find their entry in the victim buffer


def walk_cache_misses(r):
    return r.bar("PWC misses", "rpt", lambda run: 1 - walk_cache_hits(run))


def who_misses(r, bar):
    """Returns the mean of the programs that are irregular by section 5.1's rule in our runs; "I" is the paper's own list."""
    misses = walk_cache_misses(r)
    return mean([bar[code] for code in r.programs if misses[code] > 0.2])


def figure_4(r):
    misses = walk_cache_misses(r)
    irregular, regular = misses.mean("I"), misses.mean("R")
    return Figure("miss rate of the level-2 page-walk cache", 3, [misses],
                  claims=[("mean, irregular", about("33.8 %", 0.338, 0.15), irregular),
                          ("mean, over 20 % of misses", about("33.8 %", 0.338, 0.15), who_misses(r, misses)),
                          ("mean, regular", between("0.4 %", 0, 0.02, 0), regular),
                          *((f"{code} is irregular", over("over 20 %", 0.2), misses[code]) for code in r.group("I"))],
                  guards=[("mean, irregular", irregular, 0.28, 0.42), ("mean, regular", regular, 0, 0.02)])


def figure_5(r):
    ideal = r.speedup("ideal PWC", "rpt", "ideal")
    return Figure("speed-up of an ideal page-walk cache over four-level RPT", 3, [ideal],
                  claims=[("mean, irregular", gain(29), ideal.mean("I")),
                          ("mean, over 20 % of misses", gain(29), who_misses(r, ideal))])


def figure_6(r):
    """For runs with too little device memory: remote mappings between their first and their last use. The paper draws only BFS, over
    time."""
    tenths = [r.bar(f"tenth {i}", "rpt/150", lambda run, i=i: run[f"driver.remote_live_{i}"]) for i in range(1, 11)]
    return Figure("live remote mappings, on average in each tenth of the run", 0, tenths,
                  claims=[("BFS, tenth 10 / tenth 1", under("decreases", 1.0), tenths[9]["BFS"] / tenths[0]["BFS"])])


def figure_7(r):
    live = r.bar("of mapped pages", "rpt/150", lambda run: run.share("driver.remote_live_cycles", "driver.mapped_cycles"))
    return Figure("share of live remote mappings in all mappings, on average over the run", 4, [live],
                  [r.bar("mappings used", "rpt/150", lambda run: run["driver.remote_used"])], "mappings of host memory that were used",
                  claims=[("highest", between("0 % to 20 %", 0, 0.2, 0), most(live.values.values())),
                          ("mean", about("0.16 %", 0.0016, 0.5), live.mean())])


def figure_13(r):
    hpt, ideal = r.speedup("FS-HPT", "rpt", "hpt"), r.speedup("ideal PWC", "rpt", "ideal")
    stated = {"BC": 15.8, "SP": 18.3, "ATX": 35.4, "GEV": 26.6, "MVT": 34.9, "BFS": 35.8}
    bands = {"ATX": (1.25, 1.48), "GEV": (1.20, 1.38), "MVT": (1.25, 1.55), "NW": (1.28, 1.45)}
    return Figure("speed-up over four-level RPT", 3, [hpt, ideal], [walk_cache_misses(r)], "miss rate of the level-2 page-walk cache",
                  claims=[("mean, irregular, FS-HPT", gain(27.8), hpt.mean("I")),
                          ("mean, over 20 % of misses, FS-HPT", gain(27.8), who_misses(r, hpt)),
                          ("FS-HPT of ideal PWC", about("comparable", 1.0, 0.03), hpt.mean("I") / ideal.mean("I")),
                          ("mean, regular, FS-HPT", about("comparable", 1.0, 0.03), hpt.mean("R")),
                          *((code, gain(percent), hpt[code]) for code, percent in stated.items())],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 1.22, 1.40), ("mean, regular, FS-HPT", hpt.mean("R"), 0.98, 1.03),
                          *((code, hpt[code], *band) for code, band in bands.items())])


def figure_14(r):
    rpt, hpt, ideal = (r.bar(name, machine, references) for name, machine in (("RPT", "rpt"), ("FS-HPT", "hpt"), ("ideal PWC", "ideal")))
    misses = walk_cache_misses(r)
    steps = r.bar("step cache hits", "hpt", lambda run: run.share("walk_unit.pwc_hits_steps", "walk_unit.pwc_lookups"))
    return Figure("memory references of a page-table walk", 3, [rpt, hpt, ideal],
                  [misses, steps], "misses of the level-2 page-walk cache, hits of the step cache",
                  claims=[("mean, irregular, RPT", about("1.35", 1.35, 0.05), rpt.mean("I")),
                          ("mean, over 20 % of misses, RPT", about("1.35", 1.35, 0.05), who_misses(r, rpt)),
                          ("mean, irregular, FS-HPT", about("1.01", 1.01, 0.01), hpt.mean("I")),
                          ("mean, irregular, PWC hits", about("65 %", 0.65), 1 - misses.mean("I")),
                          *((f"{code}, step cache hits", over("over 99 %", 0.99), steps[code]) for code in r.programs)],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 1.0, 1.02),
                          ("mean, irregular, RPT - 1 - misses", rpt.mean("I") - 1 - misses.mean("I"), -0.01, 0.01)])


def figure_15(r):
    hpt, ideal = (r.over(name, "rpt", machine, "walk_latency_mean") for name, machine in (("FS-HPT", "hpt"), ("ideal PWC", "ideal")))
    return Figure("mean latency of a walk, its time in the queue included, RPT = 1", 3, [hpt, ideal],
                  claims=[("mean, irregular, FS-HPT", about("22.2 % less", 0.778, 0.05), hpt.mean("I")),
                          ("mean, over 20 % of misses, FS-HPT", about("22.2 % less", 0.778, 0.05), who_misses(r, hpt)),
                          ("mean, irregular, ideal PWC", about("23.5 % less", 0.765, 0.05), ideal.mean("I"))],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 0.65, 0.85)])


def by_size(title, bars, stated, beside, beside_title, before, highest):
    """Makes a figure with the irregular programs' stated means; guard bands require that no mean is less than the one before."""
    means = [bar.mean("I") for bar in bars]
    return Figure(title, 3, bars, beside, beside_title,
                  claims=[(f"mean, irregular, {bar.name}", gain(percent), mean) for bar, percent, mean in zip(bars, stated, means)],
                  guards=[(f"{bar.name} / {before}", mean / last, 1.0, highest) for bar, mean, last in zip(bars[1:], means[1:], means)])


def figure_16(r):
    bars = [r.speedup(f"m = {m}", "rpt/150", f"hpt/150/{m}") for m in THRESHOLDS]
    victims = [r.bar(f"m = {m}", f"hpt/150/{m}", victim_accesses) for m in THRESHOLDS]
    figure = by_size("speed-up over RPT with 150 % oversubscription, by m of the load factor's threshold", bars, THRESHOLDS.values(),
                     victims, "share of walks that find their entry in the victim buffer", "the one before", 1.5)
    roomy = r.speedup("FS-HPT", "rpt", "hpt").mean("I")
    figure.guards.append(("m = 1.5 / without oversubscription", bars[-1].mean("I") / roomy, 0.97, 1.03))
    figure.claims += [("NW, m = 1.2", gain(11), bars[2]["NW"]),
                      ("NW, m = 1.2, victim buffer", about("4.4 %", 0.044, 0.5), victims[2]["NW"]),
                      *((f"{code}, m = 1.2, victim buffer", over("over 1 %", 0.01), victims[2][code])
                        for code in ("GEV", "SYK", "BFS", "SP"))]
    return figure


def figure_17(r):
    bars = [r.speedup(f"{size} %", "rpt", f"stepless-{size}") for size in TABLE_SIZES]
    return by_size("speed-up over RPT of the design without a step cache, by the size of its table", bars, TABLE_SIZES.values(),
                   [r.bar(f"{size} %", f"stepless-{size}", collisions) for size in TABLE_SIZES],
                   "share of walks that found another region in the home slot", "the size before", 1.3)


def figure_18(r):
    hpt, ideal = r.speedup("FS-HPT", "rpt/64k", "hpt/64k"), r.speedup("ideal PWC", "rpt/64k", "ideal/64k")
    return Figure("speed-up over RPT, pages of 64 KiB", 3, [hpt, ideal],
                  [r.over("RPT", "rpt", "rpt/64k", "walk_unit.walks_finished")], "walks, of those with pages of 4 KiB",
                  claims=[("mean, irregular, FS-HPT", gain(24.5), hpt.mean("I"))])


def figure_19(r):
    rpt, hpt = r.speedup("RPT with NHA", "rpt", "rpt/nha"), r.speedup("FS-HPT", "rpt", "hpt")
    both, ideal = r.speedup("FS-HPT with NHA", "rpt", "hpt/nha"), r.speedup("ideal PWC with NHA", "rpt", "ideal/nha")
    plain = ("ATX", "GEV", "MVT")
    of_ideal = both.mean("I") / ideal.mean("I")
    return Figure("speed-up over RPT, with neighbourhood-aware walking and without", 3, [rpt, hpt, both, ideal],
                  claims=[("mean, irregular, FS-HPT / RPT with NHA", gain(5.8), hpt.mean("I") / rpt.mean("I")),
                          ("mean, irregular, FS-HPT with NHA", gain(61.7, 0.1), both.mean("I")),
                          ("mean, irregular, FS-HPT / ideal PWC, both with NHA", about("near", 1.0, 0.03), of_ideal),
                          *((f"{code}, RPT with NHA", about("no speedup", 1.0, 0.05), rpt[code]) for code in plain),
                          *((f"{code}, RPT with NHA", over("a speedup", 1.0), rpt[code]) for code in ("CC", "KC"))],
                  guards=[(f"{code}, RPT with NHA", rpt[code], 0.95, 1.05) for code in plain])


def five_levels(r):
    """The paper expects a gain over five levels, but gives no number."""
    return Figure("five-level RPT and FS-HPT over it; no figure of the paper's", 3,
                  [r.speedup("five levels over four", "rpt", "rpt/levels-5"),
                   r.speedup("FS-HPT over five levels", "rpt/levels-5", "hpt")],
                  [r.bar("five levels", "rpt/levels-5", references)], "memory references of a walk")


FIGURES = {"4": figure_4, "5": figure_5, "6": figure_6, "7": figure_7, "13": figure_13, "14": figure_14, "15": figure_15, "16": figure_16,
           "17": figure_17, "18": figure_18, "19": figure_19, "levels": five_levels}
