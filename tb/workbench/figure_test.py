#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway results --figure: it draws the table's numbers; the same figure has the same bytes; its script draws it again, and is not
overwritten once it is changed. Without matplotlib, script and data are written, and a message says what to install."""
import csv
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import unittest

from study_run import StudyTest

sys.path.insert(0, str(pathlib.Path(os.environ["WALKWAY_SOURCE"], "tool/python")))
from walkway import figure  # noqa: E402

STUDY = """[study]
platforms = apu-micro18 :l2_tlb.entries=1024,l2_tlb.ways=16
repeats = 1
[workloads]
near = gen:neighbourhood,waves=2,accesses=8
chase = gen:chase,waves=4,accesses=4
[axes]
walk_unit.walkers = 2 8
"""
BASE = ("--baseline", "apu-micro18:walk_unit.walkers=2")


class FigureTest(StudyTest):
    def setUp(self):
        super().setUp()
        self.env.pop("WALKWAY_PLATFORMS")
        self.sweep(STUDY)

    def draw(self, *words, code=0, **more):
        return self.run_it("results", "r.db", *BASE, *words, code=code, env=more)

    def bytes_of(self, name):
        return (self.dir / name).read_bytes()

    def rows(self, name):
        return list(csv.DictReader((self.dir / name).read_text(encoding="utf-8").splitlines()))

    def words(self, name):
        return re.findall(r"<text[^>]*>([^<]+)</text>", (self.dir / name).read_text(encoding="utf-8"))

    def run_script(self, *words):
        return subprocess.run(["/usr/bin/python3", *words], check=False, capture_output=True, text=True, cwd=self.dir)

    def left(self):
        return sorted(p.name for p in self.dir.iterdir() if p.name.startswith("f."))

    def test_bars_are_the_numbers(self):
        self.assertIn("figure: f.svg", self.draw("--figure", "f.svg").stdout)
        self.assertEqual(self.left(), ["f.csv", "f.py", "f.svg"])
        self.assertEqual(self.bytes_of("f.csv").decode(), self.draw("--csv", "-").stdout)
        rows = self.rows("f.csv")
        axes, = figure.draw(rows, "bars").axes
        drawn = [[round(bar.get_height(), 9) for bar in c] for c in axes.containers if hasattr(c, "patches")]
        points = list(dict.fromkeys(r["point"] for r in rows if r["point"] != r["baseline"]))
        self.assertEqual(len(points), 3)
        self.assertEqual(drawn, [[round(float(r["speedup"]), 9) for r in rows if r["point"] == p] for p in points])
        errors = [c for c in axes.containers if not hasattr(c, "patches")]
        ends = [[[round(y, 9) for _, y in line] for line in e.lines[2][0].get_segments()] for e in errors]
        ranges = [[[round(float(r["low"]), 9), round(float(r["high"]), 9)] for r in rows if r["point"] == p] for p in points]
        self.assertEqual(ends, [some for some in ranges if any(low < high for low, high in some)])
        self.assertGreaterEqual(axes.get_ylim()[1], max(float(r["high"]) for r in rows))
        self.assertTrue({"near", "chase", "geometric mean"} <= set(self.words("f.svg")))
        self.assertIn("speed-up over apu-micro18:walk_unit.walkers=2", "".join(self.words("f.svg")))

    def test_a_far_larger_speed_up_leaves_the_others_readable(self):
        self.draw("--csv", "f.csv")
        rows = [r for r in self.rows("f.csv") if r["workload"] == "near"]
        scaled = [{**r, "speedup": str(s), "low": str(s), "high": str(s)} for r, s in zip(rows, (1, 0.5, 1.5, 2.01))]
        means = [{**r, "workload": "geometric mean"} for r in scaled] # of several machines, lines are of means
        for kind, of in (("bars", scaled), ("lines", means)):
            axes, = figure.draw(of, kind, "walk_unit.walkers").axes
            self.assertEqual(axes.get_yscale(), "log", "2.01 is more than four times 0.5")
        axes, = figure.draw(scaled).axes
        ends = [(bar.get_y(), bar.get_height()) for c in axes.containers if hasattr(c, "patches") for bar in c]
        self.assertEqual([(y, round(height, 9)) for y, height in ends], [(1, -0.5), (1, 0.5), (1, 1.01)])
        scaled[-1]["speedup"] = "2"
        axes, = figure.draw(scaled).axes
        self.assertEqual((axes.get_yscale(), axes.get_ylim()[0]), ("linear", 0))
        self.assertGreater(axes.get_ylim()[1], 2, "the whole bar is in the figure")
        self.draw("--figure", "f.svg")
        script = self.bytes_of("f.py")
        (self.dir / "f.py").write_bytes(script.replace(b'SCALE = "auto"', b'SCALE = "lin"'))
        self.assertIn('SCALE = "lin": is auto, linear or log', self.run_script("f.py").stderr)

    def test_lines_are_the_numbers(self):
        self.draw("--figure", "f.svg", "--over", "walk_unit.walkers")
        rows = self.rows("f.csv")
        line = lambda axes, name: [round(y, 9) for y in next(c for c in axes.containers if c.get_label() == name).lines[0].get_ydata()]
        axes, = figure.draw(rows, "lines", "walk_unit.walkers").axes
        for machine in ("apu-micro18", "apu-micro18:l2_tlb.entries=1024,l2_tlb.ways=16"): # with several lines, the means are drawn
            self.assertEqual(line(axes, machine), [round(float(r["speedup"]), 9) for r in rows if (r["workload"], r["machine"]) == ("geometric mean", machine)])
        self.draw("--figure", "f.svg", "--over", "walk_unit.walkers", "--where", "machine=apu-micro18")
        rows = self.rows("f.csv")
        axes, = figure.draw(rows, "lines", "walk_unit.walkers").axes
        for workload in ("near", "chase", "geometric mean"):
            self.assertEqual(line(axes, workload), [round(float(r["speedup"]), 9) for r in rows if r["workload"] == workload])
        self.assertTrue({"2", "8", "walk_unit.walkers"} <= set(self.words("f.svg")))

    def test_stacks_are_the_accounts(self):
        self.draw("--figure", "f.svg", "--kind", "stack")
        rows = self.rows("f.csv")
        axes, = figure.draw(rows, "stack").axes
        tops = [0] * 8
        for c in axes.containers:
            tops = [max(t, bar.get_y() + bar.get_height()) for t, bar in zip(tops, c)]
        sums = {}
        for r in rows:
            sums[r["workload"], r["point"]] = sums.get((r["workload"], r["point"]), 0) + float(r["cycles"])
        self.assertEqual(len(sums), 8)
        for top, whole in zip(tops, sums.values()):
            self.assertAlmostEqual(top, whole, places=6)
        self.assertTrue({"near", "chase", "walk_l1", "cycles per translation"} <= set(self.words("f.svg")))

    def test_the_same_figure_is_the_same_bytes(self):
        for name, begin in (("f.svg", b"<?xml"), ("f.pdf", b"%PDF"), ("f.png", b"\x89PNG")):
            self.draw("--figure", name)
            first = self.bytes_of(name)
            self.assertTrue(first.startswith(begin))
            self.draw("--figure", name, MPLCONFIGDIR=str(self.dir))
            self.assertEqual(self.bytes_of(name), first)
            self.assertNotIn(str(self.dir).encode(), first)
            self.assertNotRegex(first, rb"CreationDate|<dc:date>")

    def test_the_script_draws_again(self):
        self.draw("--figure", "f.svg")
        first = self.bytes_of("f.svg")
        (self.dir / "f.svg").unlink()
        self.assertEqual(self.run_script("f.py").returncode, 0)
        self.assertEqual(self.bytes_of("f.svg"), first)
        self.assertEqual(self.run_script("f.py", "g.pdf").returncode, 0)
        self.assertTrue(self.bytes_of("g.pdf").startswith(b"%PDF"))
        self.draw("--figure", "f.svg", "--kind", "stack") # the script is unchanged, so another figure replaces it
        script = (self.dir / "f.py").read_text(encoding="utf-8")
        (self.dir / "f.py").write_text(script.replace("cycles per translation", "time of a translation"), encoding="utf-8")
        self.assertEqual(self.run_script("f.py").returncode, 0)
        self.assertIn("time of a translation", self.words("f.svg"))
        kept = [self.bytes_of(n) for n in self.left()]
        self.assertIn("would overwrite f.py, which is not as it was written", self.draw("--figure", "f.svg", code=1).stderr)
        self.assertEqual([self.bytes_of(n) for n in self.left()], kept)

    def test_a_script_s_name_may_be_that_of_a_module(self):
        for name in ("numbers", "csv"):
            self.draw("--figure", f"{name}.svg")
            self.assertEqual(self.run_script(f"{name}.py", "f.svg").returncode, 0)
            self.assertEqual(self.bytes_of("f.svg"), self.bytes_of(f"{name}.svg"))

    def test_what_is_missing_stands_in_the_figure(self):
        with sqlite3.connect(self.dir / "r.db") as file:
            file.execute("DELETE FROM runs WHERE id IN (SELECT run FROM results WHERE workload = 'near' AND machine != 'apu-micro18')")
        file.close()
        self.draw("--figure", "f.svg")
        said = " ".join(self.words("f.svg"))
        self.assertIn("PARTIAL: no result of near on", said)
        self.assertEqual(said.count("no result of"), 1)
        self.assertEqual(len(re.findall("no result(?! of)", said)), 2, "in place of each bar")

    def test_names_in_any_script(self):
        near = 'n\u00e4h\U0001f600"\\'
        self.sweep(STUDY.replace("near =", near + " ="), into="any.db")
        with sqlite3.connect(self.dir / "any.db") as file:
            file.execute("DELETE FROM runs WHERE id IN (SELECT run FROM results WHERE workload = ? AND machine != 'apu-micro18')", (near,))
        file.close()
        self.run_it("results", "any.db", *BASE, "--figure", "f.svg")
        self.assertIn(near, (self.dir / "f.py").read_text(encoding="utf-8").replace('\\"', '"').replace("\\\\", "\\"))
        self.assertIn("PARTIAL: no result of n\u00e4h\U0001f600", " ".join(self.words("f.svg")))

    def test_nothing_else_is_overwritten(self):
        self.run_it("results", "r.db", "--csv", "f.csv")
        self.assertIn("would overwrite f.csv, which is another table", self.draw("--figure", "f.svg", code=1).stderr)
        (self.dir / "f.csv").unlink()
        (self.dir / "f.py").write_text("print('mine')\n")
        self.assertIn("would overwrite f.py", self.draw("--figure", "f.svg", code=1).stderr)
        self.assertEqual(self.left(), ["f.py"])
        (self.dir / "f.py").unlink()
        (self.dir / "f.svg").symlink_to("r.db")
        self.assertIn("would overwrite the results", self.draw("--figure", "f.svg", code=1).stderr)

    def test_without_matplotlib(self):
        for name, script, says in (("bare", "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n", "matplotlib is not there (No module named 'matplotlib'): apt-get install python3-matplotlib"),
                                   ("none", None, "cannot be started: install python3 and python3-matplotlib")):
            if script:
                (self.dir / name).write_text(script)
                (self.dir / name).chmod(0o755)
            said = self.draw("--figure", "f.svg", code=2, WALKWAY_PYTHON=str(self.dir / name)).stderr
            self.assertIn(says, said)
            self.assertIn("script and data are written", said)
            self.assertIn("/usr/bin/python3 f.py", said)
            self.assertEqual(self.left(), ["f.csv", "f.py"])
        self.assertEqual(self.run_script("f.py").returncode, 0)
        self.assertEqual(self.left(), ["f.csv", "f.py", "f.svg"])

    def test_too_many_bars(self):
        self.sweep(STUDY.replace("= 2 8", "= 1..20").replace("repeats = 1\n", ""), into="many.db")
        said = self.run_it("results", "many.db", *BASE, "--figure", "f.svg", code=1).stderr
        self.assertIn("39 points are more than bars can tell apart, 32: choose some with --where", said)
        self.assertEqual(self.left(), [])
        self.run_it("results", "many.db", *BASE, "--figure", "f.svg", "--over", "walk_unit.walkers")


if __name__ == "__main__":
    unittest.main()
