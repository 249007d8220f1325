# SPDX-License-Identifier: MIT
"""Runs with known numbers that are made up, not simulated; the figures that a study of $WALKWAY_SOURCE/studies makes of them; and
a report."""
import configparser
import contextlib
import fnmatch
import io
import itertools
import json
import math
import os
import pathlib
import re
import runpy
import sqlite3
import tempfile
import unittest

import numpy

from walkway import reproduce, study

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
STUDIES = SOURCE / "studies"


def histogram(buckets):
    """The values of a histogram that has `buckets`, {value: count}: each value has its own bucket."""
    count, total = sum(buckets.values()), sum(value * n for value, n in buckets.items())
    numbers = {"count": count, "sum": total, "min": min(buckets), "max": max(buckets), "mean": total / count}
    return {**{name: numpy.float64(n) for name, n in numbers.items()}, "buckets": json.dumps(list(buckets.items()))}


def made_run(values, histograms=None, settings=None):
    """A run with these numbers, in the form in which runs_in() returns it."""
    return study.Run({name: numpy.float64(value) for name, value in values.items()}, histograms or {}, settings or {})


def _values(text):
    """The values of one choice in a brace: the text itself, or those of a range such as "4..64+2"."""
    ends = re.fullmatch(r"(\d+)\.\.(\d+)(?:\+(\d+))?", text)
    return [text] if ends is None else list(map(str, range(int(ends[1]), int(ends[2]) + 1, int(ends[3] or 1))))


def expanded(text):
    """All texts that the braces expand to."""
    parts = [[v for choice in part.split(",") for v in _values(choice)] if i % 2 else [part] for i, part in enumerate(re.split(r"\{(.*?)\}", text))]
    return ["".join(some) for some in itertools.product(*parts)]


def _read(file):
    config = configparser.ConfigParser(delimiters="=", comment_prefixes="#", inline_comment_prefixes="#", interpolation=None)
    config.optionxform = str
    config.read_string(file.read_text(encoding="utf-8"))
    return config


def _groups(file, config):
    """The study's groups: its own, and those of the study that it extends, with only this study's programs."""
    groups = {}
    if "extends" in config["study"]:
        other = file.parent / config["study"]["extends"]
        groups = _groups(other, _read(other))
        programs = config["study"].get("programs")
        if programs:
            groups = {name: [code for code in codes if code in programs.split()] for name, codes in groups.items()}
    own = config["groups"] if "groups" in config else {}
    usual = next(iter(config["scales"]), "") if "scales" in config else ""
    workloads = [code for section in config for kind, *scales in [section.split()] if kind == "workloads" and (not scales or usual in scales)
                 for line in config[section] for code in expanded(line)]
    members = lambda word: fnmatch.filter(workloads, word) if "*" in word else [word]
    return {**groups, **{name: [code for word in codes.split() for code in members(word)] for name, codes in own.items()}}


class MadeStudy:
    """A study: what its study.cfg lists, and the figures that its figures.py makes of runs."""

    def __init__(self, name):
        self.name, file = name, STUDIES / name / "study.cfg"
        self.config = _read(file)
        self.groups = _groups(file, self.config)
        self.machines = [machine for line in self.config["machines"] for machine in expanded(line)]
        self.functions = runpy.run_path(str(file.with_name("figures.py")))["FIGURES"]
        self._lines = {identity: line.split(":", 1) for section in ("figures", "figures on demand") if section in self.config
                       for identity, line in self.config[section].items()}

    @property
    def figures(self):
        return list(self._lines)

    def programs(self, identity):
        """The programs that a figure shows."""
        return [code for group in self._lines[identity][0].split() if not group.startswith("+") for code in self.groups[group]]

    def needed(self, identity):
        """(program, machine) of each run that a figure needs."""
        groups, patterns = self._lines[identity]
        programs = [code for group in groups.split() for code in self.groups[group.lstrip("+")]]
        patterns = [pattern for braced in patterns.split() for pattern in expanded(braced)]
        machines = [m for m in self.machines if any(fnmatch.fnmatchcase(m, pattern) for pattern in patterns)]
        return set(itertools.product(programs, machines))

    def runs(self, usual, some=None):
        """Runs of all programs on all machines: `usual`, or `some`[machine]. Each may be a function of the program."""
        some = some or {}
        if not set(some) <= set(self.machines):
            raise KeyError(set(some) - set(self.machines))
        of = lambda run, program: run(program) if callable(run) else run
        programs = dict.fromkeys(code for codes in self.groups.values() for code in codes)
        return {(program, machine): of(some.get(machine, usual), program) for program in programs for machine in self.machines}

    def figure(self, identity, runs):
        return self.functions[identity](study.Results(runs, self.programs(identity), self.groups))


