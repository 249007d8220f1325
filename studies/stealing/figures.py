# SPDX-License-Identifier: MIT
"""Page-walk stealing (HPCA'21): the loss of two programs through each other's page walks if a free walker takes the oldest walk, if
walkers and walk buffer are halved, and if an idle walker of one half takes the other half's walks. docs/model/walk-stealing.md."""
from walkway import study
from walkway.study import Figure, about

BOTH = (0, 1)
SCHEDULERS = {"static": "halved, no stealing", "dws": "DWS", "dws++": "DWS++"}


def slowdown(r, pair, i, machine):
    """Returns the time beside the other program, over that alone on its half of the compute units with all walkers."""
    return study.slowdown(r, pair, i, machine, "shared")


def weighted_speedup(r, pair, machine):
    return study.weighted_speedup(r, pair, machine, "shared")


def throughput(r):
    over_shared = lambda machine: r.of_programs(
        SCHEDULERS[machine], lambda pair: weighted_speedup(r, pair, machine) / weighted_speedup(r, pair, "shared"), ratio=True)
    bars = [over_shared(machine) for machine in SCHEDULERS]
    return Figure("sum of both speed-ups over alone, against walkers shared by order of arrival", 2, bars,
                  [r.of_programs(name, lambda pair, machine=machine: weighted_speedup(r, pair, machine))
                   for machine, name in {"shared": "shared", **SCHEDULERS}.items()], "that sum, 2 without interference",
                  claims=[("DWS, mean", about("1.37, by a public summary of the paper", 1.37).soft(), bars[1].mean())], rows=True)


def slowdowns(r):
    of = lambda i, machine, name: r.of_programs(f"{name}, of the {('first', 'second')[i]}", lambda pair: slowdown(r, pair, i, machine))
    everyone = {"shared": "shared", **SCHEDULERS}

    return Figure("time beside the other, over alone on the same half of the compute units", 2,
                  [of(i, machine, name) for machine, name in everyone.items() for i in BOTH],
                  [r.of_programs(name, lambda pair, machine=machine: study.fairness(r, pair, machine, "shared")) for machine, name in everyone.items()],
                  "fairness, the lesser slow-down over the greater", rows=True)


def interleaving(r):
    def passed(pair, i, machine):
        run = r.run(pair, machine)
        return run[f"walk_unit.vm_{i}.others"] / run[f"walk_unit.vm_{i}.walks"]

    def stolen(pair, machine):
        run = r.run(pair, machine)
        return (run["walk_unit.walks_stolen_idle"] + run["walk_unit.walks_stolen_busy"]) / run["walk_unit.walks_started"]

    return Figure("walks of the other that walkers take while one waits", 1,
                  [r.of_programs(f"{name}, of the {('first', 'second')[i]}", lambda pair, i=i, machine=machine: passed(pair, i, machine))
                   for machine, name in {"shared": "shared", **SCHEDULERS}.items() for i in BOTH],
                  [r.of_programs(name, lambda pair, machine=machine: 100 * stolen(pair, machine))
                   for machine, name in SCHEDULERS.items() if machine != "static"], "of all walks, stolen, %", rows=True)


FIGURES = {"throughput": throughput, "slowdown": slowdowns, "interleaving": interleaving}
