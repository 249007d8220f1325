#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway results --baseline: ratios of the runs' own times, the mean, ranges of pairs, and missing runs, which are named and excluded from
means."""
import csv
import json
import math
import os
import re
import shutil
import sqlite3
import statistics
import unittest

from study_run import StudyTest

MACHINES = """[study]
platforms = apu-micro18 :walk_unit.walkers=32 :l2_tlb.entries=1024,l2_tlb.ways=16
[workloads]
near = gen:neighbourhood,waves=2,accesses=8
chase = gen:chase,waves=4,accesses=4
"""
AXES = """[workloads]
near = gen:neighbourhood,waves=2,accesses=8
chase = gen:chase,waves=4,accesses=4
[axes]
walk_unit.walkers = 2 8 32
walk_unit.coalesce = off full
"""
BASE = ("--baseline", "apu-micro18")
POINT = ("--baseline", "apu-micro18:walk_unit.walkers=8,walk_unit.coalesce=off")
WIDE = {"COLUMNS": "400"}


class SpeedupsTest(StudyTest):
    def setUp(self):
        super().setUp()
        self.env.pop("WALKWAY_PLATFORMS")

    def results(self, *words, code=0, **more):
        return self.run_it("results", "r.db", *words, code=code, **more)

    def rows(self, *words):
        return list(csv.DictReader(self.results("--csv", "-", *words).stdout.splitlines()))

    def seconds(self, repetition=0):
        """Returns seconds by workload, machine and axes' values."""
        sql = "SELECT r.run, r.workload, r.machine, m.value FROM results r JOIN measured m USING (run) WHERE m.name = 'seconds' AND r.repetition = ?"
        with sqlite3.connect(self.dir / "r.db") as file:
            at = lambda run: tuple(str(v) for v, in file.execute("SELECT c.value FROM run_parameters c JOIN axes a ON a.parameter = c.parameter WHERE c.run = ? ORDER BY a.number", (run,)))
            return {(w, m, *at(run)): s for run, w, m, s in file.execute(sql, (repetition,)).fetchall()}

    def change(self, sql):
        with sqlite3.connect(self.dir / "r.db") as file:
            file.execute(sql)
        file.close()

    def test_estimates_say_so_wherever_they_are_shown(self):
        of = "[workloads]\nu = gen:uniform,waves=640,accesses=400,lanes=2\ns = gen:uniform,waves=4,accesses=4\n"
        self.env["XDG_CACHE_HOME"] = str(self.dir / "cache")
        sampled = "[study]\nsample = windows=8,measure=4000,warm-up=5000{}\nplatforms = apu-micro18 :walk_unit.walkers=2\n" + of
        for end, checked in ((",check=no", []), ("", ["u"])):
            said = self.sweep(sampled.format(end)).stdout
            self.assertEqual(re.findall(r"SAMPLED: (\S+) on apu-micro18 was run whole, too", said), checked)
        self.assertEqual(self.sweep(sampled.format("")).stdout, said, "and that once")
        for words in ((), BASE, ("--best", "cycles"), ("--metric", "cycles", "--csv", "-")):
            done = self.results(*words)
            self.assertRegex(" ".join((done.stdout + done.stderr).split()), r"SAMPLED: [12] runs are estimates, cycles to \+- \d+\.\d % or better")
        best = list(csv.DictReader(self.results("--best", "cycles", "--csv", "-").stdout.splitlines()))
        self.assertEqual({r["workload"]: bool(r["cycles_half_width"]) for r in best}, {"u": True, "s": False})
        self.check_half_widths()
        with sqlite3.connect(self.dir / "r.db") as file:
            reasons = [r for r, in file.execute("SELECT reason FROM runs JOIN workloads w ON w.id = workload WHERE w.name = 's'")]
            self.assertTrue(reasons and all(r.startswith("Run whole, not sampled: ") for r in reasons), reasons)
        with sqlite3.connect(self.dir / "r.db") as file:
            values = dict(file.execute("SELECT s.name, m.value FROM runs r JOIN run_statistics m ON m.run = r.id JOIN statistics s ON s.id = m.statistic JOIN workloads w ON "
                                       "w.id = r.workload JOIN machines n ON n.id = r.machine WHERE w.name = 'u' AND n.label = 'apu-micro18' AND s.name LIKE 'cycles%' AND r.reason != ''"))
            [(whole,)] = file.execute("SELECT m.value FROM runs r JOIN measured m ON m.run = r.id JOIN workloads w ON w.id = r.workload WHERE w.name = 'u' AND r.reason = '' AND m.name = 'cycles'")
        self.run_it("run", "-q", "-o", "one", "gen:uniform,waves=640,accesses=400,lanes=2")
        self.assertEqual(json.loads((self.dir / "one/stats.json").read_text())["headline"]["cycles"]["value"], whole)
        off = values["cycles"] / whole - 1
        self.assertIn(f": {values['cycles']:,.0f} cycles +- {100 * values['cycles_half_width'] / values['cycles']:.1f} %, whole {whole:,}: off by {100 * off:+.1f} %", said)
        before = self.seconds()
        self.sweep("[study]\nplatforms = apu-micro18 :walk_unit.walkers=2\n" + of) # whole runs are separate runs
        with sqlite3.connect(self.dir / "r.db") as file:
            self.assertEqual(file.execute("SELECT count(*) FROM runs").fetchone(), (8,))
        self.assertEqual(len(before), 4)
        self.assertIn("study.cfg:2: --sample windows=3", self.sweep("[study]\nsample = windows=3\n" + of, code=1).stderr)

    def check_half_widths(self):
        """Those of pairs of windows, as compare has them; the mean's programs, of which only one was sampled, err independently."""
        self.run_it("compare", "-q", "--sample=windows=8,measure=4000,warm-up=5000", "--csv", "pair.csv", "apu-micro18", ":walk_unit.walkers=2",
                    "gen:uniform,waves=640,accesses=400,lanes=2")
        pair = list(csv.DictReader((self.dir / "pair.csv").read_text().splitlines()))[1]
        rows = {(r["workload"], r["point"]): r for r in self.rows(*BASE)}
        half = lambda workload: rows[workload, "apu-micro18:walk_unit.walkers=2"]["half_width"]
        self.assertAlmostEqual(float(half("u")), float(pair["speedup_half_width"]), places=6)
        self.assertEqual(half("s"), "", "it was run whole")
        self.assertEqual({r["half_width"] for (_, point), r in rows.items() if point == "apu-micro18"}, {""}, "the baseline over itself is exact")
        u, mean = (rows[w, "apu-micro18:walk_unit.walkers=2"] for w in ("u", "geometric mean"))
        self.assertAlmostEqual(float(half("geometric mean")) / float(mean["speedup"]), max(float(half("u")) / float(u["speedup"]) / 2, 0.02), places=6)
        text = self.results(*BASE, env=WIDE).stdout
        self.assertIn(f"{float(u['speedup']):.3f} +- {float(half('u')):.3f}", text)
        self.assertIn("After +-, half of the 95 % interval of sampled runs", " ".join(text.split()))
        self.check_half_widths_of_figures(rows)
        self.check_half_widths_of_older_files(u)

    def check_half_widths_of_older_files(self, u):
        """A file without windows has only each run's own half width, so that no two are pairs."""
        shutil.copy(self.dir / "r.db", self.dir / "old.db")
        with sqlite3.connect(self.dir / "old.db") as file:
            shares = [half / cycles for half, cycles in file.execute(
                "SELECT h.value, c.value FROM measured h JOIN measured c USING (run) JOIN results r USING (run) WHERE h.name = 'cycles_half_width' AND c.name = 'cycles' AND r.workload = 'u' "
                "GROUP BY r.machine")]
            file.executescript("DROP TABLE samples; PRAGMA user_version = 2")
        file.close()
        old = csv.DictReader(self.run_it("results", "old.db", "--csv", "-", *BASE).stdout.splitlines())
        found = {(r["workload"], r["point"]): r for r in old}["u", u["point"]]
        self.assertEqual(len(shares), 2)
        self.assertEqual(found["speedup"], u["speedup"])
        self.assertAlmostEqual(float(found["half_width"]), math.hypot(*shares) * float(u["speedup"]), places=9)
        self.assertGreater(float(found["half_width"]), float(u["half_width"]))

    def check_half_widths_of_figures(self, rows):
        """reproduce has those of results --baseline, and the mean's likewise."""
        (self.dir / "mine").mkdir()
        (self.dir / "mine/study.cfg").write_text("[study]\nplatform = apu-micro18\njudged = demo\nsample = windows=8,measure=4000,warm-up=5000,check=no\n[scales]\ndemo = small\n"
                                                 "[machines]\nbase = apu-micro18\ntwo = :walk_unit.walkers=2\n[groups]\nall = u s\n"
                                                 "[workloads demo]\nu = gen:uniform,waves=640,accesses=400,lanes=2\ns = gen:uniform,waves=4,accesses=4\n"
                                                 "[figures]\none = all: base two\n")
        (self.dir / "mine/figures.py").write_text("from walkway.study import Figure, over\n\n\ndef one(r):\n    two = r.speedup('two', 'base', 'two')\n"
                                                 "    return Figure('one', 3, [two], claims=[('u', over('more', float(two['u'])), two['u'])])\n\n\nFIGURES = {'one': one}\n")
        text = self.run_it("reproduce", "./mine", "-o", "mine.out").stdout
        [figure] = json.loads((self.dir / "mine.out/reproduce.json").read_text())["figures"]
        [bar], [claim] = figure["bars"], figure["claims"]
        self.assertEqual((claim["half_width"], claim["verdict"]), (bar["half_widths"]["u"], "undecided"))
        u, mean = (rows[w, "apu-micro18:walk_unit.walkers=2"] for w in ("u", "geometric mean"))
        self.assertAlmostEqual(bar["half_widths"]["u"], float(u["half_width"]), places=9)
        self.assertAlmostEqual(bar["half_widths"]["geometric_mean"], float(mean["half_width"]), places=9)
        self.assertNotIn("s", bar["half_widths"])
        self.assertGreaterEqual(bar["half_widths"]["arithmetic_mean"], 0.02 * bar["arithmetic_mean"])
        self.assertIn(f"{bar['values']['u']:.3f} +- {bar['half_widths']['u']:.3f}", text)
        self.assertIn("RUN WHOLE, not sampled: s on base, two: its windows would be ", " ".join(text.split()))
        table = list(csv.DictReader(self.run_it("reproduce", "./mine", "-o", "mine.out", "--kept", "--csv", "-").stdout.splitlines()))
        cells = {(r["kind"], r["program"]): (r["half_width"], r["verdict"]) for r in table}
        self.assertEqual(cells["ours", ""], (str(claim["half_width"]), "undecided"))
        self.assertEqual((cells["value", "u"], cells["value", "s"]), ((str(bar["half_widths"]["u"]), ""), ("", "")))

    def test_what_a_machine_costs_stands_beside(self):
        self.sweep(MACHINES)
        rows = self.rows(*BASE, "--cost", "walk_unit.walkers * 2 + l2_tlb.entries / 512")
        cost = {"apu-micro18": 17, "apu-micro18:walk_unit.walkers=32": 65, "apu-micro18:l2_tlb.entries=1024,l2_tlb.ways=16": 18}
        for row in rows:
            self.assertEqual(float(row["cost"]), cost[row["point"]])
            self.assertAlmostEqual(float(row["cost_ratio"]), cost[row["point"]] / 17)
        cycles = {(row["workload"], row["point"]): float(row["cost"]) for row in self.rows(*BASE, "--cost", "cycles")}
        for row in self.rows(*BASE, "--cost", "cycles"):
            base = cycles[row["workload"], "apu-micro18"]
            self.assertAlmostEqual(float(row["cost_ratio"]), float(row["cost"]) / base)
            if row["workload"] != "geometric mean":
                self.assertAlmostEqual(float(row["cost_ratio"]), 1 / float(row["speedup"]), msg="one clock: time is cycles")
            else:
                self.assertAlmostEqual(float(row["cost"]), (cycles["near", row["point"]] + cycles["chase", row["point"]]) / 2)
        self.change("DELETE FROM runs WHERE id = (SELECT run FROM results WHERE workload = 'chase' AND machine LIKE '%walkers=32')")
        [left] = [row for row in self.rows(*BASE, "--cost", "cycles") if row["workload"] == "geometric mean" and row["point"].endswith("walkers=32")]
        self.assertAlmostEqual(float(left["cost"]), cycles["near", left["point"]], msg="of the programs that the mean is of")
        text = self.results(*BASE, "--cost", "area").stdout
        self.assertIn("Cost: area; more than the baseline's, and over it.", " ".join(text.split()))
        table = self.results(*BASE, "--cost", "walk_unit.walkers * 2 + l2_tlb.entries / 512").stdout
        self.assertEqual([line.split()[-3:] for line in table.splitlines() if line.split()[-1:] and line.split()[-1].count(".") == 1 and line.split()[-3:][0] in ("17", "65", "18")],
                         [["17", "0", "1.000"], ["65", "48", "3.824"], ["18", "1", "1.059"]])
        [wide] = [float(row["cost_ratio"]) for row in self.rows(*BASE, "--cost", "area") if row["machine"].endswith("l2_tlb.ways=16") and row["workload"] == "geometric mean"]
        self.assertTrue(1 < wide < 1.1, wide)

    def test_machines_over_one(self):
        self.sweep(MACHINES)
        seconds, rows = self.seconds(), self.rows(*BASE)
        self.assertEqual([(r["workload"], r["machine"]) for r in rows[:4]], [("near", "apu-micro18"), ("chase", "apu-micro18"), ("geometric mean", "apu-micro18"),
                                                                             ("near", "apu-micro18:walk_unit.walkers=32")])
        for machine in {r["machine"] for r in rows}:
            of = {r["workload"]: float(r["speedup"]) for r in rows if r["machine"] == machine}
            for workload in ("near", "chase"):
                self.assertAlmostEqual(of[workload], seconds[workload, "apu-micro18"] / seconds[workload, machine], places=12)
            self.assertAlmostEqual(of["geometric mean"], math.sqrt(of["near"] * of["chase"]), places=12)
        listed = json.loads(self.results(*BASE, "--json").stdout)["rows"]
        self.assertEqual([(r["workload"], r["point"], r["status"]) for r in listed], [(r["workload"], r["point"], r["status"]) for r in rows])
        self.assertEqual([r["speedup"] for r in listed], [float(r["speedup"]) for r in rows])
        self.assertGreater(float(rows[4]["speedup"]), 1.5, "chase with four times the walkers")
        self.assertEqual({r["baseline"] for r in rows}, {"apu-micro18"})
        text = self.results(*BASE, env=WIDE).stdout
        self.assertIn("Speed-up over apu-micro18, of time.", text)
        self.assertRegex(text, rf"apu-micro18:walk_unit.walkers=32 +{float(rows[3]['speedup']):.3f} +{float(rows[4]['speedup']):.3f} +{float(rows[5]['speedup']):.3f}\n")
        self.assertNotIn("PARTIAL", text)

    def test_points_over_one_and_over_those_of_the_same_values(self):
        self.sweep(AXES)
        seconds = self.seconds()
        for baseline, base in ((POINT[1], lambda walkers, mode: ("8", "off")), ("apu-micro18:walk_unit.coalesce=off", lambda walkers, mode: (walkers, "off")),
                               (":walk_unit.walkers=8", lambda walkers, mode: ("8", mode))):
            rows = [r for r in self.rows("--baseline", baseline) if r["workload"] != "geometric mean"]
            self.assertEqual(len(rows), 12)
            for r in rows:
                at = (r["walk_unit.walkers"], r["walk_unit.coalesce"])
                self.assertAlmostEqual(float(r["speedup"]), seconds[(r["workload"], "apu-micro18", *base(*at))] / seconds[(r["workload"], "apu-micro18", *at)], places=12)
                self.assertEqual(r["baseline"], "apu-micro18:walk_unit.walkers={},walk_unit.coalesce={}".format(*base(*at)))

    def test_a_part_of_the_points(self):
        self.sweep(AXES)
        some = self.rows(*POINT, "--where", "walk_unit.coalesce=full", "--where", "workload=chase")
        self.assertEqual({(r["walk_unit.coalesce"], r["workload"]) for r in some}, {("full", "chase"), ("full", "geometric mean")})
        self.assertEqual(len(some), 6)
        whole = self.rows(*POINT)
        self.assertEqual([r["speedup"] for r in some if r["workload"] == "chase"], [r["speedup"] for r in whole if r["workload"] == "chase" and r["walk_unit.coalesce"] == "full"])

    def test_a_range_is_of_pairs(self):
        self.sweep(MACHINES.replace("platforms", "repeats = 2\nplatforms"))
        rows = {(r["workload"], r["machine"]): r for r in self.rows(*BASE)}
        times, machine = [self.seconds(i) for i in range(3)], "apu-micro18:walk_unit.walkers=32"
        ratios = {w: [t[w, "apu-micro18"] / t[w, machine] for t in times] for w in ("near", "chase")}
        ratios["geometric mean"] = [math.sqrt(a * b) for a, b in zip(*ratios.values())]
        for workload, expected in ratios.items():
            row = rows[workload, machine]
            for column, value in (("speedup", statistics.median(expected)), ("low", min(expected)), ("high", max(expected))):
                self.assertAlmostEqual(float(row[column]), value, places=12)
            self.assertEqual(row["runs"], "3")
        self.assertGreater(float(rows["near", machine]["high"]), float(rows["near", machine]["low"]))
        self.assertIn("median (low ... high) over perturbed runs", self.results(*BASE, env=WIDE).stdout)
        self.change("DELETE FROM runs WHERE id = (SELECT run FROM results WHERE repetition = 2 AND workload = 'near' AND machine = 'apu-micro18:walk_unit.walkers=32')")
        said = self.results(*BASE, env=WIDE).stdout
        self.assertIn("PARTIAL: ranges over fewer perturbed runs than others: near on apu-micro18:walk_unit.walkers=32 (2 of 3)", said)
        self.assertEqual({(r["workload"], r["machine"]): r["runs"] for r in self.rows(*BASE)}["geometric mean", machine], "2", "the mean is of pairs that are whole")

    def test_what_is_missing_is_named_and_in_no_mean(self):
        self.sweep(MACHINES)
        before = {(r["workload"], r["machine"]): r["speedup"] for r in self.rows(*BASE)}
        self.change("DELETE FROM runs WHERE id = (SELECT run FROM results WHERE workload = 'near' AND machine = 'apu-micro18:walk_unit.walkers=32')")
        text = self.results(*BASE, env=WIDE).stdout
        self.assertIn("PARTIAL: no result of near on apu-micro18:walk_unit.walkers=32 (missing)", text)
        self.assertIn("PARTIAL: the geometric mean is over 1 of 2 programs, those with a result on all machines shown: chase", text)
        said = self.results(*BASE, "--csv", "-")
        self.assertIn("PARTIAL: no result of near", said.stderr)
        rows = {(r["workload"], r["machine"]): r for r in csv.DictReader(said.stdout.splitlines())}
        self.assertEqual((rows["near", "apu-micro18:walk_unit.walkers=32"]["speedup"], rows["near", "apu-micro18:walk_unit.walkers=32"]["status"]), ("", "missing"))
        other = "apu-micro18:l2_tlb.entries=1024,l2_tlb.ways=16"
        self.assertEqual(rows["near", other]["speedup"], before["near", other])
        for machine in (other, "apu-micro18:walk_unit.walkers=32"):
            self.assertEqual(float(rows["geometric mean", machine]["speedup"]), float(before["chase", machine]))
            self.assertEqual(rows["geometric mean", machine]["status"], "PARTIAL: over 1 of 2 workloads")
        self.change("UPDATE runs SET status = 'failed', reason = 'a law' WHERE id = (SELECT run FROM results WHERE workload = 'chase' AND machine = 'apu-micro18')")
        text = self.results(*BASE, env=WIDE).stdout
        self.assertIn("chase on apu-micro18 (failed: a law)", text)
        self.assertIn(f"chase on {other} (the baseline, apu-micro18, has none)", text)
        self.assertIn("no geometric mean: no program has a result on all machines shown", text)

    def test_a_point_without_a_baseline_is_named(self):
        self.sweep(AXES + "[constraints]\nfew = walk_unit.walkers < 32 or walk_unit.coalesce == full\n")
        text = self.results("--baseline", "apu-micro18:walk_unit.coalesce=off", env=WIDE).stdout
        self.assertIn("PARTIAL: no result of near on apu-micro18:walk_unit.walkers=32,walk_unit.coalesce=full (there is no baseline of these values)", text)
        rows = self.rows("--baseline", "apu-micro18:walk_unit.coalesce=off")
        self.assertEqual([(r["baseline"], r["speedup"], r["status"]) for r in rows if r["walk_unit.walkers"] == "32"][:2], [("", "", "no baseline")] * 2)

    def test_a_part_of_a_program_is_said(self):
        whole = os.path.join(os.environ["WALKWAY_SOURCE"], "waveforms/atax-512.wkt")
        self.run_it("trace", "save", "--groups", "0-1", "-o", "part.wkt", whole)
        self.sweep("[study]\nplatforms = apu-micro18 :walk_unit.walkers=32\n[workloads]\npart = part.wkt\nwhole = gen:chase,waves=2,accesses=4\n")
        self.assertRegex(self.results(*BASE, env=WIDE).stdout, r"PARTIAL: part is 4 of 16 work-groups, 2 of 2 launches .a part of a trace, saved")

    def test_runs_of_two_models_are_not_mixed_silently(self):
        self.sweep(MACHINES)
        self.change("INSERT INTO builds(version, git, model) SELECT version, git, 'other' FROM builds")
        self.change("UPDATE runs SET build = 2 WHERE id = 1")
        self.assertIn("PARTIAL: the runs are of 2 revisions of the model", self.results(*BASE, env=WIDE).stdout)

    def test_two_traces_of_one_name_are_two_programs(self):
        self.sweep(MACHINES)
        self.sweep(MACHINES.replace("accesses=8", "accesses=12"))
        rows = self.rows(*BASE)
        self.assertEqual(len([r for r in rows if re.fullmatch(r"near \([0-9a-f]{8}\)", r["workload"])]), 6)
        self.assertEqual(len([r for r in rows if r["workload"] == "chase"]), 3)

    def test_accounts(self):
        self.sweep(MACHINES)
        rows = self.rows(*BASE, "--kind", "stack")
        for (workload, machine), latency in {(w, m): v for w, m, v in self.ask(
                "SELECT workload, machine, value FROM results JOIN measured USING (run) WHERE name = 'translation_latency_mean'")}.items():
            self.assertAlmostEqual(sum(float(r["cycles"]) for r in rows if (r["workload"], r["machine"]) == (workload, machine)), latency, delta=1e-6 * latency)
        self.assertRegex(self.results(*BASE, "--kind", "stack", env=WIDE).stdout, r"\[2\] near on apu-micro18:walk_unit.walkers=32\n")
        self.sweep(MACHINES.replace("platforms", "record = walk_unit.*\nplatforms"), into="s.db")
        self.assertIn("PARTIAL: of near on apu-micro18 the study did not record account.*", self.run_it("results", "s.db", *BASE, "--kind", "stack", env=WIDE).stdout)

    def test_bad_questions(self):
        self.sweep(AXES)
        for words, says in ((("--baseline", "apu-micro81"), "no such machine in the results (did you mean 'apu-micro18'?)"),
                            (("--baseline", "apu-micro18:walk_unit.walker=8"), "'walk_unit.walker' is no axis of the results (did you mean 'walk_unit.walkers'?)"),
                            (("--baseline", "apu-micro18:walk_unit.coalesce=Full"), "no point has walk_unit.coalesce=Full (did you mean 'full'?)"),
                            (BASE, "there is nothing else to compare with it: name a point's values"),
                            ((*POINT, "--best", "cycles"), "one question at a time"), (("--figure", "a.svg"), "--figure belongs to --baseline"),
                            ((*POINT, "--kind", "bar"), "is bars, lines or stack (did you mean 'bars'?)"), ((*POINT, "--kind", "lines"), "lines want one"),
                            ((*POINT, "--over", "walk_unit.walker"), "is no axis of the results (did you mean 'walk_unit.walkers'?)"),
                            ((*POINT, "--where", "workload=nea"), "(did you mean 'near'?)"), ((*POINT, "--where", "near"), "wants NAME=VALUE"),
                            ((*POINT, "--figure", "a.jpg"), "ends in .svg, .pdf or .png"), ((*POINT, "--figure", "r.db"), "would overwrite the results")):
            self.assertIn(says, self.results(*words, code=1).stderr)
        self.assertEqual([p.name for p in self.dir.iterdir() if p.suffix in (".csv", ".py", ".svg")], [])


if __name__ == "__main__":
    unittest.main()
