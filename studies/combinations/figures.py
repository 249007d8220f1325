# SPDX-License-Identifier: MIT
"""Combinations that no paper has published: walking by neighbourhoods [M18], translations in idle structures [M21] and a compressed L2
TLB [P20] on one machine, each on and off, and the gain that each retains beside the others; each figure also with fragmented frames.
The same and fixed-size hashed page tables [P24] on machines with other MMUs: an IOMMU [M18], the designs of [H14], the GPU of [P24]."""
from functools import partial
from math import prod

from walkway.study import Figure

FOUR = ("walking", "reach", "compression", "hashed")
THREE = FOUR[:3]
SETS = [[m for i, m in enumerate(THREE) if bits >> i & 1] for bits in range(8)] # combinations of the three, the empty one first
MACHINES = (("IOMMU", "apu-micro21", FOUR), ("shared L2 TLB", "mmu-hpca14-shared-l2-pwc", FOUR),
            ("TLBs per core", "mmu-hpca14-design3", ("walking", "reach", "hashed")), ("46 SMs", "dgpu-pact24", FOUR))


def machine(place, mechanisms, on):
    return place + "/" + "".join(("+" if m in on else "-") + m for m in mechanisms)


# The combinations of three mechanisms with a layout of frames.
def figure(frames, title, decimals, bars, gains=False):
    return Figure(title + ("" if frames == "contiguous" else f", {frames} frames"), decimals, bars, rows=True, gains=gains)


def over_none(bar, frames):
    return [bar(" + ".join(on), machine(frames, THREE, []), machine(frames, THREE, on)) for on in SETS[1:]]


def speedups(r, frames):
    return figure(frames, "speed-up of every combination over none", 2, over_none(r.speedup, frames), gains=True)


def remains(r, frames):
    """Shows the gain of one mechanism on a machine that already has others."""
    name = lambda m, others: f"{m} beside " + " + ".join(others) if others else f"{m} alone"
    bars = [r.speedup(name(m, others), machine(frames, THREE, others), machine(frames, THREE, [m, *others]))
            for m in THREE for others in SETS if m not in others]
    return figure(frames, "speed-up of each mechanism over the machine that has the others", 2, bars)


def product(r, frames):
    """Shows the speed-up of all together over the product of each alone; more than 1: they help each other."""
    speedup = {bar.name: bar for bar in over_none(r.speedup, frames)}
    bars = [r.of_programs(name, lambda code, name=name: speedup[name][code] / prod(speedup[m][code] for m in name.split(" + ")), ratio=True)
            for name in speedup if name not in THREE]
    return figure(frames, "speed-up of a combination over the product of each alone", 2, bars)


def reads(r):
    return partial(r.over, statistic="walk_unit.pte_reads", ratio=False) # may be 0, so no geometric mean


def walks(r, frames):
    return figure(frames, "page-table reads of every combination, none = 1", 3, over_none(reads(r), frames))


# Other machines.
def alone_and_all(bar):
    """Returns bars of each mechanism alone, and of all, over none."""
    return [bar(f"{text}: {name}", machine(place, have, []), machine(place, have, on))
            for text, place, have in MACHINES for name, on in [*((m, [m]) for m in have), ("all", have)]]


def machines(r):
    return Figure("speed-up of each mechanism alone, and of all, over none, on each machine", 2, alone_and_all(r.speedup), rows=True)


def machines_walks(r):
    return Figure("page-table reads on each machine, none = 1", 3, alone_and_all(reads(r)), rows=True)


def machines_remains(r):
    bars = [r.speedup(f"{text}: {m}", machine(place, have, set(have) - {m}), machine(place, have, have))
            for text, place, have in MACHINES for m in have]
    return Figure("speed-up of each mechanism over the machine that has all the others", 2, bars, rows=True)


# Mechanisms one at a time, and in pairs.
PAIRED = ("reach", "walking", "compression", "sharing", "hashed", "nvidia", "marching", "probes")
EXCLUSIVE = ({"compression", "sharing"}, {"hashed", "nvidia"})


def pair(*on):
    return "pair/" + ("+".join(sorted(on, key=PAIRED.index)) or "none")


def pairs(r):
    return Figure("speed-up of each mechanism alone over none", 3, [r.speedup(m, pair(), pair(m)) for m in PAIRED], rows=True)


def pairs_remains(r):
    bars = [r.speedup(f"{m} beside {other}", pair(other), pair(m, other))
            for m in PAIRED for other in PAIRED if m != other and {m, other} not in EXCLUSIVE]
    return Figure("speed-up of each mechanism over the machine that has one other", 3, bars, rows=True)


FIGURES = {name + end: partial(make, frames=frames)
           for name, make in {"speedups": speedups, "remains": remains, "product": product, "walks": walks}.items()
           for frames, end in (("contiguous", ""), ("fragmented", "-fragmented"))}
FIGURES.update({"machines": machines, "machines-walks": machines_walks, "machines-remains": machines_remains, "pairs": pairs, "pairs-remains": pairs_remains})
