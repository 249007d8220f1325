#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A user's own study with figures: machines, scales, pairs and windows of study.cfg, here and as jobs of a cluster (with a stand-in for
Snakemake; scripts/try_slurm uses the real one), and messages about a wrong one."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import unittest

from snakemake_stand_in import add_stand_in
from study_run import StudyTest
from walkway_run import ENOUGH, few_resources

STUDY = """[study]
text = How many walkers?
extends = ../programs.cfg
platform = fake
judged = full
[changes]
off = walk_unit.coalesce=off
full = walk_unit.coalesce=full
[machines]
{2,4}/{off,full} = :walk_unit.walkers={1},<{2}>
other = fake:walk_unit.walkers=8
[beside]
A+B = A B
[groups]
both = A+B
[settings demo]
walk_unit.buffer_entries = 64
walk_unit.walkers = 1
[figures]
speed = all: */off */full
pairs = both +all: {2,4}/off other
[figures on demand]
more = all: other
"""
PROGRAMS = """[scales]
demo = small
full = large
[groups]
all = A B
[workloads demo]
A = gen:stride,waves=2
B = gen:stride,waves=4
[workloads full]
A = t.wkt
B = gen:stride,waves=8
[windows full]
B = --measure 10cycles
"""
FIGURES = """from walkway.study import Figure, about, over

def speed(r):
    bars = [r.speedup(f"{n} walkers", f"{n}/off", f"{n}/full") for n in (2, 4)]
    return Figure("of coalescing", 3, bars, claims=[("mean", over("more", 1.0), bars[0].mean())])

FIGURES = {"speed": speed, "pairs": lambda r: Figure("of pairs", 0, [r.bar("cycles", "other", lambda run: run["cycles"])]),
           "more": lambda r: Figure("more", 0, [r.bar("walks", "other", lambda run: run["walk_unit.walk_requests"])])}
"""


