# SPDX-License-Identifier: MIT
"""The figures of PACT'24 "Rethinking Page Table Structure for Fast Address Translation in GPUs: A Fixed-Size Hashed Page Table".
Groups of programs: "I" are irregular by the paper's text, "R" regular; for "N", NW, and "U" it does not say. PAPER[P24 sections 2.2 and 5].
docs/results/reproduction-pact24.md."""
import operator

from walkway.study import LESS, MORE, Figure, about, between, mean, most, over, spared, under, walk_cache_hits

TABLE_SIZES = {"0.5": -2.2, "1": 10.0, "2": 19.0, "4": 24.4} # by size in percent: stated mean gain of the irregular programs in percent, Figure 17
THRESHOLDS = {"1.0": 11.7, "1.1": 17.7, "1.2": 21.5, "1.3": 25.3, "1.4": 26.6, "1.5": 27.8} # by m of Equation 1: the same, Figure 16


def gain(percent):
    """States a gain in percent: within a tenth of it, not of the speed-up."""
    return about(f"{percent} %", percent, 0.1)


def gained(speedup):
    return 100 * (speedup - 1)


def of_walks(statistic):
    return lambda run: run.share("walk_unit." + statistic, "walk_unit.walks_finished")


references = of_walks("pte_reads")
collisions = of_walks("pte_reads_steps") # without a step cache: another region has the home slot
victim_accesses = of_walks("pte_reads_v1") # walks that find their entry in the victim buffer


def walk_cache_misses(r):
    return r.bar("PWC misses", "rpt", lambda run: 1 - walk_cache_hits(run))


def means(r, bar):
    """Returns three means: of the programs that the text calls irregular; of these and NW, of which it does not say (the six gains that it
    states have the mean that it states); and of those that are irregular by section 5.1's rule in our runs."""
    misses = walk_cache_misses(r)
    return {"irregular": bar.mean("I"), "irregular and NW": bar.mean("I", "N"),
            "over 20 % of misses": mean([bar[code] for code in r.programs if misses[code] > 0.2])}


def of_means(r, name, stated, value, *bars):
    """Makes a claim for each of the means, about value(the mean of each bar)."""
    made = [means(r, bar) for bar in bars]
    return [(f"mean, {programs}{name}", stated, value(*(each[programs] for each in made))) for programs in made[0]]


def as_is(value):
    return value


def figure_4(r):
    misses = walk_cache_misses(r)
    irregular, regular = misses.mean("I"), misses.mean("R")
    return Figure("miss rate of the level-2 page-walk cache", 3, [misses],
                  claims=[*of_means(r, "", about("33.8 %", 0.338), as_is, misses),
                          ("mean, regular, %", between("0.4 %", 0, 0.44, 0), 100 * regular), # a stated number, and a tenth more; the band has .02
                          *((f"{code} is irregular", over("over 20 %", 0.2), misses[code]) for code in r.group("I"))],
                  guards=[("mean, irregular", irregular, 0.28, 0.42), ("mean, regular", regular, 0, 0.02)])


def figure_5(r):
    ideal = r.speedup("ideal PWC", "rpt", "ideal")
    return Figure("speed-up of an ideal page-walk cache over four-level RPT", 3, [ideal],
                  claims=of_means(r, ", gain in %", gain(29), gained, ideal))


def figure_6(r):
    """For runs with too little device memory: remote mappings between their first and their last use. The paper draws only BFS, over
    time."""
    tenths = [r.bar(f"tenth {i}", "rpt/150", lambda run, i=i: run[f"driver.remote_live_{i}"]) for i in range(1, 11)]
    return Figure("live remote mappings, on average in each tenth of the run", 0, tenths,
                  claims=[("BFS, tenth 10 / tenth 1", under("decreases", LESS), tenths[9]["BFS"] / tenths[0]["BFS"])])


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
                  claims=[*of_means(r, ", FS-HPT, gain in %", gain(27.8), gained, hpt),
                          *of_means(r, ", FS-HPT / ideal PWC", about("comparable", 1.0, 0.03), operator.truediv, hpt, ideal),
                          ("mean, regular, FS-HPT", about("comparable", 1.0, 0.03), hpt.mean("R")),
                          *((f"{code}, gain in %", gain(percent), gained(hpt[code])) for code, percent in stated.items())],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 1.22, 1.40), ("mean, regular, FS-HPT", hpt.mean("R"), 0.98, 1.03),
                          *((code, hpt[code], *band) for code, band in bands.items())])


