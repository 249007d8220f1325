#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""study.cfg: which points it means, and what it says of one that is wrong, before anything runs."""
import os
import unittest

from study_run import WALKERS, StudyTest


class StudyFileTest(StudyTest):
    def points(self, text):
        """The table of --dry-run, without head and last lines."""
        said = self.run_it("sweep", self.study(text), "--dry-run", env={"COLUMNS": "300"}).stdout
        return [line.split()[1:] for line in said.splitlines() if line[:1].isdigit() and "points:" not in line], said

    def axes(self, lines):
        return [p[2:] for p in self.points(f"[study]\nplatforms = fake\n[workloads]\nt = t.wkt\n[axes]\n{lines}\n")[0]]

    def refused(self, text, *says, code=1):
        error = self.run_it("sweep", self.study(text), "-q", "-o", "r.db", code=code).stderr
        for part in says:
            self.assertIn(part, error)
        self.assertFalse((self.dir / "r.db").exists())

    def test_lists_and_ranges(self):
        self.assertEqual(self.axes("iommu.walkers = 4 8 12"), [["4"], ["8"], ["12"]])
        self.assertEqual(self.axes("iommu.walkers = 4..6"), [["4"], ["5"], ["6"]])
        self.assertEqual(self.axes("iommu.walkers = 4..20+8"), [["4"], ["12"], ["20"]])
        self.assertEqual(self.axes("iommu.walkers = 4..21+8 64"), [["4"], ["12"], ["20"], ["64"]])
        self.assertEqual(self.axes("iommu.walkers = 4..64*4"), [["4"], ["16"], ["64"]])
        self.assertEqual(self.axes("iommu.walkers = 4..63*4"), [["4"], ["16"]])
        self.assertEqual(self.axes("iommu.walkers = 7..7"), [["7"]])

    def test_the_last_axis_is_the_fastest(self):
        self.assertEqual(self.axes("iommu.walkers = 1 2\niommu.coalesce = off full"), [["1", "off"], ["1", "full"], ["2", "off"], ["2", "full"]])

    def test_linked_axes_move_together(self):
        self.assertEqual(self.axes("iommu.walkers, iommu.buffer_entries = 1,16 2,32"), [["1", "16"], ["2", "32"]])

    def test_workloads_and_platforms(self):
        points, _ = self.points("[study]\nplatforms = fake fake:iommu.walkers=2\n[workloads]\nt = t.wkt\ng = gen:stride,waves=2\n")
        self.assertEqual(points, [["t", "fake"], ["t", "fake:iommu.walkers=2"], ["g", "fake"], ["g", "fake:iommu.walkers=2"]])

    def test_constraints(self):
        def left(condition):
            points, said = self.points(WALKERS + f"[constraints]\nc = {condition}\n")
            self.assertIn(f"leaves out {8 - len(points)}", said)
            return len(points)
        for condition, points in (("iommu.walkers <= 2", 4), ("iommu.walkers < 2", 2), ("iommu.walkers >= 2", 6), ("iommu.walkers > 2", 4), ("iommu.walkers == 4", 2), ("iommu.walkers != 4", 6),
                                  ("iommu.walkers * 2 + 1 == 5", 2), ("iommu.walkers - 1 == 3", 2), ("iommu.walkers % 4 == 0", 4), ("iommu.walkers / 4 == 1", 2), ("(iommu.walkers + 1) * 2 == 10", 2),
                                  ("iommu.coalesce == full", 4), ("iommu.coalesce != full", 4), ("iommu.coalesce == off or iommu.walkers == 1", 5),
                                  ("iommu.coalesce == off and iommu.walkers == 1", 1), ("not iommu.coalesce == off", 4), ("iommu.buffer_entries == 256", 8)):
            with self.subTest(condition):
                self.assertEqual(left(condition), points)

    def test_constraints_keep_machines_possible(self):
        """A point that is left out need not be a machine."""
        text = "[study]\nplatforms = fake\n[workloads]\nt = t.wkt\n[axes]\niommu.walkers = 4 5000\n"
        self.refused(text, "study.cfg:6: fake: iommu.walkers = 5000: is outside the range")

    def test_conditions_that_are_none(self):
        for condition, says in (("iommu.walkers", "wants a comparison"), ("iommu.walkers <", "ends too early"), ("(iommu.walkers < 2", "a ')' is missing"),
                                ("iommu.walkers < 2 2", "'2' is one too many"), ("iommu.walker < 2", "no parameter 'iommu.walker' (did you mean 'iommu.walkers'?)"),
                                ("iommu.coalesce == ful", "'ful' is not among the choices (did you mean 'full'?)"), ("iommu.coalesce < full", "choices have no order"),
                                ("iommu.coalesce == 1", "a choice is compared with a number"), ("iommu.walkers / 0 == 1", "divides by nought"),
                                ("iommu.walkers == many", "'many' is neither a parameter"), ("iommu.walkers * 9223372036854775807 > 1", "too large"),
                                ("1 < 2 + (3 < 4)", "a comparison is no number"), ("= 2", "'=' is not expected there"), ("iommu.walkers and 1 < 2", "wants a comparison")):
            with self.subTest(condition):
                self.refused(WALKERS + f"[constraints]\nc = {condition}\n", "study.cfg:10: '" + condition, says)

    def test_the_points_as_a_table(self):
        lines = self.run_it("sweep", self.study(), "--dry-run", "--csv", "-").stdout.splitlines()
        self.assertEqual(lines[:3], ["point,workload,machine,iommu.walkers,iommu.coalesce", "1,t,fake,1,off", "2,t,fake,1,full"])
        self.assertEqual(len(lines), 9)
        self.assertIn("--csv belongs to --dry-run", self.run_it("sweep", "study.cfg", "-o", "r.db", "--csv", "-", code=1).stderr)

    def test_some_points(self):
        self.assertIn("3 points: 3 runs to do", self.sweep(WALKERS, "--points", "2,5-6").stdout)
        self.assertEqual(self.ask("SELECT point FROM results ORDER BY point"), [(1,), (4,), (5,)])
        for numbers, says in (("9", "there is no point 9"), ("0", "there is no point 0"), ("5-3", "'5-3' is neither"), ("x", "'x' is neither"), ("1-", "'1-' is neither"), ("1-2-3", "is neither")):
            self.assertIn(says, self.run_it("sweep", "study.cfg", "-q", "-o", "s.db", "--points", numbers, code=1).stderr)

    def test_contradictory_constraints(self):
        self.refused(WALKERS + "[constraints]\na = iommu.walkers > 2\nb = iommu.walkers <= 2\n", "no point satisfies the constraints",
                     "study.cfg:10: 'iommu.walkers > 2' leaves out 4", "study.cfg:11: 'iommu.walkers <= 2' leaves out 4")

    def test_too_many_points(self):
        self.refused(WALKERS.replace("1 2 4 8", "1..4000") + "pages.seed = 1..1000\niommu.buffer_entries = 1..250\n", "study.cfg: 2,000,000,000 points",
                     "4000 iommu.walkers x 2 iommu.coalesce x 1000 pages.seed x 250 iommu.buffer_entries", "at most 1,000,000")
        self.refused(WALKERS.replace("1 2 4 8", "1..9999999999"), "study.cfg:7: '1..9999999999' has more than 100,000 values")

    def test_what_is_wrong_is_named_with_its_line(self):
        for old, new, *says in (("iommu.walkers", "iommu.walker", "study.cfg:7: fake: unknown parameter 'iommu.walker' (did you mean 'iommu.walkers'?)"),
                                ("off full", "off ful", "study.cfg:8: fake: iommu.coalesce = ful: is none of the choices"),
                                ("1 2 4 8", "", "study.cfg:7: axis 'iommu.walkers' has no values"),
                                ("1 2 4 8", "8..4", "study.cfg:7: '8..4' ends before it begins"),
                                ("1 2 4 8", "4..8*1", "study.cfg:7: '4..8*1' never ends"),
                                ("1 2 4 8", "0..8*2", "study.cfg:7: '0..8*2' never ends"),
                                ("1 2 4 8", "4..8+0", "study.cfg:7: '4..8+0' never ends"),
                                ("1 2 4 8", "4..x", "study.cfg:7: '4..x': 'x' is not a whole number"),
                                ("1 2 4 8", "1 2 1", "study.cfg:7: '1' is there twice"),
                                ("1 2 4 8", "1,2 4,8", "study.cfg:7: '1,2' has 2 values for 1 parameters"),
                                ("iommu.walkers =", "iommu.walkers, iommu.walkers =", "study.cfg:7: 'iommu.walkers, iommu.walkers' wants parameters' names, each once"),
                                ("iommu.coalesce = off full", "iommu.walkers, pages.seed = 1,2", "study.cfg:8: 'iommu.walkers' is of an axis already, that of study.cfg:7"),
                                ("iommu.coalesce = off full", "iommu.buffer_entries, pages.seed = 1..2,3", "no ranges where parameters move together"),
                                ("[axes]", "[axis]", "study.cfg:7: unknown section [axis] (did you mean 'axes'?)"),
                                ("text", "txet", "study.cfg:2: unknown key 'study.txet' (did you mean 'text'?)"),
                                ("platforms = fake", "platforms = fak", "study.cfg:3: unknown machine 'fak' (did you mean 'fake'?)"),
                                ("platforms", "repeats = 13\nplatforms", "study.cfg:3: repeats = 13: wants 0 ... 12"),
                                ("t = t.wkt", "", "study.cfg: no workloads"),
                                ("t = t.wkt", "t =", "study.cfg:5: workload 't' is nothing"),
                                ("t = t.wkt", "t = program", "study.cfg:5: 'program' wants the program's name"),
                                ("t = t.wkt", "t = t.wkt u.wkt", "study.cfg:5: one trace for each workload, and 'u.wkt' is one too many"),
                                ("iommu.coalesce", "iommu.walkers", "study.cfg:8: 'axes.iommu.walkers' is there a second time, first in line 7"),
                                ("[study]\n", "", "'text' stands before the first section")):
            with self.subTest(new or old):
                self.refused(WALKERS.replace(old, new, 1), *says)

    def test_missing_inputs(self):
        no_program = "nosuchprogram" if os.environ["WALKWAY_CAPTURES"] == "1" else "this program was built without capture"
        self.refused(WALKERS.replace("t.wkt", "u.wkt"), "study.cfg:5: workload 't': u.wkt", code=2)
        self.refused(WALKERS.replace("t.wkt", "gen:strid"), "study.cfg:5: workload 't': gen:strid: there is no generator 'strid' (did you mean 'stride'?)")
        self.refused(WALKERS.replace("t.wkt", "program nosuchprogram 1"), "study.cfg:5: workload 't': " + no_program, code=2)
        self.refused(WALKERS.replace("platforms", "record = iommu.walkz\nplatforms"), "record: no statistic", "iommu.walkz")
        self.assertIn("cannot be read", self.run_it("sweep", "none.cfg", "--dry-run", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
