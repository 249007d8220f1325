#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway search: the best of the runs, the same choices each time, no run twice, never more than the budget."""
import json
import os
import signal
import sqlite3
import statistics
import unittest

from study_run import WALKERS, StudyTest
from walkway_run import ENOUGH

BOTH = ("--objective", "cycles,walk_unit.pte_reads")


def front_of(points):
    """Returns the pairs that no other pair equals or beats in both numbers."""
    return [p for p in sorted(set(points)) if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)]


class SearchTest(StudyTest):
    def search(self, text=WALKERS, *words, into="r.db", code=0, **more):
        return self.run_it("search", self.study(text), "-q", "-o", into, *words, code=code, **more)

    def runs(self, file="r.db"):
        return self.ask("SELECT count(*) FROM runs", file)[0][0]

    def loaded(self):
        """Returns the number of rows in r.db, also while a command writes it."""
        try:
            return self.runs() if (self.dir / "r.db").exists() else 0
        except sqlite3.OperationalError: # no table yet
            return 0

    def best(self, text, *words, **more):
        self.search(text, *words, "--csv", "best.csv", **more)
        return [line.split(",") for line in (self.dir / "best.csv").read_text().splitlines()[1:]]

    # -- results

    def test_the_best_are_those_of_the_file(self):
        self.search(WALKERS, *BOTH)
        best = self.best(WALKERS, *BOTH)
        points = self.ask("SELECT c.value, p.value FROM results r JOIN measured c ON c.run = r.run AND c.name = 'cycles' "
                          "JOIN measured p ON p.run = r.run AND p.name = 'walk_unit.pte_reads'")
        self.assertEqual([tuple(map(int, row[-2:])) for row in best], front_of(points))
        self.assertEqual(best[0][:3], ["fake", "8", "full"])

    def test_what_the_file_has_is_not_beaten_by_what_is_printed(self):
        self.run_it("sweep", self.study(WALKERS), "-q", "-o", "r.db")
        best = self.best(WALKERS, "--objective", "cycles", "--budget", "1")
        self.assertEqual([row[1:3] for row in best], [["8", "full"]])
        self.assertIn("1 runs of 1 machines", self.search(WALKERS, "--objective", "cycles", "--budget", "1", into="other.db").stdout)
        said = self.search(WALKERS, "--objective", "cycles", "--budget", "1").stdout
        self.assertIn("0 runs of 0 machines, 8 there are", said, "nothing is left to choose")
        self.assertIn("8 more that the file has", said)

    # -- first choices

    MANY = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "walk_unit.walkers = 1..20")

    def walkers_of(self, file):
        return sorted((w, c) for w, c in self.ask(
            "SELECT w.value, c.value FROM settings w JOIN settings c ON c.run = w.run AND c.name = 'walk_unit.coalesce' "
            "WHERE w.name = 'walk_unit.walkers'", file))

    def test_the_choice_begins_with_what_the_file_has(self):
        self.run_it("sweep", self.study(self.MANY), "-q", "-o", "r.db", "--points", "1,23-24,40")
        swept = set(self.walkers_of("r.db"))
        self.assertIn("6 runs of 6 machines, 40 there are", self.search(self.MANY, "--objective", "cycles", "--budget", 6).stdout)
        chosen = set(self.walkers_of("r.db")) - swept
        self.assertEqual(len(chosen), 6, "what the file has costs nothing of the budget")
        self.search(self.MANY, "--objective", "cycles", "--budget", 6, into="new.db")
        self.assertNotEqual(chosen, set(self.walkers_of("new.db")) - swept)

    def test_what_was_swept_meanwhile_is_told_too(self):
        self.search(self.MANY, "--budget", 8)
        self.run_it("sweep", self.study(self.MANY), "-q", "-o", "r.db", "--points", "1-36")
        self.search(self.MANY, "--budget", 12)
        self.assertEqual(self.runs(), 40, "only what was left is chosen, at most four machines")

    def test_a_search_that_began_with_runs_goes_on_where_it_stopped(self):
        text = self.MANY.replace("walk_unit.coalesce", "fault.slow_ms = 100\nwalk_unit.coalesce")
        for file in ("r.db", "whole.db"):
            self.run_it("sweep", self.study(text), "-q", "-o", file, "--points", "5-9,33")
        self.search(text, "--budget", 14, into="whole.db")
        words = ("search", self.study(text), "-q", "-j", "2", "--budget", "14", "-o", "r.db")
        with self.start(*words) as child:
            self.wait_for(lambda: self.loaded() > 8)
            child.kill()
            child.communicate(timeout=ENOUGH)
        self.assertLess(self.runs(), 20)
        self.search(text, "--budget", 14)
        self.assertEqual(self.measured(), self.measured("whole.db"))

    def test_high_is_good_where_it_is_said(self):
        self.assertEqual([row[1:3] for row in self.best(WALKERS, "--objective", "cycles:highest")], [["1", "off"]])
        self.assertEqual([row[1:3] for row in self.best(WALKERS, "--objective", "cycles:lowest")], [["8", "full"]])
        both = self.best(WALKERS, "--objective", "cycles,walk_unit.walk_latency.max:highest")
        self.assertEqual([row[1:3] for row in both], [[w, c] for w, c in (("8", "full"), ("4", "full"), ("8", "off"), ("2", "full"), ("4", "off"), ("1", "full"), ("2", "off"), ("1", "off"))
                                                      if [w, c] in [row[1:3] for row in both]])
        self.assertGreater(len(both), 4)

    def test_metrics_add_up(self):
        row = self.best(WALKERS, "--objective", "energy.cam+walk_unit.pte_reads,energy")[0]
        found = dict(self.ask("SELECT name, value FROM measured WHERE run = (SELECT run FROM measured WHERE name = 'cycles' ORDER BY value LIMIT 1)"))
        self.assertEqual(float(row[-2]), found["energy.cam"] + found["walk_unit.pte_reads"])
        self.assertEqual(float(row[-1]), found["energy.walk_reads_actual"])

    def test_over_workloads_the_geometric_mean(self):
        text = WALKERS.replace("t = t.wkt", "t = t.wkt\ng = gen:stride,waves=2").replace("platforms", "repeats = 2\nplatforms")
        self.assertIn("48 runs of 8 machines", self.search(text).stdout)
        row = self.best(text)[0]
        product = 1
        for _, name in ((0, "t"), (1, "g")):
            product *= statistics.median(v for v, in self.ask(
                f"SELECT c.value FROM results r JOIN measured c ON c.run = r.run AND c.name = 'cycles' JOIN settings w ON w.run = r.run AND w.name = 'walk_unit.walkers' AND w.value = 8 "
                f"JOIN settings m ON m.run = r.run AND m.name = 'walk_unit.coalesce' AND m.value = 'full' WHERE r.workload = '{name}'"))
        self.assertAlmostEqual(float(row[-2]) / product ** 0.5, 1, delta=1e-12)
        self.assertEqual(float(row[-1]), self.ask("SELECT value FROM measured WHERE name = 'bits' LIMIT 1")[0][0])

    # -- runs

    def test_never_more_than_the_budget(self):
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "walk_unit.walkers = 1..20")
        for budget in (1, 7, 13):
            said = self.search(text, "--budget", budget).stdout
            self.assertIn(f"{budget} runs of {budget} machines, 40 there are", said)
            self.assertEqual(self.runs(), budget, "each search begins with what the one before ran")
        self.assertIn("40 runs of 40 machines", self.search(text, "--budget", 100).stdout)
        twice = WALKERS.replace("t = t.wkt", "t = t.wkt\ng = gen:stride,waves=2")
        self.search(twice, "--budget", 5, into="two.db")
        self.assertEqual(self.runs("two.db"), 4, "two machines with both workloads")

    def test_the_same_command_runs_nothing(self):
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "walk_unit.walkers = 1..20")
        first = self.search(text, "--budget", 12).stdout
        rows = self.measured(), self.ask("SELECT key, started, seconds FROM runs ORDER BY key")
        second = self.search(text, "--budget", 12).stdout
        self.assertEqual(first.split("\n", 1)[1], second.split("\n", 1)[1])
        self.assertEqual(rows, (self.measured(), self.ask("SELECT key, started, seconds FROM runs ORDER BY key")))
        self.search(text, "--budget", 12, "-j", "3", into="more.db")
        self.assertEqual(self.measured(), self.measured("more.db"), "whatever the number of jobs")
        self.search(text, "--budget", 12, "--search-seed", 2, into="other.db")
        self.assertNotEqual(self.measured(), self.measured("other.db"))

    def test_what_is_there_takes_no_time(self):
        self.search(WALKERS)
        self.assertEqual(self.begun(), 8)
        self.search(WALKERS)
        self.assertEqual(self.begun(), 8)

    def test_interrupted_or_killed_it_goes_on(self):
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "fault.slow_ms = 100\nwalk_unit.walkers = 1..20")
        self.search(text, "--budget", 20, into="whole.db")
        words = ("search", self.study(text), "-q", "-j", "2", "--budget", "20", "-o", "r.db")
        for end in (signal.SIGKILL, signal.SIGINT):
            before = self.loaded()
            with self.start(*words) as child:
                self.wait_for(lambda: self.loaded() > before)
                child.send_signal(end)
                error = child.communicate(timeout=ENOUGH)[1]
            if end == signal.SIGINT:
                self.assertEqual(child.returncode, 130, error)
                self.assertIn("the same command goes on where it stopped", error)
        self.assertLess(self.runs(), 20)
        self.search(text, "--budget", 20)
        self.assertEqual(self.measured(), self.measured("whole.db"))

    def test_two_at_a_time_into_one_file(self):
        """Any second command is refused, and the first loses nothing; then a search continues from there."""
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "fault.slow_ms = 200\nwalk_unit.walkers = 1..20")
        with self.start("search", self.study(text), "-q", "-j", "1", "--budget", "8", "-o", "r.db") as child:
            self.wait_for((self.dir / "r.db.runs").exists)
            for words in (("--budget", "12"), ("--budget", "8", "--search-seed", "2")):
                self.assertIn("r.db: another walkway sweeps into it (process", self.search(text, *words, code=4).stderr)
            self.assertIn("r.db: another walkway sweeps into it (process", self.sweep(text, code=4).stderr)
            said = child.communicate(timeout=ENOUGH)
        self.assertEqual((child.returncode, self.runs()), (0, 8), said)
        self.assertEqual(self.begun(), 8, "the refused ones ran nothing")
        self.search(text, "--budget", 12)
        self.assertEqual(self.runs(), 12)
        self.search(text, "--budget", 12, into="alone.db")
        self.assertEqual(self.measured(), self.measured("alone.db"))

    def test_constraints_leave_machines_out(self):
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8", "walk_unit.walkers = 1..20") + "[constraints]\neven = walk_unit.walkers % 2 == 0\n"
        said = self.search(text, "--budget", 100).stdout
        self.assertIn("leaves out 20", said)
        self.assertIn("20 runs of 20 machines, 20 there are", said)
        self.assertEqual({v % 2 for v, in self.ask("SELECT value FROM settings WHERE name = 'walk_unit.walkers'")}, {0})

    def test_equal_machines_cost_one_run(self):
        text = WALKERS.replace("platforms = fake", "platforms = fake fake:walk_unit.walkers=8")
        self.assertIn("8 runs of 16 machines", self.search(text, "--budget", 16).stdout)
        self.assertEqual(self.runs(), 8)

    def test_a_failed_machine_is_passed_over(self):
        done = self.search(WALKERS.replace("walk_unit.coalesce = off full", "fault.crash = false true"), code=3)
        self.assertIn("failed (t on fake): ended by signal", done.stderr)
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("done", 4), ("failed", 4)])
        self.assertRegex(done.stdout, r"fake +8 +false")
        self.assertNotIn("true", done.stdout)

    def test_results_are_a_sweeps(self):
        self.search(WALKERS)
        self.assertIn("8 points: 0 runs to do, 8 there from before", self.sweep().stdout)
        self.assertEqual(self.ask("SELECT count(*), count(DISTINCT key) FROM runs"), [(8, 8)])
        self.assertEqual(self.ask("SELECT count(*) FROM studies"), [(1,)])

    # -- errors

    def refused(self, *words, says, text=WALKERS, code=1):
        error = self.search(text, *words, code=code).stderr
        self.assertIn(says, error)
        self.assertFalse((self.dir / "r.db").exists(), "nothing was run")

    def test_objectives_that_are_none(self):
        for objective, says in (("cycels", "no metric 'cycels' (did you mean 'cycles'?)"), ("cycles,walk_unit.walk_latency.p98", "did you mean 'walk_unit.walk_latency.p99'?"),
                                ("cycles,cycles", "'cycles' is there twice"), ("cycles,", "an empty name"), ("cycles:high", "behind ':' is lowest (the default) or highest"),
                                ("cycles,bits,seconds,walks,translations", "more than 4 objectives")):
            with self.subTest(objective):
                self.refused("--objective", objective, says=says)
        self.refused("--objective", "walk_unit.pte_reads", says="no metric 'walk_unit.pte_reads'", text=WALKERS.replace("platforms", "record = energy.*\nplatforms"))

    def test_budgets_and_studies_that_are_none(self):
        self.refused("--budget", "0", says="--budget 0: wants a whole number from 1")
        self.refused("--budget", "1", says="one machine takes 3 runs, one of each workload and perturbation", text=WALKERS.replace("platforms", "repeats = 2\nplatforms"))
        self.refused(says="no point satisfies the constraints", text=WALKERS + "[constraints]\nc = walk_unit.walkers > 8\n")
        self.refused(says="study.cfg", text="")
        self.assertIn("--output names the file", self.run_it("search", self.study(), code=1).stderr)
        self.assertIn("name one study", self.run_it("search", "-o", "r.db", code=1).stderr)

    def test_files_of_other_versions(self):
        self.sweep()
        import sqlite3
        with sqlite3.connect(self.dir / "r.db") as other:
            (now,) = other.execute("PRAGMA user_version").fetchone()
            other.execute("PRAGMA user_version = 99")
        self.assertIn(f"r.db: is of version 99 of the results' tables, and this program has version {now}", self.search(code=2).stderr)

    def test_without_optuna(self):
        for name, text, says in (("none", None, "there is no such Python"), ("lost", "#!/bin/sh\nexit 0\n", "has no answer: it has ended"), ("mad", "#!/bin/sh\necho hello\n", "has no answer: hello"),
                                 ("bare", "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n", "Optuna is not there (No module named 'optuna'): install python3-optuna")):
            if text is not None:
                (self.dir / name).write_text(text)
                os.chmod(self.dir / name, 0o755)
            self.env["WALKWAY_PYTHON"] = str(self.dir / name)
            with self.subTest(name):
                self.assertIn(says, self.search(code=2).stderr)


class SearcherTest(unittest.TestCase):
    """The protocol itself."""
    def setUp(self):
        import subprocess
        script = os.path.join(os.environ["WALKWAY_SOURCE"], "tool/python/walkway/searcher.py")
        self.child = subprocess.Popen(["/usr/bin/python3", "-I", "-B", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.child.communicate)

    def answer(self, **question):
        self.child.stdin.write(json.dumps(question) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def test_every_machine_once_and_then_none(self):
        axes = [{"values": 3, "ordered": True}, {"values": 4, "ordered": False}]
        left = [m for m in range(12) if m % 5 != 0]
        self.assertIn("version", self.answer(axes=axes, machines=left, directions=["minimize", "maximize"], seed=7))
        got = []
        while machines := self.answer(ask=2)["machines"]:
            got += machines
            front = self.answer(tell=[[m, None if m == 8 else [m % 4, m // 4]] for m in machines])["front"]
        self.assertEqual(got[:2], [1, 11], "the least and the most first")
        self.assertEqual(sorted(got), left)
        costs = {m: (m % 4, -(m // 4)) for m in left if m != 8}
        self.assertEqual(sorted(front), sorted(m for m in costs if costs[m] in front_of(costs.values())))


if __name__ == "__main__":
    unittest.main()
