# SPDX-License-Identifier: MIT
"""The figures of MICRO'18 "Neighborhood-aware address translation for irregular GPU applications". The claims beside them are only
statements of the paper's text, which does not give single bars."""
import numpy

from walkway.study import LESS, MORE, SIGNIFICANTLY, Figure, about, between, l2_tlb_hits, l2d_hits, least, most, over, under, walk_cache_hits

# MB, of Table II
MEMORY = {"MVT": "128.14", "ATX": "64.06", "NW": "531.82", "BIC": "128.11", "GEV": "128.06",
          "SSP": "104.32", "LUD": "1.2", "CLR": "26.68", "BCK": "108.03", "HOT": "12.02"}
MUCH = 0.1 # least difference of shares that counts as much: ours, chosen after seeing results
# mW, of Table III
SAVED_POWER = {"MVT": "27.69", "ATX": "36.86", "NW": "358.19", "BIC": "24.81", "GEV": "70.00"}


def speedups(r):
    return [r.speedup(design, "off", design) for design in ("leaf", "full", "ideal")]


def how_many(differences):
    """Returns how many differences are greater than 0; NaN if one is NaN."""
    return sum(numpy.heaviside(d, 0) for d in differences)


def but_mvt(r):
    return [code for code in r.programs if code != "MVT"]


def table_2(r):
    memory = r.bar("MB", "off", lambda run: run["model.pages"] * 4096 / 2**20)
    return Figure("memory of the programs' buffers, MB of 2^20 bytes", 2, [memory],
                  claims=[(code, about(MEMORY[code], float(MEMORY[code]), 0.01), memory[code]) for code in r.programs])


def figure_5(r):
    bar = r.bar("fraction", "off", lambda run: run.share("walk_unit.leaf_neighbour_accesses", "walk_unit.leaf_accesses"))
    outliers = how_many(bar.mean() / 2 - bar[code] for code in but_mvt(r))
    return Figure("fraction of leaf accesses with a neighbour among the concurrent walks", 2, [bar],
                  claims=[("mean", about("around 0.4", 0.4), bar.mean()),
                          ("MVT", under("only a small number", 0.05), bar["MVT"]),
                          ("others under half of the mean", under("none but MVT", 0.5), outliers)])


def figure_6(r):
    return Figure("the same at the upper levels, walks of the very same entry left out", 2, [
        r.bar("fraction", "off", lambda run: run.share("walk_unit.upper_neighbour_accesses", "walk_unit.upper_accesses"))])


def leaf_share(leaf, full):
    """Returns the share of full coalescing's gain that coalescing at the leaf alone has."""
    return (leaf - 1) / (full - 1)


def claims_of_shares(leaf, full):
    share = {code: leaf_share(leaf[code], full[code]) for code in ("ATX", "BIC", "NW", "GEV")}
    name = "leaf's share of the gain: "
    return [*((name + code, over("most", 0.5), share[code]) for code in ("ATX", "BIC")),
            *((f"leaf's share: {code} less ATX, BIC", under("much from above", -MUCH), share[code] - least([share["ATX"], share["BIC"]]))
              for code in ("NW", "GEV")),
            (name + "mean", between("almost equal", 0.4, 0.6, 0), leaf_share(leaf.mean(), full.mean()))]


def figure_9(r):
    leaf, full, ideal = speedups(r)
    return Figure("speed-up of coalescing at the leaf, at every level, and of ideal translation", 2, [leaf, full, ideal],
                  [r.bar("walk cache, off", "off", walk_cache_hits), r.bar("walk cache, full", "full", walk_cache_hits),
                   r.bar("L2D, off", "off", l2d_hits), r.bar("L2D, ideal", "ideal", l2d_hits)],
                  "hit rates of the page-walk cache of level-2 entries and of the L2 data cache",
                  [("mean, full", about("around 1.7", 1.7), full.mean()), ("GEV, full", about("2.3", 2.3), full["GEV"]),
                   *claims_of_shares(leaf, full),
                   *((code + ", ideal", between("3 to 4 (Figure 3)", 3, 4), ideal[code]) for code in r.programs)],
                  [("mean, full", full.mean(), 1.5, 1.85),
                   ("MVT, full", full["MVT"], 1.1, 1.3),
                   ("ATX, full", full["ATX"], 1.6, 2.1),
                   ("NW, full", full["NW"], 1.1, 1.45),
                   ("BIC, full", full["BIC"], 1.7, 2.3),
                   ("GEV, full", full["GEV"], 1.9, 2.3),
                   ("MVT, leaf", leaf["MVT"], 0.98, 1.02),
                   ("mean, ideal", ideal.mean(), 2.5, 4.5)])


