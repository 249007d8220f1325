# SPDX-License-Identifier: MIT
"""The figures of HPCA'25 "Marching Page Walks": walkers that take a batch of pending walks, against walkers that take one, beside walking
by neighbourhoods (MICRO'18) and more walkers. The abstract has two numbers, with another baseline than ours: docs/model/marching.md."""
import numpy

from walkway.study import NONE, Figure, about, mean

KINDS = {"march": "marching", "near": "neighbourhoods", "both": "both"}
WALKERS = ("2", "8", "16", "32", "64", "256")
BATCHES = {"walks-2": "2 walks", "walks-4": "4 walks", "": "8 walks", "walks-16": "16 walks", "walks-32": "32 walks", "reads-1": "8, 1 read",
           "reads-2": "8, 2 reads", "reads-4": "8, 4 reads", "issue-10": "8, a read each 10 cycles", "issue-40": "8, a read each 40 cycles",
           "group-15": "8 of 32 KiB", "group-21": "8 of 2 MiB", "group-30": "8 of 1 GiB", "refill": "8, refilled"}


def queueing(run):
    """Returns the cycles of a walked or coalesced translation from the last TLB until a walker takes it or a line completes it."""
    return (run.of("walk_unit.backlog_latency", "sum") + run.of("walk_unit.buffer_latency", "sum")) / run.of("walk_unit.walk_latency", "count")


def less(base, run):
    """Returns the percentage of queueing saved; NaN if no walk has to queue (NW)."""
    return 100 * (1 - queueing(run) / queueing(base)) if queueing(base) > 0 else NONE


def of_those_that_queue(bar):
    return mean(v for v in bar.values.values() if not numpy.isnan(v))


def speedup(r):
    bars = [r.speedup(text, "8/base", f"8/{kind}") for kind, text in KINDS.items()]
    return Figure("speed-up over 8 walkers with a walk each", 3, bars,
                  [r.over(text, "8/base", f"8/{kind}", "walk_unit.pte_reads") for kind, text in KINDS.items()],
                  "reads of page-table lines, base = 1", claims=[("speed-up of marching, geometric mean", about("55.6 %", 1.556), bars[0].geometric())])


def queued(r):
    bars = [r.ratio(text, "8/base", f"8/{kind}", less, ratio=False) for kind, text in KINDS.items()]
    return Figure("percent less queueing of a walk, outside and in the walk buffer", 1, bars,
                  [r.bar("8 walkers", "8/base", queueing)] + [r.bar(text, f"8/{kind}", queueing) for kind, text in KINDS.items()],
                  "its cycles", claims=[("less queueing of walks, mean of programs that queue", about("86.7 %", 86.7), of_those_that_queue(bars[0]))])


def remains(r):
    """Shows the gain of each beside the other, and its gain alone."""
    pairs = {"marching alone": ("base", "march"), "marching beside neighbourhoods": ("near", "both"),
             "neighbourhoods alone": ("base", "near"), "neighbourhoods beside marching": ("march", "both")}
    return Figure("speed-up of each alone and beside the other, 8 walkers", 3,
                  [r.speedup(text, f"8/{base}", f"8/{kind}") for text, (base, kind) in pairs.items()],
                  [r.ratio(text, f"8/{base}", f"8/{kind}", less, ratio=False) for text, (base, kind) in pairs.items()],
                  "percent less queueing of a walk", rows=True)


def causes(r):
    """Shows the parts of a request's time at the walk unit, which add up to walk_latency."""
    parts = {"outside the buffer": lambda s: s.of("walk_unit.backlog_latency", "sum"),
             "in the buffer": lambda s: s.of("walk_unit.buffer_latency", "sum"),
             "with a walker": lambda s: s.of("walk_unit.service_latency", "sum")}
    each = lambda value: lambda s: value(s) / s.of("walk_unit.walk_latency", "count")
    kinds = {"base": "8 walkers", **KINDS}
    return Figure("cycles of a request at the walk unit, by where it is", 0,
                  [r.bar(f"{text}, {part}", f"8/{kind}", each(value)) for kind, text in kinds.items() for part, value in parts.items()],
                  [bar for kind, text in kinds.items() for bar in (
                      r.bar(text + ", coalesced", f"8/{kind}", lambda s: s.share("walk_unit.walks_coalesced", "walk_unit.walk_requests")),
                      r.bar(text + ", walks in a batch", f"8/{kind}", lambda s: s.of("walk_unit.march_batch", "mean")),
                      r.bar(text + ", reads in flight of a walker", f"8/{kind}", lambda s: s.of("walk_unit.march_reads", "mean")))],
                  "share of requests that a neighbour's line completes; walks of a batch; reads in flight as one is sent", rows=True)


def walkers(r):
    """Compares few walkers with a batch each with more walkers with a walk each."""
    kinds = lambda n: {"base": "", "near": ", neighbourhoods"} if n in ("16", "64", "256") else {"base": "", "march": ", marching", "near": ", neighbourhoods", "both": ", both"}
    machines = {f"{n}{text}": f"{n}/{kind}" for n in WALKERS for kind, text in kinds(n).items()}
    reads = lambda s: s.setting("walk_unit.walkers") * numpy.maximum(s.setting("walk_unit.march_walks"), 1)
    return Figure("speed-up over 8 walkers with a walk each, by walkers", 3,
                  [r.speedup(text, "8/base", machine) for text, machine in machines.items()],
                  [r.bar(text, machine, reads) for text, machine in machines.items()],
                  "reads that may be in flight", rows=True)


def dgpu(r):
    tables = {"radix": "radix table", "hashed": "hashed table"}
    each = [(f"{name}, {text}", f"dgpu-{table}/base", f"dgpu-{table}/{kind}") for table, name in tables.items() for kind, text in KINDS.items()]
    return Figure("dgpu-pact24, 16 walkers: speed-up over a walk each, of the same table", 3, [r.speedup(*one) for one in each],
                  [r.ratio(*one, less, ratio=False) for one in each], "percent less queueing of a walk", rows=True)


def batch(r):
    """Shows on which properties of a batch the speed-up depends."""
    return Figure("speed-up over 8 walkers with a walk each, by what a batch is", 3,
                  [r.speedup(text, "8/base", f"8/march-{name}".rstrip("-")) for name, text in BATCHES.items()]
                  + [r.speedup("both, refilled", "8/base", "8/both-refill"), r.speedup("both", "8/base", "8/both")],
                  [r.bar(text, f"8/march-{name}".rstrip("-"), lambda s: s.of("walk_unit.march_batch", "mean")) for name, text in BATCHES.items()],
                  "walks of a batch, mean", rows=True)


FIGURES = {"speedup": speedup, "queueing": queued, "remains": remains, "causes": causes, "walkers": walkers, "dgpu": dgpu, "batch": batch}
