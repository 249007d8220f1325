#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A sweep: every point runs once, even after interruptions, and its results equal those of `walkway run`."""
import json
import re
import shutil
import signal
import time
import unittest

from study_run import WALKERS, StudyTest
from walkway_run import ENOUGH, tiny_files

SLOW = WALKERS.replace("walk_unit.coalesce", "fault.slow_ms = 150\nwalk_unit.coalesce")


class SweepTest(StudyTest):
    def test_results_are_those_of_single_runs(self):
        self.sweep()
        rows = self.ask("SELECT r.run, a.value, b.value FROM results r JOIN settings a ON a.run = r.run AND a.name = 'walk_unit.walkers' "
                        "JOIN settings b ON b.run = r.run AND b.name = 'walk_unit.coalesce'")
        self.assertEqual(sorted(row[1:] for row in rows), [(w, c) for w in (1, 2, 4, 8) for c in ("full", "off")])
        for run, walkers, coalesce in rows:
            self.run_it("run", "-q", "-p", f"fake:walk_unit.walkers={walkers},walk_unit.coalesce={coalesce}", "-o", "one", "t.wkt")
            one = json.loads((self.dir / "one" / "stats.json").read_text())
            found = dict(self.ask(f"SELECT name, value FROM measured WHERE run = {run}"))
            for name, entry in {**one["headline"], **one["statistics"]}.items():
                if "value" in entry:
                    self.assertEqual(found.pop(name), entry["value"], name)
            self.assertGreater(found.pop("bits", 0), -1)
            self.assertEqual(found, {})
            for name, value in one["configuration"].items():
                self.assertEqual(self.ask(f"SELECT value FROM settings WHERE run = {run} AND name = '{name}'"),
                                 [(str(value).lower() if isinstance(value, bool) else value,)], name)
            latency = one["statistics"]["walk_unit.walk_latency"]
            columns = ("count", "sum", "min", "max", "mean", "p50", "p99")
            self.assertEqual(self.ask(f"SELECT {', '.join(columns)} FROM run_histograms WHERE run = {run}"), [tuple(latency[c] for c in columns)])

    def test_units_origins_host_and_build_are_there(self):
        self.sweep()
        self.assertEqual(self.ask("SELECT unit, description FROM statistics WHERE name = 'cycles'"), [("cycles", "GPU cycles from start to end")])
        self.assertEqual(self.ask("SELECT DISTINCT unit, set_by, default_from FROM settings WHERE name = 'walk_unit.walkers'"),
                         [("walkers", "axis", "PAPER [M18] Table I")])
        self.assertEqual(self.ask("SELECT count(*) FROM runs r JOIN builds b ON b.id = r.build JOIN hosts h ON h.id = r.host "
                                  "WHERE b.model != '' AND h.processors > 0 AND r.started LIKE '20__-%Z' AND r.laws > 0"), [(8,)])
        self.assertEqual(len(self.ask("SELECT checksum FROM workloads")[0][0]), 16)

    def test_a_dry_run_lists_and_makes_nothing(self):
        said = self.run_it("sweep", self.study(), "--dry-run", "-o", "r.db").stdout
        self.assertEqual(sum(" t " in line for line in said.splitlines()), 8)
        self.assertRegex(said, r"8 points: 8 runs to do; about a second with \d+ at a time, [\d.]+ KiB of results")
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["fake.cfg", "study.cfg", "t.wkt"])

    def test_the_estimate_is_of_the_machines_as_they_are(self):
        said = self.run_it("sweep", self.study(SLOW.replace("150", "1000")), "--dry-run", "-j", "1").stdout
        minutes, seconds = re.search(r"; about (?:(\d+):)?([\d.]+)(?: s)? with ", said).groups()
        self.assertTrue(8 <= 60 * int(minutes or 0) + float(seconds) <= 16, said)

    # -- runs that are tried first

    EACH_ANOTHER = WALKERS.replace("platforms = fake", "platforms = fake fake:walk_unit.walkers=3 fake:walk_unit.walkers=5").replace(
        "walk_unit.walkers = 1 2 4 8\nwalk_unit.coalesce = off full", "fault.slow_ms = 1200")

    def test_what_was_tried_is_a_result(self):
        said = self.run_it("sweep", self.study(self.EACH_ANOTHER), "-q", "-j", "1", "-o", "r.db").stdout
        self.assertIn("3 points: 3 runs to do", said)
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("done", 3)])
        self.assertEqual(self.begun(), 3)
        self.assertFalse((self.dir / "r.db.runs").exists(), "nothing is left")

    def test_what_was_tried_is_not_tried_again(self):
        long = self.EACH_ANOTHER.replace("1200", "30000") # a try is stopped
        start = time.monotonic()
        said = self.run_it("sweep", self.study(long), "--dry-run", "-j", "3").stdout
        self.assertLess(time.monotonic() - start, 30, "no try took what its run would")
        self.assertEqual(self.begun(), 3)
        said_again = self.run_it("sweep", self.study(long), "--dry-run", "-j", "3").stdout
        self.assertEqual(self.begun(), 3)
        self.assertEqual(said, said_again)

    def test_a_study_that_changed_runs_anew_what_was_tried(self):
        text = self.EACH_ANOTHER.replace("1200", "400")
        with self.start("sweep", self.study(text), "-q", "-j", "1", "-o", "r.db") as child:
            self.wait_for(lambda: len(list((self.dir / "r.db.runs").glob("*.tried"))) >= 2)
            child.kill()
            child.communicate(timeout=ENOUGH)
        self.sweep(text.replace("platforms", "record = walk_unit.*\nplatforms"))
        names = {name for name, in self.ask("SELECT DISTINCT name FROM measured WHERE name LIKE '%.%'")}
        self.assertEqual({name.split(".")[0] for name in names}, {"walk_unit"}, "as the study has it now")
        self.assertFalse((self.dir / "r.db.runs").exists(), "nothing is left")

    def test_what_is_done_is_not_done_again(self):
        self.sweep()
        before = self.measured(), self.ask("SELECT key, started, seconds FROM runs ORDER BY key")
        self.assertIn("8 points: 0 runs to do, 8 there from before", self.sweep().stdout)
        self.assertEqual(before, (self.measured(), self.ask("SELECT key, started, seconds FROM runs ORDER BY key")))
        more = self.sweep(WALKERS.replace("4 8", "4 8 16")).stdout
        self.assertIn("10 points: 2 runs to do, 8 there from before", more)
        self.assertEqual(self.ask("SELECT count(*) FROM runs"), [(10,)])
        self.assertEqual(self.ask("SELECT count(*) FROM studies"), [(2,)])

    def test_runs_of_other_machines_stay_in_the_file(self):
        (self.dir / "other.cfg").write_text("[machine]\nextends = fake\n[fault]\nslow_ms = 1\n")
        other = WALKERS.replace("platforms = fake", "platforms = other")
        self.sweep()
        before = self.measured()[0]
        self.assertGreater(len(before), 0)
        self.run_it("search", self.study(other), "-q", "--budget", "3", "-o", "r.db")
        between = self.measured()[0]
        self.assertLess(set(before), set(between))
        self.sweep(other)
        self.assertLess(set(between), set(self.measured()[0]))
        self.assertEqual(self.ask("SELECT count(*), count(DISTINCT key) FROM runs"), [(16, 16)])
        for command in ("sweep", "search"):
            self.assertIn("--output names the file of results", self.run_it(command, "study.cfg", code=1).stderr)

    def test_another_trace_is_another_run(self):
        self.sweep()
        self.run_it("trace", "save", "--groups", "0", "-o", "part.wkt", "t.wkt")
        shutil.copy(self.dir / "part.wkt", self.dir / "t.wkt")
        self.assertIn("8 runs to do", self.sweep().stdout)
        self.assertEqual(self.ask("SELECT count(*) FROM runs"), [(16,)])

    def test_equal_machines_run_once(self):
        said = self.sweep(WALKERS.replace("platforms = fake", "platforms = fake fake:walk_unit.walkers=8")).stdout
        self.assertIn("16 points: 8 runs to do", said)
        self.assertEqual(self.ask("SELECT count(*) FROM runs"), [(8,)])
        self.assertEqual(self.ask("SELECT count(*) FROM results WHERE status = 'done'"), [(16,)])

    def test_the_number_of_jobs_changes_nothing(self):
        self.sweep(WALKERS, "-j", "1", into="one.db")
        self.sweep(WALKERS, "-j", "4", into="four.db")
        self.assertEqual(self.measured("one.db"), self.measured("four.db"))

    def test_perturbed_repeats(self):
        self.sweep(WALKERS.replace("platforms", "repeats = 2\nplatforms"))
        self.assertEqual(self.ask("SELECT repetition, count(*), count(DISTINCT run) FROM results GROUP BY 1"), [(0, 8, 8), (1, 8, 8), (2, 8, 8)])
        self.assertEqual(self.ask("SELECT DISTINCT s.value, s.set_by FROM results r JOIN settings s ON s.run = r.run WHERE s.name = 'pages.seed' "
                                  "AND r.repetition = 2"), [(3, "perturbation 2")])

    def test_only_what_is_to_be_recorded(self):
        self.sweep(WALKERS.replace("platforms", "record = walk_unit.walks* energy.cam\nplatforms"))
        names = [n for n, in self.ask("SELECT name FROM statistics WHERE kind != 'headline' ORDER BY name")]
        self.assertEqual(names, ["energy.cam", "walk_unit.walks_coalesced", "walk_unit.walks_finished", "walk_unit.walks_started"])
        self.assertIn("cycles", [n for n, in self.ask("SELECT name FROM statistics WHERE kind = 'headline'")])

    # -- errors

    def test_a_failed_point_is_a_row_with_its_reason(self):
        text = WALKERS.replace("walk_unit.coalesce = off full", "fault.crash = false true\nfault.break_law = false true")
        done = self.sweep(text, code=3)
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("done", 4), ("failed", 12)])
        reasons = dict(self.ask("SELECT substr(reason, 1, 15), count(*) FROM results WHERE status = 'failed' GROUP BY 1"))
        self.assertEqual(sum(reasons.values()), 12)
        self.assertEqual(reasons, {"ended by signal": 8, "law broken: wal": 4})
        self.assertRegex(done.stderr, r"(?s)8 failed \(t on fake\): ended by signal.*4 failed \(t on fake\): law broken", "most of them first")
        self.assertEqual(self.ask("SELECT count(*) FROM run_statistics v JOIN runs r ON r.id = v.run WHERE r.status = 'failed'"), [(0,)])

    def test_failed_points_are_tried_again(self):
        self.sweep(WALKERS.replace("walk_unit.coalesce = off full", "fault.crash_at_seed = 0 1"), code=3)
        said = self.sweep(WALKERS.replace("walk_unit.coalesce = off full", "fault.crash_at_seed = 0 1"), code=3).stdout
        self.assertIn("8 points: 4 runs to do, 4 there from before", said)
        self.assertEqual(self.ask("SELECT status, count(*) FROM runs GROUP BY 1"), [("done", 4), ("failed", 4)])

    def test_killed_at_any_moment_it_goes_on(self):
        self.sweep(SLOW, into="whole.db")
        for after in (0.15, 0.6, 0.9, 1.2):
            with self.start("sweep", self.study(SLOW), "-q", "-j", "2", "-o", "r.db") as child:
                time.sleep(after)
                child.kill()
                child.communicate(timeout=ENOUGH)
        self.sweep(SLOW)
        self.assertEqual(self.measured(), self.measured("whole.db"))
        self.assertFalse((self.dir / "r.db.runs").exists())

    def test_what_had_ended_when_it_was_killed_counts(self):
        with self.start("sweep", self.study(SLOW), "-q", "-j", "1", "-o", "r.db") as child:
            self.wait_for(lambda: list(self.dir.glob("r.db.runs/*.run")))
            child.kill()
            child.communicate(timeout=ENOUGH)
        self.assertTrue(list(self.dir.glob("r.db.runs/*.run")))
        with self.start("sweep", self.study(SLOW), "-q", "-j", "1", "-o", "r.db") as child:
            self.wait_for(lambda: not list(self.dir.glob("r.db.runs/*.run")))
            child.send_signal(signal.SIGINT)
            self.assertIn("the same command goes on where it stopped", child.communicate(timeout=ENOUGH)[1])
        self.assertEqual(child.returncode, 130)
        self.assertGreater(self.ask("SELECT count(*) FROM runs")[0][0], 0)
        self.assertLess(self.ask("SELECT count(*) FROM runs")[0][0], 8)
        self.assertEqual(self.ask("SELECT DISTINCT status FROM runs"), [("done",)])

    def test_runs_found_by_a_sweep_that_is_refused_are_not_lost(self):
        with self.start("sweep", self.study(SLOW), "-q", "-j", "1", "-o", "r.db") as child:
            self.wait_for(lambda: list(self.dir.glob("r.db.runs/*.run")))
            child.kill()
            child.communicate(timeout=ENOUGH)
        ended = len(list(self.dir.glob("r.db.runs/*.run")))
        (self.dir / "r.db").unlink()
        self.assertIn("nothing was run", self.sweep(SLOW + "[windows]\nt = --warm-up 10cycles\n", code=1).stderr)
        self.assertEqual(self.ask("SELECT status, count(*) FROM runs GROUP BY 1"), [("done", ended)])

    def test_half_a_record_is_done_again(self):
        self.sweep(into="whole.db")
        self.sweep(WALKERS, "--points", "1")
        (self.dir / "r.db.runs").mkdir()
        key = self.ask("SELECT key FROM runs r WHERE key NOT IN (SELECT key FROM points WHERE number = 0)", "whole.db")[0][0]
        (self.dir / "r.db.runs" / f"{key}.run").write_bytes(b"\xbf\x63key\x61")
        self.sweep()
        self.assertEqual(self.measured(), self.measured("whole.db"))

    def test_two_sweeps_into_one_file(self):
        with self.start("sweep", self.study(SLOW), "-q", "-o", "r.db") as child:
            self.wait_for(lambda: (self.dir / "r.db.runs").exists())
            self.assertIn("r.db: another walkway sweeps into it (process", self.sweep(code=4).stderr)
            child.communicate(timeout=ENOUGH)
        self.assertEqual(child.returncode, 0)
        self.assertEqual(self.begun(), 8, "the refused one ran nothing")
        self.sweep()
        self.assertEqual(self.ask("SELECT count(*), count(DISTINCT key) FROM runs"), [(16, 16)])

    def test_a_full_disk(self):
        self.sweep(into="whole.db")
        whole = (self.dir / "whole.db").stat().st_size
        for limit in (20000, whole // 2, whole - 5000):
            done = self.run_it("sweep", self.study(), "-q", "-o", "r.db", code=4, preexec_fn=tiny_files(limit))
            self.assertRegex(done.stderr, "r.db")
        self.sweep()
        self.assertEqual(self.measured(), self.measured("whole.db"))

    def test_files_that_are_no_results(self):
        def refused(*says, code=2):
            before = (self.dir / "r.db").read_bytes()
            for command in (("sweep", self.study(), "-q", "-o", "r.db"), ("results", "r.db")):
                error = self.run_it(*command, code=code).stderr
                self.assertTrue(any(s in error for s in says), error)
            self.assertEqual((self.dir / "r.db").read_bytes(), before)
        (self.dir / "r.db").write_text("a diary, and a long one " * 400)
        refused("r.db: is no file of results")
        (self.dir / "r.db").unlink()
        import sqlite3
        with sqlite3.connect(self.dir / "r.db") as other:
            other.execute("CREATE TABLE diary(day)")
        refused("r.db: is no file of results: it has other tables")
        (self.dir / "r.db").unlink()
        self.sweep()
        with sqlite3.connect(self.dir / "r.db") as other:
            (now,) = other.execute("PRAGMA user_version").fetchone()
            other.execute("PRAGMA user_version = 99")
        refused(f"r.db: is of version 99 of the results' tables, and this program has version {now}")
        with sqlite3.connect(self.dir / "r.db") as other:
            other.execute(f"PRAGMA user_version = {now}")
        whole = (self.dir / "r.db").read_bytes()
        (self.dir / "r.db").write_bytes(whole[:4096] + b"\xff" * 20000 + whole[24096:])
        self.assertIn("is damaged", self.run_it("sweep", self.study(), "-q", "-o", "r.db", code=2).stderr)
        (self.dir / "r.db").write_bytes(whole[:len(whole) // 2])
        self.assertIn("is damaged", self.run_it("sweep", self.study(), "-q", "-o", "r.db", code=2).stderr)

    def test_it_does_not_write_over_what_it_reads(self):
        self.study()
        self.assertIn("--output", self.run_it("sweep", "study.cfg", "-o", "study.cfg", code=1).stderr)
        self.assertIn("--output", self.run_it("sweep", "study.cfg", "-o", "t.wkt", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
