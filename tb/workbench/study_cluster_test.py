#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A paper's study whose captures and runs are jobs of a cluster, with a stand-in for Snakemake: the same as without, whatever happens to
its jobs. scripts/try_slurm does it with the real one."""
import json
import os
import pathlib
import shutil
import signal
import unittest

from snakemake_stand_in import add_stand_in
from walkway_run import RunTest

WORDS = ("reproduce", "micro18", "-p", "fake", "--figures", "9", "--programs", "ATX") # four machines
CAPTURES = os.environ["WALKWAY_CAPTURES"] == "1"


@unittest.skipUnless(CAPTURES, "built without capture")
class StudyClusterTest(RunTest):
    traces = None # captured once

    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        self.env["PATH"] = f"{add_stand_in(self.dir)}:{os.environ['PATH']}"
        if StudyClusterTest.traces is None:
            self.run_it(*WORDS, "-q", "-o", "once")
            [path] = (self.dir / "once/traces").iterdir()
            StudyClusterTest.traces = {path.name: path.read_bytes()}

    def put_traces(self, folder="r"):
        (self.dir / folder / "traces").mkdir(parents=True)
        for name, contents in self.traces.items():
            (self.dir / folder / "traces" / name).write_bytes(contents)

    def on_cluster(self, *words, code=0, **more):
        return self.run_it(*WORDS, "-o", "r", "--cluster", "slurm", *words, code=code, **more)

    def report(self, folder="r"):
        return json.loads((self.dir / folder / "reproduce.json").read_text())

    def kept(self):
        return sorted(self.dir.glob("r/runs/*/stats.json"))

    def test_captures_and_runs_are_jobs_and_the_numbers_the_same(self):
        said = self.on_cluster("--batch-seconds", "1", "--ranges=1")
        self.assertIn("capturing 1 programs", said.stderr)
        self.assertIn("8 runs, 0 of them kept", said.stderr)
        self.assertFalse((self.dir / "r/batches").exists())
        self.put_traces("here")
        here = self.run_it(*WORDS, "--ranges=1", "-o", "here")
        self.assertEqual(self.report(), self.report("here"))
        self.assertEqual(said.stdout.replace("r/", "here/"), here.stdout)
        for run in self.report()["runs"]:
            self.assertEqual((self.dir / "r" / run["folder"] / "stats.json").read_bytes(), (self.dir / "here" / run["folder"] / "stats.json").read_bytes())
        shutil.rmtree(self.dir / "bin")
        self.assertIn("8 runs, 8 of them kept", self.on_cluster("--ranges=1").stderr)
        self.assertIn("8 runs, 8 of them kept", self.run_it(*WORDS, "--ranges=1", "-o", "r").stderr)

    def test_one_that_is_interrupted_or_killed_goes_on(self):
        self.put_traces()
        slow = ("--set", "fault.slow_ms=600", "-q", "--batch-seconds", "1")
        for by in (signal.SIGINT, signal.SIGKILL):
            before = len(self.kept())
            with self.start(*WORDS, "-o", "r", "--cluster", "slurm", *slow) as child:
                self.wait_for(lambda: len(self.kept()) > before)
                self.assertIn("another walkway writes its results there", self.on_cluster(*slow, code=4).stderr)
                child.send_signal(by)
                said = child.communicate(timeout=30)[1]
            self.assertEqual(child.returncode, 130 if by == signal.SIGINT else -9, said)
        self.assertLess(len(self.kept()), 4)
        there = {path: path.stat().st_mtime_ns for path in self.kept()}
        self.on_cluster(*slow)
        self.assertEqual({path: path.stat().st_mtime_ns for path in there}, there)
        self.assertEqual(self.report()["missing"], 0)

    def test_a_batch_that_dies_is_tried_again_and_then_said(self):
        self.put_traces()
        self.on_cluster("-q", env={"DIE": "2"})
        self.assertEqual(self.report()["missing"], 0)
        shutil.rmtree(self.dir / "r/runs")
        said = self.on_cluster("-q", code=3, env={"DIE": "3"})
        self.assertIn("walkway: ATX leaf: its batch did not do it, begun 3 times: it was ended from outside", said.stderr)
        self.assertIn("3 WITHOUT RESULT", said.stdout)  # the one that was tried has one
        self.on_cluster("-q")
        self.assertEqual(self.report()["missing"], 0)

    def test_runs_that_fail_are_said_as_without_a_cluster(self):
        self.put_traces()
        self.put_traces("here")
        for fault, code, says in (("deadlock=true", 3, "ATX leaf: the machine is stuck:"), ("crash=true", 3, "ATX leaf: ended by signal")):
            said = self.on_cluster("-q", "--set", "fault." + fault, code=code)
            here = self.run_it(*WORDS, "-q", "-o", "here", "--set", "fault." + fault, code=code)
            for text in (said.stderr, here.stderr):
                self.assertIn(says, text)
            self.assertIn("4 WITHOUT RESULT", said.stdout)
            self.assertEqual(said.stdout.replace("r/", "here/"), here.stdout)

    def test_a_run_without_memory_is_tried_again(self):
        self.put_traces()
        with self.start(*WORDS, "-q", "-o", "r", "--cluster", "slurm", "--set", "fault.slow_ms=700") as child:
            job = lambda: [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if self.is_run(pid)]
            self.wait_for(job)
            for pid in job():
                os.kill(int(pid.name), signal.SIGKILL)
            self.wait_for(lambda: self.kept() or list(self.dir.glob("r/batches/failed/*")))
            said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, said)
        self.assertEqual(len(self.kept()), 4)

    def is_run(self, process):
        """A run of a batch: a process below one whose command line has --batch, and not its first child's."""
        try:
            parent = process.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1]
            above = pathlib.Path("/proc", parent)
            both = all(b"--batch\0" in p.joinpath("cmdline").read_bytes() and str(self.dir).encode() == os.fsencode(os.readlink(p / "cwd")) for p in (process, above))
            return both and process.joinpath("cmdline").read_bytes().startswith(above.joinpath("cmdline").read_bytes()[:20])
        except OSError:
            return False

    def test_a_cluster_that_is_not_there(self):
        refused = "the cluster did not begin {}: submit: error: no such cluster (r/batches/snakemake.log); the same command goes on"
        self.assertIn(refused.format("what was to be captured"), self.on_cluster(code=2, env={"BEGIN": "0"}).stderr)
        shutil.rmtree(self.dir / "r")
        self.put_traces()
        said = self.on_cluster("--set", "fault.slow_ms=600", "--batch-seconds", "1", code=2, env={"BEGIN": "1"})
        self.assertIn(refused.format("2 runs"), said.stderr)
        self.assertEqual(len(self.kept()), 2)
        shutil.rmtree(self.dir / "bin")
        self.assertIn("snakemake is not there", self.on_cluster("--set", "fault.slow_ms=1", code=2, env={"PATH": "/nowhere"}).stderr)

    def test_a_capture_that_fails(self):
        self.env["WALKWAY_WORKLOADS"] = str(self.dir / "programs")
        (self.dir / "programs").mkdir()
        (self.dir / "programs/atax").write_text("#!/bin/sh\nexit 3\n")
        (self.dir / "programs/atax").chmod(0o755)
        said = self.on_cluster(code=2).stderr
        self.assertRegex(said, "capturing atax-[^ ]+ failed, begun 1 time: .*; r/batches/logs/capture-1.log")

    def test_a_job_runs_what_was_planned_or_nothing(self):
        self.put_traces()
        self.on_cluster("--set", "fault.slow_ms=600", "--batch-seconds", "1", code=2, env={"BEGIN": "1"})
        other = self.run_it(*WORDS, "-o", "r", "--batch", "2", code=2)
        self.assertIn("is no run of this study here: other options, another trace", other.stderr)
        self.assertIn("1 of 1 runs to do", self.run_it(*WORDS, "-o", "r", "--set", "fault.slow_ms=600", "--batch", "2").stdout)
        for name in ("9", "../batches/1"):
            self.assertIn(f"there is no batch '{name}' in r/batches", self.run_it(*WORDS, "-o", "r", "--batch", name, code=2).stderr)
        self.assertIn("the study captures no 'atx'", self.run_it(*WORDS, "-o", "r", "--capture", "atx", code=1).stderr)

    def test_options_that_do_not_go_together(self):
        for words, says in ((("--kept", "--cluster", "slurm"), "--kept and --cluster: one of them"), (("--batch-seconds", "3"), "--batch-seconds belongs to --cluster"),
                            (("--batch", "1", "--csv", "-"), "--csv: a job of the study's prints no figures")):
            self.assertIn(says, self.run_it(*WORDS, *words, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
