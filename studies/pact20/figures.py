# SPDX-License-Identifier: MIT
"""The figures of PACT'20 "Enhancing Address Translations in Throughput Processors via Compression": a plain L2 TLB against a
compressed one, with frames in the order of pages and with other layouts. Only a summary of the paper is at hand, which states widths
and a ratio, but no speed-up: docs/model/uvm-pact20.md. The ratio is of capacity, which the machine's parameters give: nothing is judged."""
from walkway.study import Figure, l2_tlb_hits

LAYOUTS = ("contiguous", "fragmented", "random")
# values of rebase_after, for which the summary has none; the last is its maximum: these runs are too short to reach it
REBASES = {"4": "4", "16": "16", "64": "64", "256": "256", "65535": "never"}


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
    """The paper's 1.5 is of capacity, not of entries that a run holds. It follows from the machine's parameters: a guard, no evidence."""
    room = r.bar("room", "contiguous/compressed", lambda s: s.share("l2_tlb.capacity", "l2_tlb.slots"))
    figure = Figure("entries that the compressed TLB has room for, for each slot; and that it holds at the end of the run", 2, [room],
                    beside_title="entries for each slot that holds any; share of entries that compressed",
                    guards=[("room for entries, for each slot", room.mean(), 1.49, 1.51)])
    for frames in LAYOUTS:
        of = lambda name, value, frames=frames: r.bar(name, f"{frames}/compressed", value)
        figure.bars.append(of("held, " + frames, lambda s: s.share("l2_tlb.held", "l2_tlb.slots")))
        figure.beside.append(of(frames + ", a slot in use", lambda s: s.share("l2_tlb.held", "l2_tlb.slots_used")))
        figure.beside.append(of(frames + ", of fills two a slot", lambda s: s["l2_tlb.kept_compressed"] / (s["l2_tlb.kept_compressed"] + s["l2_tlb.kept_plain"])))
    return figure


def rebasing(r):
    """Shows how far the speed-up depends on when a set's bases are set anew."""
    figure = Figure("speed-up of the compressed L2 TLB over a plain one, by rebase_after", 3, [],
                    beside_title="its misses, plain = 1", rows=True)
    for frames in LAYOUTS:
        for value, name in REBASES.items():
            with_it = f"rebase_after:{value}/{frames}"
            figure.bars.append(r.speedup(f"{frames}, {name}", f"{frames}/plain", with_it))
            figure.beside.append(r.over(f"{frames}, {name}", f"{frames}/plain", with_it, "l2_tlb.misses"))
    return figure


def capacity(r):
    """Parts room for more entries from how the room is divided: half of a set keeps what it has until it is rebased."""
    machines = {"larger plain": "contiguous/larger", "compressed": "contiguous/compressed", "never rebased": "rebase_after:65535/contiguous",
                "compressed, no more room": "contiguous/as-many"}
    return Figure("speed-up over a plain L2 TLB of 512 entries: of a plain one of 768, of a compressed one with room for 768, of one that is "
                  "never rebased, and of one with room for 512", 3,
                  [r.speedup(name, "contiguous/plain", machine) for name, machine in machines.items()],
                  [r.over(name, "contiguous/plain", machine, "l2_tlb.misses") for name, machine in machines.items()], "misses, plain = 1", rows=True)


FIGURES = {"performance": performance, "misses": misses, "ratio": ratio, "rebasing": rebasing, "capacity": capacity}
