# SPDX-License-Identifier: MIT
"""The figures of MICRO'21 "Increasing GPU Translation Reach by Leveraging Under-Utilized On-Chip Resources": the machine without the
mechanism (Table 2, Figures 2 to 5), and the gain of keeping translations (Figures 11 to 16, section 6.3.1). PAPER[M21 sections 3 and 6].
The claims are statements of the paper's text; those that depend on its unpublished program sizes are soft."""
import collections

import numpy

from walkway.study import LESS, MORE, Figure, about, between, l2d_hits, least, most, over, spared, under

WALKS = "walk_unit.walk_requests"

# Structures that keep translations, and the paper's statements: gains in % (averaged as in the paper), shares saved, most entries.
# Its +251.5 % of ATX are of instruction caches before the flush, which Figure 13a judges; with it they are 35.4 more.
Design = collections.namedtuple("Design", "machine name gain_of_ten gain_of_seven gain_of_atax gains_of walks_spared energy_spared entries")
DESIGNS = (Design("lds", "LDS", 8.6, 25.9, 128.4, {}, 0.335, 0.041, 12288),
           Design("icache", "I-cache", 13.6, 36.5, 286.9, {}, 0.406, 0.052, 4096),
           Design("both", "both", 30.1, 147.2, 443.3, {"BIC": 442.3, "GUPS": 9.14}, 0.729, 0.092, 16384))

FLUSH_ADDS = {"ATX": 35.4, "BIC": 7.4, "MVT": 4.5, "BFS": 4.8}

# of Table 2
WALKS_PER_1000 = {"ATX": 37.68, "GEV": 90.737, "MVT": 38.76, "BIC": 38.05, "GUPS": 36.65, "NW": 4.92, "BFS": 17.23, "SRAD": 0.04,
                  "SSSP": 0.17, "PRK": 0.16}

L2_TLBS = {"l2-1k": "1 K", "l2-2k": "2 K", "l2-4k": "4 K", "l2-8k": "8 K", "l2-64k": "64 K", "l2-2m": "2 M", "l2-perfect": "perfect"}

# Changes that apply to the machine and to the designs on it: prefix of machines' names: prefix of bars' names.
AS_SHIPPED = {"": ""}
INDEXES = {"": "", "l2d.index:xor/": "hashed L2D: ", "hashed/": "hashed: "}
HASHED = {"hashed/": "hashed: ", "hashed-compact/": "hashed, compact: "}
PAGES = {"": "", "64k/": "64k: ", "2m/": "2m: "}
SHARERS = {"sharers-1/": "1 sharer: ", "sharers-2/": "2 sharers: ", "": "4 sharers: ", "sharers-8/": "8 sharers: "}
NOT_SAID = ("dispatcher.policy:compact", "lds_tx.segment_index:xor", "lds_tx.mismatch:bypass", "lds_tx.promotion:move",
            "lds_tx.fill_uses:1", "icache_tx.index:xor", "icache_tx.mismatch:rebase", "icache_tx.mismatch:bypass",
            "icache_tx.promotion:move", "icache_tx.hit_uses:16", "l2_tlb.index:xor", "l2_tlb.fills:0", "l2d.index:xor", "walk_unit.walk_path:l2d",
            "l1_tlb.mshrs:32", "address_space.frames:random")


def stated(value):
    return about(str(value), value).soft()


def speedups(r, variants):
    """Returns the speed-up of each design over the baseline with the same change."""
    return [r.speedup(text + d.name, prefix + "base", prefix + d.machine) for prefix, text in variants.items() for d in DESIGNS]


def over_base(r, variants, statistic):
    return [r.over(text + d.name, prefix + "base", prefix + d.machine, statistic) for prefix, text in variants.items() for d in DESIGNS]


