# SPDX-License-Identifier: MIT
"""The figures of PACT'20 "Enhancing Address Translations in Throughput Processors via Compression": a plain L2 TLB against a
compressed one, where frames lie as pages do and where they do not. Only a summary of the paper is at hand, which states widths
and a ratio, no speed-up: docs/uvm-pact20.md."""
from walkway.study import Figure, about, l2_tlb_hits

LAYOUTS = ("contiguous", "fragmented", "random")


def over_plain(r, statistic):
    return [r.over(frames, f"{frames}/plain", f"{frames}/compressed", statistic) for frames in LAYOUTS]


def performance(r):
    return Figure("speed-up of the compressed L2 TLB over a plain one of as many slots", 3,
                  [r.speedup(frames, f"{frames}/plain", f"{frames}/compressed") for frames in LAYOUTS],
                  over_plain(r, "walk_unit.walk_requests"), "page walks, plain = 1")


def misses(r):
    return Figure("misses of the compressed L2 TLB, plain = 1", 3, over_plain(r, "l2_tlb.misses"),
                  [r.bar(frames + ", plain", f"{frames}/plain", l2_tlb_hits) for frames in LAYOUTS],
                  "share of look-ups that hit in the plain one")


def ratio(r):
    figure = Figure("entries for each slot of the compressed TLB, at the end of the run", 2, [],
                    beside_title="entries for each slot that holds any; share of entries that compressed")
    for frames in LAYOUTS:
        of = lambda name, value, frames=frames: r.bar(name, f"{frames}/compressed", value)
        figure.bars.append(of(frames, lambda s: s.share("l2_tlb.held", "l2_tlb.slots")))
        figure.beside.append(of(frames + ", a slot in use", lambda s: s.share("l2_tlb.held", "l2_tlb.slots_used")))
        figure.beside.append(of(frames + ", of fills two a slot", lambda s: s["l2_tlb.kept_compressed"] / (s["l2_tlb.kept_compressed"] + s["l2_tlb.kept_plain"])))
        figure.claims.append(("mean, " + frames, about("1.5", 1.5).soft(), figure.bars[-1].mean()))
    return figure


FIGURES = {"performance": performance, "misses": misses, "ratio": ratio}
