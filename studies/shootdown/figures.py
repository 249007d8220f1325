# SPDX-License-Identifier: MIT
"""The cost of invalidating translations while a program runs, by the invalidated part of the address space and by the number of compute
units. None of the five papers has it. docs/use/events.md."""
from walkway.study import NONE, Figure

EVENTS = 10 # in each run
UNITS = (4, 8, 16, 32, 64)
SCOPES = {"page": "a page moves", "range": "512 pages move", "all": "everything is flushed"}


def for_each(make):
    """Returns make(name, machine without events, machine) of each scope and number of units."""
    return [make(f"{text}, {n} units", f"{n}-none", f"{n}-{scope}") for scope, text in SCOPES.items() for n in UNITS]


def bars(r, value):
    return for_each(lambda name, without, machine: r.bar(name, machine, value))


def latency(r):
    return Figure("cycles from an event to its acknowledgement, mean of ten", 0,
                  bars(r, lambda run: run.of("os.latency", "mean") if run["os.acknowledged"] == EVENTS else NONE),
                  bars(r, lambda run: run.of("walk_unit.invalidate_latency", "mean")),
                  "of it the invalidate, after the table was written", rows=True)


def stalled(r):
    """Shows the time that the program loses, including that to find translations again."""
    longer = lambda without, run: (run["gpu.cycles"] - without["gpu.cycles"]) / EVENTS
    return Figure("cycles that the program takes longer, for each event", 0,
                  for_each(lambda name, without, machine: r.ratio(name, without, machine, longer, ratio=False)),
                  bars(r, lambda run: (run["l1_tlb.invalidated"] + run["l2_tlb.invalidated"]) / EVENTS),
                  "entries of L1 and L2 TLBs dropped, for each", rows=True)


FIGURES = {"latency": latency, "stalled": stalled}
