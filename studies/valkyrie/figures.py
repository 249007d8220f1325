# SPDX-License-Identifier: MIT
"""Valkyrie, PACT'20: the gain of L1 TLBs that probe their neighbours on a ring before the level below, by the number of stops to either
side; alone on two machines, and above idle local memory and instruction caches that keep translations (MICRO'21). Only the paper's
abstract is at hand: its mean of 1.95 is of probes and cooperative prefetching, on another machine. docs/model/neighbour-probes.md."""
from walkway.study import Figure, about

HOPS = (1, 2, 4)


def stops(n):
    return f"{n} stop" if n == 1 else f"{n} stops"


def hops(r):
    """The paper chose the programs of its headline for their misses."""
    bars = [r.speedup(f"{name}, {stops(n)}", f"{machine}/0", f"{machine}/{n}")
            for name, machine in (("apu-micro18", "micro18"), ("apu-micro21, nothing lent", "none")) for n in HOPS]
    return Figure("speed-up of asking so many stops to either side over no ring", 3, bars,
                  [r.over(f"{name}, 4 stops", f"{machine}/0", f"{machine}/4", "l2_tlb.lookups")
                   for name, machine in (("apu-micro18", "micro18"), ("apu-micro21, nothing lent", "none"))],
                  "look-ups of the L2 TLB, without a ring = 1", rows=True,
                  claims=[("mean, apu-micro21, all neighbours", about("1.95", 1.95, 0.1), bars[-1].geometric())])


def lent(r):
    """Compares each and both with the machine with neither."""
    ring = [r.speedup(f"ring, {stops(n)}", "none/0", f"none/{n}") for n in HOPS]
    memory = r.speedup("lent memory", "none/0", "lent/0")
    both = [r.speedup(f"both, {stops(n)}", "none/0", f"lent/{n}") for n in HOPS]
    return Figure("speed-up over apu-micro21 with nothing lent and no ring", 3, [memory] + ring + both,
                  [r.over(name, "none/0", machine, "walk_unit.walk_requests")
                   for name, machine in (("lent memory", "lent/0"), ("ring, 4 stops", "none/4"), ("both, 4 stops", "lent/4"))],
                  "walk requests, with neither = 1", rows=True)


def found(r):
    """Shows shares of all requests that L1 TLBs send."""
    share = lambda s: s.share("probe.found", "probe.lookups")
    bars = [r.bar(f"apu-micro21, {stops(n)}", f"none/{n}", share) for n in HOPS]
    bars += [r.bar("with lent memory, 4 stops", "lent/4", share), r.bar("apu-micro18, 4 stops", "micro18/4", share)]
    return Figure("share of L1 TLB misses that a neighbour answers", 3, bars,
                  [r.bar(name, machine, lambda s: s.share("probe.probe_pending", "probe.probe_lookups"))
                   for name, machine in (("apu-micro21, 4 stops", "none/4"), ("apu-micro18, 4 stops", "micro18/4"))],
                  "share of looks at neighbours that meet one which waits for that page itself", rows=True)


def rules(r):
    names = {"4": "before, demands first", "beside": "level below asked beside", "probes": "probes have ports first",
             "ahead": "answers sent ahead", "slow": "a look-up of 108 cycles, hops of 16", "filter": "a filter of 64 regions"}
    return Figure("speed-up of four stops to either side over no ring, by rule", 3,
                  [r.speedup(name, "none/0", f"none/{machine}") for machine, name in names.items()],
                  [r.bar(name, f"none/{machine}", lambda s: s.share("probe.probed", "probe.lookups")) for machine, name in names.items()],
                  "share of L1 TLB misses that ask neighbours", rows=True)


FIGURES = {"hops": hops, "lent": lent, "found": found, "rules": rules}
