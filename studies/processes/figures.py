# SPDX-License-Identifier: MIT
"""Two programs on one GPU, each in its own address space: their interference, on half of the compute units each and in turns, and the
gains that mechanisms retain. None of the five papers has numbers for it; [M21 section 7.2] states that it works.
docs/use/processes.md."""
import numpy

from walkway.study import Figure, fairness, slowdown, weighted_speedup

BOTH = (0, 1)


def alone(r, pair, i, machine, statistic="gpu.cycles"):
    """Returns a statistic of the pair's program i alone; together() has that of both."""
    return r.run(pair.split("+")[i], machine)[statistic]


def together(r, pair, i, machine):
    return r.run(pair, machine)[f"gpu.program_{i}.cycles"]


def misses(r, pair, i):
    """Returns misses per translation over those alone: per translation, because a program may run more than once."""
    run = r.run(pair, "halves")
    now = run[f"l2_tlb.vm_{i}.misses"] / run[f"coalescer.vm_{i}.translations"]
    return now / (alone(r, pair, i, "halves", "l2_tlb.misses") / alone(r, pair, i, "halves", "coalescer.translations"))


def halves(r):
    return Figure("beside each other, on a half of the compute units each, over alone there", 3,
                  [r.of_programs("slowdown of the first", lambda pair: slowdown(r, pair, 0, "halves", "halves")),
                   r.of_programs("of the second", lambda pair: slowdown(r, pair, 1, "halves", "halves")),
                   r.of_programs("weighted speed-up, 2 without interference", lambda pair: weighted_speedup(r, pair, "halves", "halves")),
                   r.of_programs("fairness, 1 where both suffer alike", lambda pair: fairness(r, pair, "halves", "halves"))],
                  [r.of_programs("L2 TLB misses of the first", lambda pair: misses(r, pair, 0)),
                   r.of_programs("of the second", lambda pair: misses(r, pair, 1))], "misses for each translation, alone = 1", rows=True)


def turns(r):
    def over_sum(name, machine):
        return r.of_programs(name, lambda pair: r.run(pair, machine)["gpu.cycles"] / sum(alone(r, pair, i, "turns") for i in BOTH))

    return Figure("time of both in turns, kernel by kernel, over the sum of each alone", 3,
                  [over_sum("TLBs keep all entries", "turns"), over_sum("TLBs are flushed", "turns-flush")],
                  [r.bar("switches", "turns-flush", lambda run: run["gpu.switches"]),
                   r.over("L2 TLB misses, flushed over kept", "turns", "turns-flush", "l2_tlb.misses", ratio=False)], "why", rows=True)


def gains(r):
    def mean_gain(name, cycles, machine):
        """Makes a bar of the geometric mean of both programs' gains."""
        gain = lambda pair, i: cycles(r, pair, i, "halves") / cycles(r, pair, i, machine)
        return r.of_programs(name, lambda pair: numpy.sqrt(gain(pair, 0) * gain(pair, 1)), ratio=True)

    figure = Figure("speed-up of a mechanism, mean of the two programs of a pair", 3, [], rows=True)
    for name in ("walking", "reach"):
        figure.bars += [mean_gain(f"{name}, each alone on a half", alone, f"halves-{name}"),
                        mean_gain(f"{name}, beside each other", together, f"halves-{name}")]
    return figure


FIGURES = {"halves": halves, "turns": turns, "gains": gains}