def named(bars, name):
    return {bar.name: bar for bar in bars}[name]


def claimed(figure, text):
    return {claim: ours for claim, _, ours in figure.claims}[text]


def guarded(figure, text):
    return {guard: ours for guard, ours, _, _ in figure.guards}[text]


def verdict(figure, text):
    """The verdict of a claim that has a single run."""
    return {claim: paper.verdict(study.Spread.over([ours])) for claim, paper, ours in figure.claims}[text]


class FiguresTest(unittest.TestCase):
    def assert_near(self, ours, expected, message=None):
        if not math.isclose(ours, expected, rel_tol=1e-9, abs_tol=1e-9):
            self.fail(message or f"{ours} is not {expected}")

    def assert_bar(self, bars, name, expected):
        """Each program's bar has the value `expected`, or expected[program] if it is a dict."""
        values = named(bars, name).values
        self.assertGreater(len(values), 0)
        for program, value in values.items():
            wanted = expected[program] if isinstance(expected, dict) else expected
            self.assert_near(value, wanted, f"{name}, {program}: {value} is not {wanted}")

    def assert_absent(self, ours):
        self.assertTrue(math.isnan(ours), ours)


def write_results(file, runs, failed=()):
    """Writes a file of results with what runs_in() reads: runs as {key: {"values": ..., ...}}, and the keys of failed runs."""
    with contextlib.closing(sqlite3.connect(file)) as results, results:
        results.execute("PRAGMA synchronous = OFF") # no test outlives its machine
        results.executescript((SOURCE / "tool/workbench/schema.sql").read_text(encoding="utf-8"))
        numbers = {}

        def number(table, columns, name):
            if (table, name) not in numbers:
                numbers[table, name] = len(numbers)
                results.execute(f"INSERT INTO {table}(id, name, {columns}) VALUES (?, ?{', ?' * (columns.count(',') + 1)})",
                                (numbers[table, name], name, *(["value"] + [""] * columns.count(","))))
            return numbers[table, name]

        for i, (key, run) in enumerate(runs.items()):
            results.execute("INSERT INTO runs VALUES (?, ?, ?, '', 0, 0, ?, 0, 0, '', 0, 0, 0)", (i, key, "failed" if key in failed else "done", i))
            for name, value in run["values"].items():
                results.execute("INSERT INTO run_statistics VALUES (?, ?, ?)", (i, number("statistics", "kind, unit, description", name), value))
            for name, of in run.get("histograms", {}).items():
                results.execute("INSERT INTO run_histograms VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?)",
                                (i, number("statistics", "kind, unit, description", name), *(of[c] for c in ("count", "sum", "min", "max", "mean", "buckets"))))
            if "error" in run:
                results.execute("INSERT INTO samples VALUES (?, ?, ?, ?)", (i, *run["error"]))
            for table, settings in (("machine_parameters", run.get("machine", {})), ("run_parameters", run.get("changes", {}))):
                for name, value in settings.items():
                    results.execute(f"INSERT INTO {table} VALUES (?, ?, ?, '')", (i, number("parameters", "unit, description, origin", name), value))