def table_2(r):
    # The paper counts lanes. Here a failed lookup counts as one lane, so this is an upper bound.
    columns = [r.bar("L1 TLB hits, lanes, at most", "base",
                     lambda s: 100 * (1 - (s["l1_tlb.misses"] + s["l1_tlb.merged"]) / s["coalescer.lanes"])),
               r.bar("L2 TLB hits", "base", lambda s: 100 * s.share("l2_tlb.hits", "l2_tlb.lookups")),
               # Per instruction of threads, as in the paper: inactive lanes count, too.
               r.bar("walks per 1000", "base", lambda s: 1000 * s.share(WALKS, "gpu.instructions") / 64)]
    beside = [r.bar("L1 TLB hits, pages", "base", lambda s: 100 * s.share("l1_tlb.hits", "l1_tlb.lookups")),
              r.bar("walks per 1000 of waves", "base", lambda s: 1000 * s.share(WALKS, "gpu.instructions"))]
    # Hits are not judged: the paper's are of lanes, ours an upper bound and of pages; by instruction, docs/results/reproduction-micro21.md.
    claims = [(code + ", walks", stated(WALKS_PER_1000[code]), columns[2][code]) for code in r.programs]
    claims += [("walks, least of H", over("20 or more", 20), least(columns[2].of("H"))),
               ("walks, least of M", over("more than 1", 1), least(columns[2].of("M"))),
               ("walks, most of L", under("less than 1", 1), most(columns[2].of("L")))]
    return Figure("hits of TLBs in %, walks per thousand instructions of threads, without the mechanism", 2, columns, beside,
                  "the same with a wave's accesses to one page as one, and of instructions of waves", claims)


def gups(r):
    """PAPER[M21 Table 2, section 6.1.3] of GUPS: its source updates by load and store; the number of work-items is not given."""
    l2_hits = r.bar("L2 TLB hits", "base", lambda s: 100 * s.share("l2_tlb.hits", "l2_tlb.lookups"))
    both = r.speedup("both", "base", "both")
    return Figure("GUPS by load and store: hits of the L2 TLB in %, walks per thousand instructions of threads; speed-ups", 2,
                  [l2_hits, r.bar("walks per 1000", "base", lambda s: 1000 * s.share(WALKS, "gpu.instructions") / 64),
                   *speedups(r, AS_SHIPPED)],
                  claims=[(code + ", both, gain in %", stated(9.14), 100 * (both[code] - 1)) for code in r.programs])


def asked_by(s, units):
    """Returns how many translations at least that many units request: a page's n-th unit counts once, as n."""
    return s.below("l2_tlb.sharers", units + 1) - s.below("l2_tlb.sharers", units)


def shared_by(s, units):
    """Returns the share of pages that at least that many units request; valid if the L2 TLB evicts none, else NaN."""
    return asked_by(s, units) / asked_by(s, 1) if s["l2_tlb.evictions"] == 0 else numpy.nan


def shared_by_all(r):
    return r.bar("all units", "l2-2m", lambda s: shared_by(s, s.setting("gpu.cus")))


def groups_64(r):
    """PAPER[M21 section 6.1.1, Figures 13b, 14b]: the gains of both, 30.1 and 147.2 %, exceed the sums of each alone, 8.6 + 13.6 and
    25.9 + 36.5; section 6.1.1 has pages that all compute units request. The paper gives neither by program or size of groups."""
    bars, walked = speedups(r, INDEXES), over_base(r, {prefix: text + "walks, " for prefix, text in INDEXES.items()}, WALKS)
    energy = over_base(r, {prefix: text + "energy, " for prefix, text in INDEXES.items()}, "energy.dram")
    hits = [r.bar("L2D hits, " + (text or "modulo: ") + name, prefix + machine, lambda s: 100 * l2d_hits(s))
            for prefix, text in INDEXES.items() for machine, name in (("base", "baseline"), ("both", "both"))]
    claims = []
    for text in INDEXES.values():
        lds, icache, both = (named(bars, text + d.name) for d in DESIGNS)
        claims += [(f"{text}{code}: gain of both, less those of each alone, %", over("more than their sum", 100 * (MORE - 1)).soft(),
                    100 * (both[code] - lds[code] - icache[code] + 1)) for code in r.programs]
        claims += [(f"{text}walks, both, of groups of {size}", spared(DESIGNS[-1].walks_spared).soft(), named(walked, text + "walks, both").mean("W" + size))
                   for size in ("256", "64")]
    return Figure("speed-up, walks and energy of main memory of the matrix programs in work-groups of 256 and of 64 (-64)", 3,
                  bars + walked + energy, hits + [shared_by_all(r)],
                  "hits of the L2D in %; share of pages that all units ask for", claims, gains=True)