def figure_9_regular(r):
    leaf, full, ideal = speedups(r)
    return Figure("the same for the regular programs", 3, [leaf, full, ideal],
                  claims=[*((f"least of the five, {bar.name}", over("not hurt", 0.98), least(bar.values.values())) for bar in (leaf, full)),
                          ("mean, ideal", under("very little", 1.15), ideal.mean())],
                  guards=[("mean, full", full.mean(), 0.98, 1.05), ("mean, ideal", ideal.mean(), 1, 1.15)])


def normalised(r, title, statistic, paper):
    bars = [r.over(design, "off", design, statistic) for design in ("leaf", "full")]
    full = bars[1].mean()
    return Figure(title, 2, bars, claims=[("mean, full", paper, full)], guards=[("mean, full", full, 0.55, 0.70)])


def figure_10(r):
    figure = normalised(r, "page-table reads, baseline = 1", "pte_reads", about("0.63 (-37 %)", 0.63))
    leaf, full = (1 - bar.mean() for bar in figure.bars)
    figure.claims.append(("leaf's share of the reads spared", between("almost equal", 0.4, 0.6, 0), leaf / full))
    return figure


def figure_11(r):
    figure = normalised(r, "walk latency, baseline = 1", "walk_latency_mean", about("0.62 (-38 %)", 0.62))
    figure.beside_title = "cycles a walk waits in the backlog and in the walk buffer, and takes with a walker"
    for machine in ("off", "full"):
        for name, part in (("backlog", "backlog_latency"), ("buffer", "buffer_latency"), ("walker", "service_latency")):
            # The mean is over all walks, including those without this part.
            figure.beside.append(r.bar(f"{machine}: {name}", machine, lambda run, part=part:
                                       run.of("walk_unit." + part, "sum") / run.of("walk_unit.walk_latency", "count")))
    return figure


def full_over_off(r, sizes):
    """Returns the speed-ups of full over off for machines with these prefixes."""
    return [r.speedup(name, machines + "off", machines + "full") for name, machines in sizes.items()]


def figure_12(r):
    walkers = {"4": "walkers-4-", "8": "", "16": "walkers-16-", "32": "walkers-32-"}
    bars = full_over_off(r, walkers)
    bars[0].name = "4 walkers"
    _, at_8, _, at_32 = bars
    rising = how_many(at_32[code] / at_8[code] - MORE for code in but_mvt(r))
    beside = [r.bar(f"{cache}, off, {n}", machines + "off", hits)
              for cache, hits in (("walk cache", walk_cache_hits), ("L2 TLB", l2_tlb_hits)) for n, machines in walkers.items()]
    return Figure("speed-up of full coalescing over the baseline with as many walkers", 2, bars, beside,
                  "hit rates of the page-walk cache of level-2 entries and of the L2 TLB, by walkers",
                  [("mean, 32 walkers", about("around 1.3", 1.3), at_32.mean()),
                   ("mean at 32 / mean at 8", under("falls", LESS), at_32.mean() / at_8.mean()),
                   ("MVT at 32 / MVT at 8", over("MVT rises", MORE), at_32["MVT"] / at_8["MVT"]),
                   ("others that rise from 8 to 32", under("none but MVT", 0.5), rising)],
                  [("mean, 32 walkers", at_32.mean(), 1.15, 1.45)])


def figure_13(r):
    bars = full_over_off(r, {"128 entries": "buffer-128-", "256": "", "512": "buffer-512-"})
    return Figure("speed-up of full coalescing over the baseline with as large a walk buffer", 2, bars,
                  claims=[("mean at 512 / mean at 128", over("larger ones see more", MORE), bars[2].mean() / bars[0].mean())])


