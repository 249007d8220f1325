#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The options of a file of translations: invalid ones are refused by name, and no file is left incomplete."""
import os
import signal
import time
import unittest

from trace_events import TraceFile
from walkway_run import WritingOptionsTest


class OptionsTest(WritingOptionsTest):
    writes = ("--transactions", "x.json")

    def test_windows_that_are_none(self):
        for text in ("..", "3us", "3us-4us", "3us.4us"):
            self.refused("--transactions-window", text, says=["--transactions-window " + text, "FROM..TO"])
        self.refused("--transactions-window", "3usec..4us", says=["3usec", "did you mean 'us'?"])
        self.refused("--transactions-window", "3us..4cycels", says=["4cycels", "did you mean 'cycles'?"])
        self.refused("--transactions-window", "3us...4us.", says=["--transactions-window .4us."])
        self.refused("--transactions-window", "4us..3us", says=["4us..3us", "ends where it begins, or before"])
        self.refused("--transactions-window", "6000cycles..3us", says=["ends where it begins, or before"])

    def test_numbers_that_are_none(self):
        for text in ("0", "-1", "x", "1.5"):
            self.refused("--transactions-sample=" + text, says=["--transactions-sample " + text, "whole number from 1"])
        for option in ("slowest", "limit"):
            for text in ("0", "100001", "many"):
                self.refused("--transactions-" + option, text, *(["--transactions-sample", 2] * (option == "limit")),
                             says=["--transactions-" + option + " " + text, "from 1 to 100000"])

    def test_options_that_contradict_each_other(self):
        self.refused("--transactions-slowest", 3, "--transactions-sample", 3, says=["exclude each other"])
        self.refused("--transactions-limit", 3, says=["for a window or a sample"])
        self.refused("--transactions-limit", 3, "--transactions-slowest", 3, says=["for a window or a sample"])
        self.refused("--vcd", "./x.json", says=["--vcd and --transactions want the same file"])

    def test_names(self):
        self.refused("--transactions-smaple", 3, says=["did you mean '--transactions-sample'?"])
        self.refused("--transaction", 3, says=["did you mean '--transactions'?"])
        for option in ("window", "sample", "slowest", "limit"):
            error = self.run_it("--transactions-" + option, "3", code=1).stderr
            self.assertIn("--transactions-%s wants --transactions FILE" % option, error)
        error = self.run_it("--transactions=", code=1).stderr
        self.assertIn("--transactions has an empty value", error)

    def test_nothing_to_write_is_told_after_the_results(self):
        self.refused("--transactions-window", "1s..", says=["no translation was under way there; the run ended"], code=4)
        done = self.run_it("--transactions", "x.json", "--transactions-sample", 10**9, "-o", "out", code=4)
        self.assertIn("one of each 1000000000 translations was to be taken, and there were only 151568\n", done.stderr)
        self.assertIn("translations", done.stdout)
        self.assertTrue((self.dir / "out" / "stats.json").exists())
        self.assertFalse((self.dir / "x.json").exists())

    def test_files_that_cannot_be_written(self):
        error = self.run_it("--transactions", "no/such/x.json", code=4).stderr
        self.assertIn("no/such/x.json", error)
        done = self.run_it("--transactions", "/dev/full", "-o", "out", code=4)
        self.assertIn("--transactions: /dev/full: No space left on device", done.stderr)
        self.assertTrue((self.dir / "out" / "stats.json").exists())

    def test_a_pipe_takes_a_file(self):
        pipe = self.dir / "pipe"
        os.mkfifo(pipe)
        with self.start("--transactions", pipe) as run:
            text = pipe.read_text()
            self.assertEqual(run.wait(), 0)
        (self.dir / "x.json").write_text(text)
        self.assertEqual(len(TraceFile(self.dir / "x.json").translations), 100)

    def stopped_half_way(self, number):
        """A dump into a pipe that is not read blocks the run; the run gets a signal, and may then continue."""
        pipe = self.dir / "pipe"
        os.mkfifo(pipe)
        with self.start("--vcd", pipe, "--transactions", "x.json", "-o", "out") as run:
            with open(pipe, "rb") as dump:
                for _ in range(8):  # the dump has some 30 MB, so the run is well under way
                    dump.read(1 << 20)
                self.assertFalse((self.dir / "x.json").exists())
                self.assertEqual(len(list(self.dir.glob("x.json.tmp*"))), 1)
                run.send_signal(number)
                time.sleep(0.3)
                while dump.read(1 << 20):
                    pass
            run.communicate()
            return run.returncode

    def test_an_interrupted_run_leaves_a_whole_file_marked_partial(self):
        self.assertEqual(self.stopped_half_way(signal.SIGINT), 130)
        made = TraceFile(self.dir / "x.json")
        self.assertIs(made.about["partial"], True)
        self.assertEqual(len(made.translations), 100)
        self.assertLess(made.about["translations"], 151568)
        self.assertEqual(list(self.dir.glob("*.tmp*")), [])

    def test_a_killed_run_leaves_nothing_under_the_name(self):
        self.assertEqual(self.stopped_half_way(signal.SIGKILL), -9)
        self.assertFalse((self.dir / "x.json").exists())


if __name__ == "__main__":
    unittest.main()
