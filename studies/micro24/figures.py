# SPDX-License-Identifier: MIT
"""STAR, MICRO'24: an underused place of a TLB with sub-entries takes a second group of pages instead of being evicted. The baseline is the
paper's: 16 sub-entries per tag, and a response fills one. Its programs, sizes and rules are not at hand: docs/model/subentry-tlb.md."""
from walkway.study import Figure, between, geometric

MACHINES = {"share-quarter": "shared, at most 4 pages", "share-half": "shared, at most 8 pages", "share-any": "shared, any",
            "twice": "twice the places", "all": "an answer fills all 16", "plain-64": "plain, as many tags", "plain-512": "plain, about as many bits"}


def speedups(r, cycles):
    """Returns speed-ups over one page per response, as geometric means of a pair's programs."""
    gain = lambda program, machine: geometric(cycles(program, "one", i) / cycles(program, machine, i) for i, _ in enumerate(program.split("+")))
    return [r.of_programs(name, lambda program, machine=machine: gain(program, machine), ratio=True)
            for machine, name in MACHINES.items()]


def figure(r, title, bars, claims):
    misses = [r.over(name, "one", machine, "l2_tlb.misses") for machine, name in MACHINES.items()]
    return Figure(title, 3, bars, misses, "misses of the L2 TLB, one page an answer = 1", claims=claims, rows=True)


def pairs(r):
    """Runs each pair until both programs have ended once; the paper's number is of two and more programs."""
    bars = speedups(r, lambda pair, machine, i: r.run(pair, machine)[f"gpu.program_{i}.cycles"])
    return figure(r, "speed-up over one page an answer, two programs on a half each", bars,
                  [("sharing, mean of two programs", between("28.7 % (MICRO), 30.2 % (arXiv), several tenants", 1.287, 1.302).soft(), bars[1].geometric())])


def alone(r):
    bars = speedups(r, lambda program, machine, i: r.run(program, machine)["gpu.cycles"])
    return figure(r, "speed-up over one page an answer, alone on a half", bars, [])


def use(r):
    """Shows the reasons: pages evicted with a place, how often places are shared, the cost in storage."""
    of = lambda name, machine, value: r.bar(name, machine, value)
    bits = lambda run: run["arrays.l2_tlb.entries.entries"] * run["arrays.l2_tlb.entries.entry_bits"] / 1024
    leaves = lambda shared: lambda run: (run["l2_tlb.evictions"] - (run["l2_tlb.ousted"] if shared else 0)) / run["l2_tlb.places_evicted"]
    bars = [of("pages of 16 that leave with a place", "one", leaves(False))]
    for machine in ("share-quarter", "share-half", "share-any"):
        bars += [of(f"{MACHINES[machine]}: pages that leave with a place", machine, leaves(True)),
                 of(f"{MACHINES[machine]}: of fills begin to share, %", machine, lambda run: 100 * run.share("l2_tlb.shared", "l2_tlb.fills")),
                 of(f"{MACHINES[machine]}: of fills oust a page, %", machine, lambda run: 100 * run.share("l2_tlb.ousted", "l2_tlb.fills"))]
    return Figure("how places are used", 1, bars,
                  [of(name, machine, bits) for machine, name in (("one", "one page an answer"), ("share-half", "shared"), ("twice", "twice the places"), ("all", "all 16"))],
                  "Kibit of the L2 TLB's array", rows=True)


FIGURES = {"pairs": pairs, "alone": alone, "use": use}
