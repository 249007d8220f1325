#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A window of each run of a study, with a program that the test captures."""
import json
import sqlite3
import unittest

from walkway_run import RunTest


class StudyWindowTest(RunTest):
    def study(self, *words):
        told = self.run_it("reproduce", "pact24", "--programs", "SYK", "--figures", "5", "-o", "r", *words)
        return told, json.loads((self.dir / "r" / "reproduce.json").read_text())

    def test_a_study_may_count_a_window_of_each_run_and_says_so_wherever_it_is_shown(self):
        window = ("--warm-up", "2000cycles", "--measure", "3000cycles")
        told, report = self.study(*window, "--svg", "w.svg", "--report", "w.html")
        self.assertIn("PARTIAL: a window of 1 program, as its line says", told.stdout)
        self.assertIn("; --warm-up 2000cycles --measure 3000cycles\n", told.stdout)
        self.assertEqual(report["windows"], {"SYK": "--warm-up 2000cycles --measure 3000cycles"})
        self.assertIn("PARTIAL: a window of 1 program", (self.dir / "w.svg").read_text())
        self.assertIn('"windows":{"SYK":"--warm-up 2000cycles', (self.dir / "w.html").read_text())
        with sqlite3.connect(self.dir / "r/results.db") as results:
            cycles = results.execute("SELECT DISTINCT value FROM measured WHERE name = 'cycles'").fetchall()
        self.assertEqual(cycles, [(3000,)])
        windowed = {run["key"] for run in report["runs"]}
        for other in (("--warm-up", "2000cycles", "--measure", "2999cycles"), ("--warm-up", "1999cycles", "--measure", "3000cycles")):
            _, shifted = self.study(*other)
            self.assertEqual(windowed & {run["key"] for run in shifted["runs"]}, set()) # another window, another run
        told, whole = self.study()
        self.assertNotIn("window", told.stdout)
        self.assertEqual(whole["windows"], {})
        self.assertEqual(windowed & {run["key"] for run in whole["runs"]}, set())
        self.assertIn("2 of them kept", self.study(*window)[0].stderr)

    def test_a_window_that_is_none_is_refused_before_anything_is_captured(self):
        for words, says in ((("--measure", "5parsecs"), "units are instructions, translations, cycles, groups"),
                            (("--warm-up", "some"), "wants a count such as 500groups")):
            told = self.run_it("reproduce", "pact24", "--programs", "SYK", "-o", "r", *words, code=1)
            self.assertIn(says, told.stderr)
            self.assertFalse((self.dir / "r").exists())


if __name__ == "__main__":
    unittest.main()
