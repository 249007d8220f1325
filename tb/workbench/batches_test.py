#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Batches of a sweep: made, run and collected one by one, as a cluster's jobs would, also when they fail; and a sweep by batches, with a
stand-in for Snakemake. scripts/try_slurm uses the real one."""
import contextlib
import csv
import io
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from snakemake_stand_in import add_stand_in
from study_run import WALKERS, StudyTest
from walkway_run import ENOUGH

SLOW = WALKERS.replace("walk_unit.coalesce = off full", "fault.slow_ms = 100") # four runs
TWO = SLOW.replace("1 2 4 8", "1 2").replace("100", "510") # each is its own batch, at one second per batch
CAPTURES = os.environ["WALKWAY_CAPTURES"] == "1"
PROGRAM = pathlib.Path(os.environ["WALKWAY_PROGRAM"]).parents[2] / "workloads" / "atax"


class BatchesTest(StudyTest):
    def by(self, text, *words, code=0, **more):
        return self.run_it("sweep", self.study(text), "-o", "r.db", *words, code=code, **more)

    def batches(self, text=WALKERS, seconds=1, **more):
        rows = list(csv.DictReader(io.StringIO(self.by(text, "--batches", "--batch-seconds", seconds, "--csv", "-", **more).stdout)))
        return {row["batch"]: int(row["runs"]) for row in rows}

    swept = {} # results of a sweep on this machine, by study

    def same_as_a_sweep(self, text=WALKERS):
        if text not in self.swept:
            self.sweep(text, into="whole.db")
            self.swept[text] = self.measured("whole.db")
        self.assertEqual(self.measured(), self.swept[text])
        self.assertEqual(self.ask("SELECT count(*) FROM runs"), self.ask("SELECT count(DISTINCT key) FROM points"))

    # -- made, run, collected

    def test_batches_ask_for_what_runs_are_known_to_take(self):
        rows = list(csv.DictReader(io.StringIO(self.by(SLOW.replace("100", "1200"), "--batches", "--csv", "-", "--batch-seconds", "3").stdout)))
        self.assertEqual([(row["batch"], row["runs"], row["from"]) for row in rows], [("1", "2", "t"), ("2", "2", "t")])
        self.assertTrue(2.4 <= float(rows[0]["seconds"]) <= 3, rows) # a busy machine adds to each
        self.assertEqual(rows[0]["minutes"], "3")
        self.assertTrue(256 < int(rows[0]["MiB"]) < 2000, rows)
        self.assertEqual(self.batches(TWO, seconds=10), {"1": 2})

    def test_all_of_them_are_a_sweep(self):
        self.assertEqual(self.batches(TWO), {"1": 1, "2": 1})
        self.by(TWO, "--batch", "2")
        self.assertIn("1 point done, 0 failed, 1 missing", self.by(TWO, "--collect").stdout)
        self.assertEqual(self.batches(TWO), {"1": 1})
        self.by(TWO, "--batch", "1")
        self.assertIn("2 points done, 0 failed, 0 missing", self.by(TWO, "--collect").stdout)
        self.assertFalse((self.dir / "r.db.runs").exists())
        self.same_as_a_sweep(TWO)

    def test_a_batch_run_twice_does_nothing_twice(self):
        self.batches()
        self.assertIn("8 of 8 runs to do", self.by(WALKERS, "--batch", "1").stdout)
        self.assertIn("0 of 8 runs to do", self.by(WALKERS, "--batch", "1").stdout)
        extra = self.by(WALKERS.replace("4 8", "4 8 16"), "--batches")
        self.assertIn("10 points: 2 runs to do, 8 there from before", extra.stdout)
        self.assertIn("8 points done, 0 failed, 2 missing", self.by(WALKERS.replace("4 8", "4 8 16"), "--collect").stdout)

    def test_other_points_of_the_study_are_not_counted(self):
        self.by(WALKERS, "--batches", "--points", "1-5")
        self.by(WALKERS, "--batch", "1")
        self.assertIn("5 points done, 0 failed, 0 missing", self.by(WALKERS, "--collect", "--points", "1-5").stdout)
        self.assertIn("2 points done, 0 failed, 0 missing", self.by(WALKERS, "--collect", "--points", "1-2").stdout)
        self.by(WALKERS, "--batches", "--points", "6-8")
        self.assertIn("0 points done, 0 failed, 3 missing", self.by(WALKERS, "--collect", "--points", "6-8").stdout)
        self.assertIn("5 points done, 0 failed, 0 missing", self.by(WALKERS, "--collect", "--points", "1-5").stdout)
        self.by(WALKERS, "--batch", "1")  # its file is there until its own points are done
        self.assertIn("3 points done, 0 failed, 0 missing", self.by(WALKERS, "--collect", "--points", "6-8").stdout)
        self.assertFalse((self.dir / "r.db.runs").exists())
        self.same_as_a_sweep()

    def test_records_of_another_format_are_not_counted(self):
        now, older, none = b"\x66format\x04", b"\x66format\x03", b"\x66former\x04"
        for other in (older, none):
            self.batches()
            self.by(WALKERS, "--batch", "1")
            records = list(self.dir.glob("r.db.runs/*.run"))
            self.assertEqual([record.read_bytes().count(now) for record in records], [1] * 8)
            for record in records[:3]:
                record.write_bytes(record.read_bytes().replace(now, other))
            self.assertIn("5 points done, 0 failed, 3 missing", self.by(WALKERS, "--collect").stdout)
            self.sweep()
            self.same_as_a_sweep()
            self.assertEqual(self.ask("SELECT count(*) FROM runs WHERE laws = 0"), [(0,)])
            (self.dir / "r.db").unlink()

    def test_collected_in_between_it_is_not_done_again(self):
        self.batches(SLOW, seconds=10)
        with self.start("sweep", "study.cfg", "-o", "r.db", "--batch", "1") as child:
            self.wait_for(lambda: list(self.dir.glob("r.db.runs/*.run")))
            child.kill()
            child.communicate(timeout=ENOUGH)
        there = len(list(self.dir.glob("r.db.runs/*.run")))
        self.assertRegex(self.by(SLOW, "--collect").stdout, f"^{there} points? done, 0 failed, {4 - there} missing")
        self.assertIn(f"{4 - there} of 4 runs to do", self.by(SLOW, "--batch", "1").stdout)
        self.assertIn("4 points done, 0 failed, 0 missing", self.by(SLOW, "--collect").stdout)
        self.same_as_a_sweep(SLOW)

    @staticmethod
    def stopped_one(children):
        """Returns a child that it has stopped, so that it cannot end by itself; None if all had ended."""
        for pid in children.read_text().split():
            with contextlib.suppress(ProcessLookupError, FileNotFoundError):
                os.kill(int(pid), signal.SIGSTOP)
                if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T":
                    return int(pid)
        return None

    def test_a_run_that_was_killed_is_a_row_until_its_batch_does_it(self):
        self.batches(SLOW, seconds=10)
        with self.start("sweep", "study.cfg", "-o", "r.db", "--batch", "1") as child:
            runs = pathlib.Path(f"/proc/{child.pid}/task/{child.pid}/children")
            os.kill(self.wait_for(lambda: self.stopped_one(runs)), signal.SIGKILL)
            said = child.communicate(timeout=ENOUGH)
        self.assertEqual(child.returncode, 2, said)
        self.assertRegex(said[1], r"batch 1: t, fake, walk_unit.walkers=[12], fault.slow_ms=100: ended by signal 9")
        lost = next(self.dir.glob("r.db.runs/*.lost"))
        record = lost.read_bytes()
        self.by(SLOW, "--collect", code=3)
        self.assertEqual(self.ask("SELECT status, reason FROM results WHERE status != 'done'"), [("failed", "ended by signal 9 (Killed)")])
        self.assertIn("1 of 4 runs to do", self.by(SLOW, "--batch", "1").stdout)
        self.by(SLOW, "--collect")
        self.same_as_a_sweep(SLOW)
        lost.parent.mkdir()
        lost.write_bytes(record)
        self.sweep(SLOW)
        self.assertFalse(lost.exists())
        self.same_as_a_sweep(SLOW)

    def test_what_a_killed_run_left_half_written_goes_when_the_run_is_done(self):
        self.batches(TWO)
        self.by(TWO, "--batch", "1")
        runs = self.dir / "r.db.runs"
        done = next(runs.glob("*.run"))
        missing = "0" * len(done.stem)
        for key in (done.stem, missing):
            for left in ("run", "lost", "tried"):
                (runs / f"{key}.{left}.tmp4711").write_bytes(done.read_bytes()[:100])
        self.by(TWO, "--batch", "2")
        self.assertIn("2 points done, 0 failed, 0 missing", self.by(TWO, "--collect").stdout)
        self.assertEqual(sorted(path.name for path in runs.iterdir()), [f"{missing}.{left}.tmp4711" for left in ("lost", "run", "tried")])
        for path in runs.iterdir():
            path.rename(path.with_name(path.name.replace(missing, done.stem)))
        self.sweep(TWO) # a sweep with nothing to do
        self.assertFalse(runs.exists())
        self.same_as_a_sweep(TWO)

    def test_a_run_that_is_tried_after_its_batch_did_it_leaves_nothing(self):
        self.batches(TWO)
        tried = next(self.dir.glob("r.db.runs/*.tried"))
        record = tried.read_bytes()
        self.by(TWO, "--batch", "1")
        self.by(TWO, "--batch", "2")
        self.assertFalse(tried.exists())
        tried.write_bytes(record)
        self.assertIn("2 points done, 0 failed, 0 missing", self.by(TWO, "--collect").stdout)
        self.assertFalse(tried.parent.exists())
        self.same_as_a_sweep(TWO)

    def test_failed_points_are_rows_and_no_failure_of_the_batch(self):
        text = WALKERS.replace("walk_unit.coalesce = off full", "fault.crash = false true")
        self.batches(text)
        self.by(text, "--batch", "1")
        self.assertIn("4 points done, 4 failed, 0 missing", self.by(text, "--collect", code=3).stdout)
        self.sweep(text, into="whole.db", code=3)
        self.assertEqual(self.measured(), self.measured("whole.db"))

    @unittest.skipUnless(CAPTURES, "built without capture")
    def test_programs_are_captured_by_a_job_of_their_own(self):
        text = WALKERS.replace("t = t.wkt", f"t = t.wkt\np = program {PROGRAM} 32")
        said = self.by(text, "--batches").stdout
        self.assertIn("16 points: 16 runs to do", said)
        self.assertIn("1 batch; to be captured first, for more: p\n", said)
        self.by(text, "--batch", "1")
        self.assertIn("1 batch\n", self.by(text, "--capture", "p").stdout)
        self.by(text, "--batch", "w2-1")
        self.assertIn("16 points done, 0 failed, 0 missing", self.by(text, "--collect").stdout)
        self.same_as_a_sweep(text)
        self.assertNotIn("captured", self.by(text, "--batches").stdout)
        shutil.rmtree(self.dir / "cache")
        self.assertIn("for more: p", self.by(text, "--batches").stdout)
        self.assertIn("0 batches", self.by(text, "--capture", "p").stdout)
        self.assertIn("no workload 'q' of study.cfg that is a program", self.by(text, "--capture", "q", code=1).stderr)

    @unittest.skipUnless(CAPTURES, "built without capture")
    def test_a_sweep_estimates_what_it_has_captured(self):
        text = WALKERS.replace("t = t.wkt", f"t = t.wkt\np = program {PROGRAM} 32")
        self.assertRegex(self.run_it("sweep", self.study(text), "-q", "--dry-run").stdout, r"16 points: 16 runs to do; about .*; without 8 runs of programs that are not captured yet\n")
        self.assertRegex(self.sweep(text).stdout, r"16 points: 16 runs to do; about [^;]* of results\n")

    @unittest.skipUnless(CAPTURES, "built without capture")
    def test_batches_are_not_done_while_a_capture_is_to_come(self):
        text = WALKERS.replace("t = t.wkt", f"t = t.wkt\np = program {PROGRAM} 32")
        self.by(text, "--batches")
        self.by(text, "--batch", "1")
        self.assertIn("8 points done, 0 failed, 0 missing", self.by(text, "--collect", "--points", "1-8").stdout)
        self.assertTrue((self.dir / "r.db.runs/batches/captures.json").exists())
        self.by(text, "--capture", "p")
        self.assertIn("8 points done, 0 failed, 0 missing", self.by(text, "--collect", "--points", "1-8").stdout)
        self.by(text, "--batch", "w2-1")
        self.assertIn("16 points done, 0 failed, 0 missing", self.by(text, "--collect").stdout)
        self.assertFalse((self.dir / "r.db.runs").exists())
        self.same_as_a_sweep(text)

    # -- jobs that do not match the plan

    def test_a_job_runs_what_was_planned_or_nothing(self):
        self.batches()
        says = "point 1 of study.cfg is another run here than when the batch was made"
        self.assertIn(says, self.by(WALKERS.replace("1 2", "3 5"), "--batch", "1", code=2).stderr)
        self.assertIn(says, self.by(WALKERS, "--batch", "1", "--set", "walk_unit.buffer_entries=64", code=2).stderr)
        self.run_it("trace", "save", "--groups", "0", "-o", "part.wkt", "t.wkt")
        shutil.copy(self.dir / "part.wkt", self.dir / "t.wkt")
        self.assertIn("t.wkt: is not the trace that it was when the batch was made", self.by(WALKERS, "--batch", "1", code=2).stderr)
        self.assertEqual(list(self.dir.glob("r.db.runs/*.run")), [])

    def test_a_study_that_lost_a_workload(self):
        two = WALKERS.replace("t = t.wkt", "t = t.wkt\ng = gen:stride,waves=2")
        self.batches(two)
        self.assertIn("batch 1: study.cfg has fewer workloads here than when the batch was made: the study was changed",
                      self.by(WALKERS, "--batch", "1", code=2).stderr)

    def test_batches_that_are_none(self):
        self.batches()
        for name in ("2", "../batches/1"):
            self.assertIn(f"there is no batch '{name}' of r.db; 'walkway sweep --batches' makes", self.by(WALKERS, "--batch", name, code=2).stderr)
        (self.dir / "r.db.runs/batches/1.json").write_text("[1]")
        self.assertIn("1.json: is no batch", self.by(WALKERS, "--batch", "1", code=2).stderr)

    def test_options_that_do_not_go_together(self):
        for words, says in ((("--batches", "--collect"), "--batches and --collect: one of them"), (("--batch", "1", "--points", "1"), "--points: a batch has its own"),
                            (("--batch-seconds", "3"), "--batch-seconds belongs to"), (("--batch", "1", "--csv", "x"), "--csv belongs to"),
                            (("--collect", "-j", "2"), "--collect runs nothing")):
            self.assertIn(says, self.by(WALKERS, *words, code=1).stderr)

    def test_what_is_left_of_a_file_that_is_gone(self):
        self.batches()
        self.by(WALKERS, "--batch", "1")
        (self.dir / "r.db").unlink()
        (self.dir / "other.cfg").write_text("[machine]\npath = fake\n")
        self.by(WALKERS.replace("t = t", "u = t").replace("= fake", "= other:walk_unit.walkers=16").replace("1 2 4 8", "32 64"), "--collect")
        self.assertEqual(self.ask("SELECT count(*) FROM runs"), [(0,)])

    # -- whole sweeps by jobs

    def with_stand_in(self, path=None):
        stand_in = add_stand_in(self.dir)
        self.env["PATH"] = path if path is not None else f"{stand_in}:{os.environ['PATH']}"

    def on_cluster(self, text, *words, code=0, path=None, **more):
        self.with_stand_in(path)
        return self.by(text, "-q", "--cluster", "slurm", *words, code=code, **more)

    def test_a_sweep_on_a_cluster(self):
        self.assertIn("2 points done, 0 failed, 0 missing\nresults: r.db", self.on_cluster(TWO, "--batch-seconds", "1").stdout)
        self.assertFalse((self.dir / "r.db.runs").exists())
        self.same_as_a_sweep(TWO)
        self.assertIn("2 points: 0 runs to do", self.on_cluster(TWO, path="/nowhere").stdout)

    @unittest.skipUnless(CAPTURES, "built without capture")
    def test_captures_on_a_cluster(self):
        text = WALKERS.replace("t = t.wkt", f"t = t.wkt\np = program {PROGRAM} 32")
        self.assertIn("3 points done, 0 failed, 0 missing", self.on_cluster(text, "--points", "1,9-10").stdout)
        self.assertFalse((self.dir / "r.db.runs").exists())
        bad = text.replace("atax 32", "atax 40").replace("p = ", f"b = program {PROGRAM} --nonsense\np = ")
        said = self.on_cluster(bad, code=2)
        self.assertRegex(said.stderr, "capturing b failed, begun 1 time: capture of .*atax failed.*logs/capture-2.log")
        self.assertIn("nonsense", (self.dir / "r.db.runs/batches/logs/capture-2.log").read_text())
        self.assertIn("16 points done, 0 failed, 8 missing", said.stdout)

    def test_a_batch_that_dies_is_tried_again_and_then_a_row(self):
        self.on_cluster(WALKERS, env={"DIE": "2"})
        self.same_as_a_sweep()
        (self.dir / "r.db").unlink()
        said = self.on_cluster(WALKERS, code=3, env={"DIE": "3"})
        reason = "its batch did not do it, begun 3 times: it was ended from outside (its time limit, its memory limit or its machine)"
        self.assertEqual(self.ask("SELECT status, reason, count(*) FROM results GROUP BY 1, 2"), [("failed", reason, 8)])
        self.assertIn(reason, said.stderr)
        self.on_cluster(WALKERS)
        self.same_as_a_sweep()

    def test_what_a_run_said_counts_before_what_became_of_its_batch(self):
        text = WALKERS.replace("walk_unit.coalesce = off full", "fault.crash = false true")
        self.on_cluster(text, code=3, env={"DENY": "1"})
        self.assertEqual(self.ask("SELECT status, substr(reason, 1, 15), count(*) FROM results GROUP BY 1, 2"), [("done", "", 4), ("failed", "ended by signal", 4)])

    def test_a_cluster_that_is_not_there(self):
        said = self.on_cluster(TWO, "--batch-seconds", "1", code=2, env={"BEGIN": "0"})
        self.assertIn("the cluster did not begin 2 runs: submit: error: no such cluster (r.db.runs/batches/snakemake.log); the same command", said.stderr)
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("missing", 2)])
        self.on_cluster(TWO, "--batch-seconds", "1", code=2, env={"BEGIN": "1"})
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("done", 1), ("missing", 1)])
        self.on_cluster(TWO)
        self.same_as_a_sweep(TWO)

    def test_a_full_disk(self):
        text = WALKERS.replace("walk_unit.walkers = 1 2 4 8\nwalk_unit.coalesce = off full", "fault.slow_ms = 0 8000") # one batch
        said = self.on_cluster(text, "--batch-seconds", "1", code=4, env={"LEAVE": "1"})
        self.assertIn("r.db.runs/batches: No space left on device; the same command goes on where it stopped, when there is room", said.stderr)
        self.assertIn("with external jobid", (self.dir / "r.db.runs/batches/snakemake.log").read_text())
        self.assert_cancelled()
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("done", 1), ("missing", 1)])
        self.on_cluster(text, "--batch-seconds", "1")
        self.same_as_a_sweep(text)

    def assert_cancelled(self):
        """The profile's command cancels the submitted jobs; the stand-in for Snakemake does not do it itself."""
        jobs = (self.dir / "submitted").read_text().split()
        self.assertGreater(len(jobs), 0)
        self.assertEqual((self.dir / "cancelled").read_text().split(), jobs)
        for job in jobs:
            self.wait_for(lambda job=job: not pathlib.Path(f"/proc/{job}/exe").exists())

    def test_without_snakemake_or_profile(self):
        said = self.on_cluster(WALKERS, code=2, path="/nowhere").stderr
        self.assertIn("snakemake is not there, which runs a sweep's batches on a cluster: install Debian's package", said)
        self.assertIn("--cluster ./here: is no profile of Snakemake's", self.by(WALKERS, "--cluster", "./here", code=2, env={"PATH": str(self.dir / "bin")}).stderr)
        self.assertEqual(self.ask("SELECT status, count(*) FROM results GROUP BY 1"), [("missing", 8)])

    def test_interrupted_and_two_at_a_time(self):
        self.with_stand_in()
        slow = SLOW.replace("100", "300")
        with self.start("sweep", self.study(slow), "-o", "r.db", "-q", "--cluster", "slurm") as child:
            self.wait_for(lambda: list(self.dir.glob("r.db.runs/*.run")))
            for words in (("--cluster", "slurm"), ("--batches",), ("--collect",), ()):
                self.assertIn("r.db: another walkway sweeps into it (process", self.by(slow, *words, code=4).stderr)
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=ENOUGH)[1]
        self.assertEqual(child.returncode, 130, said)
        self.assertIn("interrupted; the same command goes on where it stopped", said)
        self.assertLess(len(list(self.dir.glob("r.db.runs/*.run"))), 4)
        self.assertEqual(subprocess.run(["pgrep", "-f", str(self.dir)], stdout=subprocess.DEVNULL, check=False).returncode, 1, "its Snakemake is gone")
        with self.start("sweep", "study.cfg", "-o", "r.db", "-q", "--cluster", "slurm") as child:
            self.wait_for(lambda: [file for file in self.dir.glob("r.db.runs/*.run") if file.stat().st_size > 0])
            child.kill()
            child.communicate(timeout=ENOUGH)
        self.on_cluster(slow)
        self.same_as_a_sweep(slow)


if __name__ == "__main__":
    unittest.main()
