# SPDX-License-Identifier: MIT
"""Tools for the figures of a study: results by program and machine, bars made of them, and the statements of a paper beside.

A study is a folder: study.cfg defines the runs (docs/use/workbench.md), figures.py makes the figures:

    from walkway.study import Figure, about

    def figure_9(r):
        full = r.speedup("full", base="off", machine="full")
        return Figure("speed-up of coalescing", 2, [full], claims=[("mean", about("around 1.7", 1.7), full.mean())])

    FIGURES = {"9": figure_9}

The function of a figure is called once for each perturbation, with the results of the programs that the figure shows. Missing
results are NaN, and so is everything computed from them, so functions need no checks.
"""
import dataclasses
import difflib
import json
import math
import sqlite3

import numpy

numpy.seterr(all="ignore") # missing results are NaN
NONE = numpy.float64("nan")

# Ratios that count as "more", "less" and "significantly more": our margins, chosen after seeing results (docs/results/reproduction.md)
MORE, LESS, SIGNIFICANTLY = 1.02, 0.98, 1.10


class Run:
    """The measurements of a run, by statistic: run["walk_unit.pte_reads"]; of() has the fields of histograms."""

    def __init__(self, values, histograms, settings, error=None):
        self._values, self._histograms, self._settings, self.error = values, histograms, settings, error

    known = set() # statistics that any run of the file of results has
    _unknown = set()

    def __getitem__(self, statistic):
        """Returns a statistic or a headline (run["cycles"]); NaN if there is none."""
        if statistic not in self._values and self.known and statistic not in self.known:
            self._unknown.add(statistic)
        return self._values.get(statistic, NONE)

    @classmethod
    def mistyped(cls):
        """Returns a sentence for each requested name that no run has but that is similar to one of a run."""
        near = ((name, difflib.get_close_matches(name, cls.known, 1, 0.8)) for name in sorted(cls._unknown))
        return [f"No run has '{name}' (did you mean '{known[0]}'?)." for name, known in near if known]

    def share(self, part, whole):
        return self[part] / self[whole] if self[whole] > 0 else NONE

    def of(self, histogram, field):
        """Returns a histogram's field: count, sum, min, max or mean."""
        return self._histograms[histogram][field] if histogram in self._histograms else NONE

    def below(self, histogram, edge):
        """Returns how many values are less than `edge`, a lower edge of a bucket."""
        if histogram not in self._histograms:
            return NONE
        return numpy.float64(sum(n for low, n in json.loads(self._histograms[histogram]["buckets"]) if low < edge))

    def setting(self, parameter):
        """Returns a parameter of the machine; NaN if it is not a number."""
        value = self._settings.get(parameter)
        return NONE if value is None or isinstance(value, str) else numpy.float64(value)

    def time(self):
        return self["cycles"] * (1 if math.isnan(self.setting("gpu.clock_ps")) else self.setting("gpu.clock_ps"))

    def slower(self, share):
        """Returns this run as if it had taken longer by this share."""
        return Run({**self._values, "cycles": self["cycles"] * (1 + share)}, self._histograms, self._settings, self.error)


NO_RUN = Run({}, {}, {})


@dataclasses.dataclass(frozen=True)
class Error:
    """The error of a sampled run by windows: the norm of the vector is the half width of its cycles' 95 % interval, as a share of them."""
    windows: str # equal for equal windows
    least: float # no half width is less
    of_windows: numpy.ndarray


class Bar:
    """A value for each program of a figure. The geometric mean is for ratios, that of gains in percent for speed-ups."""

    def __init__(self, name, values, groups, ratio=False, speedup=False):
        self.name, self.values, self._groups, self.ratio, self.speedup = name, values, groups, ratio, speedup

    def __getitem__(self, program):
        return self.values.get(program, NONE)

    def of(self, *groups):
        """Returns the values of these groups' programs."""
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
    """Returns the geometric mean of gains in percent, as [M21] averages. A gain of less than 0.1 %, or a loss, counts as 0.1 %, as
    the mean needs positive values."""
    return geometric(numpy.maximum(100 * (v - 1), 0.1) for v in speedups)


def least(values):
    """Returns the minimum, NaN if a value is NaN. Infinity without values, for which numpy.min() fails."""
    return numpy.min(list(values), initial=numpy.inf)


def most(values):
    return numpy.max(list(values), initial=-numpy.inf)


# Measures of two programs that run at the same time, "A+B".


def slowdown(r, pair, i, machine, alone):
    """Returns the time of the pair's program i on `machine`, over its time alone on the machine `alone`."""
    return r.run(pair, machine)[f"gpu.program_{i}.cycles"] / r.run(pair.split("+")[i], alone)["gpu.cycles"]


def weighted_speedup(r, pair, machine, alone):
    """Returns the sum of both speeds relative to alone; 2 if the programs do not interfere."""
    return sum(1 / slowdown(r, pair, i, machine, alone) for i in (0, 1))


def fairness(r, pair, machine, alone):
    """Returns the smaller slow-down over the larger."""
    both = [slowdown(r, pair, i, machine, alone) for i in (0, 1)]
    return numpy.min(both) / numpy.max(both)