class ReproduceTest(StudyTest):
    def setUp(self):
        super().setUp()
        (self.dir / "mine").mkdir()
        self.write(STUDY)
        (self.dir / "programs.cfg").write_text(PROGRAMS)
        (self.dir / "mine/figures.py").write_text(FIGURES)

    def write(self, text):
        (self.dir / "mine/study.cfg").write_text(text)

    def reproduce(self, *words, into="r", code=0, **more):
        return self.run_it("reproduce", "./mine", "-o", into, *words, code=code, **more)

    def report(self, folder="r"):
        return json.loads((self.dir / folder / "reproduce.json").read_text())

    def cycles(self, trace, machine):
        self.run_it("run", "-q", "-p", machine, "-o", "one", trace)
        return json.loads((self.dir / "one/stats.json").read_text())["headline"]["cycles"]["value"]

    # -- the meaning of study.cfg

    def test_numbers_are_those_of_runs(self):
        self.reproduce()
        report = self.report()
        self.assertEqual([(r["program"], r["machine"]) for r in report["runs"]],
                         [(p, m) for p in ("A", "B") for m in ("2/off", "2/full", "4/off", "4/full", "other")] + [("A+B", m) for m in ("2/off", "4/off", "other")])
        [two, four] = report["figures"][0]["bars"]
        for bar, walkers in ((two, 2), (four, 4)):
            off, full = (self.cycles("gen:stride,waves=2", f"fake:walk_unit.walkers={walkers},walk_unit.buffer_entries=64,walk_unit.coalesce={c}") for c in ("off", "full"))
            self.assertAlmostEqual(bar["values"]["A"], off / full)
        self.assertEqual(list(report["figures"][1]["bars"][0]["values"]), ["A+B"])
        self.assertEqual(report["changes"], ["walk_unit.buffer_entries=64, by --scale demo", "walk_unit.walkers=1, by --scale demo"])
        self.assertEqual(self.ask("SELECT DISTINCT machine, s.name, s.value FROM results r JOIN settings s ON s.run = r.run WHERE machine = '2/off' AND s.name IN "
                                  "('walk_unit.buffer_entries', 'walk_unit.coalesce', 'walk_unit.walkers') ORDER BY s.name", "r/results.db"),
                         [("2/off", "walk_unit.buffer_entries", 64), ("2/off", "walk_unit.coalesce", "off"), ("2/off", "walk_unit.walkers", 2)],
                         "a machine's own before the scale's")

    def test_a_scale_has_its_sizes_and_windows(self):
        said = self.reproduce("--scale", "full", "--figures", "speed", code=1) # this machine has no windows
        self.assertIn("4 failed (B on 2/off): --warm-up, --measure: this machine has no windows", said.stderr)
        said = said.stdout
        self.assertIn("B  gen:stride,waves=8; --measure 10cycles", said)
        self.assertIn("PARTIAL: a window of 1 program", said)
        self.assertFalse(self.report()["judged"], "not of windows")
        judged = self.reproduce("--scale", "full", "--programs", "A", "--figures", "speed").stdout
        self.assertIn("matched", judged)
        self.assertIn("PARTIAL: 1 of the study's 2 programs", judged)

    def test_workloads_have_braces_and_changes_as_machines_have_and_groups_have_patterns(self):
        programs = PROGRAMS.replace("A = gen:stride,waves=2\nB = gen:stride,waves=4", "A{1..5+2}-{x,y} = gen:stride,waves={1},<{2}>\nC{4..16*2} = gen:stride,waves={1}").replace("all = A B", "all = A*-y C*")
        (self.dir / "programs.cfg").write_text(programs + "[changes]\nx = lanes=3\ny = lanes=5\n")
        self.write(STUDY.replace("A+B = A B", "A+B = A1-x A3-y"))
        self.reproduce("--figures", "speed")
        report = self.report()
        self.assertEqual([(p["code"], p["command"]) for p in report["programs"]],
                         [(f"A{n}-y", f"gen:stride,waves={n},lanes=5") for n in (1, 3, 5)] + [(f"C{n}", f"gen:stride,waves={n}") for n in (4, 8, 16)])

    def test_of_many_programs_the_text_lists_forty(self):
        (self.dir / "programs.cfg").write_text(PROGRAMS.replace("A = gen:stride,waves=2\n", "A = gen:stride,waves=2\nC{1..45} = gen:stride,waves={1}\n").replace("all = A B", "all = A B C*"))
        self.assertIn("and 7 more; reproduce.json has them all", self.reproduce("--figures", "speed").stdout)
        self.assertEqual(len(self.report()["programs"]), 47)
        said = self.reproduce("--programs", "C46", code=1).stderr
        self.assertIn("--programs C46: is none of the study's (did you mean 'C4'?); there are A, C1, C2, ", said)
        self.assertTrue(said.endswith(", C39 and 8 more\n"), said)

    def test_the_help_counts_workloads_that_are_too_many_to_name(self):
        """Uses a copy of this program that finds a study beside it, as if shipped with it."""
        (self.dir / "bin").mkdir()
        program = shutil.copy(os.environ["WALKWAY_PROGRAM"], self.dir / "bin/walkway")
        of_its_own = self.dir / "share/walkway/studies/mine"
        of_its_own.parent.mkdir(parents=True)
        shutil.move(self.dir / "mine", of_its_own)
        lines = {"A gen": "A = gen:stride,waves=2\n", "B gen": "B = gen:stride,waves=4\n", "A file": "A = t.wkt\n", "B file": "B = t.wkt\n"}
        for of, n, says in (("gen", 39, "small: 41 made-up traces\n"), ("file", 39, "small: 39 made-up traces, 2 programs\n"), ("gen", 2, "small: gen:stride,waves=2, ")):
            text = PROGRAMS.replace(lines["A gen"] + lines["B gen"], lines["A " + of] + lines["B " + of] + f"C{{1..{n}}} = gen:stride,waves={{1}}\n")
            (of_its_own.parent / "programs.cfg").write_text(text)
            said = subprocess.run([program, "reproduce", "--help"], capture_output=True, text=True, check=True, env=dict(os.environ, COLUMNS="300")).stdout
            self.assertIn("\nmine: How many walkers?\n", said)
            self.assertIn(says, said)

    def test_of_the_other_study_s_groups_only_what_is_of_its_own_programs_counts(self):
        programs = PROGRAMS.replace("all = A B", "all = A* B*").replace("[groups]", "[beside]\nA+B = A B\n[groups]\nboth = A+B")
        (self.dir / "programs.cfg").write_text(programs)
        alone = STUDY.replace("judged", "programs = A\njudged").replace("[beside]\nA+B = A B\n[groups]\nboth = A+B\n", "").replace("pairs = both +all: {2,4}/off other\n", "")
        self.write(alone)
        self.reproduce()
        self.assertEqual(self.report()["groups"], {"all": ["A"], "both": []})
        for old, new, says in (("A+B = A B", "A+B = A C", "programs.cfg:5: no workload 'C'"), ("both = A+B", "both = A+C", "programs.cfg:7: no workload 'A+C' (did you mean 'A+B'?)"),
                               ("all = A* B*", "all = C*", "programs.cfg:8: 'C*' is none of the study's"),
                               ("[windows full]\nB", "[windows demo]\nC", "no workload 'C'")):
            (self.dir / "programs.cfg").write_text(programs.replace(old, new))
            self.assertIn(says, self.reproduce(code=1).stderr)

    def test_several_scales_may_be_judged(self):
        self.write(STUDY.replace("judged = full", "judged = full demo"))
        self.assertIn("matched", self.reproduce("--figures", "speed").stdout)
        self.assertTrue(self.report()["judged"])

    def test_figures_on_demand_and_by_name(self):
        self.reproduce("--sensitivity")
        self.assertEqual([f["id"] for f in self.report()["figures"]], ["more"])
        self.assertEqual({r["machine"] for r in self.report()["runs"]}, {"other"})
        self.assertIn("2 runs, 2 of them kept", self.reproduce("--figures", "more").stderr)

    def test_a_sweep_of_it_is_all_that_its_figures_need(self):
        self.assertIn("13 points: 13 runs to do", self.run_it("sweep", "mine/study.cfg", "--dry-run").stdout)
        self.run_it("sweep", "mine/study.cfg", "-q", "--scale", "full", "--points", "1", "-o", "s.db")
        self.assertEqual(self.ask("SELECT w.trace, r.machine FROM results r JOIN workloads w ON w.name = r.workload", "s.db"), [("t.wkt", "2/off")])
        self.assertIn("--scale ful", self.run_it("sweep", "mine/study.cfg", "--scale", "ful", "--dry-run", code=1).stderr)

    def test_what_changed_is_another_run(self):
        keys = lambda *words: {r["key"] for r in (self.reproduce("-q", *words), self.report())[1]["runs"]}
        pairs = keys("--figures", "pairs")
        self.assertEqual(len(pairs), 9)
        self.write(STUDY.replace("A+B = A B", "A+B = B A"))
        self.assertEqual(len(pairs & keys("--figures", "pairs")), 6, "another one beside")
        self.write(STUDY + "[events]\nother = at cycle 10 flush all; at cycle 20 flush all\n")
        events = keys("--figures", "pairs", "--kept")
        self.assertEqual(len(pairs & events), 6, "events")
        self.write(STUDY + "[events]\n{other,oth*} = at cycle 10 flush all; at cycle 20 flush all\n")
        self.assertEqual(keys("--figures", "pairs", "--kept"), events, "of one machine once")

    def test_what_is_of_another_scale_or_setting_stands_apart_in_the_results(self):
        for words in ((), ("--scale", "full", "--programs", "A"), ("--set", "pages.seed=7")):
            self.reproduce("-q", "--figures", "speed", *words)
        best = self.run_it("results", "r/results.db", "--best", "cycles", "-n", "100", "--csv", "-").stdout
        names = {tuple(line.split(",")[:2]) for line in best.splitlines()[1:]}
        self.assertEqual({workload[:3] for workload, _ in names}, {"A (", "B"})
        self.assertEqual(len({workload for workload, _ in names}), 3, "A at two scales")
        self.assertEqual(len({machine for _, machine in names if machine.startswith("2/off (")}), 3, "as it is, at another scale, set")
        self.assertTrue(all(line.split(",")[-1] == "1" for line in best.splitlines()[1:]), "none is another one's perturbation")
        self.assertEqual(self.ask("SELECT count(*) FROM studies", "r/results.db"), [(3,)])

    def test_a_machine_s_own_settings_count_before_the_scale_s(self):
        (self.dir / "s.cfg").write_text("[study]\nplatforms = fake fake:walk_unit.walkers=2\n[scales]\nsmall = x\n[settings small]\nwalk_unit.walkers = 4\n[workloads]\nt = t.wkt\n")
        self.run_it("sweep", "s.cfg", "-q", "-o", "s.db")
        self.assertEqual(sorted(self.ask("SELECT machine, value FROM results r JOIN settings s ON s.run = r.run WHERE s.name = 'walk_unit.walkers'", "s.db")),
                         [("fake", 4), ("fake:walk_unit.walkers=2", 2)])

    def test_one_that_extends_another_is_known_by_what_both_say(self):
        (self.dir / "base.cfg").write_text("[workloads]\nt = t.wkt\n[axes]\nwalk_unit.walkers = 1 2\n")
        (self.dir / "s.cfg").write_text("[study]\nextends = base.cfg\nplatforms = fake\n[axes]\nwalk_unit.walkers = 4 8\n")
        self.run_it("sweep", "s.cfg", "-q", "-o", "s.db")
        self.assertEqual(self.ask("SELECT DISTINCT value FROM run_parameters ORDER BY value", "s.db"), [(4,), (8,)], "its own before the other's")
        with sqlite3.connect(self.dir / "s.db") as file:
            file.execute("DELETE FROM runs WHERE id = 2")
        self.assertIn("walk_unit.walkers=8", self.run_it("results", "s.db", "--baseline", "fake:walk_unit.walkers=4").stdout, "of one that is missing")

    def test_ranges_are_of_the_same_perturbations(self):
        self.reproduce("-q", "--ranges=2", "--figures", "speed")
        report = self.report()
        self.assertEqual({r["repetition"] for r in report["runs"]}, {0, 1, 2})
        self.assertEqual(report["figures"][0]["bars"][0]["values"]["A"]["runs"], 3)

    def test_what_is_wrong_is_named_with_its_line(self):
        for old, new, says in (("<{2}>", "<{3}>", "mine/study.cfg:10: '{3}': '{2,4}/{off,full}' has 2 braces"),
                               ("<{2}>", "<{2}l>", "mine/study.cfg:10: no [changes] 'offl' (did you mean 'off'?)"),
                               ("{2,4}/{off", "{2,4/{off", "mine/study.cfg:10: "),
                               ("other =", 5 * ("{" + ",".join(map(str, range(10))) + "}") + " =", "are more than 10000"),
                               ("other =", 30 * ("{" + ",".join(map(str, range(10))) + "}") + " =", "are more than 10000"),
                               ("other = fake:walk", "other = fak:walk", "mine/study.cfg:11: unknown machine 'fak' (did you mean 'fake'?)"),
                               ("other =", "2/off =", "mine/study.cfg:11: machine '2/off' is there twice"),
                               ("A+B = A B", "A+B = A C", "mine/study.cfg:13: no workload 'C'"),
                               ("A+B = A B", "A = A B", "mine/study.cfg:13: workload 'A' is there twice at this scale"),
                               ("judged = full", "programs = A B A", "mine/study.cfg:5: workload 'A' is there twice at this scale"),
                               ("{2,4}/off other", "{5,6}/off other", "mine/study.cfg:21: '{5,6}/off' is none of the study's"),
                               ("A+B = A B", "A+B = A", "mine/study.cfg:13: 'A+B' wants the names of two workloads or more"),
                               ("both = A+B", "both = A+C", "mine/study.cfg:15: no workload 'A+C' (did you mean 'A+B'?)"),
                               ("both = A+B", "both = C*", "mine/study.cfg:15: 'C*' is none of the study's"),
                               ("{2,4}/{off", "{5..1}/{off", "mine/study.cfg:10: '5..1' ends before it begins"),
                               ("{2,4}/{off", "{1..x}/{off", "mine/study.cfg:10: '1..x': 'x' is not a whole number"),
                               ("{2,4}/{off", "{1..20000}/{off", "mine/study.cfg:10: '{1..20000}/{off,full}' are more than 10000"),
                               ("settings demo", "settings dmeo", "mine/study.cfg:17: [settings dmeo]: 'dmeo' is no scale (did you mean 'demo'?)"),
                               ("speed = all:", "speed = al:", "mine/study.cfg:20: no [groups] 'al' (did you mean 'all'?)"),
                               ("*/off */full", "*/of", "mine/study.cfg:20: '*/of' is none of the study's"),
                               ("speed = all: */off */full", "speed = all", "mine/study.cfg:20: a figure is 'ID = GROUPS: MACHINES'"),
                               ("[figures]", "[figure]", "unknown section [figure] (did you mean 'figures'?)"),
                               ("../programs.cfg", "../program.cfg", "mine/study.cfg:3: program.cfg: cannot be read"),
                               ("../programs.cfg", "study.cfg", "'extends' goes round in a circle"),
                               ("[changes]", "[events]\nothr = at cycle 1 flush all\n[changes]", "mine/study.cfg:7: 'othr' is none of the study's (did you mean 'other'?)"),
                               ("[changes]", "[windows demo]\nA = --measure\n[changes]", "mine/study.cfg:7: '--measure': a window is"),
                               ("[changes]", "[windows demo]\nA = --measure 3parsecs\n[changes]", "mine/study.cfg:7: --measure 3parsecs"),
                               ("[changes]", "[workloads]\nA = t.wkt\n[changes]", "is there twice at this scale"),
                               ("judged = full", "judged = ful", "mine/study.cfg:5: judged = ful: is no scale (did you mean 'full'?)"),
                               ("judged = full", "record = account.*", "mine/study.cfg:5: record: figures may want every statistic"),
                               ("judged = full", "by = kernel", "mine/study.cfg:5: by: the page of a study with figures has no tables by part of the program"),
                               ("[changes]", "[axes]\nwalk_unit.walkers = 1 2\n[changes]", "mine/study.cfg:7: a study with figures names its machines")):
            with self.subTest(new):
                self.write(STUDY.replace(old, new, 1))
                self.assertIn(says, self.reproduce(code=1, preexec_fn=few_resources).stderr)
                self.assertFalse((self.dir / "r").exists())

    def test_the_picture_s_script_and_data_are_beside_it_to_be_changed(self):
        self.assertIn("figure: f.svg, and beside it its data (.json) and the script that draws it (.py)", self.reproduce("--svg", "f.svg").stdout)
        self.assertEqual(json.loads((self.dir / "f.json").read_text()), self.report())
        first, script = (self.dir / "f.svg").read_bytes(), (self.dir / "f.py").read_text()
        self.assertIn(b"speed: of coalescing", first)
        (self.dir / "f.svg").unlink()
        draw = lambda *words: subprocess.run(["/usr/bin/python3", "f.py", *words], cwd=self.dir, check=True, timeout=300)
        draw()
        self.assertEqual((self.dir / "f.svg").read_bytes(), first)
        (self.dir / "f.py").write_text(script.replace('of["id"] + ": "', '"figure " + of["id"] + ": "'))
        draw("g.svg")
        self.assertIn("figure speed: of coalescing", (self.dir / "g.svg").read_text())
        self.assertIn("would overwrite f.py, which is not as it was written", self.reproduce("--kept", "--svg", "f.svg", code=1).stderr)
        (self.dir / "f.py").write_text(script.replace("# written by walkway;", "# written by walkway results --figure;", 1)) # as older ones begin
        self.reproduce("--kept", "--figures", "pairs", "--svg", "f.svg") # an unchanged script and a report are replaced
        self.assertNotIn("of coalescing", (self.dir / "f.svg").read_text())
        for taken in ("r/reproduce.svg", "r/study.svg"):
            self.assertIn("is a result of the command itself", self.reproduce("--kept", "--svg", taken, code=1).stderr)
        (self.dir / "f.json").write_text("{}")
        self.assertIn("would overwrite f.json, which is no study's report", self.reproduce("--kept", "--svg", "f.svg", code=1).stderr)
        self.assertEqual((self.dir / "f.json").read_text(), "{}")

    def test_a_folder_that_cannot_be_reached_is_named(self):
        (self.dir / "loop").symlink_to("loop")  # the superuser cannot reach it either
        self.assertIn("walkway: loop/r: ", self.reproduce(into="loop/r", code=4).stderr)

    def test_questions_that_have_no_answer(self):
        for words, says in ((("--scale", "ful"), "--scale ful"), (("--figures", "sped"), "--figures sped: is none of the study's (did you mean 'speed'?); there are speed, pairs, more"),
                            (("--figures", "pairs", "--programs", "B"), "the figures show none of them"), (("--svg", "x.txt"), "wants a name that ends in .svg, .pdf or .png"),
                            (("--programs", "A+B"), "--programs A+B: runs beside A, which has to be named, too"),
                            (("-p", "fake:walk_unit.walkers=3"), "mine compares machines of its own"),
                            (("--sample",), "'A+B' is programs that run at a time, which cannot be sampled"),
                            (("--kept", "--cluster", "slurm"), "--kept and --cluster: one of them"), (("--batch-seconds", "3"), "--batch-seconds belongs to --cluster"),
                            (("--batch", "1", "--csv", "-"), "--csv: a job of the study's prints no figures")):
            with self.subTest(words):
                self.assertIn(says, self.reproduce(*words, code=1).stderr)
        self.assertIn("mine/study.cfg: has figures, and they want all their runs", self.run_it("search", "mine/study.cfg", "-o", "s.db", code=1).stderr)
        self.write(STUDY.split("[figures]")[0])
        self.assertIn("has no [figures]; 'walkway sweep' runs a study without", self.reproduce(code=1).stderr)

    def test_what_is_wrong_in_figures_py_is_named_with_its_line_before_anything_runs(self):
        said = lambda *words: self.reproduce(*words, code=2).stderr
        self.write(STUDY.replace("more = all", "moore = all"))
        self.assertIn("no figure moore in FIGURES, which study.cfg has; there are speed, pairs, more", said("--figures", "moore"))
        self.write(STUDY)
        figures = self.dir / "mine/figures.py"
        for text, says in (("import walkwai\n", "figures.py:1: ModuleNotFoundError: No module named 'walkwai'"), ("\n\nFIGURES = {(\n", "figures.py:3: SyntaxError: "),
                           ("import json\n", "AttributeError: module 'figures' has no attribute 'FIGURES'")):
            figures.write_text(text)
            self.assertIn(says, said())
        figures.unlink()
        self.assertIn("mine/figures.py: is not there: it makes the figures", said())
        self.assertFalse((self.dir / "r").exists())

    def test_names_that_are_nearly_right(self):
        figures = self.dir / "mine/figures.py"
        figures.write_text(FIGURES.replace('f"{n}/off"', 'f"{n}/of"'))
        self.assertIn("figures.py:4: KeyError: no machine '2/of' among those that study.cfg says the figure needs (did you mean '2/off'?)", self.reproduce(code=2).stderr)
        figures.write_text(FIGURES.replace('run["cycles"]', 'run["cycels"]'))
        self.assertIn("No run has 'cycels' (did you mean 'cycles'?).", " ".join(self.reproduce("--figures", "pairs").stdout.split()))
        figures.write_text("import beside\n" + FIGURES)
        (self.dir / "mine/beside.py").write_text("")
        self.assertNotIn("No run has", self.reproduce().stdout)

    # -- as jobs of a cluster

    def on_cluster(self, *words, code=0, **more):
        self.env["PATH"] = f"{add_stand_in(self.dir)}:{os.environ['PATH']}"
        return self.reproduce("--cluster", "slurm", *words, code=code, **more)

    def test_runs_are_jobs_and_the_numbers_the_same(self):
        said = self.on_cluster("--batch-seconds", "1", "--ranges=1")
        self.assertIn("26 points: 26 runs to do", said.stderr)
        here = self.reproduce("--ranges=1", into="here")
        self.assertEqual(self.report(), self.report("here"))
        self.assertEqual(said.stdout.replace("r/", "here/"), here.stdout)
        self.assertEqual(self.measured("r/results.db"), self.measured("here/results.db"))
        self.assertFalse((self.dir / "r/results.db.runs").exists())
        shutil.rmtree(self.dir / "bin")
        self.assertIn("26 points: 0 runs to do", self.on_cluster("--ranges=1").stderr)

    @unittest.skipUnless(os.environ["WALKWAY_CAPTURES"] == "1", "built without capture")
    def test_what_runs_beside_others_follows_when_all_are_captured(self):
        program = pathlib.Path(os.environ["WALKWAY_PROGRAM"]).parents[2] / "workloads" / "atax"
        (self.dir / "programs.cfg").write_text(PROGRAMS.replace("A = gen:stride,waves=2", f"A = program {program} 32"))
        said = self.on_cluster("-q").stderr
        self.assertIn("to be captured first, for more: A\n", said)
        self.assertEqual(self.report()["missing"], 0)
        self.assertEqual(self.report()["programs"][2], {"code": "A+B", "command": f"{program} 32", "beside": ["B"]})

    @unittest.skipUnless(os.environ["WALKWAY_CAPTURES"] == "1", "built without capture")
    def test_a_batch_that_fails_keeps_no_pair_from_running(self):
        program = pathlib.Path(os.environ["WALKWAY_PROGRAM"]).parents[2] / "workloads" / "atax"
        (self.dir / "programs.cfg").write_text(PROGRAMS.replace("A = gen:stride,waves=2", f"A = program {program} 32"))
        self.write(STUDY.replace("other = fake:", "other = fake:fault.crash=true,"))
        self.on_cluster("-q", code=3)
        keys = {(r["program"], r["machine"]): r["key"] for r in self.report()["runs"]}
        done = {key for key, in self.ask("SELECT key FROM runs WHERE status = 'done'", "r/results.db")}
        self.assertEqual({of for of, key in keys.items() if key not in done}, {(p, "other") for p in ("A", "B", "A+B")})

    def test_one_that_is_interrupted_goes_on(self):
        slow = ("--set", "fault.slow_ms=400", "-q", "--batch-seconds", "1")
        self.env["PATH"] = f"{add_stand_in(self.dir)}:{os.environ['PATH']}"
        with self.start("reproduce", "./mine", "-o", "r", "--cluster", "slurm", *slow) as child:
            self.wait_for(lambda: list(self.dir.glob("r/results.db.runs/*.run")))
            self.assertIn("another walkway writes its results there", self.on_cluster(*slow, code=4).stderr)
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=ENOUGH)[1]
        self.assertEqual(child.returncode, 130, said)
        self.on_cluster(*slow)
        self.assertEqual(self.report()["missing"], 0)

    def test_a_batch_that_dies_is_said_and_its_runs_are_missing(self):
        said = self.on_cluster("-q", code=3, env={"DIE": "99"})
        self.assertIn("its batch did not do it, begun 3 times: it was ended from outside", said.stderr)
        self.assertIn("WITHOUT RESULT", said.stdout)
        self.on_cluster("-q")
        self.assertEqual(self.report()["missing"], 0)


if __name__ == "__main__":
    unittest.main()
