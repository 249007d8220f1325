# SPDX-License-Identifier: MIT
"""What the figures of a study are made with: results by program and machine, bars of them, and what a paper states beside.

A study is a folder: study.cfg says what is run (docs/use/workbench.md), figures.py makes the figures of it:

    from walkway.study import Figure, about

    def figure_9(r):
        full = r.speedup("full", base="off", machine="full")
        return Figure("speed-up of coalescing", 2, [full], claims=[("mean", about("around 1.7", 1.7), full.mean())])

    FIGURES = {"9": figure_9}

The function of a figure is called once for each perturbation, with the results of the programs that the figure shows. What is
not there is not a number, and so is all that is made of it: no function has to ask.
"""
import dataclasses
import difflib
import json
import math
import sqlite3

import numpy

numpy.seterr(all="ignore") # of what is not there
NONE = numpy.float64("nan")


class Run:
    """What one run measured, by statistic: run["walk_unit.pte_reads"]; histograms have fields."""

    def __init__(self, values, histograms, settings):
        self._values, self._histograms, self._settings = values, histograms, settings

    known = set() # statistics that any run of the file of results has
    _unknown = set()

    def __getitem__(self, statistic):
        """Headlines too: run["cycles"]."""
        if statistic not in self._values and self.known and statistic not in self.known:
            self._unknown.add(statistic)
        return self._values.get(statistic, NONE)

    @classmethod
    def mistyped(cls):
        """Of names that no run has, those that are nearly one that some has."""
        near = ((name, difflib.get_close_matches(name, cls.known, 1, 0.8)) for name in sorted(cls._unknown))
        return [f"No run has '{name}' (did you mean '{known[0]}'?)." for name, known in near if known]

    def share(self, part, whole):
        return self[part] / self[whole] if self[whole] > 0 else NONE

    def of(self, histogram, field):
        """count, sum, min, max or mean."""
        return self._histograms[histogram][field] if histogram in self._histograms else NONE

    def below(self, histogram, edge):
        """How many values lie below the lower edge of a bucket."""
        if histogram not in self._histograms:
            return NONE
        return numpy.float64(sum(n for low, n in json.loads(self._histograms[histogram]["buckets"]) if low < edge))

    def setting(self, parameter):
        """A parameter of the machine that is a number."""
        value = self._settings.get(parameter)
        return NONE if value is None or isinstance(value, str) else numpy.float64(value)

    def time(self):
        return self["cycles"] * (1 if math.isnan(self.setting("gpu.clock_ps")) else self.setting("gpu.clock_ps"))


NO_RUN = Run({}, {}, {})


class Bar:
    """A value for each program of a figure. Of ratios the geometric mean has a meaning, of speed-ups that of gains in percent."""

    def __init__(self, name, values, groups, ratio=False, speedup=False):
        self.name, self.values, self._groups, self.ratio, self.speedup = name, values, groups, ratio, speedup

    def __getitem__(self, program):
        return self.values.get(program, NONE)

    def of(self, *groups):
        """The values of these groups' programs."""
        return [v for code, v in self.values.items() if any(code in self._groups[g] for g in groups)]

    def mean(self, *groups):
        return mean(self.of(*groups) if groups else self.values.values())

    def geometric(self):
        return geometric(self.values.values())

    def gains(self, *groups):
        return gains(self.of(*groups) if groups else self.values.values())


def mean(values):
    values = list(values)
    return sum(values, numpy.float64(0)) / len(values) if values else NONE


def geometric(values):
    values = list(values)
    return numpy.exp(sum(map(numpy.log, values), numpy.float64(0)) / len(values)) if values else NONE


def gains(speedups):
    """Geometric mean of gains in percent, as [M21] averages. A gain under a tenth of a percent, a loss too, counts as a tenth: the
    mean has no meaning without."""
    return geometric(numpy.maximum(100 * (v - 1), 0.1) for v in speedups)


def least(values):
    """Not a number where one is not; numpy.min() has no answer of nothing."""
    return numpy.min(list(values), initial=numpy.inf)


def most(values):
    return numpy.max(list(values), initial=-numpy.inf)


# Of two programs beside each other, "A+B".


def slowdown(r, pair, i, machine, alone):
    """Of the pair's program i beside the other on `machine`, over alone on the machine `alone`."""
    return r.run(pair, machine)[f"gpu.program_{i}.cycles"] / r.run(pair.split("+")[i], alone)["gpu.cycles"]


def weighted_speedup(r, pair, machine, alone):
    """2 where they do not interfere."""
    return sum(1 / slowdown(r, pair, i, machine, alone) for i in (0, 1))


def fairness(r, pair, machine, alone):
    """The lesser slow-down over the greater."""
    both = [slowdown(r, pair, i, machine, alone) for i in (0, 1)]
    return numpy.min(both) / numpy.max(both)