def figure_14(r):
    rpt, hpt, ideal = (r.bar(name, machine, references) for name, machine in (("RPT", "rpt"), ("FS-HPT", "hpt"), ("ideal PWC", "ideal")))
    misses = walk_cache_misses(r)
    steps = r.bar("step cache hits", "hpt", lambda run: run.share("walk_unit.pwc_hits_steps", "walk_unit.pwc_lookups"))
    return Figure("memory references of a page-table walk", 3, [rpt, hpt, ideal],
                  [misses, steps], "misses of the level-2 page-walk cache, hits of the step cache",
                  claims=[*of_means(r, ", RPT", about("1.35", 1.35, 0.05), as_is, rpt),
                          *of_means(r, ", FS-HPT", about("1.01", 1.01, 0.01), as_is, hpt),
                          *of_means(r, ", PWC hits", about("65 %", 0.65), lambda missed: 1 - missed, misses),
                          *((f"{code}, step cache hits", over("over 99 %", 0.99), steps[code]) for code in r.programs)],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 1.0, 1.02),
                          ("mean, irregular, RPT - 1 - misses", rpt.mean("I") - 1 - misses.mean("I"), -0.01, 0.01)])


def figure_15(r):
    hpt, ideal = (r.over(name, "rpt", machine, "walk_latency_mean") for name, machine in (("FS-HPT", "hpt"), ("ideal PWC", "ideal")))
    return Figure("mean latency of a walk, its time in the queue included, RPT = 1", 3, [hpt, ideal],
                  claims=[*of_means(r, ", FS-HPT", spared(0.222), as_is, hpt),
                          *of_means(r, ", ideal PWC", spared(0.235), as_is, ideal)],
                  guards=[("mean, irregular, FS-HPT", hpt.mean("I"), 0.65, 0.85)])


def by_size(r, title, bars, stated, beside, beside_title, before, highest):
    """Makes a figure with stated means; guard bands require that no mean of the irregular programs is less than the one before."""
    irregular = [bar.mean("I") for bar in bars]
    return Figure(title, 3, bars, beside, beside_title,
                  claims=[claim for bar, percent in zip(bars, stated) for claim in of_means(r, f", {bar.name}, gain in %", gain(percent), gained, bar)],
                  guards=[(f"{bar.name} / {before}", this / last, 1.0, highest) for bar, this, last in zip(bars[1:], irregular[1:], irregular)])


def figure_16(r):
    bars = [r.speedup(f"m = {m}", "rpt/150", f"hpt/150/{m}") for m in THRESHOLDS]
    victims = [r.bar(f"m = {m}", f"hpt/150/{m}", victim_accesses) for m in THRESHOLDS]
    figure = by_size(r, "speed-up over RPT with 150 % oversubscription, by m of the load factor's threshold", bars, THRESHOLDS.values(),
                     victims, "share of walks that find their entry in the victim buffer", "the one before", 1.5)
    roomy = r.speedup("FS-HPT", "rpt", "hpt").mean("I")
    figure.guards.append(("m = 1.5 / without oversubscription", bars[-1].mean("I") / roomy, 0.97, 1.03))
    in_victims = lambda m, code: 100 * victims[list(THRESHOLDS).index(m)][code]
    often = ("GEV", "SYK", "BFS", "SP", "NW") # "over 1% victim buffer access rates (1.4-4.4 %)", so no other has; NW the highest
    figure.claims += [("NW, m = 1.2, gain in %", gain(11), gained(bars[2]["NW"])),
                      *((f"{code}, m = 1.2, % in the victim buffer", between("1.4 to 4.4 %", 1.4, 4.4), in_victims("1.2", code)) for code in often[:-1]),
                      ("NW, m = 1.2, % in the victim buffer", about("4.4 %", 4.4), in_victims("1.2", "NW")),
                      ("highest of the others, m = 1.2, % in the victim buffer", between("not over 1 %", 0, 1, 0),
                       most(in_victims("1.2", code) for code in r.programs if code not in often)),
                      *((f"{code}, m = 1.0", under("lower than RPT", LESS), bars[0][code]) for code in ("NW", "KC")),
                      ("highest, m = 1.5, % in the victim buffer", between("zero", 0, 0.05, 0), most(in_victims("1.5", code) for code in r.programs)),
                      ("mean, irregular, m = 1.5 / without oversubscription", about("comparable", 1.0, 0.03), bars[-1].mean("I") / roomy)]
    return figure