# the figures.py of a study with two programs, for tests of reports
TWO_PROGRAMS = """from walkway.study import Figure, about, over

def speedup(r):
    bar = r.speedup("fast", "base", "fast")
    return Figure("made up", 2, [bar], [r.bar("reads", "fast", lambda run: run["reads"])], "what explains it",
                  [("mean | of two", about("around 2", 2), bar.mean()), ("B", over("more", 1), bar["B"])],
                  [("in it", bar["A"], 1, 3), ("not in it", bar["A"], 0, 1), ("no end", bar["A"], 1, float("inf")), ("B", bar["B"], 1, 3)])

def soft(r):
    bar = r.speedup("fast", "base", "fast")
    return Figure("on a guess", 3, [bar], claims=[("mean", about("around 3", 3).soft(), bar.mean())])

def gains(r):
    return Figure("gains", 2, [r.speedup("s", "base", "fast"), r.over("r", "base", "fast", "reads"), r.bar("n", "fast", lambda run: run["reads"])], gains=True)

def wide(r):
    return Figure("wide", 1, [r.bar(f"{i}: a name of 21 letters", "base", lambda run: run["cycles"]) for i in range(6)])

def rows(r):
    figure = wide(r)
    figure.rows = True
    return figure

FIGURES = {"9": speedup, "IV": soft, "table-2": gains, "section-6.3.1": wide, "rows": rows}
"""


class ReportTest(FiguresTest):
    """A made-up study with two programs on two machines, and its report."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.results = self.dir / "results.db"
        self.figures = self.dir / "figures.py"
        self.figures.write_text(TWO_PROGRAMS)
        self.cycles = {("A", "base"): 1000, ("A", "fast"): 500, ("B", "base"): 800, ("B", "fast"): 400} # cycles, the same in each repetition
        self.repetitions = {}
        self.errors = {} # of sampled runs: (windows, least, shares of cycles as JSON)

    def order(self, *figures, **changes):
        repeats = range(len(changes.get("perturbations", [])) + 1)
        programs = [{"code": "A", "command": "atax 64", "beside": []}, {"code": "B", "command": "bfs 8", "beside": ["A", "C"]}]
        runs = [{"program": p, "machine": m, "repetition": k, "key": f"{p} {m} {k}"} for p, m in sorted(self.cycles) for k in repeats]
        return {"study": "mine", "paper": "MINE'26, On Nothing", "platform": "apu", "platform_of_all": True, "scale": "full", "judged": True, "judged_scale": "full",
                "sampled": "", "changes": [], "perturbations": [], "programs": programs, "programs_left_out": 0, "most_listed": 40, "windows": {}, "groups": {"all": ["A", "B"]},
                "sample_notes": [], "runs": runs,
                "figures": [{"id": f, "programs": ["A", "B"], "machines": sorted({m for _, m in self.cycles})} for f in figures], **changes}

    def write(self, order, none=()):
        """Writes the order and the results of all its runs but `none`."""
        (self.dir / "study.json").write_text(json.dumps(order))
        self.results.unlink(missing_ok=True)
        runs = {}
        for run in order["runs"]:
            place = run["program"], run["machine"]
            cycles = self.repetitions.get((*place, run["repetition"]), self.cycles[place])
            if run["key"] not in none:
                runs[run["key"]] = {"values": {"cycles": cycles, "reads": cycles / 10}, **({"error": self.errors[place]} if place in self.errors else {})}
        write_results(self.results, runs)

    def report(self, *figures, none=(), **changes):
        """(text, JSON, Markdown)"""
        self.write(self.order(*figures, **changes), none)
        return self.made()

    def made(self):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            reproduce.main(str(self.dir), str(self.figures))
        self.assertEqual(list(self.dir.glob("*.part")), [])
        plain = (self.dir / "reproduce.json").read_text(encoding="utf-8")
        return text.getvalue(), json.loads(plain, parse_constant=self.fail), (self.dir / "reproduce.md").read_text(encoding="utf-8")
