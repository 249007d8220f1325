#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The Python package: its frames are the results, its commands are the program's."""
import os
import pathlib
import sys
import unittest

from walkway_run import scratch_folder

sys.path.insert(0, str(pathlib.Path(os.environ["WALKWAY_SOURCE"], "tool/python")))
import walkway  # noqa: E402

STUDY = """[workloads]
chase = gen:chase,waves=4,accesses=8
[axes]
walk_unit.walkers = 1 4
walk_unit.coalesce = off full
"""


class PythonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = scratch_folder(cls.addClassCleanup)
        (cls.dir / "study.cfg").write_text(STUDY)
        cls.file = cls.dir / "r.db"
        cls.points = walkway.sweep(cls.dir / "study.cfg", cls.file, jobs=1)

    def test_a_row_for_each_point(self):
        self.assertEqual(len(self.points), 4)
        self.assertEqual(list(self.points["walk_unit.walkers"]), [1, 1, 4, 4])
        self.assertEqual(list(self.points["walk_unit.coalesce"]), ["off", "full"] * 2)
        self.assertEqual(set(self.points["status"]), {"done"})
        self.assertGreater(self.points["bits"].min(), 1e6)
        self.assertGreater(self.points["cycles"].iloc[0], self.points["cycles"].iloc[2])

    def test_a_sweep_answers_for_its_study(self):
        (self.dir / "two.cfg").write_bytes(b"\xef\xbb\xbf" + STUDY.replace("1 4", "4 2").replace("off full", "full").encode()) # with a byte-order mark
        points = walkway.sweep(self.dir / "two.cfg", self.dir / "two.db", jobs=1)
        walkway.sweep(self.dir / "study.cfg", self.dir / "two.db", jobs=1)
        again = walkway.sweep(self.dir / "two.cfg", self.dir / "two.db", jobs=1)
        self.assertEqual(list(again["walk_unit.walkers"]), [4, 2])
        self.assertEqual(list(again["cycles"]), list(points["cycles"]))
        self.assertEqual(len(walkway.results(self.dir / "two.db")), 6)

    def test_a_run_is_its_point(self):
        one = walkway.run("gen:chase,waves=4,accesses=8", changes={"walk_unit.walkers": 4, "walk_unit.coalesce": "full"})
        row = self.points.iloc[3]
        for name, entry in one["headline"].items():
            self.assertEqual(entry["value"], row[name], name)
        self.assertGreater(one["host"]["host_seconds"], 0)
        self.assertEqual(walkway.units(self.file).loc["cycles", "unit"], "cycles")
        self.assertEqual(walkway.settings(self.file, row["run"]).loc["walk_unit.walkers", "value"], 4)

    def test_statistics_and_histograms(self):
        more = walkway.results(self.file, statistics=["walk_unit.walks_started"])
        self.assertGreater(more["walk_unit.walks_started"].min(), 0)
        walks = walkway.histogram(self.file, more["run"].iloc[0], "walk_unit.walk_latency")
        self.assertEqual(walks["count"].sum(), walkway.query(self.file, "SELECT count FROM run_histograms h JOIN statistics s ON s.id = h.statistic "
                                                             "WHERE s.name = 'walk_unit.walk_latency' AND run = ?", (int(more["run"].iloc[0]),))["count"][0])
        with self.assertRaisesRegex(KeyError, "no statistic 'walk_unit.walk'"):
            walkway.results(self.file, statistics=["walk_unit.walk"])
        with self.assertRaisesRegex(KeyError, "no histogram"):
            walkway.histogram(self.file, 1, "cycles")

    def test_compare(self):
        both = walkway.compare("gen:chase,waves=4,accesses=8", "apu-micro18:walk_unit.walkers=1", ":walk_unit.walkers=4")
        self.assertAlmostEqual(both["speedup"].iloc[1], both["cycles"].iloc[0] / both["cycles"].iloc[1])
        self.assertEqual(both["explanation"].iloc[0], "")
        self.assertIn("walk", both["explanation"].iloc[1])

    def test_errors_are_the_programs(self):
        with self.assertRaisesRegex(walkway.Error, "did you mean 'walk_unit.walkers'") as caught:
            walkway.run("gen:chase", changes={"walk_unit.walker": 4})
        self.assertEqual(caught.exception.code, 1)
        for path, says in ((self.dir / "none.db", "there is no such file"), (self.dir / "study.cfg", "study.cfg: file is not a database")):
            with self.assertRaisesRegex(walkway.Error, says):
                walkway.results(path)

    def test_every_function_says_what_it_gives(self):
        for name in ("run", "compare", "sweep", "results", "query", "units", "settings", "histogram", "program"):
            self.assertTrue(getattr(walkway, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