def figure_2(r):
    bars = {machine: r.over(name, "base", machine, WALKS, ratio=False) for machine, name in L2_TLBS.items()} # may be 0, so no geometric mean
    largest = bars["l2-2m"]
    return Figure("page walks with larger L2 TLBs, 512 entries = 1", 2, list(bars.values()), claims=[
        ("2 M, mean of ten", about("0.15 (-85 %)", 0.15).soft(), largest.mean()),
        ("2 M, mean of H, M", about("0.15 (-85 %)", 0.15).soft(), largest.mean("H", "M")),
        ("2 M, least of L", over("no benefit", 0.9).soft(), least(largest.of("L")))])


def figure_3(r):
    bars = {machine: r.speedup(name, "base", machine) for machine, name in L2_TLBS.items()}
    return Figure("speed-up of larger L2 TLBs over 512 entries", 3, list(bars.values()), gains=True, claims=[
        (bars[machine].name + ", gain in %, geometric", stated(gain), bars[machine].gains())
        for machine, gain in (("l2-8k", 14.7), ("l2-2m", 50.1))])


def named(bars, name):
    return {bar.name: bar for bar in bars}[name]


def idle(r, name, ports, uses):
    """Makes a bar of idle cycles between two uses of a port, over the whole run."""
    return r.bar(name + ": idle cycles a use", "base", lambda s: s.share("gpu.cycles", uses) * ports(s) - 1)


def figure_4(r):
    asked = [r.bar("bytes, mean", "base", lambda s: s.of("gpu.group_lds_bytes", "mean")),
             r.bar("bytes, most", "base", lambda s: s.of("gpu.group_lds_bytes", "max"))]
    used = sum(numpy.sign(r.run(code, "base")["lds.bank_cycles"]) for code in r.programs)
    return Figure("idle cycles between uses of a compute unit's local memory, mean of the run", 0,
                  [idle(r, "LDS", lambda s: s.setting("gpu.cus"), "lds.bank_cycles")],
                  asked, "local memory that a work-group asks for (4a, there of 54 programs on a GPU)",
                  [("programs that use it", about("4 applications", 4, 0).soft(), used)])


def figure_5(r):
    caches = lambda s: s.setting("gpu.cus") / s.setting("icache.shared_by")
    bar = idle(r, "I-cache", caches, "icache.fetches")
    used = lambda s: 100 * numpy.minimum(1, s["icache.misses"] / (s.setting("icache.entries") * caches(s)))
    return Figure("idle cycles between fetches at an instruction cache, mean of the run", 1,
                  [bar], [r.bar("utilisation, whole run", "base", used)],
                  "Equation 1 in %, of all kernels' misses together: no kernel's is more",
                  [("median of the programs", between("around 10 to 20", 10, 20).soft(), numpy.median(list(bar.values.values())))])


def figure_11(r):
    """Equation 1, as the mean of all launches; our code has 8 bytes per instruction."""
    lines = 256
    return Figure("lines of an instruction cache that a kernel uses, by Equation 1, share; code is 8 bytes an instruction here", 3,
                  [r.bar("mean of its kernels", "icache-aware", lambda s: s.share("icache_tx.kernel_lines", "icache_tx.kernels") / lines)])


