#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""study.cfg: the points that it means, and the messages about a wrong one, before anything runs."""
import os
import resource
import unittest

from study_run import WALKERS, StudyTest
from walkway_run import few_resources


class StudyFileTest(StudyTest):
    def points(self, text):
        """Returns the table of --dry-run, without head and last lines, and all output."""
        said = self.run_it("sweep", self.study(text), "--dry-run", env={"COLUMNS": "300"}).stdout
        return [line.split()[1:] for line in said.splitlines() if line[:1].isdigit() and "points:" not in line], said

    def axes(self, lines):
        return [p[2:] for p in self.points(f"[study]\nplatforms = fake\n[workloads]\nt = t.wkt\n[axes]\n{lines}\n")[0]]

    def refused(self, text, *says, code=1):
        error = self.run_it("sweep", self.study(text), "-q", "-o", "r.db", code=code, preexec_fn=few_resources).stderr
        for part in says:
            self.assertIn(part, error)
        self.assertFalse((self.dir / "r.db").exists())

    def test_lists_and_ranges(self):
        self.assertEqual(self.axes("walk_unit.walkers = 4 8 12"), [["4"], ["8"], ["12"]])
        self.assertEqual(self.axes("walk_unit.walkers = 4..6"), [["4"], ["5"], ["6"]])
        self.assertEqual(self.axes("walk_unit.walkers = 4..20+8"), [["4"], ["12"], ["20"]])
        self.assertEqual(self.axes("walk_unit.walkers = 4..21+8 64"), [["4"], ["12"], ["20"], ["64"]])
        self.assertEqual(self.axes("walk_unit.walkers = 4..64*4"), [["4"], ["16"], ["64"]])
        self.assertEqual(self.axes("walk_unit.walkers = 4..63*4"), [["4"], ["16"]])
        self.assertEqual(self.axes("walk_unit.walkers = 7..7"), [["7"]])

    def test_the_last_axis_is_the_fastest(self):
        self.assertEqual(self.axes("walk_unit.walkers = 1 2\nwalk_unit.coalesce = off full"), [["1", "off"], ["1", "full"], ["2", "off"], ["2", "full"]])

    def test_linked_axes_move_together(self):
        self.assertEqual(self.axes("walk_unit.walkers, walk_unit.buffer_entries = 1,16 2,32"), [["1", "16"], ["2", "32"]])

    def test_workloads_and_platforms(self):
        points, _ = self.points("[study]\nplatforms = fake fake:walk_unit.walkers=2\n[workloads]\nt = t.wkt\ng = gen:stride,waves=2\n")
        self.assertEqual(points, [["t", "fake"], ["t", "fake:walk_unit.walkers=2"], ["g", "fake"], ["g", "fake:walk_unit.walkers=2"]])

    def test_constraints(self):
        def left(condition):
            points, said = self.points(WALKERS + f"[constraints]\nc = {condition}\n")
            self.assertIn(f"leaves out {8 - len(points)}", said)
            return len(points)
        for condition, points in (("walk_unit.walkers <= 2", 4), ("walk_unit.walkers < 2", 2), ("walk_unit.walkers >= 2", 6), ("walk_unit.walkers > 2", 4), ("walk_unit.walkers == 4", 2), ("walk_unit.walkers != 4", 6),
                                  ("walk_unit.walkers * 2 + 1 == 5", 2), ("walk_unit.walkers - 1 == 3", 2), ("walk_unit.walkers % 4 == 0", 4), ("walk_unit.walkers / 4 == 1", 2), ("(walk_unit.walkers + 1) * 2 == 10", 2),
                                  ("walk_unit.coalesce == full", 4), ("walk_unit.coalesce != full", 4), ("walk_unit.coalesce == off or walk_unit.walkers == 1", 5),
                                  ("walk_unit.coalesce == off and walk_unit.walkers == 1", 1), ("not walk_unit.coalesce == off", 4),
                                  ("walk_unit.coalesce == full or walk_unit.walkers == 1 and walk_unit.coalesce == off", 5), ("not walk_unit.coalesce == off and walk_unit.walkers == 1", 1),
                                  ("walk_unit.walkers / (0 - 1) == 0 - 4", 2), ("walk_unit.walkers % (0 - 1) == 0", 8),
                                  ("(0 - 9223372036854775807 - 1) % (0 - 1) == 0", 8), ("walk_unit.walkers - 1 - 1 == 6", 2), ("16 / 4 / walk_unit.walkers == 2", 2), ("walk_unit.buffer_entries == 256", 8)):
            with self.subTest(condition):
                self.assertEqual(left(condition), points)

    def test_choices_that_begin_with_a_digit_and_lists(self):
        text = "[study]\nplatforms = fake\n[workloads]\nt = t.wkt\n[axes]\n"
        for axis, condition, points in (("pages.size = 4k 64k 2m", "pages.size == 2m", ["2m"]), ("pages.size = 4k 64k 2m", "4k != pages.size", ["64k", "2m"]),
                                        ("pages.entries = 512 1024", "pages.entries == 512", ["512"]), ("walk_unit.shared_by = 1 2 all", "walk_unit.shared_by == 2", ["2"]),
                                        ("walk_unit.shared_by = 1 2 all", "walk_unit.shared_by == 02", ["2"]), ("walk_unit.shared_by = 1 002 250", "walk_unit.shared_by != 250", ["1", "002"]),
                                        ("walk_unit.shared_by = 1 2 all", "all != walk_unit.shared_by", ["1", "2"]), ("pages.of_buffers = none 0:64k", "pages.of_buffers == none", ["none"])):
            with self.subTest(condition):
                self.assertEqual([p[2] for p in self.points(text + axis + f"\n[constraints]\nc = {condition}\n")[0]], points)
        for condition, says in (("pages.size == 2x", "'2x' is not among the choices (did you mean '2m'?)"), ("walk_unit.shared_by == al", "'al' is not among 1 ... 250 | all"),
                                ("walk_unit.shared_by == 251", "'251' is not among 1 ... 250 | all"), ("walk_unit.shared_by == 0", "'0' is not among 1 ... 250 | all"), ("walk_unit.shared_by == 1 + 1", "a choice is compared with a number"),
                                ("walk_unit.shared_by < 2", "choices have no order"), ("pages.entries == 256", "a choice is compared with a number"), ("pages.entries == 256 + 256", "a choice is compared with a number")):
            with self.subTest(condition):
                self.refused(text + f"walk_unit.walkers = 1 2\n[constraints]\nc = {condition}\n", "study.cfg:8: '" + condition, says)

    def test_constraints_keep_machines_possible(self):
        """An excluded point need not be a valid machine."""
        text = "[study]\nplatforms = fake\n[workloads]\nt = t.wkt\n[axes]\nwalk_unit.walkers = 4 5000\n"
        self.refused(text, "study.cfg:6: fake: walk_unit.walkers = 5000: is outside the range")

    def test_conditions_that_are_none(self):
        for condition, says in (("walk_unit.walkers", "wants a comparison"), ("walk_unit.walkers <", "ends too early"), ("(walk_unit.walkers < 2", "a ')' is missing"),
                                ("walk_unit.walkers < 2 2", "'2' is one too many"), ("walk_unit.walker < 2", "no parameter 'walk_unit.walker' (did you mean 'walk_unit.walkers'?)"),
                                ("walk_unit.coalesce == ful", "'ful' is not among the choices (did you mean 'full'?)"), ("walk_unit.coalesce < full", "choices have no order"),
                                ("walk_unit.coalesce == 1", "a choice is compared with a number"), ("walk_unit.walkers / 0 == 1", "divides by nought"),
                                ("walk_unit.walkers == many", "'many' is neither a parameter"), ("walk_unit.walkers * 9223372036854775807 > 1", "too large"),
                                ("(0 - 9223372036854775807 - 1) / (0 - 1) > 0", "too large"), ("walk_unit.walkers < 9223372036854775808", "no whole number of 63 bits"),
                                ("walk_unit.walkers < 1.5", "no whole number of 63 bits"), ("walk_unit.walkers < 2x", "'2x' is neither a parameter"), ("walk_unit.walkers + 2x == 1", "'2x' is no number"),
                                ("1 < 2 + (3 < 4)", "a comparison is no number"), ("1 < walk_unit.walkers < 4", "'<' is one too many"), ("= 2", "'=' is not expected there"), ("walk_unit.walkers and 1 < 2", "wants a comparison")):
            with self.subTest(condition):
                self.refused(WALKERS + f"[constraints]\nc = {condition}\n", "study.cfg:10: '" + condition, says)

    def test_the_points_as_a_table(self):
        lines = self.run_it("sweep", self.study(), "--dry-run", "--csv", "-").stdout.splitlines()
        self.assertEqual(lines[:3], ["point,workload,machine,walk_unit.walkers,walk_unit.coalesce", "1,t,fake,1,off", "2,t,fake,1,full"])
        self.assertEqual(len(lines), 9)
        self.assertIn("--csv belongs to --dry-run", self.run_it("sweep", "study.cfg", "-o", "r.db", "--csv", "-", code=1).stderr)

    def test_some_points(self):
        self.assertIn("3 points: 3 runs to do", self.sweep(WALKERS, "--points", "2,5-6").stdout)
        self.assertEqual(self.ask("SELECT point FROM results ORDER BY point"), [(1,), (4,), (5,)])
        for numbers, says in (("9", "there is no point 9"), ("0", "there is no point 0"), ("5-3", "'5-3' is neither"), ("x", "'x' is neither"), ("1-", "'1-' is neither"), ("1-2-3", "is neither")):
            self.assertIn(says, self.run_it("sweep", "study.cfg", "-q", "-o", "s.db", "--points", numbers, code=1).stderr)

    def test_contradictory_constraints(self):
        self.refused(WALKERS + "[constraints]\na = walk_unit.walkers > 2\nb = walk_unit.walkers <= 2\n", "no point satisfies the constraints",
                     "study.cfg:10: 'walk_unit.walkers > 2' leaves out 4", "study.cfg:11: 'walk_unit.walkers <= 2' leaves out 4")

    def test_too_many_points(self):
        self.refused(WALKERS.replace("1 2 4 8", "1..4000") + "pages.seed = 1..1000\nwalk_unit.buffer_entries = 1..250\n", "study.cfg: 2,000,000,000 points",
                     "4000 walk_unit.walkers x 2 walk_unit.coalesce x 1000 pages.seed x 250 walk_unit.buffer_entries", "at most 1,000,000")
        self.refused(WALKERS.replace("1 2 4 8", "1..9999999999"), "study.cfg:7: '1..9999999999' has more than 100,000 values")

    def test_of_many_values_one_that_is_there_twice_is_found_at_once(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
        error = self.run_it("sweep", self.study(WALKERS.replace("1 2 4 8", "1..100000 7")), "--dry-run", code=1, preexec_fn=limit).stderr
        self.assertIn("study.cfg:7: '7' is there twice", error)

    def test_what_is_wrong_is_named_with_its_line(self):
        for old, new, *says in (("walk_unit.walkers", "walk_unit.walker", "study.cfg:7: fake: unknown parameter 'walk_unit.walker' (did you mean 'walk_unit.walkers'?)"),
                                ("off full", "off ful", "study.cfg:8: fake: walk_unit.coalesce = ful: is none of the choices"),
                                ("1 2 4 8", "", "study.cfg:7: axis 'walk_unit.walkers' has no values"),
                                ("1 2 4 8", "8..4", "study.cfg:7: '8..4' ends before it begins"),
                                ("1 2 4 8", "4..8*1", "study.cfg:7: '4..8*1' never ends"),
                                ("1 2 4 8", "0..8*2", "study.cfg:7: '0..8*2' never ends"),
                                ("1 2 4 8", "4..8+0", "study.cfg:7: '4..8+0' never ends"),
                                ("1 2 4 8", "4..x", "study.cfg:7: '4..x': 'x' is not a whole number"),
                                ("1 2 4 8", "1 2 1", "study.cfg:7: '1' is there twice"),
                                ("1 2 4 8", "1,2 4,8", "study.cfg:7: '1,2' has 2 values for 1 parameters"),
                                ("walk_unit.walkers =", "walk_unit.walkers, walk_unit.walkers =", "study.cfg:7: 'walk_unit.walkers, walk_unit.walkers' wants parameters' names, each once"),
                                ("walk_unit.coalesce = off full", "walk_unit.walkers, pages.seed = 1,2", "study.cfg:8: 'walk_unit.walkers' is of an axis already, that of study.cfg:7"),
                                ("walk_unit.coalesce = off full", "walk_unit.buffer_entries, pages.seed = 1..2,3", "no ranges where parameters move together"),
                                ("[axes]", "[axis]", "study.cfg:7: unknown section [axis] (did you mean 'axes'?)"),
                                ("text", "txet", "study.cfg:2: unknown key 'study.txet' (did you mean 'text'?)"),
                                ("platforms = fake", "platforms = fak", "study.cfg:3: unknown machine 'fak' (did you mean 'fake'?)"),
                                ("platforms", "repeats = 13\nplatforms", "study.cfg:3: repeats = 13: wants 0 ... 12"),
                                ("platforms", "by = kernal\nplatforms", "study.cfg:3: by = kernal: is none of buffer, instruction, kernel (did you mean 'kernel'?)"),
                                ("platforms", "by = buffer\nsample = auto\nplatforms", "study.cfg:3: by = buffer: is of whole runs of one program, and the study, or --sample, wants a sample of windows"),
                                ("platforms", "by = kernel kernel buffre\nplatforms", "study.cfg:3: by = buffre: is none of buffer, instruction, kernel (did you mean 'buffer'?)"),
                                ("t = t.wkt", "", "study.cfg: no workloads"),
                                ("t = t.wkt", "t =", "study.cfg:5: workload 't' is nothing"),
                                ("t = t.wkt", "t = program", "study.cfg:5: 'program' wants the program's name"),
                                ("t = t.wkt", "t = t.wkt u.wkt", "study.cfg:5: one trace for each workload, and 'u.wkt' is one too many"),
                                ("walk_unit.coalesce", "walk_unit.walkers", "study.cfg:8: 'axes.walk_unit.walkers' is there a second time, first in line 7"),
                                ("[study]\n", "", "'text' stands before the first section")):
            with self.subTest(new or old):
                self.refused(WALKERS.replace(old, new, 1), *says)

    def test_missing_inputs(self):
        no_program = "nosuchprogram" if os.environ["WALKWAY_CAPTURES"] == "1" else "this program was built without capture"
        self.refused(WALKERS.replace("t.wkt", "u.wkt"), "study.cfg:5: workload 't': u.wkt", code=2)
        self.refused(WALKERS.replace("t.wkt", "gen:strid"), "study.cfg:5: workload 't': gen:strid: there is no generator 'strid' (did you mean 'stride'?)")
        self.refused(WALKERS.replace("t.wkt", "program nosuchprogram 1"), "study.cfg:5: workload 't': " + no_program, code=2)
        self.refused(WALKERS.replace("platforms", "record = walk_unit.walkz\nplatforms"), "record: no statistic", "walk_unit.walkz")
        self.assertIn("cannot be read", self.run_it("sweep", "none.cfg", "--dry-run", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