class Results:
    """The runs of one perturbation, for the programs that a figure shows."""

    def __init__(self, runs, programs, groups, machines=None):
        self._runs, self.programs, self._groups, self.machines = runs, programs, groups, machines

    def run(self, program, machine):
        if self.machines is not None and machine not in self.machines:
            near = difflib.get_close_matches(machine, self.machines, 1)
            raise KeyError(f"no machine '{machine}' among those that study.cfg says the figure needs{f' (did you mean {near[0]!r}?)' if near else ''}")
        return self._runs.get((program, machine), NO_RUN)

    def group(self, name):
        """Returns the figure's programs of a group."""
        return [code for code in self.programs if code in self._groups[name]]

    def _bar(self, name, value, **kind):
        return Bar(name, {code: numpy.float64(value(code)) for code in self.programs}, self._groups, **kind)

    def bar(self, name, machine, value):
        """Makes a bar of value(run), a number."""
        return self._bar(name, lambda code: value(self.run(code, machine)))

    def ratio(self, name, base, machine, value, ratio=True):
        """Makes a bar of value(run of the base, run of the machine)."""
        return self._bar(name, lambda code: value(self.run(code, base), self.run(code, machine)), ratio=ratio)

    def over(self, name, base, machine, statistic, ratio=True):
        """Makes a bar of a statistic over that of the base; NaN if the base's is 0 or missing."""
        return self.ratio(name, base, machine, lambda b, m: m[statistic] / b[statistic] if b[statistic] > 0 else NONE, ratio)

    def speedup(self, name, base, machine, speedup=True):
        """Makes a bar of speed-ups, of time instead of cycles, as the machines' clocks may differ."""
        made = self.ratio(name, base, machine, lambda b, m: b.time() / m.time() if m.time() > 0 else NONE)
        made.speedup = speedup
        return made

    def of_programs(self, name, value, ratio=False):
        """Makes a bar of value(program's code), a number."""
        return self._bar(name, value, ratio=ratio)


# Hit rates that many figures show beside their bars.
def walk_cache_hits(run):
    """Returns the hit rate of the page-walk cache of level-2 entries."""
    return run.share("walk_unit.pwc_hits_l2", "walk_unit.pwc_lookups")


def l2_tlb_hits(run):
    return run.share("l2_tlb.hits", "l2_tlb.lookups")


def l2d_hits(run):
    return run["l2d_hit_rate"]


@dataclasses.dataclass(frozen=True)
class Stated:
    """A statement of the paper's text, as an interval, and the rule by which our value matches it."""
    text: str # as stated: "around 1.7"
    low: float
    high: float
    tolerance: float = 0.0 # our value may be outside by this share
    is_soft: bool = False # depends on details that the paper does not give: within SOFT outside, it does not count as missed
    size: float | None = None # what both shares are of; else of the bound

    SOFT = 1 / 3 # share of the stated value; our convention

    def soft(self):
        return dataclasses.replace(self, is_soft=True)

    def rule(self):
        if math.isinf(self.high):
            return f"over {self.low:,.2f}"
        if math.isinf(self.low):
            return f"under {self.high:,.2f}"
        if self.size is not None:
            return f"{self.low - self._margin(self.low, self.tolerance):,.3f} to {self.high + self._margin(self.high, self.tolerance):,.3f}"
        return f"within {100 * self.tolerance:.3g} %" if self.tolerance > 0 else f"{self.low:,.2f} to {self.high:,.2f}"

    def _margin(self, bound, share):
        return 0 if math.isinf(bound) else share * (abs(bound) if self.size is None else self.size)

    def verdict(self, ours):
        """Judges a Spread: matched if the stated value is in the range of our runs, or our median satisfies the rule; that of sampled
        runs with its whole interval."""
        if ours.runs == 0:
            return ""
        if ours.half_width is None:
            return "not judged"
        side = lambda value, share: (value > self.high + self._margin(self.high, share)) - (value < self.low - self._margin(self.low, share))
        sides = lambda share: {side(ours.median - ours.half_width, share), side(ours.median + ours.half_width, share)}
        inside = self.tolerance > 0 and ours.low <= self.high and ours.high >= self.low # with "over 1", a range that only reaches 1 does not match
        by_rule, by_soft = sides(self.tolerance), sides(self.SOFT if self.is_soft else self.tolerance)
        if by_rule == {0} or (inside and not ours.half_width):
            return "matched"
        if len(by_rule) > 1 or len(by_soft) > 1:
            return "undecided"
        return "soft" if by_soft == {0} else "missed"


def about(text, value, tolerance=0.1):
    return Stated(text, value, value, tolerance)


def between(text, low, high, tolerance=0.1):
    return Stated(text, low, high, tolerance)


def spared(share, tolerance=0.1):
    """What is left of 1 where the paper states a share that is spared: "-4.1 %". Tolerances are shares of the smaller of the two, so
    that neither a small saving nor a small rest is met by one of another size."""
    return Stated(f"-{100 * share:.1f} %", 1 - share, 1 - share, tolerance, size=min(share, 1 - share))


