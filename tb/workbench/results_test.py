#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway results: tables, the best points, queries."""
import csv
import sqlite3
import subprocess
import unittest

from study_run import WALKERS, StudyTest

# Writes pages of a change into the file and dies before the commit.
KILLED = """import os, sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("PRAGMA cache_size = 1")
file.execute("BEGIN")
file.execute("UPDATE run_statistics SET value = 0")
file.execute("UPDATE runs SET key = key || 'x'")
os._exit(9)"""


class ResultsTest(StudyTest):
    def rows(self, *words):
        out = self.run_it("results", "r.db", "--csv", "-", *words).stdout
        return list(csv.DictReader(out.splitlines()))

    def test_a_row_for_each_point(self):
        self.sweep(WALKERS.replace("t = t.wkt", "t = t.wkt\ng = gen:stride,waves=2"))
        rows = self.rows()
        self.assertEqual(len(rows), 16)
        self.assertEqual([(r["workload"], r["walk_unit.walkers"], r["walk_unit.coalesce"]) for r in rows[:3]], [("t", "1", "off"), ("t", "1", "full"), ("t", "2", "off")])
        found = self.ask("SELECT value FROM measured m JOIN results r ON r.run = m.run WHERE m.name = 'cycles' ORDER BY r.point")
        self.assertEqual([float(r["cycles"]) for r in rows], [v for v, in found])
        self.assertEqual(len(self.rows("--metric", "walk_unit.walk_latency.p99")[0]), 10)

    def test_the_best(self):
        self.sweep(WALKERS.replace("t = t.wkt", "t = t.wkt\ng = gen:stride,waves=2"))
        all_rows = self.rows()
        for by, words, pick in (("workload", (), min), ("walk_unit.walkers", (), min), ("workload", ("--highest",), max), ("machine", (), min)):
            best = self.rows("--best", "cycles", "--by", by, *words)
            for row in best:
                same = [float(r["cycles"]) for r in all_rows if (r["workload"], r[by]) == (row["workload"], row[by])]
                self.assertEqual(float(row["cycles"]), pick(same))
            self.assertEqual(len(best), len({(r["workload"], r[by]) for r in all_rows}), "of each program its own")
        three = self.rows("--best", "cycles", "-n", "3")
        self.assertEqual(len(three), 6)
        self.assertEqual([float(r["cycles"]) for r in three[:3]], sorted(float(r["cycles"]) for r in all_rows if r["workload"] == "t")[:3])

    def test_a_metric_may_be_a_formula_of_others_and_of_parameters(self):
        self.sweep()
        rows = self.rows("--metric", "cycles", "--metric", "cycles / 1000 + (walk_unit.walkers - 1) * 2.5", "--cost", "walk_unit.walkers * -3e1 * (1 / 2)")
        for row in rows:
            walkers = float(row["walk_unit.walkers"])
            self.assertAlmostEqual(float(row["cycles / 1000 + (walk_unit.walkers - 1) * 2.5"]), float(row["cycles"]) / 1000 + (walkers - 1) * 2.5)
            self.assertEqual(float(row["cost"]), walkers * -15)
        self.assertEqual(len({row["cost"] for row in rows}), 4)
        self.assertIn("cost", self.rows("--cost", "walk_unit.walkers")[0])
        self.assertEqual({row["walk_unit.walkers"] for row in self.rows("--metric", "walk_unit.walkers", "--metric", "cycles")}, {"1", "2", "4", "8"})
        best, = self.rows("--best", "cycles * walk_unit.walkers", "--cost", "walk_unit.walkers")
        least = min(rows, key=lambda row: float(row["cycles"]) * float(row["walk_unit.walkers"]))
        self.assertEqual((best["walk_unit.walkers"], best["cost"], float(best["cycles * walk_unit.walkers"])),
                         (least["walk_unit.walkers"], least["walk_unit.walkers"], float(least["cycles"]) * float(least["walk_unit.walkers"])))
        self.assertEqual(self.rows("--best", "cost", "--highest", "--cost", "walk_unit.walkers")[0]["walk_unit.walkers"], "8")
        self.assertEqual({row["1 / (walk_unit.walkers - 4)"] == "" for row in self.rows("--metric", "1 / (walk_unit.walkers - 4)") if row["walk_unit.walkers"] == "4"}, {True})

    def test_a_formula_that_is_none(self):
        self.sweep()
        for formula, says in (("cycles +", "'cycles +': is no formula"), ("cycles cycles", "is no formula"), ("cycles -- 1", "is no formula"), ("(cycles", "is no formula"),
                              ("0x10 / 3", "'0x10' is no number"), ("cycles; walk_unit.walkers", "';' is not expected there"), ("cycels * 2", "no metric or parameter 'cycels' (did you mean 'cycles'?)"),
                              ("walk_unit.coalesce * 2", "walk_unit.coalesce is 'full' somewhere, and no number")):
            with self.subTest(formula):
                self.assertIn(says, self.run_it("results", "r.db", "--best", formula, code=1).stderr)
        self.assertIn("--cost belongs to", self.run_it("results", "r.db", "--cost", "cycles", code=1).stderr)

    def test_repeats_are_one_place_with_a_range(self):
        self.sweep(WALKERS.replace("platforms", "repeats = 2\nplatforms"))
        best, = self.rows("--best", "cycles")
        self.assertEqual(best["runs"], "3")
        self.assertLessEqual(float(best["low"]), float(best["cycles"]))
        self.assertLessEqual(float(best["cycles"]), float(best["high"]))

    def test_failed_points_have_no_value(self):
        self.sweep(WALKERS.replace("off full", "off full\nfault.crash = false true"), code=3)
        rows = self.rows()
        self.assertEqual({(r["status"], r["cycles"] == "") for r in rows}, {("done", False), ("failed", True)})
        self.assertEqual({r["fault.crash"] for r in self.rows("--best", "cycles", "--by", "walk_unit.walkers")}, {"false"})

    def test_queries(self):
        self.sweep()
        out = self.run_it("results", "r.db", "--sql", "SELECT count(*) AS n, 'a' AS b FROM runs").stdout
        self.assertEqual([line.split() for line in out.splitlines()][::2], [["n", "b"], ["8", "a"]])
        before = (self.dir / "r.db").read_bytes()
        for query in ("DELETE FROM runs", "DROP TABLE runs", "CREATE TABLE x(y)"):
            self.assertIn("would change the file", self.run_it("results", "r.db", "--sql", query, code=1).stderr)
        for query in ("SELECT 1; -- one", "SELECT 1; /* one */ ;\n", "-- one\nSELECT 1;;"):
            self.assertEqual(self.run_it("results", "r.db", "--sql", query).stdout.split()[-1], "1")
        self.assertIn("one statement at a time; this is more:  -- two\\x0aSELECT 2", self.run_it("results", "r.db", "--sql", "SELECT 1; -- two\nSELECT 2", code=1).stderr)
        self.assertIn("one statement at a time", self.run_it("results", "r.db", "--sql", "SELECT 1; DELETE FROM runs", code=1).stderr)
        self.assertIn("no such table: run", self.run_it("results", "r.db", "--sql", "SELECT * FROM run", code=1).stderr)
        self.assertEqual((self.dir / "r.db").read_bytes(), before)

    def test_numbers_at_the_ends_of_their_range(self):
        most = str(2**64 - 1)
        self.sweep(WALKERS.replace("walk_unit.coalesce = off full", f"pages.seed = 9223372036854775807 9223372036854775808 {most}").replace("1 2 4 8", "1"))
        self.assertEqual([r["pages.seed"] for r in self.rows()], ["9223372036854775807", "9223372036854775808", most])
        self.assertEqual(self.ask("SELECT count(*) FROM settings WHERE name = 'pages.seed' AND value < 0"), [(0,)])
        for number in ("1e-310", "1.7976931348623157e308", "4.9e-324"):
            out = self.run_it("results", "r.db", "--csv", "-", "--sql", f"SELECT {number} AS n").stdout
            self.assertEqual(float(out.split()[-1]), float(number))

    def test_the_contents(self):
        self.sweep()
        out = self.run_it("results", "r.db", env={"COLUMNS": "200"}).stdout
        self.assertRegex(out, r"study +which walker count\? +8 +8 +0 +0")
        self.assertRegex(out, r"walk_unit.walkers +walkers +1,2,4,8|walk_unit.walkers +walkers +\S+")

    def test_what_a_killed_writer_left_half_done_is_taken_back(self):
        self.sweep()
        before = self.measured()
        subprocess.run(["/usr/bin/python3", "-c", KILLED, self.dir / "r.db"], check=False)
        self.assertGreater((self.dir / "r.db-journal").stat().st_size, 0)
        self.assertEqual(self.run_it("results", "r.db", "--sql", "SELECT count(*) AS n FROM runs").stdout.split()[-1], "8")
        self.assertEqual(self.measured(), before)

    def test_a_question_changes_nothing(self):
        self.sweep()
        before = self.measured()
        for sql in ("DELETE FROM runs", "CREATE TABLE t(x)"):
            self.assertIn("would change the file; it is only read", self.run_it("results", "r.db", "--sql", sql, code=1).stderr)
        self.assertEqual(self.measured(), before)

    def test_names_of_an_older_program_are_those_of_now(self):
        """Reads from a copy, so that the file is unchanged. A command that writes it writes current names; if both exist, they are
        merged."""
        self.sweep()
        before, settings = self.measured(), self.ask("SELECT name, value FROM settings ORDER BY run, name")
        with sqlite3.connect(self.dir / "r.db") as file:
            file.executescript(";".join(["UPDATE statistics SET name = replace(name, 'walk_unit.', 'iommu.')",
                                        "UPDATE parameters SET name = replace(name, 'walk_unit.', 'iommu.') WHERE name = 'walk_unit.walkers'",
                                        "INSERT INTO statistics(name, kind, unit, description) SELECT 'walk_unit.walks_started', kind, unit, description "
                                        "FROM statistics WHERE name = 'iommu.walks_started'",
                                        "UPDATE run_statistics SET statistic = (SELECT id FROM statistics WHERE name = 'walk_unit.walks_started') "
                                        "WHERE run = 1 AND statistic = (SELECT id FROM statistics WHERE name = 'iommu.walks_started')",
                                        "ALTER TABLE machines RENAME COLUMN path TO wiring", "DROP TABLE samples", "DROP TABLE places", "PRAGMA user_version = 1"]))
        file.close()
        content = (self.dir / "r.db").read_bytes()
        rows = self.rows("--metric", "walk_unit.walks_started")
        self.assertEqual([int(r["walk_unit.walks_started"]) for r in rows if r["walk_unit.walkers"]],
                         [v for v, in self.ask("SELECT v.value FROM run_statistics v JOIN statistics s ON s.id = v.statistic WHERE "
                                               "s.name IN ('iommu.walks_started', 'walk_unit.walks_started') ORDER BY v.run")])
        self.assertEqual(self.run_it("results", "r.db", "--sql", "SELECT DISTINCT path FROM machines").stdout.split(), ["path", "----", "fake"])
        self.assertEqual((self.dir / "r.db").read_bytes(), content)
        self.sweep()
        self.assertEqual(self.measured(), before)
        self.assertEqual(self.ask("SELECT DISTINCT path FROM machines"), [("fake",)])
        self.assertEqual(self.ask("PRAGMA user_version"), [(4,)])
        for table in ("samples", "places"):
            self.assertEqual(self.ask(f"SELECT count(*) FROM {table}"), [(0,)])
        self.assertEqual(self.ask("SELECT name, value FROM settings ORDER BY run, name"), settings)

    def test_bad_questions(self):
        self.sweep()
        for words, says in ((("--best", "cycle"), "no metric 'cycle' in r.db (did you mean 'cycles'?)"), (("--best", "cycles", "--by", "walk_unit.walker"), "(did you mean 'walk_unit.walkers'?)"),
                            (("--by", "workload"), "--by belongs to --best"), (("--sql", "SELECT 1", "--best", "cycles"), "one question at a time"),
                            (("--csv", "r.db"), "would overwrite"), (("--sql", "-- nothing"), "is no statement")):
            self.assertIn(says, self.run_it("results", "r.db", *words, code=1).stderr)
        self.assertIn("there is no such file of results", self.run_it("results", "none.db", code=2).stderr)
        self.assertIn("is a folder", self.run_it("results", ".", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