class Results:
    """The runs of one perturbation, of the programs that a figure shows."""

    def __init__(self, runs, programs, groups, machines=None):
        self._runs, self.programs, self._groups, self.machines = runs, programs, groups, machines

    def run(self, program, machine):
        if self.machines is not None and machine not in self.machines:
            near = difflib.get_close_matches(machine, self.machines, 1)
            raise KeyError(f"no machine '{machine}' among those that study.cfg says the figure needs{f' (did you mean {near[0]!r}?)' if near else ''}")
        return self._runs.get((program, machine), NO_RUN)

    def group(self, name):
        """The figure's programs of a group."""
        return [code for code in self.programs if code in self._groups[name]]

    def _bar(self, name, value, **kind):
        return Bar(name, {code: numpy.float64(value(code)) for code in self.programs}, self._groups, **kind)

    def bar(self, name, machine, value):
        """value(run), a number."""
        return self._bar(name, lambda code: value(self.run(code, machine)))

    def ratio(self, name, base, machine, value, ratio=True):
        """value(run of the base, run of the machine)."""
        return self._bar(name, lambda code: value(self.run(code, base), self.run(code, machine)), ratio=ratio)

    def over(self, name, base, machine, statistic, ratio=True):
        """A statistic over that of the base; not a number where that has none."""
        return self.ratio(name, base, machine, lambda b, m: m[statistic] / b[statistic] if b[statistic] > 0 else NONE, ratio)

    def speedup(self, name, base, machine, speedup=True):
        """Of time: the machines' clocks may differ."""
        made = self.ratio(name, base, machine, lambda b, m: b.time() / m.time() if m.time() > 0 else NONE)
        made.speedup = speedup
        return made

    def of_programs(self, name, value, ratio=False):
        """value(program's code), a number."""
        return self._bar(name, value, ratio=ratio)


# hit rates that stand beside many figures
def walk_cache_hits(run):
    """Of lookups, in the page-walk cache of level-2 entries."""
    return run.share("walk_unit.pwc_hits_l2", "walk_unit.pwc_lookups")


def l2_tlb_hits(run):
    return run.share("l2_tlb.hits", "l2_tlb.lookups")


def l2d_hits(run):
    return run["l2d_hit_rate"]


@dataclasses.dataclass(frozen=True)
class Stated:
    """What the paper's text states, as an interval, and when ours counts as the same."""
    text: str # as stated: "around 1.7"
    low: float
    high: float
    tolerance: float = 0.0 # ours may lie that share outside
    is_soft: bool = False # hangs on what the paper does not give: a band of its own outside, in which it is not counted as missed

    SOFT = 1 / 3 # of what is stated; a convention of ours

    def soft(self):
        return dataclasses.replace(self, is_soft=True)

    def rule(self):
        if math.isinf(self.high):
            return f"over {self.low:,.2f}"
        if math.isinf(self.low):
            return f"under {self.high:,.2f}"
        return f"within {100 * self.tolerance:.3g} %" if self.tolerance > 0 else f"{self.low:,.2f} to {self.high:,.2f}"

    def verdict(self, ours):
        """Of a Spread: matched where what is stated lies in the range of our runs, or our median satisfies the rule."""
        if ours.runs == 0:
            return ""
        margin = lambda bound, share: 0 if math.isinf(bound) else share * abs(bound)
        within = lambda share: self.low - margin(self.low, share) <= ours.median <= self.high + margin(self.high, share)
        inside = self.tolerance > 0 and ours.low <= self.high and ours.high >= self.low # one that only touches "over 1" does not say so
        return "matched" if within(self.tolerance) or inside else "soft" if self.is_soft and within(self.SOFT) else "missed"


def about(text, value, tolerance=0.1):
    return Stated(text, value, value, tolerance)


def between(text, low, high, tolerance=0.1):
    return Stated(text, low, high, tolerance)


def over(text, value):
    return Stated(text, value, math.inf)


def under(text, value):
    return Stated(text, -math.inf, value)


@dataclasses.dataclass
class Figure:
    title: str
    decimals: int
    bars: list
    beside: list = dataclasses.field(default_factory=list) # what explains them
    beside_title: str = ""
    claims: list = dataclasses.field(default_factory=list) # (text, Stated, ours)
    guards: list = dataclasses.field(default_factory=list) # (text, ours, low, high): a band of a model of ours before this one; no evidence
    rows: bool = False # a bar is a row, where there are many
    gains: bool = False # with the mean of the gains, of speed-ups


@dataclasses.dataclass(frozen=True)
class Spread:
    """One number from runs that differ in nothing that matters: median and range; what is not a number is left out."""
    median: float
    low: float
    high: float
    runs: int

    @staticmethod
    def over(values):
        values = sorted(float(v) for v in values if math.isfinite(v))
        n = len(values)
        return Spread((values[(n - 1) // 2] + values[n // 2]) / 2, values[0], values[-1], n) if n else Spread(math.nan, math.nan, math.nan, 0)

    def text(self, decimals):
        one = lambda value: f"{value:,.{decimals}f}" if math.isfinite(value) else "-"
        return one(self.median) if self.runs < 2 else f"{one(self.median)} ({one(self.low)} ... {one(self.high)})"

    def json(self, samples):
        """Of a single run the number."""
        plain = lambda value: value if math.isfinite(value) else None
        if samples < 2:
            return plain(self.median)
        return {"median": plain(self.median), "low": plain(self.low), "high": plain(self.high), "runs": self.runs}


def runs_in(file, keys):
    """Runs that are done, by key, of those wanted."""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as results:
        found = dict(results.execute("SELECT key, id FROM runs WHERE status = 'done'"))
        statistics = dict(results.execute("SELECT id, name FROM statistics"))
        Run.known, Run._unknown = set(statistics.values()), set()
        runs = {}
        for key in set(keys) & set(found):
            of = (found[key],)
            values = {statistics[s]: numpy.float64(v) for s, v in results.execute("SELECT statistic, value FROM run_statistics WHERE run = ?", of)}
            columns = ("count", "sum", "min", "max", "mean")
            histograms = {statistics[row[0]]: {**dict(zip(columns, map(numpy.float64, row[1:6]))), "buckets": row[6]} for row in results.execute(
                "SELECT statistic, count, sum, min, max, mean, buckets FROM run_histograms WHERE run = ?", of)}
            settings = dict(results.execute("SELECT name, value FROM settings WHERE run = ?", of))
            runs[key] = Run(values, histograms, settings)
    return runs