def figure_14(r):
    sizes = {"1.5 KB": 1536, "4 KB": 4096, "8 KB": 8192, "16 KB": 16384}
    caches = [r.speedup(size + " cache", "off", f"pte-cache-{n}") for size, n in sizes.items()]
    merging = [r.speedup(size + ", merging reads", "off", f"pte-cache-merge-{n}") for size, n in sizes.items()]
    full = r.speedup("full coalescing", "off", "full")
    over_best = lambda bars: full.mean() / most(bar.mean() for bar in bars)
    return Figure("speed-up of a cache of page-table lines, and of full coalescing", 2, [*caches, *merging, full],
                  claims=[("mean, full / best cache", over("significantly higher", SIGNIFICANTLY), over_best(caches)),
                          ("the same, reads merging", over("significantly higher", SIGNIFICANTLY), over_best(merging))], rows=True)


# The energy of the reads of page walks, in pJ, depends on its definition (docs/model/energy.md).
def by_the_read(run):
    return run["energy.walk_reads"]


def as_it_happened(run):
    return run["energy.walk_reads_actual"]


def at_8_nj(run):
    """PAPER[M18 section VI]: an access of the CAM takes 40 to 200 times less energy than one of DRAM; 0.196 nJ by 40 and 0.041 nJ
    by 200 are both about 8 nJ."""
    return run["walk_unit.pte_reads"] * 8000


def table_3(r):
    # Includes the CAM's energy.
    milliwatts = lambda run, reads, seconds: (reads(run) + run["energy.cam"]) * 1e-12 / seconds * 1e3
    power = lambda run, reads: milliwatts(run, reads, run["seconds"])
    saved = lambda name, reads: r.ratio(name, "off", "full", lambda off, full: power(off, reads) - power(full, reads), ratio=False)
    bar = saved("saved power, mW", by_the_read)
    # A faster run has more reads per second, so the saved energy over the coalesced run's time is more than the difference of powers.
    over_time = r.ratio("saved energy / time, mW", "off", "full", lambda off, full:
                        milliwatts(off, by_the_read, full["seconds"]) - power(full, by_the_read), ratio=False)
    return Figure("power of page walks saved by full coalescing", 2,
                  [bar, saved("activations as they happened", as_it_happened), saved("8 nJ a read", at_8_nj), over_time],
                  claims=[*((code, about(text, float(text)), bar[code]) for code, text in SAVED_POWER.items()),
                          ("mean", about("103.51", 103.51), bar.mean())])


# For 9-sensitivity: a parameter, its other values, and true if they matter with perfect L1 TLBs; if not, ideal is that of the unchanged
# machine
PARAMETERS = (("walk_unit.pwc_l2", "16 32 64 128", False), ("walk_unit.read_cycles", "60 100 160 240", False),
              ("l1_tlb.mshrs", "32 64 512 2560", False), ("l2d.index", "modulo xor", True),
              ("address_space.frames", "contiguous random fragmented", True), ("walk_unit.walk_path", "l2d", False))
# text, prefix of the machines' names, name of ideal
VARIANTS = [("as shipped", "", "ideal"),
            *((f"{name}={value}", f"{name}:{value}/", f"{name}:{value}/ideal" if to_ideal else "ideal")
              for name, values, to_ideal in PARAMETERS for value in values.split()),
            ("responses + 1", "responses+1/", "responses+1/ideal"),
            ("16 banks a rank", "banks-16/", "banks-16/ideal"),
            ("LDS of 32 banks, instruction caches", "lds-and-icache/", "lds-and-icache/ideal"),
            ("links - 1", "links-1/", "ideal")]


def sensitivity(r):
    """Shows how far Figure 9 depends on details that the paper does not give."""
    figure = Figure("how far it hangs on what the paper does not say", 2, [], rows=True)
    for text, machines, ideal in VARIANTS:
        off = machines + "off"
        figure.bars += [r.speedup(text + ": leaf", off, machines + "leaf"), r.speedup(text + ": full", off, machines + "full"),
                        r.speedup(text + ": ideal", off, ideal),
                        r.bar(text + ": walk cache, off", off, walk_cache_hits), r.bar(text + ": L2D, ideal", ideal, l2d_hits)]
    return figure


FIGURES = {"II": table_2, "II-regular": table_2, "5": figure_5, "6": figure_6, "9": figure_9, "9-regular": figure_9_regular,
           "10": figure_10, "11": figure_11, "12": figure_12, "13": figure_13, "14": figure_14, "III": table_3,
           "9-sensitivity": sensitivity}