def figure_13a(r):
    """What the flush adds is in percentage points, as the paper's 1.2 of all are (12.4 to 13.6)."""
    figure = Figure("speed-up of translations in the instruction cache, by its design", 3, [], gains=True)
    for machine, name, gain, away in (("icache-one", "one per way", 0.0, 1.0), ("icache-naive", "naive LRU", -1.65, 3.0),
                                      ("icache-aware", "instruction-aware", 12.4, 1.24), ("icache", "with the flush", 13.6, 1.36)):
        bar = r.speedup(name, "base", machine)
        figure.bars.append(bar)
        # 13b judges the same kind of mean; for a loss, only the mean of speed-ups is defined.
        mean, ours = (", gain in %, geometric, of ten", bar.gains()) if gain > 0 else (", mean gain in %", 100 * (bar.geometric() - 1))
        figure.claims.append((name + mean, between(f"{gain:g} %", gain - away, gain + away, 0).soft(), ours))
    aware, flushed = figure.bars[2:]
    figure.claims.append((f"{aware.name}, gain in %, ATX", stated(251.5), 100 * (aware["ATX"] - 1)))
    figure.claims.append(("the flush, points, geometric, of ten", stated(1.2), flushed.gains() - aware.gains()))
    figure.claims += [(f"the flush, points, {code}", paper, 100 * (flushed[code] - aware[code])) for code, paper in {
        **{code: stated(points) for code, points in FLUSH_ADDS.items()}, **dict.fromkeys(("GEV", "SRAD", "NW"), between("none", -1, 1, 0))}.items()]
    return figure


def gained(r, title, variants):
    figure = Figure(title, 3, speedups(r, variants), gains=True)
    for d, bar in zip(DESIGNS * len(variants), figure.bars):
        figure.claims += [(bar.name + ", gain in %, geometric, of ten", stated(d.gain_of_ten), bar.gains()),
                          (bar.name + ", gain in %, geometric, of H, M", stated(d.gain_of_seven), bar.gains("H", "M")),
                          (bar.name + ", gain in %, ATX", stated(d.gain_of_atax), 100 * (bar["ATX"] - 1)),
                          *((f"{bar.name}, gain in %, {code}", stated(gain), 100 * (bar[code] - 1)) for code, gain in d.gains_of.items()),
                          (bar.name + ", least of L", over("no degradation", LESS), least(bar.of("L"))),
                          (bar.name + ", most of L", under("no significant gain", MORE), most(bar.of("L")))]
    return figure


def figure_13b(r):
    return gained(r, "speed-up of translations kept in idle structures", AS_SHIPPED)


def figure_13b_hashed(r):
    return gained(r, "the same with hashed indexes, over a baseline with them", HASHED)


def figure_13c(r):
    bars = over_base(r, AS_SHIPPED, "energy.dram")
    return Figure("energy of main memory, baseline = 1", 3, bars, claims=[
        *((d.name + ", mean of ten", spared(d.energy_spared).soft(), bar.mean()) for d, bar in zip(DESIGNS, bars)),
        ("least of all, GEV's", spared(0.273).soft(), least([bar["GEV"] for bar in bars]))])


def figure_14a(r):
    every = shared_by_all(r)
    own = under("no significant portion", 0.5)
    common = over("a significant portion", 0.5).soft()
    return Figure("translations that compute units ask for, share of pages", 3, [every],
                  [r.bar("two units or more", "l2-2m", lambda s: shared_by(s, 2))], "share of pages that some units ask for",
                  [(code, own if code in ("GEV", "NW", "SRAD") else common, every[code]) for code in r.programs])


def walks(r, title, variants):
    figure = Figure(title, 3, over_base(r, variants, WALKS))
    for d, bar in zip(DESIGNS * len(variants), figure.bars):
        figure.claims += [(bar.name + ", mean of H, M", spared(d.walks_spared).soft(), bar.mean("H", "M")),
                          (bar.name + ", mean of ten", spared(d.walks_spared).soft(), bar.mean()),
                          (bar.name + ", SRAD", between("do not change", LESS, MORE, 0).soft(), bar["SRAD"])]
    return figure


def figure_14b(r):
    return walks(r, "page walks, baseline = 1", AS_SHIPPED)


def figure_14b_hashed(r):
    return walks(r, "page walks with hashed indexes, baseline with them = 1", HASHED)


def figure_14c(r):
    bars = speedups(r, PAGES)
    return Figure("speed-up with larger pages, over a baseline with as large ones", 3, bars, gains=True, claims=[
        (bar.name + ", gain in %, geometric, of ten", stated(gain), bar.gains())
        for bar, gain in ((named(bars, "64k: both"), 18.4), (named(bars, "2m: both"), 5.6))])