def figure_17(r):
    bars = [r.speedup(f"{size} %", "rpt", f"stepless-{size}") for size in TABLE_SIZES]
    return by_size(r, "speed-up over RPT of the design without a step cache, by the size of its table", bars, TABLE_SIZES.values(),
                   [r.bar(f"{size} %", f"stepless-{size}", collisions) for size in TABLE_SIZES],
                   "share of walks that found another region in the home slot", "the size before", 1.3)


def figure_18(r):
    hpt, ideal = r.speedup("FS-HPT", "rpt/64k", "hpt/64k"), r.speedup("ideal PWC", "rpt/64k", "ideal/64k")
    return Figure("speed-up over RPT, pages of 64 KiB", 3, [hpt, ideal],
                  [r.over("RPT", "rpt", "rpt/64k", "walk_unit.walks_finished")], "walks, of those with pages of 4 KiB",
                  claims=of_means(r, ", FS-HPT, gain in %", gain(24.5), gained, hpt))


def figure_19(r):
    rpt, hpt = r.speedup("RPT with NHA", "rpt", "rpt/nha"), r.speedup("FS-HPT", "rpt", "hpt")
    both, ideal = r.speedup("FS-HPT with NHA", "rpt", "hpt/nha"), r.speedup("ideal PWC with NHA", "rpt", "ideal/nha")
    plain = ("ATX", "GEV", "MVT")
    return Figure("speed-up over RPT, with neighbourhood-aware walking and without", 3, [rpt, hpt, both, ideal],
                  claims=[*of_means(r, ", FS-HPT / RPT with NHA, gain in %", gain(5.8), lambda ours, other: gained(ours / other), hpt, rpt),
                          *of_means(r, ", FS-HPT with NHA, gain in %", gain(61.7), gained, both),
                          *of_means(r, ", FS-HPT / ideal PWC, both with NHA", about("near", 1.0, 0.03), operator.truediv, both, ideal),
                          *((f"{code}, RPT with NHA", about("no speedup", 1.0, 0.05), rpt[code]) for code in plain),
                          *((f"{code}, RPT with NHA", over("a speedup", MORE), rpt[code]) for code in ("CC", "KC"))],
                  guards=[(f"{code}, RPT with NHA", rpt[code], 0.95, 1.05) for code in plain])


def five_levels(r):
    """The paper expects a gain over five levels, but gives no number."""
    return Figure("five-level RPT and FS-HPT over it; no figure of the paper's", 3,
                  [r.speedup("five levels over four", "rpt", "rpt/levels-5"),
                   r.speedup("FS-HPT over five levels", "rpt/levels-5", "hpt")],
                  [r.bar("five levels", "rpt/levels-5", references)], "memory references of a walk")


FIGURES = {"4": figure_4, "5": figure_5, "6": figure_6, "7": figure_7, "13": figure_13, "14": figure_14, "15": figure_15, "16": figure_16,
           "17": figure_17, "18": figure_18, "19": figure_19, "levels": five_levels}
