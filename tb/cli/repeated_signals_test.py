#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A signal and its repeat, as `timeout -s INT` sends it: to its child, and then to the whole group. Every command takes both as one
interrupt. The test sends the repeat after the first is taken and within 200 ms; if this computer is too slow for that, it tries again."""
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from walkway_run import ENOUGH, PROGRAM, RunTest, children_of, handles, has_signal

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
PROBE = WORKLOADS.parent / "tb" / "capture" / "capture_probe"
SAME_REQUEST = 0.2 # seconds; tool/support/stop_requests.hpp
ATTEMPTS = 20
SLOW = "fake:fault.slow_ms=60000,fault.deaf=true"


def sleeps(pid):
    """Returns whether it sleeps as often as the slow machine; the code before it sleeps less often."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"(?m)^voluntary_ctxt_switches:\s*(\d+)", text)[1]) > 50


def two_jobs_sleep(pid):
    return [sleeps(job) for job in children_of(pid)] == [True, True]


def is_taken(pid):
    return not has_signal(pid, signal.SIGINT, "ShdPnd")


class RepeatedSignalsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        self.run_it("capture", "-q", "-o", "t.wkt", "--", PROBE, "vadd")

    def sent_twice(self, child):
        """Returns whether the repeat is sent in time; a process that has ended before receives none."""
        begin = time.monotonic()
        os.kill(child.pid, signal.SIGINT)
        while not is_taken(child.pid):
            if time.monotonic() - begin >= SAME_REQUEST:
                return False
        os.killpg(child.pid, signal.SIGINT)
        return time.monotonic() - begin < SAME_REQUEST * 0.9

    def start_deaf(self, words, ready):
        child = self.start(*words, start_new_session=True)
        self.wait_for(lambda: child.poll() is not None or handles(child.pid, signal.SIGINT) and ready(child.pid))
        self.assertIsNone(child.poll())
        return child

    def check_one_interrupt(self, *words, ready):
        """Checks that commands deaf to the first signal continue, and end at the next that is not a repeat."""
        for _ in range(ATTEMPTS):
            with self.start_deaf(words, ready) as child:
                in_time = self.sent_twice(child)
                time.sleep(1.5 * SAME_REQUEST) # the time for repeats is over
                ended = child.poll()
                if ended is None:
                    os.kill(child.pid, signal.SIGINT)
                _, err = child.communicate(timeout=ENOUGH)
            if in_time:
                self.assertIsNone(ended, f"{words}: the repeat ended it\n{err}")
                self.assertEqual(child.returncode, 130, err)
                return
        self.fail("the repeat never came in time")

    def test_run_and_its_jobs(self):
        self.check_one_interrupt("run", "-q", "-p", SLOW, "t.wkt", ready=sleeps)
        self.check_one_interrupt("run", "-q", "-j", 2, "-p", SLOW, "-p", SLOW, "t.wkt", ready=two_jobs_sleep)

    def test_compare(self):
        self.check_one_interrupt("compare", "-q", "-j", 2, "t.wkt", SLOW, SLOW + ",walk_unit.walkers=4", ready=two_jobs_sleep)

    def test_a_capture_of_a_program_that_is_deaf(self):
        number = self.dir / "number"
        program = self.dir / "deaf"
        program.write_text(f"#!/bin/sh\ntrap '' INT TERM\necho $$ >'{number}'\nexec sleep 60\n")
        program.chmod(0o755)
        self.check_one_interrupt("capture", "-o", "x.wkt", "--", program, ready=lambda _: number.exists())

    def test_a_captured_program_keeps_its_trace(self):
        """The program is in the group, and its capture forwards the first signal: it takes three signals as one."""
        for _ in range(4):
            with self.start("capture", "-q", "-o", "x.wkt", "--", PROBE, "slow", start_new_session=True) as child:
                self.wait_for(lambda: any(p.stat().st_size > 0 for p in self.dir.glob("x.wkt.capture*.partial")))
                os.kill(child.pid, signal.SIGINT)
                os.killpg(child.pid, signal.SIGINT)
                _, err = child.communicate(timeout=ENOUGH)
            self.assertEqual(child.returncode, 130, err)
            self.assertIn("capture interrupted; x.wkt has what was recorded", err)
            self.assertIn("PARTIAL", self.run_it("trace", "check", "x.wkt").stdout)
            self.assertEqual(sorted(p.name for p in self.dir.glob("x.*")), ["x.wkt"])
            (self.dir / "x.wkt").unlink()

    def test_as_timeout_does_it(self):
        done = subprocess.run(["timeout", "-s", "INT", "2", PROGRAM, "capture", "-q", "-o", "x.wkt", "--", str(PROBE), "slow"],
                              cwd=self.dir, env=self.env, capture_output=True, text=True, timeout=ENOUGH, check=False)
        self.assertEqual(done.returncode, 124, done.stderr)
        self.assertIn("PARTIAL", self.run_it("trace", "check", "x.wkt").stdout)


if __name__ == "__main__":
    unittest.main()