def over(text, value):
    return Stated(text, value, math.inf)


def under(text, value):
    return Stated(text, -math.inf, value)


@dataclasses.dataclass
class Figure:
    title: str
    decimals: int
    bars: list
    beside: list = dataclasses.field(default_factory=list) # bars that explain them
    beside_title: str = ""
    claims: list = dataclasses.field(default_factory=list) # (text, Stated, ours)
    guards: list = dataclasses.field(default_factory=list) # (text, ours, low, high): a band from an earlier model of ours; no evidence
    rows: bool = False # each bar is a row of the table, for many bars
    gains: bool = False # also shows the mean gain of speed-ups


@dataclasses.dataclass(frozen=True)
class Spread:
    """One number from runs that differ only in irrelevant ways: median and range, without NaNs."""
    median: float
    low: float
    high: float
    runs: int
    half_width: float | None = 0.0 # of the 95 % interval of sampled runs; 0: exact; None: not known

    @staticmethod
    def over(values, half_width=0.0):
        values = sorted(float(v) for v in values if math.isfinite(v))
        n = len(values)
        return Spread((values[(n - 1) // 2] + values[n // 2]) / 2, values[0], values[-1], n, half_width) if n else Spread(math.nan, math.nan, math.nan, 0)

    def text(self, decimals):
        one = lambda value: f"{value:,.{decimals}f}" if math.isfinite(value) else "-"
        off = f" +- {one(self.half_width)}" if self.half_width else ""
        return (one(self.median) if self.runs < 2 else f"{one(self.median)} ({one(self.low)} ... {one(self.high)})") + off

    def json(self, samples):
        """Returns the median and range; for a single run, only the number."""
        plain = lambda value: value if math.isfinite(value) else None
        if samples < 2:
            return plain(self.median)
        return {"median": plain(self.median), "low": plain(self.low), "high": plain(self.high), "runs": self.runs}


class Samples:
    """A figure once for each perturbation, the unperturbed one first, and how far off it is where runs are sampled.

    make(Results) makes the figure; runs has for each perturbation the runs by (program, machine), machines are the figure's."""
    STEP = 1e-5 # share by which a run is made slower and faster: what numbers change by, to first order

    def __init__(self, make, runs, programs, groups, machines):
        made = lambda some: make(Results(some, programs, groups, machines))
        sampled = {pair: run for pair, run in runs[0].items() if run.error and pair[1] in machines}
        self.figures = [made(some) for some in runs]
        self._exact_only = made({**runs[0], **dict.fromkeys(sampled, NO_RUN)}) if sampled else self.figures[0]
        self._changed = [(pair[0], run.error, *(made({**runs[0], pair: run.slower(step)}) for step in (self.STEP, -self.STEP))) for pair, run in sampled.items()]

    def spread(self, of):
        """Returns the Spread of a number of the figure, of(figure)."""
        return Spread.over(map(of, self.figures), self._half_width(of))

    def _half_width(self, of):
        """Returns half of the 95 % interval of a number, None if it depends on what sampled runs count besides cycles. What runs of the
        same windows have in common is no difference between them; walkway results --baseline has the same (tool/run/sample_estimate.cpp)."""
        value, by_windows, least = of(self.figures[0]), {}, 0.0
        for program, error, slower, faster in self._changed:
            slope = (of(slower) - of(faster)) / (2 * self.STEP)
            if math.isfinite(slope) and slope != 0:
                by_windows[program, error.windows] = by_windows.get((program, error.windows), 0) + slope * error.of_windows
                least = max(least, error.least * abs(value))
        if by_windows:
            return float(max(math.hypot(*map(numpy.linalg.norm, by_windows.values())), least))
        return 0.0 if math.isnan(value) or of(self._exact_only) == value else None


def runs_in(file, keys):
    """Returns those of the keys' runs that are done, by key."""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as results:
        found = dict(results.execute("SELECT key, id FROM runs WHERE status = 'done'"))
        statistics = dict(results.execute("SELECT id, name FROM statistics"))
        Run.known, Run._unknown = set(statistics.values()), set()
        runs, has_samples = {}, results.execute("SELECT 1 FROM sqlite_master WHERE name = 'samples'").fetchone() # not before version 3
        for key in set(keys) & set(found):
            of = (found[key],)
            values = {statistics[s]: numpy.float64(v) for s, v in results.execute("SELECT statistic, value FROM run_statistics WHERE run = ?", of)}
            columns = ("count", "sum", "min", "max", "mean")
            histograms = {statistics[row[0]]: {**dict(zip(columns, map(numpy.float64, row[1:6]))), "buckets": row[6]} for row in results.execute(
                "SELECT statistic, count, sum, min, max, mean, buckets FROM run_histograms WHERE run = ?", of)}
            settings = dict(results.execute("SELECT name, value FROM settings WHERE run = ?", of))
            errors = [Error(windows, least, numpy.array(json.loads(all))) for windows, least, all in
                      results.execute("SELECT windows, least, errors FROM samples WHERE run = ?", of)] if has_samples else []
            runs[key] = Run(values, histograms, settings, *errors)
    return runs
