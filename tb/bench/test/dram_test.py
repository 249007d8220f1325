#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Main memory compared with public simulators: unloaded it agrees with them to the last digit; mixed traffic activates as often and moves
as much as theirs; the traces are those that they were given."""
import csv
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
BUILD = pathlib.Path(os.environ["WALKWAY_BUILD"])
COMPARE = SOURCE / "tb/bench/dram/compare"
REPLAY = BUILD / "bench/bench_dram"


class DramTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def call(self, *words, code=0):
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def compare(self, traces, *more):
        text = self.call(COMPARE, "--build", BUILD, "-o", self.dir, "--csv", self.dir / "all.csv", "--traces", traces, *more)
        with open(self.dir / "all.csv", encoding="ascii", newline="") as f:
            return text, list(csv.DictReader(f))

    def replay(self, text, *words, code=0):
        (self.dir / "t.txt").write_text(text)
        done = self.call(REPLAY, "t.txt", *words, code=code)
        return json.loads(done) if code == 0 else done

    def test_unloaded_every_figure_is_theirs(self):
        text, rows = self.compare("h1_closed,h2_hit,h3_conflict")
        self.assertIn("18 of 18 figures lie within the spread", text)
        self.assertEqual(len(rows), 18)
        for row in rows:
            self.assertEqual({float(row[s]) for s in ("DRAMSys5.1", "DRAMsim3", "Ramulator2.1")}, {float(row["ours"])}, row)

    def test_mixed_traffic_activates_as_often_and_moves_as_much_as_theirs(self):
        text, rows = self.compare("e_rw7030", "--outside")
        self.assertEqual(hashlib.sha256((self.dir / "e_rw7030.txt").read_bytes()).hexdigest()[:16], "bdd338dcad193404")
        self.assertEqual(len(rows), 7 * 5)
        judged = [r for r in rows if r["inside"]]
        self.assertEqual(len(judged), 5 * 5) # two runs have results of one simulator only
        inside = sum(r["inside"] == "yes" for r in judged)
        self.assertIn("%d of 25 figures" % inside, text)
        self.assertEqual(text.count("\ne_rw7030 "), 25 - inside)
        for row in judged:
            if row["figure"] in ("activates", "GBps"):
                self.assertEqual(row["inside"], "yes", row)

    def test_the_replay_counts_what_happens(self):
        """By hand: a read of a closed bank takes 27 cycles, with one of the other channel at the same time; a write to another row of the
        bank that the read left open; a read of the line that waits to be written, which delays the write by one cycle."""
        one = self.replay("100 0x0 R\n200 0x40 R\n300 0x40000 W\n300 0x40000 R\n", 1, "refi=0")
        self.assertEqual((one["requests"], one["activates"], one["useless_activates"]), (4, 2, 0))
        self.assertEqual(one["read_mean_ns"], round((27 + 16 + 2) / 3 * 1.25, 2))
        self.assertEqual(one["write_mean_ns"], (1 + 1 + 11 + 11 + 8 + 4) * 1.25)
        self.assertEqual(one["arr_mean_ns"], one["acc_mean_ns"])
        two = self.replay("0 0x0 R\n0 0x40 R\n", 2)
        self.assertEqual((two["activates"], two["acc_mean_ns"]), (2, 27 * 1.25))
        full = self.replay("0 0x0 R\n0 0x40 R\n", 1, "read_entries=1")
        self.assertEqual(full["arr_mean_ns"], (27 + 31) / 2 * 1.25) # the second: a burst after the first,
        self.assertAlmostEqual(full["acc_mean_ns"], (27 + 18) / 2 * 1.25, delta=0.01) # accepted the cycle after its RD
        closed = self.replay("3115 0x0 R\n", 1) # the refresh of cycle 3120 closes the row just opened
        self.assertEqual((closed["activates"], closed["useless_activates"]), (2, 1))

    def test_what_is_wrong_is_said(self):
        self.assertIn("t.txt:2: not", self.replay("0 0x0 R\n0 0x0 X\n", 1, code=1))
        self.assertIn("t.txt:2: not", self.replay("5 0x0 R\n4 0x0 R\n", 1, code=1))
        self.assertIn("t.txt:1: not", self.replay("", 1, code=1))
        self.assertIn("is not 1, 2, 4", self.replay("0 0x0 R\n", 3, code=1))
        self.assertIn("read_entries", self.replay("0 0x0 R\n", 1, "entries=3", code=1))
        self.assertIn("whole number", self.replay("0 0x0 R\n", 1, "refi=x", code=1))
        self.assertIn("contradict", self.replay("0 0x0 R\n", 1, "write_low=90", code=1))
        self.assertIn("no.txt: cannot be opened", self.call(REPLAY, "no.txt", 1, code=1))
        self.assertIn("is none of a_stream", self.call(COMPARE, "--traces", "x", code=2))
        self.assertIn("is not built", self.call(COMPARE, "--build", self.dir, code=1))


if __name__ == "__main__":
    unittest.main()