def figure_15(r):
    """Counts the segments and lines that are lent at the end of the run."""
    of_segments = lambda s: 3 * (s["lds_tx.opened"] - s["lds_tx.segments_claimed"])
    of_lines = lambda s: 8 * (s["icache_tx.opened"] - s["icache_tx.lines_claimed"])
    room = {"lds": of_segments, "icache": of_lines, "both": lambda s: of_segments(s) + of_lines(s)}
    bars = [r.bar(d.name, d.machine, room[d.machine]) for d in DESIGNS]
    # The capacity bounds it, so this is no evidence.
    return Figure("translations that there is room for beside the TLBs, at the end of the run", 0, bars, guards=[
        (f"{d.name}, most", most(bar.values.values()), 0, d.entries) for d, bar in zip(DESIGNS, bars)])


def figure_16a(r):
    bars = speedups(r, SHARERS)
    return Figure("speed-up by compute units that share an instruction cache, as many lines in all", 3, bars, gains=True, claims=[
        (bar.name + ", gain in %, geometric, of ten", stated(gain), bar.gains())
        for bar, gain in ((named(bars, "1 sharer: both"), 17.3), (named(bars, "8 sharers: both"), 38.4))])


def figure_16b(r):
    longer = [r.speedup(f"{d.name} + {cycles}", "base", f"wire-{cycles}/{d.machine}") for cycles in (10, 50, 100) for d in DESIGNS]
    return Figure("speed-up with longer wires to what keeps translations", 3, speedups(r, AS_SHIPPED) + longer, gains=True, claims=[
        ("both + 100, gain in %, geometric, of ten", stated(9.4), named(longer, "both + 100").gains())])


def figure_16c(r):
    """The paper's averages are geometric means of gains in percent. The bars beside show the table's hit rate and its effect on cache and
    memory."""
    bars = [r.speedup("DUCATI", "base", "ducati/base"), r.speedup("both", "base", "both"),
            r.speedup("both and DUCATI", "base", "ducati/both")]
    beside = [r.bar("look-ups that it answers", "ducati/base", lambda s: 100 * s.share("memory_tlb.hits", "memory_tlb.lookups")),
              r.bar("L2D reads that are its", "ducati/base", lambda s: 100 * s.share("memory_tlb.line_reads", "l2d.reads")),
              r.ratio("reads of DRAM, without = 100", "base", "ducati/base",
                      lambda b, m: 100 * m["dram.reads"] / b["dram.reads"], ratio=False)]
    return Figure("speed-up of a table of translations in memory, and of what keeps translations", 3, bars, beside,
                  "what the table alone does, in %", gains=True, claims=[
                      ("DUCATI, gain in %, geometric, of ten", stated(4.9), bars[0].gains()),
                      ("both and DUCATI, gain in %, geometric, of ten", stated(40.7), bars[2].gains())])


def section_631(r):
    bar = r.speedup("64 bytes", "lds", "segments-64")
    return Figure("speed-up of segments of 64 bytes over those of 32", 3, [bar],
                  claims=[("geometric mean", about("no improvement", 1, 0.02), bar.geometric())])


def sensitivity(r):
    figure = Figure("how far it hangs on what the paper does not say", 2, [], rows=True, gains=True)
    for prefix, text in {"": "as shipped: ", **{change + "/": change.replace(":", "=") + ": " for change in NOT_SAID}}.items():
        figure.bars += [r.speedup(text + "baseline", "base", prefix + "base"), *speedups(r, {prefix: text}),
                        *over_base(r, {prefix: text + "walks, "}, WALKS)]
    return figure


FIGURES = {"table-2": table_2, "gups": gups, "groups-64": groups_64, "2": figure_2, "3": figure_3, "4": figure_4, "5": figure_5, "11": figure_11, "13a": figure_13a,
           "13b": figure_13b, "13b-hashed": figure_13b_hashed, "13c": figure_13c, "14a": figure_14a, "14b": figure_14b,
           "14b-hashed": figure_14b_hashed, "14c": figure_14c, "15": figure_15, "16a": figure_16a, "16b": figure_16b, "16c": figure_16c,
           "section-6.3.1": section_631, "13b-sensitivity": sensitivity}
